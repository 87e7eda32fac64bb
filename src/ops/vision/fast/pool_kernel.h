// SPDX-License-Identifier: BSD-3-Clause
// Pooling of elements as they are stored: the largest of some is one of them, and sums of fixed-point numbers
// are sums of integers.
#pragma once

#include <optional>
#include <string>

#include "ops/op.h"

namespace openqnn::ops::fast {

std::optional<std::string> declines_stored_max(const OpCall& call);
void run_stored_max(const KernelArgs& args, const ir::Box& region);

std::optional<std::string> declines_stored_mean(const OpCall& call);
uint64_t stored_mean_scratch(const OpCall& call);  // the sums of all channels
void run_stored_mean(const KernelArgs& args, const ir::Box& region);

}  // namespace openqnn::ops::fast
