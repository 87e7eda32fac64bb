// SPDX-License-Identifier: BSD-3-Clause
// The door to the generated source that holds the files of data/ (cmake/embed.cmake writes it). Only facts.cc
// and the generated source include this.
#pragma once

#include <cstddef>
#include <string_view>

namespace openqnn {

struct EmbeddedFile {
  std::string_view name;  // relative to data/
  std::string_view text;
};

extern const EmbeddedFile kEmbeddedFiles[];
extern const size_t kEmbeddedFileCount;

}  // namespace openqnn
