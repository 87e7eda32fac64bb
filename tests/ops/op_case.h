// SPDX-License-Identifier: BSD-3-Clause
// A problem line with random values: the call, the bytes, and what the oracle says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ops/op.h"
#include "oracle/oracle.h"

namespace openqnn::ops {

using Bytes = std::vector<std::byte>;

struct OpCase {
  const OpDef* op = nullptr;
  oracle::Problem problem;
  ir::Params params;
  std::vector<ir::TensorDesc> inputs;
  std::vector<Bytes> data;  // beside inputs
  ir::TensorDesc output;
  oracle::Tensor expected;
  oracle::Tensor magnitude;  // the oracle's answer for absolute values: the scale of rounding errors
  Epilogue epilogue;
  soc::HalfAccumulation half_accumulation = soc::HalfAccumulation::kSequential;

  explicit OpCase(const oracle::Problem& from);
  explicit OpCase(const std::string& line) : OpCase(oracle::Problem::parse(line)) {}

  OpCall call() const;
  bool is_half() const { return output.type == ir::DataType::kFloat16; }
  // The output after computing `region`; what the kernel leaves alone is kUntouched.
  Bytes run(const ir::Box& region) const;
  Bytes run() const { return run(ir::Box::whole(output.shape)); }
  void run_into(Bytes& out, const ir::Box& region) const;

  // The same case with every static input as prepare stores it.
  OpCase stored() const;
};

inline constexpr std::byte kUntouched{0xCD};

ir::Param make_param(const std::string& name, ir::DataType type, const ir::Shape& shape,
                     const std::vector<double>& values);
ir::Shape to_shape(const std::vector<size_t>& dims);

// Every problem of every op.
std::vector<OpCase> all_cases(size_t random_count);

// A random non-empty box inside `shape`, and a random division of it into boxes.
ir::Box random_box(oracle::Random& random, const ir::Shape& shape);
std::vector<ir::Box> random_partition(oracle::Random& random, const ir::Box& box);

}  // namespace openqnn::ops
