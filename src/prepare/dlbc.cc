// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/dlbc.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/units.h"

namespace openqnn::prepare {
namespace {

// The bits that distances within every `step`-th byte from `first` on need.
uint32_t distance_bits(std::span<const std::byte> block, size_t first, size_t step) {
  uint8_t low = UINT8_MAX;
  uint8_t high = 0;
  int8_t signed_low = INT8_MAX;
  int8_t signed_high = INT8_MIN;
  for (size_t i = first; i < block.size(); i += step) {
    const auto byte = static_cast<uint8_t>(block[i]);
    low = std::min(low, byte);
    high = std::max(high, byte);
    signed_low = std::min(signed_low, static_cast<int8_t>(byte));
    signed_high = std::max(signed_high, static_cast<int8_t>(byte));
  }
  const auto span = static_cast<uint32_t>(std::min(high - low, signed_high - signed_low));
  return static_cast<uint32_t>(std::bit_width(span));
}

// The bits of each byte in two's complement; zero needs none.
constexpr std::array<uint8_t, 256> kWidths = [] {
  std::array<uint8_t, 256> widths{};
  for (int byte = 1; byte < 256; ++byte) {
    const auto magnitude = static_cast<uint8_t>(byte < 128 ? byte : ~byte);
    widths[static_cast<size_t>(byte)] = static_cast<uint8_t>(std::bit_width(magnitude) + 1);
  }
  return widths;
}();

// A bit for each byte says whether it is one of the narrow ones.
uint64_t masked_bits(std::span<const std::byte> block) {
  std::array<uint64_t, 9> counts{};  // by width
  for (const std::byte byte : block) ++counts[kWidths[static_cast<uint8_t>(byte)]];
  uint64_t least = UINT64_MAX;
  uint64_t narrow = 0;
  for (uint64_t width = 0; width < 8; ++width) {
    narrow += counts[width];
    least = std::min(least, narrow * width + (block.size() - narrow) * 8);
  }
  return block.size() + least;
}

uint64_t block_bytes(std::span<const std::byte> block) {
  const uint64_t in_one_row = block.size() * distance_bits(block, 0, 1);
  const uint64_t in_two_rows = block.size() / 2 * (distance_bits(block, 0, 2) + distance_bits(block, 1, 2));
  const uint64_t bytes = ceil_div(std::min({in_one_row, in_two_rows, masked_bits(block)}), 8);
  return std::min(round_up(bytes, kDlbcQuarter), kDlbcBlock);
}

}  // namespace

uint64_t compressed_bytes(std::span<const std::byte> data) {
  uint64_t bytes = data.size() % kDlbcBlock;  // the last block is stored as it is when it is not whole
  for (size_t at = 0; at + kDlbcBlock <= data.size(); at += kDlbcBlock)
    bytes += kDlbcTableBytes + block_bytes(data.subspan(at, kDlbcBlock));
  return std::min<uint64_t>(bytes, data.size());
}

}  // namespace openqnn::prepare
