// SPDX-License-Identifier: BSD-3-Clause
// Groups of nodes that exporters write for one op, made one op again; and arithmetic on weights that can be
// done before the model runs. Each kind of fusion is a file; the list is fusions.inc.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/onnx/net.h"

namespace openqnn::frontend::onnx {

// A net under rewriting. A fusion looks back from a node at what made its inputs; the node is then replaced,
// and the others go when nothing takes their outputs any more.
class Rewriter {
 public:
  explicit Rewriter(Net& net) : net_(net), uses_(net) {}

  const Net& net() const { return net_; }
  const NetNode& node(uint32_t index) const { return net_.nodes[index]; }
  const Value& value(ValueId id) const { return net_.values[id]; }
  const Constant* constant(ValueId id) const { return net_.constant(id); }

  // The node that makes a value, when it has this type.
  std::optional<uint32_t> made_by(ValueId value, std::string_view type) const;
  // The same when the value goes nowhere else, so that the node will be gone.
  std::optional<uint32_t> made_by_for_this_alone(ValueId value, std::string_view type) const;
  bool used_once(ValueId value) const;
  // Whether a node's result has the dimensions of `x`: constants of more dimensions stretch it.
  bool gives_dims_of(ValueId x, uint32_t node) const;
  // Of a node with two inputs: the input that is not this one.
  std::optional<ValueId> other_input(const NetNode& node, ValueId one) const;
  // Of a node with two inputs of which one is a constant.
  struct WithConstant {
    ValueId other;
    ValueId id;  // of the constant
    const Constant* constant;
  };
  std::optional<WithConstant> with_constant(const NetNode& node) const;
  // The number that all elements of a constant are.
  std::optional<double> number(ValueId value) const;
  // Of a node with two inputs of which one is constant and `number` everywhere: the other.
  std::optional<ValueId> with_number(uint32_t node, double number) const;
  // Square of what: x * x, or x to the power of 2.
  struct Square {
    ValueId x = kNoValue;
    uint32_t node = 0;
  };
  std::optional<Square> square_of(ValueId value) const;

  ValueId add_constant(std::string_view name, Constant constant);
  // `node` becomes another one with the same outputs; it stands for `absorbed` as well.
  void replace(uint32_t node, std::string type, int64_t opset, std::vector<ValueId> inputs,
               Attributes attributes, const std::vector<uint32_t>& absorbed);

 private:
  Net& net_;
  Uses uses_;
};

struct Fusion {
  std::string_view name;     // as it is switched off by
  std::string_view summary;  // for help and docs
  // Tries it with this node at the end; answers whether it was made.
  bool (*apply)(Rewriter& net, uint32_t node);
};

std::span<const Fusion> all_fusions();

// All that are not in `without`, in their order; answers "name: node" for each one made.
std::vector<std::string> fuse(Net& net, const std::set<std::string>& without);

void append(std::vector<uint32_t>& nodes, const std::vector<uint32_t>& more);

// Whether two numbers are the same up to the rounding of single precision.
bool near(double a, double b);

}  // namespace openqnn::frontend::onnx
