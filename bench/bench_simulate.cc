// SPDX-License-Identifier: BSD-3-Clause
// How fast the modelled device is played: events a second, and what a tile costs when there are 10 and 100
// times as many. The questions of whole models are in python/bench_simulate.py.
#include <cstdlib>
#include <functional>
#include <string>

#include "models.h"
#include "prepare/prepare.h"
#include "protocol.h"
#include "sim/sim.h"
#include "soc/target.h"

namespace {

using namespace openqnn;  // NOLINT: a program of its own

constexpr double kEventsPerSecond = 1e6;  // wanted
constexpr uint32_t kRows = 2560;          // of the image at 1x: from here on, more rows are more tiles

bench::Work repeat(std::function<void()> body) {
  return [body = std::move(body)](uint64_t repeats) {
    for (uint64_t i = 0; i < repeats; ++i) body();
  };
}

struct Played {
  explicit Played(uint32_t factor) : graph(bench::tall_image(kRows * factor)), set(bench::prepared(graph)) {}

  size_t play() const {
    return sim::simulate(set.programs[0]->schedule, target, sim::PowerState::of(target)).events.size();
  }
  uint64_t tiles() const {
    uint64_t count = 0;
    for (const program::Task& task : set.programs[0]->schedule.tasks)
      if (task.kind == program::TaskKind::kCompute) ++count;
    return count;
  }
  void prepare() const {
    if (!prepare::prepare(graph, target, {}, {})) std::abort();
  }

  const soc::Target target = *soc::target_by_chipset("SM8650");
  ir::Graph graph;
  program::ProgramSet set;
};

std::string tiles_text(const Played& played) { return std::to_string(played.tiles()) + " tiles"; }

}  // namespace

int main(int argc, char** argv) {
  bench::Area area("simulate", argc, argv);
  const Played small(1);
  volatile size_t sink = 0;
  const auto play = [&](const Played& played) { return repeat([&] { sink = played.play(); }); };
  area.at_least("simulate at 1x", "events", kEventsPerSecond, small.play(), play(small), tiles_text(small));
  for (const uint32_t factor : {10U, 100U}) {
    const Played large(factor);
    const std::string suffix = " at " + std::to_string(factor) + "x";
    area.at_least("simulate" + suffix, "events", kEventsPerSecond, large.play(), play(large),
                  tiles_text(large));
    area.growth("simulate a tile" + suffix, small.tiles(), play(small), large.tiles(), play(large));
    area.growth("prepare a tile" + suffix, small.tiles(), repeat([&] { small.prepare(); }), large.tiles(),
                repeat([&] { large.prepare(); }));
  }
  return area.finish();
}
