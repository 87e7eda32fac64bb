// SPDX-License-Identifier: BSD-3-Clause
// Device configurations, in the layouts of old and new SDKs.
#pragma once

#include "QnnDevice.h"
#include "api/answer.h"
#include "runtime/device.h"

namespace openqnn::api {

// Adds what a null-terminated list of options asks for to `request`.
Outcome<> read_device_configs(const QnnDevice_Config_t** list, const Logger& log,
                              runtime::DeviceRequest& request);

}  // namespace openqnn::api
