// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "HTP/QnnHtpDevice.h"
#include "base/units.h"
#include "soc/target.h"

namespace openqnn::api {

// One modelled device with one core, in the C API's nested structs.
struct PlatformInfo {
  explicit PlatformInfo(const soc::Target& target) {
    extension.devType = QNN_HTP_DEVICE_TYPE_ON_CHIP;
    extension.onChipDevice.vtcmSize = target.vtcm.value / kMiB;  // in MB
    extension.onChipDevice.socModel = target.soc_model;
    extension.onChipDevice.signedPdSupport = true;  // SIGNEDPD is accepted
    extension.onChipDevice.dlbcSupport = true;
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

}  // namespace openqnn::api
