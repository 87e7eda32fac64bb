// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/oracle.h"

#include <algorithm>
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
  input.absent = words.at(0) == "none";
  if (input.absent) return input;
  if (words[0] != "scalar")
    for (const std::string& dim : split(words[0], 'x')) input.shape.push_back(std::stoul(dim));
  if (words.size() > 1) input.type = words[1];
  for (size_t i = 2; i < words.size(); ++i) {
    input.is_static |= words[i] == "static";
    input.per_axis |= words[i] == "axis";
    input.per_block |= words[i] == "block";
    input.four_bits |= words[i] == "bits4";
    input.derived |= words[i] == "derived";
  }
  return input;
}

void parse_param(Problem& problem, const std::string& key, const std::string& value) {
  const size_t colon = key.find(':');
  const std::string name = key.substr(0, colon);
  if (colon != std::string::npos) problem.param_types[name] = key.substr(colon + 1);
  std::vector<double>& values = problem.params[name];
  for (const std::string& number : split(value, ',')) values.push_back(std::stod(number));
}

}  // namespace

size_t count(const std::vector<size_t>& shape) {
  size_t product = 1;
  for (const size_t dim : shape) product *= dim;
  return product;
}

size_t offset_of(const std::vector<size_t>& shape, const std::vector<size_t>& index) {
  size_t offset = 0;
  for (size_t i = 0; i < shape.size(); ++i) offset = offset * shape[i] + index[i];
  return offset;
}

std::vector<size_t> index_of(const std::vector<size_t>& shape, size_t offset) {
  std::vector<size_t> index(shape.size());
  for (size_t i = shape.size(); i > 0; --i) {
    index[i - 1] = offset % shape[i - 1];
    offset /= shape[i - 1];
  }
  return index;
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
    if (key == "in")
      problem.inputs.push_back(parse_input(value));
    else if (key == "out")
      problem.outputs.push_back(value);
    else
      parse_param(problem, key, value);
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

double uniform(Random& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

const std::vector<Oracle>& all() { return registered(); }

const Oracle* find(const std::string& op) {
  for (const Oracle& oracle : registered())
    if (oracle.op == op) return &oracle;
  return nullptr;
}

Register::Register(Oracle oracle) { registered().push_back(std::move(oracle)); }

std::string shape_text(const std::vector<size_t>& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const size_t dim : shape) {
    if (!text.empty()) text += 'x';
    text += std::to_string(dim);
  }
  return text;
}

Oracle unary(std::string op, double (*function)(double), double low, double high) {
  Oracle oracle;
  oracle.op = std::move(op);
  oracle.problems = {"in=1", "in=257", "in=3x5", "in=2x3x4", "in=1x8x8x32", "in=2x3x5x7"};
  oracle.fill = [low, high](const Problem&, size_t, Tensor& values, Random& random) {
    for (double& value : values.values) value = uniform(random, low, high);
    return true;
  };
  oracle.compute = [function](const Problem&, const std::vector<Tensor>& inputs) {
    Tensor out = inputs[0];
    for (double& value : out.values) value = function(value);
    return std::vector<Tensor>{out};
  };
  return oracle;
}

Tensor broadcast(const Tensor& a, const Tensor& b, const std::function<double(double, double)>& function) {
  const size_t rank = std::max(a.shape.size(), b.shape.size());
  Tensor out;
  for (size_t i = 0; i < rank; ++i) {
    const size_t left = rank - i;  // dimensions from here to the end
    const size_t in_a = left > a.shape.size() ? 1 : a.dim_from_end(left - 1);
    const size_t in_b = left > b.shape.size() ? 1 : b.dim_from_end(left - 1);
    out.shape.push_back(in_a == 1 ? in_b : in_a);
  }
  const auto value_of = [&](const Tensor& from, const std::vector<size_t>& index) {
    size_t offset = 0;
    for (size_t i = 0; i < from.shape.size(); ++i) {
      const size_t at = index[rank - from.shape.size() + i];
      offset = offset * from.shape[i] + (from.shape[i] == 1 ? 0 : at);
    }
    return from.values[offset];
  };
  for (size_t i = 0; i < count(out.shape); ++i) {
    const std::vector<size_t> index = index_of(out.shape, i);
    out.values.push_back(function(value_of(a, index), value_of(b, index)));
  }
  return out;
}

Oracle binary(std::string op, double (*function)(double, double)) {
  Oracle oracle;
  oracle.op = std::move(op);
  oracle.problems = {"in=1 in=1",          "in=257 in=257",           "in=3x5 in=5",
                     "in=2x3x4 in=3x1",    "in=1x8x8x32 in=1x1x1x32", "in=2x1x5x1 in=1x3x1x7",
                     "in=1x4x5x6 in=4x1x6"};
  oracle.random_problem = [](Random& random) {
    std::vector<size_t> a(pick(random, 1, 4));
    for (size_t& dim : a) dim = pick(random, 1, 6);
    std::vector<size_t> b = a;
    for (size_t i = 0; i < a.size(); ++i) {
      const size_t stretched = pick(random, 0, 5);
      if (stretched == 0) a[i] = 1;
      if (stretched == 1) b[i] = 1;
    }
    return "in=" + shape_text(a) + " in=" + shape_text(b);
  };
  oracle.compute = [function](const Problem&, const std::vector<Tensor>& inputs) {
    return std::vector<Tensor>{broadcast(inputs[0], inputs[1], function)};
  };
  return oracle;
}

}  // namespace openqnn::oracle
