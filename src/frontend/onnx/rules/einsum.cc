// SPDX-License-Identifier: BSD-3-Clause
// Einsum: operands are multiplied pair by pair, from the left. A pair is a product of matrices once its
// labels are sorted into those that both operands and the result have, those that are summed over, and the
// rest of each.
#include <algorithm>
#include <string>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/matrix.h"

namespace openqnn::frontend::onnx {
namespace {

// One letter per dimension. What an ellipsis stands for gets digits, counted from the last dimension.
using Labels = std::string;

struct Equation {
  std::vector<Labels> operands;
  Labels result;
};

bool has(const Labels& labels, char label) { return labels.find(label) != Labels::npos; }

std::string without_spaces(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ') out += c;
  return out;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// "...ij" of a tensor of rank 4 becomes "10ij".
Result<Labels> spelled_out(const NodeView& node, std::string term, size_t rank) {
  const size_t dots = term.find("...");
  if (dots != std::string::npos) {
    const size_t named = term.size() - 3;
    if (named > rank || rank - named > 10) return node.wrong(concat("'", term, "' does not fit rank ", rank));
    std::string filled;
    for (size_t i = rank - named; i-- > 0;) filled += static_cast<char>('0' + i);
    term.replace(dots, 3, filled);
  }
  const bool letters = std::all_of(term.begin(), term.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
  if (!letters || term.size() != rank)
    return node.wrong(concat("'", term, "' does not describe a tensor of rank ", rank));
  return term;
}

// Without an arrow the result has what occurs once, in the order of the alphabet, after the ellipsis.
Labels implied_result(const std::vector<Labels>& operands) {
  Labels digits;
  Labels once;
  Labels all;
  for (const Labels& operand : operands) all += operand;
  for (const char label : all) {
    if (label >= '0' && label <= '9') {
      if (!has(digits, label)) digits += label;
    } else if (std::count(all.begin(), all.end(), label) == 1) {
      once += label;
    }
  }
  std::sort(digits.rbegin(), digits.rend());
  std::sort(once.begin(), once.end());
  return digits + once;
}

Result<Equation> equation_of(const NodeView& node) {
  const std::string equation = without_spaces(node.attributes().text("equation", ""));
  const size_t arrow = equation.find("->");
  const auto terms = split(equation.substr(0, arrow));
  if (terms.size() != node.input_count())
    return node.wrong(concat("the equation has ", terms.size(), " operands, the node ", node.input_count()));
  Equation parsed;
  Labels digits;
  for (size_t i = 0; i < terms.size(); ++i) {
    OPENQNN_ASSIGN(Labels labels, spelled_out(node, terms[i], node.rank(i)));
    const auto widest = static_cast<size_t>(
        std::count_if(labels.begin(), labels.end(), [](char c) { return c >= '0' && c <= '9'; }));
    if (widest > digits.size()) {
      digits.clear();
      for (size_t d = widest; d-- > 0;) digits += static_cast<char>('0' + d);
    }
    parsed.operands.push_back(std::move(labels));
  }
  if (arrow == std::string::npos) {
    parsed.result = implied_result(parsed.operands);
    return parsed;
  }
  std::string result = equation.substr(arrow + 2);
  if (const size_t dots = result.find("..."); dots != std::string::npos) result.replace(dots, 3, digits);
  for (size_t i = 0; i < result.size(); ++i) {
    const bool known = std::any_of(parsed.operands.begin(), parsed.operands.end(),
                                   [&](const Labels& labels) { return has(labels, result[i]); });
    if (!known || result.find(result[i], i + 1) != std::string::npos)
      return node.wrong(concat("the result '", result, "' has a label that no operand has, or twice"));
  }
  parsed.result = std::move(result);
  return parsed;
}

Status infer_einsum(Inference& node) {
  OPENQNN_TRY(node.need_inputs(std::max<size_t>(node.input_count(), 1)));
  OPENQNN_ASSIGN(const Equation equation, equation_of(node));
  std::vector<int64_t> extent(256, -1);
  for (size_t i = 0; i < equation.operands.size(); ++i) {
    for (size_t d = 0; d < equation.operands[i].size(); ++d) {
      const char label = equation.operands[i][d];
      int64_t& known = extent[static_cast<unsigned char>(label)];
      const int64_t here = node.dims(i)[d];
      if (known < 0) known = here;
      if (known == here) continue;
      if (known != 1 && here != 1)
        return node.wrong(concat("label '", std::string(1, label), "' is ", known, " and ", here));
      return node.not_offered("its operands are stretched to one another, which is not composed here")
          .fix_by("put an Expand before it");
    }
  }
  Dims dims;
  for (const char label : equation.result) dims.push_back(extent[static_cast<unsigned char>(label)]);
  return node.set(0, node.type(0), std::move(dims));
}

// ---- Lowering ----

// A tensor on the way, and what its dimensions are.
struct Term {
  TensorRef tensor;
  Labels labels;
};

int64_t extent_of(Lowering& node, const Term& term, const Labels& labels) {
  const Dims dims = node.lies_as(term.tensor);
  int64_t extent = 1;
  for (size_t i = 0; i < term.labels.size() && i < dims.size(); ++i)
    if (has(labels, term.labels[i])) extent *= dims[i];
  return extent;
}

Term arranged(Lowering& node, const Term& term, const Labels& labels) {
  Order order;
  for (const char label : labels) order.push_back(static_cast<uint32_t>(term.labels.find(label)));
  return {node.transpose(term.tensor, order), labels};
}

// A label that a term has twice means its diagonal: with both dimensions last and made one, every (n+1)th.
Term diagonal(Lowering& node, Term term) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const size_t twin = term.labels.find(term.labels[i], i + 1);
    if (twin == Labels::npos) continue;
    const char label = term.labels[i];
    Order order;
    Labels rest;
    for (uint32_t d = 0; d < term.labels.size(); ++d) {
      if (d == i || d == twin) continue;
      order.push_back(d);
      rest += term.labels[d];
    }
    order.push_back(static_cast<uint32_t>(i));
    order.push_back(static_cast<uint32_t>(twin));
    const TensorRef moved = node.transpose(term.tensor, order);
    Dims dims = node.lies_as(moved);
    if (dims.size() != order.size()) return term;  // a refusal before
    const int64_t extent = dims.back();
    dims.pop_back();
    const int64_t others = extent_between(dims, 0, dims.size() - 1);
    const TensorRef flat = node.reshape(moved, {others, extent * extent});
    const std::vector<int32_t> ranges{
        0, static_cast<int32_t>(others),          1,
        0, static_cast<int32_t>(extent * extent), static_cast<int32_t>(extent + 1)};
    const TensorRef picked = node.emit("StridedSlice", {flat}, Params().i32s("ranges", ranges, {2, 3}),
                                       node.desc(flat).type, {others, extent});
    return diagonal(node, {node.reshape(picked, dims), rest + label});
  }
  return term;
}

// Sums over what nobody needs any more.
Term summed(Lowering& node, Term term, const Labels& needed) {
  std::vector<uint32_t> axes;
  Labels rest;
  Dims dims;
  const Dims from = node.lies_as(term.tensor);
  for (uint32_t d = 0; d < term.labels.size() && d < from.size(); ++d) {
    if (has(needed, term.labels[d])) {
      rest += term.labels[d];
      dims.push_back(from[d]);
    } else {
      axes.push_back(d);
    }
  }
  if (axes.empty()) return term;
  if (dims.empty()) dims = {1};
  return {
      node.emit("ReduceSum", {term.tensor}, Params().u32s("axes", axes), node.desc(term.tensor).type, dims),
      rest};
}

Term multiplied(Lowering& node, Term a, Term b, const Labels& needed) {
  a = summed(node, a, needed + b.labels);
  b = summed(node, b, needed + a.labels);
  if (node.refusal()) return a;
  Labels shared;
  Labels inner;
  Labels left;
  Labels right;
  for (const char label : a.labels)
    (has(b.labels, label) ? (has(needed, label) ? shared : inner) : left) += label;
  for (const char label : b.labels)
    if (!has(a.labels, label)) right += label;
  const int64_t batch = extent_of(node, a, shared);
  const int64_t sums = extent_of(node, a, inner);
  const int64_t rows = extent_of(node, a, left);
  const int64_t columns = extent_of(node, b, right);
  Dims dims;
  for (const auto& [term, labels] : {std::pair{a, shared + left}, std::pair{b, right}})
    for (const char label : labels) dims.push_back(node.lies_as(term.tensor)[term.labels.find(label)]);
  const TensorRef x = node.reshape(arranged(node, a, shared + left + inner).tensor, {batch, rows, sums});
  const TensorRef y = node.reshape(arranged(node, b, shared + inner + right).tensor, {batch, sums, columns});
  return {node.reshape(product(node, x, false, y, false), dims), shared + left + right};
}

Status lower_einsum(Lowering& node) {
  OPENQNN_ASSIGN(const Equation equation, equation_of(node));
  Term term = diagonal(node, {node.input(0), equation.operands[0]});
  for (size_t i = 1; i < equation.operands.size() && !node.refusal(); ++i) {
    Labels needed = equation.result;
    for (size_t later = i + 1; later < equation.operands.size(); ++later) needed += equation.operands[later];
    Term next = diagonal(node, {node.input(i), equation.operands[i]});
    if (node.refusal()) return {};
    term = multiplied(node, std::move(term), std::move(next), needed);
  }
  if (node.refusal()) return {};
  term = summed(node, std::move(term), equation.result);
  if (node.refusal()) return {};
  return node.result(node.reshape(arranged(node, term, equation.result).tensor, node.out().dims));
}

}  // namespace

std::span<const Rule> einsum_rules() {
  static const Rule kRules[] = {
      {"Einsum", infer_einsum, nullptr, lower_einsum},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
