// SPDX-License-Identifier: BSD-3-Clause
#include "tools/extensions/lpai_lowering.h"

#include <algorithm>
#include <array>
#include <utility>

#include "QnnProfile.h"
#include "base/text.h"

namespace openqnn::tools {
namespace {

// The check has made sure that it is one of them.
template <class Value, size_t count>
Value word_in(const std::array<std::pair<std::string_view, Value>, count>& table, std::string_view word) {
  const auto found = std::ranges::find(table, word, [](const auto& pair) { return pair.first; });
  return found == table.end() ? table.front().second : found->second;
}

constexpr std::array<std::pair<std::string_view, QnnLpaiBackend_Target_t>, 4> kEnvironments = {{
    {"adsp", QNN_LPAI_BACKEND_TARGET_ADSP},
    {"arm", QNN_LPAI_BACKEND_TARGET_ARM},
    {"x86", QNN_LPAI_BACKEND_TARGET_X86},
    {"tensilica", QNN_LPAI_BACKEND_TARGET_TENSILICA},
}};
constexpr std::array<std::pair<std::string_view, QnnLpaiBackend_HwVersion_t>, 4> kVersions = {{
    {"v6", QNN_LPAI_BACKEND_HW_VERSION_V6},
    {"v5", QNN_LPAI_BACKEND_HW_VERSION_V5},
    {"v5_1", QNN_LPAI_BACKEND_HW_VERSION_V5_1},
    {"v7", QNN_LPAI_BACKEND_HW_VERSION_V7},
}};
constexpr std::array<std::pair<std::string_view, QnnLpaiGraph_ClientPerfType_t>, 2> kClients = {{
    {"real_time", QNN_LPAI_GRAPH_CLIENT_PERF_TYPE_REAL_TIME},
    {"non_real_time", QNN_LPAI_GRAPH_CLIENT_PERF_TYPE_NON_REAL_TIME},
}};
constexpr std::array<std::pair<std::string_view, QnnLpaiGraph_CoreAffinityType_t>, 2> kAffinities = {{
    {"soft", QNN_LPAI_GRAPH_CORE_AFFINITY_SOFT},
    {"hard", QNN_LPAI_GRAPH_CORE_AFFINITY_HARD},
}};

void environment(const Setting& setting, LpaiOptions& out) {
  out.hardware.lpaiTarget = word_in(kEnvironments, setting.text());
  out.sets_hardware = true;
}

void hardware_version(const Setting& setting, LpaiOptions& out) {
  out.hardware.hwVersion = word_in(kVersions, setting.text());
  out.sets_hardware = true;
}

void frames(const Setting& setting, LpaiOptions& out) {
  out.performance.fps = setting.uint32();
  out.sets_performance = true;
}

void ratio(const Setting& setting, LpaiOptions& out) {
  out.performance.ftrtRatio = setting.uint32();
  out.sets_performance = true;
}

void client(const Setting& setting, LpaiOptions& out) {
  out.performance.clientType = word_in(kClients, setting.text());
  out.sets_performance = true;
}

void affinity(const Setting& setting, LpaiOptions& out) {
  out.affinity.affinity = word_in(kAffinities, setting.text());
  out.sets_affinity = true;
}

void core_selection(const Setting& setting, LpaiOptions& out) {
  out.affinity.coreSelection = setting.uint32();
  out.sets_affinity = true;
}

void profile_level(const Setting& setting, LpaiOptions& out) {
  out.profile_level = setting.text() == "detailed" ? QNN_PROFILE_LEVEL_DETAILED : QNN_PROFILE_LEVEL_BASIC;
}

constexpr std::string_view kNoOption = "the C API has no option for it";

constexpr LpaiLowering kLpaiLowerings[] = {
    {"lpai_backend", "target_env", environment},
    {"lpai_backend", "enable_hw_ver", hardware_version},
    {"prepare", "enable_batchnorm_fold", nullptr, kNoOption},
    {"prepare", "exclude_io", nullptr, kNoOption},
    {"execute", "fps", frames},
    {"execute", "ftrt_ratio", ratio},
    {"execute", "client_type", client},
    {"execute", "affinity", affinity},
    {"execute", "core_selection", core_selection},
    {"lpai_profile", "level", profile_level},
    {"lpai_debug", "force_nhwc", nullptr, kNoOption},
};

// Sections stand in sections here, and each record has options of its own.
void lower_record(const config::Record& record, const ExtensionRun& run, LpaiOptions& out) {
  for_each_setting(record, run, [&](const Setting& setting) {
    for (const LpaiLowering& lowering : kLpaiLowerings) {
      if (lowering.section != record.section().name || lowering.option != setting.option) continue;
      if (lowering.lower != nullptr) lowering.lower(setting, out);
      if (!lowering.no_effect.empty())
        out.warnings.push_back(
            concat(record.path().to_string(setting.option), " has no effect here: ", lowering.no_effect));
    }
  });
  for (const config::OptionDef& option : record.section().options)
    if (option.is_container() && acts_in(option, run))
      for (const config::Record& child : record.records(option.name)) lower_record(child, run, out);
}

}  // namespace

std::span<const LpaiLowering> lpai_lowerings() { return kLpaiLowerings; }

void lower_lpai(const config::Config& file, const ExtensionRun& run, LpaiOptions& out) {
  lower_record(file.root(), run, out);
  if (out.sets_hardware) out.backend.add() = {QNN_LPAI_BACKEND_CUSTOM_CFG_HW_INFO, &out.hardware};
  if (out.sets_performance) out.graph.add() = {QNN_LPAI_GRAPH_SET_CFG_PERF_CFG, &out.performance};
  if (out.sets_affinity) out.graph.add() = {QNN_LPAI_GRAPH_SET_CFG_CORE_AFFINITY, &out.affinity};
}

}  // namespace openqnn::tools
