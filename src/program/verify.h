// SPDX-License-Identifier: BSD-3-Clause
// Proofs about a Program. prepare runs them on what it made, the reader of context binaries on what it read.
#pragma once

#include <string_view>

#include "program/program.h"

namespace openqnn::program {

// Every index, offset, shape and parameter is in range, and every op passes its own check: exec and sim may
// then use the Program without looking. Tensors that are needed at the same time lie apart in the arena.
// `constants_bytes` is the size of the data section. O(n log n). A failure is kInvalid, or kUnsupported where
// a newer version may have made the Program; callers know whether that means a corrupt file or their own bug.
Status verify_ops(const Program& program, uint64_t constants_bytes);

// Whether text can be a name in a Program: UTF-8 without zero bytes, and not too long for a file.
bool is_sound_name(std::string_view name);

// More than any part has; sim keeps a clock for each, and traces a track.
inline constexpr uint32_t kMaxHvxThreads = 256;
inline constexpr uint32_t kMaxCores = 64;
// No memory of a part, and nothing that a task moves, comes near; sums of it stay numbers.
inline constexpr uint64_t kMaxBytes = uint64_t{1} << 40;

// The compute tasks of each op cover its output exactly once; tasks come after what they wait for; every
// block lies inside VTCM, and two blocks that share bytes are ordered by the tasks' dependencies. For
// Programs that passed verify_ops. O(n log n) for tiles on a grid and tasks that wait directly for those
// whose memory they reuse; less regular Schedules take longer, and those that take 128 steps for each of
// their tasks, dependencies, blocks and users are refused.
Status verify_schedule(const Program& program);

}  // namespace openqnn::program
