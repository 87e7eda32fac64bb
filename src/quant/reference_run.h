// SPDX-License-Identifier: BSD-3-Clause
// Runs a client's graph as it is stated, op by op (an op that withholds its output gives zeros), with every
// tensor in between to be looked at: in single precision, which is what a quantized model is calibrated and
// measured against, or as the backend computes.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/graph.h"
#include "ops/op.h"

namespace openqnn::quant {

enum class FloatsAs : uint8_t {
  kSingle,  // float32 tensors are computed in float32
  kHalf,    // in half, as the backend does it
};

// The values of the graph's inputs, each in the tensor's own type.
using Inputs = std::map<ir::TensorIndex, std::span<const std::byte>>;

class ReferenceRun {
 public:
  // `graph` must outlive it, and have passed check_complete().
  ReferenceRun(const ir::Graph& graph, FloatsAs floats);

  // As computed: kFloat16 in place of kFloat32 with kHalf.
  const ir::TensorDesc& desc(ir::TensorIndex tensor) const { return descs_[tensor]; }

  // Called with each input, and with each other tensor when it has been computed.
  using Observer = std::function<void(ir::TensorIndex tensor, std::span<const std::byte> values)>;
  // Refuses inputs that are absent or of another size, and graphs with ops of packages.
  Status run(const Inputs& inputs, const Observer& observe);

 private:
  struct Step {
    const ops::OpDef* def = nullptr;
    ops::OpCall call;
    std::vector<ir::Box> pieces;
    std::vector<ir::TensorIndex> last_uses;  // tensors that no later step reads
    std::vector<std::byte> state;
  };

  void add_step(const ir::Node& node);
  void find_last_uses();
  Status take_inputs(const Inputs& inputs, const Observer& observe);
  void run_step(size_t index);

  const ir::Graph& graph_;
  std::vector<ir::TensorDesc> descs_;
  std::vector<std::vector<std::byte>> constants_;  // those that are not as the client gave them
  std::vector<std::vector<std::byte>> values_;     // of tensors that are alive
  std::vector<Step> steps_;
  const ir::Node* unknown_ = nullptr;  // of an op package: nobody here knows what it computes
};

// The values of `from`'s inputs for the inputs of `to` that have the same names, by tensor of `to`: reals in
// the type that it has them in.
using StoredInputs = std::map<ir::TensorIndex, std::vector<std::byte>>;
Result<StoredInputs> stored_inputs(const Inputs& inputs, const ir::Graph& from, const ir::Graph& to);

// Elements of any computed type as real numbers.
std::vector<float> reals_of(const ir::TensorDesc& desc, std::span<const std::byte> values);

}  // namespace openqnn::quant
