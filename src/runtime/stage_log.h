// SPDX-License-Identifier: BSD-3-Clause
// The stages of a finalize, told in the log as they come and kept for the profile.
#pragma once

#include <array>
#include <chrono>
#include <vector>

#include "base/log.h"
#include "prepare/prepare.h"
#include "profile/events.h"

namespace openqnn::runtime {

class StageLog : public prepare::Follower {
 public:
  explicit StageLog(Logger log) : log_(std::move(log)) {}

  void stage_begins(prepare::Stage stage) override;
  void stage_ends(prepare::Stage stage) override;

  // Of all preparations that it followed: a graph with ops of packages takes several.
  std::vector<profile::HostStage> stages() const;

 private:
  const Logger log_;
  std::chrono::steady_clock::time_point began_;
  std::array<std::chrono::nanoseconds, prepare::kStageCount> took_{};
};

}  // namespace openqnn::runtime
