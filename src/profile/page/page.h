// SPDX-License-Identifier: BSD-3-Clause
// The page of a run: the analysis summary as one self-contained HTML file.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/embedded.h"
#include "profile/qhas/model.h"

namespace openqnn {

// The files of the page and of the schema, embedded at build time (cmake/embed.cmake).
extern const EmbeddedFile kPageFiles[];
extern const size_t kPageFileCount;

namespace profile {

// The text of one of them, e.g. "page/page.css". The name must be one that src/profile/CMakeLists.txt lists.
std::string_view page_file(std::string_view name);

// Opens from a disk, loads nothing. `made_by` is shown in it, e.g. "openqnn 0.3".
std::string qhas_page(const qhas::Model& model, std::string_view made_by);

// A template with each marker "<!--name-->" replaced. What is put in is not looked at again.
using PageParts = std::map<std::string, std::string, std::less<>>;
std::string filled_page(std::string_view text, const PageParts& parts);

// A text inside HTML: markup becomes harmless.
std::string escaped_html(std::string_view text);

}  // namespace profile
}  // namespace openqnn
