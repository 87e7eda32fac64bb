// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/lowering.h"

#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/graph_draft.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostTransposed = 5;  // dimensions that the backend's Transpose takes

// A Transpose with as few dimensions as it needs: those of extent 1 are left out, and those that stay
// together are one.
struct SmallTranspose {
  Dims dims;    // of the operand
  Order order;  // of the result; plain when nothing moves
};

SmallTranspose smallest(const Dims& dims, const Order& order) {
  std::vector<uint32_t> moving;  // dimensions with more than one element, as the result has them
  for (const uint32_t d : order)
    if (dims[d] != 1) moving.push_back(d);
  // What follows its neighbour in the operand, dimensions of extent 1 aside, follows it in the result.
  auto next_in_operand = [&](uint32_t d) {
    for (++d; d < dims.size() && dims[d] == 1;) ++d;
    return d;
  };
  std::vector<std::vector<uint32_t>> groups;
  for (const uint32_t d : moving) {
    if (!groups.empty() && next_in_operand(groups.back().back()) == d)
      groups.back().push_back(d);
    else
      groups.push_back({d});
  }
  auto by_place = plain_numbers<size_t>(groups.size());  // groups in the operand's order
  std::sort(by_place.begin(), by_place.end(),
            [&](size_t a, size_t b) { return groups[a][0] < groups[b][0]; });
  SmallTranspose small;
  small.order.resize(groups.size());
  for (uint32_t place = 0; place < by_place.size(); ++place) {
    small.order[by_place[place]] = place;
    int64_t extent = 1;
    for (const uint32_t d : groups[by_place[place]]) extent *= dims[d];
    small.dims.push_back(extent);
  }
  return small;
}

}  // namespace

// ---- Operands ----

TensorRef Lowering::input(size_t index, const Order& order) {
  if (refusal_) return kNoTensorRef;
  const ValueId value = node().inputs[index];
  const auto& holders = draft_.holders(value);
  for (const auto& holder : holders)
    if (holder.order == order) return holder.tensor;
  TensorRef tensor = kNoTensorRef;
  if (const Constant* known = net().values[value].constant.get()) {
    tensor = constant(*known, order);
  } else if (!holders.empty()) {
    const auto [from, held] = holders.front();
    tensor = transpose(held, between(from, order));
  } else {
    refusal_ = internal("onnx-lower", concat("no tensor holds '", net().values[value].name, "'"));
    return kNoTensorRef;
  }
  if (tensor != kNoTensorRef) draft_.hold(value, order, tensor);
  return tensor;
}

std::optional<Order> Lowering::order_at_hand(size_t index) const {
  const auto& holders = draft_.holders(node().inputs[index]);
  if (in(index).constant != nullptr || holders.empty()) return std::nullopt;
  for (const auto& holder : holders)
    if (holder.order == channels_last(rank(index))) return holder.order;
  return holders.front().order;
}

bool Lowering::is_at_hand(size_t index, const Order& order) const {
  const auto& holders = draft_.holders(node().inputs[index]);
  return in(index).constant != nullptr ||
         std::ranges::find(holders, order, &GraphDraft::Holder::order) != holders.end();
}

// How many elements would have to be moved so that every input of full rank lies in `order`.
uint64_t Lowering::elements_to_move(const Order& order) const {
  uint64_t moved = 0;
  for (size_t i = 0; i < input_count(); ++i) {
    if (!has(i) || rank(i) != order.size() || in(i).constant != nullptr) continue;
    if (!is_at_hand(i, order)) moved += count_of(dims(i));
  }
  return moved;
}

Order Lowering::common_order() const {
  const size_t widest = out(0).dims.size();
  std::optional<Order> best;
  uint64_t fewest = 0;
  const auto offer = [&](const Order& order) {
    const uint64_t moved = elements_to_move(order);
    if (best && (moved > fewest || (moved == fewest && !is_plain(*best)))) return;
    best = order;
    fewest = moved;
  };
  for (size_t i = 0; i < input_count(); ++i) {
    if (!has(i) || rank(i) != widest) continue;
    // Where several orders cost the same, it is the one that convolutions want.
    if (const auto order = order_at_hand(i)) offer(*order);
    if (in(i).constant != nullptr) continue;
    for (const auto& holder : draft_.holders(node().inputs[i])) offer(holder.order);
  }
  return best.value_or(plain_order(widest));
}

TensorRef Lowering::constant(ir::DataType type, const Dims& dims, Blob data) {
  if (refusal_) return kNoTensorRef;
  const auto shape = backend_shape(dims);
  if (!shape) {
    refusal_ = not_offered(concat("a constant ", text_of(dims), " has too many or too large dimensions"));
    return kNoTensorRef;
  }
  return draft_.add_constant({.type = type, .shape = *shape, .is_static = true}, std::move(data),
                             node().name);
}

bool Lowering::make_room(const Dims& dims) {
  if (refusal_) return false;
  const auto count = checked_count(dims);
  if (count && draft_.take_room(*count)) return true;
  refusal_ = not_offered(concat("a constant ", text_of(dims), " would have to be stored for it, and ",
                                draft_.room(), " elements are left for such"));
  return false;
}

TensorRef Lowering::constant(const Constant& values, const Order& order) {
  const Dims dims = order.empty() ? values.dims() : in_order(values.dims(), order);
  return constant(backend_type(values.type()), dims, values.backend_blob(order));
}

TensorRef Lowering::reals(const Dims& dims, const std::vector<double>& values) {
  return constant(Constant::of_reals(ElementType::kFloat, dims, values));
}

TensorRef Lowering::integers(const Dims& dims, const std::vector<int64_t>& values) {
  return constant(Constant::of_integers(ElementType::kInt64, dims, values));
}

const ir::TensorDesc& Lowering::desc(TensorRef tensor) const {
  static const ir::TensorDesc kNone;
  return tensor == kNoTensorRef ? kNone : draft_.tensors()[tensor].desc;
}

Dims Lowering::lies_as(TensorRef tensor) const { return dims_of(desc(tensor).shape); }

// ---- Ops ----

std::vector<TensorRef> Lowering::emit(std::string_view type, std::vector<TensorRef> inputs,
                                      const Params& params, const std::vector<OutputSpec>& outputs) {
  std::vector<TensorRef> none(outputs.size(), kNoTensorRef);
  if (refusal_) return none;
  std::vector<ir::TensorDesc> descs;
  for (const OutputSpec& output : outputs) {
    const auto shape = backend_shape(output.dims);
    if (!shape) {
      refusal_ = not_offered(concat("its output ", text_of(output.dims),
                                    " has more dimensions, or larger ones, than the backend has"));
      return none;
    }
    descs.push_back({.type = output.type, .shape = *shape, .quantization = output.quantization});
  }
  while (!inputs.empty() && inputs.back() == kNoTensorRef) inputs.pop_back();
  auto made = draft_.add_node(node(), type, inputs, params.ir(), descs);
  if (made) return std::move(made).value();
  refusal_ = std::move(made).error();
  refusal_->where = {concat("node '", node().name, "' (", node().type, ")")};
  return none;
}

TensorRef Lowering::emit(std::string_view type, std::vector<TensorRef> inputs, const Params& params,
                         ir::DataType out, const Dims& dims) {
  return emit(type, std::move(inputs), params, {{out, dims}}).front();
}

TensorRef Lowering::reshape(TensorRef tensor, const Dims& dims) {
  if (refusal_ || lies_as(tensor) == dims || (dims.empty() && lies_as(tensor) == Dims{1})) return tensor;
  const auto shape = backend_shape(dims);
  if (desc(tensor).is_static && shape && shape->elements() == desc(tensor).shape.elements())
    return draft_.add_reshaped_constant(tensor, *shape);
  // One Reshape does what two in a row do; the first goes when nobody else takes its output.
  const TensorRef from = draft_.before_reshape(tensor);
  if (lies_as(from) == dims) return from;
  const TensorRef made =
      emit("Reshape", {from}, {}, {{desc(from).type, dims, desc(from).quantization}}).front();
  if (made != kNoTensorRef) draft_.set_before_reshape(made, from);
  return made;
}

TensorRef Lowering::transpose(TensorRef tensor, const Order& order) {
  if (refusal_ || is_plain(order)) return tensor;
  const Dims dims = lies_as(tensor);
  const Dims wanted = in_order(dims, order);
  const SmallTranspose small = smallest(dims, order);
  if (is_plain(small.order)) return reshape(tensor, wanted);
  if (dims.size() <= kMostTransposed) return emit_transpose(tensor, order);
  return rearrange(tensor, dims, order, wanted);
}

TensorRef Lowering::emit_transpose(TensorRef tensor, const Order& order) {
  if (refusal_) return kNoTensorRef;
  const OutputSpec moved{desc(tensor).type, in_order(lies_as(tensor), order), desc(tensor).quantization};
  return emit("Transpose", {tensor}, Params().u32s("perm", order), {moved}).front();
}

TensorRef Lowering::rearrange(TensorRef tensor, const Dims& seen_as, const Order& order, const Dims& dims) {
  if (refusal_) return kNoTensorRef;
  const SmallTranspose small = smallest(seen_as, order);
  if (is_plain(small.order)) return reshape(tensor, dims);
  return reshape(emit_transpose(reshape(tensor, small.dims), small.order), dims);
}

TensorRef Lowering::cast(TensorRef tensor, ir::DataType type) {
  if (refusal_ || desc(tensor).type == type) return tensor;
  return emit("Cast", {tensor}, {}, type, lies_as(tensor));
}

TensorRef Lowering::unary(std::string_view type, TensorRef x, std::optional<ir::DataType> out) {
  if (refusal_) return kNoTensorRef;
  return emit(type, {x}, {}, out.value_or(desc(x).type), lies_as(x));
}

TensorRef Lowering::binary(std::string_view type, TensorRef a, TensorRef b, std::optional<ir::DataType> out) {
  if (refusal_) return kNoTensorRef;
  const auto dims = broadcast(lies_as(a), lies_as(b));
  if (!dims) {
    refusal_ =
        internal("onnx-lower", concat(text_of(lies_as(a)), " and ", text_of(lies_as(b)), " do not fit"));
    return kNoTensorRef;
  }
  return emit(type, {a, b}, {}, out.value_or(desc(a).type), *dims);
}

// ---- Results ----

void Lowering::result(size_t output, TensorRef tensor, const Order& order) {
  if (refusal_ || !wants(output)) return;
  draft_.hold(node().outputs[output], order, tensor);
}

Status Lowering::same_as_input(size_t index, const std::vector<int64_t>& perm) {
  const ValueId value = node().inputs[index];
  if (in(index).constant != nullptr) input(index);  // so that a tensor holds it
  // Dimension d of the output is dimension perm[d] of the input.
  Order moved_to = plain_order(rank(index));
  for (uint32_t d = 0; d < perm.size(); ++d) moved_to[static_cast<size_t>(perm[d])] = d;
  const auto holders = draft_.holders(value);
  for (const auto& holder : holders) {
    Order seen;
    for (const uint32_t d : holder.order) seen.push_back(moved_to[d]);
    result(0, holder.tensor, seen);
  }
  return {};
}

std::optional<ir::Shape> backend_shape(const Dims& dims) {
  if (dims.empty()) return ir::Shape{1};
  if (dims.size() > ir::kMaxRank) return std::nullopt;
  ir::Shape shape;
  for (const int64_t dim : dims) {
    if (dim > UINT32_MAX) return std::nullopt;
    shape.push_back(static_cast<uint32_t>(dim));
  }
  return shape;
}

}  // namespace openqnn::frontend::onnx
