// SPDX-License-Identifier: BSD-3-Clause
// Running another program and keeping what it says.
#pragma once

#include <signal.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace openqnn::tools::model_lib {

// A program as a shell would find it: by its path, or in the folders of PATH.
std::optional<std::filesystem::path> find_program(const std::string& name);

// While it lives, SIGINT, SIGTERM and SIGHUP end the program that run_process waits for, and no further one
// is started, so that whoever holds files can remove them. At its end the signal takes its usual course. One
// at a time in a process.
class EndingSignals {
 public:
  EndingSignals();
  ~EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

 private:
  std::array<struct sigaction, 3> before_ = {};
};

struct Finished {
  int status = 0;      // 0 done; a program that was killed has 128 and the signal's number
  std::string output;  // standard output and error together
};
// In `folder`, without a standard input. `words[0]` is the program's path.
Result<Finished> run_process(const std::vector<std::string>& words, const std::filesystem::path& folder);

}  // namespace openqnn::tools::model_lib
