// SPDX-License-Identifier: BSD-3-Clause
// Input lists, op-package strings, SoC spec strings, paths and version numbers: any bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "config/address.h"
#include "config/check.h"
#include "config/input_list.h"
#include "config/op_packages.h"
#include "config/soc_details.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace openqnn::config;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto list = parse_input_list(text, "fuzz"); list.ok() && list->inferences.empty()) std::abort();
  if (const auto packages = parse_op_packages(text)) {
    for (const OpPackage& package : *packages) {
      const auto again = parse_op_packages(to_string(package));
      if (!again || again->size() != 1 || again->front().path != package.path) std::abort();
    }
  }
  (void)parse_soc_details(text).ok();
  (void)parse_address(text).ok();
  (void)parse_sdk(text).ok();
  return 0;
}
