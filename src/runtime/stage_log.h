// SPDX-License-Identifier: BSD-3-Clause
// The stages of a finalize, told in the log as they come and kept for the profile.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <vector>

#include "base/log.h"
#include "prepare/prepare.h"
#include "profile/events.h"

namespace openqnn::runtime {

class StageLog : public prepare::Follower {
 public:
  // Stops the preparation once `stop` is true; null: never.
  StageLog(Logger log, const std::atomic<bool>* stop) : log_(std::move(log)), stop_(stop) {}

  void stage_begins(prepare::Stage stage) override;
  void stage_ends(prepare::Stage stage) override;
  bool wants_to_stop() override { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

  // Of all preparations that it followed: a graph with ops of packages takes several.
  std::vector<profile::HostStage> stages() const;

 private:
  const Logger log_;
  const std::atomic<bool>* const stop_;
  std::chrono::steady_clock::time_point began_;
  std::array<std::chrono::nanoseconds, prepare::kStageCount> took_{};
};

}  // namespace openqnn::runtime
