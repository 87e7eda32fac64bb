// SPDX-License-Identifier: BSD-3-Clause
// Files of values without a header: whether 4 bytes are a 32-bit integer or a float32 is the user's to say,
// and what was certainly said wrong is found out here.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"
#include "ir/graph.h"

namespace openqnn::tools {

// Of an input that holds integers: neither reals nor integers that stand for reals.
bool is_integer(ir::DataType type);

// A file for an input, which is read as the input's own type or as float32.
struct IntegerFile {
  std::string path;
  const ir::Tensor& input;
  bool native;
  Where line;          // that names the file
  std::string remedy;  // where it is not what it is read as
};

// Refuses one that was certainly meant as the other.
Status refuse_other_kind(const IntegerFile& file, std::span<const std::byte> bytes);

}  // namespace openqnn::tools
