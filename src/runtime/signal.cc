// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/signal.h"

#include "base/text.h"

namespace openqnn::runtime {
namespace {

ApiError in_use(Qnn_ErrorHandle_t code) {
  return {code, invalid("signal-in-use", "a running call uses the signal")
                    .fix_by("wait until that call ends, or make a signal for each call")};
}

}  // namespace

Outcome<> Signal::set_purpose(Purpose purpose) {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kInUse) return in_use(QNN_SIGNAL_ERROR_SIGNAL_IN_USE);
  purpose_ = purpose;
  return {};
}

Outcome<> Signal::trigger() {
  const std::lock_guard lock(mutex_);
  if (purpose_.type != Purpose::Type::kAbort)
    return ApiError(QNN_SIGNAL_ERROR_INCOMPATIBLE_SIGNAL_TYPE,
                    invalid("signal-type", "only an abort signal can be triggered")
                        .fix_by("configure it with QNN_SIGNAL_CONFIG_OPTION_ABORT"));
  if (state_ != State::kInUse)
    return ApiError(QNN_SIGNAL_ERROR_SIGNAL_IDLE,
                    invalid("signal-idle", "no running call uses the signal: there is nothing to abort"));
  triggered_.store(true, std::memory_order_relaxed);
  return {};
}

Outcome<> Signal::retire() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kInUse) return in_use(QNN_SIGNAL_ERROR_SIGNAL_IN_USE);
  state_ = State::kRetired;
  return {};
}

Outcome<Signal::Purpose> Signal::enter(const SignalCodes& codes) {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kInUse) return in_use(codes.in_use);
  if (state_ == State::kRetired)
    return ApiError(codes.invalid, invalid("handle", "the signal is being freed"));
  if (purpose_.type == Purpose::Type::kNone)
    return ApiError(codes.invalid, invalid("signal-purpose", "the signal neither aborts nor times out")
                                       .fix_by("give it a config that says which, or pass no signal"));
  triggered_.store(false, std::memory_order_relaxed);
  state_ = State::kInUse;
  return purpose_;
}

void Signal::leave() {
  const std::lock_guard lock(mutex_);
  state_ = State::kIdle;
}

Outcome<SignalledCall> SignalledCall::begin(Qnn_SignalHandle_t handle, const SignalCodes& codes) {
  SignalledCall call(codes);
  if (!handle) return call;
  Ref<Signal> signal = HandleTable::instance().acquire<Signal>(handle);
  if (!signal)
    return ApiError(codes.invalid,
                    invalid("handle", concat("handle ", handle, " is not a live signal of this library"))
                        .fix_by("pass a signal that QnnSignal_create made, or none"));
  OPENQNN_ASSIGN(const Signal::Purpose purpose, signal->enter(codes));
  if (purpose.type == Signal::Purpose::Type::kTimeout) call.deadline_ = Clock::now() + purpose.limit;
  call.signal_ = std::move(signal);
  return call;
}

SignalledCall::~SignalledCall() {
  if (signal_) signal_->leave();
}

ApiError SignalledCall::stopped(std::string_view doing) const {
  if (deadline_)
    return {codes_->timed_out, invalid("signal-timeout", concat("the signal's time was up while ", doing))
                                   .fix_by("allow more time, or pass no signal")};
  return {codes_->aborted, invalid("signal-abort", concat("the signal was triggered while ", doing))};
}

}  // namespace openqnn::runtime
