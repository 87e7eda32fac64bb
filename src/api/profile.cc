// SPDX-License-Identifier: BSD-3-Clause
// QnnProfile.h
#include <span>

#include "HTP/QnnHtpProfile.h"
#include "api/answer.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

using profile::ProfileEvent;
namespace event_type = profile::event_type;

static_assert(event_type::kInit == QNN_PROFILE_EVENTTYPE_INIT);
static_assert(event_type::kFinalize == QNN_PROFILE_EVENTTYPE_FINALIZE);
static_assert(event_type::kExecute == QNN_PROFILE_EVENTTYPE_EXECUTE);
static_assert(event_type::kNode == QNN_PROFILE_EVENTTYPE_NODE);
static_assert(event_type::kDeinit == QNN_PROFILE_EVENTTYPE_DEINIT);
static_assert(event_type::kTrace == QNN_PROFILE_EVENTTYPE_TRACE);
static_assert(event_type::kExecuteVtcmAcquire == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_VTCM_ACQUIRE_TIME);
static_assert(event_type::kExecutePowerUp == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_RESOURCE_POWER_UP_TIME);
static_assert(event_type::kNodeWait == QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT);
static_assert(event_type::kNodeOverlap == QNN_HTP_PROFILE_EVENTTYPE_NODE_OVERLAP);
static_assert(event_type::kNodeWaitOverlap == QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_OVERLAP);
static_assert(event_type::kNodeResources == QNN_HTP_PROFILE_EVENTTYPE_NODE_RESOURCEMASK);
static_assert(event_type::kNodeBackgroundOp == QNN_HTP_PROFILE_EVENTTYPE_NODE_CRITICAL_BG_OP_ID);
static_assert(event_type::kNodeWaitBackgroundOp == QNN_HTP_PROFILE_EVENTTYPE_NODE_WAIT_BG_OP_ID);
static_assert(event_type::kExecuteCriticalCycles ==
              QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_CRITICAL_ACCEL_TIME_CYCLE);
static_assert(static_cast<uint32_t>(profile::Level::kBasic) == QNN_PROFILE_LEVEL_BASIC &&
              static_cast<uint32_t>(profile::Level::kDetailed) == QNN_PROFILE_LEVEL_DETAILED &&
              static_cast<uint32_t>(profile::Level::kLinting) == QNN_HTP_PROFILE_LEVEL_LINTING);
static_assert(event_type::kBackend == QNN_PROFILE_EVENTTYPE_BACKEND);
static_assert(event_type::kExecuteRpc == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HOST_RPC_TIME_MICROSEC);
static_assert(event_type::kExecuteQnnAccelerator ==
              QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_HTP_RPC_TIME_MICROSEC);
static_assert(event_type::kExecuteAcceleratorCycles ==
              QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_CYCLE);
static_assert(event_type::kExecuteAccelerator == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_TIME_MICROSEC);
static_assert(event_type::kYieldRelease ==
              QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RELEASE_TIME);
static_assert(event_type::kYieldWait == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_WAIT_TIME);
static_assert(event_type::kYieldRestore ==
              QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_INSTANCE_RESTORE_TIME);
static_assert(event_type::kExecuteYields == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_YIELD_COUNT);
static_assert(event_type::kExecuteAcceleratorWithoutWait ==
              QNN_HTP_PROFILE_EVENTTYPE_GRAPH_EXECUTE_ACCEL_EXCL_WAIT_TIME_MICROSEC);
static_assert(event_type::kApplySection == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN);
static_assert(event_type::kHvxThreads == QNN_HTP_PROFILE_EVENTTYPE_GRAPH_NUMBER_OF_HVX_THREADS);

using Unit = ProfileEvent::Unit;
static_assert(static_cast<uint32_t>(Unit::kMicroseconds) == QNN_PROFILE_EVENTUNIT_MICROSEC &&
              static_cast<uint32_t>(Unit::kBytes) == QNN_PROFILE_EVENTUNIT_BYTES &&
              static_cast<uint32_t>(Unit::kCycles) == QNN_PROFILE_EVENTUNIT_CYCLES &&
              static_cast<uint32_t>(Unit::kCount) == QNN_PROFILE_EVENTUNIT_COUNT &&
              static_cast<uint32_t>(Unit::kObject) == QNN_PROFILE_EVENTUNIT_OBJECT &&
              static_cast<uint32_t>(Unit::kNone) == QNN_PROFILE_EVENTUNIT_NONE);

struct FoundEvent {
  Ref<runtime::Profile> owner;  // keeps the entry alive
  const runtime::Profile::Entry* entry;
};

Outcome<FoundEvent> find_event(QnnProfile_EventId_t id) {
  Ref<runtime::Profile> owner = runtime::Profile::owner_of(id);
  const runtime::Profile::Entry* entry = owner ? owner->find(id) : nullptr;
  if (!entry)
    return ApiError(QNN_PROFILE_ERROR_INVALID_HANDLE,
                    invalid("profile-event", concat(id, " names no event of a live profile")));
  return FoundEvent{std::move(owner), entry};
}

// An op trace is asked for beside the detailed level, as the documents have it.
Outcome<> check_profile_option(const QnnProfile_Config_t& config, profile::Level level) {
  switch (number_of(config.option)) {
    case QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS:
      return {};
    case QNN_PROFILE_CONFIG_OPTION_ENABLE_OPTRACE:
      if (config.enableOptrace == 0 || level == profile::Level::kDetailed) return {};
      return ApiError(QNN_PROFILE_ERROR_INVALID_ARGUMENT,
                      invalid("profile-optrace", "optrace is for profiles of the detailed level (2) alone")
                          .fix_by("create the profile with QNN_PROFILE_LEVEL_DETAILED"));
    default:
      return ApiError(QNN_PROFILE_ERROR_UNSUPPORTED,
                      unsupported("profile-option",
                                  concat("profile option ", number_of(config.option),
                                         " is not supported; the number of events (1) and optrace (2) are")));
  }
}

// Once it is checked.
Outcome<> apply_profile_option(const QnnProfile_Config_t& config, runtime::Profile& profile) {
  if (number_of(config.option) == QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS)
    profile.set_max_events(config.numMaxEvents);
  else
    profile.set_traces_ops(config.enableOptrace != 0);
  return {};
}

bool is_level(QnnProfile_Level_t level) {
  return level == QNN_PROFILE_LEVEL_BASIC || level == QNN_PROFILE_LEVEL_DETAILED ||
         level == QNN_HTP_PROFILE_LEVEL_LINTING;
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnProfile_create(Qnn_BackendHandle_t backend, QnnProfile_Level_t level,
                                    Qnn_ProfileHandle_t* profile) {
  return answer("QnnProfile_create", [&]() -> Outcome<> {
    OPENQNN_TRY(find<runtime::Backend>(backend, QNN_PROFILE_ERROR_INVALID_ARGUMENT));
    if (!profile) return null_argument(QNN_PROFILE_ERROR_INVALID_ARGUMENT, "profile");
    if (!is_level(level))
      return ApiError(
          QNN_PROFILE_ERROR_UNSUPPORTED,
          unsupported("profile-level",
                      concat("profile level ", level, " is not supported; basic (1), detailed (2) and ",
                             "linting (", QNN_HTP_PROFILE_LEVEL_LINTING, ") are")));
    auto object = std::make_unique<runtime::Profile>(static_cast<profile::Level>(level));
    runtime::Profile* created = object.get();
    OPENQNN_ASSIGN(void* const handle, publish(std::move(object)));
    created->register_handle(handle);
    *profile = handle;
    return {};
  });
}

Qnn_ErrorHandle_t QnnProfile_setConfig(Qnn_ProfileHandle_t profileHandle,
                                       const QnnProfile_Config_t** config) {
  return answer("QnnProfile_setConfig", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Profile>(profileHandle));
    OPENQNN_TRY(for_each_config(
        config, [&](const auto& entry) { return check_profile_option(entry, found->level()); }));
    return for_each_config(config, [&](const auto& entry) { return apply_profile_option(entry, *found); });
  });
}

Qnn_ErrorHandle_t QnnProfile_getEvents(Qnn_ProfileHandle_t profile,
                                       const QnnProfile_EventId_t** profileEventIds, uint32_t* numEvents) {
  return answer("QnnProfile_getEvents", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Profile>(profile));
    if (!profileEventIds) return null_argument(QNN_PROFILE_ERROR_INVALID_ARGUMENT, "profileEventIds");
    if (!numEvents) return null_argument(QNN_PROFILE_ERROR_INVALID_ARGUMENT, "numEvents");
    const std::span<const runtime::EventId> events = found->events();
    *profileEventIds = events.data();
    *numEvents = static_cast<uint32_t>(events.size());
    return {};
  });
}

Qnn_ErrorHandle_t QnnProfile_getSubEvents(QnnProfile_EventId_t eventId,
                                          const QnnProfile_EventId_t** subEventIds, uint32_t* numSubEvents) {
  return answer("QnnProfile_getSubEvents", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const FoundEvent found, find_event(eventId));
    if (!subEventIds) return null_argument(QNN_PROFILE_ERROR_INVALID_ARGUMENT, "subEventIds");
    if (!numSubEvents) return null_argument(QNN_PROFILE_ERROR_INVALID_ARGUMENT, "numSubEvents");
    *subEventIds = found.entry->children.data();
    *numSubEvents = static_cast<uint32_t>(found.entry->children.size());
    return {};
  });
}

Qnn_ErrorHandle_t QnnProfile_getEventData(QnnProfile_EventId_t eventId, QnnProfile_EventData_t* eventData) {
  return answer("QnnProfile_getEventData", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const FoundEvent found, find_event(eventId));
    if (!eventData) return null_argument(QNN_PROFILE_ERROR_INVALID_ARGUMENT, "eventData");
    const ProfileEvent& event = found.entry->event;
    if (event.unit == Unit::kObject)
      return ApiError(
          QNN_PROFILE_ERROR_INCOMPATIBLE_EVENT,
          invalid("profile-event-object", concat("event '", event.name, "' is an object, not a number"))
              .fix_by("read it with QnnProfile_getExtendedEventData"));
    *eventData = {event.type, static_cast<uint32_t>(event.unit), event.value, event.name.c_str()};
    return {};
  });
}

Qnn_ErrorHandle_t QnnProfile_getExtendedEventData(QnnProfile_EventId_t eventId,
                                                  QnnProfile_ExtendedEventData_t* eventData) {
  return answer("QnnProfile_getExtendedEventData", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const FoundEvent found, find_event(eventId));
    if (!eventData) return null_argument(QNN_PROFILE_ERROR_INVALID_ARGUMENT, "eventData");
    const ProfileEvent& event = found.entry->event;
    *eventData = QNN_PROFILE_EXTENDED_EVENT_DATA_INIT;
    eventData->v1.type = event.type;
    eventData->v1.unit = static_cast<uint32_t>(event.unit);
    eventData->v1.timestamp = found.entry->timestamp_us;
    eventData->v1.identifier = event.name.c_str();
    if (event.unit == Unit::kObject) {
      // The type has no const; a client that writes there breaks its own profile.
      void* const bytes = const_cast<std::byte*>(event.object->data());  // NOLINT
      eventData->v1.backendOpaqueObject = {{bytes, event.object->size()}, event.file.c_str()};
      return {};
    }
    eventData->v1.value.dataType = QNN_DATATYPE_UINT_64;
    eventData->v1.value.uint64Value = event.value;
    return {};
  });
}

Qnn_ErrorHandle_t QnnProfile_free(Qnn_ProfileHandle_t profile) {
  return answer("QnnProfile_free", [&] { return free_handle<runtime::Profile>(profile); });
}
