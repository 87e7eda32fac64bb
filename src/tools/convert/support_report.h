// SPDX-License-Identifier: BSD-3-Clause
// What --dry_run tells: which of a model's ops can be computed.
#pragma once

#include "tools/convert/conversion.h"

namespace openqnn::tools::convert {

// By type; exit status 1 when something cannot. `with_nodes` adds the ops that the model becomes.
Result<int> print_support_report(const ConversionSettings& settings, bool with_nodes);

}  // namespace openqnn::tools::convert
