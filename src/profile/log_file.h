// SPDX-License-Identifier: BSD-3-Clause
// Writing profile logs. A file only grows: each call adds one block in one go, under a lock, so that several
// writers may share a file, and a log that was continued a thousand times was never rewritten.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>
#include <vector>

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
  // Where the session's block lies, and its checksum, by which it is found to be still there.
  struct Place {
    uint64_t offset = 0;
    uint64_t end = 0;
    std::vector<std::byte> checksum;
  };
  LogWriter(std::filesystem::path path, Place place)
      : path_(std::move(path)),
        place_(std::move(place)),
        whole_until_(std::make_unique<std::atomic<uint64_t>>(place_.end)) {}
  Status append(std::span<const std::byte> block) const;

  std::filesystem::path path_;
  Place place_;
  std::unique_ptr<std::atomic<uint64_t>> whole_until_;  // where a block ends that we saw last
};

// A whole log of one execution that was simulated and not run, as qnn-net-run with --profiling_option optrace
// leaves it: every program that reads such a log reads this one. The schematic is in the record of the
// finalize, the events of the detailed level and the op trace in that of the execute. Nothing of it took time
// on the host, whose clock stands at 0. `head` without its producer.
std::vector<std::byte> execution_log(const program::Program& program, const sim::Timeline& timeline,
                                     LogHead head);

}  // namespace openqnn::profile
