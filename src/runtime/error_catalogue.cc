// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/error_catalogue.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "base/facts.h"
#include "base/text.h"
#include "json/json.h"

namespace openqnn::runtime {
namespace {

using json::Value;

std::string text_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr ? std::string(value->as_string()) : std::string();
}

// A number, or a string such as "0x80000406"; 0 when it is neither, which no entry has.
uint32_t code_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  if (value == nullptr) return 0;
  const std::string_view text = value->as_string();
  if (text.starts_with("0x")) {
    uint32_t code = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), code, 16);
    return error == std::errc() && end == text.data() + text.size() ? code : 0;
  }
  const int64_t number = value->as_int64().value_or(0);
  return number > 0 && number <= std::numeric_limits<uint32_t>::max() ? static_cast<uint32_t>(number) : 0;
}

const json::Array& list_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return (value != nullptr ? *value : object).as_array();  // an object is an empty list
}

std::vector<ErrorCause> causes_of(const Value& row) {
  std::vector<ErrorCause> causes;
  for (const Value& item : list_of(row, "causes"))
    causes.push_back({text_of(item, "cause"), text_of(item, "remedy"), text_of(item, "source")});
  return causes;
}

ErrorEntry entry_of(const Value& row) {
  const Value* primary = row.find("primary");
  return {.code = code_of(row, "code"),
          .name = text_of(row, "name"),
          .primary = primary != nullptr && primary->as_bool(),
          .meaning = text_of(row, "meaning"),
          .remedy = text_of(row, "remedy"),
          .causes = causes_of(row)};
}

TransportCode transport_of(const Value& row) {
  TransportCode code = {.code = code_of(row, "code"),
                        .name = text_of(row, "name"),
                        .meaning = text_of(row, "meaning"),
                        .remedy = text_of(row, "remedy"),
                        .source = text_of(row, "source"),
                        .leads_to = {},
                        .causes = causes_of(row)};
  for (const Value& item : list_of(row, "leads_to"))
    code.leads_to.push_back(static_cast<uint32_t>(item.as_int64().value_or(0)));
  return code;
}

Diagnostic bad_catalogue(std::string_view source, std::string message) {
  return invalid("facts-field", std::move(message))
      .at(std::string(source))
      .fix_by("correct the file in the folder named by OPENQNN_DATA_DIR, or unset the variable");
}

}  // namespace

const ErrorEntry* ErrorCatalogue::primary(uint32_t code) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const ErrorEntry& entry) {
    return entry.primary && entry.code == code;
  });
  return found == entries.end() ? nullptr : &*found;
}

const TransportCode* ErrorCatalogue::find_transport(uint32_t code) const {
  const auto found = std::ranges::find(transport, code, &TransportCode::code);
  return found == transport.end() ? nullptr : &*found;
}

const ErrorComponent* ErrorCatalogue::component_of(uint32_t code) const {
  const ErrorComponent* last = nullptr;
  for (const ErrorComponent& component : components) {
    if (component.first <= code) last = &component;
  }
  return last;
}

uint32_t ErrorCatalogue::last_code_of(const ErrorComponent& component) const {
  for (const ErrorComponent& other : components) {
    if (other.first > component.first) return other.first - 1;
  }
  return std::numeric_limits<uint16_t>::max();
}

Result<ErrorCatalogue> read_error_catalogue(std::string_view text, std::string_view source) {
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  ErrorCatalogue catalogue;
  for (const Value& row : list_of(root, "components"))
    catalogue.components.push_back({code_of(row, "first"), text_of(row, "name")});
  for (const Value& row : list_of(root, "errors")) catalogue.entries.push_back(entry_of(row));
  for (const Value& row : list_of(root, "transport")) catalogue.transport.push_back(transport_of(row));
  if (catalogue.entries.empty()) return bad_catalogue(source, "'errors' must be a list of error codes");
  for (const ErrorEntry& entry : catalogue.entries) {
    if (entry.code == 0 || entry.name.empty() || entry.meaning.empty()) {
      return bad_catalogue(source,
                           concat("error '", entry.name, "' needs a code above 0, a name and a meaning"));
    }
  }
  return catalogue;
}

Result<ErrorCatalogue> error_catalogue() {
  OPENQNN_ASSIGN(const std::string text, facts("errors.json"));
  return read_error_catalogue(text, facts_source("errors.json"));
}

}  // namespace openqnn::runtime
