// SPDX-License-Identifier: BSD-3-Clause
// openqnn/modelled_device.h: what a model offers beside QNN's API.
#include "openqnn/modelled_device.h"

#include <algorithm>

#include "QnnDevice.h"
#include "api/answer.h"
#include "runtime/device.h"

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

namespace {

runtime::ApiError no_device() {
  return {QNN_DEVICE_ERROR_INVALID_HANDLE,
          invalid("modelled-device", "there is no device").fix_by("create a device or a context first")};
}

}  // namespace

uint64_t QnnOpenqnn_declareIdle(uint64_t nanoseconds) {
  return answer("QnnOpenqnn_declareIdle", [&]() -> Outcome<> {
    if (!runtime::declare_idle({nanoseconds})) return no_device();
    return {};
  });
}

uint64_t QnnOpenqnn_getDeviceTime(uint64_t* nanoseconds) {
  return answer("QnnOpenqnn_getDeviceTime", [&]() -> Outcome<> {
    if (!nanoseconds) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "nanoseconds");
    const auto now = runtime::device_time();
    if (!now) return no_device();
    *nanoseconds = now->value;
    return {};
  });
}

uint64_t QnnOpenqnn_getPowerHistory(char* text, uint64_t* bytes) {
  return answer("QnnOpenqnn_getPowerHistory", [&]() -> Outcome<> {
    if (!bytes) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "bytes");
    const auto history = runtime::current_history();
    if (!history) return no_device();
    OPENQNN_ASSIGN_AS(const soc::PowerModel model, QNN_DEVICE_ERROR_INVALID_CONFIG, soc::power_model());
    const std::string json = sim::history_json(*history, model);
    if (text && *bytes >= json.size()) std::copy(json.begin(), json.end(), text);
    *bytes = json.size();
    return {};
  });
}
