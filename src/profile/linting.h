// SPDX-License-Identifier: BSD-3-Clause
// The linting level: what each op adds to the critical path, what it waits for, and what runs beside it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/events.h"

namespace openqnn::profile {

// Names of events that are no op of the graph.
inline constexpr std::string_view kInputName = "Input OpId_2";
inline constexpr std::string_view kOutputName = "Output OpId_3";
inline constexpr std::string_view kSystemName = "OpId_0";

// Bits of the event of resources, in the order in which they are named. (The numbers are ours.)
inline constexpr std::array<std::pair<uint32_t, std::string_view>, 3> kResources = {
    {{1, "HVX"}, {2, "HMX"}, {4, "DMA"}}};

inline constexpr size_t kMostBackgroundNames = 10;  // under one entry, as documented

// The main thread of the model is the critical path: from the task that ends last back to what it had to wait
// for, and so on. Computing on it is an op's cycles; a gap, or DMA in between, is what the op behind it
// waits. DMA before the first op that computes is work of OpId_0, and behind the last one of Output (ours).
// The cycles and the waits of all ops together are the cycles of the critical path, to the cycle.
std::vector<ProfileEvent> linting_events(const program::Program& program, const sim::Timeline& timeline,
                                         const sim::ExecuteCost& cost = {});

}  // namespace openqnn::profile
