// SPDX-License-Identifier: BSD-3-Clause
#include "tools/lsp/protocol.h"

#include <algorithm>
#include <limits>

namespace openqnn::tools::lsp {
namespace {

bool between_return_and_newline(std::string_view document, size_t at) {
  return at > 0 && at < document.size() && document[at - 1] == '\r' && document[at] == '\n';
}

bool inside_character(std::string_view document, size_t at) {
  return at < document.size() && (static_cast<uint8_t>(document[at]) & 0xc0) == 0x80;
}

std::optional<uint32_t> read_index(const Value& value) {
  const auto number = value.as_int64();
  if (!number || *number < 0) return std::nullopt;
  return static_cast<uint32_t>(std::min<int64_t>(*number, std::numeric_limits<uint32_t>::max()));
}

Value position_json(Position position) {
  return object({{"line", number(position.line)}, {"character", number(position.character)}});
}

}  // namespace

Value object(std::initializer_list<std::pair<std::string_view, Value>> members) {
  Value out = Value::of(json::Object{});
  for (const auto& [key, value] : members) add(out, key, value);
  return out;
}

void add(Value& object, std::string_view key, Value value) {
  json::Member member;
  member.key = key;
  member.value = std::move(value);
  object.object()->push_back(std::move(member));
}

Value number(int64_t value) { return Value::of(value); }
Value text(std::string_view value) { return Value::of(std::string(value)); }

Value texts(std::initializer_list<std::string_view> values) {
  json::Array out;
  for (const std::string_view value : values) out.push_back(text(value));
  return Value::of(std::move(out));
}

Value range_json(Range range) {
  return object({{"start", position_json(range.begin)}, {"end", position_json(range.end)}});
}

Value edit_json(std::string_view document, const Lines& lines, json::Edit edit) {
  if (between_return_and_newline(document, edit.span.begin)) {
    --edit.span.begin;
    edit.text.insert(edit.text.begin(), '\r');
  }
  if (between_return_and_newline(document, edit.span.end)) {
    ++edit.span.end;
    edit.text.push_back('\n');
  }
  return object({{"range", range_json(lines.range(edit.span))}, {"newText", Value::of(edit.text)}});
}

json::Edit difference(std::string_view before, std::string_view after) {
  const size_t shorter = std::min(before.size(), after.size());
  size_t begin = static_cast<size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<ptrdiff_t>(shorter), after.begin()).first -
      before.begin());
  while (begin > 0 && (inside_character(before, begin) || inside_character(after, begin))) --begin;
  size_t same_end = 0;
  while (same_end < shorter - begin &&
         before[before.size() - 1 - same_end] == after[after.size() - 1 - same_end])
    ++same_end;
  while (same_end > 0 && inside_character(before, before.size() - same_end)) --same_end;
  const size_t end = before.size() - same_end;
  return {{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)},
          std::string(after.substr(begin, after.size() - same_end - begin))};
}

const Value& at(const Value& value, std::initializer_list<std::string_view> keys) {
  static const Value missing;
  const Value* found = &value;
  for (const std::string_view key : keys) {
    found = found->find(key);
    if (found == nullptr) return missing;
  }
  return *found;
}

std::optional<Position> read_position(const Value& value) {
  const auto line = read_index(at(value, {"line"}));
  const auto character = read_index(at(value, {"character"}));
  if (!line || !character) return std::nullopt;
  return Position{*line, *character};
}

std::optional<Range> read_range(const Value& value) {
  const auto begin = read_position(at(value, {"start"}));
  const auto end = read_position(at(value, {"end"}));
  if (!begin || !end) return std::nullopt;
  return Range{*begin, *end};
}

bool lists(const Value& array, std::string_view wanted) {
  return std::ranges::any_of(array.as_array(), [&](const Value& item) { return item.as_string() == wanted; });
}

}  // namespace openqnn::tools::lsp
