// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/inference.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::frontend::onnx {

DiagnosticBuilder wrong_node(const NetNode& node, const std::string& why) {
  return invalid("onnx-node", why)
      .at(concat("node '", node.name, "' (", node.type, ")"))
      .fix_by("the model breaks ONNX's rules; export it again");
}

DiagnosticBuilder not_offered_node(const NetNode& node, const std::string& why) {
  return unsupported("onnx-op", why).at(concat("node '", node.name, "' (", node.type, ")"));
}

DiagnosticBuilder NodeView::wrong(const std::string& why) const { return wrong_node(node_, why); }
DiagnosticBuilder NodeView::not_offered(const std::string& why) const { return not_offered_node(node_, why); }

Result<size_t> NodeView::axis(int64_t axis, size_t rank) const {
  const auto limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit)
    return wrong(concat("axis ", axis, " does not exist in a tensor of rank ", rank));
  return static_cast<size_t>(axis < 0 ? axis + limit : axis);
}

Result<std::vector<size_t>> NodeView::axes(const std::vector<int64_t>& axes, size_t rank) const {
  std::vector<size_t> all;
  for (const int64_t given : axes) {
    OPENQNN_ASSIGN(const size_t found, axis(given, rank));
    if (std::find(all.begin(), all.end(), found) != all.end())
      return wrong(concat("axis ", given, " is named twice"));
    all.push_back(found);
  }
  return all;
}

Result<size_t> NodeView::axis_attribute(int64_t fallback) const {
  return axis(attributes().integer("axis", fallback), rank(0));
}

Result<std::optional<std::vector<int64_t>>> NodeView::integers_of(size_t input,
                                                                  std::string_view attribute) const {
  if (has(input)) {
    if (const Constant* found = constant(input)) return std::optional(found->integers());
    return not_offered(concat("its ", attribute,
                              " are computed by the model, but shapes must be known before it runs"))
        .fix_by("export the model with fixed shapes, or simplify it first");
  }
  if (!attributes().has(attribute)) return std::optional<std::vector<int64_t>>();
  return std::optional(attributes().integers(attribute));
}

Result<int64_t> NodeView::integer_of(size_t input, std::string_view name) const {
  OPENQNN_ASSIGN(const auto values, integers_of(input, name));
  if (!values || values->size() != 1) return wrong(concat("its ", name, " is no single number"));
  return values->front();
}

Result<std::vector<int64_t>> Inference::need_integers(size_t input, std::string_view what) const {
  if (!has(input)) return wrong(concat(what, " (input ", input, ") is absent"));
  const Constant* found = constant(input);
  if (found == nullptr) {
    return not_offered(concat(what, " (tensor '", in(input).name,
                              "') is computed by the model, but shapes must be known before it runs"))
        .fix_by("export the model with fixed shapes, or simplify it first");
  }
  return found->integers();
}

Status Inference::need_inputs(size_t count) const {
  for (size_t i = 0; i < count; ++i)
    if (!has(i)) return wrong(concat("input ", i, " is absent"));
  return {};
}

Status Inference::set(size_t output, ElementType type, Dims dims) {
  if (!wants(output)) return {};
  if (dims.size() > kMostDims)
    return not_offered(concat("its output would have ", dims.size(), " dimensions"));
  if (const auto count = checked_count(dims); !count)
    return wrong(concat("its output would be ", text_of(dims), ", which no memory holds"));
  Value& value = changed_.values[node().outputs[output]];
  value.type = type;
  value.dims = std::move(dims);
  return {};
}

Status Inference::set(size_t output, Constant constant) {
  if (!wants(output)) return {};
  OPENQNN_TRY(set(output, constant.type(), constant.dims()));
  const uint64_t made = count_of(constant.dims());
  if (made > changed_.foldable)
    return not_offered(concat("the constants that nodes make of constants would fill memory: ", made,
                              " elements more, and ", changed_.foldable, " are left"));
  changed_.foldable -= made;
  changed_.values[node().outputs[output]].constant = std::make_shared<const Constant>(std::move(constant));
  return {};
}

void Inference::keep_encoding(size_t output, std::shared_ptr<const ir::TensorEncoding> encoding) {
  if (wants(output)) changed_.values[node().outputs[output]].encoding = std::move(encoding);
}

std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
  Dims out(std::max(a.size(), b.size()));
  for (size_t i = 0; i < out.size(); ++i) {  // from the last dimension
    const int64_t from_a = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t from_b = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (from_a != from_b && from_a != 1 && from_b != 1) return std::nullopt;
    out[out.size() - 1 - i] = from_a == 1 ? from_b : from_a;
  }
  return out;
}

Status infer_nothing(Inference& node) {
  return node.not_offered(concat("ops of type ", node.node().type, " are the converter's own"));
}

}  // namespace openqnn::frontend::onnx
