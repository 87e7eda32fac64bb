// SPDX-License-Identifier: BSD-3-Clause
// Files of values without a header: of which other type the values are, as far as the size of the file tells.
#pragma once

#include <cstdint>
#include <string>

#include "ir/types.h"

namespace openqnn::tools {

// What to do about a file that has `has` bytes and is read as `elements` values of `wanted`: "it has the size
// of float64: write it with astype('<f4')", in numpy's words. Empty where the size tells nothing.
std::string remedy_of_other_type(ir::DataType wanted, uint64_t elements, uint64_t has);

}  // namespace openqnn::tools
