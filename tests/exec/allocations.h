// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace openqnn::test {

// How often any thread of this program has asked for memory so far, by new, malloc or one of their kin.
uint64_t allocations();

}  // namespace openqnn::test
