// SPDX-License-Identifier: BSD-3-Clause
// Op-package strings of the tools: "libA.so:ProviderA:CPU,libB.so:ProviderB".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace openqnn::config {

struct OpPackage {
  std::string path;
  std::string provider;  // the function that gives the interface
  std::string target;    // "CPU", "HTP"; empty: the tool decides
};

Result<std::vector<OpPackage>> parse_op_packages(std::string_view text);
std::string to_string(const OpPackage& package);  // as it is written

}  // namespace openqnn::config
