// SPDX-License-Identifier: BSD-3-Clause
// The LPAI backend file as options of the C API. One table says what becomes of every option of the file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "LPAI/QnnLpaiBackend.h"
#include "LPAI/QnnLpaiGraph.h"
#include "config/config.h"
#include "tools/extensions/backend_file.h"
#include "tools/extensions/option_list.h"

namespace openqnn::tools {

// Not to be moved once filled: options point into it.
struct LpaiOptions {
  // What several options of the file say together, and whether one of them is set.
  QnnLpaiBackend_CustomConfigHwInfo_t hardware = QNN_LPAI_BACKEND_CUSTOM_CONFIG_HW_INFO_INIT;
  QnnLpaiGraph_PerfCfg_t performance = QNN_LPAI_GRAPH_PERF_CFG_INIT;
  QnnLpaiGraph_CoreAffinity_t affinity = QNN_LPAI_GRAPH_CORE_AFFINITY_INIT;
  bool sets_hardware = false;
  bool sets_performance = false;
  bool sets_affinity = false;

  BackendOptions<QnnLpaiBackend_CustomConfig_t> backend;
  GraphOptions<QnnLpaiGraph_CustomConfig_t> graph;  // of every graph: the file does not name them
  uint32_t profile_level = 0;
  std::vector<std::string> warnings;
};

// What becomes of one option of the file: exactly one of the last two.
struct LpaiLowering {
  std::string_view section;  // its name: "execute"
  std::string_view option;
  void (*lower)(const Setting& setting, LpaiOptions& out) = nullptr;
  std::string_view no_effect = {};
};
std::span<const LpaiLowering> lpai_lowerings();

void lower_lpai(const config::Config& file, const ExtensionRun& run, LpaiOptions& out);

}  // namespace openqnn::tools
