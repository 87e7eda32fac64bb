// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace openqnn::ops {

// A client's buffer need not be aligned to its elements.
using Unaligned16 = uint16_t __attribute__((aligned(1), may_alias));

}  // namespace openqnn::ops
