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

// What is strewn among the values of half inputs.
enum class Specials : uint8_t {
  kNone,
  kFinite,  // zeros with a sign, subnormal and the largest numbers
  kAll,     // infinities and NaN too
};

struct OpCase {
  const OpDef* op = nullptr;
  oracle::Problem problem;
  ir::Params params;
  std::vector<ir::TensorDesc> inputs;  // an absent one has the type kUndefined
  std::vector<Bytes> data;             // beside inputs
  std::vector<ir::TensorDesc> outputs;
  std::vector<oracle::Tensor> expected;   // beside outputs
  std::vector<oracle::Tensor> magnitude;  // the oracle's answer for absolute values: the scale of rounding
                                          // errors; only for ops that say how long their sums are
  Epilogue epilogue;
  soc::HalfAccumulation half_accumulation = soc::HalfAccumulation::kSequential;
  bool fast_sigmoid = false;

  // A line without outputs gets the types of the first row that fits its inputs.
  explicit OpCase(const oracle::Problem& from, Specials specials = Specials::kNone);
  explicit OpCase(const std::string& line) : OpCase(oracle::Problem::parse(line)) {}

  OpCall call() const;
  const ir::TensorDesc& output() const { return outputs[0]; }
  ir::Box whole() const { return ir::Box::whole(outputs[0].shape); }
  bool is_half() const { return outputs[0].type == ir::DataType::kFloat16; }
  bool divides() const { return op->split_axes != nullptr; }

  // All outputs, one after another, after computing `region`; what the kernel leaves alone is kUntouched.
  Bytes run(const ir::Box& region) const;
  Bytes run() const { return run(whole()); }
  void run_into(Bytes& out, const ir::Box& region) const;
  // All of it by the reference kernel.
  Bytes run_reference() const;
  // Where output `index` begins in those bytes.
  size_t output_offset(size_t index) const;
  size_t output_bytes() const { return output_offset(outputs.size()); }

  // The same case with every static input as prepare stores it.
  OpCase stored() const;
};

inline constexpr std::byte kUntouched{0xCD};

ir::Param make_param(const std::string& name, ir::DataType type, const ir::Shape& shape,
                     const std::vector<double>& values);
// By the schema: its type, unless that is open and `type` says one, and its shape with the open sizes filled.
ir::Param make_param(const ParamSchema& schema, const std::vector<double>& values,
                     const std::string& type = {});
// Gives a case a parameter, or takes its place.
void set_param(OpCase& c, const std::string& name, const std::vector<double>& values,
               const std::string& type = {});
ir::Shape to_shape(const std::vector<size_t>& dims);

// The types of an op's outputs in the first row that fits its inputs; none when no row does. As what follows,
// in typed_problems.cc.
std::vector<std::string> output_types(const OpDef& op, const std::vector<oracle::Problem::Input>& inputs);
// Every problem of an op with every offered row of types (half for float) and every list of words, and
// `random_count` random problems, each with a random row.
std::vector<oracle::Problem> problems(const oracle::Oracle& oracle, size_t random_count);
// The same for every op that has an oracle in this program, as cases.
std::vector<OpCase> all_cases(size_t random_count);

// A random non-empty box inside `shape`, and a random division of it into boxes.
ir::Box random_box(oracle::Random& random, const ir::Shape& shape);
std::vector<ir::Box> random_partition(oracle::Random& random, const ir::Box& box);

}  // namespace openqnn::ops
