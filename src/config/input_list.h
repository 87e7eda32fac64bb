// SPDX-License-Identifier: BSD-3-Clause
// Input lists: a text file with one line per inference, as qnn-net-run, the quantizer and their relatives
// read it.
//
//   #layer layer            outputs to keep, by layer (optional, first)
//   %tensor tensor          outputs to keep, by tensor (optional, next)
//   image_0.raw             one input: the bare path
//   ids:=0.raw mask:=1.raw  several inputs, by name
//
// Blanks stand between files, so that no path can have one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace openqnn::config {

struct InputFile {
  std::string name;  // of the tensor; empty for a bare path
  std::string path;  // as written; relative to the directory the tool runs in
};

struct Inference {
  std::vector<InputFile> files;
  uint32_t line = 0;  // 1-based
};

struct InputList {
  std::vector<std::string> output_layers;
  std::vector<std::string> output_tensors;
  std::vector<Inference> inferences;  // at least one
};

inline constexpr std::string_view kInputListName = "input-list";  // as `check --kind` spells it

// Every inference must give the same inputs. `source` names the text in diagnostics.
Result<InputList> parse_input_list(std::string_view text, std::string_view source);

}  // namespace openqnn::config
