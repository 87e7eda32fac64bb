// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ops/vision/fast/pool_loops.h"

namespace openqnn::ops::fast {

// For the CPU that runs this.
const PoolLoops& host_pools();

}  // namespace openqnn::ops::fast
