// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/profile.h"

#include <atomic>
#include <map>

#include "base/deterministic.h"

namespace openqnn::runtime {
namespace {

// An event id: the profile's number above, the event's index plus one below, so that 0 names no event.
constexpr uint32_t kIndexBits = 24;
constexpr uint64_t kMaxEntries = (uint64_t{1} << kIndexBits) - 1;

uint64_t next_number() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1);
}

}  // namespace

profile::HostTimes host_times() {
  return is_deterministic() ? profile::HostTimes::kDrop : profile::HostTimes::kKeep;
}

Nanos host_now() {
  if (host_times() == profile::HostTimes::kDrop) return {};
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return {static_cast<uint64_t>(now.count())};
}

struct Profile::Registry {
  std::mutex mutex;
  std::map<uint64_t, void*> handles;  // by profile number
};

const std::shared_ptr<Profile::Registry>& Profile::live_profiles() {
  static const auto instance = std::make_shared<Registry>();
  return instance;
}

Profile::Profile(profile::Level level) : level_(level), number_(next_number()) {}

Profile::~Profile() {
  const std::lock_guard lock(registry_->mutex);
  registry_->handles.erase(number_);
}

void Profile::register_handle(void* handle) {
  const std::lock_guard lock(registry_->mutex);
  registry_->handles[number_] = handle;
}

Ref<Profile> Profile::owner_of(EventId id) {
  void* handle = nullptr;
  {
    Registry& live = *live_profiles();
    const std::lock_guard lock(live.mutex);
    const auto entry = live.handles.find(id >> kIndexBits);
    if (entry == live.handles.end()) return {};
    handle = entry->second;
  }
  return HandleTable::instance().acquire<Profile>(handle);
}

void Profile::set_max_events(uint64_t count) {
  const std::lock_guard lock(mutex_);
  max_events_ = count;
}

void Profile::add(const std::vector<profile::ProfileEvent>& events, Nanos start) {
  const std::lock_guard lock(mutex_);
  for (const profile::ProfileEvent& event : events) {
    if (top_level_.size() >= max_events_ || entries_.size() >= kMaxEntries) return;
    top_level_.push_back(append(event, start.value / 1000));
  }
}

void Profile::add_host_call(const profile::HostCall& call, std::chrono::steady_clock::time_point began,
                            std::span<const profile::HostStage> stages) {
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  add({profile::host_event(call, {static_cast<uint64_t>(took.count())}, host_times(), stages)}, host_now());
}

EventId Profile::append(const profile::ProfileEvent& event, uint64_t timestamp_us) {
  Entry& entry = entries_.emplace_back();
  const EventId id = number_ << kIndexBits | entries_.size();
  entry.timestamp_us = timestamp_us;
  entry.event = event;
  entry.event.children.clear();
  std::vector<EventId> children;
  for (const profile::ProfileEvent& child : event.children)
    if (entries_.size() < kMaxEntries) children.push_back(append(child, timestamp_us));
  entry.children = std::move(children);
  return id;
}

const std::vector<EventId>& Profile::events() {
  const std::lock_guard lock(mutex_);
  if (snapshots_.empty() || snapshots_.back().size() != top_level_.size()) snapshots_.push_back(top_level_);
  return snapshots_.back();
}

const Profile::Entry* Profile::find(EventId id) const {
  const std::lock_guard lock(mutex_);
  const uint64_t index = id & kMaxEntries;
  return index >= 1 && index <= entries_.size() ? &entries_[index - 1] : nullptr;
}

}  // namespace openqnn::runtime
