// SPDX-License-Identifier: BSD-3-Clause
// Cost should grow as the work grows: prepare, verify, simulate and write at 10x and 100x.
#include <cstdlib>
#include <memory>

#include "models.h"
#include "prepare/prepare.h"
#include "program/context_binary.h"
#include "program/verify.h"
#include "protocol.h"
#include "sim/sim.h"
#include "soc/target.h"

namespace {

using namespace openqnn;  // NOLINT: a program of its own

constexpr uint32_t kSmall = 10;

bench::Work repeat(std::function<void()> body) {
  return [body = std::move(body)](uint64_t repeats) {
    for (uint64_t i = 0; i < repeats; ++i) body();
  };
}

void measure(bench::Area& area, uint32_t factor) {
  const soc::Target target = *soc::target_by_chipset("SM8650");
  const uint32_t large = kSmall * factor;
  const auto graphs =
      std::make_shared<std::pair<ir::Graph, ir::Graph>>(bench::conv_chain(kSmall), bench::conv_chain(large));
  const program::ProgramSet small_set = bench::prepared_chain(kSmall);
  const program::ProgramSet large_set = bench::prepared_chain(large);
  const std::string suffix = " at " + std::to_string(factor) + "x";
  volatile bool sink = false;
  const auto both = [&](const std::string& name, auto&& of_graph) {
    area.growth(name + suffix, kSmall, repeat([&] { of_graph(graphs->first, small_set); }), large,
                repeat([&] { of_graph(graphs->second, large_set); }));
  };
  both("prepare", [&](const ir::Graph& graph, const program::ProgramSet&) {
    sink = prepare::prepare(graph, target, {}, {}).ok();
  });
  both("verify", [&](const ir::Graph&, const program::ProgramSet& set) {
    sink = program::verify_schedule(*set.programs[0]).ok();
  });
  // By the event, so that the value also says how many a second are simulated.
  const auto simulated = [&](const program::ProgramSet& set) {
    return sim::simulate(set.programs[0]->schedule, target, sim::PowerState::of(target)).events.size();
  };
  area.growth("simulate an event" + suffix, simulated(small_set),
              repeat([&] { sink = simulated(small_set) == 0; }), simulated(large_set),
              repeat([&] { sink = simulated(large_set) == 0; }));
  both("write", [&](const ir::Graph&, const program::ProgramSet& set) {
    sink = program::write_context_binary(set).empty();
  });
}

// One op of many operands, or many groups, is no reason to look at all of them for each.
void measure_wide(bench::Area& area, uint32_t factor) {
  constexpr uint32_t kInputs = 100;
  const soc::Target target = *soc::target_by_chipset("SM8650");
  const std::string suffix = " at " + std::to_string(factor) + "x";
  const auto both = [&](const std::string& name, uint32_t units, auto&& of_units) {
    const auto small = of_units(units);
    const auto large = of_units(units * factor);
    area.growth(name + suffix, units, repeat(small), units * factor, repeat(large));
  };
  both("prepare a wide Concat", kInputs, [&](uint32_t inputs) {
    return [&target, graph = bench::wide_concat(inputs)] {
      if (!prepare::prepare(graph, target, {}, {})) std::abort();
    };
  });
  both("verify a wide Concat", kInputs, [&](uint32_t inputs) {
    return [set = bench::prepared(bench::wide_concat(inputs))] {
      if (!program::verify_schedule(*set.programs[0])) std::abort();
    };
  });
  both("BoxWithNmsLimit by classes", 20,
       [](uint32_t classes) { return [call = bench::limited_boxes(classes)]() mutable { call.run(); }; });
  both("MaskedSoftmax by sequences", 1000,
       [](uint32_t sequences) { return [call = bench::masked_rows(sequences)]() mutable { call.run(); }; });
}

}  // namespace

int main(int argc, char** argv) {
  bench::Area area("scaling", argc, argv);
  for (const uint32_t factor : {10U, 100U}) {
    measure(area, factor);
    measure_wide(area, factor);
  }
  return area.finish();
}
