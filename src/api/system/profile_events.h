// SPDX-License-Identifier: BSD-3-Clause
// Profile data of the C API, as records of a profile log.
#pragma once

#include <vector>

#include "System/QnnSystemProfile.h"
#include "base/result.h"
#include "profile/log.h"

namespace openqnn::api {

// At most so many events may one profile data have (ours): lists of events that share parts, or contain
// themselves, would else grow without end.
inline constexpr size_t kMaxLogEvents = size_t{1} << 18;

// Copies everything; a failure names the place in the client's lists.
Result<std::vector<profile::LogRecord>> to_records(const QnnSystemProfile_ProfileData_t** data,
                                                   uint32_t count);

// A text of the client that may be null, which counts as empty.
Result<std::string> to_log_text(const char* text, const char* field);

}  // namespace openqnn::api
