// SPDX-License-Identifier: BSD-3-Clause
#include <set>
#include <sstream>
#include <tuple>

#include "ops/op_case.h"

namespace openqnn::ops {

using ir::DataType;

namespace {

// One type per operand, "" where the row does not use it.
struct Types {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  bool operator<(const Types& other) const {
    return std::tie(inputs, outputs) < std::tie(other.inputs, other.outputs);
  }
};

std::string computed_name(DataType type) {
  return std::string(ir::name(type == DataType::kFloat32 ? DataType::kFloat16 : type));
}

// Every choice among the alternatives of a side.
std::vector<std::vector<std::string>> choices(const std::vector<std::vector<DataType>>& side) {
  std::vector<std::vector<std::string>> all = {{}};
  for (const std::vector<DataType>& types : side) {
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string>& start : all) {
      if (types.empty()) longer.push_back(start), longer.back().emplace_back();
      for (const DataType type : types) longer.push_back(start), longer.back().push_back(computed_name(type));
    }
    all = std::move(longer);
  }
  return all;
}

// The offered rows, half for float, each once.
std::vector<Types> types_of(const OpDef& op) {
  std::set<Types> all;
  for (const TypeRow* row : offered_rows(op))
    for (const auto& inputs : choices(row->inputs))
      for (const auto& outputs : choices(row->outputs)) all.insert({inputs, outputs});
  return {all.begin(), all.end()};
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> parts;
  for (std::string part; stream >> part;) parts.push_back(part);
  return parts;
}

// Whether words make sense for a type: encodings per channel or block and 4 bits are for signed 8-bit
// weights.
bool words_fit(const std::string& words, const std::string& type, bool is_bias) {
  const bool special = words.find("axis") != std::string::npos || words.find("bits4") != std::string::npos ||
                       words.find("block") != std::string::npos;
  if (is_bias) return words.find("axis") == std::string::npos || type == "sfx32";
  return !special || type == "sfx8";
}

// The problem's line with types and words, or nothing when they do not go together.
std::string with_types(const oracle::Oracle& oracle, const std::string& problem, const Types& types,
                       const std::string& words) {
  const std::vector<std::string> extra = split_words(words);
  const Schema& schema = *find_schema(oracle.op);
  const bool repeats = !schema.inputs.empty() && schema.inputs.back().repeats;
  std::string line = oracle.op;
  size_t input = 0;
  for (const std::string& word : split_words(problem)) {
    line += " " + word;
    if (word.rfind("in=", 0) != 0) continue;
    const size_t at = input++;
    if (word == "in=none") continue;
    const size_t column = repeats && at >= types.inputs.size() ? types.inputs.size() - 1 : at;
    if (column >= types.inputs.size() || types.inputs[column].empty()) return {};
    line += ":" + types.inputs[column];
    if (at >= extra.size() || extra[at] == "-") continue;
    if (!words_fit(extra[at], types.inputs[column], at == oracle.bias_input)) return {};
    line += ":" + extra[at];
  }
  for (const std::string& type : types.outputs)
    if (!type.empty()) line += " out=" + type;
  const oracle::Problem parsed = oracle::Problem::parse(line);
  return oracle.skip && oracle.skip(parsed) ? std::string() : line;
}

}  // namespace

std::vector<std::string> output_types(const OpDef& op, const std::vector<oracle::Problem::Input>& inputs) {
  for (const Types& types : types_of(op)) {
    bool fits = true;
    for (size_t i = 0; i < inputs.size() && fits; ++i)
      fits = inputs[i].absent || (i < types.inputs.size() && types.inputs[i] == inputs[i].type);
    if (fits) return types.outputs;
  }
  return {};
}

std::vector<oracle::Problem> problems(const oracle::Oracle& oracle, size_t random_count) {
  std::vector<oracle::Problem> result;
  std::set<std::string> seen;  // rows that differ in an absent input give the same line
  const std::vector<Types> rows = types_of(*find_op(oracle.op));
  const auto add = [&](const std::string& problem, const Types& types, const std::string& words) {
    const std::string line = with_types(oracle, problem, types, words);
    if (!line.empty() && seen.insert(line).second) result.push_back(oracle::Problem::parse(line));
  };
  for (const std::string& problem : oracle.problems)
    for (const Types& types : rows)
      for (const std::string& words : oracle.words) add(problem, types, words);
  oracle::Random random(20240607);
  for (size_t i = 0; oracle.random_problem && !rows.empty() && i < random_count; ++i) {
    const std::string problem = oracle.random_problem(random);
    add(problem, rows[oracle::pick(random, 0, rows.size() - 1)],
        oracle.words[oracle::pick(random, 0, oracle.words.size() - 1)]);
  }
  return result;
}

std::vector<OpCase> all_cases(size_t random_count) {
  std::vector<OpCase> cases;
  for (const oracle::Oracle& oracle : oracle::all())
    for (const oracle::Problem& problem : problems(oracle, random_count)) cases.emplace_back(problem);
  return cases;
}

}  // namespace openqnn::ops
