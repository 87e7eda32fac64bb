// SPDX-License-Identifier: BSD-3-Clause
// Weights packing, as documented: 8-bit weights that are in the 4-bit range are stored as packed 4-bit. A
// weight's number is its code plus its offset; numbers from -8 to 7 become 4-bit codes with an offset of 0,
// so every result stays what it was, bit by bit. (Ours: blocks keep the width they came in.)
#include <algorithm>

#include "base/text.h"
#include "ops/elements.h"
#include "prepare/draft.h"

namespace openqnn::prepare {
namespace {

constexpr uint32_t kNibbleBits = 4;
constexpr int64_t kLeast = -8;
constexpr int64_t kMost = 7;

bool can_be_narrowed(const ir::TensorDesc& weight) {
  const auto kind = weight.quantization.kind;
  return (weight.type == ir::DataType::kSfixed8 || weight.type == ir::DataType::kUfixed8) &&
         weight.layout == ir::Layout::kPlain && weight.quantization.bits == 0 &&
         (kind == ir::Quantization::Kind::kPerTensor || kind == ir::Quantization::Kind::kPerAxis);
}

// Elements between two neighbours along the axis of the encoding.
uint64_t axis_stride(const ir::TensorDesc& weight) {
  uint64_t stride = 1;
  for (size_t i = weight.quantization.axis + 1; i < weight.shape.rank(); ++i) stride *= weight.shape[i];
  return stride;
}

// The weights' numbers, one to a byte; nothing when one does not fit.
ir::Blob as_nibbles(const ir::TensorDesc& weight, std::span<const std::byte> data) {
  const bool by_axis = weight.quantization.kind == ir::Quantization::Kind::kPerAxis;
  const uint64_t stride = by_axis ? axis_stride(weight) : 1;
  const uint64_t channels = by_axis ? weight.shape[weight.quantization.axis] : 1;
  std::vector<std::byte> numbers(data.size());
  for (uint64_t i = 0; i < data.size(); ++i) {
    const auto channel = static_cast<uint32_t>(i / stride % channels);
    const int64_t number =
        ops::load_integer(weight.type, data.data(), i) + weight.quantization.at(channel).offset;
    if (number < kLeast || number > kMost) return nullptr;
    numbers[i] = static_cast<std::byte>(number);
  }
  return ir::Blob::of(std::move(numbers));
}

ir::TensorDesc narrowed(ir::TensorDesc weight) {
  weight.type = ir::DataType::kSfixed8;
  weight.quantization.bits = kNibbleBits;
  for (ir::ScaleOffset& encoding : weight.quantization.encodings) encoding.offset = 0;
  return weight;
}

}  // namespace

void pack_weights(Draft& draft, const Options& options, const Logger& log) {
  if (!options.pack_weights) return;
  size_t packed = 0;
  for (program::Op& op : draft.program.ops) {
    const size_t index = ops::find_op(op.type)->packed_input;
    if (index >= op.inputs.size() || op.inputs[index] == ir::kNoTensor) continue;
    const ir::Blob data = draft.data[op.inputs[index]];
    const ir::TensorDesc weight = draft.program.tensors[op.inputs[index]].desc;
    if (!data || !data.is_stated() || !can_be_narrowed(weight)) continue;
    if (ir::Blob numbers = as_nibbles(weight, data.bytes())) {
      replace_operand(draft, op.inputs[index], narrowed(weight), std::move(numbers));
      ++packed;
    }
  }
  log.info(concat("weights packing: the weights of ", packed, " ops fit in 4 bits and are stored so"));
}

}  // namespace openqnn::prepare
