// SPDX-License-Identifier: BSD-3-Clause
// Our model of the device: what a question about a graph costs.
#include <filesystem>

#include "frontend/dlc/dlc.h"
#include "prepare/prepare.h"
#include "race/contestant.h"
#include "sim/sim.h"
#include "soc/target.h"

namespace openqnn::bench {
namespace {

class Simulation : public Contestant {
 public:
  static Result<ContestantPtr> make(const std::string& dlc) {
    std::unique_ptr<Simulation> made(new Simulation);
    OPENQNN_ASSIGN(frontend::Dlc file, frontend::read_dlc(std::filesystem::path(dlc)));
    if (file.graphs.size() != 1) return invalid("race-graphs", "a model of one graph is wanted").at(dlc);
    made->graph_ = std::move(file.graphs[0].graph);
    OPENQNN_ASSIGN(made->target_, soc::target_by_chipset("SM8650"));
    return ContestantPtr(std::move(made));
  }

  Status work() override {
    OPENQNN_ASSIGN(const program::ProgramSet set, prepare::prepare(graph_, target_, {}, {}));
    const sim::Timeline timeline =
        sim::simulate(set.programs[0]->schedule, target_, sim::PowerState::of(target_));
    if (timeline.events.empty()) return invalid("race-simulation", "nothing was simulated");
    return {};
  }

 private:
  Simulation() = default;

  ir::Graph graph_{""};
  soc::Target target_;
};

}  // namespace

Result<ContestantPtr> our_simulation(const std::string& dlc, const RaceOptions&) {
  return Simulation::make(dlc);
}

}  // namespace openqnn::bench
