// SPDX-License-Identifier: BSD-3-Clause
// The file of qnn-throughput-net-run as a plan: which threads run what, how often, on what.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "QnnLog.h"
#include "QnnTypes.h"
#include "base/result.h"
#include "tools/extensions/findings.h"
#include "tools/qnn/output_files.h"

namespace openqnn::tools {

struct PlannedBackend {
  std::string name;
  std::string path;
  std::string op_packages;
  std::string extension;     // library; empty: none
  std::string perf_profile;  // empty: none
};

// How the outputs of a graph are judged against the first result.
enum class PostProcessor : uint8_t { kNone, kMse, kMseInt8, kMseInt16 };

enum class SaveOutput : uint8_t { kNone, kLast, kAll };

struct PlannedModel {
  std::string name;
  std::string path;
  bool is_binary = false;
  std::vector<std::string> input_lists;  // one per graph; empty: random values
  bool native_inputs = true;
  std::vector<PostProcessor> post_processors;  // one per graph, or one for all
  std::string output_path;
  OutputForms forms = {.floats = false, .native = true};
  SaveOutput save = SaveOutput::kNone;
};

struct PlannedContext {
  std::string name;
  Qnn_Priority_t priority = QNN_PRIORITY_UNDEFINED;  // the backend's default
  uint32_t queue_depth = 0;                          // 0: the backend's
  bool strict = false;
};

struct PlannedThread {
  std::string name;
  const PlannedBackend* backend = nullptr;
  const PlannedContext* context = nullptr;
  const PlannedModel* model = nullptr;
  bool makes_model_in_loop = false;
  bool loads_inputs_in_loop = false;
  bool random_inputs = false;
  uint64_t interval_us = 0;
  bool loop_is_seconds = false;
  uint64_t loop = 1;
  bool asynchronous = false;
  std::string backend_config;  // the backend's own file; empty: none
};

struct ThroughputPlan {
  int64_t iterations = 1;  // negative: until it is interrupted
  std::optional<QnnLog_Level_t> log_level;
  std::deque<PlannedBackend> backends;  // threads point at the entries
  std::deque<PlannedModel> models;
  std::deque<PlannedContext> contexts;
  std::vector<PlannedThread> threads;
};

// Checks the file and those it names as `openqnn check` does it. What this program cannot do is refused.
// The plan is filled in place, because its threads point into it.
Status read_throughput_plan(const std::string& path, const TellFinding& tell, ThroughputPlan& plan);

}  // namespace openqnn::tools
