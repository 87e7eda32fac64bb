// SPDX-License-Identifier: BSD-3-Clause
#include "profile/event_tallies.h"

#include <algorithm>
#include <functional>

#include "profile/events.h"

namespace openqnn::profile {
namespace {

// Calls `take` for each event that has a number, with the depth that it has among such events' parents.
// Events below one that has none are left out with it.
template <class Take>
void for_each_number(const LogRecord& record, Take&& take) {
  uint32_t hidden_below = UINT32_MAX;
  for (const LogEvent& event : record.events) {
    if (event.depth > hidden_below) continue;
    hidden_below = UINT32_MAX;
    const std::optional<uint64_t> value = whole_number(event);
    if (value)
      take(event, *value);
    else
      hidden_below = event.depth;
  }
}

}  // namespace

std::optional<uint64_t> whole_number(const LogEvent& event) {
  if (event.kind == LogValueKind::kNumber) return event.bits;
  if (event.kind != LogValueKind::kScalar) return std::nullopt;
  constexpr uint32_t kFirstFloat = 0x0200;  // Qnn_DataType_t: integers lie below, and fractions from here on
  return event.data_type < kFirstFloat ? std::optional(event.bits) : std::nullopt;
}

std::vector<EventNode> event_tree(const LogRecord& record) {
  std::vector<EventNode> top;
  std::vector<std::vector<EventNode>*> open = {&top};  // the list for each depth
  for_each_number(record, [&](const LogEvent& event, uint64_t value) {
    open.resize(event.depth + 1);
    EventNode& node = open.back()->emplace_back(EventNode{event.type, event.unit, event.identifier, value});
    open.push_back(&node.children);
  });
  return top;
}

const EventNode* find_event(const std::vector<EventNode>& events, uint32_t type) {
  const auto found = std::ranges::find(events, type, &EventNode::type);
  return found == events.end() ? nullptr : &*found;
}

void Tally::add(uint64_t value) {
  sum_ += value;
  ++count_;
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
  bits_ |= value;
}

uint64_t Tally::get(Statistic statistic) const {
  if (count_ == 0) return 0;
  switch (statistic) {
    case Statistic::kAverage:
      return static_cast<uint64_t>(sum_ / count_);
    case Statistic::kMin:
      return least_;
    case Statistic::kMax:
      return most_;
  }
  return 0;
}

size_t EventTallies::HashKey::operator()(const Key& key) const {
  const size_t place = size_t{key.parent} * 0x9E3779B97F4A7C15U + key.type;
  return std::hash<std::string>()(key.identifier) ^ place * 0xC2B2AE3D27D4EB4FU;
}

uint32_t EventTallies::find(uint32_t parent, const LogEvent& event) {
  const auto [place, is_new] =
      index_.try_emplace(Key{parent, event.type, event.identifier}, static_cast<uint32_t>(kinds_.size()));
  if (is_new) {
    kinds_.push_back({parent, event.type, event.unit, event.identifier, {}, {}});
    (parent == kTop ? top_ : kinds_[parent].children).push_back(place->second);
  }
  return place->second;
}

bool EventTallies::is(const Kind& kind, uint32_t parent, const LogEvent& event) {
  return kind.parent == parent && kind.type == event.type && kind.identifier == event.identifier;
}

void EventTallies::add(const LogRecord& record) {
  std::vector<uint32_t> parents = {kTop};  // for each depth
  uint32_t last = kTop;
  for_each_number(record, [&](const LogEvent& event, uint64_t value) {
    parents.resize(event.depth + 1);
    const uint32_t parent = parents.back();
    uint32_t kind = last == kTop ? kTop : kinds_[last].next;
    if (kind == kTop || !is(kinds_[kind], parent, event)) kind = find(parent, event);
    if (last != kTop) kinds_[last].next = kind;
    kinds_[kind].tally.add(value);
    parents.push_back(kind);
    last = kind;
  });
}

EventNode EventTallies::node(uint32_t kind, Statistic statistic) const {
  const Kind& from = kinds_[kind];
  const bool is_mask = from.type == event_type::kNodeResources;
  EventNode made{from.type, from.unit, from.identifier,
                 is_mask ? from.tally.all_bits() : from.tally.get(statistic)};
  for (const uint32_t child : from.children) made.children.push_back(node(child, statistic));
  return made;
}

std::vector<EventNode> EventTallies::tree(Statistic statistic) const {
  std::vector<EventNode> made;
  for (const uint32_t kind : top_) made.push_back(node(kind, statistic));
  return made;
}

}  // namespace openqnn::profile
