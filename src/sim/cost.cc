// SPDX-License-Identifier: BSD-3-Clause
// Work to cycles: the rates and prices of a Target. docs/timing.md has the equations.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/sim.h"

namespace openqnn::sim {
namespace {

constexpr double kMostCycles = 0x1p53;  // years; keeps nonsense work out of undefined conversions

// The only division of the model. A rate that a part does not have limits nothing.
Cycles at_rate(double amount, double per_cycle) {
  if (!(per_cycle > 0)) return {};
  return {static_cast<uint64_t>(std::min(std::ceil(amount / per_cycle), kMostCycles))};
}

Cycles matrix_cycles(const ops::Work& work, const soc::Timing& timing) {
  double macs =
      static_cast<double>(work.macs) + timing.between_strides * static_cast<double>(work.skipped_macs);
  switch (work.arithmetic) {
    case soc::Arithmetic::kHalf:
      return at_rate(macs, timing.hmx_macs_per_cycle_16);
    case soc::Arithmetic::kWords:
      macs *= timing.word_passes * (work.ragged ? timing.ragged_16 : 1);
      break;
    case soc::Arithmetic::kBytes:
      macs *= work.ragged ? timing.ragged_8 : 1;
      break;
  }
  return at_rate(macs, timing.hmx_macs_per_cycle_8);
}

// How a price of 16-bit vectors changes with the numbers in them: arithmetic is cheaper on bytes, and dearer
// in half on older parts; moving costs the same for any vector.
double arithmetic_factor(soc::VectorKind kind, soc::Arithmetic arithmetic, const soc::Timing& timing) {
  const double bytes = arithmetic == soc::Arithmetic::kBytes ? timing.byte_vectors : 1;
  const double half = arithmetic == soc::Arithmetic::kHalf ? timing.half_vectors : 1;
  switch (kind) {
    case soc::VectorKind::kElementwise:
    case soc::VectorKind::kActivation:
    case soc::VectorKind::kTap:
      return bytes * half;
    case soc::VectorKind::kQuotient:
      return half;
    case soc::VectorKind::kSoftmax:
      return bytes;
    default:
      return 1;
  }
}

Cycles vector_cycles(const ops::Work& work, const soc::Timing& timing, uint32_t threads) {
  double thread_cycles = static_cast<double>(work.vector_ops) * timing.instruction_cycles;
  for (size_t i = 0; i < soc::kVectorKinds; ++i)
    thread_cycles += static_cast<double>(work.vectors[i]) * timing.vector_cycles[i] *
                     arithmetic_factor(static_cast<soc::VectorKind>(i), work.arithmetic, timing);
  return at_rate(thread_cycles, std::max<uint32_t>(threads, 1));
}

// DDR does not know our clock: the faster we count, the more cycles a byte takes.
Cycles at_bandwidth(uint64_t bytes, double bytes_per_second, const PowerState& power) {
  return at_rate(static_cast<double>(bytes), power.clock_hz > 0 ? bytes_per_second / power.clock_hz : 0);
}

}  // namespace

Cycles transfer_cycles(Bytes bytes, const soc::Target& target, const PowerState& power) {
  return at_bandwidth(bytes.value, target.timing.dma_bytes_per_second, power);
}

std::string_view bound_name(Bound bound) {
  static constexpr std::array<std::string_view, kBoundCount> kNames = {"HMX", "HVX", "DMA", "DDR",
                                                                       "overhead"};
  const auto index = static_cast<size_t>(bound);
  return index < kNames.size() ? kNames[index] : "unknown";
}

Bound Cost::bound() const {
  const Cycles most = std::max({matrix, vector, ddr, dma, overhead});
  if (most == overhead) return Bound::kOverhead;
  if (most == matrix) return Bound::kHmx;
  if (most == vector) return Bound::kHvx;
  return most == ddr ? Bound::kDdr : Bound::kDma;
}

Cost cost_of(const program::Task& task, const soc::Target& target, const PowerState& power,
             uint32_t threads) {
  const soc::Timing& timing = target.timing;
  Cost cost;
  if (task.unit == soc::Unit::kDma) {
    cost.dma = Cycles{timing.dma_setup_cycles};
    cost.ddr = at_bandwidth(task.transferred_bytes(),
                            timing.dma_bytes_per_second * (task.in_slc ? timing.slc_speed : 1), power);
    return cost;
  }
  cost.vector = vector_cycles(task.work, timing, threads);
  if (task.unit == soc::Unit::kHmx) cost.matrix = matrix_cycles(task.work, timing);
  cost.overhead = Cycles{timing.task_cycles} +
                  at_rate(timing.op_cycles * task.launches + timing.matrix_cycles * task.work.matrices, 1);
  return cost;
}

}  // namespace openqnn::sim
