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

}  // namespace openqnn::config
