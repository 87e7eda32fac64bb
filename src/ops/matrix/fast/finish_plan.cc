// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/finish_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace openqnn::ops::fast {
namespace {

ByteFinish output_of(const OpCall& call) {
  const IntegerRange range = ir::integer_range(call.out().type);
  const int32_t offset = call.out().quantization.at(0).offset;
  ByteFinish finish;
  finish.offset = offset;
  finish.low = static_cast<float>(range.low + offset);
  finish.high = static_cast<float>(range.high + offset);
  // A sum, a factor and their product are rounded to 24 bits each.
  finish.tolerance = std::max(std::abs(finish.low), std::abs(finish.high)) * 0x1p-22F;
  return finish;
}

bool is_usual(float factor) {
  return factor == 0.0F || (std::isfinite(factor) && factor > std::numeric_limits<float>::min());
}

}  // namespace

void FinishPlan::settle(const OpCall& call, int64_t largest_sum) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  factors_.assign(exact_factors_.begin(), exact_factors_.end());
  finish_ = output_of(call);
  fits_ = ir::byte_size(call.out().type) == 1 && largest_sum <= kMost && finish_.tolerance < 0.01F &&
          std::all_of(starts_.begin(), starts_.end(),
                      [&](int64_t start) { return std::abs(start) <= kMost - largest_sum; }) &&
          std::all_of(factors_.begin(), factors_.end(), is_usual);
  if (fits_) starts32_.assign(starts_.begin(), starts_.end());
}

ByteFinish FinishPlan::of(uint64_t first, const int32_t* row_starts, uint32_t columns) const {
  ByteFinish finish = finish_;
  finish.starts = starts32_.data() + first;
  finish.row_starts = row_starts;
  finish.factors = factors_.data() + first;
  finish.exact_factors = exact_factors_.data() + first;
  finish.columns = columns;
  return finish;
}

}  // namespace openqnn::ops::fast
