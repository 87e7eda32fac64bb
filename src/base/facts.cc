// SPDX-License-Identifier: BSD-3-Clause
#include "base/facts.h"

#include <cstdlib>
#include <filesystem>
#include <span>

#include "base/embedded.h"
#include "base/files.h"
#include "base/text.h"

namespace openqnn {

std::optional<std::string> facts_override() {
  const char* folder = std::getenv("OPENQNN_DATA_DIR");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  return folder;
}

std::string facts_source(std::string_view name) {
  return concat(facts_override().value_or("data"), "/", name);
}

// The folder replaces the compiled-in facts as a whole: a misspelt file name must not silently fall back to
// them.
Result<std::string> facts(std::string_view name) {
  if (const auto folder = facts_override()) {
    auto text = read_text_file(std::filesystem::path(*folder) / name);
    if (!text && text.error().code == "file-missing") {
      return invalid("facts-missing", concat("the folder named by OPENQNN_DATA_DIR has no '", name, "'"))
          .at(*folder)
          .fix_by("start from a complete copy of the data/ folder, or unset OPENQNN_DATA_DIR");
    }
    return text;
  }
  for (const EmbeddedFile& file : std::span(kEmbeddedFiles, kEmbeddedFileCount)) {
    if (file.name == name) return std::string(file.text);
  }
  return internal("facts-missing", concat("this build carries no facts file '", name, "'"));
}

}  // namespace openqnn
