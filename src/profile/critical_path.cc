// SPDX-License-Identifier: BSD-3-Clause
#include "profile/critical_path.h"

#include <algorithm>
#include <map>
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

}  // namespace

std::vector<size_t> critical_path(const program::Schedule& schedule, const sim::Timeline& timeline) {
  const PathFinder finder(schedule, timeline);
  std::vector<size_t> path;
  for (size_t event = finder.last_to_end(); event != kNone; event = finder.cause_of(event))
    path.push_back(event);
  std::ranges::reverse(path);
  return path;
}

}  // namespace openqnn::profile
