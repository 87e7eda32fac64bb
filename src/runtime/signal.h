// SPDX-License-Identifier: BSD-3-Clause
// Signals: what another thread, or the clock, uses to stop a running call.
//
// A call that takes a signal handle begins a SignalledCall, asks should_stop() between pieces of its work,
// and when that is true gives up with stopped():
//
//   OPENQNN_ASSIGN(runtime::SignalledCall call, runtime::SignalledCall::begin(signal,
//   runtime::kGraphSignalCodes)); for (const Op& op : ops) {
//     if (call.should_stop()) return call.stopped("executing graph 'x'");
//     run(op);
//   }
//
// A null handle begins a call that never stops. The signal is in use until the SignalledCall is destroyed.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string_view>

#include "QnnContext.h"
#include "QnnGraph.h"
#include "QnnSignal.h"
#include "runtime/handles.h"
#include "runtime/outcome.h"

namespace openqnn::runtime {

// What a component's functions answer about the signal they were given.
struct SignalCodes {
  Qnn_ErrorHandle_t invalid;
  Qnn_ErrorHandle_t in_use;
  Qnn_ErrorHandle_t aborted;
  Qnn_ErrorHandle_t timed_out;
};
constexpr SignalCodes kGraphSignalCodes = {QNN_GRAPH_ERROR_INVALID_ARGUMENT, QNN_GRAPH_ERROR_SIGNAL_IN_USE,
                                           QNN_GRAPH_ERROR_ABORTED, QNN_GRAPH_ERROR_TIMED_OUT};
// The context's codes have none for a signal in use: the signal's own is answered (ours).
constexpr SignalCodes kContextSignalCodes = {QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                                             QNN_SIGNAL_ERROR_SIGNAL_IN_USE, QNN_CONTEXT_ERROR_ABORTED,
                                             QNN_CONTEXT_ERROR_TIMED_OUT};

class Signal : public Object {
 public:
  static constexpr Kind kKind = Kind::kSignal;
  static constexpr const char* kName = "signal";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_SIGNAL_ERROR_INVALID_HANDLE;

  // What the signal is for. One made without a config is for nothing until it gets one.
  struct Purpose {
    enum class Type : uint8_t { kNone, kAbort, kTimeout };
    Type type = Type::kNone;
    std::chrono::microseconds limit{0};  // of a timeout
  };

  explicit Signal(Purpose purpose) : purpose_(purpose) {}

  Outcome<> set_purpose(Purpose purpose);  // of an idle signal
  Outcome<> trigger();                     // of an abort signal that a call uses
  Outcome<> retire();  // an idle one, before its handle goes: no call begins with it later

 private:
  friend class SignalledCall;
  enum class State : uint8_t { kIdle, kInUse, kRetired };

  // Answers the purpose it had when the call began.
  Outcome<Purpose> enter(const SignalCodes& codes);
  void leave();

  std::mutex mutex_;  // guards the next two
  Purpose purpose_;
  State state_ = State::kIdle;
  std::atomic<bool> triggered_{false};
};

class SignalledCall {
 public:
  static Outcome<SignalledCall> begin(Qnn_SignalHandle_t handle, const SignalCodes& codes);

  SignalledCall(SignalledCall&&) noexcept = default;
  SignalledCall& operator=(SignalledCall&&) = delete;
  ~SignalledCall();

  // Whether the call has a signal at all.
  explicit operator bool() const { return static_cast<bool>(signal_); }

  // Cheap enough between two kernels: a load, for timeouts also the clock. Callable from several threads.
  bool should_stop() const {
    if (!signal_) return false;
    return signal_->triggered_.load(std::memory_order_relaxed) || past_deadline();
  }

  // The error of a call that should_stop() ended; `doing` names what was interrupted.
  ApiError stopped(std::string_view doing) const;

 private:
  using Clock = std::chrono::steady_clock;
  explicit SignalledCall(const SignalCodes& codes) : codes_(&codes) {}
  bool past_deadline() const { return deadline_ && Clock::now() >= *deadline_; }

  const SignalCodes* codes_;
  Ref<Signal> signal_;  // empty: nothing stops this call
  std::optional<Clock::time_point> deadline_;
};

}  // namespace openqnn::runtime
