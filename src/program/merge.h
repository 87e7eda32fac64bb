// SPDX-License-Identifier: BSD-3-Clause
// Several ProgramSets as one: what a context with several graphs writes.
#pragma once

#include <cstdint>
#include <span>

#include "program/program.h"

namespace openqnn::program {

enum class WeightSharing : uint8_t {
  kAsItIs,  // what Programs share already, they go on sharing; nothing else is looked for
  kEqual,   // equal constants of different Programs are stored once
};

// Constants are laid one after another.
ProgramSet merge(std::span<const ProgramSet> sets, WeightSharing sharing);

}  // namespace openqnn::program
