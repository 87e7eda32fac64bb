// SPDX-License-Identifier: BSD-3-Clause
// The simulator as a function of its coefficients, for bench/timing/fit.py.
//
//   timing_evaluator GRAPHS [SAVED]    GRAPHS: lines "model.onnx precision vtcm_bytes inputs outputs"
//   timing_evaluator --load SAVED      what another run has saved
//
// Prepares every graph once (or loads it) and answers with "ready". After that, each line of input
//   threads arch COEFFICIENTS... : graph graph ...
// gets one line: the latency of each graph named (by its line, from 0) in microseconds.
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "base/log.h"
#include "prepare/prepare.h"
#include "quant/calibrate.h"
#include "sim/sim.h"
#include "tools/model_job.h"

namespace {

using namespace openqnn;  // NOLINT: a program of one file

struct Request {
  std::string model, precision;
  uint64_t vtcm_bytes = 0;
  std::string images_in, images_out;  // inputs and outputs that are images, by commas; "-": none
};

[[noreturn]] void give_up(const std::string& what, const Diagnostic& why) {
  std::cerr << "error: " << what << ": " << why.message << "\n";
  std::exit(1);
}

// As the measured models have them.
frontend::onnx::ConvertOptions channel_last(const Request& request) {
  frontend::onnx::ConvertOptions options;
  const auto add = [](const std::string& names, auto& orders) {
    std::istringstream list(names == "-" ? "" : names);
    for (std::string name; std::getline(list, name, ',');) orders[name] = {0, 2, 3, 1};
  };
  add(request.images_in, options.input_orders);
  add(request.images_out, options.output_orders);
  return options;
}

ir::Graph typed_graph(const tools::FloatModel& model, const std::string& precision) {
  if (precision == "float") return model.graph.graph;
  const auto asked = tools::precision_from(precision);
  if (!asked) give_up(precision, asked.error());
  auto made =
      tools::quantized_as_seen(asked->options, model.graph, quant::assumed_observations(model.graph.graph));
  if (!made) give_up(precision, made.error());
  return std::move(made->graph);
}

// Of one graph: all that preparation would choose from. Which one is the fastest depends on the coefficients.
using Schedules = std::vector<program::Schedule>;

class Collector final : public prepare::Follower {
 public:
  void schedule_compared(const program::Schedule& schedule) override { schedules.push_back(schedule); }
  Schedules schedules;
};

Schedules schedules_of(const ir::Graph& graph, uint64_t vtcm_bytes) {
  soc::Target target = *soc::target_by_arch(75);
  target.vtcm = Bytes{vtcm_bytes};
  target.runs_half = true;
  Collector compared;
  const auto set = prepare::prepare(graph, target, {.vtcm_bytes = 0}, Logger(), &compared);
  if (!set) give_up("prepare", set.error());
  return std::move(compared.schedules);
}

std::vector<Schedules> prepare_all(std::istream& list) {
  std::vector<Schedules> graphs;
  std::string last;
  std::optional<tools::FloatModel> model;
  std::string last_precision;
  std::optional<ir::Graph> graph;
  for (Request next;
       list >> next.model >> next.precision >> next.vtcm_bytes >> next.images_in >> next.images_out;) {
    if (next.model != last) {
      auto converted = tools::convert_onnx(next.model, channel_last(next));
      if (!converted) give_up(next.model, converted.error());
      model = std::move(*converted);
      last_precision.clear();
    }
    if (next.precision != last_precision) graph = typed_graph(*model, next.precision);
    last = next.model;
    last_precision = next.precision;
    graphs.push_back(schedules_of(*graph, next.vtcm_bytes));
    std::cerr << next.model << " " << next.precision << " " << next.vtcm_bytes << ": "
              << graphs.back().front().tasks.size() << " tasks\n";
  }
  return graphs;
}

// ---- Schedules in a file, as far as the simulator reads them: for a machine that has no models ----

template <class T>
void put(std::ostream& out, const T& value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: plain numbers
}
template <class T>
void get(std::istream& in, T& value) {
  in.read(reinterpret_cast<char*>(&value), sizeof value);  // NOLINT: plain numbers
}

void save(const std::vector<Schedules>& graphs, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  put(out, graphs.size());
  for (const Schedules& schedules : graphs) {
    put(out, schedules.size());
    for (const program::Schedule& schedule : schedules) {
      put(out, schedule.tasks.size());
      for (const program::Task& task : schedule.tasks) {
        put(out, task.unit), put(out, task.bytes), put(out, task.work), put(out, task.launches);
        put(out, task.after.size());
        for (const uint32_t before : task.after) put(out, before);
      }
    }
  }
}

program::Schedule load_schedule(std::istream& in) {
  size_t count = 0;
  get(in, count);
  program::Schedule schedule;
  schedule.tasks.resize(count);
  for (program::Task& task : schedule.tasks) {
    get(in, task.unit), get(in, task.bytes), get(in, task.work), get(in, task.launches);
    get(in, count);
    task.after.resize(count);
    for (uint32_t& before : task.after) get(in, before);
  }
  return schedule;
}

std::vector<Schedules> load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  size_t count = 0;
  get(in, count);
  std::vector<Schedules> graphs(count);
  for (Schedules& schedules : graphs) {
    get(in, count);
    for (size_t i = 0; i < count; ++i) schedules.push_back(load_schedule(in));
  }
  return graphs;
}

// Of the schedule that preparation for this part would keep.
double latency_us(Schedules& schedules, const soc::Target& target) {
  uint64_t least = UINT64_MAX;
  for (program::Schedule& schedule : schedules) {
    schedule.hvx_threads = target.hvx_contexts;
    const sim::Timeline timeline = sim::simulate(schedule, target, sim::PowerState::of(target));
    least = std::min(least, timeline.client.value);
  }
  return static_cast<double>(least) / 1000.0;
}

soc::Timing read_timing(std::istream& in) {
  soc::Timing timing;
  in >> timing.word_passes >> timing.between_strides >> timing.ragged_8 >> timing.ragged_16;
  for (double& cycles : timing.vector_cycles) in >> cycles;
  in >> timing.byte_vectors >> timing.half_vectors >> timing.op_cycles >> timing.matrix_cycles >>
      timing.task_cycles >> timing.dma_setup_cycles;
  in >> timing.clock_hz >> timing.hmx_macs_per_cycle_8 >> timing.hmx_macs_per_cycle_16 >>
      timing.dma_bytes_per_second >> timing.rpc_us;
  return timing;
}

}  // namespace

int main(int argc, char** argv) {
  const bool loads = argc == 3 && std::string_view(argv[1]) == "--load";
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: timing_evaluator GRAPHS [SAVED] | --load SAVED\n";
    return 2;
  }
  std::ifstream list(argv[1]);
  std::vector<Schedules> graphs = loads ? load(argv[2]) : prepare_all(list);
  if (!loads && argc == 3) save(graphs, argv[2]);
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    soc::Target target;
    uint32_t threads = 0;
    in >> threads >> target.arch;
    target.hvx_contexts = threads;
    target.hmx_units = 1;
    target.timing = read_timing(in);
    std::string colon;
    in >> colon;
    for (size_t graph = 0; in >> graph;) std::cout << latency_us(graphs[graph], target) << ' ';
    std::cout << std::endl;
  }
}
