// SPDX-License-Identifier: BSD-3-Clause
// What `openqnn ops` prints, gathered from the schemas and the registry: as JSON and as a page.
#pragma once

#include <string>
#include <vector>

#include "ops/op.h"

namespace openqnn::tools {

// One op type: what the package says of it, and what this backend makes of it.
struct OpEntry {
  const ops::Schema* schema = nullptr;
  const ops::OpDef* op = nullptr;  // nullptr when it is not computed

  // Rows of types with one reason why a client cannot have them; none for what is offered.
  struct Row {
    const ops::TypeRow* row = nullptr;
    std::string refused;
  };
  std::vector<Row> rows;  // the schema's, then ours
};

// Every op type, by name.
std::vector<OpEntry> op_entries();

// How much is computed. Rows are those of the HTP tables: neither what clients send beyond them nor ours.
struct OpCounts {
  size_t types = 0;
  size_t computed_types = 0;
  size_t rows = 0;
  size_t computed_rows = 0;
};
OpCounts count_ops(const std::vector<OpEntry>& entries);
std::string counts_text(const OpCounts& counts);  // "130 of 161 op types computed, 1000 of 1083 table rows"

std::string ops_json(const std::vector<OpEntry>& entries);
std::string ops_markdown(const std::vector<OpEntry>& entries);  // docs/ops.md
std::string op_markdown(const OpEntry& entry);                  // its section of the page

// Words that more than one form uses.
std::string operand_text(const ops::OperandSchema& operand);  // "bias (optional)"
std::string rank_text(const ops::OperandSchema& operand);     // "4", "up to 5"
std::string param_type_text(const ops::ParamSchema& param);   // "u32 [2, 2]"
std::string param_need_text(const ops::ParamSchema& param);   // "required", "default 1", "optional"
// The configurations that rows of an op have, in the order in which pages list them.
std::vector<std::string> configurations_of(const OpEntry& entry);

}  // namespace openqnn::tools
