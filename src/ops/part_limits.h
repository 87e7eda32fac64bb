// SPDX-License-Identifier: BSD-3-Clause
// What a part cannot run although `validate` accepts it for the family: half precision, 16-bit weights,
// block-wise expansion.
#pragma once

#include <string_view>

#include "base/result.h"
#include "ops/op.h"
#include "soc/target.h"

namespace openqnn::ops {

// For calls that `validate` accepts. A part that nobody named refuses nothing.
Status check_part(std::string_view type, const OpCall& call, const soc::Target& part);

}  // namespace openqnn::ops
