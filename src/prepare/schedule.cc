// SPDX-License-Identifier: BSD-3-Clause
// How hard each O level looks for a schedule. 1 takes the plain one: large tiles, op by op. 2 cuts finer and
// goes in depth, so that what lies between two ops is read before it has to leave VTCM, and falls back on the
// plain one, or on what half the VTCM would get, where the simulator finds that faster on this part. 3 tries
// more: other tiles and orders, smaller grants, fewer vector threads; those of 1 and 2 are among them, so it
// is never slower than they.
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "base/text.h"
#include "prepare/draft.h"
#include "sim/sim.h"

namespace openqnn::prepare {
namespace {

struct Plan {
  Cut cut;
  Order order;
};

constexpr Plan kPlain = {{1.0 / 2}, Order::kBreadthFirst};
constexpr Plan kGood = {{1.0 / 16}, Order::kDepthFirst};
constexpr Plan kSearched[] = {kGood,
                              kPlain,
                              {{1.0 / 8}, Order::kDepthFirst},
                              {{1.0 / 4}, Order::kDepthFirst},
                              {{1.0 / 32}, Order::kDepthFirst},
                              {{1.0 / 16}, Order::kBreadthFirst}};
// Of larger batches also some images after the others: their weights are fetched again, but what lies between
// their ops stays in VTCM.
constexpr uint32_t kImagesAtOnce[] = {1, 2, 4, 8, 32};

// What a search may look at; a graph beyond it gets the best of the first plans.
constexpr size_t kMostTasks = 2'000'000;
constexpr uint64_t kLeastGrant = 64 * kKiB;
constexpr uint64_t kMostParts = 16;  // less than this part of a grant was never the best

// A plan with a part of the VTCM and of the cores that are granted.
struct Trial {
  Plan plan;
  uint64_t vtcm_bytes;
  uint32_t cores;
};
using Trials = std::vector<Trial>;

// A grant between two powers of two is also tried as the smaller one.
Trials good_trials(uint64_t granted, uint32_t cores) {
  Trials trials = {{kGood, granted, cores}, {kPlain, granted, cores}};
  const uint64_t power_of_two = std::bit_floor(granted);
  if (power_of_two != granted) {
    const Trials smaller = good_trials(power_of_two, cores);
    trials.insert(trials.end(), smaller.begin(), smaller.end());
  } else if (granted / 2 >= kLeastGrant) {
    trials.push_back({kGood, granted / 2, cores});
  }
  return trials;
}

// What would be best with less stays possible with more, so that more megabytes do not make a graph slower.
Trials searched_trials(uint64_t granted, uint32_t cores) {
  Trials trials;
  const auto add_all = [&](uint64_t grant) {
    for (const Plan& plan : kSearched) trials.push_back({plan, grant, cores});
  };
  add_all(granted);
  for (uint64_t grant = (granted - 1) / kMiB * kMiB; grant >= kMiB; grant -= kMiB) add_all(grant);
  for (uint64_t grant = std::min(std::bit_ceil(granted), kMiB) / 2;
       grant >= std::max(kLeastGrant, granted / kMostParts); grant /= 2)
    add_all(grant);
  return trials;
}

Trials trials_on(uint32_t cores, uint32_t optimization, uint64_t granted) {
  switch (optimization) {
    case 1:
      return {{kPlain, granted, cores}};
    case 2:
      return good_trials(granted, cores);
    default:
      return searched_trials(granted, cores);
  }
}

// What this level tries, the first of which must be possible. One core may be faster than several: another's
// results need not come through DDR.
Trials trials_of(const program::Program& program) {
  const program::Schedule& granted = program.schedule;
  Trials trials = trials_on(granted.cores, program.optimization, granted.vtcm_bytes);
  if (granted.cores > 1) {
    const Trials on_one = trials_on(1, program.optimization, granted.vtcm_bytes);
    trials.insert(trials.end(), on_one.begin(), on_one.end());
  }
  const uint32_t batch = program.optimization > 1 ? batch_of(program) : 1;
  for (const uint32_t images : kImagesAtOnce)
    if (images < batch)
      trials.push_back(
          {{{kGood.cut.vtcm_share, images}, Order::kImagesFirst}, granted.vtcm_bytes, granted.cores});
  return trials;
}

// Tiles, order and VTCM.
Result<program::Schedule> scheduled(program::Program program, const Trial& trial, const Traffic& traffic,
                                    Course& course) {
  const uint64_t granted = std::exchange(program.schedule.vtcm_bytes, trial.vtcm_bytes);
  program.schedule.cores = trial.cores;
  OPENQNN_ASSIGN(const Tiling tiling, tile(program, trial.plan.cut, &course));
  if (!course.is_within_step()) OPENQNN_TRY(course.enter(Stage::kVtcmAllocation));
  OPENQNN_TRY(sequence(program, tiling, trial.plan.order, &course));
  program.schedule.vtcm_bytes = granted;
  route(program, traffic);
  return std::move(program.schedule);
}

std::string text_of(const Plan& plan) {
  switch (plan.order) {
    case Order::kBreadthFirst:
      return "op by op";
    case Order::kDepthFirst:
      return "in depth";
    case Order::kImagesFirst:
      return concat("in depth, ", plan.cut.images, " images at once");
  }
  return {};
}

std::string text_of(const Trial& trial) {
  return concat(trial.vtcm_bytes, " bytes of VTCM, ", trial.cores > 1 ? concat(trial.cores, " cores, ") : "",
                "tiles of 1/", 1 / trial.plan.cut.vtcm_share, " of VTCM, ", text_of(trial.plan));
}

// The fastest of the schedules that were tried.
class Search {
 public:
  Search(const program::Program& program, const soc::Target& target, Course& course, const Logger& log)
      : program_(program), target_(target), course_(course), log_(log) {}

  void consider(program::Schedule made, const Trial& trial) {
    const bool is_first = tasks_ == 0;
    tasks_ += made.tasks.size() + 1;
    const Cycles cycles = choose_threads(made);
    log_.verbose(concat("graph '", program_.graph, "': ", text_of(trial), ", ", made.hvx_threads,
                        " HVX threads: ", cycles.value, " simulated cycles"));
    course_.compare(made);
    if (!is_first && cycles >= least_) return;
    best_ = std::move(made);
    least_ = cycles;
  }

  Status go_through(std::span<const Trial> trials, const Traffic& traffic) {
    for (size_t tried = 0; tried < trials.size() && tasks_ <= kMostTasks; ++tried) {
      OPENQNN_TRY(course_.advance(tried, trials.size()));
      const Course::WithinStep one_trial(course_);
      auto made = scheduled(program_, trials[tried], traffic, course_);
      if (!made && made.error().code == kStopped) return made.error();
      if (made) consider(*std::move(made), trials[tried]);  // a part of VTCM need not do
    }
    return {};
  }

  program::Schedule take_best() { return std::move(best_); }

 private:
  // A search also tries fewer vector threads than are granted: where one task ends earlier, others may change
  // their turns for the worse.
  Cycles choose_threads(program::Schedule& schedule) const {
    const auto simulated = [&] {
      return sim::simulate(schedule, target_, sim::PowerState::of(target_)).total;
    };
    Cycles least = simulated();
    if (program_.optimization < 3) return least;
    uint32_t best = schedule.hvx_threads;
    while (schedule.hvx_threads-- > 1) {
      const Cycles cycles = simulated();
      if (cycles >= least) continue;
      least = cycles;
      best = schedule.hvx_threads;
    }
    schedule.hvx_threads = best;
    return least;
  }

  const program::Program& program_;
  const soc::Target& target_;
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
  const Trials trials = trials_of(program);
  OPENQNN_ASSIGN(program::Schedule first, scheduled(program, trials.front(), traffic, course));
  OPENQNN_TRY(course.enter(Stage::kParallelization));
  if (trials.size() > 1) {
    Search search(program, target, course, log);
    search.consider(std::move(first), trials.front());
    OPENQNN_TRY(search.go_through(std::span(trials).subspan(1), traffic));
    first = search.take_best();
  }
  OPENQNN_TRY(course.enter(Stage::kFinalizing));
  program.schedule = std::move(first);
  return {};
}

}  // namespace openqnn::prepare
