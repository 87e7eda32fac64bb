// SPDX-License-Identifier: BSD-3-Clause
#include "json/repair.h"

#include "json/scan.h"

namespace openqnn::json {
namespace {

Span span_of(size_t begin, size_t end) { return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}; }

// Nothing but what may stand behind a string: an apostrophe inside a word closes nothing.
bool ends_string(std::string_view text, size_t at) {
  at = skip_space_and_comments(text, at);
  return at == text.size() || text[at] == ',' || text[at] == ':' || text[at] == ']' || text[at] == '}';
}

// Also what the next repair would make one.
bool begins_value(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const char c = text[at];
  if (c == '"' || c == '{' || c == '[' || c == '-' || is_digit(c)) return true;
  if (c == '\'') return double_quotes(text, at).has_value();
  size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  const std::string_view word = text.substr(at, end - at);
  return word == "true" || word == "false" || word == "null" || python_word(at, word).has_value();
}

// A quote that was meant to stand inside the value before looks like a key, but no colon follows.
bool begins_member(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  size_t end = 0;
  if (text[at] == '"') {
    end = string_end(text, at);
  } else if (const auto mended = text[at] == '\'' ? double_quotes(text, at) : std::nullopt) {
    end = mended->span.end;
  } else {
    return false;
  }
  const size_t colon = skip_space_and_comments(text, end);
  return colon < text.size() && text[colon] == ':';
}

}  // namespace

std::optional<Edit> insert_comma(std::string_view text, size_t after_value, size_t next, bool in_object) {
  if (in_object ? !begins_member(text, next) : !begins_value(text, next)) return std::nullopt;
  return Edit{span_of(after_value, after_value), ","};
}

std::optional<Edit> remove_closing_bracket(std::string_view text, size_t at) {
  for (size_t rest = at; rest < text.size(); rest = skip_space_and_comments(text, rest + 1)) {
    if (text[rest] != ']' && text[rest] != '}') return std::nullopt;
  }
  return Edit{span_of(at, at + 1), ""};
}

std::optional<Edit> double_quotes(std::string_view text, size_t at) {
  std::string mended = "\"";
  size_t end = at + 1;
  for (; end < text.size() && text[end] != '\'' && text[end] != '\n'; ++end) {
    if (text[end] == '"') {
      mended += "\\\"";
    } else if (text[end] != '\\' || end + 1 == text.size()) {
      mended += text[end];
    } else if (text[++end] == '\'') {
      mended += '\'';
    } else {
      mended += {'\\', text[end]};
    }
  }
  if (end >= text.size() || text[end] != '\'' || !ends_string(text, end + 1)) return std::nullopt;
  mended += '"';
  if (!parse(mended, "")) return std::nullopt;  // wrong in another way, too
  return Edit{span_of(at, end + 1), mended};
}

std::optional<Edit> python_word(size_t at, std::string_view word) {
  const char* meant = word == "True" ? "true" : word == "False" ? "false" : word == "None" ? "null" : nullptr;
  if (meant == nullptr) return std::nullopt;
  return Edit{span_of(at, at + word.size()), meant};
}

}  // namespace openqnn::json
