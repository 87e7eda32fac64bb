// SPDX-License-Identifier: BSD-3-Clause
// Writing profile logs. A file only grows, but for a torn block at its end, which is cut off: each call adds
// one block in one go, under a lock, so that several writers may share a file, and a log that was continued
// a thousand times was never rewritten.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/files.h"
#include "profile/log.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

// One session in a log file. May be used from several threads.
class LogWriter {
 public:
  // Begins a session: in a new file where there is none or an empty one, else at the end of the log that is
  // there. `head` without its producer, which is this version.
  static Result<LogWriter> begin(std::filesystem::path path, LogHead head);

  // Adds records, all or none. Refused when the file is not the one any more in which the session began.
  Status add(const std::vector<LogRecord>& records) const;
  // How many records were not added in the end.
  Status add_left_out(uint64_t count) const;

 private:
  // The block that this writer added last: where it ends and the checksum it ends with, by which the file is
  // known to be still the same one.
  struct LastBlock {
    LastBlock(std::span<const std::byte> block, uint64_t end);
    void set(std::span<const std::byte> block, uint64_t end);
    // Whether it lies in this file.
    Result<bool> is_in(const AppendableFile& file) const;

    std::mutex mutex;  // held while a block is added
    uint64_t end = 0;
    std::vector<std::byte> checksum;
  };
  LogWriter(std::filesystem::path path, uint64_t session, std::unique_ptr<LastBlock> last)
      : path_(std::move(path)), session_(session), last_(std::move(last)) {}
  Status append(std::span<const std::byte> block) const;

  std::filesystem::path path_;
  uint64_t session_;  // where its block begins
  std::unique_ptr<LastBlock> last_;
};

// A whole log of one execution that was simulated and not run, as qnn-net-run with --profiling_option optrace
// leaves it: every program that reads such a log reads this one. The schematic is in the record of the
// finalize, the events of the detailed level and the op trace in that of the execute. Nothing of it took time
// on the host, whose clock stands at 0. `head` without its producer.
std::vector<std::byte> execution_log(const program::Program& program, const sim::Timeline& timeline,
                                     LogHead head);

}  // namespace openqnn::profile
