// SPDX-License-Identifier: BSD-3-Clause
// What becomes of the transfers between VTCM and memory: compression (DLBC) makes them smaller, the
// system-level cache (SLC) takes some of them off DDR. Neither changes which transfers there are.
#include <algorithm>
#include <map>
#include <queue>

#include "base/text.h"
#include "prepare/dlbc.h"
#include "prepare/draft.h"

namespace openqnn::prepare {
namespace {

using program::Task;
using program::TaskKind;

// Measured on the bytes themselves. What a client may replace later is left alone.
void measure_constants(const Draft& draft, Traffic& traffic, const Logger& log) {
  std::map<uint64_t, double> by_offset;  // tensors may share bytes
  uint64_t before = 0;
  uint64_t after = 0;
  for (size_t i = 0; i < draft.program.tensors.size(); ++i) {
    const program::Tensor& tensor = draft.program.tensors[i];
    if (tensor.storage != program::Storage::kConstant || tensor.updateable || tensor.bytes == 0) continue;
    if (tensor.offset >= draft.constants.size()) continue;  // nobody has stated its bytes
    const auto [known, is_new] = by_offset.try_emplace(tensor.offset, 1.0);
    if (is_new) {
      const uint64_t compressed =
          compressed_bytes(std::span(draft.constants).subspan(tensor.offset, tensor.bytes));
      known->second = static_cast<double>(compressed) / static_cast<double>(tensor.bytes);
      before += tensor.bytes;
      after += compressed;
    }
    traffic.left[i] = known->second;
  }
  log.info(concat("graph '", draft.program.graph, "': DLBC: ", before, " bytes of constants take ", after,
                  " in DDR"));
}

void shrink_activations(const Draft& draft, double share, Traffic& traffic) {
  for (size_t i = 0; i < draft.program.tensors.size(); ++i)
    if (draft.program.tensors[i].storage != program::Storage::kConstant) traffic.left[i] = share;
}

void take_measured_activations(const Draft& draft, double share, Traffic& traffic, const Logger& log) {
  shrink_activations(draft, share, traffic);
  log.info(concat("graph '", draft.program.graph, "': DLBC leaves ", share,
                  " of an activation's bytes, as measured on the model's samples"));
}

void assume_activations(const Draft& draft, const soc::Ratio& ratio, Traffic& traffic, const Logger& log) {
  shrink_activations(draft, ratio.value, traffic);
  log.warn(concat("graph '", draft.program.graph, "': DLBC leaves ", ratio.value,
                  " of an activation's bytes, which is assumed, not measured: ", ratio.low, " to ",
                  ratio.high, " is plausible"));
}

// A tensor between two ops that goes to memory and back, and the tasks between which it is there.
struct Spill {
  ir::TensorIndex tensor = 0;
  uint32_t first = UINT32_MAX;
  uint32_t last = 0;
  uint64_t bytes = 0;
};

// In the order in which they begin.
std::vector<Spill> spills_of(const program::Program& program) {
  std::vector<Spill> by_tensor(program.tensors.size());
  for (uint32_t i = 0; i < program.schedule.tasks.size(); ++i) {
    const Task& task = program.schedule.tasks[i];
    if (!is_spill_or_fill(program, task)) continue;
    Spill& spill = by_tensor[task.tensor];
    spill.tensor = task.tensor;
    spill.first = std::min(spill.first, i);
    spill.last = i;
    if (task.kind == TaskKind::kStore) spill.bytes += task.transferred_bytes();
  }
  std::erase_if(by_tensor, [](const Spill& spill) { return spill.bytes == 0; });
  std::ranges::stable_sort(by_tensor, {}, &Spill::first);
  return by_tensor;
}

// The first come are the first served: a tensor is in the cache as a whole, from its first store to its last
// load, or not at all.
std::vector<bool> cached_tensors(const program::Program& program, uint64_t room) {
  std::vector<bool> cached(program.tensors.size(), false);
  const auto ends_later = [](const Spill& a, const Spill& b) { return a.last > b.last; };
  std::priority_queue<Spill, std::vector<Spill>, decltype(ends_later)> held(ends_later);
  for (const Spill& spill : spills_of(program)) {
    for (; !held.empty() && held.top().last < spill.first; held.pop()) room += held.top().bytes;
    if (spill.bytes > room) continue;
    room -= spill.bytes;
    cached[spill.tensor] = true;
    held.push(spill);
  }
  return cached;
}

}  // namespace

bool is_spill_or_fill(const program::Program& program, const Task& task) {
  return task.kind != TaskKind::kCompute && program.tensors[task.tensor].role == ir::TensorRole::kNative;
}

Traffic traffic_of(const Draft& draft, const soc::Target& target, const Options& options, const Logger& log) {
  Traffic traffic{std::vector<double>(draft.program.tensors.size(), 1.0), 0};
  if (options.compress_weights) measure_constants(draft, traffic, log);
  if (draft.program.bandwidth.measured_activations)
    take_measured_activations(draft, *options.facts->activation_share, traffic, log);
  else if (options.compress_activations)
    assume_activations(draft, target.timing.dlbc_activations, traffic, log);
  if (options.use_slc) traffic.slc_bytes = target.slc.value;
  return traffic;
}

void route(program::Program& program, const Traffic& traffic) {
  for (Task& task : program.schedule.tasks) {
    if (task.kind == TaskKind::kCompute) continue;
    task.saved_bytes = saved_bytes(task.bytes, traffic.left[task.tensor]);
  }
  if (traffic.slc_bytes == 0) return;
  const std::vector<bool> cached = cached_tensors(program, traffic.slc_bytes);
  for (Task& task : program.schedule.tasks)
    task.in_slc = is_spill_or_fill(program, task) && cached[task.tensor];
}

DdrSummary ddr_summary(const program::Program& program) {
  DdrSummary summary;
  for (const Task& task : program.schedule.tasks) {
    const bool stores = task.kind == TaskKind::kStore;
    if (task.kind == TaskKind::kCompute) continue;
    (stores ? summary.write_total_bytes : summary.read_total_bytes) += task.ddr_bytes();
    if (is_spill_or_fill(program, task))
      (stores ? summary.spill_bytes : summary.fill_bytes) += task.ddr_bytes();
  }
  return summary;
}

}  // namespace openqnn::prepare
