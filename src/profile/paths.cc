// SPDX-License-Identifier: BSD-3-Clause
#include "profile/paths.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace openqnn::profile {
namespace {

constexpr size_t kNone = SIZE_MAX;

class PathFinder {
 public:
  PathFinder(const program::Schedule& schedule, const sim::Timeline& timeline)
      : schedule_(schedule), events_(timeline.events), of_task_(schedule.tasks.size(), kNone) {
    std::map<std::pair<soc::Unit, uint32_t>, size_t> last;
    before_.reserve(events_.size());
    for (size_t i = 0; i < events_.size(); ++i) {
      first_part_.push_back(std::exchange(of_task_[events_[i].task], i));
      const auto [place, is_first] = last.try_emplace({events_[i].unit, events_[i].instance}, i);
      before_.push_back(is_first ? kNone : std::exchange(place->second, i));
    }
  }

  size_t last_to_end() const {
    size_t last = kNone;
    for (size_t i = 0; i < events_.size(); ++i)
      if (last == kNone || events_[i].end() > events_[last].end()) last = i;
    return last;
  }

  // What ended last of all that had to end before an event could start; computing before DMA on a tie.
  size_t cause_of(size_t event) const {
    size_t cause = before_[event];
    if (first_part_[event] != kNone && (cause == kNone || is_later(first_part_[event], cause)))
      cause = first_part_[event];
    for (const uint32_t task : schedule_.tasks[events_[event].task].after) {
      const size_t other = of_task_[task];
      if (other != kNone && other < event && (cause == kNone || is_later(other, cause))) cause = other;
    }
    return cause;
  }

 private:
  bool is_later(size_t a, size_t b) const {
    if (events_[a].end() != events_[b].end()) return events_[a].end() > events_[b].end();
    return events_[a].unit != soc::Unit::kDma && events_[b].unit == soc::Unit::kDma;
  }

  const program::Schedule& schedule_;
  const std::vector<sim::Event>& events_;  // by start: a cause lies before its effect
  std::vector<size_t> of_task_;
  std::vector<size_t> before_;      // the event before it on the same instance
  std::vector<size_t> first_part_;  // of a task on two units: its event on the other one
};

// ---- The dominant path

// A running task in order of importance: unit, then instance.
using TaskRank = std::pair<uint32_t, uint32_t>;

TaskRank rank_of(const sim::Event& event, program::TaskKind kind) {
  static constexpr std::array<uint32_t, soc::kUnitCount> kRanks = {0, 1, 3, 2};  // in the order of soc::Unit
  const bool is_store = event.unit == soc::Unit::kDma && kind == program::TaskKind::kStore;
  return {kRanks.at(static_cast<size_t>(event.unit)) + (is_store ? 1 : 0), event.instance};
}

struct Edge {
  Cycles at;
  bool starts;
  TaskRank rank;
  size_t event;
};

std::vector<Edge> edges_of(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<Edge> edges;
  edges.reserve(2 * timeline.events.size());
  for (size_t i = 0; i < timeline.events.size(); ++i) {
    const sim::Event& event = timeline.events[i];
    if (event.duration.value == 0) continue;
    const TaskRank rank = rank_of(event, program.schedule.tasks[event.task].kind);
    edges.push_back({event.start, true, rank, i});
    edges.push_back({event.end(), false, rank, i});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.at, a.starts, a.rank) < std::tie(b.at, b.starts, b.rank);  // ends before starts
  });
  return edges;
}

}  // namespace

std::vector<size_t> critical_path(const program::Schedule& schedule, const sim::Timeline& timeline) {
  const PathFinder finder(schedule, timeline);
  std::vector<size_t> path;
  for (size_t event = finder.last_to_end(); event != kNone; event = finder.cause_of(event))
    path.push_back(event);
  std::ranges::reverse(path);
  return path;
}

std::vector<DominantSegment> dominant_path(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<DominantSegment> path;
  std::map<TaskRank, size_t> running;
  Cycles last;
  for (const Edge& edge : edges_of(program, timeline)) {
    if (!running.empty() && edge.at > last) {
      const size_t event = running.begin()->second;
      if (!path.empty() && path.back().event == event && path.back().end() == last)
        path.back().cycles += edge.at - last;
      else
        path.push_back({last, edge.at - last, timeline.events[event].task, event});
    }
    last = edge.at;
    if (edge.starts)
      running[edge.rank] = edge.event;
    else
      running.erase(edge.rank);
  }
  return path;
}

}  // namespace openqnn::profile
