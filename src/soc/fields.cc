// SPDX-License-Identifier: BSD-3-Clause
#include "soc/fields.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/text.h"

namespace openqnn::soc {
namespace {

using json::Value;

std::optional<uint32_t> as_count(const Value& value) {
  const auto number = value.as_int64();
  if (!number || *number < 0 || *number > std::numeric_limits<uint16_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(*number);
}

std::optional<uint32_t> as_arch(const Value& value) {
  const std::string_view text = value.as_string();
  if (text.size() < 2 || text.size() > 4 || text[0] != 'v' ||
      text.find_first_not_of("0123456789", 1) != std::string_view::npos) {
    return std::nullopt;
  }
  return static_cast<uint32_t>(std::stoul(std::string(text.substr(1))));
}

constexpr std::string_view kArch = "an architecture such as \"v75\"";

}  // namespace

Diagnostic bad_fact(const FactsFile& file, json::Span at, std::string message) {
  const json::Position position = json::LineIndex(file.text).position(at.begin);
  return invalid("facts-field", std::move(message))
      .at(Where{std::string(file.name), position.line, position.column})
      .fix_by("correct the file in the folder named by OPENQNN_DATA_DIR, or unset the variable");
}

void Fields::text(std::string_view key, std::optional<std::string>& out) {
  if (const Value* value = given(key)) {
    if (value->kind() != Value::Kind::kString) return fail(key, *value, "a string");
    out = value->as_string();
  }
}

void Fields::text(std::string_view key, std::string& out) {
  std::optional<std::string> value;
  text(key, value);
  if (value) out = *std::move(value);
}

void Fields::boolean(std::string_view key, std::optional<bool>& out) {
  if (const Value* value = given(key)) {
    if (value->kind() != Value::Kind::kBool) return fail(key, *value, "true or false");
    out = value->as_bool();
  }
}

void Fields::count(std::string_view key, std::optional<uint32_t>& out) {
  if (const Value* value = given(key)) {
    out = as_count(*value);
    if (!out) fail(key, *value, "an integer from 0 to 65535");
  }
}

void Fields::counts(std::string_view key, std::vector<uint32_t>& out) {
  for (const Value& item : items(key)) {
    const auto number = as_count(item);
    if (!number) return fail(key, item, "a list of integers from 0 to 65535");
    out.push_back(*number);
  }
}

void Fields::texts(std::string_view key, std::vector<std::string>& out) {
  for (const Value& item : items(key)) {
    if (item.kind() != Value::Kind::kString) return fail(key, item, "a list of strings");
    out.emplace_back(item.as_string());
  }
}

void Fields::arch(std::string_view key, std::optional<uint32_t>& out) {
  if (const Value* value = given(key)) {
    out = as_arch(*value);
    if (!out) fail(key, *value, kArch);
  }
}

void Fields::archs(std::string_view key, std::vector<uint32_t>& out) {
  for (const Value& item : items(key)) {
    const auto arch = as_arch(item);
    if (!arch) return fail(key, item, kArch);
    out.push_back(*arch);
  }
}

void Fields::sources(std::string_view key, std::vector<FieldSources>& out) {
  const Value* value = given(key);
  if (value == nullptr) return;
  if (value->kind() != Value::Kind::kObject) return fail(key, *value, "an object of lists of strings");
  for (const json::Member& member : value->as_object()) {
    FieldSources field = {member.key.str(), {}};
    for (const Value& item : member.value.as_array()) field.keys.emplace_back(item.as_string());
    out.push_back(std::move(field));
  }
}

void Fields::rate(std::string_view key, double& out) {
  const Value* entry = given(key);
  if (entry == nullptr)
    return fail(key, object_, "present: {\"value\": number, \"grade\": text, \"source\": text}");
  const Value* value = entry->find("value");
  const auto number = value != nullptr ? value->as_double() : std::nullopt;
  if (!number || *number <= 0) return fail(key, *entry, "an object with a \"value\" above 0");
  for (const char* origin : {"grade", "source"}) {
    const Value* words = entry->find(origin);
    if (words == nullptr || words->as_string().empty()) {
      return fail(key, *entry, "an object that tells its \"grade\" and \"source\"");
    }
  }
  out = *number;
}

void Fields::cycles(std::string_view key, uint32_t& out) {
  double value = 0;
  rate(key, value);
  if (value > 1e9) return fail(key, object_, "below 1e9 cycles");
  out = static_cast<uint32_t>(std::llround(value));
}

const Value* Fields::given(std::string_view key) const {
  const Value* value = object_.find(key);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

const json::Array& Fields::items(std::string_view key) {
  const Value* value = given(key);
  if (value == nullptr) return object_.as_array();  // an object is an empty list
  if (value->kind() != Value::Kind::kArray) fail(key, *value, "a list");
  return value->as_array();
}

void Fields::fail(std::string_view key, const Value& at, std::string_view expected) {
  if (!failure_) failure_ = bad_fact(file_, at.span(), concat("'", key, "' must be ", expected));
}

}  // namespace openqnn::soc
