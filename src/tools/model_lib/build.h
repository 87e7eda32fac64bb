// SPDX-License-Identifier: BSD-3-Clause
// From a model's source and its .bin to lib<name>.so.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace openqnn::tools::model_lib {

// What this machine's compilers make; the name is that of the folder, too.
inline constexpr const char* kTarget = "x86_64-linux-clang";

struct BuildRequest {
  std::filesystem::path source;
  std::filesystem::path bin;  // empty: none
  std::string name;           // of the library, without "lib" and ".so"
  std::filesystem::path output;
};

struct BuiltLibrary {
  std::filesystem::path path;
  std::string_view verb;  // "wrote" or "replaced"
};

// A library that is there already stays as it is when something fails.
Result<BuiltLibrary> build_library(const BuildRequest& request);

}  // namespace openqnn::tools::model_lib
