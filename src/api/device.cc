// SPDX-License-Identifier: BSD-3-Clause
// QnnDevice.h, HTP/QnnHtpDevice.h
#include <map>
#include <memory>
#include <mutex>

#include "api/answer.h"
#include "api/device_options.h"
#include "api/platform_info.h"
#include "api/twins.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// Infos that clients hold, by the address they were given. Those of the platform are given back; those of a
// device may be, and go with it otherwise.
struct HandedOut {
  struct Entry {
    std::unique_ptr<PlatformInfo> info;
    Qnn_DeviceHandle_t device;  // null: the platform
  };
  std::mutex mutex;
  std::map<const QnnDevice_PlatformInfo_t*, Entry> infos;

  const QnnDevice_PlatformInfo_t* add(const soc::Target& target, Qnn_DeviceHandle_t device = nullptr) {
    auto owned = std::make_unique<PlatformInfo>(target);
    const QnnDevice_PlatformInfo_t* info = &owned->info;
    const std::lock_guard lock(mutex);
    infos.emplace(info, Entry{std::move(owned), device});
    return info;
  }
  bool remove(const QnnDevice_PlatformInfo_t* info) {
    const std::lock_guard lock(mutex);
    return infos.erase(info) != 0;
  }
  void remove_of(Qnn_DeviceHandle_t device) {
    const std::lock_guard lock(mutex);
    std::erase_if(infos, [device](const auto& entry) { return entry.second.device == device; });
  }
};

HandedOut& handed_out() {
  static HandedOut instance;
  return instance;
}

Outcome<Logger> logger_of(Qnn_LogHandle_t handle) {
  OPENQNN_ASSIGN(const auto log, find_optional<runtime::Log>(handle, QNN_DEVICE_ERROR_INVALID_ARGUMENT));
  return log ? log->log() : Logger();
}

Outcome<soc::Target> target_for(const runtime::DeviceRequest& request, const Logger& log) {
  OPENQNN_ASSIGN_AS(const runtime::Persona persona, QNN_DEVICE_ERROR_INVALID_CONFIG,
                    runtime::persona_from_environment());
  return runtime::choose_target(request, persona, log);
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnDevice_create(Qnn_LogHandle_t logger, const QnnDevice_Config_t** config,
                                   Qnn_DeviceHandle_t* device) {
  return answer("QnnDevice_create", [&]() -> Outcome<> {
    OPENQNN_TRY(refuse_twins());
    if (!device) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "device");
    OPENQNN_ASSIGN(const Logger log, logger_of(logger));
    runtime::DeviceRequest request;
    OPENQNN_TRY(read_device_configs(config, log, request));
    OPENQNN_ASSIGN(soc::Target target, target_for(request, log));
    OPENQNN_ASSIGN(*device, publish(std::make_unique<runtime::Device>(request, std::move(target), log)));
    return {};
  });
}

Qnn_ErrorHandle_t QnnDevice_setConfig(Qnn_DeviceHandle_t device, const QnnDevice_Config_t** config) {
  return answer("QnnDevice_setConfig", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Device>(device));
    if (!config || !*config) return {};
    runtime::DeviceRequest request = found->request();
    OPENQNN_TRY(read_device_configs(config, found->log(), request));
    OPENQNN_ASSIGN(soc::Target target, target_for(request, found->log()));
    return found->become(request, std::move(target));
  });
}

Qnn_ErrorHandle_t QnnDevice_getPlatformInfo(Qnn_LogHandle_t logger,
                                            const QnnDevice_PlatformInfo_t** platformInfo) {
  return answer("QnnDevice_getPlatformInfo", [&]() -> Outcome<> {
    if (!platformInfo) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "platformInfo");
    OPENQNN_ASSIGN(const Logger log, logger_of(logger));
    // The call names no device. Ours: the youngest one that is alive, as for power votes and
    // validateOpConfig.
    if (const auto device = runtime::current_device()) {
      *platformInfo = handed_out().add(device->target);
      return {};
    }
    OPENQNN_ASSIGN(const soc::Target target, target_for({}, log));
    *platformInfo = handed_out().add(target);
    return {};
  });
}

Qnn_ErrorHandle_t QnnDevice_freePlatformInfo(Qnn_LogHandle_t logger,
                                             const QnnDevice_PlatformInfo_t* platformInfo) {
  return answer("QnnDevice_freePlatformInfo", [&]() -> Outcome<> {
    OPENQNN_TRY(logger_of(logger));
    if (!handed_out().remove(platformInfo))
      return ApiError(
          QNN_DEVICE_ERROR_INVALID_ARGUMENT,
          invalid("platform-info-foreign", "this platform info was not handed out, or was freed before"));
    return {};
  });
}

Qnn_ErrorHandle_t QnnDevice_getInfo(Qnn_DeviceHandle_t device,
                                    const QnnDevice_PlatformInfo_t** platformInfo) {
  return answer("QnnDevice_getInfo", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Device>(device));
    if (!platformInfo) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "platformInfo");
    *platformInfo = handed_out().add(found->state()->target, device);
    return {};
  });
}

Qnn_ErrorHandle_t QnnDevice_free(Qnn_DeviceHandle_t device) {
  return answer("QnnDevice_free", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Device>(device));
    if (const uint32_t contexts = found->state()->contexts; contexts > 0)
      return ApiError(
          QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT,
          invalid("device-in-use", concat(contexts, contexts == 1 ? " context still uses the device"
                                                                  : " contexts still use the device"))
              .fix_by("free the contexts first"));
    OPENQNN_TRY(free_handle<runtime::Device>(device));
    handed_out().remove_of(device);
    return {};
  });
}
