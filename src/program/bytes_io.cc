// SPDX-License-Identifier: BSD-3-Clause
#include "program/bytes_io.h"

// Header-only: the library that is loaded by clients needs no other.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace openqnn::program {

uint64_t checksum_of(std::span<const std::byte> bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace openqnn::program
