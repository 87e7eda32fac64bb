// SPDX-License-Identifier: BSD-3-Clause
// From a Net to the backend's ops. A value may lie in memory in another order of its dimensions than ONNX
// says: the backend convolves with channels last. Each value knows the tensors that hold it and the order of
// each; an op asks for the order it needs, and a Transpose is emitted only when no tensor has it. ONNX's own
// Transpose emits nothing: it renames the order. So transposes cancel, and those that remain are at edges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/onnx/inference.h"
#include "frontend/onnx/net.h"
#include "frontend/onnx/order.h"
#include "frontend/onnx/params.h"
#include "ir/graph.h"

namespace openqnn::frontend::onnx {

class GraphDraft;

// As the backend counts dimensions: a scalar has one. Nothing when there are more, or larger ones, than it
// has.
std::optional<ir::Shape> backend_shape(const Dims& dims);

// A tensor of the backend's graph, by index.
using TensorRef = uint32_t;
inline constexpr TensorRef kNoTensorRef = UINT32_MAX;

// One node, as the rules that lower it see it. An op that the backend refuses is remembered: what follows in
// the rule does nothing more, and the rule need not ask.
class Lowering : public NodeView {
 public:
  Lowering(const Net& net, const NetNode& node, GraphDraft& draft) : NodeView(net, node), draft_(draft) {}

  ir::DataType out_type(size_t output = 0) const { return backend_type(out(output).type); }

  // ---- operands ----
  // The tensor that holds an input in `order`, with a Transpose before it if there is none yet.
  TensorRef input(size_t index, const Order& order);
  TensorRef input(size_t index) { return input(index, plain_order(rank(index))); }
  // The order in which an input is at hand without a Transpose; channels last is preferred. Nothing for a
  // constant, which is at hand in every order.
  std::optional<Order> order_at_hand(size_t input) const;
  bool is_at_hand(size_t input, const Order& order) const;
  // The one of the inputs' that moves the fewest elements of the others; ONNX's own when all are constants.
  // For ops that do not mind.
  Order common_order() const;
  using NodeView::constant;
  // A constant of the backend's own: weights in their order, indices, a bound.
  TensorRef constant(ir::DataType type, const Dims& dims, Blob data);
  TensorRef constant(const Constant& values, const Order& order = {});
  TensorRef reals(const Dims& dims, const std::vector<double>& values);
  TensorRef integers(const Dims& dims, const std::vector<int64_t>& values);  // i32
  // For constants as large as dimensions say, before their values are made: a small file may not fill memory.
  // Where there is no room left, that is the refusal.
  bool make_room(const Dims& dims);
  const ir::TensorDesc& desc(TensorRef tensor) const;
  // The dimensions as the tensor lies.
  Dims lies_as(TensorRef tensor) const;

  // ---- ops ----
  // One op with one output of `type` and `dims`; `inputs` may hold kNoTensorRef.
  TensorRef emit(std::string_view type, std::vector<TensorRef> inputs, const Params& params, ir::DataType out,
                 const Dims& dims);
  struct OutputSpec {
    ir::DataType type;
    Dims dims;
    ir::Quantization quantization = {};  // of a fixed-point type
  };
  std::vector<TensorRef> emit(std::string_view type, std::vector<TensorRef> inputs, const Params& params,
                              const std::vector<OutputSpec>& outputs);
  // Short forms; each gives its operand back where there is nothing to do. A constant is reshaped without an
  // op.
  TensorRef reshape(TensorRef tensor, const Dims& dims);
  // Position i of the result is position order[i] of the tensor.
  TensorRef transpose(TensorRef tensor, const Order& order);
  // The same of a tensor seen in other dimensions, of which there may be more than the backend has: those
  // that stay together are one. The result is given in `dims`.
  TensorRef rearrange(TensorRef tensor, const Dims& seen_as, const Order& order, const Dims& dims);
  TensorRef cast(TensorRef tensor, ir::DataType type);
  // Ops without parameters that go element by element: the output lies as the operand, or as both stretched
  // to one another; its type is the first operand's unless it is given.
  TensorRef unary(std::string_view type, TensorRef x, std::optional<ir::DataType> out = std::nullopt);
  TensorRef binary(std::string_view type, TensorRef a, TensorRef b,
                   std::optional<ir::DataType> out = std::nullopt);

  // ---- results ----
  // Says which tensor holds an output, and in which order.
  void result(size_t output, TensorRef tensor, const Order& order);
  // The same of the first output. Rules end with it: it succeeds, and so does the next; refusals are
  // remembered.
  Status result(TensorRef tensor, const Order& order) {
    result(0, tensor, order);
    return {};
  }
  Status result(TensorRef tensor) { return result(tensor, plain_order(out(0).dims.size())); }
  // The output is the input, seen in another order (Transpose) or as it is (Identity): nothing is emitted.
  Status same_as_input(size_t input, const std::vector<int64_t>& perm = {});

  // The backend's first refusal.
  const std::optional<Diagnostic>& refusal() const { return refusal_; }

 private:
  TensorRef emit_transpose(TensorRef tensor, const Order& order);
  uint64_t elements_to_move(const Order& order) const;

  GraphDraft& draft_;
  std::optional<Diagnostic> refusal_;
};

}  // namespace openqnn::frontend::onnx
