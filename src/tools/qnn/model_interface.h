// SPDX-License-Identifier: BSD-3-Clause
// What a model library offers to the programs that load it: two C functions, named after a prefix
// ("QnnModel" unless --model_prefix says otherwise). The layouts are those that public model sources are
// compiled with.
#pragma once

#include <cstdint>

#include "QnnInterface.h"

extern "C" {

// A graph that was composed. The library owns it until <prefix>_freeGraphsInfo.
struct QnnModelGraphInfo {
  Qnn_GraphHandle_t graph;
  char* graphName;
  Qnn_Tensor_t* inputTensors;
  uint32_t numInputTensors;
  Qnn_Tensor_t* outputTensors;
  uint32_t numOutputTensors;
};

// The options of one graph, by its name.
struct QnnModelGraphConfigInfo {
  const char* graphName;
  const QnnGraph_Config_t** graphConfigs;
};

// 0, or the library's number of what went wrong. The function table comes by value: a library must have been
// compiled with a table of this size.
using QnnModelComposeGraphs = int (*)(Qnn_BackendHandle_t backend, QnnInterface_ImplementationV2_39_t api,
                                      Qnn_ContextHandle_t context,
                                      const QnnModelGraphConfigInfo** graphs_config_info,
                                      uint32_t graphs_config_info_count, QnnModelGraphInfo*** graphs_info,
                                      uint32_t* graphs_info_count, bool debug, QnnLog_Callback_t log_callback,
                                      QnnLog_Level_t max_log_level);
using QnnModelFreeGraphsInfo = int (*)(QnnModelGraphInfo*** graphs_info, uint32_t graphs_info_count);

}  // extern "C"

namespace openqnn::tools {

inline constexpr const char* kDefaultModelPrefix = "QnnModel";
inline constexpr const char* kDlcModelLibrary = "libQnnModelDlc.so";
// How the path of a .dlc reaches libQnnModelDlc.so, whose functions have no argument for it (ours).
inline constexpr const char* kDlcPathVariable = "OPENQNN_DLC_PATH";

}  // namespace openqnn::tools
