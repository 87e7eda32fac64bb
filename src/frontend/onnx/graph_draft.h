// SPDX-License-Identifier: BSD-3-Clause
// The backend's graph while it is being made: tensors get their names and roles at the end, when it is known
// which of them hold the outputs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "frontend/onnx/lowering.h"
#include "frontend/onnx/net.h"
#include "frontend/trace.h"
#include "ops/operand_names.h"

namespace openqnn::frontend::onnx {

// Names become file names and C identifiers downstream, so that they are made of letters, digits and '_'.
std::string identifier(std::string_view name);

Dims dims_of(const ir::Shape& shape);

class GraphDraft {
 public:
  explicit GraphDraft(const Net& net);

  struct DraftTensor {
    std::string name;  // empty: named after what makes it
    ir::TensorRole role = ir::TensorRole::kNative;
    ir::TensorDesc desc;
    ir::Blob data;
    std::string given_as;                                // of an output: its name in the model
    ValueId value = kNoValue;                            // the value it holds, if it holds one
    Order order;                                         // in which it holds it
    TensorRef before_reshape = kNoTensorRef;             // what a Reshape made it of
    std::shared_ptr<const ir::TensorEncoding> encoding;  // of the reals it holds, as it lies
  };
  struct DraftNode {
    std::string name;
    std::string type;
    ir::Params params;
    std::vector<TensorRef> inputs;
    std::vector<TensorRef> outputs;
    std::vector<std::string> sources;
  };

  const std::vector<DraftTensor>& tensors() const { return tensors_; }

  // A client's input, which lies in `order`.
  Status add_input(ValueId value, const Order& order);
  TensorRef add_constant(ir::TensorDesc desc, Blob data, std::string name = {});
  // For constants that no file holds; false when all of them together would be too large.
  bool take_room(uint64_t elements);
  uint64_t room() const { return room_; }
  // The same bytes in another shape of as many elements.
  TensorRef add_reshaped_constant(TensorRef constant, const ir::Shape& shape);
  // Checked by the backend's own rules before it is added.
  Result<std::vector<TensorRef>> add_node(const NetNode& source, std::string_view type,
                                          const std::vector<TensorRef>& inputs, ir::Params params,
                                          const std::vector<ir::TensorDesc>& outputs);

  // The tensors that hold a value, by order.
  struct Holder {
    Order order;
    TensorRef tensor;
  };
  const std::vector<Holder>& holders(ValueId value) const { return held_[value]; }
  void hold(ValueId value, const Order& order, TensorRef tensor);

  // The same elements in their first shape: what Reshapes alone made the tensor of, or the tensor itself.
  TensorRef before_reshape(TensorRef tensor) const {
    const TensorRef before = tensors_[tensor].before_reshape;
    return before == kNoTensorRef ? tensor : before;
  }
  void set_before_reshape(TensorRef tensor, TensorRef before) { tensors_[tensor].before_reshape = before; }

  // Outputs are given in `order`; a copy is made where the tensor is also an input, a constant or another
  // output.
  Status add_output(const NetOutput& output, const Order& order);

  // A sentence for each input and output that has another name than in the model.
  const std::vector<std::string>& renames() const { return renames_; }

  // Gives names and leaves out what no output needs; `trace` receives what each node stands for, `encodings`
  // what a quantized model says of a tensor's reals, by the tensor's name.
  Result<ir::Graph> finish(const std::string& name, Trace& trace, ir::TensorEncodings& encodings);

 private:
  TensorRef add(DraftTensor tensor) {
    tensors_.push_back(std::move(tensor));
    return static_cast<TensorRef>(tensors_.size() - 1);
  }
  ops::OperandNames operand_names(const std::vector<TensorRef>& inputs) const;
  std::string unique_name(const std::string& wish);
  // Of an input or output: what the model calls it, where that can be.
  std::string client_name(std::string_view role, const std::string& given);
  std::string wished_name(const DraftTensor& tensor) const;    // empty: named otherwise
  std::string name_in_model(const DraftTensor& tensor) const;  // empty: nothing in it
  void name_tensors();
  std::vector<bool> needed_nodes() const;
  std::vector<std::string> name_nodes(const std::vector<bool>& needed) const;

  const Net& net_;
  uint64_t room_ = uint64_t{1} << 26;  // see take_room; 256 MB
  std::vector<DraftTensor> tensors_;
  std::vector<DraftNode> nodes_;
  std::vector<std::vector<Holder>> held_;
  std::vector<TensorRef> outputs_;
  std::unordered_set<std::string> names_;
  // What inputs and outputs are called that need no other name: nothing else gets it, so that a name of the
  // model never means another tensor.
  std::unordered_set<std::string> kept_names_;
  std::vector<std::string> renames_;
};

}  // namespace openqnn::frontend::onnx
