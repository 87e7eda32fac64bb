// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/stage_log.h"

#include "base/text.h"
#include "runtime/environment.h"

namespace openqnn::runtime {

void StageLog::stage_begins(prepare::Stage stage) {
  log_.info(concat("Starting stage: ", prepare::stage_name(stage)));
  began_ = std::chrono::steady_clock::now();
}

void StageLog::stage_ends(prepare::Stage stage) {
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began_;
  took_[static_cast<size_t>(stage)] += took;
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  log_.info(concat("Completed stage: ", prepare::stage_name(stage),
                   host_times() == profile::HostTimes::kKeep ? concat(" (", micros, " us)") : ""));
}

std::vector<profile::HostStage> StageLog::stages() const {
  std::vector<profile::HostStage> stages;
  for (size_t i = 0; i < took_.size(); ++i)
    stages.push_back({std::string(prepare::stage_name(static_cast<prepare::Stage>(i))),
                      Nanos{static_cast<uint64_t>(took_[i].count())}});
  return stages;
}

}  // namespace openqnn::runtime
