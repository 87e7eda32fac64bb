// SPDX-License-Identifier: BSD-3-Clause
// From models to graphs of a context that can be executed or written: the part that all programs share.
#pragma once

#include <vector>

#include "base/result.h"
#include "tools/args.h"
#include "tools/qnn/client.h"
#include "tools/qnn/models.h"
#include "tools/qnn/profiling.h"
#include "tools/qnn/tool_config.h"

namespace openqnn::tools {

// --set_output_tensors, and `all_outputs`, the option that makes every tensor one.
Result<ComposeWishes> output_wishes(const Args& args, std::string_view all_outputs);
inline constexpr OptionSpec kOutputTensorsOption = {
    "--set_output_tensors", "GRAPH:TENSOR,...;...",
    "tensors that become outputs, too; a bare list where there is one graph, or a .txt file"};

// All graphs of all models, into the client's context.
Result<std::vector<RunnableGraph>> compose_models(const Client& client, Models& models,
                                                  const ComposeWishes& wishes, GraphConfigs& configs);
// The same with the options of the configuration file, which is checked against the graphs, and measured.
Result<std::vector<RunnableGraph>> compose_models(const Client& client, Models& models,
                                                  const ComposeWishes& wishes, ToolConfig& config,
                                                  Profiling& profiling);
Status finalize_graph(const Client& client, const RunnableGraph& graph, Profiling& profiling);

}  // namespace openqnn::tools
