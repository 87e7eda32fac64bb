// SPDX-License-Identifier: BSD-3-Clause
#include "profile/page/page_files.h"

#include <span>

#include "profile/qhas/model.h"

namespace openqnn::profile {

std::string_view page_file(std::string_view name) {
  for (const EmbeddedFile& file : std::span(kPageFiles, kPageFileCount))
    if (file.name == name) return file.text;
  return {};
}

std::string_view qhas::qhas_schema() { return page_file("qhas/qhas_schema.json"); }

}  // namespace openqnn::profile
