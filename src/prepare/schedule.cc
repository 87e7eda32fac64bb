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

// Tiles, order and VTCM by a plan, with a part of the VTCM that is granted.
Result<program::Schedule> scheduled(program::Program program, const Plan& plan, uint64_t vtcm_bytes,
                                    uint32_t cores, const Traffic& traffic, Course& course) {
  const uint64_t granted = std::exchange(program.schedule.vtcm_bytes, vtcm_bytes);
  program.schedule.cores = cores;
  OPENQNN_ASSIGN(const Tiling tiling, tile(program, plan.vtcm_share, &course));
  if (!course.is_within_step()) OPENQNN_TRY(course.enter(Stage::kVtcmAllocation));
  OPENQNN_TRY(sequence(program, tiling, plan.order, &course));
  program.schedule.vtcm_bytes = granted;
  route(program, traffic);
  return std::move(program.schedule);
}

std::string text_of(const Plan& plan) {
  return concat("tiles of 1/", 1 / plan.vtcm_share, " of VTCM, ",
                plan.order == Order::kDepthFirst ? "in depth" : "op by op");
}

// The fastest of several plans, on a part of the VTCM and of the cores or on all.
class Search {
 public:
  Search(const program::Program& program, const soc::Target& target, const Traffic& traffic, Course& course,
         const Logger& log)
      : program_(program), target_(target), traffic_(traffic), course_(course), log_(log) {}

  // What is known to be good, and must be possible.
  Status begin_with(const Plan& plan) {
    const program::Schedule& all = program_.schedule;
    OPENQNN_ASSIGN(program::Schedule made,
                   scheduled(program_, plan, all.vtcm_bytes, all.cores, traffic_, course_));
    consider(std::move(made), plan, all.vtcm_bytes);
    return {};
  }

  Status go_through_all() {
    const program::Schedule& all = program_.schedule;
    const std::vector<uint64_t> grants = grants_up_to(all.vtcm_bytes);
    std::vector<uint32_t> cores = {all.cores};
    if (all.cores > 1) cores.push_back(1);
    const uint64_t total = cores.size() * grants.size() * std::size(kSearched);
    uint64_t tried = 0;
    for (const uint32_t count : cores)
      for (const uint64_t grant : grants)
        for (const Plan& plan : kSearched) {
          if (tasks_ > kMostTasks) return {};
          OPENQNN_TRY(course_.advance(tried, total));
          if (tried++ > 0) OPENQNN_TRY(try_plan(plan, grant, count));  // it began with the first
        }
    return {};
  }

  // On one core, where another's results need not come through DDR.
  Status try_one_core(const Plan& plan) { return try_plan(plan, program_.schedule.vtcm_bytes, 1); }

  program::Schedule take_best() { return std::move(best_); }

 private:
  Status try_plan(const Plan& plan, uint64_t grant, uint32_t cores) {
    const Course::WithinStep one_plan(course_);
    auto made = scheduled(program_, plan, grant, cores, traffic_, course_);
    if (!made && made.error().code == kStopped) return made.error();
    if (made) consider(*std::move(made), plan, grant);  // a part of VTCM need not do
    return {};
  }

  void consider(program::Schedule made, const Plan& plan, uint64_t grant) {
    const bool is_first = tasks_ == 0;
    tasks_ += made.tasks.size() + 1;
    const Cycles cycles = sim::simulate(made, target_, sim::PowerState::of(target_)).total;
    log_.verbose(concat("graph '", program_.graph, "': ", grant, " bytes of VTCM, ",
                        made.cores > 1 ? concat(made.cores, " cores, ") : "", text_of(plan), ": ",
                        cycles.value, " simulated cycles"));
    if (!is_first && cycles >= least_) return;
    best_ = std::move(made);
    least_ = cycles;
  }

  const program::Program& program_;
  const soc::Target& target_;
  const Traffic& traffic_;
  Course& course_;
  const Logger& log_;
  program::Schedule best_;
  Cycles least_;
  size_t tasks_ = 0;
};

}  // namespace

Status schedule(program::Program& program, const soc::Target& target, const Traffic& traffic, Course& course,
                const Logger& log) {
  OPENQNN_TRY(course.enter(Stage::kSequencing));
  const bool searches = program.optimization >= 3;
  const Plan& plan = program.optimization == 1 ? kPlain : kGood;
  if (!searches && program.schedule.cores == 1) {  // nothing to compare
    OPENQNN_ASSIGN(program.schedule,
                   scheduled(program, plan, program.schedule.vtcm_bytes, 1, traffic, course));
    OPENQNN_TRY(course.enter(Stage::kParallelization));
    return course.enter(Stage::kFinalizing);
  }
  Search search(program, target, traffic, course, log);
  OPENQNN_TRY(search.begin_with(plan));
  OPENQNN_TRY(course.enter(Stage::kParallelization));
  OPENQNN_TRY(searches ? search.go_through_all() : search.try_one_core(plan));
  OPENQNN_TRY(course.enter(Stage::kFinalizing));
  program.schedule = search.take_best();
  return {};
}

}  // namespace openqnn::prepare
