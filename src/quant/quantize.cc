// SPDX-License-Identifier: BSD-3-Clause
#include "quant/quantize.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ops/elements.h"

namespace openqnn::quant {
namespace {

using ir::DataType;
using ir::TensorIndex;

class Rewriter {
 public:
  Rewriter(const ir::Graph& graph, const Plan& plan, const Options& options)
      : graph_(graph), plan_(plan), options_(options), out_(graph.name()), held_(graph.tensors().size()) {}

  Result<ir::Graph> run() {
    OPENQNN_TRY(add_io());
    for (size_t i = 0; i < graph_.nodes().size(); ++i)
      OPENQNN_TRY(add_node(graph_.nodes()[i], plan_.nodes[i]));
    OPENQNN_TRY(finish_outputs());
    OPENQNN_TRY(out_.check_complete());
    return std::move(out_);
  }

 private:
  // The tensors of the new graph that hold one of the old.
  struct Held {
    TensorIndex as_float = ir::kNoTensor;
    TensorIndex as_fixed = ir::kNoTensor;
    std::vector<TensorIndex> in_other_types;  // for nodes that cannot take the other
  };

  bool is_io(TensorIndex tensor) const { return ir::is_io(graph_.tensors()[tensor].role); }
  // Whether the client sees it as integers.
  bool fixed_io(TensorIndex tensor) const {
    const bool stays_float =
        options_.float_io || options_.float_io_names.contains(graph_.tensors()[tensor].name);
    if (!is_io(tensor) || !plan_.tensors[tensor] || stays_float) return false;
    if (graph_.tensors()[tensor].role == ir::TensorRole::kInput) return true;
    const auto producer = graph_.producer(tensor);
    return producer && plan_.nodes[*producer].fixed;
  }

  Status add_io() {
    for (TensorIndex i = 0; i < graph_.tensors().size(); ++i) {
      if (!is_io(i)) continue;
      ir::Tensor tensor = graph_.tensors()[i];
      const bool fixed = fixed_io(i);
      if (fixed) tensor.desc = *plan_.tensors[i];
      OPENQNN_ASSIGN((fixed ? held_[i].as_fixed : held_[i].as_float), out_.add_tensor(std::move(tensor)));
    }
    return {};
  }

  Result<TensorIndex> add_native(const std::string& name, const ir::TensorDesc& desc) {
    return out_.add_tensor({.name = name, .role = ir::TensorRole::kNative, .desc = desc, .data = nullptr});
  }

  // One node that converts between float and integers, or integers of different widths.
  Status convert(const std::string& name, TensorIndex from, TensorIndex to) {
    const bool from_float = ir::is_float(out_.tensors()[from].desc.type);
    const bool to_float = ir::is_float(out_.tensors()[to].desc.type);
    return out_.add_node({.name = name,
                          .type = to_float     ? "Dequantize"
                                  : from_float ? "Quantize"
                                               : "Convert",
                          .params = {},
                          .inputs = {from},
                          .outputs = {to}});
  }

  Result<TensorIndex> as_float(TensorIndex tensor) {
    Held& held = held_[tensor];
    if (held.as_float != ir::kNoTensor) return held.as_float;
    const ir::Tensor& old = graph_.tensors()[tensor];
    if (old.role == ir::TensorRole::kStatic) {
      OPENQNN_ASSIGN(held.as_float, add_constant(old, old.desc, old.data));
      return held.as_float;
    }
    OPENQNN_ASSIGN(held.as_float, add_native(old.name + "_float", old.desc));
    OPENQNN_TRY(convert(old.name + "_dequantize", held.as_fixed, held.as_float));
    return held.as_float;
  }

  Result<TensorIndex> as_fixed(TensorIndex tensor) {
    Held& held = held_[tensor];
    if (held.as_fixed != ir::kNoTensor) return held.as_fixed;
    const ir::Tensor& old = graph_.tensors()[tensor];
    OPENQNN_ASSIGN(held.as_fixed, add_native(old.name + "_fixed", *plan_.tensors[tensor]));
    OPENQNN_TRY(convert(old.name + "_quantize", held.as_float, held.as_fixed));
    return held.as_fixed;
  }

  // As the node takes it, whose type may be another.
  Result<TensorIndex> as_taken(TensorIndex tensor, const ir::TensorDesc& desc) {
    OPENQNN_ASSIGN(const TensorIndex fixed, as_fixed(tensor));
    if (out_.tensors()[fixed].desc.type == desc.type) return fixed;
    Held& held = held_[tensor];
    for (const TensorIndex other : held.in_other_types)
      if (out_.tensors()[other].desc.type == desc.type) return other;
    const std::string& name = graph_.tensors()[tensor].name;
    OPENQNN_ASSIGN(const TensorIndex made, add_native(concat(name, "_as_", ir::name(desc.type)), desc));
    held.in_other_types.push_back(made);
    OPENQNN_TRY(convert(concat(name, "_to_", ir::name(desc.type)), fixed, made));
    return made;
  }

  // A constant in the form in which this node takes it; the same form is stored once.
  Result<TensorIndex> constant(const ir::Node& node, const NodePlan& plan, size_t index) {
    const ir::Tensor& old = graph_.tensors()[node.inputs[index]];
    const ir::TensorDesc& desc = plan.inputs[index];
    if (counts_products(desc)) return product_bias(old, plan);
    std::vector<TensorIndex>& forms = forms_[node.inputs[index]];
    for (const TensorIndex form : forms)
      if (out_.tensors()[form].desc.type == desc.type &&
          out_.tensors()[form].desc.quantization == desc.quantization)
        return form;
    ir::Blob data = old.data.is_stated() ? ir::Blob::of(stored(desc, floats_of(old)))
                                         : ir::Blob::unstated(ir::plain_bytes(desc));
    OPENQNN_ASSIGN(const TensorIndex made, add_constant(old, desc, std::move(data)));
    old.data.release();
    forms.push_back(made);
    return made;
  }

  // A constant that nodes take in several forms has several names.
  Result<TensorIndex> add_constant(const ir::Tensor& old, const ir::TensorDesc& desc, ir::Blob data) {
    ir::Tensor fixed = old;
    const uint32_t others = copies_[old.name]++;
    if (others != 0) fixed.name = concat(old.name, "_fixed_", others);
    fixed.desc = desc;
    fixed.data = std::move(data);
    return out_.add_tensor(std::move(fixed));
  }

  // The bias in products of input and weight steps, channel by channel.
  Result<TensorIndex> product_bias(const ir::Tensor& old, const NodePlan& plan) {
    const std::span<const float> values = floats_of(old);
    const ir::TensorDesc& desc = plan.inputs[2];
    std::vector<std::byte> stored(values.size() * sizeof(int32_t));
    for (uint64_t i = 0; i < values.size(); ++i) {
      const double step = product_step(plan.inputs[0].quantization, plan.inputs[1].quantization, i);
      const int32_t count = quantize_steps(static_cast<double>(values[i]) / step, 0, {INT32_MIN, INT32_MAX});
      ops::save_integer(desc.type, stored.data(), i, count);
    }
    return add_constant(old, desc, ir::Blob::of(std::move(stored)));
  }

  Status add_node(const ir::Node& node, const NodePlan& plan) {
    ir::Node made = node;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == ir::kNoTensor) continue;
      const ir::Tensor& old = graph_.tensors()[node.inputs[i]];
      const bool becomes_fixed = plan.fixed && old.desc.type == DataType::kFloat32;
      if (!becomes_fixed) {
        OPENQNN_ASSIGN(made.inputs[i], as_float(node.inputs[i]));
      } else if (old.role == ir::TensorRole::kStatic) {
        OPENQNN_ASSIGN(made.inputs[i], constant(node, plan, i));
      } else {
        OPENQNN_ASSIGN(made.inputs[i], as_taken(node.inputs[i], plan.inputs[i]));
      }
    }
    std::vector<std::pair<TensorIndex, TensorIndex>> narrowed;  // or widened: from what the node gives
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const TensorIndex output = node.outputs[i];
      if (output == ir::kNoTensor) continue;
      const ir::Tensor& old = graph_.tensors()[output];
      const bool fixed = plan.fixed && old.desc.type == DataType::kFloat32;
      TensorIndex& held = fixed ? held_[output].as_fixed : held_[output].as_float;
      if (held == ir::kNoTensor) {
        // An output that the client sees in the other form is converted in the end.
        const std::string name = is_io(output) ? old.name + (fixed ? "_fixed" : "_float") : old.name;
        OPENQNN_ASSIGN(held, add_native(name, fixed ? *plan_.tensors[output] : old.desc));
      }
      made.outputs[i] = held;
      if (!fixed || plan.outputs[i].type == plan_.tensors[output]->type) continue;
      OPENQNN_ASSIGN(made.outputs[i], add_native(concat(old.name, "_given"), plan.outputs[i]));
      narrowed.emplace_back(made.outputs[i], held);
    }
    OPENQNN_TRY(out_.add_node(std::move(made)));
    for (const auto& [from, to] : narrowed)
      OPENQNN_TRY(convert(out_.tensors()[from].name + "_convert", from, to));
    return {};
  }

  Status finish_outputs() {
    for (TensorIndex i = 0; i < graph_.tensors().size(); ++i) {
      if (graph_.tensors()[i].role != ir::TensorRole::kOutput) continue;
      const Held& held = held_[i];
      const bool both = held.as_fixed != ir::kNoTensor && held.as_float != ir::kNoTensor;
      if (!both) continue;
      const TensorIndex seen = fixed_io(i) ? held.as_fixed : held.as_float;
      const TensorIndex other = fixed_io(i) ? held.as_float : held.as_fixed;
      if (!out_.producer(seen)) OPENQNN_TRY(convert(graph_.tensors()[i].name + "_convert", other, seen));
    }
    return {};
  }

  const ir::Graph& graph_;
  const Plan& plan_;
  const Options& options_;
  ir::Graph out_;
  std::vector<Held> held_;
  std::map<TensorIndex, std::vector<TensorIndex>> forms_;  // of each constant
  std::map<std::string, uint32_t> copies_;
};

}  // namespace

Result<ir::Graph> apply(const ir::Graph& graph, const Plan& plan, const Options& options) {
  return Rewriter(graph, plan, options).run();
}

}  // namespace openqnn::quant
