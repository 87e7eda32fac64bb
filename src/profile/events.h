// SPDX-License-Identifier: BSD-3-Clause
// Profile events: what QnnProfile_getEvents hands out, and who builds them for each call.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "program/program.h"
#include "sim/power.h"
#include "sim/sim.h"

namespace openqnn::profile {

// Values of QnnProfile_EventType_t that we hand out; src/api asserts them against QnnProfile.h and
// HTP/QnnHtpProfile.h.
namespace event_type {
inline constexpr uint32_t kInit = 100;                    // QNN_PROFILE_EVENTTYPE_INIT
inline constexpr uint32_t kFinalize = 300;                // QNN_PROFILE_EVENTTYPE_FINALIZE
inline constexpr uint32_t kExecute = 400;                 // QNN_PROFILE_EVENTTYPE_EXECUTE
inline constexpr uint32_t kNode = 404;                    // QNN_PROFILE_EVENTTYPE_NODE
inline constexpr uint32_t kDeinit = 500;                  // QNN_PROFILE_EVENTTYPE_DEINIT
inline constexpr uint32_t kBackend = 1000;                // QNN_PROFILE_EVENTTYPE_BACKEND: a stage of prepare
inline constexpr uint32_t kExecuteRpc = 3001;             // …GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC
inline constexpr uint32_t kExecuteQnnAccelerator = 3002;  // …GRAPH_EXECUTE_HTP_RPC_TIME_MICROSEC
inline constexpr uint32_t kExecuteAcceleratorCycles = 3003;  // …GRAPH_EXECUTE_ACCEL_TIME_CYCLE
inline constexpr uint32_t kExecuteAccelerator = 3004;        // …GRAPH_EXECUTE_ACCEL_TIME_MICROSEC
inline constexpr uint32_t kExecuteYields = 3009;             // …GRAPH_EXECUTE_YIELD_COUNT
inline constexpr uint32_t kExecutePowerUp = 3011;            // …GRAPH_EXECUTE_RESOURCE_POWER_UP_TIME
inline constexpr uint32_t kExecuteAcceleratorWithoutWait =
    3012;                                        // …GRAPH_EXECUTE_ACCEL_EXCL_WAIT_TIME_MICROSEC
inline constexpr uint32_t kHvxThreads = 8001;    // …GRAPH_NUMBER_OF_HVX_THREADS
inline constexpr uint32_t kApplySection = 9001;  // …GRAPH_APPLY_BINARY_SECTION_QNN
}  // namespace event_type

// Which clock an event was measured on.
enum class Clock : uint8_t { kDevice, kHost };  // simulated, measured

// One line of a profile: a name, a number, and the events inside it.
struct ProfileEvent {
  enum class Unit : uint8_t { kMicroseconds, kCycles, kCount, kBytes };
  std::string name;   // the vendor's words for this type, e.g. "RPC (execute) time"
  uint32_t type = 0;  // QnnProfile_EventType_t's value
  uint64_t value = 0;
  Unit unit = Unit::kMicroseconds;
  Clock clock = Clock::kDevice;
  bool has_value = true;  // false for a host time that was dropped; `value` is 0 then
  std::vector<ProfileEvent> children;
};

// QnnProfile_Level_t: detailed adds one event per op.
enum class Level : uint8_t { kBasic = 1, kDetailed = 2 };

// The events of one execute, all on the device's clock, in the vendor's order.
// `cost` is what the power state made of the call; where nobody votes it says nothing.
std::vector<ProfileEvent> execute_events(const program::Program& program, const sim::Timeline& timeline,
                                         Level level = Level::kBasic, const sim::ExecuteCost& cost = {});

// Whether host times appear. The runtime drops them under OPENQNN_DETERMINISTIC=1, so that two runs give the
// same bytes; the events stay, without values.
enum class HostTimes : uint8_t { kKeep, kDrop };

// A named part of a longer host duration, e.g. "Graph Optimizations" of a finalize.
struct HostStage {
  std::string name;
  Nanos host;
};

// The events of calls whose duration is the host's own.
std::vector<ProfileEvent> load_binary_events(Nanos host, HostTimes times);
std::vector<ProfileEvent> finalize_events(Nanos host, HostTimes times,
                                          std::span<const HostStage> stages = {});
std::vector<ProfileEvent> deinit_events(Nanos host, HostTimes times);
// Of a graph whose ops are all of op packages: they are not modelled, so this is what they took here.
std::vector<ProfileEvent> package_execute_events(Nanos host, HostTimes times);
// Of binary sections. No public name is known for what getting one takes: it is a stage of the backend.
std::vector<ProfileEvent> get_section_events(Nanos host, HostTimes times);
std::vector<ProfileEvent> apply_section_events(Nanos host, HostTimes times);

}  // namespace openqnn::profile
