// SPDX-License-Identifier: BSD-3-Clause
// The updatable section of a context: the values that its updateable tensors have now, as bytes, and such
// bytes put in their place in another context of the same binary.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/context.h"
#include "runtime/outcome.h"
#include "runtime/signal.h"

namespace openqnn::runtime {

// Of one graph, or (null) of every graph that has updateable tensors.
Outcome<std::vector<std::byte>> updatable_section(Context& context, const Graph* only);

// All graphs of the section, or none. `only` (or null) names the one graph that the client means. Executes
// that run go on with the old values; later ones have the new.
Outcome<> apply_updatable_section(Context& context, const Graph* only, std::span<const std::byte> bytes,
                                  const SignalledCall& signal);

}  // namespace openqnn::runtime
