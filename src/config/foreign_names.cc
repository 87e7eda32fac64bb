// SPDX-License-Identifier: BSD-3-Clause
#include "config/foreign_names.h"

#include <algorithm>
#include <iterator>

namespace openqnn::config {
namespace {

constexpr std::string_view kOnnxRuntime = "ONNX Runtime's QNN provider";
constexpr std::string_view kTflite = "the TFLite delegate";
constexpr std::string_view kSnpe = "the SNPE tools";
constexpr std::string_view kGraphPrepare = "snpe-dlc-graph-prepare";

constexpr ForeignName kNames[] = {
    {"htp_arch", kOnnxRuntime, "devices[].dsp_arch"},  // its value is the bare number: 73 for v73
    {"htp_performance_mode", kOnnxRuntime, "devices[].cores[].perf_profile", true},
    {"htp_graph_finalization_optimization_mode", kOnnxRuntime, "graphs[].O", true},
    {"enable_htp_fp16_precision", kOnnxRuntime, "graphs[].fp16_relaxed_precision"},
    {"enable_htp_weight_sharing", kOnnxRuntime, "context.weight_sharing_enabled"},
    {"enable_htp_spill_fill_buffer", kOnnxRuntime, "context.max_spill_fill_buffer_for_group"},
    {"qnn_context_priority", kOnnxRuntime, "context_configs.context_priority (in the tool file)"},
    {"enable_htp_shared_memory_allocator", kOnnxRuntime, "memory.mem_type"},
    {"backend_path", kOnnxRuntime, "the tool's --backend"},
    {"htp_use_conv_hmx", kTflite, "graphs[].short_depth_conv_on_hmx_off"},  // the other way round
    {"htp_use_fold_relu", kTflite, "graphs[].fold_relu_activation_into_conv_off"},
    {"htp_optimization_strategy", kTflite, "graphs[].O"},
    {"htp_precision", kTflite, "graphs[].fp16_relaxed_precision"},
    {"performance_profile", kSnpe, "devices[].cores[].perf_profile", true},
    {"optimization_level", kGraphPrepare, "graphs[].O", true},
    {"num_hvx_threads", kGraphPrepare, "graphs[].hvx_threads", true},
    {"htp_dlbc", kGraphPrepare, "graphs[].dlbc"},
    {"vtcm_override", kGraphPrepare, "graphs[].vtcm_mb", true},
    {"htp_socs", kGraphPrepare, "devices[].soc_model"},
    {"htp_archs", kGraphPrepare, "devices[].dsp_arch"},
};

}  // namespace

const ForeignName* find_foreign_name(std::string_view key) {
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const ForeignName& name) { return name.key == key; });
  return found != std::end(kNames) ? found : nullptr;
}

}  // namespace openqnn::config
