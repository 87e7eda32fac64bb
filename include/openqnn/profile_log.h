// SPDX-License-Identifier: BSD-3-Clause
// Profile logs: what a client or qnn-net-run wrote (docs/profile_log.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "openqnn/error.h"
#include "openqnn/export.h"

namespace openqnn {

struct ProfileLogExtent {
  uint32_t format_major = 0;
  uint32_t format_minor = 0;
  // Where a block begins that is not whole: a writer that was killed leaves such a file. All before it was
  // read.
  std::optional<uint64_t> cut_at;
};

// Reads a log from the front to the end. `take` gets one JSON object at a time, without a newline: its "kind"
// is "session", "record", with the events as a tree, or "left_out", with the count of records that the writer
// was told to leave out. What was read is not kept, so that the length of a log does not matter; after an
// error, what `take` got still holds.
OPENQNN_API Expected<ProfileLogExtent> read_profile_log(const std::filesystem::path& path,
                                                        const std::function<void(const std::string&)>& take);

}  // namespace openqnn
