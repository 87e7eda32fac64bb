// SPDX-License-Identifier: BSD-3-Clause
// The outer configuration file (--config_file) as lists of options for the C API.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "QnnContext.h"
#include "QnnGraph.h"
#include "base/result.h"
#include "config/config.h"
#include "tools/args.h"
#include "tools/qnn/models.h"

namespace openqnn::tools {

// Values point into each other: not to be copied or moved once read.
class ToolConfig {
 public:
  ToolConfig() = default;
  ToolConfig(const ToolConfig&) = delete;
  ToolConfig& operator=(const ToolConfig&) = delete;

  // Without --config_file all is as the backend has it. Warnings of the check are printed; errors are
  // returned.
  Status read(const Args& args, config::Tool tool);

  // For a new context, and for one from a binary, which takes more. Null where there is no option.
  const QnnContext_Config_t** context_configs();
  const QnnContext_Config_t** loading_configs();
  GraphConfigs& graph_configs() { return graphs_; }
  std::optional<uint64_t> most_events() const { return most_events_; }
  std::optional<uint64_t> queue_depth() const { return queue_depth_; }
  bool names_graph_that_is_not_in(const std::vector<std::string>& graphs, std::string& name) const;

  // The bytes of a binary stay as long as its context: what --use_mmap promises.
  void promise_persistence();

 private:
  const char* keep(std::string_view text) { return texts_.emplace_back(text).c_str(); }
  Status read_context(const config::Record& record);
  Status read_graphs(const config::Record& root);

  std::deque<std::string> texts_;
  std::vector<const char*> enabled_graphs_;
  std::vector<const char*> retained_graphs_;
  std::deque<QnnContext_Config_t> for_all_;
  std::deque<QnnContext_Config_t> for_loading_;
  std::vector<const QnnContext_Config_t*> context_list_;
  std::vector<const QnnContext_Config_t*> loading_list_;
  std::deque<QnnGraph_Config_t> graph_options_;
  GraphConfigs graphs_;
  std::optional<uint64_t> most_events_;
  std::optional<uint64_t> queue_depth_;
};

inline constexpr OptionSpec kConfigFileOption = {"--config_file", "FILE",
                                                 "the outer configuration file, JSON"};

}  // namespace openqnn::tools
