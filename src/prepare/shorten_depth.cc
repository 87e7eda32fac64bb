// SPDX-License-Identifier: BSD-3-Clause
// The documents say: short-depth convolutions run on the matrix unit, and with weights that are not symmetric
// the results are accurate only when that is switched off. What happens to them is not said; our model is
// that such weights are stored with 8 bits around zero, because that path has no correction for their offset.
// Switched off, the vector units compute them.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ops/elements.h"
#include "prepare/draft.h"

namespace openqnn::prepare {
namespace {

constexpr uint32_t kShortDepth = 4;  // input channels of a group that fit one step of the matrix unit (ours)
constexpr size_t kInput = 0;
constexpr size_t kWeight = 1;
constexpr size_t kBias = 2;

bool is_asymmetric(const ir::TensorDesc& weight) {
  if (weight.quantization.kind != ir::Quantization::Kind::kPerTensor || weight.quantization.bits != 0)
    return false;
  const int32_t offset = weight.quantization.encodings[0].offset;
  if (weight.type == ir::DataType::kUfixed8) return offset != -128;
  return weight.type == ir::DataType::kSfixed8 && offset != 0;
}

bool is_short(const Draft& draft, const program::Op& op) {
  return op.type == "Conv2d" && draft.data[op.inputs[kWeight]] &&
         draft.program.tensors[op.inputs[kWeight]].desc.shape[2] <= kShortDepth;
}

// Whether the bias counts in steps of the accumulator, which other weights would change.
bool has_bias_in_steps(const Draft& draft, const program::Op& op) {
  if (op.inputs.size() <= kBias || op.inputs[kBias] == ir::kNoTensor) return false;
  const ir::Quantization& bias = draft.program.tensors[op.inputs[kBias]].desc.quantization;
  return std::ranges::count(bias.encodings, 0.0F, &ir::ScaleOffset::scale) > 0;
}

// Such a bias says from now on which steps those were.
void fix_bias_unit(Draft& draft, program::Op& op) {
  const auto& tensors = draft.program.tensors;
  ir::TensorDesc bias = tensors[op.inputs[kBias]].desc;
  const float unit = tensors[op.inputs[kInput]].desc.quantization.at(0).scale *
                     tensors[op.inputs[kWeight]].desc.quantization.at(0).scale;
  for (ir::ScaleOffset& encoding : bias.quantization.encodings)
    if (encoding.scale == 0.0F) encoding.scale = unit;
  replace_operand(draft, op.inputs[kBias], std::move(bias), draft.data[op.inputs[kBias]]);
}

void make_symmetric(Draft& draft, program::Op& op) {
  const ir::TensorDesc old = draft.program.tensors[op.inputs[kWeight]].desc;
  const std::span<const std::byte> bytes = draft.data[op.inputs[kWeight]].bytes();
  const ops::ElementReader read(old, bytes.data());
  double largest = 0.0;
  for (uint64_t i = 0; i < bytes.size(); ++i) largest = std::max(largest, std::fabs(read(i)));
  if (largest == 0.0) return;
  if (has_bias_in_steps(draft, op)) fix_bias_unit(draft, op);
  ir::TensorDesc desc = old;
  desc.type = ir::DataType::kSfixed8;
  desc.quantization = ir::Quantization::per_tensor(static_cast<float>(largest / 127.0), 0);
  std::vector<std::byte> data(bytes.size());
  const ops::ElementWriter write(desc, data.data());
  for (uint64_t i = 0; i < bytes.size(); ++i) write(i, read(i));
  replace_operand(draft, op.inputs[kWeight], std::move(desc), ir::Blob::of(std::move(data)));
}

}  // namespace

void shorten_depth(Draft& draft, const Options& options, const Logger& log) {
  for (program::Op& op : draft.program.ops) {
    if (!is_short(draft, op)) continue;
    op.off_hmx = !options.short_depth_on_hmx;
    if (op.off_hmx || !is_asymmetric(draft.program.tensors[op.inputs[kWeight]].desc)) continue;
    if (has_bias_in_steps(draft, op) && !draft.data[op.inputs[kBias]]) continue;  // who computes it goes on
    make_symmetric(draft, op);
    log.info(concat("'", op.name, "' has ", kShortDepth,
                    " input channels or fewer and asymmetric weights: they ",
                    "are stored symmetric; short_depth_conv_on_hmx_off keeps them as they are"));
  }
}

}  // namespace openqnn::prepare
