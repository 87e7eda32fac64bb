// SPDX-License-Identifier: BSD-3-Clause
// openqnn ops: what the backend can compute.
#include "base/text.h"
#include "ops/op.h"
#include "tools/commands.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

std::string operands_text(const std::vector<ops::OperandSchema>& operands) {
  std::string text;
  for (const ops::OperandSchema& operand : operands)
    text += concat(text.empty() ? "" : ", ", operand.name, operand.optional ? "?" : "");
  return text;
}

std::string params_text(const std::vector<ops::ParamSchema>& params) {
  std::string text;
  for (const ops::ParamSchema& param : params)
    text += concat(text.empty() ? "" : ", ", param.name, param.required ? "" : "?", ": ",
                   ir::name(param.type), param.shape.rank() == 0 ? "" : param.shape.to_string());
  return text;
}

int run(const Args&) {
  std::string out;
  for (const ops::OpDef* op : ops::all_ops()) {
    out += concat(out.empty() ? "" : "\n", bold(op->type), "  (", operands_text(op->schema.inputs), ") -> ",
                  operands_text(op->schema.outputs), "\n");
    if (!op->schema.params.empty()) out += concat("  params  ", params_text(op->schema.params), "\n");
    for (size_t i = 0; i < op->schema.type_rows.size(); ++i)
      out += concat(i == 0 ? "  types   " : "          ", op->schema.type_rows[i], "\n");
  }
  out += "\n? : may be left out. f32 tensors are computed in half precision, as on the NPU.\n";
  print(out);
  return kOk;
}

}  // namespace

const Command& ops_command() {
  static const Command command = {
      .spec = {.name = "ops",
               .summary = "List the supported ops, their parameters and types",
               .details = "Package qti.aisw. Each line under types is one accepted combination: "
                          "inputs -> outputs.",
               .examples = {"openqnn ops"}},
      .run = run};
  return command;
}

}  // namespace openqnn::tools
