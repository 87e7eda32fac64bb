// SPDX-License-Identifier: BSD-3-Clause
// The rules of the trace-event format that viewers rely on, for any trace that we write.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openqnn::profile {

// What a trace does against them, a sentence each; nothing where it keeps them all.
std::vector<std::string> broken_trace_rules(std::string_view trace);

}  // namespace openqnn::profile
