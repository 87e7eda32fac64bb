// SPDX-License-Identifier: BSD-3-Clause
#include "soc/power_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/facts.h"
#include "base/text.h"
#include "json/json.h"
#include "soc/fields.h"

namespace openqnn::soc {
namespace {

using json::Value;

constexpr uint64_t kWhole = 1000;
constexpr uint64_t kHourUs = 3'600'000'000;

Result<Bounded> read_bounded(const Value* value, std::string_view key, uint64_t most, const FactsFile& file,
                             const Value& row) {
  const std::string expected =
      concat("'", key, "' must be [value, lowest, highest], three integers from 1 to ", most,
             " with lowest <= value <= highest");
  if (value == nullptr || value->as_array().size() != 3) return bad_fact(file, row.span(), expected);
  std::array<uint64_t, 3> numbers{};
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto number = value->as_array()[i].as_int64();
    if (!number || *number < 1 || static_cast<uint64_t>(*number) > most)
      return bad_fact(file, value->span(), expected);
    numbers[i] = static_cast<uint64_t>(*number);
  }
  const Bounded bounded{numbers[0], numbers[1], numbers[2]};
  if (bounded.low > bounded.value || bounded.value > bounded.high)
    return bad_fact(file, value->span(), expected);
  return bounded;
}

Result<CornerLevel> read_corner(const Value& row, const FactsFile& file) {
  CornerLevel corner;
  Fields fields(row, file);
  fields.text("name", corner.name);
  fields.text("fine_name", corner.fine_name);
  fields.count("coarse", corner.coarse);
  fields.count("fine", corner.fine);
  OPENQNN_TRY(std::move(fields).status());
  if (corner.name.empty() || (!corner.coarse && !corner.fine))
    return bad_fact(file, row.span(), "a corner needs a 'name' and a number, 'coarse' or 'fine'");
  OPENQNN_ASSIGN(corner.core_permille, read_bounded(row.find("core"), "core", kWhole, file, row));
  OPENQNN_ASSIGN(corner.bus_permille, read_bounded(row.find("bus"), "bus", kWhole, file, row));
  return corner;
}

// A higher corner is never slower, and its numbers are higher.
bool is_above(const CornerLevel& lower, const CornerLevel& higher) {
  const auto ascends = [](const std::optional<uint32_t>& a, const std::optional<uint32_t>& b) {
    return !a || !b || *a < *b;
  };
  return ascends(lower.coarse, higher.coarse) && ascends(lower.fine, higher.fine) &&
         lower.core_permille.value <= higher.core_permille.value &&
         lower.bus_permille.value <= higher.bus_permille.value;
}

Status read_corners(const Value& root, const FactsFile& file, PowerModel& model) {
  const Value* rows = root.find("corners");
  if (rows == nullptr || rows->as_array().size() < 2)
    return bad_fact(file, root.span(), "'corners' must be a list of two corners or more, slowest first");
  for (const Value& row : rows->as_array()) {
    OPENQNN_ASSIGN(CornerLevel corner, read_corner(row, file));
    if (model.by_name(corner.name))
      return bad_fact(file, row.span(), concat("corner '", corner.name, "' is there twice"));
    if (!model.corners.empty() && !is_above(model.corners.back(), corner))
      return bad_fact(file, row.span(),
                      concat("corner '", corner.name,
                             "' must not be slower than the one before it, nor have a smaller number"));
    model.corners.push_back(std::move(corner));
  }
  const CornerLevel& top = model.corners.back();
  if (top.core_permille.value != kWhole || top.bus_permille.value != kWhole)
    return bad_fact(file, rows->as_array().back().span(), "the last corner is the burst clock: 1000");
  return {};
}

}  // namespace

std::optional<size_t> PowerModel::by_name(std::string_view name) const {
  if (name.empty()) return std::nullopt;
  for (size_t i = 0; i < corners.size(); ++i)
    if (corners[i].name == name || corners[i].fine_name == name) return i;
  return std::nullopt;
}

std::optional<size_t> PowerModel::by_coarse(uint32_t number) const {
  for (size_t i = 0; i < corners.size(); ++i)
    if (corners[i].coarse == number) return i;
  return std::nullopt;
}

size_t PowerModel::by_fine(uint32_t number) const {
  size_t found = 0;
  for (size_t i = 0; i < corners.size(); ++i)
    if (corners[i].fine && *corners[i].fine <= number) found = i;
  return found;
}

Result<PowerModel> read_power_model(std::string_view text, std::string_view source) {
  const FactsFile file = {text, source};
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  PowerModel model;
  Fields fields(root, file);
  fields.text("corners_source", model.corners_source);
  OPENQNN_TRY(std::move(fields).status());
  OPENQNN_TRY(read_corners(root, file, model));
  const Value* latencies = root.find("latencies");
  if (latencies == nullptr) return bad_fact(file, root.span(), "'latencies' is missing");
  const std::pair<const char*, Bounded*> wanted[] = {
      {"power_up_us", &model.power_up_us},       {"deepest_sleep_us", &model.deepest_sleep_us},
      {"cpu_wake_up_us", &model.cpu_wake_up_us}, {"adaptive_window_us", &model.adaptive_window_us},
      {"hmx_timeout_us", &model.hmx_timeout_us}, {"hold_timer_us", &model.hold_timer_us}};
  for (const auto& [key, out] : wanted) {
    const Value* entry = latencies->find(key);
    OPENQNN_ASSIGN(*out, read_bounded(entry != nullptr ? entry->find("value") : nullptr, key, kHourUs, file,
                                      *latencies));
  }
  return model;
}

Result<PowerModel> power_model() {
  OPENQNN_ASSIGN(const std::string text, facts("power_model.json"));
  return read_power_model(text, facts_source("power_model.json"));
}

}  // namespace openqnn::soc
