// SPDX-License-Identifier: BSD-3-Clause
// The command lines of the vendor's tools that do what `openqnn run` did.
#pragma once

#include <string>
#include <vector>

#include "soc/target.h"
#include "tools/args.h"
#include "tools/candidate.h"

namespace openqnn::tools {

struct DeviceJob {
  const Args& args;  // of `openqnn run`
  const soc::Target& target;
  const Candidate& candidate;
  std::string graph;        // what the graph is called
  std::string stem;         // of the files that the commands make
  std::string made_list;    // an input list that the run left, where --input_list gave none
  std::string made_inputs;  // the folder of its files, where its paths begin beside it; else empty
  // Inputs of integers, which the lists of this command hold as such; the vendor's programs read float32
  // unless they are told.
  std::vector<std::string> integer_inputs;
  bool has_other_inputs = false;
  bool config_is_outer = false;    // what --config names is a file of the programs, not of the backend
  bool config_names_part = false;  // and that part is the target
};

// One to a line, each indented.
std::string device_commands(const DeviceJob& job);

}  // namespace openqnn::tools
