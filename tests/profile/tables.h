// SPDX-License-Identifier: BSD-3-Clause
// Records of a log, from tables and by hand.
#pragma once

#include <string>

#include "profile/log.h"

namespace openqnn::profile {

// The execution in linting/NAME.csv.
LogRecord linting_table(const std::string& name);
// linting/NAME.txt.
std::string linting_report(const std::string& name);

LogEvent number_event(uint32_t depth, uint32_t type, uint32_t unit, uint64_t value, std::string identifier);
LogRecord execution(std::string graph, uint64_t start, uint64_t stop, std::vector<LogEvent> events);

}  // namespace openqnn::profile
