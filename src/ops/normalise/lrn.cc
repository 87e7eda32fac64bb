// SPDX-License-Identifier: BSD-3-Clause
// Lrn: every element divided by a power of the squares around it, across channels or within one.
#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/elements.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/normalise/cells.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes of output; ours: multiply and add per neighbour, then the power (a
// logarithm and an exponential) and a division.
constexpr uint64_t kLrnInstructionsPerTap = 2;
constexpr uint64_t kInstructionsPerElement = 60;

enum LrnRegion : uint32_t { kAcrossChannels = 0, kWithinChannel = 1 };

uint32_t region_of(const OpCall& call) { return call.params->u32("region", kAcrossChannels); }

// How far the window extends in each dimension.
struct Reach {
  ir::Shape shape;
  ir::Shape radius;

  explicit Reach(const OpCall& call) : shape(call.in(0).shape), radius(ir::Box::whole(shape).begin) {
    const bool within = region_of(call) == kWithinChannel;
    const auto given = static_cast<uint32_t>(call.params->i32("radius", 0));
    for (size_t i = 0; i < shape.rank(); ++i)
      if (within ? i == 1 || i == 2 : i + 1 == shape.rank()) radius[i] = given;
  }

  // What lies within the radius of a box, cut off at the borders.
  ir::Box around(const ir::Box& output) const {
    ir::Box box = output;
    if (output.empty()) return box;
    for (size_t i = 0; i < shape.rank(); ++i) {
      box.begin[i] = output.begin[i] - std::min(output.begin[i], radius[i]);
      box.end[i] = output.end[i] + std::min(shape[i] - output.end[i], radius[i]);
    }
    return box;
  }

  // However large the radius says the window is, no more than the dimension lies in it.
  uint64_t most_taps() const {
    uint64_t taps = 1;
    for (size_t i = 0; i < shape.rank(); ++i)
      taps = saturating_multiply(taps, std::min<uint64_t>(2 * uint64_t{radius[i]} + 1, shape[i]));
    return taps;
  }
};

Status check_region(const OpCall& call) {
  constexpr uint64_t kMostPositions = 1024;
  const ir::Shape& shape = call.in(0).shape;
  const uint32_t region = region_of(call);
  OPENQNN_TRY(check_choice(call, "region", kWithinChannel, "0 (across channels) or 1 (within a channel)"));
  if (region == kAcrossChannels) return {};
  if (shape.rank() != 4)
    return invalid("op-rank", concat("input has shape ", shape.to_string(),
                                     " where region 1 (within a channel) needs [b, h, w, c]"));
  const bool is_float = !ir::is_quantized(call.in(0).type);
  if (is_float && uint64_t{shape[1]} * shape[2] >= kMostPositions)
    return unsupported("op-shape", concat("region 1 (within a channel) over ", shape[1], " x ", shape[2],
                                          " positions is not offered for float types"))
        .note("HTP offers it below 1024 positions");
  return {};
}

Status check_lrn(const OpCall& call) {
  for (const char* name : {"alpha", "beta", "bias"}) OPENQNN_TRY(check_finite(call, name));
  if (const int32_t radius = call.params->i32("radius", 0); radius < 0)
    return invalid("op-param-value", concat("radius ", radius, " is negative"));
  OPENQNN_TRY(check_region(call));
  return expect_shape("output", call.out().shape, call.in(0).shape);
}

// The squares around a region, each taken once. A window adds up its own, in memory order: a sum that slides
// from element to element would cost less, but its rounding would depend on where the region begins.
class Squares {
 public:
  Squares(KernelMemory& memory, const Reach& reach, const ElementReader& read, const ir::Box& region)
      : box_(reach.around(region)), extents_(box_.extents()), values_(memory.room<double>(box_.elements())) {
    for_each_offset(reach.shape, box_, [&](uint64_t at) { values_.push_back(read(at) * read(at)); });
  }

  double sum(const ir::Box& window) const {
    ir::Box local = window;
    for (size_t i = 0; i < window.rank(); ++i) {
      local.begin[i] -= box_.begin[i];
      local.end[i] -= box_.begin[i];
    }
    double total = 0.0;
    for_each_offset(extents_, local, [&](uint64_t at) { total += values_[at]; });
    return total;
  }

 private:
  ir::Box box_;
  ir::Shape extents_;
  KernelVector<double> values_;
};

void run_lrn(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const ir::Params& params = *args.call.params;
  const double alpha = params.f32("alpha", 1.0F);
  const double beta = params.f32("beta", 0.5F);
  const double bias = params.f32("bias", 1.0F);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const Reach reach(args.call);
  KernelMemory memory(args);
  const Squares squares(memory, reach, read, region);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const double sum = squares.sum(reach.around(box_at(index)));
    const uint64_t at = ir::offset_of(shape, index);
    write(at, read(at) / portable_pow(bias + alpha * sum, beta));
  });
}

Work lrn_work(const OpCall& call, const ir::Box& output) {
  const Reach reach(call);
  const uint64_t taps = std::min<uint64_t>(reach.most_taps(), UINT32_MAX);
  return vector_work(call, output, taps * kLrnInstructionsPerTap + kInstructionsPerElement,
                     box_bytes(call.in(0), reach.around(output)) + box_bytes(call.out(), output));
}

}  // namespace

OpDef lrn() {
  return {
      .type = "Lrn",
      .check = check_lrn,
      .input_box = [](const OpCall& call, size_t,
                      const ir::Box& output) { return Reach(call).around(output); },
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work = lrn_work,
      .kernels = {reference_kernel(
          run_lrn, [](const OpCall& call) { return room_for<double>(call.in(0).shape.elements()); })},
  };
}

}  // namespace openqnn::ops
