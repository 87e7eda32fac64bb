// SPDX-License-Identifier: BSD-3-Clause
// What the registry and the schemas say of each op, as JSON and as the page docs/ops.md.
#include "tools/ops_page.h"

#include <algorithm>

#include "base/text.h"
#include "json/json.h"
#include "ops/refused.h"

namespace openqnn::tools {
namespace {

bool is_table_row(const ops::TypeRow& row) {
  return row.configuration != "clients" && row.configuration != "ours";
}

std::string refusal_of(const OpEntry& entry, const ops::TypeRow& row) {
  if (!entry.op) return std::string(ops::why_not_computed(entry.schema->type));
  const auto refused = std::ranges::find(entry.op->refused_rows, row.text, &ops::OpDef::RefusedRow::row);
  return refused == entry.op->refused_rows.end() ? std::string() : std::string(refused->why);
}

OpEntry entry_of(const ops::Schema& schema) {
  OpEntry entry{.schema = &schema, .op = ops::find_op(schema.type)};
  for (const ops::TypeRow& row : schema.rows) entry.rows.push_back({&row, refusal_of(entry, row)});
  if (entry.op)
    for (const ops::TypeRow* row : ops::offered_rows(*entry.op))
      if (row->configuration == "ours") entry.rows.push_back({row, {}});
  return entry;
}

}  // namespace

std::vector<OpEntry> op_entries() {
  std::vector<OpEntry> entries;
  for (const ops::Schema& schema : ops::all_schemas()) entries.push_back(entry_of(schema));
  return entries;
}

OpCounts count_ops(const std::vector<OpEntry>& entries) {
  OpCounts counts;
  for (const OpEntry& entry : entries) {
    ++counts.types;
    counts.computed_types += entry.op ? 1 : 0;
    for (const OpEntry::Row& row : entry.rows) {
      if (!is_table_row(*row.row)) continue;
      ++counts.rows;
      counts.computed_rows += row.refused.empty() ? 1 : 0;
    }
  }
  return counts;
}

std::string counts_text(const OpCounts& counts) {
  return concat(counts.computed_types, " of ", counts.types, " op types computed, ", counts.computed_rows,
                " of ", counts.rows, " table rows");
}

std::string operand_text(const ops::OperandSchema& operand) {
  return concat(operand.name, operand.repeats ? " (any number)" : operand.optional ? " (optional)" : "");
}

std::string rank_text(const ops::OperandSchema& operand) {
  const std::optional<size_t> rank = operand.fixed_rank();
  return rank ? concat(*rank) : concat("up to ", operand.max_rank);
}

std::string param_type_text(const ops::ParamSchema& param) {
  const bool open = param.type == ir::DataType::kUndefined;
  std::string text(open ? "any type" : ir::name(param.type));
  for (size_t i = 0; i < param.shape.rank(); ++i)
    text += concat(i == 0 ? " [" : ", ", param.shape[i] ? concat(param.shape[i]) : "n");
  return param.shape.rank() > 0 ? text + "]" : text;
}

std::string param_need_text(const ops::ParamSchema& param) {
  if (param.required) return "required";
  return param.default_text.empty() ? "optional" : "default " + param.default_text;
}

std::vector<std::string> configurations_of(const OpEntry& entry) {
  std::vector<std::string> found;
  for (const char* name : {"INT8", "INT16", "FP16", "OTHERS", "clients", "ours"})
    if (std::ranges::any_of(entry.rows,
                            [&](const OpEntry::Row& row) { return row.row->configuration == name; }))
      found.emplace_back(name);
  return found;
}

// ---- JSON ----

namespace {

using json::Writer;

void write_operands(Writer& out, std::string_view key, const std::vector<ops::OperandSchema>& operands) {
  out.key(key).begin_array();
  for (const ops::OperandSchema& operand : operands) {
    out.begin_object(Writer::Style::kInline).key("name").string(operand.name);
    out.key("optional").boolean(operand.optional).key("repeats").boolean(operand.repeats);
    if (const std::optional<size_t> rank = operand.fixed_rank()) out.key("rank").unsigned_integer(*rank);
    out.key("max_rank").unsigned_integer(operand.max_rank);
    out.key("shape").string(operand.shape_text).end_object();
  }
  out.end_array();
}

void write_params(Writer& out, const std::vector<ops::ParamSchema>& params) {
  out.key("params").begin_array();
  for (const ops::ParamSchema& param : params) {
    out.begin_object(Writer::Style::kInline).key("name").string(param.name);
    out.key("type").string(param_type_text(param)).key("required").boolean(param.required);
    out.key("default").string(param.default_text).key("meaning").string(param.meaning).end_object();
  }
  out.end_array();
}

void write_rows(Writer& out, const OpEntry& entry) {
  out.key("rows").begin_array();
  for (const OpEntry::Row& row : entry.rows) {
    out.begin_object(Writer::Style::kInline).key("types").string(row.row->text);
    out.key("configuration").string(row.row->configuration).key("offered").boolean(row.refused.empty());
    if (!row.refused.empty()) out.key("refused").string(row.refused);
    out.end_object();
  }
  out.end_array();
}

void write_entry(Writer& out, const OpEntry& entry) {
  const ops::Schema& schema = *entry.schema;
  out.begin_object().key("type").string(schema.type).key("summary").string(schema.summary);
  out.key("computed").boolean(entry.op != nullptr);
  if (!entry.op) out.key("why_not").string(ops::why_not_computed(schema.type));
  write_operands(out, "inputs", schema.inputs);
  write_operands(out, "outputs", schema.outputs);
  write_params(out, schema.params);
  write_rows(out, entry);
  out.key("confidence").string(schema.confidence).key("notes").begin_array();
  for (const std::string& note : schema.notes) out.string(note);
  out.end_array().end_object();
}

}  // namespace

std::string ops_json(const std::vector<OpEntry>& entries) {
  const OpCounts counts = count_ops(entries);
  Writer out;
  out.begin_object().key("types").unsigned_integer(counts.types);
  out.key("computed_types").unsigned_integer(counts.computed_types);
  out.key("table_rows").unsigned_integer(counts.rows);
  out.key("computed_rows").unsigned_integer(counts.computed_rows).key("ops").begin_array();
  for (const OpEntry& entry : entries) write_entry(out, entry);
  out.end_array().end_object();
  return out.take();
}

// ---- The page ----

namespace {

// Text of the facts, where formulas would otherwise read as emphasis, links and cells.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (std::string_view("\\`*_<>[]|~").find(letter) != std::string_view::npos) out += '\\';
    out += letter;
  }
  return out;
}

// Inside of a table even code must not hold a bare bar.
std::string code(std::string_view text) {
  std::string out = "`";
  for (const char letter : text) out += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return out + "`";
}

std::string overview_row(const OpEntry& entry) {
  const OpCounts counts = count_ops({entry});
  const auto ours = std::ranges::count_if(
      entry.rows, [](const OpEntry::Row& row) { return row.row->configuration == "ours"; });
  const std::string state = entry.op ? "yes" : concat("no: ", ops::why_not_computed(entry.schema->type));
  const std::string rows = counts.rows > 0 ? concat(counts.computed_rows, " of ", counts.rows) : "none";
  return concat("| [", entry.schema->type, "](#op-", entry.schema->type, ") | ", state, " | ", rows,
                ours > 0 ? concat(", ", ours, " ours") : "", " | ", escaped(entry.schema->summary), " |\n");
}

std::string operand_rows(std::string_view side, const std::vector<ops::OperandSchema>& operands) {
  std::string out;
  for (size_t i = 0; i < operands.size(); ++i)
    out += concat("| ", side, " ", i, " | ", escaped(operand_text(operands[i])), " | ",
                  escaped(operands[i].shape_text), " | ", rank_text(operands[i]), " |\n");
  return out;
}

std::string operand_table(const ops::Schema& schema) {
  if (schema.inputs.empty() && schema.outputs.empty()) return "No source states its operands.\n\n";
  return concat("| operand | name | shape | rank |\n|---|---|---|---|\n", operand_rows("in", schema.inputs),
                operand_rows("out", schema.outputs), "\n");
}

std::string param_table(const ops::Schema& schema) {
  if (schema.params.empty()) return {};
  std::string out = "| parameter | type | | meaning |\n|---|---|---|---|\n";
  for (const ops::ParamSchema& param : schema.params)
    out += concat("| `", param.name, "` | ", escaped(param_type_text(param)), " | ",
                  escaped(param_need_text(param)), " | ", escaped(param.meaning), " |\n");
  return out + "\n";
}

std::string row_list(const OpEntry& entry, std::string_view configuration) {
  std::string list;
  for (const OpEntry::Row& row : entry.rows)
    if (row.row->configuration == configuration && row.refused.empty())
      list += concat(list.empty() ? "" : " · ", code(row.row->text));
  return list;
}

std::string row_table(const OpEntry& entry) {
  std::string out;
  for (const std::string& configuration : configurations_of(entry))
    if (const std::string list = row_list(entry, configuration); !list.empty())
      out += concat("| ", configuration, " | ", list, " |\n");
  return out.empty() ? out : concat("| types | |\n|---|---|\n", out, "\n");
}

// Rows that are refused one by one; those of an op that is not computed at all need no list.
std::string refused_list(const OpEntry& entry) {
  std::string out;
  for (const OpEntry::Row& row : entry.rows)
    if (entry.op && !row.refused.empty())
      out += concat("- Refused: `", row.row->text, "`: ", escaped(row.refused), ".\n");
  return out;
}

constexpr std::string_view kIntroduction =
    "Every op type of the package `qti.aisw`, what this backend accepts of it, and what it refuses and why. "
    "`openqnn ops\n"
    "NAME` shows one of them in a terminal; `QnnBackend_validateOpConfig` answers from the same tables.\n"
    "\n"
    "A row of types is one accepted combination, inputs -> outputs; `-` is an operand that is not used, "
    "`a|b` either.\n"
    "Optional operands may be absent. INT8, INT16, FP16 and OTHERS are the configurations of the vendor's "
    "HTP tables\n"
    "(SDK 2.25); *clients* are combinations that public programs send beyond them; *ours* are combinations "
    "that no source\n"
    "lists and we decided. f32 tensors are computed in half precision, as on the NPU. The notes are facts "
    "about the\n"
    "vendor's backend. Every row offered is tried against a second implementation (an oracle) at several "
    "shapes; the\n"
    "files are named with each op.\n";

}  // namespace

std::string op_markdown(const OpEntry& entry) {
  const ops::Schema& schema = *entry.schema;
  std::string out = concat("<a id=\"op-", schema.type, "\"></a>\n\n## ", schema.type, "\n\n",
                           escaped(schema.summary), "\n\n");
  if (!entry.op) out += concat("Not computed: ", ops::why_not_computed(schema.type), ".\n\n");
  out += operand_table(schema) + param_table(schema) + row_table(entry) + refused_list(entry);
  for (const std::string& note : schema.notes) out += concat("- ", escaped(note), "\n");
  return out + concat("- Confidence: ", schema.confidence, ".\n\n");
}

std::string ops_markdown(const std::vector<OpEntry>& entries) {
  std::string out = concat("# Ops\n\n", kIntroduction, "\n**", counts_text(count_ops(entries)), ".**\n\n",
                           "| op | computed | table rows | what it does |\n|---|---|---|---|\n");
  for (const OpEntry& entry : entries) out += overview_row(entry);
  out += "\n";
  for (const OpEntry& entry : entries) out += op_markdown(entry);
  out.pop_back();  // one newline at the end
  return out;
}

}  // namespace openqnn::tools
