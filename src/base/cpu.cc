// SPDX-License-Identifier: BSD-3-Clause
#include "base/cpu.h"

#include <array>
#include <cstdlib>

#include "base/text.h"

#if OPENQNN_X86
#include <cpuid.h>
#endif

namespace openqnn {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"portable", "avx2", "avx512"};

#if OPENQNN_X86
// Clang 14's __builtin_cpu_supports does not know it.
bool has_f16c() {
  uint32_t eax = 0;
  uint32_t ebx = 0;
  uint32_t ecx = 0;
  uint32_t edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

Isa best_of_this_cpu() {
#if OPENQNN_X86
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c() &&
                    __builtin_cpu_supports("pclmul");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512vnni");
  if (avx512) return Isa::kAvx512;
  if (avx2) return Isa::kAvx2;
#endif
  return Isa::kPortable;
}

}  // namespace

std::string_view name(Isa isa) { return kNames[static_cast<size_t>(isa)]; }

Result<Isa> choose_isa(const char* asked, Isa best) {
  if (!asked || !*asked) return best;
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] != asked) continue;
    const auto level = static_cast<Isa>(i);
    if (level <= best) return level;
    return invalid("isa", concat("OPENQNN_ISA='", asked, "': this CPU has ", name(best), " at most"))
        .fix_by("leave it unset to take the best there is");
  }
  return invalid("isa",
                 concat("OPENQNN_ISA='", asked, "' is none of portable, avx2, avx512: it has no effect"));
}

Result<Isa> isa_from_environment() { return choose_isa(std::getenv("OPENQNN_ISA"), best_of_this_cpu()); }

Isa host_isa() {
  static const Isa chosen = [] {
    const Result<Isa> asked = isa_from_environment();
    return asked ? *asked : best_of_this_cpu();
  }();
  return chosen;
}

}  // namespace openqnn
