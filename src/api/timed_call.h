// SPDX-License-Identifier: BSD-3-Clause
// A call of the context API that reports to a profile how long it took.
#pragma once

#include <chrono>

#include "api/answer.h"
#include "runtime/environment.h"

namespace openqnn::api {

// Finds the profile that a call reports to, and adds what the call took when it has one. Time counts from
// start() on.
class TimedCall {
 public:
  Outcome<> start(Qnn_ProfileHandle_t handle) {
    OPENQNN_ASSIGN(profile_, find_optional<runtime::Profile>(handle, QNN_CONTEXT_ERROR_SET_PROFILE));
    restart();
    return {};
  }
  // The work begins now: what came before was waiting for its turn.
  void restart() { start_ = std::chrono::steady_clock::now(); }

  template <class MakeEvents>
  void finish(MakeEvents&& make_events) {
    if (!profile_) return;
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start_;
    profile_->add(make_events(Nanos{static_cast<uint64_t>(elapsed.count())}, runtime::host_times()),
                  runtime::host_now());
  }
  // Events beside the call's own, on the device's side of it.
  void add(const profile::ProfileEvent& event) {
    if (profile_) profile_->add({event}, runtime::host_now());
  }

 private:
  Ref<runtime::Profile> profile_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace openqnn::api
