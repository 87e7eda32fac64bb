// SPDX-License-Identifier: BSD-3-Clause
// Resizing of images [b, h, w, c]. Pixels: nearest neighbours, whose bytes are copied. Rows: each row of the
// input is resized along the width once, and weighted sums of those are rows of the output; the sums are the
// reference's, term by term.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ops/op.h"
#include "ops/vision/resize_axis.h"

namespace openqnn::ops::fast {

std::optional<std::string> declines_pixels(const OpCall& call, const ResizeRule& rule);
uint64_t pixels_scratch(const OpCall& call, const ResizeRule& rule);
void run_pixels(const KernelArgs& args, const ResizeRule& rule, const ir::Box& region);

std::optional<std::string> declines_resized_rows(const OpCall& call, const ResizeRule& rule);
uint64_t resized_rows_scratch(const OpCall& call, const ResizeRule& rule);
void run_resized_rows(const KernelArgs& args, const ResizeRule& rule, const ir::Box& region);

}  // namespace openqnn::ops::fast
