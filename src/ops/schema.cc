// SPDX-License-Identifier: BSD-3-Clause
// Checks a call against an op's schema, before the op's own `check` looks at shapes and values.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// Whose call it is: a client's node, or an op of a Program.
enum class Form : uint8_t { kClient, kPrepared };

// An 8-bit encoding whose zero lies further away than this stands for (almost) one number; the limit keeps
// exact sums of products inside 64 bits (dot.h).
constexpr int32_t kMaxOffset8 = 1 << 16;
constexpr int32_t kMaxStoredOffset8 = kMaxOffset8 + 128;  // unsigned weights are stored as signed ones

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
};

Result<std::vector<Operand>> collect(const OpDef& op, const OpCall& call) {
  std::vector<Operand> operands;
  const auto add_side = [&](std::string_view side, const std::vector<OperandSchema>& schema,
                            const std::vector<const ir::TensorDesc*>& given) -> Status {
    const auto required = static_cast<size_t>(
        std::ranges::count_if(schema, [](const OperandSchema& operand) { return !operand.optional; }));
    if (given.size() < required || given.size() > schema.size()) {
      const std::string range =
          required == schema.size() ? concat(required) : concat(required, " to ", schema.size());
      return invalid("op-operands", concat("takes ", range, " ", side, "s, ", given.size(), " given"));
    }
    for (size_t i = 0; i < given.size(); ++i) {
      std::string label = concat(side, " ", i, " (", schema[i].name, ")");
      if (!given[i] && !schema[i].optional)
        return invalid("op-operands", label + " is missing; only optional inputs may be left out");
      operands.push_back({&schema[i], given[i], std::move(label)});
    }
    return {};
  };
  OPENQNN_TRY(add_side("input", op.schema.inputs, call.inputs));
  OPENQNN_TRY(add_side("output", op.schema.outputs, call.outputs));
  return operands;
}

Status check_layout(const Operand& operand, bool may_be_packed) {
  const ir::TensorDesc& desc = *operand.desc;
  switch (desc.layout) {
    case ir::Layout::kPlain:
      return {};
    case ir::Layout::kHmx8:
      if (may_be_packed && desc.type == ir::DataType::kSfixed8) return {};
      break;
    case ir::Layout::kHmx16:
      if (may_be_packed && desc.type == ir::DataType::kFloat16) return {};
      break;
  }
  return invalid("op-layout", concat(operand.label, " has a layout that the op does not read"));
}

Status check_desc(const OpDef& op, const Operand& operand, bool may_be_packed) {
  const ir::TensorDesc& desc = *operand.desc;
  if (Status status = ir::check(desc); !status) {
    Diagnostic diagnostic = std::move(status).error();
    diagnostic.message = operand.label + ": " + diagnostic.message;
    return diagnostic;
  }
  const size_t rank = desc.shape.rank();
  if (rank == 0 || rank > op.schema.max_rank)
    return invalid("op-rank",
                   concat(operand.label, " has rank ", rank, "; 1 to ", op.schema.max_rank, " are accepted"));
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
  if (!(quantization.encodings[0].scale > 0.0F))
    return need(concat(" has scale ", quantization.encodings[0].scale));
  return {};
}

int32_t max_offset(ir::DataType type, Form form) {
  if (ir::byte_size(type) > 1) return INT32_MAX;
  return form == Form::kClient ? kMaxOffset8 : kMaxStoredOffset8;
}

Status check_encoding_form(const ir::Quantization& quantization, int32_t limit, std::string_view label) {
  using Kind = ir::Quantization::Kind;
  const size_t count = quantization.encodings.size();
  const bool sound = (quantization.kind == Kind::kNone) ||
                     (quantization.kind == Kind::kPerTensor && count == 1) ||
                     (quantization.kind == Kind::kPerAxis && count > 0);  // ir::check compared the count
  if (!sound) return invalid("op-encoding", concat(label, " has a malformed encoding (", count, " entries)"));
  for (const ir::ScaleOffset& encoding : quantization.encodings)
    if (encoding.offset > limit || encoding.offset < -limit)
      return invalid("op-encoding",
                     concat(label, " has offset ", encoding.offset, ", outside -", limit, " to ", limit));
  return {};
}

Status check_encoding(const Operand& operand, Form form) {
  const ir::TensorDesc& desc = *operand.desc;
  if (!ir::is_quantized(desc.type)) return {};
  OPENQNN_TRY(check_encoding_form(desc.quantization, max_offset(desc.type, form), operand.label));
  return operand.schema->op_checks_encoding ? Status{}
                                            : check_single_encoding(desc.quantization, operand.label);
}

// ---- Types ----

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

bool matches(const std::vector<const ir::TensorDesc*>& operands, std::string_view types) {
  const std::vector<std::string_view> names = split(types, ",");
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i] && (i >= names.size() || names[i] != ir::name(operands[i]->type))) return false;
  return true;
}

std::string types_of(const std::vector<const ir::TensorDesc*>& operands) {
  std::vector<std::string_view> names;
  names.reserve(operands.size());
  for (const ir::TensorDesc* desc : operands) names.push_back(desc ? ir::name(desc->type) : "none");
  return join(names, ",");
}

std::vector<std::string_view> rows_of(const OpDef& op, Form form) {
  std::vector<std::string_view> rows = op.schema.type_rows;
  if (form == Form::kClient) return rows;
  std::erase_if(rows, [](std::string_view row) { return row.find("f32") != std::string_view::npos; });
  rows.insert(rows.end(), op.schema.stored_rows.begin(), op.schema.stored_rows.end());
  return rows;
}

Status check_types(const OpDef& op, const OpCall& call, Form form) {
  const std::vector<std::string_view> rows = rows_of(op, form);
  for (const std::string_view row : rows) {
    const std::vector<std::string_view> sides = split(row, " -> ");
    if (matches(call.inputs, sides[0]) && matches(call.outputs, sides[1])) return {};
  }
  const bool optionals = std::ranges::any_of(op.schema.inputs, &OperandSchema::optional);
  return unsupported("op-type-row", concat("the types ", types_of(call.inputs), " -> ",
                                           types_of(call.outputs), " are not offered"))
      .fix_by(concat("use one of: ", join(rows, "; "), optionals ? " (optional inputs may be absent)" : ""));
}

// ---- Parameters ----

Status check_param(const ir::Param& param, const ParamSchema& schema) {
  if (param.type != schema.type)
    return invalid("op-param-type", concat("parameter '", param.name, "' is ", ir::name(param.type),
                                           " where ", ir::name(schema.type), " is needed"));
  if (!(param.shape == schema.shape)) {
    const std::string needed =
        schema.shape.rank() == 0 ? "a scalar is" : "shape " + schema.shape.to_string() + " is";
    return invalid("op-param-shape", concat("parameter '", param.name, "' has shape ",
                                            param.shape.to_string(), " where ", needed, " needed"));
  }
  const uint64_t bytes = schema.shape.elements() * ir::byte_size(schema.type);
  if (param.data.size() != bytes)
    return invalid("op-param-shape", concat("parameter '", param.name, "' has ", param.data.size(),
                                            " bytes of data where ", bytes, " are needed"));
  return {};
}

Status check_params(const OpDef& op, const ir::Params& params) {
  std::vector<std::string_view> known;
  for (const ParamSchema& schema : op.schema.params) known.push_back(schema.name);
  for (const ir::Param& param : params.all()) {
    const auto schema = std::ranges::find(op.schema.params, param.name, &ParamSchema::name);
    if (schema == op.schema.params.end())
      return invalid("op-param-unknown", concat("parameter '", param.name, "' is not known"))
          .fix_by(suggestion(param.name, known));
    if (params.find(param.name) != &param)
      return invalid("op-param-twice", concat("parameter '", param.name, "' is given twice"));
    OPENQNN_TRY(check_param(param, *schema));
  }
  for (const ParamSchema& schema : op.schema.params)
    if (schema.required && !params.find(schema.name))
      return invalid("op-param-missing",
                     concat("parameter '", schema.name, "' (", ir::name(schema.type), " ",
                            schema.shape.rank() ? schema.shape.to_string() : "scalar", ") is missing"));
  return {};
}

// ---- Epilogue ----

Status check_epilogue(const OpDef& op, const OpCall& call) {
  const Epilogue& epilogue = call.epilogue;
  if (epilogue.activation == Activation::kNone) return {};
  if (epilogue.activation != Activation::kRelu || !op.fuses || !op.fuses(epilogue.activation))
    return invalid("op-epilogue", "cannot end in the activation given");
  if (!ir::is_quantized(call.out().type)) return {};
  constexpr std::string_view kLabel = "the tensor inside the fusion";
  OPENQNN_TRY(check_encoding_form(epilogue.via, max_offset(call.out().type, Form::kPrepared), kLabel));
  return check_single_encoding(epilogue.via, kLabel);
}

Status check_all(const OpDef& op, const OpCall& call, Form form) {
  if (!call.params) return internal("op-call", "the call has no parameter list");
  OPENQNN_ASSIGN(const std::vector<Operand> operands, collect(op, call));
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].desc) continue;
    const bool may_be_packed = form == Form::kPrepared && i < call.inputs.size() && i == op.packed_input;
    OPENQNN_TRY(check_desc(op, operands[i], may_be_packed));
  }
  OPENQNN_TRY(check_types(op, call, form));
  OPENQNN_TRY(check_params(op, *call.params));
  for (const Operand& operand : operands)
    if (operand.desc) OPENQNN_TRY(check_encoding(operand, form));
  OPENQNN_TRY(op.check(call));
  return check_epilogue(op, call);
}

Status with_place(Status status, std::string_view type, std::string_view node) {
  if (status) return status;
  Diagnostic diagnostic = std::move(status).error();
  if (diagnostic.where.empty()) diagnostic.where.object = concat("node '", node, "' (", type, ")");
  return diagnostic;
}

}  // namespace

Status validate(std::string_view type, const OpCall& call) {
  const OpDef* op = find_op(type);
  if (op) return with_place(check_all(*op, call, Form::kClient), type, call.node);
  std::vector<std::string_view> known;
  for (const OpDef* each : all_ops()) known.push_back(each->type);
  return with_place(unsupported("op-unknown", concat("op type '", type, "' is not offered"))
                        .fix_by(suggestion(type, known)),
                    type, call.node);
}

Status validate_prepared(const OpDef& op, const OpCall& call) {
  return with_place(check_all(op, call, Form::kPrepared), op.type, call.node);
}

uint64_t stored_bytes(const OpDef& op, const OpCall& call, size_t index) {
  if (!call.has_input(index)) return 0;
  const ir::TensorDesc& desc = call.in(index);
  return desc.layout == ir::Layout::kPlain ? ir::plain_bytes(desc)
                                           : op.packed_bytes(call, ir::Box::whole(desc.shape));
}

}  // namespace openqnn::ops
