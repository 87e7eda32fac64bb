// SPDX-License-Identifier: BSD-3-Clause
// QnnDevice.h, HTP/QnnHtpDevice.h
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "HTP/QnnHtpDevice.h"
#include "api/answer.h"
#include "api/client_sdk.h"
#include "api/doubtful_memory.h"
#include "api/platform_info.h"
#include "api/twins.h"
#include "base/text.h"
#include "base/until_exit.h"

namespace openqnn::api {
namespace {

// ---- Two layouts of QnnHtpDevice_CustomConfig_t ----

// The payload moved: SDKs before 2.48 put it 4 bytes behind the option, newer ones 8 (one member became a
// pointer). An old struct ends at byte 12, so nothing beyond is read before the layout is known to be new.
enum class Layout : size_t { kOld = 4, kNew = offsetof(QnnHtpDevice_CustomConfig_t, socModel) };
constexpr ClientSdk kFirstNewSdk{2, 48};

const char* layout_name(Layout layout) { return layout == Layout::kOld ? "before 2.48" : "2.48 or later"; }

uint32_t word_at(const void* config, size_t offset) {
  uint32_t word = 0;
  std::memcpy(&word, static_cast<const std::byte*>(config) + offset, sizeof word);
  return word;
}

// The n-th word of the payload.
uint32_t payload(const void* config, Layout layout, size_t n) {
  return word_at(config, static_cast<size_t>(layout) + n * sizeof(uint32_t));
}

bool is_soc(uint32_t model) { return model != 0 && soc::target_by_model(model).ok(); }
bool is_arch(uint32_t arch) { return soc::target_by_arch(arch).ok(); }
// A device id: ours is 0, and clients may ask for "the default one".
bool is_device_id(uint32_t id) { return id == 0 || id == QNN_DEVICE_DEFAULT_DEVICE_ID; }

// The layout that an option betrays by its values; nothing when both, or neither, would make sense.
std::optional<Layout> layout_of(const void* config) {
  switch (word_at(config, 0)) {
    case QNN_HTP_DEVICE_CONFIG_OPTION_SOC:
      if (is_soc(payload(config, Layout::kOld, 0))) return Layout::kOld;
      if (is_soc(payload(config, Layout::kNew, 0))) return Layout::kNew;
      // Neither is a part we know; 0 is padding rather than a model.
      if (payload(config, Layout::kOld, 0) == 0 && payload(config, Layout::kNew, 0) != 0) return Layout::kNew;
      return std::nullopt;
    case QNN_HTP_DEVICE_CONFIG_OPTION_ARCH:  // {device id, architecture}
      if (is_arch(payload(config, Layout::kOld, 1))) return Layout::kOld;
      // Byte 8 is the architecture in the old layout, the device id in the new one.
      if (is_device_id(payload(config, Layout::kNew, 0))) return Layout::kNew;
      return std::nullopt;
    case QNN_HTP_DEVICE_CONFIG_OPTION_ASYNC_EXECUTE:
    case QNN_HTP_DEVICE_CONFIG_OPTION_DYNAMIC_PARTITIONING:
    case QNN_HTP_DEVICE_CONFIG_OPTION_APP_UID:
    case QNN_HTP_DEVICE_CONFIG_OPTION_HTP_EXTENSION:
      return Layout::kNew;  // older SDKs do not have them
    default:
      return std::nullopt;
  }
}

// The layout of the SDK that the environment names.
std::optional<Layout> layout_from_environment() {
  const auto sdk = client_sdk();
  if (!sdk) return std::nullopt;
  return *sdk >= kFirstNewSdk ? Layout::kNew : Layout::kOld;
}

// The smaller of the two layouts.
constexpr size_t kLeastBytes = 12;

bool is_custom(const QnnDevice_Config_t& config) {
  return number_of(config.option) == QNN_DEVICE_CONFIG_OPTION_CUSTOM &&
         check_custom_config(config.customConfig, QNN_DEVICE_ERROR_INVALID_CONFIG, kLeastBytes).ok();
}

// Layouts of a list: the environment's, else an option's own where it shows one, else the one that another
// option of the list shows, else the old one. What lies in the padding of the new one can look like the old.
class Layouts {
 public:
  Layouts(const QnnDevice_Config_t** list, const Logger& log) : log_(log) {
    for (; list && *list && !seen_; ++list)
      if (is_custom(**list)) seen_ = layout_of((*list)->customConfig);
  }

  Layout of(const void* config) const {
    if (const auto told = layout_from_environment()) return *told;
    if (const auto own = layout_of(config)) return *own;
    if (seen_) return *seen_;
    log_.warn(concat("HTP device option ", word_at(config, 0), " does not show which SDK the client was ",
                     "compiled with: it is read as one ", layout_name(Layout::kOld),
                     " wrote it; OPENQNN_CLIENT_SDK (e.g. 2.48) says otherwise"));
    return Layout::kOld;
  }

 private:
  const Logger& log_;
  std::optional<Layout> seen_;
};

// ---- Custom options ----

Outcome<> read_soc(const void* config, Layout layout, runtime::DeviceRequest& request) {
  const uint32_t model = payload(config, layout, 0);
  OPENQNN_TRY_AS(QNN_DEVICE_ERROR_INVALID_CONFIG, soc::target_by_model(model));
  request.soc_model = model;
  return {};
}

Outcome<> check_device_id(uint32_t id) {
  if (is_device_id(id)) return {};
  return ApiError(QNN_DEVICE_ERROR_INVALID_CONFIG,
                  invalid("device-id", concat("device id ", id, " does not exist: one device is modelled"))
                      .at("device configuration")
                      .fix_by("use device id 0"));
}

Outcome<> read_arch(const void* config, Layout layout, runtime::DeviceRequest& request) {
  OPENQNN_TRY(check_device_id(payload(config, layout, 0)));
  const uint32_t arch = payload(config, layout, 1);
  OPENQNN_TRY_AS(QNN_DEVICE_ERROR_INVALID_CONFIG, soc::target_by_arch(arch));
  request.arch = arch;
  return {};
}

// {device id, flag}: the flag is one byte.
bool read_flag(const void* config, Layout layout) {
  const size_t offset = static_cast<size_t>(layout) + sizeof(uint32_t);
  return static_cast<const std::byte*>(config)[offset] != std::byte{0};
}

Outcome<> read_signed_domain(const void* config, Layout layout, const Logger& log) {
  OPENQNN_TRY(check_device_id(payload(config, layout, 0)));
  if (read_flag(config, layout))
    log.info(
        "signed process domain: no effect here; the modelled device runs the same in both kinds of domain");
  return {};
}

ApiError refused_option(Qnn_ErrorHandle_t code, uint32_t option, const char* why) {
  return {code, unsupported("device-htp-option", concat("HTP device option ", option, why))
                    .fix_by("SOC (0), ARCH (1) and SIGNEDPD (2) are offered")};
}

Outcome<> read_custom(const void* config, const Layouts& layouts, const Logger& log,
                      runtime::DeviceRequest& request) {
  OPENQNN_TRY(check_custom_config(config, QNN_DEVICE_ERROR_INVALID_CONFIG, kLeastBytes));
  switch (const uint32_t option = word_at(config, 0)) {
    case QNN_HTP_DEVICE_CONFIG_OPTION_SOC:
      return read_soc(config, layouts.of(config), request);
    case QNN_HTP_DEVICE_CONFIG_OPTION_ARCH:
      return read_arch(config, layouts.of(config), request);
    case QNN_HTP_DEVICE_CONFIG_OPTION_SIGNEDPD:
      return read_signed_domain(config, layouts.of(config), log);
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

// ---- Platform info as an option ----

ApiError bad_info(std::string what) {
  return {QNN_DEVICE_ERROR_INVALID_CONFIG,
          invalid("device-platform-info", std::move(what)).at("device configuration")};
}

// Offline clients describe the part they prepare for; one device of the kind that is on the chip.
Outcome<> read_platform_info(const QnnDevice_PlatformInfo_t* hardware_info, runtime::DeviceRequest& request) {
  constexpr const char* kNoMemory = "hardwareInfo, or what it points to, is no memory";
  if (!hardware_info) return null_argument(QNN_DEVICE_ERROR_INVALID_CONFIG, "hardwareInfo");
  const auto info = doubtful<QnnDevice_PlatformInfo_t>(hardware_info);
  if (!info) return bad_info(kNoMemory);
  if (number_of(info->version) != QNN_DEVICE_PLATFORM_INFO_VERSION_1)
    return bad_info(concat("platform info of version ", number_of(info->version), " is not known; 1 is"));
  if (info->v1.numHwDevices != 1 || !info->v1.hwDevices)
    return bad_info(concat("one hardware device is modelled, not ", info->v1.numHwDevices));
  const auto device = doubtful<QnnDevice_HardwareDeviceInfo_t>(info->v1.hwDevices);
  if (!device) return bad_info(kNoMemory);
  if (number_of(device->version) != QNN_DEVICE_HARDWARE_DEVICE_INFO_VERSION_1)
    return bad_info(concat("device info of version ", number_of(device->version), " is not known; 1 is"));
  if (!device->v1.deviceInfoExtension) return {};  // it names no part
  const auto extension = doubtful<QnnHtpDevice_DeviceInfoExtension_t>(device->v1.deviceInfoExtension);
  if (!extension) return bad_info(kNoMemory);
  if (number_of(extension->devType) != QNN_HTP_DEVICE_TYPE_ON_CHIP)
    return ApiError(
        QNN_DEVICE_ERROR_HARDWARE_UNAVAILABLE,
        unsupported("device-pcie", "devices behind PCIe are unavailable: their layout is not public")
            .fix_by("describe an on-chip device (devType 0)"));
  const uint32_t model = extension->onChipDevice.socModel;
  if (model != 0) {
    OPENQNN_TRY_AS(QNN_DEVICE_ERROR_INVALID_CONFIG, soc::target_by_model(model));
    request.soc_model = model;
  }
  const uint32_t arch = number_of(extension->onChipDevice.arch);
  if (arch != QNN_HTP_DEVICE_ARCH_NONE) {
    OPENQNN_TRY_AS(QNN_DEVICE_ERROR_INVALID_CONFIG, soc::target_by_arch(arch));
    request.arch = arch;
  }
  return {};
}

// ---- All options

// Adds what a null-terminated list of options asks for to `request`.
Outcome<> read_device_configs(const QnnDevice_Config_t** list, const Logger& log,
                              runtime::DeviceRequest& request) {
  const Layouts layouts(list, log);
  return for_each_config(list, [&](const QnnDevice_Config_t& config) -> Outcome<> {
    switch (const uint32_t option = number_of(config.option)) {
      case QNN_DEVICE_CONFIG_OPTION_CUSTOM:
        return read_custom(config.customConfig, layouts, log, request);
      case QNN_DEVICE_CONFIG_OPTION_PLATFORM_INFO:
        return read_platform_info(config.hardwareInfo, request);
      default:
        return ApiError(QNN_DEVICE_ERROR_INVALID_CONFIG,
                        invalid("device-option", concat("device option ", option, " does not exist")));
    }
  });
}

// ---- What is handed out

// Infos that clients hold, by the address they were given. Those of the platform are given back; those of a
// device may be, and go with it otherwise.
struct HeldInfos {
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

// Fails at exit.
Outcome<HeldInfos*> held_infos() {
  if (HeldInfos* held = UntilExit<HeldInfos>::get()) return held;
  return process_ends();
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
    OPENQNN_ASSIGN(HeldInfos* const held, held_infos());
    // The call names no device.
    if (const auto device = runtime::current_device()) {
      *platformInfo = held->add(device->target);
      return {};
    }
    OPENQNN_ASSIGN(const soc::Target target, target_for({}, log));
    *platformInfo = held->add(target);
    return {};
  });
}

Qnn_ErrorHandle_t QnnDevice_freePlatformInfo(Qnn_LogHandle_t logger,
                                             const QnnDevice_PlatformInfo_t* platformInfo) {
  return answer("QnnDevice_freePlatformInfo", [&]() -> Outcome<> {
    OPENQNN_TRY(logger_of(logger));
    OPENQNN_ASSIGN(HeldInfos* const held, held_infos());
    if (!held->remove(platformInfo))
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
    OPENQNN_ASSIGN(HeldInfos* const held, held_infos());
    *platformInfo = held->add(found->state()->target, device);
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
    if (HeldInfos* held = UntilExit<HeldInfos>::get()) held->remove_of(device);
    return {};
  });
}
