// SPDX-License-Identifier: BSD-3-Clause
// Several ProgramSets as one: what a context with several graphs writes.
#pragma once

#include <span>

#include "program/program.h"

namespace openqnn::program {

// Constants are laid one after another; equal ones of different Programs are stored once.
ProgramSet merge(std::span<const ProgramSet> sets);

}  // namespace openqnn::program
