// SPDX-License-Identifier: BSD-3-Clause
// Any bytes: reading must not crash, what was read must survive writing, and edits must do what they promise.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "json/edit.h"
#include "json/json.h"

namespace {

namespace json = openqnn::json;
using json::Member;
using json::Span;
using json::Value;

void require(bool condition) {
  if (!condition) std::abort();  // what a fuzzer counts as a finding
}

void require_told(const openqnn::Diagnostic& error) {
  require(!error.message.empty() && !error.fix.empty());
  require(error.where.line >= 1 && error.where.column >= 1);
}

// The same values with the same number texts and spellings, in the same order.
bool identical(const Value& a, const Value& b) {
  if (a.kind() != b.kind() || a.as_bool() != b.as_bool() || a.number_text() != b.number_text() ||
      a.as_string() != b.as_string() || a.as_array().size() != b.as_array().size() ||
      a.as_object().size() != b.as_object().size() || a.as_int64() != b.as_int64() ||
      a.as_double() != b.as_double()) {
    return false;
  }
  for (size_t i = 0; i < a.as_array().size(); ++i) {
    if (!identical(a.as_array()[i], b.as_array()[i])) return false;
  }
  for (size_t i = 0; i < a.as_object().size(); ++i) {
    if (a.as_object()[i].key != b.as_object()[i].key) return false;
    if (!identical(a.as_object()[i].value, b.as_object()[i].value)) return false;
  }
  return true;
}

void check_writing(const Value& value) {
  for (const int32_t indent : {-1, 0, 3}) {
    const auto again = json::parse(json::write(value, {indent}), "again");
    require(again.ok() && identical(value, *again) && value.same_as(*again));
  }
  const auto again = json::parse(json::Writer().value(value).take(), "again");
  require(again.ok() && identical(value, *again));
}

void check_format(std::string_view text, const Value& value) {
  const auto formatted = json::format(text, "fuzz");
  require(formatted.ok());
  json::LenientNotes notes;
  const auto read = json::parse_lenient(*formatted, "formatted", notes);
  require(read.ok() && identical(*read, value));
  const auto again = json::format(*formatted, "again");
  require(again.ok() && *again == *formatted);
}

// Members and elements, at most so many that one input stays cheap.
struct Places {
  static constexpr size_t kMost = 64;
  std::vector<Span> items;
  std::vector<Span> objects;

  void collect(const Value& value) {
    if (value.kind() == Value::Kind::kObject && objects.size() < kMost) objects.push_back(value.span());
    for (const Value& element : value.as_array()) add(element.span(), element);
    for (const Member& member : value.as_object())
      add({member.key_span.begin, member.value.span().end}, member.value);
  }
  void add(Span span, const Value& value) {
    if (items.size() >= kMost) return;
    items.push_back(span);
    collect(value);
  }
};

size_t count_values(const Value& value) {
  size_t count = 1;
  for (const Value& element : value.as_array()) count += count_values(element);
  for (const Member& member : value.as_object()) count += count_values(member.value);
  return count;
}

// `choice`: any number; which place is changed depends on it.
void check_edits(std::string_view text, const Value& value, size_t choice) {
  Places places;
  places.collect(value);
  const json::LineIndex lines(text);
  for (const Span span : places.items) require(json::excerpt(lines, span).find('^') != std::string::npos);
  json::LenientNotes notes;
  if (!places.items.empty()) {
    const Span item = places.items[choice % places.items.size()];
    const auto after =
        json::parse_lenient(json::apply_edits(text, {json::remove_item(text, item)}), "removed", notes);
    require(after.ok() && count_values(*after) < count_values(value));
  }
  if (!places.objects.empty()) {
    const Span object = places.objects[choice % places.objects.size()];
    // A key that no input is likely to hold already.
    const auto edit = json::insert_member(text, object, "fuzz \x01 key", "[1,\n2]");
    const auto after = json::parse_lenient(json::apply_edits(text, {edit}), "inserted", notes);
    require(after.ok() ? count_values(*after) == count_values(value) + 3
                       : after.error().code == "json-duplicate-key" || after.error().code == "json-depth");
  }
}

void check_repair(std::string_view text, const json::Edit& repair) {
  require(repair.span.begin <= repair.span.end && repair.span.end <= text.size());
  require(json::apply_edits(text, {repair}) != text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto strict = json::parse(text, "fuzz");
  if (!strict) require_told(strict.error());
  json::LenientNotes notes;
  const auto lenient = json::parse_lenient(text, "fuzz", notes);
  require(strict.ok() == (lenient.ok() && notes.liberties.empty()));
  if (!lenient) {
    require_told(lenient.error());
    if (notes.repair) check_repair(text, *notes.repair);
    const json::LineIndex lines(text);
    require(!json::excerpt(lines, {static_cast<uint32_t>(size / 2), static_cast<uint32_t>(size)}).empty());
    return 0;
  }
  if (strict) require(identical(*strict, *lenient));
  size_t choice = size;
  for (const char c : text) choice = choice * 31 + static_cast<uint8_t>(c);
  check_writing(*lenient);
  check_format(text, *lenient);
  check_edits(text, *lenient, choice);
  return 0;
}
