// SPDX-License-Identifier: BSD-3-Clause
// The models that a program was told: .dlc files, read here or through libQnnModelDlc.so, and model
// libraries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/args.h"
#include "tools/compose.h"
#include "tools/qnn/compose_watch.h"
#include "tools/qnn/model_interface.h"

namespace openqnn::tools {

// --model, --dlc_path and --model_prefix.
struct ModelChoice {
  std::vector<std::string> libraries;
  std::vector<std::string> dlcs;
  std::string prefix = kDefaultModelPrefix;
};
Result<ModelChoice> model_choice(const Args& args);
std::vector<OptionSpec> model_options_of_tools();

// The options of graphs by name, in the form that model libraries take.
struct GraphConfigs {
  std::vector<std::string> names;
  std::vector<std::vector<const QnnGraph_Config_t*>> configs;  // of each name, null at the end
};

// The list of a graph; null when there is none.
const QnnGraph_Config_t** configs_for(GraphConfigs& configs, const std::string& graph);

// A library stays open as long as this lives, because its graphs may use its memory.
class Models {
 public:
  static Result<Models> open(const ModelChoice& choice);

  // All graphs into the context, under the eyes of `watch`.
  Status compose(ComposeWatch& watch, Qnn_BackendHandle_t backend, Qnn_ContextHandle_t context,
                 GraphConfigs& configs, bool debug);

 private:
  struct Library;
  std::vector<std::shared_ptr<Library>> libraries_;
  std::vector<std::string> dlcs_;
};

// All graphs of one file.
Status compose_dlc(const std::string& path, const ComposeTarget& target, GraphConfigs& configs);

}  // namespace openqnn::tools
