// SPDX-License-Identifier: BSD-3-Clause
// Work to cycles: the rates of a Target, one division at a time.
#include <algorithm>
#include <cmath>

#include "sim/sim.h"

namespace openqnn::sim {
namespace {

constexpr double kVectorBytes = 128;    // of one HVX instruction
constexpr double kMostCycles = 0x1p53;  // years; keeps nonsense work out of undefined conversions

// The only division of the model. A rate that a part does not have limits nothing.
Cycles at_rate(double amount, double per_cycle) {
  if (!(per_cycle > 0)) return {};
  return {static_cast<uint64_t>(std::min(std::ceil(amount / per_cycle), kMostCycles))};
}

// The matrix unit reads VTCM through a wider port than a vector context. Measured on SM8750: 502 bytes a
// cycle, against 384 for its six contexts together. Until Timing has a number of its own, we take the latter.
double hmx_vtcm_bytes_per_cycle(const soc::Target& target) {
  return target.timing.vtcm_bytes_per_cycle * std::max<uint32_t>(target.hvx_contexts, 1);
}

Cycles compute_cycles(const program::Task& task, const soc::Timing& timing) {
  const ops::Work& work = task.work;
  switch (task.unit) {
    case soc::Unit::kHmx:
      return at_rate(static_cast<double>(work.macs),
                     work.mac_bits <= 8 ? timing.hmx_macs_per_cycle_8 : timing.hmx_macs_per_cycle_16);
    case soc::Unit::kHvx:
      return at_rate(static_cast<double>(work.vector_ops) * kVectorBytes, timing.hvx_bytes_per_cycle);
    case soc::Unit::kScalar:  // bookkeeping: no source states a rate, the dispatch is what it costs
    case soc::Unit::kDma:
      return {};
  }
  return {};
}

Cost transfer_cost(const program::Task& task, const soc::Timing& timing, const PowerState& power) {
  // DDR does not know our clock: the faster we count, the more cycles a byte takes.
  const double per_cycle = power.clock_hz > 0 ? timing.dma_bytes_per_second / power.clock_hz : 0;
  const Cycles bytes = at_rate(static_cast<double>(task.bytes), per_cycle);
  const Cycles setup{timing.dma_setup_cycles};
  return {setup + bytes, bytes > setup ? Bound::kDma : Bound::kOverhead};
}

}  // namespace

std::string_view bound_name(Bound bound) {
  switch (bound) {
    case Bound::kCompute:
      return "compute";
    case Bound::kVtcm:
      return "VTCM";
    case Bound::kDma:
      return "DMA";
    case Bound::kOverhead:
      return "overhead";
  }
  return "unknown";
}

Cost cost_of(const program::Task& task, const soc::Target& target, const PowerState& power) {
  const soc::Timing& timing = target.timing;
  if (task.unit == soc::Unit::kDma) return transfer_cost(task, timing, power);

  const double port =
      task.unit == soc::Unit::kHmx ? hmx_vtcm_bytes_per_cycle(target) : timing.vtcm_bytes_per_cycle;
  const Cycles compute = compute_cycles(task, timing);
  const Cycles memory = at_rate(static_cast<double>(task.work.vtcm_bytes), port);
  const Cycles overhead{timing.op_overhead_cycles};
  const Cycles longer = std::max(compute, memory);

  Cost cost{longer + overhead, compute >= memory ? Bound::kCompute : Bound::kVtcm};
  if (overhead >= longer) cost.bound = Bound::kOverhead;
  return cost;
}

}  // namespace openqnn::sim
