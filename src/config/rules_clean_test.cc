// SPDX-License-Identifier: BSD-3-Clause
// The rules on whole files: the guide's own samples, both readings of the documents, and files with nothing
// wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/rule.h"
#include "config/rule_pages.h"
#include "config/testing.h"

namespace openqnn::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// ---- Where documents disagree, both readings pass ----

// feature: A12 (inside)
TEST(Rules, BothReadingsPass) {
  const std::vector<std::string> files = {
      R"({"context": {"weight_sharing_enabled": true}})",
      R"({"context": [{"weight_sharing_enabled": true}]})",
      R"({"devices": [{"core_id": [0]}]})",
      R"({"devices": [{"cores": [{"core_id": 0}]}]})",
      R"({"devices": [{"profiling_level": "linting"}]})",
      R"({"graphs": [{"graph_names": ["g"], "dlbc": 0, "dlbc_weights": 1}]})",
      R"({"graphs": [{"graph_names": ["g"], "dlbc": 1, "dlbc_weights": 2}]})",
      R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 4}]})",
      R"({"context": {"group_id": 0}})",
  };
  for (const std::string& file : files) EXPECT_THAT(places(check_text(file)), IsEmpty()) << file;
}

// ---- The guide's own samples ----

// feature: A10, A12 (inside)
TEST(Rules, TheGuidesMinimalFileHasOneFinding) {
  const auto findings = check_text(R"({
        "context": [
            {
                "weight_sharing_enabled": true,
                "lora_weight_sharing": true
            }
        ],
        "graphs": [
            {
                "graph_names": ["graphA", "graphB"],
                "O": 3,
                "vtcm_mb": 8
            },
            {
                "graph_names": ["graphC"],
                "dlbc": 1
            }
        ],
        "devices": [
            {
                "device_id": 0,
                "soc_model": 43,
                "dsp_arch": "v73",
                "cores": [
                    {
                        "core_id": 0,
                        "perf_profile": "burst"
                    }
                ]
            }
        ],
        "memory": {
            "mem_type": "shared_buffer"
        },
        "groupContext": {
            "share_resources": true
        }
    })");
  EXPECT_THAT(places(findings), ElementsAre("dlbc-weight-sharing graphs[1].dlbc"));
}

// feature: A10, A12 (inside)
TEST(Rules, TheGuidesPythonListingHasTwoFindings) {
  const RuleDef& any_compile_rule = compile_rules().front();
  const Example listing = {.text = R"({"backend": "HTP", "soc_details": "chipset:SM8750"})", .inner = R"({
        "graphs": [{"graph_names": ["placeholder"], "O": 3, "vtcm_mb": 8, "fp16_relaxed_precision": 0}],
        "devices": [{
          "pd_session": "unsigned", "cores": [{"perf_profile": "burst", "rpc_control_latency": 100}]
        }],
        "context": [{"weight_sharing_enabled": true, "extended_udma": true}],
        "memory": {"mem_type": "shared_buffer"},
        "groupContext": {"share_resources": true}
      })"};
  std::vector<Finding> findings;
  for (const CheckedFile& file : check_example(any_compile_rule, listing))
    findings.insert(findings.end(), file.findings.begin(), file.findings.end());
  EXPECT_THAT(places(findings), UnorderedElementsAre("soc-details-ignored soc_details",
                                                     "extended-udma-arch context[0].extended_udma"));
}

// ---- Files as they really occur, with nothing wrong ----

struct CleanFile {
  std::string_view flags;
  std::string_view text;
};

// The old form: graphs as an object, numbers as floats, comments, a trailing comma, CRLF.
constexpr std::string_view kOldForm =
    "{\"graphs\": {\"graph_names\": [\"qnn_model\"], \"vtcm_mb\": 8, \"O\": 3.0,},  // best\r\n"
    " \"devices\": [{\"dsp_arch\": \"v75\", \"soc_model\": 57, \"device_id\": 0, \"pd_session\": "
    "\"unsigned\",\r\n"
    "   \"cores\": [{\"core_id\": 0, \"perf_profile\": \"burst\", \"rpc_control_latency\": 100}]}]}\r\n";

constexpr CleanFile kCleanFiles[] = {
    {"", "{}"},
    {"", kOldForm},
    {"--soc SM8550", R"({
  "graphs": [{"graph_names": ["a", "b"], "vtcm_mb": 8, "hvx_threads": 4, "O": 3,
              "fp16_relaxed_precision": 0}],
  "devices": [{"dsp_arch": "v73"}]
})"},
    // A language model whose prompt and token graphs share weights.
    {"--stage offline --platform x86_64-linux --soc SM8750 --graphs prompt,token", R"({
  "graphs": [{"graph_names": ["prompt", "token"], "vtcm_mb": 8, "O": 3, "hvx_threads": 6}],
  "devices": [{"soc_model": 69, "dsp_arch": "v79"}],
  "context": {"weight_sharing_enabled": true}
})"},
    {"", R"({
  "graphs": [
    {"graph_names": ["prompt"], "vtcm_mb": 0, "O": 3},
    {"graph_names": ["token"], "vtcm_mb": 0, "O": 2}
  ],
  "devices": [{"soc_model": 87, "dsp_arch": "v81"}],
  "context": {"weight_sharing_enabled": true, "extended_udma": true}
})"},
    // Running a binary on the device, its graphs switched.
    {"--tool qnn-net-run --stage binary --platform aarch64-android", R"({
  "backend_extensions": {
    "shared_library_path": "./libQnnHtpNetRunExtensions.so", "config_file_path": "./htp.json"
  },
  "context_configs": {
    "context_priority": "normal_high", "enable_graphs": ["a", "b"], "is_persistent_binary": true,
    "memory_limit_hint": 1024, "graph_retention_order": ["b"]
  },
  "graph_configs": [{"graph_name": "a", "graph_priority": "low"}]
})"},
    {"--platform aarch64-windows", R"({
  "backend_extensions": {
    "shared_library_path": "C:\\qnn\\QnnHtpNetRunExtensions.dll", "config_file_path": "htp.json"
  }
})"},
    // Several contexts, one after the other.
    {"", R"({
  "context": {
    "group_id": 0, "max_spill_fill_buffer_for_group": 209715200,
    "file_read_memory_budget_in_mb": 25, "io_memory_estimation": true, "init_acceleration": true
  }
})"},
    {"", R"({
  "groupContext": {"share_resources": true},
  "memory": {"mem_type": "shared_buffer"},
  "devices": [{"cores": [{
    "perf_profile": "high_performance", "rpc_polling_time": 9999, "adaptive_polling_time": 1000,
    "hmx_timeout_us": 300000
  }]}]
})"},
    // The defaults, written out.
    {"", R"({"devices": [{"soc_model": 57, "dsp_arch": "NONE"}]})"},
    {"--sdk 2.48", R"({"devices": [{"soc_model": 69, "cores": [{"perf_profile": "llm_decode_balanced"}]}]})"},
    {"", R"({
  "graphs": [{
    "graph_names": ["g"], "dlbc": 1.0, "dlbc_weights": 1, "weights_packing": true,
    "short_depth_conv_on_hmx_off": true, "fold_relu_activation_into_conv_off": true
  }],
  "devices": [{"soc_model": 60, "dsp_arch": "v73"}],
  "_comment": "X Elite"
})"},
    {"", R"({
  "graphs": [{"graph_names": ["g"], "vtcm_size": 8323072, "O": 3, "finalize_config": {"P": 3}}],
  "devices": [{"soc_model": 87, "dsp_arch": "v81"}]
})"},
    {"--soc SM8850", R"({
  "lpai_backend": {"target_env": "adsp", "enable_hw_ver": "v6"},
  "lpai_graph": {"execute": {"fps": 1, "ftrt_ratio": 10, "client_type": "real_time", "affinity": "soft",}}
})"},
    {"", R"({
  "lpai_graph": {"execute": {"fps": 30, "ftrt_ratio": 50, "affinity": "hard", "core_selection": 2}},
  "lpai_profile": {"level": "detailed"}, "lpai_debug": {"force_nhwc": true}
})"},
    {"--graphs token_1_of_2,token_2_of_2", R"({
  "graphs": [{"graph_name": "token_1_of_2", "tensors": [
    {"tensor_name": "past_key_0_in", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"},
    {"tensor_name": "past_value_0_in", "dataFormat": "QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT"}
  ]}]
})"},
    {"", R"({"features": {"qhas_json": true, "htp_json": true, "runtrace": true, "memory_info": true}})"},
    {"--tool qnn-throughput-net-run", R"({
  "backends": [{
    "backendName": "htp", "backendPath": "libQnnHtp.so", "profilingLevel": "OFF",
    "backendExtensions": "libQnnHtpNetRunExtensions.so", "perfProfile": "high_performance"
  }],
  "models": [{
    "modelName": "m", "modelPath": "m.bin", "loadFromCachedBinary": true, "inputPath": "list.txt",
    "inputDataType": "FLOAT", "postProcessor": "MSE", "outputPath": "out"
  }],
  "contexts": [{"contextName": "c", "priority": "LOW", "executeAsyncQueueDepth": 10}],
  "testCase": {"iteration": 5, "logLevel": "error", "threads": [{
    "threadName": "t", "backend": "htp", "context": "c", "model": "m", "interval": 0,
    "loopUnit": "second", "loop": 1, "executeAsynchronous": true, "backendConfig": "htp.json"
  }]}
})"},
};

TEST(Rules, CleanFilesAreSilent) {
  for (const CleanFile& file : kCleanFiles) {
    const auto circumstances = parse_circumstances(file.flags);
    ASSERT_TRUE(circumstances.ok()) << file.flags;
    const auto findings = check_text(std::string(file.text), *circumstances);
    EXPECT_THAT(places(findings), IsEmpty()) << file.flags << "\n" << file.text;
  }
}

}  // namespace
}  // namespace openqnn::config
