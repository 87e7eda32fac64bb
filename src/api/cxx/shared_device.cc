// SPDX-License-Identifier: BSD-3-Clause
// Several clients that execute one graph on one device.
#include <algorithm>

#include "api/cxx/impl.h"
#include "sim/concurrency.h"

namespace openqnn {
namespace {

// Enough for the beginning, when all call at once, not to count.
constexpr uint32_t kExecutes = 64;

// What happened before the first client had all its answers: until then every one is there.
std::vector<sim::Execution> while_all_call(std::vector<sim::Execution> all, size_t clients) {
  std::vector<Cycles> last(clients);
  for (const sim::Execution& execution : all) last[execution.client] = execution.answered;
  const Cycles until = *std::ranges::min_element(last);
  std::erase_if(all, [&](const sim::Execution& execution) { return execution.answered > until; });
  return all;
}

class Figures {
 public:
  Figures(const std::vector<sim::Execution>& executions, const sim::PowerState& power)
      : executions_(executions), power_(power) {}

  ClientFigures of(uint32_t client, uint32_t priority) const {
    ClientFigures figures{.priority = priority};
    std::vector<sim::Execution> own;
    Cycles latency, waited, yielded;
    for (const sim::Execution& execution : executions_) {
      if (execution.client != client) continue;
      own.push_back(execution);
      latency += execution.latency();
      waited += execution.waited();
      figures.yields += execution.yields.size();
      for (const sim::Yield& yield : execution.yields) yielded += yield.cycles();
      figures.worst_us = std::max(figures.worst_us, micros(execution.latency()));
    }
    figures.executes = own.size();
    if (own.empty()) return figures;
    const auto count = static_cast<double>(own.size());
    figures.latency_us = std::min(micros(latency) / count, figures.worst_us);
    figures.waited_us = micros(waited) / count;
    figures.yielded_us = micros(yielded) / count;
    figures.per_s = sim::throughput_per_s(own, power_);
    return figures;
  }

 private:
  double micros(Cycles cycles) const { return in_micros(power_.time(cycles)); }

  const std::vector<sim::Execution>& executions_;
  const sim::PowerState& power_;
};

}  // namespace

SharedDevice share_device(const Simulation& simulation, const std::vector<uint32_t>& priorities) {
  if (priorities.empty()) return {};
  const Simulation::Impl& impl = Inside::of(simulation);
  const sim::Timeline& alone = impl.timeline;
  const sim::Workload graph = sim::Workload::executing(impl.program.schedule, alone);
  std::vector<sim::Client> clients;
  for (const uint32_t priority : priorities)
    clients.push_back({.workload = &graph,
                       .priority = priority,
                       .executes = kExecutes,
                       .call = alone.power.cycles(alone.client - alone.accelerator)});
  const std::vector<sim::Execution> executions =
      while_all_call(sim::share_device(clients, impl.part, alone.power), clients.size());
  SharedDevice shared;
  const Figures figures(executions, alone.power);
  for (uint32_t i = 0; i < priorities.size(); ++i) {
    shared.clients.push_back(figures.of(i, priorities[i]));
    shared.per_s += shared.clients.back().per_s;
  }
  return shared;
}

}  // namespace openqnn
