// SPDX-License-Identifier: BSD-3-Clause
// QnnDevice.h, HTP/QnnHtpDevice.h
#include <cstring>
#include <mutex>
#include <set>

#include "HTP/QnnHtpDevice.h"
#include "api/answer.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// ---- Custom configuration ----

// The payload of QnnHtpDevice_CustomConfig_t moved: older SDKs put it 4 bytes behind the option, newer
// ones 8. A struct of the old layout ends at byte 12, so nothing beyond is read before the layout is known.
constexpr size_t kOldPayload = 4;
constexpr size_t kNewPayload = offsetof(QnnHtpDevice_CustomConfig_t, socModel);

uint32_t word_at(const void* address, size_t offset) {
  uint32_t word = 0;
  std::memcpy(&word, static_cast<const std::byte*>(address) + offset, sizeof word);
  return word;
}

Outcome<> read_soc(const void* config, runtime::DeviceRequest& request) {
  const uint32_t old_model = word_at(config, kOldPayload);
  if (old_model != 0 && soc::target_by_model(old_model)) {
    request.soc_model = old_model;
    return {};
  }
  const uint32_t new_model = word_at(config, kNewPayload);
  OPENQNN_TRY_AS(QNN_DEVICE_ERROR_INVALID_CONFIG, soc::target_by_model(new_model));
  request.soc_model = new_model;
  return {};
}

bool is_arch(uint32_t value) { return value >= 68 && value < 128; }

Outcome<> read_arch(const void* config, runtime::DeviceRequest& request) {
  // {deviceId, arch}: the architecture is the second word of the payload.
  const uint32_t old_arch = word_at(config, kOldPayload + sizeof(uint32_t));
  // In the new layout, byte 8 holds the device id, a small number.
  const uint32_t arch = is_arch(old_arch) ? old_arch : word_at(config, kNewPayload + sizeof(uint32_t));
  OPENQNN_TRY_AS(QNN_DEVICE_ERROR_INVALID_CONFIG, soc::target_by_arch(arch));
  request.arch = arch;
  return {};
}

ApiError refused_option(Qnn_ErrorHandle_t code, uint32_t option, const char* why) {
  return {code, unsupported("device-htp-option", concat("HTP device option ", option, why))
                    .fix_by("SOC (0) and ARCH (1) are offered")};
}

Outcome<> read_config(const QnnDevice_Config_t& config, runtime::DeviceRequest& request) {
  if (number_of(config.option) != QNN_DEVICE_CONFIG_OPTION_CUSTOM)
    return ApiError(QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE,
                    unsupported("device-option",
                                concat("device option ", number_of(config.option), " is not supported")));
  if (!config.customConfig) return null_argument(QNN_DEVICE_ERROR_INVALID_CONFIG, "customConfig");
  switch (const uint32_t option = word_at(config.customConfig, 0)) {
    case QNN_HTP_DEVICE_CONFIG_OPTION_SOC:
      return read_soc(config.customConfig, request);
    case QNN_HTP_DEVICE_CONFIG_OPTION_ARCH:
      return read_arch(config.customConfig, request);
    case QNN_HTP_DEVICE_CONFIG_OPTION_SIGNEDPD:
    case QNN_HTP_DEVICE_CONFIG_OPTION_SECUREPD:
    case QNN_HTP_DEVICE_CONFIG_OPTION_ASYNC_EXECUTE:
    case QNN_HTP_DEVICE_CONFIG_OPTION_DYNAMIC_PARTITIONING:
    case QNN_HTP_DEVICE_CONFIG_OPTION_APP_UID:
    case QNN_HTP_DEVICE_CONFIG_OPTION_HTP_EXTENSION:
      return refused_option(QNN_DEVICE_ERROR_UNSUPPORTED_FEATURE, option, " is not supported");
    default:
      return refused_option(QNN_DEVICE_ERROR_INVALID_CONFIG, option, " does not exist");
  }
}

// ---- Platform info ----

// One modelled device with one core, in the C API's nested structs.
struct PlatformInfo {
  explicit PlatformInfo(const soc::Target& target) {
    extension.devType = QNN_HTP_DEVICE_TYPE_ON_CHIP;
    extension.onChipDevice.vtcmSize = target.vtcm.value / kMiB;  // in MB
    extension.onChipDevice.socModel = target.soc_model;
    extension.onChipDevice.signedPdSupport = false;  // SIGNEDPD is refused
    extension.onChipDevice.dlbcSupport = false;      // not modelled
    extension.onChipDevice.arch = static_cast<QnnHtpDevice_Arch_t>(target.arch);
    core.v1.coreId = 0;
    core.v1.coreType = QNN_HTP_CORE_TYPE_NSP;
    device.v1 = {0, 0, 1, &core, &extension};
    info.v1 = {1, &device};
  }
  PlatformInfo(const PlatformInfo&) = delete;
  PlatformInfo& operator=(const PlatformInfo&) = delete;

  QnnDevice_CoreInfo_t core = QNN_DEVICE_CORE_INFO_INIT;
  QnnHtpDevice_DeviceInfoExtension_t extension{};
  QnnDevice_HardwareDeviceInfo_t device = QNN_DEVICE_HARDWARE_DEVICE_INFO_INIT;
  QnnDevice_PlatformInfo_t info = QNN_DEVICE_PLATFORM_INFO_INIT;
};

// Infos that clients hold, by the address they were given.
struct HandedOut {
  std::mutex mutex;
  std::map<const QnnDevice_PlatformInfo_t*, std::unique_ptr<PlatformInfo>> infos;

  const QnnDevice_PlatformInfo_t* add(const soc::Target& target) {
    auto owned = std::make_unique<PlatformInfo>(target);
    const QnnDevice_PlatformInfo_t* info = &owned->info;
    const std::lock_guard lock(mutex);
    infos.emplace(info, std::move(owned));
    return info;
  }
  bool remove(const QnnDevice_PlatformInfo_t* info) {
    const std::lock_guard lock(mutex);
    return infos.erase(info) != 0;
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

Outcome<soc::Target> target_for(const QnnDevice_Config_t** config, const Logger& log) {
  runtime::DeviceRequest request;
  OPENQNN_TRY(
      for_each_config(config, [&](const QnnDevice_Config_t& entry) { return read_config(entry, request); }));
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
    if (!device) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "device");
    OPENQNN_ASSIGN(const Logger log, logger_of(logger));
    OPENQNN_ASSIGN(soc::Target target, target_for(config, log));
    OPENQNN_ASSIGN(*device, publish(std::make_unique<runtime::Device>(std::move(target))));
    return {};
  });
}

Qnn_ErrorHandle_t QnnDevice_getPlatformInfo(Qnn_LogHandle_t logger,
                                            const QnnDevice_PlatformInfo_t** platformInfo) {
  return answer("QnnDevice_getPlatformInfo", [&]() -> Outcome<> {
    if (!platformInfo) return null_argument(QNN_DEVICE_ERROR_INVALID_ARGUMENT, "platformInfo");
    OPENQNN_ASSIGN(const Logger log, logger_of(logger));
    OPENQNN_ASSIGN(const soc::Target target, target_for(nullptr, log));
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
    *platformInfo = handed_out().add(found->state()->target);
    return {};
  });
}

Qnn_ErrorHandle_t QnnDevice_free(Qnn_DeviceHandle_t device) {
  return answer("QnnDevice_free", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto found, find<runtime::Device>(device));
    if (const uint32_t contexts = found->state()->contexts; contexts > 0)
      return ApiError(QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT,
                      invalid("device-in-use", concat(contexts, " contexts still use the device"))
                          .fix_by("free the contexts first"));
    return free_handle<runtime::Device>(device);
  });
}
