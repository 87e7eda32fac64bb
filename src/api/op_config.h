// SPDX-License-Identifier: BSD-3-Clause
// Op configs of the C API: what validateOpConfig and addNode have to agree on.
#pragma once

#include "QnnTypes.h"
#include "base/result.h"

namespace openqnn::api {

inline constexpr const char* kBuiltInPackage = "qti.aisw";  // the package that built-in ops belong to

// The parts of an op config that say what follows: version, names, package, lists that are there when they
// should be. Answers the version 1 fields.
Result<const Qnn_OpConfigV1_t*> check_op_config(const Qnn_OpConfig_t& config);

// Everything about an op config that can be said without a graph: its tensors need not be registered.
Status validate_op_config(const Qnn_OpConfig_t& config);

}  // namespace openqnn::api
