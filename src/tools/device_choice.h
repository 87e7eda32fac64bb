// SPDX-License-Identifier: BSD-3-Clause
// Which device a client of the C API asks for.
#pragma once

#include <cstdint>

#include "HTP/QnnHtpDevice.h"
#include "tools/extensions/option_list.h"

namespace openqnn::tools {

// QNN's SoC model, or an architecture for parts without one; neither: the backend's default.
struct DeviceChoice {
  uint32_t soc_model = 0;
  uint32_t arch = 0;
};

using HtpDeviceOptions = DeviceOptions<QnnHtpDevice_CustomConfig_t>;

// Of two options that name a part the later one counts.
inline void add_choice(const DeviceChoice& choice, HtpDeviceOptions& options) {
  if (choice.soc_model == 0 && choice.arch == 0) return;
  QnnHtpDevice_CustomConfig_t& option = options.add();
  if (choice.soc_model != 0) {
    option.option = QNN_HTP_DEVICE_CONFIG_OPTION_SOC;
    option.socModel = choice.soc_model;
  } else {
    option.option = QNN_HTP_DEVICE_CONFIG_OPTION_ARCH;
    option.arch.arch = static_cast<QnnHtpDevice_Arch_t>(choice.arch);
  }
}

}  // namespace openqnn::tools
