// SPDX-License-Identifier: BSD-3-Clause
// Trace-event JSON: the parts of the format that Perfetto and chrome://tracing both read.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "json/json.h"
#include "profile/figures.h"
#include "profile/report.h"
#include "profile/tracks.h"
#include "soc/part_name.h"

namespace openqnn::profile {
namespace {

using json::Writer;
using program::TaskKind;
using soc::Unit;

// One Program's part of a trace: a process of its own, which begins where the one before it ended.
class Trace {
 public:
  struct Place {
    uint64_t process;
    Nanos begin;
    uint64_t& flows;  // counts them through all parts
  };
  Trace(Writer& out, const RunView& run, const TraceOptions& options, const Place& place)
      : program_(*run.program),
        timeline_(*run.timeline),
        options_(options),
        process_(place.process),
        begin_(place.begin),
        flows_(place.flows),
        by_task_(program_.schedule.tasks.size()),
        out_(out) {
    for (const sim::Event& event : timeline_.events) by_task_[event.task] = &event;
  }

  void write() {
    metadata();
    slices();
    flows();
    if (options_.memory) {
      for (const Direction& direction : kDirections) bandwidth_counter(direction);
      vtcm_counter();
    }
  }

  // ---- Tracks

  void metadata() {
    begin("process_name", "M", 0);
    args_name(concat(soc::part_name(program_.soc, program_.arch), " NPU, simulated: ", program_.graph));
    const UnitCounts counts(program_.schedule, timeline_);
    uint64_t position = 0;
    for (const Unit unit : kUnitOrder) tracks(unit, counts.of(unit), position);
    if (options_.runtrace) runtrace(position++);
    if (options_.runtrace && !timeline_.yields.empty()) yields(position);
  }

  // The whole inference, in a track below the units'.
  void runtrace(uint64_t position) {
    name_track(kRuntraceTrack, concat(program_.graph, " Runtraces"), position);
    begin("inference", "X", kRuntraceTrack);
    out_.key("cat").string("runtrace");
    micros("ts", begin_);
    micros("dur", timeline_.power.time(timeline_.total));
    out_.key("args").begin_object(Writer::Style::kInline);
    out_.key("cycles").unsigned_integer(timeline_.total.value);
    micros("rpc_us", timeline_.rpc);
    micros("client_us", timeline_.client);
    micros("vtcm_acquire_us", timeline_.power.time(timeline_.acquire));
    out_.end_object().end_object();
  }

  // When the device belonged to somebody else, and what that cost.
  void yields(uint64_t position) {
    name_track(kYieldTrack, concat(program_.graph, " Yields"), position);
    for (const sim::Yield& yield : timeline_.yields) {
      Cycles at = yield.start;
      at = yield_part("save", at, yield.save, yield);
      at = yield_part("re-acquire", at, yield.wait, yield);
      yield_part("restore", at, yield.restore, yield);
    }
  }
  Cycles yield_part(std::string_view name, Cycles start, Cycles duration, const sim::Yield& yield) {
    begin(name, "X", kYieldTrack);
    out_.key("cat").string("yield");
    span(begin_ + timeline_.power.time(start), begin_ + timeline_.power.time(start + duration));
    out_.key("args").begin_object(Writer::Style::kInline);
    out_.key("cycles").unsigned_integer(duration.value).key("bytes").unsigned_integer(yield.bytes.value);
    out_.end_object().end_object();
    return start + duration;
  }

  void name_track(uint64_t track, std::string_view name, uint64_t position) {
    begin("thread_name", "M", track);
    args_name(name);
    begin("thread_sort_index", "M", track);
    out_.key("args").begin_object(Writer::Style::kInline);
    out_.key("sort_index").unsigned_integer(position);
    out_.end_object().end_object();
  }

  // A vector thread has a number even where there is one.
  void tracks(Unit unit, uint32_t count, uint64_t& position) {
    const std::string name(soc::unit_name(unit));
    const bool numbered = count > 1 || unit == Unit::kHvx;
    for (uint32_t i = 0; i < count; ++i)
      name_track(track_id(unit, i), numbered ? concat(name, " ", i) : name, position++);
  }

  void args_name(std::string_view name) {
    out_.key("args").begin_object(Writer::Style::kInline);
    out_.key("name").string(name);
    out_.end_object().end_object();
  }

  // ---- Tasks

  void slices() {
    for (const sim::Event& event : timeline_.events)
      for (uint32_t i = 0; i < event.instances; ++i) slice(event, event.instance + i);
  }

  void slice(const sim::Event& event, uint32_t instance) {
    const program::Task& task = program_.schedule.tasks[event.task];
    const program::Op& op = program_.ops[task.op];
    const std::string& tensor = program_.tensors[task.tensor].name;
    begin(slice_name(task.kind, op.name, tensor), "X", track_id(event.unit, instance));
    out_.key("cat").string(task.kind == TaskKind::kCompute ? "compute" : "dma");
    span(start_of(event), end_of(event));
    out_.key("args").begin_object(Writer::Style::kInline);
    out_.key("op").string(op.name);
    out_.key("type").string(op.type);
    if (task.kind != TaskKind::kCompute) out_.key("system_service").string(system_service(task.kind));
    out_.key("tensor").string(tensor);
    out_.key("tile").string(task.box.to_string());
    out_.key("task").unsigned_integer(event.task);
    out_.key("cycles").unsigned_integer(event.duration.value);
    if (event.unit == task.unit) {
      out_.key("bytes").unsigned_integer(task.kind == TaskKind::kCompute ? task.work.vtcm_bytes : task.bytes);
      if (task.work.macs != 0) out_.key("macs").unsigned_integer(task.work.macs);
    }
    out_.key("bound").string(sim::bound_name(event.bound));
    if (options_.traceback != nullptr) source_nodes(op);
    out_.end_object().end_object();
  }

  // The nodes that an op stands for, and what the model's file called them.
  void source_nodes(const program::Op& op) {
    out_.key("qnn_nodes").begin_array(Writer::Style::kInline);
    for (const uint32_t node : op.source_nodes) out_.string(program_.source_nodes[node]);
    out_.end_array();
    if (options_.traceback->empty()) return;
    out_.key("framework_nodes").begin_array(Writer::Style::kInline);
    for (const uint32_t node : op.source_nodes) {
      const auto found = options_.traceback->find(program_.source_nodes[node]);
      if (found == options_.traceback->end()) continue;
      for (const std::string& name : found->second) out_.string(name);
    }
    out_.end_array();
  }

  static std::string slice_name(TaskKind kind, const std::string& op, const std::string& tensor) {
    if (kind == TaskKind::kCompute) return op;
    return (kind == TaskKind::kLoad ? "load " : "store ") + tensor;
  }

  // ---- Flows

  void flows() {
    for (const sim::Event& event : timeline_.events) {
      const program::Task& task = program_.schedule.tasks[event.task];
      for (const uint32_t before : task.after) {
        if (by_task_[before] == nullptr) continue;
        const bool is_data = carries_data(program_.schedule.tasks[before].kind, task.kind);
        if (is_data ? !options_.data_flows : !options_.sequence_flows) continue;
        const uint64_t id = ++flows_;
        const sim::Event& from = *by_task_[before];
        // Inside its slice, which ends a nanosecond early: at the very end, a viewer would take the next
        // one.
        const uint64_t before_end = std::min<uint64_t>(2, (end_of(from) - start_of(from)).value);
        const Nanos leaves = end_of(from) - Nanos{before_end};
        const std::string_view name = is_data ? "data" : "order";
        flow(name, "s", from, leaves, id);
        flow(name, "f", event, start_of(event), id);
      }
    }
  }

  void flow(std::string_view name, std::string_view phase, const sim::Event& event, Nanos at, uint64_t id) {
    begin(name, phase, track_id(event.unit, event.instance));
    out_.key("cat").string("dependency");
    out_.key("id").unsigned_integer(id);
    micros("ts", at);
    if (phase == "f") out_.key("bp").string("e");  // ends at the slice around it, not at the next
    out_.end_object();
  }

  // ---- Memory

  // What tasks move in one direction.
  struct Direction {
    std::string_view name;
    uint64_t Traffic::*bytes;
  };
  static constexpr std::array<Direction, 4> kDirections = {{{"VTCM read", &Traffic::vtcm_read},
                                                            {"VTCM write", &Traffic::vtcm_write},
                                                            {"DRAM read", &Traffic::dram_read},
                                                            {"DRAM write", &Traffic::dram_write}}};

  // By nanosecond. A decrease is what wraps around to it: sums come back to 0, whatever a file says.
  using Changes = std::map<uint64_t, uint64_t>;

  // A task moves its bytes evenly while it runs. Whole numbers, so that the sum comes back to 0.
  void bandwidth_counter(const Direction& direction) {
    Changes changes;
    for (const sim::Event& event : timeline_.events) {
      const program::Task& task = program_.schedule.tasks[event.task];
      if (event.unit != task.unit) continue;  // the vectors of a task of the matrix unit
      const uint64_t bytes = traffic_of(program_, task).*direction.bytes;
      const Nanos took = end_of(event) - start_of(event);
      if (bytes == 0 || took.value == 0) continue;
      const auto rate = static_cast<uint64_t>(
          std::llround(static_cast<double>(bytes) * 1e3 / static_cast<double>(took.value)));
      changes[start_of(event).value] += rate;
      changes[end_of(event).value] -= rate;
    }
    counter(direction.name, "MB/s", changes);
  }

  void counter(std::string_view name, std::string_view unit, const Changes& changes) {
    uint64_t sum = 0;
    for (const auto& [at, change] : changes) {
      if (change == 0) continue;
      sum += change;
      begin(name, "C", 0);
      micros("ts", {at});
      out_.key("args").begin_object(Writer::Style::kInline);
      out_.key(unit).unsigned_integer(sum);
      out_.end_object().end_object();
    }
  }

  void vtcm_counter() {
    Changes changes;
    uint64_t before = 0;
    for (const VtcmUse& use : vtcm_use(program_.schedule, timeline_)) {
      changes[(begin_ + timeline_.power.time(use.at)).value] += use.bytes - before;
      before = use.bytes;
    }
    counter("VTCM alloc", "bytes", changes);
  }

  // ---- Pieces

  void begin(std::string_view name, std::string_view phase, uint64_t thread) {
    out_.begin_object(Writer::Style::kInline);
    out_.key("name").string(name);
    out_.key("ph").string(phase);
    out_.key("pid").unsigned_integer(process_);
    out_.key("tid").unsigned_integer(thread);
  }

  // Viewers add the two as doubles of microseconds, counted from anywhere. A sum that is rounded up would lie
  // behind the start of the next slice, and they would take that for one inside this one: a nanosecond of
  // room keeps them apart. args.cycles is exact.
  void span(Nanos from, Nanos to) {
    micros("ts", from);
    micros("dur", to > from ? to - from - Nanos{1} : Nanos{});
  }

  // Whole nanoseconds.
  void micros(std::string_view key, Nanos nanos) {
    out_.key(key);
    if (nanos.value % 1000 == 0) {
      out_.unsigned_integer(nanos.value / 1000);
    } else {
      out_.number(in_micros(nanos));
    }
  }

  Nanos start_of(const sim::Event& event) const { return begin_ + timeline_.power.time(event.start); }
  Nanos end_of(const sim::Event& event) const { return begin_ + timeline_.power.time(event.end()); }

  const program::Program& program_;
  const sim::Timeline& timeline_;
  const TraceOptions& options_;
  const uint64_t process_;
  const Nanos begin_;
  uint64_t& flows_;
  std::vector<const sim::Event*> by_task_;
  Writer& out_;
};

void write_other_data(Writer& out, const RunView& run) {
  const program::Program& program = *run.program;
  const sim::Timeline& timeline = *run.timeline;
  out.begin_object();
  out.key("generator").string("openqnn");
  out.key("clock").string("simulated");
  out.key("model").string(timeline.model);
  out.key("error_band").number(timeline.error_band);
  out.key("graph").string(program.graph);
  out.key("soc").string(program.soc);
  out.key("arch").unsigned_integer(program.arch);
  out.key("clock_hz").unsigned_integer(static_cast<uint64_t>(std::llround(timeline.power.clock_hz)));
  out.key("total_cycles").unsigned_integer(timeline.total.value);
  out.key("vtcm_bytes").unsigned_integer(program.schedule.vtcm_bytes);
  out.key("hvx_threads").unsigned_integer(program.schedule.hvx_threads);
  out.end_object();
}

}  // namespace

std::string_view system_service(TaskKind kind) {
  if (kind == TaskKind::kCompute) return "";
  return kind == TaskKind::kLoad ? "DramToTcm" : "TcmToDram";
}

std::string chrometrace(std::span<const RunView> runs, const TraceOptions& options) {
  Writer out;
  out.begin_object();
  out.key("displayTimeUnit").string("ns");
  if (!runs.empty()) {
    out.key("otherData");
    write_other_data(out, runs[0]);
  }
  out.key("traceEvents").begin_array();
  Nanos begin;
  uint64_t flows = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    Trace(out, runs[i], options, {i + 1, begin, flows}).write();
    begin += runs[i].timeline->power.time(runs[i].timeline->total);
  }
  out.end_array().end_object();
  return out.take();
}

std::string chrometrace(const program::Program& program, const sim::Timeline& timeline) {
  const RunView run{&program, &timeline};
  const Traceback traceback = traceback_of(program);
  TraceOptions options;
  options.data_flows = options.runtrace = options.memory = true;
  if (!traceback.empty()) options.traceback = &traceback;
  return chrometrace(std::span(&run, 1), options);
}

}  // namespace openqnn::profile
