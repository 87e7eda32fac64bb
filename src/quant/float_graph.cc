// SPDX-License-Identifier: BSD-3-Clause
#include "quant/float_graph.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "ops/elements.h"
#include "quant/encoding.h"
#include "quant/reference_run.h"

namespace openqnn::quant {
namespace {

using ir::DataType;
using ir::TensorIndex;

bool is_real(const ir::TensorDesc& desc) { return ir::is_quantized(desc.type) || ir::is_float(desc.type); }

class Floats {
 public:
  explicit Floats(const ir::Graph& graph)
      : graph_(graph),
        out_(graph.name()),
        same_as_(graph.tensors().size()),
        made_(same_as_.size(), ir::kNoTensor) {
    std::iota(same_as_.begin(), same_as_.end(), TensorIndex{0});
  }

  Result<ir::Graph> take() && {
    for (const ir::Node& node : graph_.nodes())
      if (converts(node)) OPENQNN_TRY(join(node));
    for (TensorIndex i = 0; i < graph_.tensors().size(); ++i)
      if (same_as_[i] == i && !counts_products(tensor(i).desc)) OPENQNN_TRY(add(i, constant_of(i)));
    for (const ir::Node& node : graph_.nodes())
      if (!converts(node)) OPENQNN_TRY(add_node(node));
    OPENQNN_TRY(out_.check_complete());
    return std::move(out_);
  }

 private:
  const ir::Tensor& tensor(TensorIndex index) const { return graph_.tensors()[index]; }
  TensorIndex held_by(TensorIndex index) const {
    while (same_as_[index] != index) index = same_as_[index];
    return index;
  }

  bool converts(const ir::Node& node) const {
    static constexpr std::array<std::string_view, 4> kTypes = {"Quantize", "Dequantize", "Convert", "Cast"};
    return std::ranges::find(kTypes, node.type) != kTypes.end() && is_real(tensor(node.inputs[0]).desc) &&
           is_real(tensor(node.outputs[0]).desc);
  }

  // What a conversion reads and writes becomes one tensor, by the name that a client knows.
  Status join(const ir::Node& node) {
    const TensorIndex from = held_by(node.inputs[0]);
    const TensorIndex to = node.outputs[0];
    if (tensor(to).role != ir::TensorRole::kOutput) {
      same_as_[to] = from;
    } else if (tensor(from).role == ir::TensorRole::kNative) {
      same_as_[from] = to;
    } else {
      return unsupported("float-graph", concat("output '", tensor(to).name, "' is '", tensor(from).name,
                                               "' in another type, which float has no op for"))
          .at(concat("node '", node.name, "'"))
          .fix_by("give the float model with --reference");
    }
    return {};
  }

  std::vector<float> constant_of(TensorIndex index) const {
    const ir::Tensor& old = tensor(index);
    const bool is_known = ir::is_float(old.desc.type) || !old.desc.quantization.encodings.empty();
    if (!old.data || !is_real(old.desc) || !is_known) return {};
    if (old.desc.quantization.encodings.size() > 1) return reals_by_slice(old);
    return reals_of(old.desc, {old.data.data(), old.data.size()});
  }

  // Of a constant with an encoding for each channel or block.
  static std::vector<float> reals_by_slice(const ir::Tensor& old) {
    const ir::Quantization& quantization = old.desc.quantization;
    const bool is_signed = ops::is_signed_fixed(old.desc.type);
    std::vector<float> reals;
    reals.reserve(old.desc.shape.elements());
    ir::for_each_index(ir::Box::whole(old.desc.shape), [&](const ir::Shape& index) {
      const int64_t whole = ops::load_integer(old.desc.type, old.data.data(), reals.size());
      const int64_t stored = quantization.bits ? ops::low_bits(whole, quantization.bits, is_signed) : whole;
      reals.push_back(static_cast<float>(ops::dequantize(stored, quantization.of(old.desc.shape, index))));
    });
    return reals;
  }

  std::vector<float> products_of(const ir::Tensor& bias, const ir::Node& node) const {
    const ir::Quantization& input = tensor(node.inputs[0]).desc.quantization;
    const ir::Quantization& weights = tensor(node.inputs[1]).desc.quantization;
    std::vector<float> reals(bias.data.size() / sizeof(int32_t));
    for (size_t i = 0; i < reals.size(); ++i) {
      const auto count = static_cast<double>(ops::load_integer(bias.desc.type, bias.data.data(), i));
      const auto own = static_cast<double>(bias.desc.quantization.at(static_cast<uint32_t>(i)).scale);
      reals[i] = static_cast<float>(count * (own == 0.0 ? product_step(input, weights, i) : own));
    }
    return reals;
  }

  Status add(TensorIndex index, const std::vector<float>& constant) {
    ir::Tensor made = tensor(index);
    if (is_real(made.desc)) {
      made.desc.type = DataType::kFloat32;
      made.desc.quantization = {};
      if (made.data) {
        const auto bytes = std::as_bytes(std::span(constant));
        made.data = ir::Blob::of(std::vector<std::byte>(bytes.begin(), bytes.end()));
      }
    }
    OPENQNN_ASSIGN(made_[index], out_.add_tensor(std::move(made)));
    return {};
  }

  Status add_node(const ir::Node& node) {
    ir::Node made = node;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const TensorIndex input = node.inputs[i];
      if (input == ir::kNoTensor) continue;
      if (counts_products(tensor(input).desc)) OPENQNN_TRY(add_bias(node, i));
      made.inputs[i] = made_[held_by(input)];
    }
    for (TensorIndex& output : made.outputs)
      if (output != ir::kNoTensor) output = made_[held_by(output)];
    return out_.add_node(std::move(made));
  }

  Status add_bias(const ir::Node& node, size_t operand) {
    if (made_[node.inputs[operand]] != ir::kNoTensor) return {};
    const ir::Tensor& bias = tensor(node.inputs[operand]);
    const auto has_encoding = [&](size_t i) {
      return node.inputs[i] != ir::kNoTensor && !tensor(node.inputs[i]).desc.quantization.encodings.empty();
    };
    if (operand != 2 || !bias.data || !has_encoding(0) || !has_encoding(1))
      return unsupported("float-graph", concat("'", bias.name, "' has no scale, and is no bias of weights"))
          .at(concat("node '", node.name, "'"))
          .fix_by("give the float model with --reference");
    return add(node.inputs[operand], products_of(bias, node));
  }

  const ir::Graph& graph_;
  ir::Graph out_;
  std::vector<TensorIndex> same_as_;  // another that holds the same values, or itself
  std::vector<TensorIndex> made_;     // in the graph that is made
};

}  // namespace

bool is_float_inside(const ir::Graph& graph) {
  return std::ranges::all_of(graph.nodes(), [&graph](const ir::Node& node) {
    if (node.type == "Quantize" || node.type == "Dequantize") return true;
    const auto is_fixed = [&graph](TensorIndex tensor) {
      return tensor != ir::kNoTensor && ir::is_quantized(graph.tensors()[tensor].desc.type);
    };
    return std::ranges::none_of(node.inputs, is_fixed) && std::ranges::none_of(node.outputs, is_fixed);
  });
}

Result<ir::Graph> float_graph_of(const ir::Graph& quantized) { return Floats(quantized).take(); }

}  // namespace openqnn::quant
