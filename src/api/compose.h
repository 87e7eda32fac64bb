// SPDX-License-Identifier: BSD-3-Clause
// A graph of ours, told to a backend through the C API, tensor by tensor and node by node, as a converted
// model library does it.
#pragma once

#include <string>
#include <vector>

#include "QnnInterface.h"
#include "base/result.h"
#include "ir/graph.h"
#include "prepare/prepare.h"

namespace openqnn::api {

// "QnnGraph_create answered 6003: sentence"; the sentence is the library's own, or empty.
Diagnostic failed_call(Qnn_ErrorHandle_t code, const std::string& call, std::string_view sentence);
// Turns an answer into a Status; a failure gets the library's own sentence.
Status check_call(const QnnInterface_ImplementationV2_39_t& api, Qnn_ErrorHandle_t code,
                  const std::string& call);

// A node in the C API's words; everything must outlive it.
Qnn_OpConfig_t op_config(const std::string& name, const std::string& type, std::vector<Qnn_Param_t>& params,
                         std::vector<Qnn_Tensor_t>& inputs, std::vector<Qnn_Tensor_t>& outputs);

// A tensor's description in the C API's words, and the memory that it points into. Not to be moved once made.
struct DescribedTensor {
  Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
  std::string name;
  std::vector<uint32_t> dimensions;
  std::vector<Qnn_ScaleOffset_t> encodings;
  std::vector<float> scales;
  std::vector<int32_t> offsets;
  std::vector<uint32_t> block;
};
Qnn_TensorType_t type_of(ir::TensorRole role, bool updateable);
// What every tensor has: name, type, dimensions and encoding.
void describe(const std::string& name, const ir::TensorDesc& desc, DescribedTensor& described);
// Static values stay where they are: `tensor` must outlive it.
Status describe(const ir::Tensor& tensor, DescribedTensor& described);

struct ComposedGraph {
  Qnn_GraphHandle_t handle = nullptr;
  std::vector<ir::TensorIndex> inputs;   // in the graph's order
  std::vector<ir::TensorIndex> outputs;  // likewise
  std::vector<uint32_t> input_ids;       // the backend's names for them
  std::vector<uint32_t> output_ids;
};

// Whom a graph is told: a backend's functions, or a client's in their place, and the objects to work on.
struct ComposeTarget {
  const QnnInterface_ImplementationV2_39_t& api;
  Qnn_BackendHandle_t backend = nullptr;
  Qnn_ContextHandle_t context = nullptr;
  const QnnGraph_Config_t** configs = nullptr;  // of the graph
};
// Each node is judged by validateOpConfig first, so that a refusal names it. A backend that cannot be told
// the facts (own_options.h) does without them.
Result<ComposedGraph> compose(const ComposeTarget& target, const ir::Graph& graph,
                              const prepare::ModelFacts& facts);

}  // namespace openqnn::api
