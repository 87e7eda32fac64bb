// SPDX-License-Identifier: BSD-3-Clause
#include "config/address.h"

#include <charconv>
#include <utility>

#include "base/text.h"

namespace openqnn::config {
namespace {

Result<AddressStep> parse_step(std::string_view text, std::string_view whole) {
  const auto bad = [&](std::string_view why) {
    return invalid("config-path", concat("'", whole, "' is no path: ", why))
        .fix_by("write e.g. graphs[0].vtcm_mb");
  };
  const size_t bracket = text.find('[');
  AddressStep step{std::string(text.substr(0, bracket)), std::nullopt};
  if (step.name.empty()) return bad("a name is missing");
  if (bracket == std::string_view::npos) return step;
  const std::string_view digits = text.substr(bracket + 1);
  size_t index = 0;
  const auto [stopped, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool closed =
      error == std::errc() && digits.substr(static_cast<size_t>(stopped - digits.data())) == "]";
  if (!closed) return bad("an index is written [0]");
  step.index = index;
  return step;
}

// The member that a step names, in any spelling of its option; of several the last counts.
const json::Member* find_member(const Record& record, std::string_view name) {
  const OptionDef* option = find_option(record.section(), name);
  const json::Member* found = nullptr;
  for (const json::Member& member : record.object().as_object()) {
    const bool same_option = option != nullptr && option_of_tag(record.section(), member.tag) == option;
    if (same_option || member.key == name) found = &member;
  }
  return found;
}

// An element of a list. Anything else is its own element 0, as an object that stands alone is.
const json::Value* indexed(const json::Value& value, std::optional<size_t> index) {
  if (!index) return &value;
  if (value.kind() != json::Value::Kind::kArray) return *index == 0 ? &value : nullptr;
  return *index < value.as_array().size() ? &value.as_array()[*index] : nullptr;
}

std::optional<Record> enter(const Record& record, const AddressStep& step, const json::Member& member) {
  const OptionDef* option = option_of_tag(record.section(), member.tag);
  if (option == nullptr || !option->is_container()) return std::nullopt;
  std::vector<Record> children = record.records(option->name);
  const size_t index = step.index.value_or(0);
  if (index >= children.size()) return std::nullopt;
  return children[index];
}

}  // namespace

Result<std::vector<AddressStep>> parse_address(std::string_view text) {
  std::vector<AddressStep> steps;
  for (const std::string_view part : split(text, ".")) {
    OPENQNN_ASSIGN(AddressStep step, parse_step(part, text));
    steps.push_back(std::move(step));
  }
  return steps;
}

Place find_place(const Config& config, const std::vector<AddressStep>& steps) {
  Place place{config.root()};
  for (const AddressStep& step : steps) {
    const json::Member* member = find_member(place.record, step.name);
    place.member = member;
    if (member == nullptr) return place;
    if (place.steps + 1 == steps.size()) {
      place.value = indexed(member->value, step.index);
      return place;
    }
    auto inner = enter(place.record, step, *member);
    if (!inner) return place;
    place.record = *inner;
    ++place.steps;
  }
  return place;
}

}  // namespace openqnn::config
