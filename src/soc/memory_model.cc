// SPDX-License-Identifier: BSD-3-Clause
#include "soc/memory_model.h"

#include "base/facts.h"
#include "base/text.h"
#include "json/json.h"
#include "soc/fields.h"

namespace openqnn::soc {
namespace {

using json::Value;

// {"value", "low", "high", "grade", "source"}: all of it from `least` to `most`, in order.
Result<Ratio> read_ratio(const Value& object, std::string_view key, double least, double most,
                         const FactsFile& file) {
  Ratio ratio;
  Fields fields(object, file);
  fields.rate(key, ratio.value);
  OPENQNN_TRY(std::move(fields).status());
  const Value& entry = *object.find(key);
  const auto bound = [&](std::string_view name) {
    const Value* value = entry.find(name);
    return value != nullptr ? value->as_double().value_or(-1) : -1;
  };
  ratio.low = bound("low");
  ratio.high = bound("high");
  if (least <= ratio.low && ratio.low <= ratio.value && ratio.value <= ratio.high && ratio.high <= most)
    return ratio;
  return bad_fact(file, entry.span(),
                  concat("'", key, "' must have ", least, " <= low <= value <= high <= ", most));
}

Result<SlcPart> read_slc(const Value& row, const FactsFile& file) {
  constexpr double kMostBytes = 1 << 30;
  constexpr double kMostSpeed = 10;
  const Value* model = row.find("soc_model");
  const auto number = model != nullptr ? model->as_int64() : std::nullopt;
  if (!number || *number < 1 || *number > UINT16_MAX)
    return bad_fact(file, row.span(), "a part with a system-level cache needs its 'soc_model'");
  OPENQNN_ASSIGN(const Ratio bytes, read_ratio(row, "bytes", 1, kMostBytes, file));
  OPENQNN_ASSIGN(const Ratio speed, read_ratio(row, "speed", 1, kMostSpeed, file));
  return SlcPart{static_cast<uint32_t>(*number), static_cast<uint64_t>(bytes.value), speed.value};
}

}  // namespace

Result<MemoryModel> read_memory_model(std::string_view text, std::string_view source) {
  const FactsFile file = {text, source};
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  MemoryModel model;
  constexpr double kLeastShare = 0.01;
  OPENQNN_ASSIGN(model.dlbc_activations, read_ratio(root, "dlbc_activations", kLeastShare, 1, file));
  const Value* rows = root.find("slc");
  if (rows == nullptr) return bad_fact(file, root.span(), "'slc' is missing");
  for (const Value& row : rows->as_array()) {
    OPENQNN_ASSIGN(model.slc.emplace_back(), read_slc(row, file));
  }
  return model;
}

Status take_memory_model(Target& target) {
  constexpr std::string_view kName = "memory_model.json";
  OPENQNN_ASSIGN(const std::string text, facts(kName));
  OPENQNN_ASSIGN(const MemoryModel model, read_memory_model(text, facts_source(kName)));
  target.timing.dlbc_activations = model.dlbc_activations;
  for (const SlcPart& part : model.slc) {
    if (part.soc_model != target.soc_model) continue;
    target.slc = Bytes{part.bytes};
    target.timing.slc_speed = part.speed;
  }
  return {};
}

}  // namespace openqnn::soc
