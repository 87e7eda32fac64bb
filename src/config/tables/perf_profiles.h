// SPDX-License-Identifier: BSD-3-Clause
// The names of performance profiles, for the files that take them. What each votes for is
// data/power_profiles.json.
#pragma once

#include "config/tables/shared.h"

namespace openqnn::config {

// As command lines and the throughput file take them.
inline constexpr Choice kPerfProfilesOfTools[] = {
    {"default", "what the tool does when no profile is named"},
    {"burst", "highest clocks, held between inferences until a timer ends"},
    {"sustained_high_performance", "high clocks, held between inferences until a timer ends"},
    {"high_performance", "high clocks, relaxed between inferences"},
    {"balanced", "nominal clocks"},
    {"low_balanced", "nominal clocks, a little lower"},
    {"high_power_saver", "low clocks, votes released between inferences"},
    {"power_saver", "lower clocks, votes released between inferences"},
    {"low_power_saver", "still lower clocks, votes released between inferences"},
    {"extreme_power_saver", "the lowest clocks"},
    {"system_settings", "no votes: the system decides"},
    {"llm_decode_burst", "burst for the decode phase of language models: DDR high, matrix unit low; v79 on",
     kLlmDecodeSdk},
    {"llm_decode_sustained_high_performance", "for decoding, v79 on", kLlmDecodeSdk},
    {"llm_decode_high_performance", "for decoding, v79 on", kLlmDecodeSdk},
    {"llm_decode_balanced", "for decoding, v79 on", kLlmDecodeSdk},
    {"llm_decode_low_balanced", "for decoding, v79 on", kLlmDecodeSdk},
    {"llm_decode_high_power_saver", "for decoding, v79 on", kLlmDecodeSdk},
    {"llm_decode_power_saver", "for decoding, v79 on", kLlmDecodeSdk},
    {"llm_decode_low_power_saver", "for decoding, v79 on", kLlmDecodeSdk},
    {"llm_decode_extreme_power_saver", "for decoding, v79 on", kLlmDecodeSdk},
    {"llm_decode_default", "the same as llm_decode_balanced", kLlmDecodeSdk},
    {"custom", "votes listed under the key custom; seen once, in no document", kAfterDocumented},
};
// As HTP files take them: all but the first.
inline constexpr std::span<const Choice> kPerfProfiles = std::span(kPerfProfilesOfTools).subspan(1);

}  // namespace openqnn::config
