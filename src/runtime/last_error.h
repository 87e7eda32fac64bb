// SPDX-License-Identifier: BSD-3-Clause
// The sentences behind the last few error codes that the calling thread received.
#pragma once

#include <cstdint>
#include <string_view>

namespace openqnn::runtime {

void remember_error(uint64_t code, std::string_view sentence);

// Empty when this thread never received `code`, or so long ago that it was forgotten.
std::string_view last_error(uint64_t code);

}  // namespace openqnn::runtime
