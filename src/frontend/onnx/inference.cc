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

DiagnosticBuilder Inference::wrong(const std::string& why) const { return wrong_node(node_, why); }
DiagnosticBuilder Inference::not_offered(const std::string& why) const {
  return not_offered_node(node_, why);
}

const Constant* Inference::constant(size_t input) const {
  return has(input) ? value(input).constant.get() : nullptr;
}

Result<std::vector<int64_t>> Inference::need_integers(size_t input, std::string_view what) const {
  if (!has(input)) return wrong(concat(what, " (input ", input, ") is absent"));
  const Constant* found = constant(input);
  if (found == nullptr) {
    return not_offered(concat(what, " (tensor '", value(input).name,
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
  Value& value = net_.values[node_.outputs[output]];
  value.type = type;
  value.dims = std::move(dims);
  return {};
}

Status Inference::set(size_t output, Constant constant) {
  if (!wants(output)) return {};
  OPENQNN_TRY(set(output, constant.type(), constant.dims()));
  const uint64_t made = count_of(constant.dims());
  if (made > net_.foldable)
    return not_offered(concat("the constants that nodes make of constants would fill memory: ", made,
                              " elements more, and ", net_.foldable, " are left"));
  net_.foldable -= made;
  net_.values[node_.outputs[output]].constant = std::make_shared<const Constant>(std::move(constant));
  return {};
}

void Inference::keep_encoding(size_t output, ir::TensorEncoding encoding) {
  if (!wants(output)) return;
  net_.values[node_.outputs[output]].encoding =
      std::make_shared<const ir::TensorEncoding>(std::move(encoding));
}

Result<size_t> Inference::axis(int64_t axis, size_t rank) const {
  const auto limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit)
    return wrong(concat("axis ", axis, " does not exist in a tensor of rank ", rank));
  return static_cast<size_t>(axis < 0 ? axis + limit : axis);
}

Result<std::vector<size_t>> Inference::axes(const std::vector<int64_t>& axes, size_t rank) const {
  std::vector<size_t> all;
  for (const int64_t given : axes) {
    OPENQNN_ASSIGN(const size_t found, axis(given, rank));
    if (std::find(all.begin(), all.end(), found) != all.end())
      return wrong(concat("axis ", given, " is named twice"));
    all.push_back(found);
  }
  return all;
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
