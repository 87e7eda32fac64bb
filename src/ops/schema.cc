// SPDX-License-Identifier: BSD-3-Clause
#include "ops/schema.h"

#include <algorithm>

#include "base/facts.h"
#include "base/text.h"
#include "base/until_exit.h"
#include "json/json.h"

namespace openqnn::ops {
namespace {

using json::Value;

constexpr int64_t kMostRank = ir::kMaxRank - 1;  // of an operand: some ops make a dimension more of it

std::string text_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value ? std::string(value->as_string()) : std::string();
}

bool flag_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value && value->as_bool();
}

const json::Array& list_of(const Value& object, std::string_view key) {
  static const json::Array kNone;
  const Value* value = object.find(key);
  return value ? value->as_array() : kNone;
}

OperandSchema read_operand(const Value& from) {
  OperandSchema operand{.name = text_of(from, "name"),
                        .optional = flag_of(from, "optional"),
                        .repeats = flag_of(from, "repeats"),
                        .shape_text = text_of(from, "shape")};
  if (const Value* rank = from.find("max_rank"))
    operand.max_rank = static_cast<size_t>(std::clamp<int64_t>(rank->as_int64().value_or(0), 0, kMostRank));
  return operand;
}

ParamSchema read_param(const Value& from) {
  ParamSchema param{.name = text_of(from, "name"),
                    .type = ir::data_type_from(text_of(from, "type")).value_or(ir::DataType::kUndefined),
                    .required = flag_of(from, "required"),
                    .default_text = text_of(from, "default"),
                    .meaning = text_of(from, "meaning")};
  for (const Value& dim : list_of(from, "shape"))
    if (param.shape.rank() < ir::kMaxRank)
      param.shape.push_back(static_cast<uint32_t>(dim.as_int64().value_or(0)));
  return param;
}

Schema read_schema(std::string_view type, const Value& from) {
  Schema schema{.type = std::string(type),
                .summary = text_of(from, "summary"),
                .confidence = text_of(from, "confidence"),
                .listed = flag_of(from, "htp_quantized") || flag_of(from, "htp_fp16")};
  for (const Value& operand : list_of(from, "inputs")) schema.inputs.push_back(read_operand(operand));
  for (const Value& operand : list_of(from, "outputs")) schema.outputs.push_back(read_operand(operand));
  for (const Value& param : list_of(from, "params")) schema.params.push_back(read_param(param));
  for (const Value& note : list_of(from, "notes")) schema.notes.emplace_back(note.as_string());
  if (const Value* rows = from.find("rows"))
    for (const json::Member& member : rows->as_object())
      for (const Value& row : member.value.as_array())
        if (auto parsed = parse_type_row(row.as_string(), member.key))
          schema.rows.push_back(*std::move(parsed));
  return schema;
}

// The file is part of the build (or of OPENQNN_DATA_DIR, for those who change it on purpose): what cannot be
// read leaves no ops, and validateOpConfig then says so of each.
std::vector<Schema> read_all() {
  std::vector<Schema> schemas;
  const Result<std::string> text = facts("ops.json");
  if (!text) return schemas;
  const Result<Value> document = json::parse(*text, "ops.json");
  const Value* ops = document ? document->find("ops") : nullptr;
  if (!ops) return schemas;
  for (const json::Member& op : ops->as_object()) schemas.push_back(read_schema(op.key, op.value));
  std::ranges::sort(schemas, {}, &Schema::type);
  return schemas;
}

// "ufx8|sfx8,-" to one list of types per operand.
std::optional<std::vector<std::vector<ir::DataType>>> parse_side(std::string_view text) {
  std::vector<std::vector<ir::DataType>> operands;
  for (const std::string_view operand : split(text, ",")) {
    std::vector<ir::DataType>& types = operands.emplace_back();
    if (operand == "-") continue;
    for (const std::string_view name : split(operand, "|")) {
      const auto type = ir::data_type_from(name);
      if (!type) return std::nullopt;
      types.push_back(*type);
    }
  }
  return operands;
}

}  // namespace

std::optional<size_t> OperandSchema::fixed_rank() const {
  if (shape_text.starts_with("0-D")) return 0;
  // "[..., c]" is any rank, and so are words beside the form: "or rank>=2", "or 3-D sequence".
  for (const std::string_view open : {"..", "-D", "rank>", "rank >"})
    if (shape_text.find(open) != std::string::npos) return std::nullopt;
  std::optional<size_t> rank;
  size_t dims = 0;
  int depth = 0;  // of parentheses: "[min(a, b), 5]" has two dimensions
  for (const char letter : shape_text) {
    if (letter == '(') ++depth;
    if (letter == ')') --depth;
    if (letter == '[') dims = 1;
    if (letter == ',' && depth == 0 && dims > 0) ++dims;
    if (letter != ']') continue;
    if (rank && rank != dims) return std::nullopt;
    rank = dims;
    dims = 0;
  }
  return rank;
}

std::optional<TypeRow> parse_type_row(std::string_view text, std::string_view configuration) {
  const std::vector<std::string_view> sides = split(text, " -> ");
  if (sides.size() != 2) return std::nullopt;
  auto inputs = parse_side(sides[0]);
  auto outputs = parse_side(sides[1]);
  if (!inputs || !outputs) return std::nullopt;
  return TypeRow{std::string(text), std::string(configuration), *std::move(inputs), *std::move(outputs)};
}

std::span<const Schema> all_schemas() {
  static KeptAtExit<std::vector<Schema>> schemas(read_all());
  return *schemas;
}

const Schema* find_schema(std::string_view type) {
  const std::span<const Schema> all = all_schemas();
  const auto found = std::ranges::lower_bound(all, type, {}, &Schema::type);
  return found != all.end() && found->type == type ? &*found : nullptr;
}

}  // namespace openqnn::ops
