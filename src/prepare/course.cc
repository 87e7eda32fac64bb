// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/course.h"

#include <array>

#include "base/text.h"

namespace openqnn::prepare {

std::string_view stage_name(Stage stage) {
  static constexpr std::array<std::string_view, kStageCount> kNames = {
      "Graph Preparation Initializing", "Graph Optimizations", "Post Graph Optimization",
      "Graph Sequencing for Target",    "VTCM Allocation",     "Parallelization Optimization",
      "Finalizing Graph Sequence",      "Completion"};
  return kNames[static_cast<size_t>(stage)];
}

Status Course::enter(Stage stage) {
  if (stage_ == stage) return {};
  end();
  OPENQNN_TRY(go_on());
  stage_ = stage;
  if (follower_) follower_->stage_begins(stage);
  return {};
}

void Course::end() {
  if (follower_ && stage_) follower_->stage_ends(*stage_);
  stage_.reset();
}

Status Course::advance(uint64_t done, uint64_t total) {
  OPENQNN_TRY(go_on());
  if (follower_ && stage_ && !within_step_) follower_->stage_advances(*stage_, done, total);
  return {};
}

Status Course::go_on() const {
  if (!follower_ || !follower_->wants_to_stop()) return {};
  return exhausted(std::string(kStopped), "the preparation was stopped before its end, as was asked for")
      .at(concat("graph '", graph_, "'"))
      .fix_by("allow it more time, or prepare at a lower optimization level, which searches less");
}

}  // namespace openqnn::prepare
