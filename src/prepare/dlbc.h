// SPDX-License-Identifier: BSD-3-Clause
// Deep learning bandwidth compression of constants, as it is modelled. The vendor's code is not public; this
// one is ours: lossless, by blocks of kDlbcBlock bytes that take 0 to 4 quarters of it in DDR. A block is
// read as one row of bytes, or as two (the even and the odd ones: halves have their exponents in the odd
// ones). A row is stored as its least byte and each byte's distance from it, in as few bits as the largest
// distance needs; bytes count as signed or unsigned, whichever spans less. Or a mask says which bytes are
// near zero: these take few bits, none where they are zero, the others eight. A block is stored in the way
// that takes least.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace openqnn::prepare {

inline constexpr uint64_t kDlbcBlock = 256;
inline constexpr uint64_t kDlbcQuarter = kDlbcBlock / 4;
// Beside the blocks lies a table: how each is stored, and what its rows begin with.
inline constexpr uint64_t kDlbcTableBytes = 4;  // for each block

// What the bytes take in DDR; data that compression would not make smaller is stored as it is.
uint64_t compressed_bytes(std::span<const std::byte> data);

// What is kept off the way to memory of a transfer that compression leaves a share of.
inline uint64_t saved_bytes(uint64_t bytes, double share) {
  return bytes - std::min(bytes, static_cast<uint64_t>(std::ceil(static_cast<double>(bytes) * share)));
}

}  // namespace openqnn::prepare
