// SPDX-License-Identifier: BSD-3-Clause
// The spec string of CompileConfig.soc_details: "chipset:SM8750;dsp_arch:v79;soc_model:69;cores:2|…".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "soc/target.h"

namespace openqnn::config {

struct SocDetails {
  std::optional<std::string> chipset;
  std::optional<std::string> dsp_arch;  // "v79"
  std::optional<int64_t> soc_model;
  std::optional<int64_t> cores;

  // The part it names, by chipset, else by model; null when no table knows it.
  std::shared_ptr<const soc::SocInfo> resolve() const;
};

// One entry per part, in the order written.
Result<std::vector<SocDetails>> parse_soc_details(std::string_view spec);

// The first part of the SoC table with this model number.
std::shared_ptr<const soc::SocInfo> soc_of_model(int64_t model);  // null when there is none

// The LPAI of a part, or of one that shares its model number; nothing where no source states it.
std::optional<std::string> lpai_version_of(const soc::SocInfo& soc);
// The parts of which a source states it: "v5: SC8480XP, SM8750; v6: ...".
std::string lpai_versions_text();

}  // namespace openqnn::config
