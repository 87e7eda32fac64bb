// SPDX-License-Identifier: BSD-3-Clause
// The power profiles of the HTP backend (perf_profile) as data/power_profiles.json tells them: what each one
// votes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace openqnn::soc {

enum class ProfileKind : uint8_t {
  kBase,
  kNoVote,     // leaves everything to the system
  kLlmDecode,  // for the decode stage of language models
  kInternal,   // a state the backend falls to; nobody can choose it
};

// Voltage corners, e.g. "TURBO". DCVS, where it is on, moves between min and max.
struct CornerVote {
  std::string min, target, max;
};

struct UnitVote {
  std::string corner;
  std::string mode;  // performance mode, "HIGH" or "LOW"
};

struct PowerProfile {
  std::string name;  // as perf_profile takes it, e.g. "burst"
  ProfileKind kind = ProfileKind::kBase;
  std::string same_as;  // another profile that this is a name for; empty for most
  std::optional<uint32_t> sleep_latency_us;
  std::optional<bool> dcvs;
  std::optional<CornerVote> bus, core;
  std::optional<UnitVote> hmx, ceng;
  std::optional<bool> ddr_perf;
  uint32_t rpc_polling_us = 0;       // default of rpc_polling_time under this profile
  bool held_by_timer = false;        // the vote stays up between inferences until a timer ends
  std::string falls_to;              // the internal state after each stage; empty when no source says
  bool falls_to_is_ours = false;     // the documents leave it open
  std::optional<std::string> since;  // SDK release
  std::vector<uint32_t> archs;       // those that take it; empty: all
  std::string advice;
  std::string source;
};

// All profiles, highest performance first within a kind.
Result<std::vector<PowerProfile>> power_profiles();

// By name; case does not count. The diagnostic of an unknown name tells the nearest ones.
Result<PowerProfile> find_profile(std::string_view name);
Result<PowerProfile> find_profile(const std::vector<PowerProfile>& profiles, std::string_view name);

// The profiles of a facts file; `source` names the text in diagnostics.
Result<std::vector<PowerProfile>> read_power_profiles(std::string_view text, std::string_view source);

}  // namespace openqnn::soc
