// SPDX-License-Identifier: BSD-3-Clause
#include "profile/linting.h"

#include <algorithm>
#include <unordered_map>

#include "profile/paths.h"

namespace openqnn::profile {
namespace {

using program::TaskKind;
using EventUnit = ProfileEvent::Unit;

// What the report has a row for: ops by their number, and those that are none.
using RowId = uint32_t;

RowId row_of_op(uint32_t op) { return op_id::kFirst + op; }

// Cycles by the op that spent them.
using ByOp = std::unordered_map<RowId, uint64_t>;

struct Row {
  uint64_t cycles = 0;
  uint64_t wait = 0;
  uint64_t overlap = 0;
  uint64_t wait_overlap = 0;
  uint32_t resources = 0;
  ByOp beside;       // while it ran
  ByOp beside_wait;  // while it waited
};

// A part of the critical path: whose it is, and whether it is waiting.
struct Segment {
  Cycles from;
  Cycles to;
  RowId row = op_id::kSystem;
  bool is_wait = false;
};

class Linter {
 public:
  Linter(const program::Program& program, const sim::Timeline& timeline)
      : program_(program),
        timeline_(timeline),
        rows_(op_id::kFirst + program.ops.size()),
        on_path_(timeline.events.size()) {
    lay_out_path();
    measure_rows();
    measure_background();
    note_resources();
  }

  std::vector<ProfileEvent> events() const {
    std::vector<ProfileEvent> made = {row_event(op_id::kInput), row_event(op_id::kSystem)};
    for (uint32_t op = 0; op < program_.ops.size(); ++op) made.push_back(row_event(row_of_op(op)));
    made.push_back(row_event(op_id::kOutput));
    return made;
  }
  uint64_t critical_cycles() const { return timeline_.total.value; }

 private:
  const program::Task& task_of(const sim::Event& event) const { return program_.schedule.tasks[event.task]; }
  bool computes(size_t event) const { return task_of(timeline_.events[event]).kind == TaskKind::kCompute; }

  // ---- The main thread

  void lay_out_path() {
    const std::vector<size_t> path = critical_path(program_.schedule, timeline_);
    const std::vector<RowId> rows = rows_of(path);
    bool has_begun = false;
    for (size_t i = 0; i < path.size(); ++i) {
      on_path_[path[i]] = true;
      const sim::Event& event = timeline_.events[path[i]];
      has_begun |= computes(path[i]);
      if (!has_begun)
        add_step(event, op_id::kSystem, false);
      else
        add_step(event, rows[i], rows[i] != op_id::kOutput && !computes(path[i]));
    }
    add_segment(timeline_.total, op_id::kOutput, true);
  }

  // Of each step of the path, the row of the op that computes next; behind the last one, that of the output.
  std::vector<RowId> rows_of(const std::vector<size_t>& path) const {
    std::vector<RowId> rows(path.size());
    RowId next = op_id::kOutput;
    for (size_t i = path.size(); i-- > 0;) {
      if (computes(path[i])) next = row_of_op(task_of(timeline_.events[path[i]]).op);
      rows[i] = next;
    }
    return rows;
  }

  void add_step(const sim::Event& event, RowId row, bool is_wait) {
    add_segment(event.start, row, true);
    add_segment(event.end(), row, is_wait);
  }

  // From where the path has got to.
  void add_segment(Cycles to, RowId row, bool is_wait) {
    if (to <= at_) return;
    segments_.push_back({at_, to, row, is_wait});
    at_ = to;
  }

  void measure_rows() {
    for (const Segment& segment : segments_) {
      Row& row = rows_[segment.row];
      (segment.is_wait ? row.wait : row.cycles) += (segment.to - segment.from).value;
    }
  }

  // ---- The background: every task that is not on the path. Those on it are what the main thread runs or
  // waits for, and count for nothing here.

  void measure_background() {
    Cycles covered;                                         // how far the union of the tasks so far reaches
    for (size_t i = 0; i < timeline_.events.size(); ++i) {  // by start
      const sim::Event& event = timeline_.events[i];
      if (on_path_[i] || event.duration.value == 0) continue;
      const Cycles fresh = std::max(event.start, covered);
      covered = std::max(covered, event.end());
      const RowId by = background_row(event);
      for (auto segment = first_ending_after(event.start);
           segment != segments_.end() && segment->from < event.end(); ++segment)
        add_background(*segment, event, fresh, by);
    }
  }

  std::vector<Segment>::const_iterator first_ending_after(Cycles at) const {
    return std::ranges::upper_bound(segments_, at, {}, &Segment::to);
  }

  void add_background(const Segment& segment, const sim::Event& event, Cycles fresh, RowId by) {
    Row& row = rows_[segment.row];
    const Cycles to = std::min(segment.to, event.end());
    const Cycles from = std::max(segment.from, event.start);
    (segment.is_wait ? row.beside_wait : row.beside)[by] += (to - from).value;
    const Cycles new_from = std::max(segment.from, fresh);
    if (new_from < to) (segment.is_wait ? row.wait_overlap : row.overlap) += (to - new_from).value;
  }

  RowId background_row(const sim::Event& event) const {
    const program::Task& task = task_of(event);
    const ir::TensorRole role = program_.tensors[task.tensor].role;
    if (task.kind == TaskKind::kLoad && role == ir::TensorRole::kInput) return op_id::kInput;
    if (task.kind == TaskKind::kStore && role == ir::TensorRole::kOutput) return op_id::kOutput;
    return row_of_op(task.op);
  }

  void note_resources() {
    constexpr std::array<uint32_t, soc::kUnitCount> kBits = {2, 1, 4, 0};  // in the order of soc::Unit
    for (const sim::Event& event : timeline_.events) {
      const uint32_t bit = kBits[static_cast<size_t>(event.unit)];
      rows_[row_of_op(task_of(event).op)].resources |= bit;
      if (background_row(event) == op_id::kOutput) rows_[op_id::kOutput].resources |= bit;
    }
  }

  // ---- Events

  std::string name_of(RowId row) const {
    switch (row) {
      case op_id::kSystem:
        return std::string(kSystemName);
      case op_id::kInput:
        return std::string(kInputName);
      case op_id::kOutput:
        return std::string(kOutputName);
      default:
        return op_event_name(program_, row - op_id::kFirst);
    }
  }

  ProfileEvent row_event(RowId id) const {
    const Row& row = rows_[id];
    const bool has_names = id >= op_id::kFirst;
    ProfileEvent made{name_of(id) + " (cycles)", event_type::kNode, row.cycles, EventUnit::kCycles};
    made.children = {
        {"Wait (Scheduler) time", event_type::kNodeWait, row.wait, EventUnit::kCycles},
        {"Overlap time", event_type::kNodeOverlap, row.overlap, EventUnit::kCycles},
        {"Overlap (wait) time", event_type::kNodeWaitOverlap, row.wait_overlap, EventUnit::kCycles},
        {"Resources", event_type::kNodeResources, row.resources, EventUnit::kNone}};
    if (!has_names) return made;
    made.children[1].children = background_events(row.beside, event_type::kNodeBackgroundOp);
    made.children[2].children = background_events(row.beside_wait, event_type::kNodeWaitBackgroundOp);
    return made;
  }

  // Those that took longest first (ours: the order of the printed ones follows no rule that we know).
  std::vector<ProfileEvent> background_events(const ByOp& cycles, uint32_t type) const {
    std::vector<std::pair<RowId, uint64_t>> ops(cycles.begin(), cycles.end());
    std::ranges::sort(ops, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    if (ops.size() > kMostBackgroundNames) ops.resize(kMostBackgroundNames);
    std::vector<ProfileEvent> made;
    for (const auto& [op, spent] : ops) made.push_back({name_of(op), type, op, EventUnit::kNone});
    return made;
  }

  const program::Program& program_;
  const sim::Timeline& timeline_;
  std::vector<Row> rows_;  // by RowId
  std::vector<bool> on_path_;
  std::vector<Segment> segments_;  // by time, without holes
  Cycles at_;                      // where the path has got to
};

}  // namespace

std::vector<ProfileEvent> linting_events(const program::Program& program, const sim::Timeline& timeline,
                                         const sim::ExecuteCost& cost) {
  const Linter linter(program, timeline);
  const uint64_t acquire = whole_microseconds(timeline.power.time(timeline.acquire));
  const uint64_t woken = whole_microseconds(cost.wake_up + cost.power_up);
  std::vector<ProfileEvent> events = {
      {"RPC (execute) time", event_type::kExecuteRpc, whole_microseconds(timeline.rpc)},
      {"QNN accelerator (execute) time", event_type::kExecuteQnnAccelerator,
       whole_microseconds(accelerator_of_call(timeline, cost))},
      yields_event(timeline),
      {"Time for initial VTCM acquire", event_type::kExecuteVtcmAcquire, acquire},
      {"Time for HVX + HMX power on and acquire", event_type::kExecutePowerUp, woken},
      {"Accelerator (critical path execute) time (cycles)", event_type::kExecuteCriticalCycles,
       linter.critical_cycles(), EventUnit::kCycles},
      {"QNN (execute) time", event_type::kExecute, whole_microseconds(timeline.client)},
  };
  events[5].children = linter.events();
  return events;
}

}  // namespace openqnn::profile
