// SPDX-License-Identifier: BSD-3-Clause
// A call of the context API that reports to a profile how long it took.
#pragma once

#include <chrono>

#include "api/answer.h"

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

  void finish(const profile::HostCall& call) {
    if (profile_) profile_->add_host_call(call, start_);
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
