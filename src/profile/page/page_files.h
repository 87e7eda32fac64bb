// SPDX-License-Identifier: BSD-3-Clause
// The files of the page and of the schema, embedded at build time (cmake/embed.cmake).
#pragma once

#include "base/embedded.h"

namespace openqnn {

extern const EmbeddedFile kPageFiles[];
extern const size_t kPageFileCount;

namespace profile {

// The text of one of them, e.g. "page/page.css". The name must be one that src/profile/CMakeLists.txt lists.
std::string_view page_file(std::string_view name);

}  // namespace profile
}  // namespace openqnn
