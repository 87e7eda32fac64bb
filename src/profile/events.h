// SPDX-License-Identifier: BSD-3-Clause
// Profile events: what QnnProfile_getEvents hands out, and who builds them for each call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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
inline constexpr uint32_t kTrace = 600;                   // QNN_PROFILE_EVENTTYPE_TRACE: schematic, op trace
inline constexpr uint32_t kBackend = 1000;                // QNN_PROFILE_EVENTTYPE_BACKEND: a stage of prepare
inline constexpr uint32_t kExecuteRpc = 3001;             // …GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC
inline constexpr uint32_t kExecuteQnnAccelerator = 3002;  // …GRAPH_EXECUTE_HTP_RPC_TIME_MICROSEC
inline constexpr uint32_t kExecuteAcceleratorCycles = 3003;  // …GRAPH_EXECUTE_ACCEL_TIME_CYCLE
inline constexpr uint32_t kExecuteAccelerator = 3004;        // …GRAPH_EXECUTE_ACCEL_TIME_MICROSEC
inline constexpr uint32_t kYieldRelease = 3006;              // …GRAPH_EXECUTE_YIELD_INSTANCE_RELEASE_TIME
inline constexpr uint32_t kYieldWait = 3007;                 // …GRAPH_EXECUTE_YIELD_INSTANCE_WAIT_TIME
inline constexpr uint32_t kYieldRestore = 3008;              // …GRAPH_EXECUTE_YIELD_INSTANCE_RESTORE_TIME
inline constexpr uint32_t kExecuteYields = 3009;             // …GRAPH_EXECUTE_YIELD_COUNT
inline constexpr uint32_t kExecuteVtcmAcquire = 3010;        // …GRAPH_EXECUTE_VTCM_ACQUIRE_TIME
inline constexpr uint32_t kExecutePowerUp = 3011;            // …GRAPH_EXECUTE_RESOURCE_POWER_UP_TIME
inline constexpr uint32_t kExecuteAcceleratorWithoutWait =
    3012;                                                 // …GRAPH_EXECUTE_ACCEL_EXCL_WAIT_TIME_MICROSEC
inline constexpr uint32_t kNodeWait = 5001;               // …NODE_WAIT
inline constexpr uint32_t kNodeOverlap = 5002;            // …NODE_OVERLAP
inline constexpr uint32_t kNodeWaitOverlap = 5003;        // …NODE_WAIT_OVERLAP
inline constexpr uint32_t kNodeResources = 5004;          // …NODE_RESOURCEMASK
inline constexpr uint32_t kNodeBackgroundOp = 5005;       // …NODE_CRITICAL_BG_OP_ID
inline constexpr uint32_t kNodeWaitBackgroundOp = 5006;   // …NODE_WAIT_BG_OP_ID
inline constexpr uint32_t kExecuteCriticalCycles = 6001;  // …GRAPH_EXECUTE_CRITICAL_ACCEL_TIME_CYCLE
inline constexpr uint32_t kHvxThreads = 8001;             // …GRAPH_NUMBER_OF_HVX_THREADS
inline constexpr uint32_t kApplySection = 9001;           // …GRAPH_APPLY_BINARY_SECTION_QNN
}  // namespace event_type

// Which clock an event was measured on.
enum class Clock : uint8_t { kDevice, kHost };  // simulated, measured

// One line of a profile: a name, a number, and the events inside it.
struct ProfileEvent {
  // The values are those of QnnProfile_EventUnit_t; src/api asserts them.
  enum class Unit : uint8_t { kMicroseconds = 1, kBytes, kCycles, kCount, kObject, kNone };
  std::string name;   // the vendor's words for this type, e.g. "RPC (execute) time"
  uint32_t type = 0;  // QnnProfile_EventType_t's value
  uint64_t value = 0;
  Unit unit = Unit::kMicroseconds;
  Clock clock = Clock::kDevice;
  bool has_value = true;  // false for a host time that was dropped; `value` is 0 then
  std::vector<ProfileEvent> children = {};
  // Of an event whose unit is kObject, which has no value: its bytes, and the file that they are meant for.
  std::shared_ptr<const std::vector<std::byte>> object = {};
  std::string file = {};
};

// QnnProfile_Level_t: detailed adds one event per op, linting what runs beside and before each.
enum class Level : uint16_t { kBasic = 1, kDetailed = 2, kLinting = 7001 };

// Numbers of ops in the names of events. 2 and 3 are the vendor's; that a graph's ops begin at 4 is ours.
namespace op_id {
inline constexpr uint32_t kSystem = 0;  // work of the device that belongs to no op
inline constexpr uint32_t kInput = 2;
inline constexpr uint32_t kOutput = 3;
inline constexpr uint32_t kFirst = 4;  // of Program::ops[0]
}  // namespace op_id
// "conv:OpId_4", by the index of the op.
std::string op_event_name(const program::Program& program, size_t op);

// How often the device was given to others; inside it, what each time took. (The count is the vendor's line,
// the names of what is inside are ours.)
ProfileEvent yields_event(const sim::Timeline& timeline);

// What a call spends on the accelerator: it wakes up and waits for VTCM, too.
Nanos accelerator_of_call(const sim::Timeline& timeline, const sim::ExecuteCost& cost);

// The events of one execute, all on the device's clock, in the vendor's order.
// `cost` is what the power state made of the call; where nobody votes it says nothing.
std::vector<ProfileEvent> execute_events(const program::Program& program, const sim::Timeline& timeline,
                                         Level level = Level::kBasic, const sim::ExecuteCost& cost = {});

// To the nearest, which keeps the nesting of durations.
inline uint64_t whole_microseconds(Nanos nanos) { return (nanos.value + 500) / 1000; }

// Bytes for a file, for QnnProfile_getExtendedEventData.
ProfileEvent object_event(std::string name, std::vector<std::byte> bytes, std::string file);

// Bytes of the device's memory: what they are, or at which moment of the DSP's heap, the name tells. No type
// of the vendor's counts them.
ProfileEvent memory_event(std::string name, uint64_t bytes);

// Whether host times appear. The runtime drops them under OPENQNN_DETERMINISTIC=1, so that two runs give the
// same bytes; the events stay, without values.
enum class HostTimes : uint8_t { kKeep, kDrop };

// A named part of a longer host duration, e.g. "Graph Optimizations" of a finalize.
struct HostStage {
  std::string name;
  Nanos host;
};

// Calls whose duration is the host's own.
struct HostCall {
  const char* name;
  uint32_t type;
};
namespace host_call {
inline constexpr HostCall kLoadBinary = {"QNN (load binary) time", event_type::kInit};
inline constexpr HostCall kFinalize = {"QNN (finalize) time", event_type::kFinalize};
inline constexpr HostCall kDeinit = {"QNN (deinit) time", event_type::kDeinit};
// Of a graph whose ops are all of op packages: they are not modelled, so this is what they took here.
inline constexpr HostCall kPackageExecute = {"QNN (execute) time", event_type::kExecute};
// Of binary sections. No public name is known for what getting one takes: it is a stage of the backend.
inline constexpr HostCall kGetSection = {"QNN (get binary section) time", event_type::kBackend};
inline constexpr HostCall kApplySection = {"QNN (apply binary section) time", event_type::kApplySection};
}  // namespace host_call

ProfileEvent host_event(const HostCall& call, Nanos host, HostTimes times,
                        std::span<const HostStage> stages = {});

}  // namespace openqnn::profile
