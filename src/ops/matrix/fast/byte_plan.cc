// SPDX-License-Identifier: BSD-3-Clause
#include "ops/matrix/fast/byte_plan.h"

#include <cstdlib>
#include <limits>

#include "ops/matrix/fast/byte_product.h"
#include "ops/matrix/fast/byte_weights.h"

namespace openqnn::ops::fast {

void BytePlan::settle_wide(int64_t largest_sum) {
  wide.emplace(biases.size());
  for (uint64_t i = 0; i < biases.size(); ++i) wide->set(i, finish.start(i), finish.factor(i), biases[i]);
  wide->settle(largest_sum);
}

std::unique_ptr<const KernelPlan> plan_bytes(const KernelArgs& args, const WeightMatrices& matrices) {
  const OpCall& call = args.call;
  const uint64_t padded = matrices.packed().padded_n();
  // Matrices that come at run time differ in nothing that is known before.
  const uint64_t groups = at_run_time(call) ? 1 : matrices.groups;
  auto plan = std::make_unique<BytePlan>(groups * padded);
  const WeightReader weights(call.in(kWeight), args.inputs[kWeight], matrices);
  const auto k = static_cast<int64_t>(matrices.k());
  const int64_t offset = activation_offset(call);
  const auto scale = static_cast<double>(call.out().quantization.at(0).scale);
  const std::byte* bias = call.has_input(kBias) ? args.inputs[kBias] : nullptr;
  for (uint64_t group = 0; group < groups; ++group) {
    const std::vector<int64_t> sums =
        at_run_time(call) ? std::vector<int64_t>(padded) : column_sums(args, matrices, group);
    for (uint64_t column = 0; column < matrices.columns; ++column) {
      const uint64_t channel = bias ? bias_channel(call, matrices, group, column) : 0;
      const ColumnTerms terms = column_terms(call, bias, weights, matrices, group, column, channel);
      const uint64_t at = group * padded + column;
      plan->biases[at] = terms.real_bias / scale;
      plan->finish.set(at, terms.start + offset * (sums[column] + k * weight_offset(call)),
                       terms.unit / scale);
    }
  }
  // 16-bit activations are two sums; they are finished one by one.
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  const int64_t largest_weight = 128 + std::abs(weight_offset(call));
  const int64_t largest_start = at_run_time(call) ? k * std::abs(offset) * largest_weight : 0;
  plan->finish.settle(call, is_wide(call) ? kNever : k * UINT8_MAX * largest_weight + largest_start);
  if (is_wide(call) && ir::byte_size(call.out().type) == 2 && !at_run_time(call))
    plan->settle_wide(k * UINT16_MAX * largest_weight);
  plan->zeros.resize(matrices.channels * ir::byte_size(call.in(kInput).type));
  fill_with_zero(call.in(kInput), plan->zeros.data(), 0, matrices.channels);
  return plan;
}

}  // namespace openqnn::ops::fast
