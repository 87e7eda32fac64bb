// SPDX-License-Identifier: BSD-3-Clause
// The engine of ops that move elements. Each is its shape rule and its map: from where an element of the
// output comes.
//
//   struct FlipMap {                                              // y[i] = x[n - 1 - i]
//     static Status check(const OpCall& call);                    // the shape rule
//     explicit FlipMap(const OpCall& call);                       // of a call that passed it
//     Source source(const ir::Shape& output) const;               // of one element
//     ir::Box needed(size_t input, const ir::Box& output) const;  // of a box that is not empty
//     InputRange inputs(const ir::Box& output) const;             // or without: every box may need all
//   };
//   OpDef flip() { return moving_op<FlipMap, kShuffle>("Flip"); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elements.h"
#include "ops/movement/indices.h"
#include "ops/op.h"

namespace openqnn::ops {

// Vector instructions per 128 bytes of output; ours, counted from how HVX code for them looks.
inline constexpr uint64_t kCopy = 2;      // load, store
inline constexpr uint64_t kShift = 4;     // unaligned loads, an alignment between two vectors, store
inline constexpr uint64_t kShuffle = 10;  // deals and shuffles across the vector on top
inline constexpr uint64_t kLookup = 64;   // an address per element: scalar loads, or the gather unit
inline constexpr uint64_t kRequantize = 6;

// Where an element of the output comes from.
struct Source {
  static constexpr size_t kNowhere = SIZE_MAX;
  size_t input = kNowhere;  // none: the element is the fill value
  uint64_t offset = 0;
};

struct InputRange {
  size_t first;
  size_t end;
};

// Writes elements of one tensor to another: their bytes when those mean the same there, else their values.
class ElementCopier {
 public:
  ElementCopier(const ir::TensorDesc& from, const std::byte* source, const ir::TensorDesc& to,
                std::byte* target)
      : read_(from, source), write_(to, target), source_(source), target_(target) {
    // A client's bool may be any byte, ours is 0 or 1.
    if (same_representation(from, to) && to.type != ir::DataType::kBool8) size_ = ir::byte_size(to.type);
  }
  void operator()(uint64_t to, uint64_t from, uint64_t count = 1) const {
    if (size_ > 0)
      std::memcpy(target_ + to * size_, source_ + from * size_, count * size_);
    else
      for (uint64_t i = 0; i < count; ++i) write_(to + i, read_(from + i));
  }

 private:
  ElementReader read_;
  ElementWriter write_;
  const std::byte* source_;
  std::byte* target_;
  size_t size_ = 0;  // of an element that is copied as bytes
};

// From one input to one output; no op moves elements of an optional input.
inline ElementCopier copier(const KernelArgs& args, size_t input, size_t output) {
  return {args.call.in(input), args.inputs[input], args.call.out(output), args.outputs[output]};
}

// `source_of(index)` gives the Source of each element of `region`. Neighbours mostly come from one input, so
// that the copier of the last one is kept and not one of each: there may be thousands.
template <class SourceOf>
void move_elements(const KernelArgs& args, const ir::Box& region, const SourceOf& source_of,
                   double fill = 0.0, size_t output = 0) {
  size_t input = 0;
  std::optional<ElementCopier> copy = copier(args, input, output);
  const ElementWriter write(args.call.out(output), args.outputs[output]);
  const ir::Shape& shape = args.call.out(output).shape;
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const uint64_t to = ir::offset_of(shape, index);
    const Source from = source_of(index);
    if (from.input == Source::kNowhere) return write(to, fill);
    if (from.input != input) copy.emplace(copier(args, input = from.input, output));
    (*copy)(to, from.offset);
  });
}

// ---- The parts of an OpDef ----

template <class Map>
ir::Box moving_input_box(const OpCall& call, size_t index, const ir::Box& output) {
  return output.empty() ? empty_box(call.in(index).shape) : Map(call).needed(index, output);
}

// Whether an op puts inputs beside each other, each of which a tile may need or not.
template <class Map>
concept Joins = requires(const Map& map, const ir::Box& output) {
  map.inputs(output);
};

// With one map for all, and a look at those inputs alone that a map can name: an op may have thousands.
template <class Map>
NeededParts moving_parts(const OpCall& call) {
  return [&call, map = Map(call)](const ir::Box& output) {
    std::vector<NeededPart> parts;
    if (output.empty()) return parts;
    InputRange range = {0, call.inputs.size()};
    if constexpr (Joins<Map>) range = map.inputs(output);
    for (size_t i = range.first; i < range.end; ++i) {
      if (!call.has_input(i)) continue;
      const ir::Box box = map.needed(i, output);
      if (!box.empty()) parts.push_back({i, box});
    }
    return parts;
  };
}

// Reads these parts, writes the output, and rounds when any input means something else.
Work moving_work(const OpCall& call, const ir::Box& output, uint64_t instructions,
                 const std::vector<NeededPart>& parts);
// The same of an op that joins: it rounds those parts that mean something else.
Work joining_work(const OpCall& call, const ir::Box& output, uint64_t instructions,
                  const std::vector<NeededPart>& parts);

template <class Map>
void run_moving(const KernelArgs& args, const ir::Box& region) {
  const Map map(args.call);
  double fill = 0.0;
  if constexpr (requires { map.fill(); }) fill = map.fill();
  if constexpr (requires { map.source(region.begin); }) {
    move_elements(
        args, region, [&](const ir::Shape& index) { return map.source(index); }, fill);
  } else {  // the map reads indices from input 1
    const IndexReader indices(args.call.in(1), args.inputs[1]);
    move_elements(
        args, region, [&](const ir::Shape& index) { return map.source(index, indices); }, fill);
  }
}

template <class Map, uint64_t instructions>
OpDef moving_op(std::string_view type) {
  return {
      .type = type,
      .check = Map::check,
      .input_box = moving_input_box<Map>,
      .parts = moving_parts<Map>,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            constexpr auto kWork = Joins<Map> ? joining_work : moving_work;
            return kWork(call, output, instructions, moving_parts<Map>(call)(output));
          },
      .kernels = {{"reference", nullptr, run_moving<Map>}},
  };
}

// ---- Shapes and indices ----

ir::Shape without_axis(const ir::Shape& shape, size_t axis);
ir::Shape with_axis(const ir::Shape& shape, size_t axis, uint32_t value);
// A tensor of one element has one dimension: ours, since tensors of rank 0 are not offered here.
ir::Shape at_least_one_dim(const ir::Shape& shape);

// ---- Checks that many of them need ----

// A parameter with a value per dimension.
Status check_count_per_dim(const OpCall& call, std::string_view param, const ir::Shape& shape);
// Sizes that are computed from parameters: refuses those beyond 32 bits.
Status check_size(std::string_view what, uint64_t size);

}  // namespace openqnn::ops
