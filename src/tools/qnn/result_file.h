// SPDX-License-Identifier: BSD-3-Clause
// The files that runs write by the thousand.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "base/result.h"

namespace openqnn::tools {

// Writes a file, and makes its folder where there is none. Unlike write_file without a sync and a rename:
// repeating a run is easy, and a sync may take half a second on a busy disk. What an earlier run left is
// overwritten in its place and cut afterwards: a file that is emptied or replaced goes to the disk as soon as
// it is closed (ext4), for which small inferences would wait. Where writing fails, the file is left empty;
// only a run that is killed in the middle of a write (SIGKILL) leaves older values behind newer ones.
Status write_result(const std::filesystem::path& path, std::span<const std::byte> values);

}  // namespace openqnn::tools
