// SPDX-License-Identifier: BSD-3-Clause
// Trace-event JSON: the parts of the format that Perfetto and chrome://tracing both read.
// read.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "json/json.h"
#include "profile/report.h"

namespace openqnn::profile {
namespace {

using json::Writer;
using program::TaskKind;
using soc::Unit;

constexpr uint64_t kProcess = 1;

// Thread ids of the tracks. 256 and 512 are those of the vendor's analysis files; the others are ours.
uint64_t track(Unit unit, uint32_t instance) {
  constexpr std::array<uint64_t, soc::kUnitCount> kFirst = {256, 512, 1024,
                                                            768};  // in the order of soc::Unit
  return kFirst[static_cast<size_t>(unit)] + instance;
}

class Trace {
 public:
  Trace(const program::Program& program, const sim::Timeline& timeline)
      : program_(program), timeline_(timeline), by_task_(program.schedule.tasks.size()) {
    for (const sim::Event& event : timeline.events) by_task_[event.task] = &event;
  }

  std::string write() {
    out_.begin_object();
    out_.key("displayTimeUnit").string("ns");
    out_.key("otherData");
    other_data();
    out_.key("traceEvents").begin_array();
    metadata();
    slices();
    flows();
    vtcm_counter();
    out_.end_array().end_object();
    return out_.take();
  }

 private:
  void other_data() {
    out_.begin_object();
    out_.key("generator").string("openqnn");
    out_.key("clock").string("simulated");
    out_.key("model").string(timeline_.model);
    out_.key("error_band").number(timeline_.error_band);
    out_.key("graph").string(program_.graph);
    out_.key("soc").string(program_.soc);
    out_.key("arch").unsigned_integer(program_.arch);
    out_.key("clock_hz").unsigned_integer(static_cast<uint64_t>(std::llround(timeline_.power.clock_hz)));
    out_.key("total_cycles").unsigned_integer(timeline_.total.value);
    out_.key("vtcm_bytes").unsigned_integer(program_.schedule.vtcm_bytes);
    out_.key("hvx_threads").unsigned_integer(program_.schedule.hvx_threads);
    out_.end_object();
  }

  // ---- Tracks

  void metadata() {
    begin("process_name", "M", 0);
    args_name(concat(program_.soc, " NPU, simulated: ", program_.graph));
    std::array<uint32_t, soc::kUnitCount> instances{};
    instances[static_cast<size_t>(Unit::kHmx)] = 1;
    instances[static_cast<size_t>(Unit::kHvx)] = program_.schedule.hvx_threads;
    instances[static_cast<size_t>(Unit::kDma)] = 1;
    for (const sim::Event& event : timeline_.events) {
      uint32_t& seen = instances[static_cast<size_t>(event.unit)];
      seen = std::max(seen, event.instance + 1);
    }
    uint64_t position = 0;
    tracks(Unit::kHmx, "HMX", instances[static_cast<size_t>(Unit::kHmx)], /*number_one=*/false, position);
    tracks(Unit::kHvx, "HVX", instances[static_cast<size_t>(Unit::kHvx)], /*number_one=*/true, position);
    tracks(Unit::kScalar, "Scalar", instances[static_cast<size_t>(Unit::kScalar)], /*number_one=*/false,
           position);
    tracks(Unit::kDma, "DMA", instances[static_cast<size_t>(Unit::kDma)], /*number_one=*/false, position);
  }

  void tracks(Unit unit, std::string_view name, uint32_t count, bool number_one, uint64_t& position) {
    for (uint32_t i = 0; i < count; ++i) {
      begin("thread_name", "M", track(unit, i));
      args_name(count > 1 || number_one ? concat(name, " ", i) : std::string(name));
      begin("thread_sort_index", "M", track(unit, i));
      out_.key("args").begin_object(Writer::Style::kInline);
      out_.key("sort_index").unsigned_integer(position++);
      out_.end_object().end_object();
    }
  }

  void args_name(std::string_view name) {
    out_.key("args").begin_object(Writer::Style::kInline);
    out_.key("name").string(name);
    out_.end_object().end_object();
  }

  // ---- Tasks

  void slices() {
    for (const sim::Event& event : timeline_.events) slice(event);
  }

  void slice(const sim::Event& event) {
    const program::Task& task = program_.schedule.tasks[event.task];
    const program::Op& op = program_.ops[task.op];
    const std::string& tensor = program_.tensors[task.tensor].name;
    begin(slice_name(task.kind, op.name, tensor), "X", track(event.unit, event.instance));
    out_.key("cat").string(task.kind == TaskKind::kCompute ? "compute" : "dma");
    micros("ts", start_of(event));
    micros("dur", end_of(event) - start_of(event));
    out_.key("args").begin_object(Writer::Style::kInline);
    out_.key("op").string(op.name);
    out_.key("type").string(op.type);
    out_.key("tensor").string(tensor);
    out_.key("tile").string(task.box.to_string());
    out_.key("task").unsigned_integer(event.task);
    out_.key("cycles").unsigned_integer(event.duration.value);
    out_.key("bytes").unsigned_integer(task.kind == TaskKind::kCompute ? task.work.vtcm_bytes : task.bytes);
    if (task.work.macs != 0) out_.key("macs").unsigned_integer(task.work.macs);
    out_.key("bound").string(sim::bound_name(event.bound));
    out_.end_object().end_object();
  }

  static std::string slice_name(TaskKind kind, const std::string& op, const std::string& tensor) {
    switch (kind) {
      case TaskKind::kLoad:
        return "load " + tensor;
      case TaskKind::kStore:
        return "store " + tensor;
      case TaskKind::kCompute:
        return op;
    }
    return op;
  }

  // ---- Flows

  // Arrows along the way of the data. A dependency that leads back to a load only says that its place in VTCM
  // is free again, and has no arrow.
  static bool carries_data(TaskKind from, TaskKind to) {
    return from != TaskKind::kStore && to != TaskKind::kLoad;
  }

  void flows() {
    uint64_t id = 0;
    for (const sim::Event& event : timeline_.events) {
      const program::Task& task = program_.schedule.tasks[event.task];
      for (const uint32_t before : task.after) {
        if (by_task_[before] == nullptr) continue;
        if (!carries_data(program_.schedule.tasks[before].kind, task.kind)) continue;
        ++id;
        const sim::Event& from = *by_task_[before];
        // Inside its slice: at the very end, a viewer would take the next one.
        const Nanos leaves = std::max(start_of(from), end_of(from) - Nanos{end_of(from).value > 0 ? 1U : 0U});
        flow("s", from, leaves, id);
        flow("f", event, start_of(event), id);
      }
    }
  }

  void flow(std::string_view phase, const sim::Event& event, Nanos at, uint64_t id) {
    begin("data", phase, track(event.unit, event.instance));
    out_.key("cat").string("dependency");
    out_.key("id").unsigned_integer(id);
    micros("ts", at);
    if (phase == "f") out_.key("bp").string("e");  // ends at the slice around it, not at the next
    out_.end_object();
  }

  // ---- VTCM

  // A block is in use from the start of the task that fills it to the end of the last that touches it.
  void vtcm_counter() {
    std::map<uint64_t, int64_t> changes;  // by nanosecond
    for (const program::VtcmBlock& block : program_.schedule.blocks) {
      if (block.users.empty()) continue;
      Nanos from{UINT64_MAX};
      Nanos until;
      for (const uint32_t user : block.users) {
        if (by_task_[user] == nullptr) continue;
        from = std::min(from, start_of(*by_task_[user]));
        until = std::max(until, end_of(*by_task_[user]));
      }
      if (from >= until) continue;
      changes[from.value] += static_cast<int64_t>(block.bytes);
      changes[until.value] -= static_cast<int64_t>(block.bytes);
    }
    int64_t in_use = 0;
    for (const auto& [at, change] : changes) {
      if (change == 0) continue;
      in_use += change;
      begin("VTCM in use", "C", 0);
      micros("ts", {at});
      out_.key("args").begin_object(Writer::Style::kInline);
      out_.key("bytes").integer(in_use);
      out_.end_object().end_object();
    }
  }

  // ---- Pieces

  void begin(std::string_view name, std::string_view phase, uint64_t thread) {
    out_.begin_object(Writer::Style::kInline);
    out_.key("name").string(name);
    out_.key("ph").string(phase);
    out_.key("pid").unsigned_integer(kProcess);
    out_.key("tid").unsigned_integer(thread);
  }

  // Whole nanoseconds, so that neighbours on a track touch and never overlap; args.cycles is exact.
  void micros(std::string_view key, Nanos nanos) {
    out_.key(key);
    if (nanos.value % 1000 == 0) {
      out_.unsigned_integer(nanos.value / 1000);
    } else {
      out_.number(static_cast<double>(nanos.value) / 1000.0);
    }
  }

  Nanos start_of(const sim::Event& event) const { return timeline_.power.time(event.start); }
  Nanos end_of(const sim::Event& event) const { return timeline_.power.time(event.end()); }

  const program::Program& program_;
  const sim::Timeline& timeline_;
  std::vector<const sim::Event*> by_task_;
  Writer out_;
};

}  // namespace

std::string chrometrace(const program::Program& program, const sim::Timeline& timeline) {
  return Trace(program, timeline).write();
}

}  // namespace openqnn::profile
