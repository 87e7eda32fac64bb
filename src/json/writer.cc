// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>
#include <cmath>
#include <utility>

#include "json/json.h"
#include "json/tree_writer.h"

namespace openqnn::json {

// Whatever must stand between the last piece and the next one.
void Writer::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += ',';
  if (level.style == Style::kInline) {
    if (!level.empty) out_ += ' ';
  } else {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }
  level.empty = false;
}

void Writer::close(char bracket) {
  if (levels_.empty()) return;
  if (std::exchange(after_key_, false)) out_ += "null";  // a key without its value
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && level.style == Style::kBlock) {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
  }
  out_ += bracket;
}

Writer& Writer::begin_object(Style style) {
  separate();
  // What stands on one line cannot hold something on several.
  if (!levels_.empty() && levels_.back().style == Style::kInline) style = Style::kInline;
  levels_.push_back({true, style, true});
  out_ += '{';
  return *this;
}

Writer& Writer::end_object() {
  close('}');
  return *this;
}

Writer& Writer::begin_array(Style style) {
  separate();
  if (!levels_.empty() && levels_.back().style == Style::kInline) style = Style::kInline;
  levels_.push_back({false, style, true});
  out_ += '[';
  return *this;
}

Writer& Writer::end_array() {
  close(']');
  return *this;
}

Writer& Writer::key(std::string_view name) {
  separate();
  append_quoted(out_, name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

Writer& Writer::string(std::string_view value) {
  separate();
  append_quoted(out_, value);
  return *this;
}

Writer& Writer::integer(int64_t value) { return number_text(std::to_string(value)); }

Writer& Writer::unsigned_integer(uint64_t value) { return number_text(std::to_string(value)); }

Writer& Writer::number(double value) {
  if (!std::isfinite(value)) return null();
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), value);
  return error == std::errc() ? number_text({digits, static_cast<size_t>(end - digits)}) : null();
}

Writer& Writer::number_text(std::string_view text) {
  separate();
  out_ += text;
  return *this;
}

Writer& Writer::boolean(bool value) { return number_text(value ? "true" : "false"); }

Writer& Writer::null() { return number_text("null"); }

Writer& Writer::value(const Value& value) {
  separate();
  const bool one_line = !levels_.empty() && levels_.back().style == Style::kInline;
  append_tree(out_, value, WriteStyle{one_line ? -1 : 2}, levels_.size());
  return *this;
}

std::string Writer::take() {
  while (!levels_.empty()) close(levels_.back().is_object ? '}' : ']');
  after_key_ = false;
  out_ += '\n';
  return std::exchange(out_, {});
}

}  // namespace openqnn::json
