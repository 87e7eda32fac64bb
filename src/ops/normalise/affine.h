// SPDX-License-Identifier: BSD-3-Clause
// The end of a norm: gamma * x + beta by channel, where the channel is the last dimension of input 0, gamma
// is input 1 and beta input 2. Either may be absent.
#pragma once

#include <string_view>

#include "base/text.h"
#include "ops/common.h"
#include "ops/op.h"
#include "ops/optional_elements.h"

namespace openqnn::ops {

class Affine {
 public:
  explicit Affine(const KernelArgs& args)
      : channels_(args.call.in(0).shape.from_end(0)), gamma_(args, 1), beta_(args, 2) {}

  // `at`: the element's position in its dense tensor.
  double operator()(double x, uint64_t at) const {
    const uint64_t channel = at % channels_;
    const double scaled = gamma_.present() ? x * gamma_(channel) : x;
    return beta_.present() ? scaled + beta_(channel) : scaled;
  }

 private:
  uint64_t channels_;
  OptionalReader gamma_;
  OptionalReader beta_;
};

// One number per channel each.
inline Status check_affine(const OpCall& call, std::string_view gamma, std::string_view beta) {
  const ir::Shape channels{call.in(0).shape.from_end(0)};
  if (call.has_input(1)) OPENQNN_TRY(expect_shape(gamma, call.in(1).shape, channels));
  if (call.has_input(2)) OPENQNN_TRY(expect_shape(beta, call.in(2).shape, channels));
  return {};
}

// HTP takes 16-bit gammas and 32-bit betas by symmetric encodings only. Unsigned 16-bit ones, for which
// "symmetric" has no meaning that all agree on, are computed by any encoding (ours).
inline Status check_symmetric(const OpCall& call, size_t index, std::string_view name) {
  if (!call.has_input(index)) return {};
  const ir::TensorDesc& desc = call.in(index);
  const ir::DataType narrow = index == 1 ? ir::DataType::kSfixed16 : ir::DataType::kSfixed32;
  if (desc.type != narrow || desc.quantization.at(0).offset == 0) return {};
  return invalid("op-encoding", concat(name, " of type ", ir::name(desc.type), " has offset ",
                                       desc.quantization.at(0).offset, " where it must be symmetric"))
      .fix_by("use offset 0");
}

// The channels that a box of the output needs.
inline ir::Box channel_box(const ir::Box& output) {
  const size_t last = output.rank() - 1;
  return {ir::Shape{output.begin[last]}, ir::Shape{output.end[last]}};
}

}  // namespace openqnn::ops
