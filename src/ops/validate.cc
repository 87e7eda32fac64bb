// SPDX-License-Identifier: BSD-3-Clause
// Checks a call against an op's schema, before the op's own `check` looks at shapes and values.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/until_exit.h"
#include "ops/op.h"
#include "ops/refused.h"
#include "ops/schema.h"

namespace openqnn::ops {
namespace {

// Whose call it is: a client's node, or an op of a Program.
enum class Stage : uint8_t { kClient, kPrepared };

// An 8-bit encoding whose zero lies further away than this stands for (almost) one number; the limit keeps
// exact sums of products inside 64 bits (dot.h).
constexpr int32_t kMaxOffset8 = 1 << 16;
constexpr int32_t kMaxStoredOffset8 = kMaxOffset8 + 128;  // unsigned weights are stored as signed ones
// The same for 16 bits.
constexpr int32_t kMaxOffset16 = 1 << 17;
constexpr int32_t kMaxStoredOffset16 = kMaxOffset16 + (1 << 15);

// ---- Suggestions ----

std::string join(const std::vector<std::string_view>& words, std::string_view separator) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

// "did you mean 'stride'?", or the whole list when nothing is near.
std::string suggestion(std::string_view given, const std::vector<std::string_view>& known) {
  constexpr size_t kLongestName = 64;  // a hostile name must not cost more than a look
  if (given.size() <= kLongestName && !known.empty()) {
    const auto near = std::ranges::min_element(
        known, {}, [&](std::string_view word) { return edit_distance(given, word); });
    if (edit_distance(given, *near) <= std::max<size_t>(2, given.size() / 3))
      return concat("did you mean '", *near, "'?");
  }
  return known.empty() ? "it takes none" : "known: " + join(known, ", ");
}

// ---- Operands ----

struct Operand {
  const OperandSchema* schema;
  const ir::TensorDesc* desc;  // nullptr when absent
  std::string label;           // "input 1 (weight)"
  bool op_checks_encoding;
};

// The schema of the operand at a position; the last one may stand for many.
const OperandSchema* operand_at(const std::vector<OperandSchema>& side, size_t index) {
  if (index < side.size()) return &side[index];
  return !side.empty() && side.back().repeats ? &side.back() : nullptr;
}

Status check_count(std::string_view side, const std::vector<OperandSchema>& schema, size_t given) {
  size_t required = 0;  // up to the last one that must be there
  for (size_t i = 0; i < schema.size(); ++i)
    if (!schema[i].optional) required = i + 1;
  const bool repeats = !schema.empty() && schema.back().repeats;
  if (given >= required && (repeats || given <= schema.size())) return {};
  const std::string range = repeats                     ? concat(required, " or more")
                            : required == schema.size() ? concat(required)
                                                        : concat(required, " to ", schema.size());
  return invalid("op-operands", concat("takes ", range, " ", side, "s, ", given, " given"));
}

Result<std::vector<Operand>> collect(const OpDef& op, const Schema& schema, const OpCall& call) {
  std::vector<Operand> operands;
  const auto add_side = [&](std::string_view side, const std::vector<OperandSchema>& known,
                            const std::vector<const ir::TensorDesc*>& given) -> Status {
    OPENQNN_TRY(check_count(side, known, given.size()));
    for (size_t i = 0; i < given.size(); ++i) {
      const OperandSchema* operand = operand_at(known, i);
      std::string label = concat(side, " ", i, " (", operand->name, ")");
      if (!given[i] && !operand->optional)
        return invalid("op-operands", label + " is missing; only optional operands may be left out");
      const bool own =
          op.ignores_encodings || (side == "input" && std::ranges::count(op.own_encodings, i) > 0);
      operands.push_back({operand, given[i], std::move(label), own});
    }
    return {};
  };
  OPENQNN_TRY(add_side("input", schema.inputs, call.inputs));
  OPENQNN_TRY(add_side("output", schema.outputs, call.outputs));
  return operands;
}

Status check_layout(const Operand& operand, bool may_be_packed) {
  const ir::TensorDesc& desc = *operand.desc;
  switch (desc.layout) {
    case ir::Layout::kPlain:
      return {};
    case ir::Layout::kHmx8:
    case ir::Layout::kHmx4:
      if (may_be_packed && desc.type == ir::DataType::kSfixed8) return {};
      break;
    case ir::Layout::kHmx16:
      if (may_be_packed && (desc.type == ir::DataType::kFloat16 || desc.type == ir::DataType::kSfixed16))
        return {};
      break;
  }
  return invalid("op-layout", concat(operand.label, " has a layout that the op does not read"));
}

// What is not specified in a sparse tensor is 0, and stored as nothing: no other integer may stand for it.
Status check_sparsity(const Operand& operand, bool must_be_sparse) {
  const ir::TensorDesc& desc = *operand.desc;
  if (desc.is_sparse() && !must_be_sparse) return refuse_sparse(operand.label);
  if (!desc.is_sparse() && must_be_sparse)
    return invalid("op-sparse", concat(operand.label, " is dense where a sparse tensor is needed"))
        .fix_by("create it with data format 1 (sparse) and its numbers of elements and dimensions");
  for (const ir::ScaleOffset& encoding : desc.quantization.encodings)
    if (desc.is_sparse() && encoding.offset != 0)
      return invalid("op-sparse", concat(operand.label, " is sparse and has offset ", encoding.offset,
                                         ": what is not specified is 0, which only offset 0 stores as 0"))
          .fix_by("use offset 0");
  return {};
}

Status check_desc(const OpDef& op, const Operand& operand, bool may_be_packed) {
  const ir::TensorDesc& desc = *operand.desc;
  if (Status status = ir::check(desc); !status) {
    Diagnostic diagnostic = std::move(status).error();
    diagnostic.message = operand.label + ": " + diagnostic.message;
    return diagnostic;
  }
  const size_t rank = desc.shape.rank();
  const size_t least = op.takes_scalars ? 0 : 1;
  const size_t most = operand.schema->max_rank;
  if (rank < least || rank > most)
    return unsupported("op-rank",
                       concat(operand.label, " has rank ", rank, "; ", least, " to ", most, " are accepted"));
  return check_layout(operand, may_be_packed);
}

// ---- Encodings ----

Status check_single_encoding(const ir::Quantization& quantization, std::string_view label) {
  using Kind = ir::Quantization::Kind;
  const auto need = [&](std::string_view problem) {
    return invalid("op-encoding", concat(label, problem))
        .fix_by("set one scale-offset encoding with a scale above 0");
  };
  if (quantization.kind == Kind::kNone) return need(" is quantized but has no encoding");
  if (quantization.kind == Kind::kPerAxis) return need(" cannot have an encoding per channel");
  if (quantization.kind == Kind::kPerBlock) return need(" cannot have an encoding per block");
  if (!(quantization.encodings[0].scale > 0.0F))
    return need(concat(" has scale ", quantization.encodings[0].scale));
  return {};
}

int32_t max_offset(ir::DataType type, Stage stage) {
  const size_t bytes = ir::byte_size(type);
  if (bytes > 2) return INT32_MAX;
  if (bytes == 2) return stage == Stage::kClient ? kMaxOffset16 : kMaxStoredOffset16;
  return stage == Stage::kClient ? kMaxOffset8 : kMaxStoredOffset8;
}

Status check_encoding_form(const ir::Quantization& quantization, int32_t limit, std::string_view label) {
  using Kind = ir::Quantization::Kind;
  const size_t count = quantization.encodings.size();
  const bool sound =
      (quantization.kind == Kind::kNone) || (quantization.kind == Kind::kPerTensor && count == 1) ||
      // ir::check compared the count
      ((quantization.kind == Kind::kPerAxis || quantization.kind == Kind::kPerBlock) && count > 0);
  if (!sound) return invalid("op-encoding", concat(label, " has a malformed encoding (", count, " entries)"));
  for (const ir::ScaleOffset& encoding : quantization.encodings)
    if (encoding.offset > limit || encoding.offset < -limit)
      return invalid("op-encoding",
                     concat(label, " has offset ", encoding.offset, ", outside -", limit, " to ", limit));
  return {};
}

Status check_encoding(const Operand& operand, Stage stage) {
  const ir::TensorDesc& desc = *operand.desc;
  if (!ir::is_quantized(desc.type)) return {};
  OPENQNN_TRY(check_encoding_form(desc.quantization, max_offset(desc.type, stage), operand.label));
  return operand.op_checks_encoding ? Status{} : check_single_encoding(desc.quantization, operand.label);
}

// ---- Types ----

// The rows of an op, parsed once.
struct OpRows {
  std::vector<TypeRow> ours;
  std::vector<const TypeRow*> offered;
  std::vector<TypeRow> prepared;  // half where a client says float, and the stored ones
};

void to_computed(std::vector<std::vector<ir::DataType>>& side) {
  for (std::vector<ir::DataType>& types : side)
    std::ranges::replace(types, ir::DataType::kFloat32, ir::DataType::kFloat16);
}

OpRows read_rows(const OpDef& op) {
  OpRows rows;
  for (const std::string_view text : op.our_rows)
    if (auto row = parse_type_row(text, "ours")) rows.ours.push_back(*std::move(row));
  if (const Schema* schema = find_schema(op.type))
    for (const TypeRow& row : schema->rows)
      if (std::ranges::find(op.refused_rows, row.text, &OpDef::RefusedRow::row) == op.refused_rows.end())
        rows.offered.push_back(&row);
  for (const TypeRow& row : rows.ours) rows.offered.push_back(&row);
  for (const TypeRow* row : rows.offered) {
    TypeRow& computed = rows.prepared.emplace_back(*row);
    to_computed(computed.inputs);
    to_computed(computed.outputs);
  }
  for (const std::string_view text : op.stored_rows)
    if (auto row = parse_type_row(text, "stored")) rows.prepared.push_back(*std::move(row));
  return rows;
}

const OpRows& rows_of(const OpDef& op) {
  using RowsByType = std::map<std::string_view, OpRows>;
  static KeptAtExit<RowsByType> all([] {
    RowsByType rows;
    for (const OpDef& each : all_ops()) rows.emplace(each.type, read_rows(each));
    return rows;
  }());
  return (*all).at(op.type);
}

bool fits(const std::vector<const ir::TensorDesc*>& operands,
          const std::vector<std::vector<ir::DataType>>& types, const std::vector<OperandSchema>& schema) {
  const bool repeats = !schema.empty() && schema.back().repeats;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i]) continue;
    const size_t column = repeats && i >= types.size() ? types.size() - 1 : i;
    if (column >= types.size() || std::ranges::count(types[column], operands[i]->type) == 0) return false;
  }
  return true;
}

bool fits(const OpCall& call, const TypeRow& row, const Schema& schema) {
  return fits(call.inputs, row.inputs, schema.inputs) && fits(call.outputs, row.outputs, schema.outputs);
}

std::string types_of(const std::vector<const ir::TensorDesc*>& operands) {
  std::vector<std::string_view> names;
  names.reserve(operands.size());
  for (const ir::TensorDesc* desc : operands) names.push_back(desc ? ir::name(desc->type) : "none");
  return join(names, ",");
}

// A list of rows for a message; long ones are cut.
std::string rows_text(const std::vector<const TypeRow*>& rows) {
  constexpr size_t kMost = 16;
  std::vector<std::string_view> texts;
  for (const TypeRow* row : rows)
    if (texts.size() < kMost) texts.push_back(row->text);
  return join(texts, "; ") + (rows.size() > kMost ? concat("; and ", rows.size() - kMost, " more") : "");
}

// Why a combination that the tables list is refused here.
std::string_view refusal_of(const OpDef& op, const OpCall& call, const Schema& schema) {
  for (const OpDef::RefusedRow& refused : op.refused_rows)
    if (const auto row = parse_type_row(refused.row, ""); row && fits(call, *row, schema)) return refused.why;
  return {};
}

Status check_types(const OpDef& op, const Schema& schema, const OpCall& call, Stage stage) {
  const OpRows& rows = rows_of(op);
  const auto fitting = [&](const TypeRow& row) { return fits(call, row, schema); };
  const bool known = stage == Stage::kPrepared
                         ? std::ranges::any_of(rows.prepared, fitting)
                         : std::ranges::any_of(
                               rows.offered, fitting, [](auto* row) -> auto& { return *row; });
  if (known) return {};
  const std::string given = concat("the types ", types_of(call.inputs), " -> ", types_of(call.outputs));
  if (const std::string_view why = refusal_of(op, call, schema); !why.empty())
    return unsupported("op-type-row", concat(given, " are not offered: ", why));
  const bool optionals = std::ranges::any_of(schema.inputs, &OperandSchema::optional);
  return unsupported("op-type-row", given + " are not offered")
      .fix_by(concat("use one of: ", rows_text(rows.offered),
                     optionals ? " (optional inputs may be absent)" : ""));
}

// ---- Parameters ----

// A 0 in the pattern is any size.
bool fits(const ir::Shape& shape, const ir::Shape& pattern) {
  if (shape.rank() != pattern.rank()) return false;
  for (size_t i = 0; i < shape.rank(); ++i)
    if (shape[i] == 0 || (pattern[i] != 0 && shape[i] != pattern[i])) return false;
  return true;
}

std::string pattern_text(const ir::Shape& pattern) {
  std::string text;
  for (const uint32_t dim : pattern.dims())
    text += concat(text.empty() ? "[" : ", ", dim ? concat(dim) : "n");
  return text + "]";
}

Status check_param(const ir::Param& param, const ParamSchema& schema) {
  const bool any_type = schema.type == ir::DataType::kUndefined;
  if (!any_type && param.type != schema.type)
    return invalid("op-param-type", concat("parameter '", param.name, "' is ", ir::name(param.type),
                                           " where ", ir::name(schema.type), " is needed"));
  if (!fits(param.shape, schema.shape)) {
    const std::string needed =
        schema.shape.rank() == 0 ? "a scalar is" : concat("shape ", pattern_text(schema.shape), " is");
    return invalid("op-param-shape", concat("parameter '", param.name, "' has shape ",
                                            param.shape.to_string(), " where ", needed, " needed"));
  }
  const uint64_t bytes = param.shape.elements() * ir::byte_size(param.type);
  if (param.data.size() != bytes)
    return invalid("op-param-shape", concat("parameter '", param.name, "' has ", param.data.size(),
                                            " bytes of data where ", bytes, " are needed"));
  return {};
}

Status check_params(const Schema& op, const ir::Params& params) {
  std::vector<std::string_view> known;
  for (const ParamSchema& schema : op.params) known.push_back(schema.name);
  for (const ir::Param& param : params.all()) {
    const auto schema = std::ranges::find(op.params, param.name, &ParamSchema::name);
    if (schema == op.params.end())
      return invalid("op-param-unknown", concat("parameter '", param.name, "' is not known"))
          .fix_by(suggestion(param.name, known));
    if (params.find(param.name) != &param)
      return invalid("op-param-twice", concat("parameter '", param.name, "' is given twice"));
    OPENQNN_TRY(check_param(param, *schema));
  }
  for (const ParamSchema& schema : op.params)
    if (schema.required && !params.find(schema.name))
      return invalid("op-param-missing",
                     concat("parameter '", schema.name, "' (", ir::name(schema.type), " ",
                            schema.shape.rank() ? pattern_text(schema.shape) : "scalar", ") is missing"));
  return {};
}

// ---- Epilogue ----

Status check_gate(const OpDef& op, const OpCall& call) {
  const ir::TensorDesc& out = call.out();
  if (!op.gates || call.in(0).type != out.type || !(call.in(0).shape == out.shape))
    return invalid("op-epilogue", "cannot be multiplied by its input");
  if (out.type == ir::DataType::kFloat16) return {};
  const Epilogue& epilogue = call.epilogue;
  const bool has_scale = std::isfinite(epilogue.low) && epilogue.low > 0.0F;
  if (!ir::is_quantized(out.type) || !has_scale || !(std::fabs(epilogue.high) <= kMaxOffset16))
    return invalid("op-epilogue", "has no encoding for what is multiplied by its input");
  return {};
}

Status check_epilogue(const OpDef& op, const OpCall& call) {
  const Epilogue& epilogue = call.epilogue;
  if (epilogue.activation == Activation::kNone) return {};
  if (epilogue.activation == Activation::kTimesInput) return check_gate(op, call);
  const bool for_half = epilogue.activation > Activation::kClamp;
  const bool is_half = call.out().type == ir::DataType::kFloat16;
  if (!op.fuses || epilogue.activation > Activation::kGelu || (for_half && !is_half))
    return invalid("op-epilogue", "cannot end in the activation given");
  if (epilogue.activation == Activation::kClamp && !(epilogue.low <= epilogue.high))
    return invalid("op-epilogue",
                   concat("ends in a clamp from ", epilogue.low, " to ", epilogue.high, ", which is empty"));
  return {};
}

// Where the sparse operand is among the inputs and the outputs behind them.
size_t sparse_place(const OpDef& op, const OpCall& call) {
  if (op.sparse_operand == OpDef::SparseOperand::kNone) return SIZE_MAX;
  return op.sparse_operand == OpDef::SparseOperand::kInput ? 0 : call.inputs.size();
}

Status check_all(const OpDef& op, const OpCall& call, Stage stage) {
  if (!call.params) return internal("op-call", "the call has no parameter list");
  const Schema* schema = find_schema(op.type);
  if (!schema) return internal("op-schema", concat("data/ops.json has no entry for ", op.type));
  OPENQNN_ASSIGN(const std::vector<Operand> operands, collect(op, *schema, call));
  const size_t sparse = sparse_place(op, call);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].desc) continue;
    const bool may_be_packed = stage == Stage::kPrepared && i < call.inputs.size() && i == op.packed_input;
    OPENQNN_TRY(check_desc(op, operands[i], may_be_packed));
    OPENQNN_TRY(check_sparsity(operands[i], i == sparse));
  }
  OPENQNN_TRY(check_types(op, *schema, call, stage));
  OPENQNN_TRY(check_params(*schema, *call.params));
  for (const Operand& operand : operands)
    if (operand.desc) OPENQNN_TRY(check_encoding(operand, stage));
  OPENQNN_TRY(op.check(call));
  return check_epilogue(op, call);
}

Status refuse_type(std::string_view type) {
  if (find_schema(type))
    return unsupported(
        "op-not-computed",
        concat("op type '", type, "' is known but not computed by this backend: ", why_not_computed(type)));
  std::vector<std::string_view> known;
  for (const Schema& each : all_schemas()) known.push_back(each.type);
  return unsupported("op-unknown", concat("op type '", type, "' is not offered"))
      .fix_by(suggestion(type, known));
}

Status with_place(Status status, std::string_view type, std::string_view node) {
  if (status) return status;
  Diagnostic diagnostic = std::move(status).error();
  if (diagnostic.where.empty()) diagnostic.where.object = concat("node '", node, "' (", type, ")");
  return diagnostic;
}

}  // namespace

DiagnosticBuilder refuse_sparse(const std::string& operand) {
  return unsupported("op-sparse", concat(operand, " is sparse, which the op does not take"))
      .fix_by("make it dense with SparseToDense");
}

Status check_all_dense(const OpCall& call) {
  for (size_t i = 0; i < call.inputs.size(); ++i)
    if (call.has_input(i) && call.in(i).is_sparse()) return refuse_sparse(concat("input ", i));
  for (size_t i = 0; i < call.outputs.size(); ++i)
    if (call.has_output(i) && call.out(i).is_sparse()) return refuse_sparse(concat("output ", i));
  return {};
}

Status validate(std::string_view type, const OpCall& call) {
  const OpDef* op = find_op(type);
  return with_place(op ? check_all(*op, call, Stage::kClient) : refuse_type(type), type, call.node);
}

Status validate_prepared(const OpDef& op, const OpCall& call) {
  return with_place(check_all(op, call, Stage::kPrepared), op.type, call.node);
}

void make_tables() { rows_of(all_ops().front()); }

std::vector<const TypeRow*> offered_rows(const OpDef& op) { return rows_of(op).offered; }

std::vector<const TypeRow*> fitting_rows(const OpDef& op, const OpCall& call) {
  const Schema* schema = find_schema(op.type);
  std::vector<const TypeRow*> rows;
  for (const TypeRow* row : rows_of(op).offered)
    if (schema && fits(call, *row, *schema)) rows.push_back(row);
  return rows;
}

uint64_t stored_bytes(const OpDef& op, const OpCall& call, size_t index) {
  if (!call.has_input(index)) return 0;
  const ir::TensorDesc& desc = call.in(index);
  return desc.layout == ir::Layout::kPlain ? ir::plain_bytes(desc)
                                           : op.packed_bytes(call, ir::Box::whole(desc.shape));
}

}  // namespace openqnn::ops
