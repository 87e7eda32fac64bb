// SPDX-License-Identifier: BSD-3-Clause
// The categories of ops that the documents call system services.
#pragma once

#include <vector>

#include "profile/qhas/model.h"

namespace openqnn::profile::qhas {

inline constexpr std::string_view kDramToTcm = "DramToTcm";
inline constexpr std::string_view kTcmToDram = "TcmToDram";

// All categories, in the documents' order. Those that Schedules have no tasks for say so.
std::vector<Service> service_categories();

}  // namespace openqnn::profile::qhas
