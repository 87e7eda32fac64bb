// SPDX-License-Identifier: BSD-3-Clause
// Objects that stand around graphs: made, asked, changed, freed in any order.
#include <atomic>
#include <cstdarg>
#include <cstdio>

#include "QnnProperty.h"
#include "api/fuzz/options.h"
#include "api/fuzz/steps.h"

namespace openqnn::api::fuzz {
namespace {

// Formats every line, as a client would: an argument that does not fit its format is found out.
void receive(const char* format, QnnLog_Level_t, uint64_t, va_list arguments) {
  char line[256];
  std::vsnprintf(line, sizeof line, format, arguments);
}

QnnLog_Level_t random_level(Dice& dice) {
  return static_cast<QnnLog_Level_t>(dice.one_in(16) ? dice.byte() : 1 + dice.below(5));
}

// What the thread's last failures left behind.
void read_messages(Qnn_ErrorHandle_t code) {
  const char* text = nullptr;
  QnnError_getMessage(code, &text);
  if (QnnError_getVerboseMessage(code, &text) == QNN_SUCCESS) QnnError_freeVerboseMessage(text);
}

void read_events(const QnnProfile_EventId_t* ids, uint32_t count, int depth) {
  for (uint32_t i = 0; i < count; ++i) {
    QnnProfile_EventData_t data{};
    QnnProfile_getEventData(ids[i], &data);
    QnnProfile_ExtendedEventData_t extended{};
    QnnProfile_getExtendedEventData(ids[i], &extended);
    const QnnProfile_EventId_t* below = nullptr;
    uint32_t below_count = 0;
    if (depth < 4 && QnnProfile_getSubEvents(ids[i], &below, &below_count) == QNN_SUCCESS)
      read_events(below, below_count, depth + 1);
  }
}

}  // namespace

void create_log(Session& session) {
  Qnn_LogHandle_t made = nullptr;
  if (QnnLog_create(receive, random_level(session.dice), &made) == QNN_SUCCESS) session.logs.push_back(made);
}

void set_log_level(Session& session) {
  QnnLog_setLogLevel(session.pick(session.logs), random_level(session.dice));
}

void create_backend(Session& session) {
  Qnn_BackendHandle_t made = nullptr;
  if (QnnBackend_create(session.logs.empty() ? nullptr : session.pick_or_null(session.logs), nullptr,
                        &made) == QNN_SUCCESS)
    session.backends.push_back(made);
}

void create_device(Session& session) {
  DeviceOptionList options(session);
  Qnn_DeviceHandle_t made = nullptr;
  void* log = session.logs.empty() ? nullptr : session.pick_or_null(session.logs);
  if (QnnDevice_create(log, options.list(), &made) == QNN_SUCCESS) session.devices.push_back(made);
}

void create_context(Session& session) {
  ContextOptionList options(session);
  void* device = session.devices.empty() ? nullptr : session.pick_or_null(session.devices);
  Qnn_ContextHandle_t made = nullptr;
  if (QnnContext_create(session.pick(session.backends), device, options.list(), &made) == QNN_SUCCESS)
    session.contexts.push_back(made);
}

void create_profile(Session& session) {
  Dice& dice = session.dice;
  Qnn_ProfileHandle_t made = nullptr;
  const auto level = dice.one_in(8) ? dice.word() : 1 + dice.below(2);
  if (QnnProfile_create(session.pick(session.backends), level, &made) == QNN_SUCCESS)
    session.profiles.push_back(made);
}

void read_profile(Session& session) {
  if (session.on_a_thread) return;  // the lists live until the profile is freed: another thread may do that
  const QnnProfile_EventId_t* events = nullptr;
  uint32_t count = 0;
  if (QnnProfile_getEvents(session.pick(session.profiles), &events, &count) == QNN_SUCCESS)
    read_events(events, count, 0);
  QnnProfile_EventData_t data{};
  QnnProfile_getEventData(session.dice.word(), &data);
}

void create_signal(Session& session) {
  Dice& dice = session.dice;
  QnnSignal_Config_t config = QNN_SIGNAL_CONFIG_INIT;
  config.option = static_cast<QnnSignal_ConfigOption_t>(dice.below(4));
  static constexpr uint64_t kMicroseconds[] = {0, 1, 1000, 1'000'000'000, UINT64_MAX};
  config.timeoutDurationUs = kMicroseconds[dice.below(5)];
  const QnnSignal_Config_t* list[] = {&config, nullptr};
  if (!session.signals.empty() && dice.one_in(4)) {
    QnnSignal_setConfig(session.pick(session.signals), list);
    return;
  }
  Qnn_SignalHandle_t made = nullptr;
  if (QnnSignal_create(session.pick(session.backends), dice.one_in(4) ? nullptr : list, &made) == QNN_SUCCESS)
    session.signals.push_back(made);
}

void use_signal(Session& session) {
  if (session.dice.one_in(4))
    QnnSignal_free(session.pick(session.signals));
  else
    QnnSignal_trigger(session.pick(session.signals));
}

void free_something(Session& session) {
  switch (session.dice.below(6)) {
    case 0:
      QnnContext_free(session.pick(session.contexts),
                      session.profiles.empty() ? nullptr : session.pick_or_null(session.profiles));
      return;
    case 1:
      QnnBackend_free(session.pick(session.backends));
      return;
    case 2:
      QnnDevice_free(session.pick(session.devices));
      return;
    case 3:
      QnnLog_free(session.pick(session.logs));
      return;
    case 4:
      QnnSignal_free(session.pick(session.signals));
      return;
    default:
      QnnProfile_free(session.pick(session.profiles));
  }
}

void ask_around(Session& session) {
  Dice& dice = session.dice;
  switch (dice.below(6)) {
    case 5: {
      QnnHtpContext_CustomProperty_t custom = QNN_HTP_CONTEXT_CUSTOM_PROPERTY_INIT;
      custom.option = static_cast<QnnHtpContext_GetPropertyOption_t>(dice.below(9));
      QnnContext_Property_t property = QNN_CONTEXT_PROPERTY_INIT;
      property.option = QNN_CONTEXT_PROPERTY_OPTION_CUSTOM;
      property.customProperty = &custom;
      QnnContext_Property_t* list[] = {&property, nullptr};
      QnnContext_getProperty(session.pick(session.contexts), list);
      return;
    }
    case 0:
      QnnProperty_hasCapability(dice.one_in(4) ? dice.word() : 100 * dice.below(20) + dice.byte());
      return;
    case 1: {
      uint32_t count = 0;
      const QnnBackend_OperationName_t* operations = nullptr;
      QnnBackend_getSupportedOperations(session.pick(session.backends), &count, &operations);
      return;
    }
    case 2: {
      const QnnDevice_PlatformInfo_t* info = nullptr;
      if (QnnDevice_getInfo(session.pick(session.devices), &info) == QNN_SUCCESS)
        QnnDevice_freePlatformInfo(nullptr, info);
      return;
    }
    case 3: {
      const QnnDevice_PlatformInfo_t* info = nullptr;
      if (QnnDevice_getPlatformInfo(session.logs.empty() ? nullptr : session.pick(session.logs), &info) ==
          QNN_SUCCESS)
        QnnDevice_freePlatformInfo(nullptr, info);
      return;
    }
    default:
      read_messages(1000 * dice.below(10) + dice.byte());
  }
}

}  // namespace openqnn::api::fuzz
