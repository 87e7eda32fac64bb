// SPDX-License-Identifier: BSD-3-Clause
// QnnSignal.h
#include "runtime/signal.h"

#include "QnnSignal.h"
#include "api/answer.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

using Purpose = runtime::Signal::Purpose;

// A year: longer than any call, short enough for every clock to add.
constexpr uint64_t kLongestTimeoutUs = uint64_t{365} * 24 * 3600 * 1'000'000;

Outcome<> read_config(const QnnSignal_Config_t& config, Purpose& purpose) {
  if (purpose.type != Purpose::Type::kNone)
    return ApiError(QNN_SIGNAL_ERROR_INVALID_ARGUMENT,
                    invalid("signal-config", "a signal aborts or times out, not both")
                        .fix_by("pass one option, and make a second signal for the other"));
  switch (const uint32_t option = number_of(config.option)) {
    case QNN_SIGNAL_CONFIG_OPTION_ABORT:
      purpose = {Purpose::Type::kAbort, {}};
      return {};
    case QNN_SIGNAL_CONFIG_OPTION_TIMEOUT:
      purpose = {Purpose::Type::kTimeout,
                 std::chrono::microseconds(std::min(config.timeoutDurationUs, kLongestTimeoutUs))};
      return {};
    case QNN_SIGNAL_CONFIG_OPTION_CUSTOM:
      return ApiError(QNN_SIGNAL_ERROR_UNSUPPORTED,
                      unsupported("signal-custom", "HTP defines no custom signal options"));
    default:
      return ApiError(QNN_SIGNAL_ERROR_INVALID_ARGUMENT,
                      invalid("signal-option", concat("signal option ", option, " does not exist"))
                          .fix_by("ABORT (1) and TIMEOUT (2) are offered"));
  }
}

Outcome<Purpose> read_configs(const QnnSignal_Config_t** list) {
  Purpose purpose;
  OPENQNN_TRY(
      for_each_config(list, [&](const QnnSignal_Config_t& config) { return read_config(config, purpose); }));
  return purpose;
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnSignal_create(Qnn_BackendHandle_t backend, const QnnSignal_Config_t** config,
                                   Qnn_SignalHandle_t* signal) {
  return answer("QnnSignal_create", [&]() -> Outcome<> {
    OPENQNN_TRY(find<runtime::Backend>(backend, QNN_SIGNAL_ERROR_INVALID_ARGUMENT));
    if (!signal) return null_argument(QNN_SIGNAL_ERROR_INVALID_ARGUMENT, "signal");
    OPENQNN_ASSIGN(const Purpose purpose, openqnn::api::read_configs(config));
    OPENQNN_ASSIGN(*signal, publish(std::make_unique<runtime::Signal>(purpose)));
    return {};
  });
}

Qnn_ErrorHandle_t QnnSignal_setConfig(Qnn_SignalHandle_t signal, const QnnSignal_Config_t** config) {
  return answer("QnnSignal_setConfig", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Signal>(signal));
    OPENQNN_ASSIGN(const Purpose purpose, openqnn::api::read_configs(config));
    if (purpose.type == Purpose::Type::kNone)
      return ApiError(QNN_SIGNAL_ERROR_INVALID_ARGUMENT,
                      invalid("signal-config", "the list of options is empty"));
    return found->set_purpose(purpose);
  });
}

Qnn_ErrorHandle_t QnnSignal_trigger(Qnn_SignalHandle_t signal) {
  return answer("QnnSignal_trigger", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Signal>(signal));
    return found->trigger();
  });
}

Qnn_ErrorHandle_t QnnSignal_free(Qnn_SignalHandle_t signal) {
  return answer("QnnSignal_free", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Signal>(signal));
    OPENQNN_TRY(found->retire());
    return free_handle<runtime::Signal>(signal);
  });
}
