// SPDX-License-Identifier: BSD-3-Clause
#include "ops/elementwise/fast/blocks.h"

#include <cstdlib>

#include "base/cpu.h"

namespace openqnn::ops::fast {
namespace {

bool is_fixed(const ir::TensorDesc& desc) {
  const size_t size = ir::byte_size(desc.type);
  return ir::is_quantized(desc.type) && size <= 2 && desc.type != ir::DataType::kSfixed4 &&
         desc.type != ir::DataType::kUfixed4 &&
         (desc.quantization.bits == 0 || desc.quantization.bits == 8 * size);
}

}  // namespace

const Loops& host_loops() {
#if OPENQNN_X86
  if (host_isa() == Isa::kAvx512) return kAvx512Loops;
  if (host_isa() == Isa::kAvx2) return kAvx2Loops;
#endif
  return kPortableLoops;
}

FixedFormat fixed_format(const ir::TensorDesc& desc) {
  const ir::ScaleOffset& encoding = desc.quantization.at(0);
  const IntegerRange range = ir::integer_range(desc.type);
  const uint32_t move = is_signed_fixed(desc.type) ? 1U << (8 * ir::byte_size(desc.type) - 1) : 0;
  return {.move = move,
          .offset = encoding.offset - static_cast<int32_t>(move),
          .scale = static_cast<double>(encoding.scale),
          .low = static_cast<double>(range.low) + encoding.offset,
          .high = static_cast<double>(range.high) + encoding.offset};
}

bool has_plain_bytes(const ir::TensorDesc& desc) {
  constexpr int64_t kMostOffset = 1 << 20;
  return is_fixed(desc) && ir::byte_size(desc.type) == 1 &&
         std::abs(int64_t{desc.quantization.at(0).offset}) <= kMostOffset;
}

BlockFormat::BlockFormat(const ir::TensorDesc& desc)
    : type(desc.type),
      size(ir::byte_size(desc.type)),
      has_loop(desc.type == ir::DataType::kFloat16 || is_fixed(desc)),
      fixed(is_fixed(desc) ? fixed_format(desc) : FixedFormat{}) {}

void BlockReader::operator()(uint64_t first, size_t count, double* out) const {
  const std::byte* from = data_ + first * format_.size;
  if (!format_.has_loop)
    for (size_t i = 0; i < count; ++i) out[i] = one_(first + i);
  else if (format_.type == ir::DataType::kFloat16)
    host_loops().read_halves(from, out, count);
  else
    (format_.size == 1 ? host_loops().read8 : host_loops().read16)(from, format_.fixed, out, count);
}

void BlockWriter::operator()(uint64_t first, size_t count, const double* values) const {
  std::byte* to = data_ + first * format_.size;
  if (!format_.has_loop)
    for (size_t i = 0; i < count; ++i) one_(first + i, values[i]);
  else if (format_.type == ir::DataType::kFloat16)
    host_loops().write_halves(values, to, count);
  else
    (format_.size == 1 ? host_loops().write8 : host_loops().write16)(values, format_.fixed, to, count);
}

}  // namespace openqnn::ops::fast
