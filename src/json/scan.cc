// SPDX-License-Identifier: BSD-3-Clause
#include "json/scan.h"

#include <algorithm>

namespace openqnn::json {
namespace {

size_t line_comment_end(std::string_view text, size_t at) {
  const size_t end = std::min(text.find('\n', at), text.size());
  return text[end - 1] == '\r' ? end - 1 : end;
}

bool begins_item(char c) { return is_space(c) || is_bracket(c) || c == ',' || c == ':' || c == '"'; }

}  // namespace

bool comment_begins(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  if (text[at] == '#') return true;
  return text[at] == '/' && at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*');
}

size_t comment_end(std::string_view text, size_t at) {
  if (!comment_begins(text, at)) return kNowhere;
  if (text[at] == '#' || text[at + 1] == '/') return line_comment_end(text, at);
  const size_t close = text.find("*/", at + 2);
  return close == kNowhere ? kNowhere : close + 2;
}

size_t string_end(std::string_view text, size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return text.size();
}

size_t skip_space_and_comments(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    const size_t end = comment_end(text, at);
    if (end == kNowhere) break;
    at = end;
  }
  return at;
}

size_t token_end(std::string_view text, size_t at) {
  if (at >= text.size()) return text.size();
  if (text[at] == '"') return string_end(text, at);
  ++at;
  if (begins_item(text[at - 1])) return at;
  while (at < text.size() && !begins_item(text[at]) && !comment_begins(text, at)) ++at;
  return at;
}

}  // namespace openqnn::json
