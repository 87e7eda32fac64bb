// SPDX-License-Identifier: BSD-3-Clause
// Any bytes: reading must not crash, and what was read must survive writing and reading again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "json/json.h"

namespace {

using openqnn::json::Member;
using openqnn::json::Value;
using openqnn::json::Writer;

void write(Writer& writer, const Value& value, Writer::Style style) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      writer.null();
      break;
    case Value::Kind::kBool:
      writer.boolean(value.as_bool());
      break;
    case Value::Kind::kNumber:
      writer.number_text(value.number_text());
      break;
    case Value::Kind::kString:
      writer.string(value.as_string());
      break;
    case Value::Kind::kArray:
      writer.begin_array(style);
      for (const Value& item : value.as_array()) write(writer, item, style);
      writer.end_array();
      break;
    case Value::Kind::kObject:
      writer.begin_object(style);
      for (const Member& member : value.as_object()) {
        writer.key(member.key);
        write(writer, member.value, style);
      }
      writer.end_object();
      break;
  }
}

bool equal(const Value& a, const Value& b) {
  if (a.kind() != b.kind() || a.as_bool() != b.as_bool() || a.number_text() != b.number_text() ||
      a.as_string() != b.as_string() || a.as_array().size() != b.as_array().size() ||
      a.as_object().size() != b.as_object().size() || a.as_int64() != b.as_int64() ||
      a.as_double() != b.as_double()) {
    return false;
  }
  for (size_t i = 0; i < a.as_array().size(); ++i) {
    if (!equal(a.as_array()[i], b.as_array()[i])) return false;
  }
  for (size_t i = 0; i < a.as_object().size(); ++i) {
    if (a.as_object()[i].key != b.as_object()[i].key) return false;
    if (!equal(a.as_object()[i].value, b.as_object()[i].value)) return false;
  }
  return true;
}

void require(bool condition) {
  if (!condition) std::abort();  // what a fuzzer counts as a finding
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = openqnn::json::parse(text, "fuzz");
  if (!value) {
    require(!value.error().message.empty() && !value.error().fix.empty());
    require(value.error().where.line >= 1 && value.error().where.column >= 1);
    return 0;
  }
  for (const auto style : {Writer::Style::kBlock, Writer::Style::kInline}) {
    Writer writer;
    write(writer, *value, style);
    const auto again = openqnn::json::parse(writer.take(), "again");
    require(again.ok() && equal(*value, *again));
  }
  return 0;
}
