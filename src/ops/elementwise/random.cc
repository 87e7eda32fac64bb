// SPDX-License-Identifier: BSD-3-Clause
// RandomUniformLike and RandomNormalLike. No source states the generator; this one is ours: it counts, so
// that element i is the same on every host and in every tile.
//
//   draw(k, n) = mix(k + (n + 1) * G), with G and mix of SplitMix64
//   k          = mix(the seed as the bits of a double), or, without a seed, FNV-1a of the node's name, so
//                that two nodes differ
//   uniform(n) = the upper 53 bits of draw(k, n), over 2^53
//   element i  = low + (high - low) * uniform(i)
//   or         = mean + scale * sqrt(-2 ln(1 - uniform(2i))) * cos(2 pi uniform(2i + 1))
#include <bit>
#include <cmath>

#include "base/split_mix.h"
#include "base/text.h"
#include "ops/checks.h"
#include "ops/elementwise/functions.h"
#include "ops/elementwise/map.h"

namespace openqnn::ops {
namespace {

uint64_t hash(std::string_view text) {
  uint64_t value = 0xCBF29CE484222325;
  for (const char letter : text) value = (value ^ static_cast<uint8_t>(letter)) * 0x100000001B3;
  return value;
}

constexpr size_t kSeed = 1;  // the optional input

class Generator {
 public:
  explicit Generator(const KernelArgs& args)
      : key_(args.call.has_input(kSeed) ? split_mix(seed_bits(args)) : hash(args.call.node)) {}

  double uniform(uint64_t n) const { return unit_interval(split_mix(key_ + (n + 1) * kGoldenGamma)); }
  double normal(uint64_t n) const {
    return std::sqrt(-2.0 * portable_log(1.0 - uniform(2 * n))) * portable_cos(kTwoPi * uniform(2 * n + 1));
  }

 private:
  static uint64_t seed_bits(const KernelArgs& args) {
    return std::bit_cast<uint64_t>(ElementReader(args.call.in(kSeed), args.inputs[kSeed])(0));
  }
  uint64_t key_;
};

// Input 0 holds the output's dimensions; their values are data, so the output tensor itself says its shape.
Status check_operands(const OpCall& call) {
  const auto rank = static_cast<uint32_t>(call.out().shape.rank());
  OPENQNN_TRY(expect_shape("input 0 (shape)", call.in(0).shape, {rank}));
  if (!call.has_input(kSeed)) return {};
  return expect_shape("input 1 (seed)", call.in(kSeed).shape, {1});
}

// Without parameters: as in ONNX, from 0 to 1, or mean 0 and deviation 1 (ours).
struct Uniform {
  double low;
  double high;
  explicit Uniform(const OpCall& call)
      : low(call.params->f32("low", 0.0F)), high(call.params->f32("high", 1.0F)) {}
  double operator()(const Generator& from, uint64_t n) const { return low + (high - low) * from.uniform(n); }
};
struct Normal {
  double mean;
  double deviation;
  explicit Normal(const OpCall& call)
      : mean(call.params->f32("mean", 0.0F)), deviation(call.params->f32("scale", 1.0F)) {}
  double operator()(const Generator& from, uint64_t n) const { return mean + deviation * from.normal(n); }
};

Status check_uniform(const OpCall& call) {
  OPENQNN_TRY(check_finite(call, "low"));
  OPENQNN_TRY(check_finite(call, "high"));
  const Uniform range(call);
  if (range.low > range.high)
    return invalid("op-param-value", concat("low ", range.low, " is above high ", range.high));
  return check_operands(call);
}

Status check_normal(const OpCall& call) {
  OPENQNN_TRY(check_finite(call, "mean"));
  OPENQNN_TRY(check_finite(call, "scale"));
  if (Normal(call).deviation < 0.0)
    return invalid("op-param-value", concat("scale ", Normal(call).deviation, " is below 0"));
  return check_operands(call);
}

template <class Distribution>
void run_random(const KernelArgs& args, const ir::Box& region) {
  const Generator generator(args);
  const Distribution distribution(args.call);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const uint64_t at = ir::offset_of(args.call.out().shape, index);
    write(at, distribution(generator, at));
  });
}

// `instructions`: 64-bit multiplications dominate; ours.
template <class Distribution, uint64_t instructions>
OpDef random_op(std::string_view type, Status (*check)(const OpCall&)) {
  return {
      .type = type,
      .our_rows = {"u32,f16|f32 -> ufx8", "u32,f16|f32 -> sfx8", "u32,f16|f32 -> ufx16",
                   "u32,f16|f32 -> sfx16", "u32,f16|f32 -> f16", "u32,f16|f32 -> f32"},
      .check = check,
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            return vector_work(call, output, instructions, box_bytes(call.out(), output));
          },
      .kernels = {{"reference", nullptr, run_random<Distribution>}},
  };
}

}  // namespace

OpDef random_uniform_like() { return random_op<Uniform, 60>("RandomUniformLike", check_uniform); }
OpDef random_normal_like() { return random_op<Normal, 180>("RandomNormalLike", check_normal); }

}  // namespace openqnn::ops
