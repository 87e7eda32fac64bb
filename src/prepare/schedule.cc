// SPDX-License-Identifier: BSD-3-Clause
// How hard each O level looks for a schedule. 1 takes the plain one: large tiles, op by op. 2 cuts finer and
// goes in depth, so that what lies between two ops is read before it has to leave VTCM. 3 tries several, asks
// the simulator how long each takes on this part, and keeps the fastest; the plain ones are among them, so it
// is never slower than 1 and 2.
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "prepare/draft.h"
#include "sim/sim.h"

namespace openqnn::prepare {
namespace {

struct Plan {
  double vtcm_share;  // of a tile
  Order order;
};

constexpr Plan kPlain = {1.0 / 2, Order::kBreadthFirst};
constexpr Plan kGood = {1.0 / 16, Order::kDepthFirst};
constexpr Plan kSearched[] = {kGood, kPlain, {1.0 / 8, Order::kDepthFirst}, {1.0 / 16, Order::kBreadthFirst}};

// What a search may look at; a graph beyond it gets the best of the first plans.
constexpr size_t kMostTasks = 2'000'000;
constexpr uint64_t kLeastGrant = 256 * kKiB;

// The grant, and all smaller ones that are powers of two: what would be best with less stays possible with
// more, so that a larger grant never makes a graph slower.
std::vector<uint64_t> grants_up_to(uint64_t bytes) {
  std::vector<uint64_t> grants = {bytes};
  for (uint64_t smaller = std::bit_floor(bytes); smaller >= kLeastGrant; smaller /= 2)
    if (smaller != bytes) grants.push_back(smaller);
  return grants;
}

Result<program::Schedule> scheduled(program::Program program, const Plan& plan, uint64_t vtcm_bytes) {
  const uint64_t granted = std::exchange(program.schedule.vtcm_bytes, vtcm_bytes);
  OPENQNN_ASSIGN(const Tiling tiling, tile(program, plan.vtcm_share));
  OPENQNN_TRY(sequence(program, tiling, plan.order));
  program.schedule.vtcm_bytes = granted;
  return std::move(program.schedule);
}

std::string text_of(const Plan& plan) {
  return concat("tiles of 1/", 1 / plan.vtcm_share, " of VTCM, ",
                plan.order == Order::kDepthFirst ? "in depth" : "op by op");
}

Status search(program::Program& program, const soc::Target& target, const Logger& log) {
  std::optional<program::Schedule> best;
  Cycles least;
  size_t tasks = 0;
  for (const uint64_t grant : grants_up_to(program.schedule.vtcm_bytes)) {
    for (const Plan& plan : kSearched) {
      if (best && tasks > kMostTasks) break;
      auto made = scheduled(program, plan, grant);
      if (!made && !best) return made.error();
      if (!made) continue;  // a part of VTCM need not do
      tasks += made->tasks.size();
      const Cycles cycles = sim::simulate(*made, target, sim::PowerState::of(target)).total;
      log.verbose(concat("graph '", program.graph, "': ", grant, " bytes of VTCM, ", text_of(plan), ": ",
                         cycles.value, " simulated cycles"));
      if (best && cycles >= least) continue;
      best = *std::move(made);
      least = cycles;
    }
  }
  program.schedule = *std::move(best);
  return {};
}

}  // namespace

Status schedule(program::Program& program, const soc::Target& target, const Logger& log) {
  if (program.optimization >= 3) return search(program, target, log);
  OPENQNN_ASSIGN(const Tiling tiling,
                 tile(program, program.optimization == 1 ? kPlain.vtcm_share : kGood.vtcm_share));
  return sequence(program, tiling, program.optimization == 1 ? kPlain.order : kGood.order);
}

}  // namespace openqnn::prepare
