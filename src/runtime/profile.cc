// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/profile.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "base/deterministic.h"
#include "base/until_exit.h"

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

std::shared_ptr<Profile::Registry> Profile::live_profiles() {
  struct Kept {
    std::shared_ptr<Registry> registry = std::make_shared<Registry>();
  };
  const Kept* kept = UntilExit<Kept>::get();
  return kept ? kept->registry : nullptr;
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
  const std::shared_ptr<Registry> live = live_profiles();
  if (!live) return {};
  void* handle = nullptr;
  {
    const std::lock_guard lock(live->mutex);
    const auto entry = live->handles.find(id >> kIndexBits);
    if (entry == live->handles.end()) return {};
    handle = entry->second;
  }
  return HandleTable::instance().acquire<Profile>(handle);
}

void Profile::set_max_events(uint64_t count) {
  const std::lock_guard lock(mutex_);
  max_events_ = count;
}

void Profile::add(std::vector<profile::ProfileEvent> events, Nanos start) {
  const std::lock_guard lock(mutex_);
  for (profile::ProfileEvent& event : events) {
    const std::vector<EventId>& full = top_level_.back();
    if (full.size() >= max_events_ || entries_.size() >= kMaxEntries) return;
    if (full.size() == full.capacity()) {
      std::vector<EventId> roomier;
      roomier.reserve(std::max<size_t>(16, 2 * full.size()));
      roomier.assign(full.begin(), full.end());
      top_level_.push_back(std::move(roomier));
    }
    top_level_.back().push_back(append(std::move(event), start.value / 1000));
  }
}

void Profile::add_host_call(const profile::HostCall& call, std::chrono::steady_clock::time_point began,
                            std::span<const profile::HostStage> stages) {
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  add({profile::host_event(call, {static_cast<uint64_t>(took.count())}, host_times(), stages)}, host_now());
}

EventId Profile::append(profile::ProfileEvent event, uint64_t timestamp_us) {
  Entry& entry = entries_.emplace_back();
  const EventId id = number_ << kIndexBits | entries_.size();
  std::vector<profile::ProfileEvent> below = std::exchange(event.children, {});
  entry.timestamp_us = timestamp_us;
  entry.event = std::move(event);
  for (profile::ProfileEvent& child : below)
    if (entries_.size() < kMaxEntries) entry.children.push_back(append(std::move(child), timestamp_us));
  return id;
}

std::span<const EventId> Profile::events() const {
  const std::lock_guard lock(mutex_);
  return top_level_.back();
}

const Profile::Entry* Profile::find(EventId id) const {
  const std::lock_guard lock(mutex_);
  const uint64_t index = id & kMaxEntries;
  return index >= 1 && index <= entries_.size() ? &entries_[index - 1] : nullptr;
}

}  // namespace openqnn::runtime
