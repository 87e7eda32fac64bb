// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu.h"

namespace openqnn {

// The checksum that zip archives have (IEEE 802.3). A former result continues.
uint32_t crc32_of(std::span<const std::byte> bytes, uint32_t former = 0);
// The same with the instructions of a level that this CPU has.
uint32_t crc32_of(std::span<const std::byte> bytes, uint32_t former, Isa isa);

}  // namespace openqnn
