// SPDX-License-Identifier: BSD-3-Clause
// Statistics over the events of many records, gathered one record at a time: what is kept grows with the
// kinds of events, not with the length of the log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/log.h"

namespace openqnn::profile {

// An event that has a number, and the events below it.
struct EventNode {
  uint32_t type = 0;  // QnnProfile_EventType_t
  uint32_t unit = 0;  // QnnProfile_EventUnit_t
  std::string identifier;
  uint64_t value = 0;
  std::vector<EventNode> children = {};
};

// The events of a record that have a number. Texts and objects, and what lies below them, are left out.
std::vector<EventNode> event_tree(const LogRecord& record);

// The first event of a type; null when there is none.
const EventNode* find_event(const std::vector<EventNode>& events, uint32_t type);

enum class Statistic : uint8_t { kAverage, kMin, kMax };

class Tally {
 public:
  void add(uint64_t value);
  uint64_t count() const { return count_; }
  uint64_t get(Statistic statistic) const;  // 0 of nothing; an average is rounded down, as in 004's reports
  uint64_t all_bits() const { return bits_; }  // every bit that some value had

 private:
  __extension__ using Wide = unsigned __int128;
  Wide sum_ = 0;
  uint64_t count_ = 0;
  uint64_t least_ = UINT64_MAX;
  uint64_t most_ = 0;
  uint64_t bits_ = 0;
};

class EventTallies {
 public:
  void add(const LogRecord& record);
  // Events of the same place, type and name are one, in the order in which they were first seen. Masks of
  // resources are joined instead of averaged.
  std::vector<EventNode> tree(Statistic statistic) const;

 private:
  static constexpr uint32_t kTop = UINT32_MAX;
  struct Kind {
    uint32_t parent;
    uint32_t type;
    uint32_t unit;
    std::string identifier;
    Tally tally;
    std::vector<uint32_t> children;
    uint32_t next = kTop;  // what followed it the last time: records are alike, so that is mostly right
  };
  struct Key {
    uint32_t parent;
    uint32_t type;
    std::string identifier;
    bool operator==(const Key&) const = default;
  };
  struct HashKey {
    size_t operator()(const Key& key) const;
  };
  static bool is(const Kind& kind, uint32_t parent, const LogEvent& event);
  uint32_t find(uint32_t parent, const LogEvent& event);
  EventNode node(uint32_t kind, Statistic statistic) const;

  std::vector<Kind> kinds_;
  std::vector<uint32_t> top_;
  std::unordered_map<Key, uint32_t, HashKey> index_;  // looked up only: its order is never seen
};

// The whole number of an event; nothing for a fraction, a text or an object.
std::optional<uint64_t> whole_number(const LogEvent& event);

}  // namespace openqnn::profile
