// SPDX-License-Identifier: BSD-3-Clause
// The classic product of a converter: NAME.cpp, NAME.bin and NAME_net.json.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/convert/conversion.h"

namespace openqnn::tools::convert {

struct SourceSettings {
  std::filesystem::path base;       // the files' names begin with it
  std::string prefix = "QnnModel";  // of the functions
  bool numbered_tensors = false;    // those that no client sees
};

// The source, the values of constants, the description.
std::vector<std::filesystem::path> source_files(const std::filesystem::path& base);

// All three or none; tells what was made.
Status write_sources(const SourceSettings& settings, const ConversionSettings& conversion, FloatModel model);

}  // namespace openqnn::tools::convert
