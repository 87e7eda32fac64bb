// SPDX-License-Identifier: BSD-3-Clause
// Text that a client may or may not have put where a pointer points.
#pragma once

#include <optional>
#include <string>

namespace openqnn::api {

// The text at `address`, at most 32 characters of it. Nothing when there is no memory: an option whose number
// is wrong leaves another option's bits where the pointer should be.
std::optional<std::string> doubtful_text(const char* address);

}  // namespace openqnn::api
