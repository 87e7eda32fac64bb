// SPDX-License-Identifier: BSD-3-Clause
// openqnn ops: what the backend can compute.
#include <algorithm>

#include "base/text.h"
#include "ops/refused.h"
#include "profile/text_table.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/ops_page.h"

namespace openqnn::tools {
namespace {

std::string ops_text(const std::vector<OpEntry>& entries) {
  using Align = profile::TextTable::Align;
  profile::TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  for (const OpEntry& entry : entries) {
    const size_t offered = static_cast<size_t>(
        std::ranges::count_if(entry.rows, [](const OpEntry::Row& row) { return row.refused.empty(); }));
    const std::string what = entry.op ? entry.schema->summary
                                      : concat("not computed: ", ops::why_not_computed(entry.schema->type));
    table.row({entry.schema->type, entry.op ? concat(offered) : "-", what});
  }
  return concat(table.text(),
                "\nThe number counts accepted combinations of types; `openqnn ops NAME` lists them.\n",
                counts_text(count_ops(entries)), ".\n");
}

std::string operands_text(std::string_view title, const std::vector<ops::OperandSchema>& operands) {
  using Align = profile::TextTable::Align;
  profile::TextTable table({Align::kLeft, Align::kLeft, Align::kLeft});
  for (const ops::OperandSchema& operand : operands)
    table.row({"    " + operand_text(operand), "rank " + rank_text(operand), operand.shape_text});
  return operands.empty() ? std::string() : concat("  ", title, "\n", table.text());
}

std::string params_text(const std::vector<ops::ParamSchema>& params) {
  using Align = profile::TextTable::Align;
  profile::TextTable table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  for (const ops::ParamSchema& param : params)
    table.row({"    " + param.name, param_type_text(param), param_need_text(param), param.meaning});
  return params.empty() ? std::string() : concat("  Parameters\n", table.text());
}

std::string rows_text(const OpEntry& entry) {
  std::string out;
  for (const std::string& configuration : configurations_of(entry)) {
    out += concat("  Types, ", configuration, "\n");
    for (const OpEntry::Row& row : entry.rows)
      if (row.row->configuration == configuration)
        out += concat("    ", row.row->text, row.refused.empty() ? "" : concat("   refused: ", row.refused),
                      "\n");
  }
  return out;
}

std::string op_text(const OpEntry& entry) {
  const ops::Schema& schema = *entry.schema;
  std::string out = concat(bold(schema.type), ": ", schema.summary, "\n");
  if (!entry.op) out += concat("  Not computed: ", ops::why_not_computed(schema.type), ".\n");
  out += operands_text("Inputs", schema.inputs) + operands_text("Outputs", schema.outputs);
  out += params_text(schema.params) + rows_text(entry);
  if (!schema.notes.empty()) out += "  Notes\n";
  for (const std::string& note : schema.notes) out += concat("    - ", note, "\n");
  return out + concat("  Confidence: ", schema.confidence, "\n");
}

// The entry whose name was meant, whatever its case, or nullptr.
const OpEntry* find_entry(const std::vector<OpEntry>& entries, std::string_view name) {
  const auto same = [&](const OpEntry& entry) {
    return std::ranges::equal(
        entry.schema->type, name, {}, [](unsigned char c) { return std::tolower(c); },
        [](unsigned char c) { return std::tolower(c); });
  };
  const auto found = std::ranges::find_if(entries, same);
  return found == entries.end() ? nullptr : &*found;
}

Diagnostic unknown_op(const std::vector<OpEntry>& entries, const std::string& name) {
  std::vector<std::string_view> known;
  for (const OpEntry& entry : entries) known.push_back(entry.schema->type);
  const std::string_view near = closest(name, known);
  return invalid("op-unknown", concat("package qti.aisw has no op '", shown(name), "'"))
      .fix_by(near.empty() ? std::string("openqnn ops lists them") : concat("did you mean ", near, "?"));
}

Result<std::string> rendered(const std::vector<OpEntry>& entries, const Args& args) {
  const std::string format = args.get("--format", "text");
  const bool all = args.positional(0).empty();
  if (format == "text") return all ? ops_text(entries) : op_text(entries[0]);
  if (format == "json") return ops_json(entries);
  if (format == "markdown") return all ? ops_markdown(entries) : op_markdown(entries[0]);
  return invalid("option-value", concat("there is no format '", shown(format), "'"))
      .fix_by("--format takes text, json or markdown");
}

int run_ops(const Args& args) {
  std::vector<OpEntry> entries = op_entries();
  if (const std::string name = args.positional(0); !name.empty()) {
    const OpEntry* entry = find_entry(entries, name);
    if (!entry) return fail("cannot show the op", unknown_op(entries, name));
    entries = {OpEntry(*entry)};
  }
  const Result<std::string> text = rendered(entries, args);
  if (!text) return fail("cannot list the ops", text.error());
  print(*text);
  return kOk;
}

}  // namespace

Command ops_command() {
  return {.spec = {.name = "ops",
                   .summary = "List the supported ops, their parameters and types",
                   .details = R"(
Package qti.aisw. With NAME: operands, parameters with their defaults, and types; each
line under types is one accepted combination, inputs -> outputs. Types are those of the
HTP tables by configuration, those that clients send beyond them, and ours, which no
source lists. f32 tensors are computed in half precision, as on the NPU.)",
                   .positionals = {{"NAME", "an op type, e.g. Conv2d", false}},
                   .options = {{"--format", "NAME", "text, json or markdown", false, "text json markdown"}},
                   .examples = {"openqnn ops", "openqnn ops LayerNorm", "openqnn ops --format json"}},
          .run = run_ops};
}

}  // namespace openqnn::tools
