// SPDX-License-Identifier: BSD-3-Clause
// openqnn/modelled_device.h: what a model offers beside QNN's API.
#include "openqnn/modelled_device.h"

#include <algorithm>

#include "QnnDevice.h"
#include "api/answer.h"
#include "base/text.h"
#include "runtime/device.h"
#include "runtime/thread_priority.h"

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
    const auto device = runtime::current_device();
    if (!device) return no_device();
    device->clock.idle({nanoseconds});
    return {};
  });
}

uint64_t QnnOpenqnn_declareClient(uint32_t priority, uint64_t after, uint64_t holds, uint64_t vtcmBytes) {
  return answer("QnnOpenqnn_declareClient", [&]() -> Outcome<> {
    const auto device = runtime::current_device();
    if (!device) return no_device();
    if (!runtime::thread_priorities(priority))
      return runtime::ApiError(QNN_DEVICE_ERROR_INVALID_ARGUMENT,
                               invalid("modelled-client", concat("there is no priority ", priority))
                                   .at("argument priority")
                                   .fix_by("pass a value of Qnn_Priority_t"));
    if (vtcmBytes > device->target.vtcm.value)
      return runtime::ApiError(
          QNN_DEVICE_ERROR_INVALID_ARGUMENT,
          invalid("modelled-client",
                  concat(vtcmBytes, " bytes are more than the VTCM of ", device->target.vtcm.value, " bytes"))
              .at("argument vtcmBytes")
              .fix_by("pass what the client would have of it"));
    device->others.declare({.priority = priority, .after = {after}, .holds = {holds}, .vtcm = {vtcmBytes}});
    return {};
  });
}

uint64_t QnnOpenqnn_forgetClients() {
  return answer("QnnOpenqnn_forgetClients", [&]() -> Outcome<> {
    const auto device = runtime::current_device();
    if (!device) return no_device();
    device->others.forget_all();
    return {};
  });
}

uint64_t QnnOpenqnn_getDeviceTime(uint64_t* nanoseconds) {
  return answer("QnnOpenqnn_getDeviceTime", [&]() -> Outcome<> {
    if (!nanoseconds) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "nanoseconds");
    const auto device = runtime::current_device();
    if (!device) return no_device();
    *nanoseconds = device->clock.now().value;
    return {};
  });
}

uint64_t QnnOpenqnn_getPowerHistory(char* text, uint64_t* bytes) {
  return answer("QnnOpenqnn_getPowerHistory", [&]() -> Outcome<> {
    if (!bytes) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "bytes");
    const auto device = runtime::current_device();
    if (!device) return no_device();
    OPENQNN_ASSIGN_AS(const soc::PowerModel model, QNN_DEVICE_ERROR_INVALID_CONFIG, soc::power_model());
    const std::string json = sim::history_json(device->clock.history(device->target), model);
    if (text && *bytes >= json.size()) std::copy(json.begin(), json.end(), text);
    *bytes = json.size();
    return {};
  });
}
