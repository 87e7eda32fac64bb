// SPDX-License-Identifier: BSD-3-Clause
// Which instructions this CPU has beyond those that every x86-64 has.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

#if defined(__x86_64__)
#define OPENQNN_X86 1
#endif

namespace openqnn {

// What a function is compiled for, so that one program runs on every host and is fast on each. Each level
// includes those before it; results are the same bits on all.
enum class Isa : uint8_t {
  kPortable,
  kAvx2,    // with FMA, F16C and carry-less multiplication
  kAvx512,  // with VNNI
};

std::string_view name(Isa isa);  // "portable", "avx2", "avx512"

// The best level of this CPU, or the lower one that OPENQNN_ISA names. Read once.
Isa host_isa();

// What `host_isa` answers when OPENQNN_ISA is `asked` (null: not set) on a CPU of level `best`: an error that
// says what is wrong with it where it names no level, or one that the CPU does not have.
Result<Isa> choose_isa(const char* asked, Isa best);
// Tells of an OPENQNN_ISA that has no effect; for those who have a log.
Result<Isa> isa_from_environment();

}  // namespace openqnn
