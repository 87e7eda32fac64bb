// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "QnnProfile.h"
#include "profile/events.h"
#include "runtime/handles.h"

namespace openqnn::runtime {

using EventId = uint64_t;  // QnnProfile_EventId_t

// What becomes of host times in profiles, by OPENQNN_DETERMINISTIC.
profile::HostTimes host_times();
// The host's steady clock; 0 when host times are dropped.
Nanos host_now();

// Events collected under one profile handle. Ids, names and lists handed out stay valid until the handle is
// freed.
class Profile : public Object {
 public:
  static constexpr Kind kKind = Kind::kProfile;
  static constexpr const char* kName = "profile";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_PROFILE_ERROR_INVALID_HANDLE;

  // An event as the C API reads it.
  struct Entry {
    profile::ProfileEvent event;  // without its children
    uint64_t timestamp_us;        // on the event's own clock
    std::vector<EventId> children;
  };

  explicit Profile(profile::Level level);
  ~Profile() override;

  profile::Level level() const { return level_; }
  void set_max_events(uint64_t count);
  // Whether graphs add their schematics and op traces.
  bool traces_ops() const { return traces_ops_.load(std::memory_order_relaxed); }
  void set_traces_ops(bool on) { traces_ops_.store(on, std::memory_order_relaxed); }

  // Adds what one call measured, beginning at `start` of the events' clock.
  void add(std::vector<profile::ProfileEvent> events, Nanos start);
  // What a call took on the host that began then and ends now.
  void add_host_call(const profile::HostCall& call, std::chrono::steady_clock::time_point began,
                     std::span<const profile::HostStage> stages = {});

  // A list of the top-level events as of now.
  std::span<const EventId> events() const;
  const Entry* find(EventId id) const;

  // The profile whose event this is; empty when it was freed or never was.
  static Ref<Profile> owner_of(EventId id);
  // Called once, with the handle that stands for this profile.
  void register_handle(void* handle);

 private:
  // Which handle stands for which profile. Shared, so that it outlives every profile: one that the client
  // forgot dies with the library, when static objects may be gone already. Null at exit.
  struct Registry;
  static std::shared_ptr<Registry> live_profiles();

  EventId append(profile::ProfileEvent event, uint64_t timestamp_us);

  const std::shared_ptr<Registry> registry_ = live_profiles();
  const profile::Level level_;
  const uint64_t number_;  // upper bits of every id
  mutable std::mutex mutex_;
  uint64_t max_events_ = UINT64_MAX;
  std::atomic<bool> traces_ops_{false};
  std::deque<Entry> entries_;  // a deque keeps addresses while it grows
  // The top-level events are in the last list, which grows within its capacity alone: clients hold where it
  // lies. One that is full stays, and a copy with more room goes on.
  std::list<std::vector<EventId>> top_level_ = std::list<std::vector<EventId>>(1);
};

}  // namespace openqnn::runtime
