// SPDX-License-Identifier: BSD-3-Clause
// What rules look at: a prepared graph with the cycles of each op, and who reads what.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advise/advise.h"
#include "profile/report.h"

namespace openqnn::advise {

// "42.5 %" of 0.425.
std::string percent(double share);
// "171.3" microseconds.
std::string micros(double us);
// "1 op", "3 ops"
std::string counted(size_t count, std::string_view one, std::string_view many);

class Subject {
 public:
  explicit Subject(const Given& given);

  const Given& given() const { return given_; }
  const program::Program& program() const { return given_.timed.program(); }
  const sim::Timeline& timeline() const { return given_.timed.timeline; }
  double accelerator_us() const;
  double client_us() const;

  // ---- Ops, by their index in the Program ----
  size_t op_count() const { return program().ops.size(); }
  const program::Op& op(size_t index) const { return program().ops[index]; }
  const profile::OpTotals& totals(size_t index) const { return totals_[index]; }
  // Of the accelerator's cycles; the shares and idle cycles add up to 1. 0 where all of them are overhead:
  // then no op is what takes long, and what rules ask for this is whether to speak.
  double share(size_t index) const;
  double share(const std::vector<size_t>& ops) const;
  // Whether starting ops and setting up transfers is all that takes time, as in a model of a few numbers.
  bool is_all_overhead() const { return is_all_overhead_; }
  bool has_input(size_t op, size_t input) const;
  const program::Tensor& input(size_t op, size_t input) const;
  const program::Tensor& output(size_t op) const;
  std::vector<size_t> readers(ir::TensorIndex tensor) const;
  std::optional<size_t> producer(ir::TensorIndex tensor) const;
  OpEvidence evidence(size_t op) const;

  template <class Predicate>
  std::vector<size_t> ops_where(Predicate&& predicate) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < op_count(); ++i)
      if (predicate(i)) found.push_back(i);
    return found;
  }
  // The nodes of the graph that ops of this type stand for.
  std::vector<uint32_t> nodes_of(const std::vector<size_t>& ops) const;

 private:
  double part_of_cycles(size_t index) const;

  const Given& given_;
  std::vector<profile::OpTotals> totals_;
  bool is_all_overhead_;
  std::vector<std::vector<size_t>> readers_;      // beside the Program's tensors
  std::vector<std::optional<size_t>> producers_;  // the same
};

// ---- What ops are, by type and operation ----

// "divide" is ElementWiseDivide, and ElementWiseBinary with that operation.
bool is_divide(std::string_view type, const ir::Params& params);
bool is_subtract(std::string_view type, const ir::Params& params);
bool is_plain_relu(std::string_view type, const ir::Params& params);
// Its second input is a weight of a convolution or a product.
bool has_weights(std::string_view type);
bool is_mover(std::string_view type);  // nothing is computed
// A fixed-point number of 16 bits.
inline bool is_word(ir::DataType type) {
  return type == ir::DataType::kUfixed16 || type == ir::DataType::kSfixed16;
}

}  // namespace openqnn::advise
