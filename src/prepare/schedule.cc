// SPDX-License-Identifier: BSD-3-Clause
// How hard each O level looks for a schedule. 1 takes the plain one: large tiles, op by op. 2 cuts finer and
// goes in depth, so that what lies between two ops is read before it has to leave VTCM. 3 tries several, asks
// the simulator how long each takes on this part, and keeps the fastest; the plain ones are among them, so it
// is never slower than 1 and 2.
#include <optional>

#include "base/text.h"
#include "prepare/draft.h"
#include "sim/sim.h"

namespace openqnn::prepare {
namespace {

struct Plan {
  double vtcm_share;  // of a tile
  Order order;
  uint64_t grant_divisor = 1;  // as if only a part of VTCM were granted
};

constexpr Plan kPlain = {1.0 / 2, Order::kBreadthFirst};
constexpr Plan kGood = {1.0 / 16, Order::kDepthFirst};
constexpr Plan kSearched[] = {kGood,
                              kPlain,
                              {1.0 / 8, Order::kDepthFirst},
                              {1.0 / 32, Order::kDepthFirst},
                              {1.0 / 16, Order::kBreadthFirst},
                              {1.0 / 4, Order::kDepthFirst},
                              // So that a larger grant never makes a graph slower.
                              {1.0 / 16, Order::kDepthFirst, 2},
                              {1.0 / 16, Order::kDepthFirst, 4}};

Result<program::Schedule> scheduled(program::Program& program, const Plan& plan) {
  const program::Schedule empty = program.schedule;
  program.schedule.vtcm_bytes = empty.vtcm_bytes / plan.grant_divisor;
  OPENQNN_ASSIGN(const Tiling tiling, tile(program, plan.vtcm_share));
  OPENQNN_TRY(sequence(program, tiling, plan.order));
  program.schedule.vtcm_bytes = empty.vtcm_bytes;
  return std::exchange(program.schedule, empty);
}

std::string text_of(const Plan& plan) {
  return concat("tiles of 1/", 1 / plan.vtcm_share, " of VTCM, ",
                plan.order == Order::kDepthFirst ? "in depth" : "op by op");
}

Status search(program::Program& program, const soc::Target& target, const Logger& log) {
  std::optional<program::Schedule> best;
  Cycles least;
  for (const Plan& plan : kSearched) {
    const program::Schedule empty = program.schedule;
    auto made = scheduled(program, plan);
    if (!made) {
      if (plan.grant_divisor == 1) return made.error();
      program.schedule = empty;  // a part of VTCM need not do
      continue;
    }
    program::Schedule candidate = *std::move(made);
    const Cycles cycles = sim::simulate(candidate, target, sim::PowerState::of(target)).total;
    log.verbose(
        concat("graph '", program.graph, "': ", text_of(plan), ": ", cycles.value, " simulated cycles"));
    if (best && cycles >= least) continue;
    best = std::move(candidate);
    least = cycles;
  }
  program.schedule = *std::move(best);
  return {};
}

}  // namespace

Status schedule(program::Program& program, const soc::Target& target, const Logger& log) {
  if (program.optimization >= 3) return search(program, target, log);
  OPENQNN_ASSIGN(program.schedule, scheduled(program, program.optimization == 1 ? kPlain : kGood));
  return {};
}

}  // namespace openqnn::prepare
