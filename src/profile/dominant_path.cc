// SPDX-License-Identifier: BSD-3-Clause
#include "profile/dominant_path.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace openqnn::profile {
namespace {

using program::TaskKind;

// A running task in order of importance: unit, then instance.
using Rank = std::pair<uint32_t, uint32_t>;

Rank rank_of(const sim::Event& event, TaskKind kind) {
  switch (event.unit) {
    case soc::Unit::kHmx:
      return {0, event.instance};
    case soc::Unit::kHvx:
      return {1, event.instance};
    case soc::Unit::kScalar:
      return {2, event.instance};
    case soc::Unit::kDma:
      return {kind == TaskKind::kStore ? 4 : 3, event.instance};
  }
  return {5, event.instance};
}

struct Edge {
  Cycles at;
  bool starts;
  Rank rank;
  size_t event;
};

std::vector<Edge> edges_of(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<Edge> edges;
  edges.reserve(2 * timeline.events.size());
  for (size_t i = 0; i < timeline.events.size(); ++i) {
    const sim::Event& event = timeline.events[i];
    if (event.duration.value == 0) continue;
    const Rank rank = rank_of(event, program.schedule.tasks[event.task].kind);
    edges.push_back({event.start, true, rank, i});
    edges.push_back({event.end(), false, rank, i});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.at, a.starts, a.rank) < std::tie(b.at, b.starts, b.rank);  // ends before starts
  });
  return edges;
}

}  // namespace

std::vector<DominantSegment> dominant_path(const program::Program& program, const sim::Timeline& timeline) {
  std::vector<DominantSegment> path;
  std::map<Rank, size_t> running;
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
