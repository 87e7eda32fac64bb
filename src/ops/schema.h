// SPDX-License-Identifier: BSD-3-Clause
// What the C API accepts of each op: operands, parameters and type combinations, read once from
// data/ops.json. The registry (op.h) says which of them this backend computes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"

namespace openqnn::ops {

struct OperandSchema {
  std::string name;  // ours: the API has positions only
  bool optional = false;
  bool repeats = false;    // the last one of its side, any number of times
  size_t max_rank = 5;     // as the tables list it
  std::string shape_text;  // for people

  // The rank, when every form that the shape's text writes out, "[b, h, w, c]", has the same.
  std::optional<size_t> fixed_rank() const;
};

struct ParamSchema {
  std::string name;
  ir::DataType type = ir::DataType::kUndefined;  // kUndefined: the op's `check` judges it
  ir::Shape shape;                               // rank 0 for a scalar; a 0 is any size
  bool required = false;
  std::string default_text;  // for people, like the meaning
  std::string meaning;
};

// One accepted combination of types.
struct TypeRow {
  std::string text;  // "ufx8,sfx8,sfx32 -> ufx8"
  // "INT8", "INT16", "FP16", "OTHERS" as the tables call the configuration, "clients" for what public clients
  // send beyond them, "ours".
  std::string configuration;
  // Per operand the types that fit; none where the row does not use it. The last one of a side stands for all
  // further ones when that operand repeats.
  std::vector<std::vector<ir::DataType>> inputs;
  std::vector<std::vector<ir::DataType>> outputs;
};
// Nothing when the text is not a row.
std::optional<TypeRow> parse_type_row(std::string_view text, std::string_view configuration);

struct Schema {
  std::string type;
  std::string summary;
  std::vector<OperandSchema> inputs;
  std::vector<OperandSchema> outputs;
  std::vector<ParamSchema> params;
  std::vector<TypeRow> rows;
  std::vector<std::string> notes;
  std::string confidence;  // "documented", "inferred from clients", "standard semantics"
  bool listed = false;     // by the tables, for quantized or half types
};

// Every op type of the package, by name.
std::span<const Schema> all_schemas();
const Schema* find_schema(std::string_view type);

}  // namespace openqnn::ops
