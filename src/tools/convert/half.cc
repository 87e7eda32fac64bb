// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/half.h"

#include "base/half.h"
#include "base/text.h"
#include "ops/op.h"
#include "ops/operand_names.h"

namespace openqnn::tools::convert {
namespace {

using ir::DataType;
using ir::TensorIndex;

ir::Tensor half_of(ir::Tensor tensor) {
  if (tensor.desc.type != DataType::kFloat32) return tensor;
  tensor.desc.type = DataType::kFloat16;
  if (tensor.data) {
    const uint64_t count = tensor.data.size() / sizeof(float);
    tensor.data = ir::Blob::made_by(count * sizeof(Half), [floats = tensor.data, count] {
      std::vector<std::byte> halves(count * sizeof(Half));
      floats_to_halves(floats.data(), halves.data(), count);
      floats.release();
      return halves;
    });
  }
  return tensor;
}

class Rewriter {
 public:
  Rewriter(const ir::Graph& graph, bool keep_io) : graph_(graph), keep_io_(keep_io), out_(graph.name()) {}

  Result<ir::Graph> run() {
    for (const ir::Tensor& tensor : graph_.tensors()) OPENQNN_TRY(add_tensor(tensor));
    for (TensorIndex i = 0; i < inside_.size(); ++i)
      if (graph_.tensors()[i].role == ir::TensorRole::kInput)
        OPENQNN_TRY(cast(outside_[i], inside_[i], "_half"));
    for (const ir::Node& node : graph_.nodes()) OPENQNN_TRY(add_node(node));
    for (TensorIndex i = 0; i < inside_.size(); ++i)
      if (graph_.tensors()[i].role == ir::TensorRole::kOutput)
        OPENQNN_TRY(cast(inside_[i], outside_[i], "_single"));
    OPENQNN_TRY(out_.check_complete());
    return std::move(out_);
  }

 private:
  Status add_tensor(const ir::Tensor& tensor) {
    const bool both = keep_io_ && ir::is_io(tensor.role) && tensor.desc.type == DataType::kFloat32;
    OPENQNN_ASSIGN(const TensorIndex outside, out_.add_tensor(both ? tensor : half_of(tensor)));
    outside_.push_back(outside);
    inside_.push_back(outside);
    if (!both) return {};
    ir::Tensor inner = half_of(tensor);
    inner.name += "_half";
    inner.role = ir::TensorRole::kNative;
    OPENQNN_ASSIGN(inside_.back(), out_.add_tensor(std::move(inner)));
    return {};
  }

  Status cast(TensorIndex from, TensorIndex to, const char* suffix) {
    if (from == to) return {};
    return add_checked({.name = out_.tensors()[from].name + suffix,
                        .type = "Cast",
                        .params = {},
                        .inputs = {from},
                        .outputs = {to}});
  }

  Status add_node(const ir::Node& node) {
    ir::Node made = node;
    for (auto* const operands : {&made.inputs, &made.outputs})
      for (TensorIndex& tensor : *operands)
        if (tensor != ir::kNoTensor) tensor = inside_[tensor];
    return add_checked(std::move(made));
  }

  Status add_checked(ir::Node node) {
    const Status status =
        ops::with_names(ops::validate(node.type, ops::call_of(out_, node)), ops::names_of(out_, node));
    if (!status) {
      return unsupported("half-node", concat("node '", node.name, "' (", node.type,
                                             ") cannot be computed in half: ", status.error().message))
          .fix_by(
              "convert without --float_bitwidth 16: float tensors are computed in half on the device anyway");
    }
    return out_.add_node(std::move(node));
  }

  const ir::Graph& graph_;
  const bool keep_io_;
  ir::Graph out_;
  std::vector<TensorIndex> outside_;  // the tensors of the new graph, beside those of the old
  std::vector<TensorIndex> inside_;   // the same as the nodes see them
};

}  // namespace

Result<ir::Graph> in_half(const ir::Graph& graph, bool keep_io) { return Rewriter(graph, keep_io).run(); }

}  // namespace openqnn::tools::convert
