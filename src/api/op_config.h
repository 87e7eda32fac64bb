// SPDX-License-Identifier: BSD-3-Clause
// Op configs of the C API: what validateOpConfig and addNode have to agree on.
#pragma once

#include "QnnTypes.h"
#include "base/result.h"
#include "runtime/op_package.h"
#include "runtime/outcome.h"
#include "soc/target.h"

namespace openqnn::api {

using runtime::Outcome;

inline constexpr const char* kBuiltInPackage = "qti.aisw";  // the package that built-in ops belong to

// The parts of an op config that say what follows: version, names, lists that are there when they should be.
// Answers the version 1 fields.
Result<const Qnn_OpConfigV1_t*> check_op_config(const Qnn_OpConfig_t& config);

// The package that an op belongs to: null for the built-in one, which an op without a package name means,
// too. `code` is answered when none of the name is registered or the package has no op of the type.
Outcome<std::shared_ptr<runtime::OpPackage>> package_of(const Qnn_OpConfigV1_t& op,
                                                        const runtime::OpPackages& packages,
                                                        Qnn_ErrorHandle_t code);

// Everything about a built-in op that can be said without a graph: its tensors need not be registered. Where
// no part is known, `part` is null: finalize knows one.
Status validate_built_in(const Qnn_OpConfigV1_t& op, const soc::Target* part);

}  // namespace openqnn::api
