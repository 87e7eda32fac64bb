// SPDX-License-Identifier: BSD-3-Clause
// What saves memory bandwidth: data/memory_model.json. No public document has these numbers; the file says
// which are this project's, and in which range they are plausible. Only this room includes it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "soc/target.h"

namespace openqnn::soc {

// A part whose system-level cache graphs may use.
struct SlcPart {
  uint32_t soc_model = 0;
  uint64_t bytes = 0;
  double speed = 1;  // times DDR's rate
};

struct MemoryModel {
  Ratio dlbc_activations;
  std::vector<SlcPart> slc;
};

// Of a facts file; `source` names the text in diagnostics. Refuses values outside their own bounds, shares
// above 1 and a cache slower than DDR.
Result<MemoryModel> read_memory_model(std::string_view text, std::string_view source);

// What the file says of this part.
Status take_memory_model(Target& target);

}  // namespace openqnn::soc
