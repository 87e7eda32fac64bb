// SPDX-License-Identifier: BSD-3-Clause
// How the work of one op is shared out.
#pragma once

#include <vector>

#include "ops/op.h"

namespace openqnn::exec {

// The pieces of an op's output for so many threads: as many as are worth waking them for.
std::vector<ir::Box> pieces_of(const ops::OpDef& def, const ops::Kernel& kernel, const ops::OpCall& call,
                               size_t threads);

}  // namespace openqnn::exec
