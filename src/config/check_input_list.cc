// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "config/follow.h"
#include "config/input_list.h"

namespace openqnn::config {
namespace {

// The bytes of a line, 1-based, without its end.
json::Span line_span(std::string_view text, uint32_t line) {
  size_t begin = 0;
  for (uint32_t i = 1; i < line; ++i) begin = text.find('\n', begin) + 1;
  const size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

void add_error(CheckedFile& file, std::string_view code, std::string message, std::string advice,
               json::Span span = {}) {
  file.findings.push_back({.code = code,
                           .severity = Severity::kError,
                           .message = std::move(message),
                           .advice = std::move(advice),
                           .span = span});
}

void check_files_exist(CheckedFile& file, const InputList& list, const std::filesystem::path& folder) {
  uint32_t line = 1;
  size_t begin = 0;  // of that line, so that a long list is walked once
  for (const Inference& inference : list.inferences) {
    for (; line < inference.line; ++line) begin = file.text.find('\n', begin) + 1;
    for (const InputFile& input : inference.files) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(folder / input.path, ignored)) continue;
      const size_t at = file.text.find(input.path, begin);
      add_error(file, "input-file-missing", concat("there is no file '", input.path, "'"),
                "relative paths start at the directory in which the tool runs",
                {static_cast<uint32_t>(at), static_cast<uint32_t>(at + input.path.size())});
    }
  }
}

}  // namespace

CheckedFile check_input_list(const std::string& path, const std::filesystem::path& folder) {
  const bool from_stdin = path == "-";
  CheckedFile file{.name = from_stdin ? std::string(kStandardInput) : path, .is_input_list = true};
  auto text = read_text_file(from_stdin ? "/dev/stdin" : path);
  if (!text) {
    add_error(file, "file-unreadable", text.error().message, text.error().fix);
    return file;
  }
  file.text = std::move(*text);
  const auto list = parse_input_list(file.text, file.name);
  if (list) {
    check_files_exist(file, *list, folder);
  } else {
    const uint32_t line = list.error().where.line;
    add_error(file, "input-list", list.error().message, list.error().fix,
              line > 0 ? line_span(file.text, line) : json::Span());
  }
  return file;
}

}  // namespace openqnn::config
