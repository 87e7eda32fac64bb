// SPDX-License-Identifier: BSD-3-Clause
// Updates written to places given by index: ScatterElements, ScatterNd.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/text.h"
#include "ops/common.h"
#include "ops/kernel_memory.h"
#include "ops/movement/move.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

constexpr size_t kIndices = 1;
constexpr size_t kUpdates = 2;

enum class Reduction : uint32_t { kNone = 0, kAdd = 1, kMultiply = 2, kMax = 3 };

Reduction reduction_of(const OpCall& call) {
  return static_cast<Reduction>(call.params->u32("reduction", 0));
}

double reduce(Reduction reduction, double value, double update) {
  switch (reduction) {
    case Reduction::kAdd:
      return value + update;
    case Reduction::kMultiply:
      return value * update;
    default:  // a NaN on either side is the result
      return update > value || std::isnan(update) ? update : value;
  }
}

bool inside(const ir::Box& box, const ir::Shape& index) {
  for (size_t i = 0; i < box.rank(); ++i)
    if (index[i] < box.begin[i] || index[i] >= box.end[i]) return false;
  return true;
}

// ---- Where an update goes ----

class ScatterElementsMap {
 public:
  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    const ir::Shape& indices = call.in(kIndices).shape;
    const uint32_t axis = call.params->u32("axis", 0);
    OPENQNN_TRY(check_axis("axis", axis, in));
    OPENQNN_TRY(check_choice(call, "reduction", 3, "0 (none), 1 (add), 2 (multiply) or 3 (max)"));
    OPENQNN_TRY(check_indices_along(indices, in, axis));
    OPENQNN_TRY(expect_shape("input 2 (updates)", call.in(kUpdates).shape, indices));
    return expect_shape("output", call.out().shape, in);
  }

  explicit ScatterElementsMap(const OpCall& call)
      : in_(call.in(0).shape), indices_(call.in(kIndices).shape), axis_(call.params->u32("axis", 0)) {}

  // The indices and updates that may fall into a box of the output.
  ir::Box updates(const ir::Box& output) const { return indices(output); }
  ir::Box indices(const ir::Box& output) const {
    ir::Box box = ir::Box::whole(indices_);
    for (size_t i = 0; i < box.rank(); ++i) {
      if (i == axis_) continue;
      box.begin[i] = std::min(output.begin[i], indices_[i]);
      box.end[i] = std::min(output.end[i], indices_[i]);
    }
    return box;
  }
  std::optional<ir::Shape> target(const ir::Shape& update, const IndexReader& read) const {
    const auto at = position_of(read(ir::offset_of(indices_, update)), in_[axis_]);
    if (!at) return std::nullopt;
    ir::Shape index = update;
    index[axis_] = *at;
    return index;
  }

 private:
  ir::Shape in_;
  ir::Shape indices_;
  uint32_t axis_;
};

// Indices are [outer..., tuple], x is [addressed..., slice...], updates are [outer..., slice...].
class ScatterNdMap {
 public:
  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    const ir::Shape& indices = call.in(kIndices).shape;
    OPENQNN_TRY(check_choice(call, "reduction", 2, "0 (none), 1 (add) or 2 (multiply)"));
    OPENQNN_TRY(check_tuples(indices, in, in.rank()));
    const uint32_t tuple = indices.from_end(0);
    const size_t rank = indices.rank() - 1 + in.rank() - tuple;
    OPENQNN_TRY(check_rank_limit("updates", rank));
    ir::Shape updates(indices.dims().first(indices.rank() - 1));
    for (size_t i = tuple; i < in.rank(); ++i) updates.push_back(in[i]);
    OPENQNN_TRY(expect_shape("input 2 (updates)", call.in(kUpdates).shape, at_least_one_dim(updates)));
    return expect_shape("output", call.out().shape, in);
  }

  explicit ScatterNdMap(const OpCall& call)
      : in_(call.in(0).shape),
        indices_(call.in(kIndices).shape),
        updates_(call.in(kUpdates).shape),
        tuple_(indices_.from_end(0)) {}

  ir::Box indices(const ir::Box&) const { return ir::Box::whole(indices_); }
  ir::Box updates(const ir::Box& output) const {
    ir::Box box = ir::Box::whole(updates_);
    for (size_t i = tuple_; i < in_.rank(); ++i) {
      const size_t dim = indices_.rank() - 1 + i - tuple_;
      box.begin[dim] = output.begin[i];
      box.end[dim] = output.end[i];
    }
    return box;
  }
  std::optional<ir::Shape> target(const ir::Shape& update, const IndexReader& read) const {
    const size_t outer = indices_.rank() - 1;
    ir::Shape tuple_index(update.dims().first(outer));
    tuple_index.push_back(0);
    const uint64_t tuple_at = ir::offset_of(indices_, tuple_index);
    ir::Shape index;
    for (size_t i = 0; i < tuple_; ++i) {
      const auto at = position_of(read(tuple_at + i), in_[i]);
      if (!at) return std::nullopt;
      index.push_back(*at);
    }
    for (size_t i = tuple_; i < in_.rank(); ++i) index.push_back(update[outer + i - tuple_]);
    return index;
  }

 private:
  ir::Shape in_;
  ir::Shape indices_;
  ir::Shape updates_;
  size_t tuple_;
};

// ---- Kernels ----

// `body(target, update)` for each update that falls into the region, in memory order of the updates: the last
// of those that meet at one place wins, and sums are the same for every division.
template <class Map, class Body>
void for_each_update(const KernelArgs& args, const ir::Box& region, const Body& body) {
  const Map map(args.call);
  const IndexReader read(args.call.in(kIndices), args.inputs[kIndices]);
  const ir::Shape& updates = args.call.in(kUpdates).shape;
  ir::for_each_index(map.updates(region), [&](const ir::Shape& update) {
    const std::optional<ir::Shape> target = map.target(update, read);
    if (target && inside(region, *target)) body(*target, ir::offset_of(updates, update));
  });
}

template <class Map>
void overwrite(const KernelArgs& args, const ir::Box& region) {
  const ElementCopier copy = copier(args, 0, 0);
  const ElementCopier copy_update = copier(args, kUpdates, 0);
  const ir::Shape& shape = args.call.out().shape;
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const uint64_t at = ir::offset_of(shape, index);
    copy(at, at);
  });
  for_each_update<Map>(args, region, [&](const ir::Shape& target, uint64_t update) {
    copy_update(ir::offset_of(shape, target), update);
  });
}

// Reduces in double and rounds once, however many updates meet at one place.
template <class Map>
void accumulate(const KernelArgs& args, const ir::Box& region) {
  const ElementReader read_x(args.call.in(0), args.inputs[0]);
  const ElementReader read_update(args.call.in(kUpdates), args.inputs[kUpdates]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const ir::Shape& shape = args.call.out().shape;
  const ir::Shape extents = region.extents();
  const Reduction reduction = reduction_of(args.call);

  KernelMemory memory(args);
  auto values = memory.room<double>(region.elements());
  ir::for_each_index(region,
                     [&](const ir::Shape& index) { values.push_back(read_x(ir::offset_of(shape, index))); });
  for_each_update<Map>(args, region, [&](const ir::Shape& target, uint64_t update) {
    ir::Shape local = target;
    for (size_t i = 0; i < local.rank(); ++i) local[i] -= region.begin[i];
    double& value = values[ir::offset_of(extents, local)];
    value = reduce(reduction, value, read_update(update));
  });
  size_t next = 0;
  ir::for_each_index(region,
                     [&](const ir::Shape& index) { write(ir::offset_of(shape, index), values[next++]); });
}

uint64_t scatter_scratch(const OpCall& call) {
  return reduction_of(call) == Reduction::kNone ? 0 : room_for<double>(call.out().shape.elements());
}

template <class Map>
void run_scatter(const KernelArgs& args, const ir::Box& region) {
  if (reduction_of(args.call) == Reduction::kNone)
    overwrite<Map>(args, region);
  else
    accumulate<Map>(args, region);
}

template <class Map>
ir::Box scatter_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  if (output.empty()) return empty_box(call.in(index).shape);
  if (index == 0) return output;
  return index == kIndices ? Map(call).indices(output) : Map(call).updates(output);
}

// A copy of x, and a look at each update.
template <class Map>
Work scatter_work(const OpCall& call, const ir::Box& output) {
  Work work = moving_work(call, output, kCopy, needed_parts(scatter_input_box<Map>, call, output));
  if (output.empty()) return work;
  const uint64_t updates = box_bytes(call.in(kUpdates), Map(call).updates(output));
  const uint64_t looks = saturating_multiply(ceil_div(updates, kVectorBytes), kLookup);
  work.vector_ops = saturating_add(work.vector_ops, looks);
  return work;
}

template <class Map>
OpDef scatter_op(std::string_view type) {
  return {
      .type = type,
      .check = Map::check,
      .input_box = scatter_input_box<Map>,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = scatter_work<Map>,
      .kernels = {reference_kernel(run_scatter<Map>, scatter_scratch)},
  };
}

}  // namespace

OpDef scatter_elements() {
  OpDef def = scatter_op<ScatterElementsMap>("ScatterElements");
  def.our_rows = {"i32,u32|i32,i32 -> i32"};  // in the tables since SDK 2.49
  return def;
}

OpDef scatter_nd() { return scatter_op<ScatterNdMap>("ScatterNd"); }

}  // namespace openqnn::ops
