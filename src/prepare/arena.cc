// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>

#include "base/units.h"
#include "prepare/draft.h"
#include "prepare/free_list.h"

namespace openqnn::prepare {
namespace {

// A tensor of the arena and the ops between which its bytes are its own, both included.
struct Life {
  program::Tensor* tensor;
  size_t first;
  size_t last;
  uint64_t bytes;
};

bool meet(const Life& a, const Life& b) { return a.first <= b.last && b.first <= a.last; }

// In the order in which they begin.
std::vector<Life> lives_of(program::Program& program) {
  constexpr size_t kUnborn = SIZE_MAX;
  std::vector<size_t> at(program.tensors.size(), kUnborn);  // in `lives`
  std::vector<Life> lives;
  const auto begin = [&](ir::TensorIndex index, size_t op) {
    program::Tensor& tensor = program.tensors[index];
    if (tensor.storage != program::Storage::kArena) return;
    at[index] = lives.size();
    const bool kept = tensor.role == ir::TensorRole::kOutput;  // the client reads it afterwards
    lives.push_back(
        {&tensor, op, kept ? program.ops.size() : op, round_up(tensor.bytes, program::kTensorAlignment)});
  };
  for (ir::TensorIndex i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].role == ir::TensorRole::kInput) begin(i, 0);
  for (size_t op = 0; op < program.ops.size(); ++op) {
    for (const ir::TensorIndex output : program.ops[op].outputs)
      if (output != ir::kNoTensor) begin(output, op);
    for (const ir::TensorIndex input : program.ops[op].inputs)
      if (input != ir::kNoTensor && at[input] != kUnborn)
        lives[at[input]].last = std::max(lives[at[input]].last, op);
  }
  return lives;
}

// What no placement can do without: the most that is alive at once.
uint64_t least_bytes(const std::vector<Life>& lives, size_t ops) {
  std::vector<uint64_t> born(ops + 1, 0);
  std::vector<uint64_t> dead(ops + 1, 0);
  for (const Life& life : lives) {
    born[life.first] += life.bytes;
    dead[life.last] += life.bytes;
  }
  uint64_t alive = 0;
  uint64_t most = 0;
  for (size_t op = 0; op <= ops; ++op) {
    alive += born[op];
    most = std::max(most, alive);
    alive -= dead[op];
  }
  return most;
}

struct Placement {
  std::vector<uint64_t> offsets;  // beside the lives
  uint64_t bytes = 0;

  void place(size_t life, uint64_t offset, uint64_t size) {
    offsets[life] = offset;
    bytes = std::max(bytes, offset + size);
  }
};

// One after another as they begin, each as low as it can: with the fewest bytes for chains.
Placement by_time(const std::vector<Life>& lives) {
  std::vector<size_t> ends(lives.size());
  std::iota(ends.begin(), ends.end(), 0);
  std::ranges::stable_sort(ends, {}, [&](size_t i) { return lives[i].last; });
  Placement placement{std::vector<uint64_t>(lives.size())};
  FreeList memory;
  size_t next_end = 0;
  for (size_t i = 0; i < lives.size(); ++i) {
    for (; lives[ends[next_end]].last < lives[i].first; ++next_end)
      memory.release(placement.offsets[ends[next_end]], lives[ends[next_end]].bytes);
    placement.place(i, *memory.allocate(lives[i].bytes), lives[i].bytes);
  }
  return placement;
}

// The smallest gap with room for `life` among the placed ones that it meets, which are in order of their
// offsets; behind them all where there is none.
uint64_t best_gap(const std::vector<Life>& lives, const std::vector<size_t>& placed,
                  const std::vector<uint64_t>& offsets, const Life& life) {
  uint64_t best = 0;
  uint64_t best_size = UINT64_MAX;
  uint64_t end = 0;  // of what lies below
  for (const size_t other : placed) {
    if (!meet(lives[other], life)) continue;
    const uint64_t gap = offsets[other] > end ? offsets[other] - end : 0;
    if (gap >= life.bytes && gap < best_size) {
      best = end;
      best_size = gap;
    }
    end = std::max(end, offsets[other] + lives[other].bytes);
  }
  return best_size == UINT64_MAX ? end : best;
}

// The largest first: small ones fit into the gaps between them.
Placement by_size(const std::vector<Life>& lives) {
  std::vector<size_t> order(lives.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return lives[i].bytes; });
  Placement placement{std::vector<uint64_t>(lives.size())};
  std::vector<size_t> placed;
  for (const size_t i : order) {
    const uint64_t offset = best_gap(lives, placed, placement.offsets, lives[i]);
    placement.place(i, offset, lives[i].bytes);
    const auto behind =
        std::ranges::upper_bound(placed, offset, {}, [&](size_t other) { return placement.offsets[other]; });
    placed.insert(behind, i);
  }
  return placement;
}

// Placing by size looks at each pair of tensors: above this many, that would take longer than the rest.
constexpr size_t kMostBySize = 10'000;

}  // namespace

void plan_arena(program::Program& program) {
  const std::vector<Life> lives = lives_of(program);
  Placement placement = by_time(lives);
  if (placement.bytes > least_bytes(lives, program.ops.size()) && lives.size() <= kMostBySize)
    if (Placement other = by_size(lives); other.bytes < placement.bytes) placement = std::move(other);
  for (size_t i = 0; i < lives.size(); ++i) lives[i].tensor->offset = placement.offsets[i];
  program.arena_bytes = placement.bytes;
}

}  // namespace openqnn::prepare
