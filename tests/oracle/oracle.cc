// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/oracle.h"

#include <sstream>
#include <utility>

namespace openqnn::oracle {
namespace {

std::vector<Oracle>& registered() {
  static std::vector<Oracle> oracles;
  return oracles;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

Problem::Input parse_input(const std::string& text) {
  const std::vector<std::string> words = split(text, ':');
  Problem::Input input;
  for (const std::string& dim : split(words.at(0), 'x')) input.shape.push_back(std::stoul(dim));
  input.type = words.at(1);
  for (size_t i = 2; i < words.size(); ++i) {
    input.is_static |= words[i] == "static";
    input.per_axis |= words[i] == "axis";
    input.derived |= words[i] == "derived";
  }
  return input;
}

// Puts the variant's words after the shapes. A variant may have more words than the problem has inputs
// (optional ones).
std::string with_types(const std::string& op, const std::string& problem, const std::string& variant) {
  const std::vector<std::string> types = split(variant, ' ');
  std::string line = op;
  size_t input = 0;
  for (const std::string& word : split(problem, ' ')) {
    line += " " + word;
    if (word.rfind("in=", 0) == 0) line += ":" + types.at(input++);
  }
  return line;
}

}  // namespace

size_t count(const std::vector<size_t>& shape) {
  size_t product = 1;
  for (const size_t dim : shape) product *= dim;
  return product;
}

Problem Problem::parse(const std::string& line) {
  Problem problem;
  problem.line = line;
  for (const std::string& word : split(line, ' ')) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) {
      problem.op = word;
      continue;
    }
    const std::string key = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (key == "in") {
      problem.inputs.push_back(parse_input(value));
      continue;
    }
    for (const std::string& number : split(value, ',')) problem.params[key].push_back(std::stod(number));
  }
  return problem;
}

double Problem::number(const std::string& name, double fallback, size_t index) const {
  const auto found = params.find(name);
  return found == params.end() ? fallback : found->second.at(index);
}

size_t Problem::integer(const std::string& name, size_t fallback, size_t index) const {
  return static_cast<size_t>(number(name, static_cast<double>(fallback), index));
}

size_t pick(Random& random, size_t low, size_t high) { return low + random() % (high - low + 1); }

const std::vector<Oracle>& all() { return registered(); }

const Oracle* find(const std::string& op) {
  for (const Oracle& oracle : registered())
    if (oracle.op == op) return &oracle;
  return nullptr;
}

Register::Register(Oracle oracle) { registered().push_back(std::move(oracle)); }

std::vector<Problem> problems(const Oracle& oracle, size_t random_count) {
  std::vector<Problem> result;
  for (const std::string& problem : oracle.problems)
    for (const std::string& variant : oracle.variants)
      result.push_back(Problem::parse(with_types(oracle.op, problem, variant)));
  Random random(20240607);
  for (size_t i = 0; i < random_count; ++i) {
    const std::string problem = oracle.random_problem(random);
    const std::string& variant = oracle.variants[pick(random, 0, oracle.variants.size() - 1)];
    result.push_back(Problem::parse(with_types(oracle.op, problem, variant)));
  }
  return result;
}

std::string shape_text(const std::vector<size_t>& shape) {
  std::string text;
  for (const size_t dim : shape) {
    if (!text.empty()) text += 'x';
    text += std::to_string(dim);
  }
  return text;
}

Oracle unary(std::string op, double (*function)(double)) {
  Oracle oracle;
  oracle.op = std::move(op);
  oracle.variants = {"f16", "ufx8"};
  oracle.problems = {"in=1", "in=257", "in=3x5", "in=2x3x4", "in=1x8x8x32", "in=2x3x5x7", "in=1x2x3x4x5"};
  oracle.random_problem = [](Random& random) {
    std::vector<size_t> shape(pick(random, 1, 5));
    for (size_t& dim : shape) dim = pick(random, 1, 6);
    return "in=" + shape_text(shape);
  };
  oracle.compute = [function](const Problem&, const std::vector<Tensor>& inputs) {
    Tensor out = inputs[0];
    for (double& value : out.values) value = function(value);
    return out;
  };
  return oracle;
}

}  // namespace openqnn::oracle
