// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a file of either converter that describes inputs and outputs.
#include <cstdint>
#include <string_view>

#include "tools/convert/io_config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace openqnn::tools::convert;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ConversionSettings settings;
  std::set<std::string> float_types;
  (void)read_io_config(text, "fuzz.yaml", settings).ok();
  (void)read_custom_io(text, "fuzz.yaml", settings, float_types).ok();
  return 0;
}
