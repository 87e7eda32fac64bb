// SPDX-License-Identifier: BSD-3-Clause
// The outer configuration file (--config_file), and the backend's own file through its extension library, as
// lists of options for the C API.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "QnnContext.h"
#include "QnnGraph.h"
#include "base/result.h"
#include "config/follow.h"
#include "tools/args.h"
#include "tools/qnn/extension_library.h"
#include "tools/qnn/models.h"
#include "tools/qnn/working_buffers.h"

namespace openqnn::tools {

// For which run a file is read.
struct ConfigRequest {
  std::string path;  // empty: no file, all is as the backend has it
  config::Tool tool = config::Tool::kNetRun;
  config::Stage stage = config::Stage::kOffline;
  std::string perf_profile;                                // of the command line, wins over the file's
  std::optional<config::Kind> kind = config::Kind::kTool;  // none: also the backend's own file, by itself
  std::optional<soc::SocInfo> soc;                         // when the command line names it
  TellFinding tell;                                        // gets warnings and notes
};

// Values point into each other: not to be copied or moved once read.
class ToolConfig {
 public:
  ToolConfig() = default;
  ToolConfig(const ToolConfig&) = delete;
  ToolConfig& operator=(const ToolConfig&) = delete;

  // The files are checked as `openqnn check` does it, and the extension library is opened.
  Status read(ConfigRequest request);

  // When the graphs are known: an error for a name in graph_configs that none has, and what the rules say of
  // graph_names.
  Status check_graphs(const std::vector<std::string>& graphs) const;
  // Whether a graph of a binary is loaded: all are, unless enable_graphs names some.
  bool loads(const std::string& graph) const;

  const Extension* extension() const { return extension_.get(); }
  bool is_outer() const { return is_outer_; }  // else the backend's own file was given
  // The file that was given, and what it names.
  const std::vector<config::Document>& files() const { return files_; }
  // Null where no extension library is loaded.
  const QnnBackend_Config_t** backend_configs() const;
  const QnnDevice_Config_t** device_configs() const;
  // The part that the backend's own file names, as far as it does.
  const config::Part& part() const { return part_; }

  // For a new context, and for one from a binary, which takes more. Null where there is no option.
  const QnnContext_Config_t** context_configs();
  const QnnContext_Config_t** loading_configs();
  GraphConfigs& graph_configs() { return graphs_; }
  std::optional<uint64_t> most_events() const { return most_events_; }
  std::optional<uint64_t> queue_depth() const { return queue_depth_; }
  // For a context from a binary; none for any other.
  const WorkingBufferSizes& working_buffers() const { return working_buffers_; }

  // The bytes of a binary stay as long as its context: what --use_mmap promises.
  void promise_persistence();

 private:
  const char* keep(std::string_view text) { return texts_.emplace_back(text).c_str(); }
  const config::Document* inner() const;  // the backend's own file; null where none is named
  Status read_outer(const config::Record& root);
  void read_context(const config::Record& record);
  void read_graphs(const config::Record& root);
  Status read_extensions(const std::vector<config::Record>& entries);
  Status open_extension(const std::string& library);
  void add_extension_graphs();
  void append_extension_options(std::vector<const QnnContext_Config_t*>& list) const;  // and the null
  std::vector<const QnnGraph_Config_t*>& graph_list(const std::string& name);

  ConfigRequest request_;
  std::vector<config::Document> files_;
  config::Part part_;
  bool is_outer_ = false;
  std::unique_ptr<Extension> extension_;
  std::vector<std::string> outer_graphs_;  // that graph_configs names
  std::deque<std::string> texts_;
  std::vector<const char*> enabled_graphs_;
  std::vector<const char*> retained_graphs_;
  std::deque<QnnContext_Config_t> for_all_;
  std::deque<QnnContext_Config_t> for_loading_;
  std::vector<const QnnContext_Config_t*> context_list_;
  std::vector<const QnnContext_Config_t*> loading_list_;
  std::deque<QnnGraph_Config_t> graph_options_;
  GraphConfigs graphs_;
  std::unordered_map<std::string, size_t> graph_index_;  // the place of a name in graphs_
  std::optional<uint64_t> most_events_;
  std::optional<uint64_t> queue_depth_;
  WorkingBufferSizes working_buffers_;
};

inline constexpr OptionSpec kConfigFileOption = {"--config_file", "FILE",
                                                 "the outer configuration file, JSON"};

}  // namespace openqnn::tools
