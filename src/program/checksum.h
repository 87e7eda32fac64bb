// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace openqnn::program {

// XXH3-64. It finds damage and is no signature. A seed chains the checksums of several pieces.
uint64_t checksum_of(std::span<const std::byte> bytes, uint64_t seed = 0);

}  // namespace openqnn::program
