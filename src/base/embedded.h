// SPDX-License-Identifier: BSD-3-Clause
// The door to the generated source that holds the files of data/ (cmake/embed.cmake writes it); facts.cc
// alone asks for those. Another room that embeds files declares a list of its own.
#pragma once

#include <cstddef>
#include <string_view>

namespace openqnn {

struct EmbeddedFile {
  std::string_view name;  // relative to the folder that was embedded, data/ for these
  std::string_view text;
};

extern const EmbeddedFile kEmbeddedFiles[];
extern const size_t kEmbeddedFileCount;

}  // namespace openqnn
