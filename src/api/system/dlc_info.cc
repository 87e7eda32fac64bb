// SPDX-License-Identifier: BSD-3-Clause
#include "api/system/dlc_info.h"

#include <cstdlib>
#include <cstring>

namespace openqnn::api {

// ---- Composed graphs ----

Status ComposedInfo::add(const ir::Graph& graph, const ComposedGraph& composed, uint32_t version) {
  QnnSystemContext_GraphInfo_t info;
  std::memset(&info, 0, sizeof info);
  info.version = static_cast<QnnSystemContext_GraphInfoVersion_t>(version);
  QnnSystemContext_GraphInfoV1_t& fields = info.graphInfoV1;  // what all versions begin with
  fields.graphName = names_.emplace_back(graph.name()).c_str();
  OPENQNN_ASSIGN(const TensorList inputs, describe_all(graph, composed.inputs, composed.input_ids));
  OPENQNN_ASSIGN(const TensorList outputs, describe_all(graph, composed.outputs, composed.output_ids));
  fields.numGraphInputs = inputs.count;
  fields.graphInputs = inputs.tensors;
  fields.numGraphOutputs = outputs.count;
  fields.graphOutputs = outputs.tensors;
  // Version 2 adds tensors that can be updated, of which a .dlc has none, and version 3 a blob of prepared
  // graphs.
  if (version == QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3 && !graph.nodes().empty())
    info.graphInfoV3.endOpIndex = static_cast<uint32_t>(graph.nodes().size() - 1);
  graphs_.push_back(info);
  return {};
}

Result<ComposedInfo::TensorList> ComposedInfo::describe_all(const ir::Graph& graph,
                                                            const std::vector<ir::TensorIndex>& tensors,
                                                            const std::vector<uint32_t>& ids) {
  if (tensors.empty()) return TensorList{};
  std::vector<std::byte>& packed = arrays_.emplace_back(tensors.size() * format_.tensor_stride);
  for (size_t i = 0; i < tensors.size(); ++i) {
    DescribedTensor& described = tensors_.emplace_back();
    OPENQNN_TRY(describe(graph.tensors()[tensors[i]], described));
    described.tensor.v1.id = ids[i];
    std::memcpy(packed.data() + i * format_.tensor_stride, &described.tensor, format_.tensor_stride);
  }
  // Aligned like every allocation, of a trivial type.
  return TensorList{static_cast<uint32_t>(tensors.size()),
                    reinterpret_cast<Qnn_Tensor_t*>(packed.data())};  // NOLINT
}

QnnSystemContext_GraphInfo_t* ComposedInfo::list() const {
  auto* const packed = static_cast<std::byte*>(std::calloc(graphs_.size() + 1, format_.graph_stride));
  if (packed == nullptr) return nullptr;
  for (size_t i = 0; i < graphs_.size(); ++i)
    std::memcpy(packed + i * format_.graph_stride, &graphs_[i], format_.graph_stride);
  return reinterpret_cast<QnnSystemContext_GraphInfo_t*>(packed);  // NOLINT
}

// ---- Mappings ----

OpMappings::OpMappings(const frontend::Dlc& dlc) {
  for (const frontend::DlcGraph& graph : dlc.graphs) {
    std::vector<Qnn_Mapping_t>& ops = lists_.emplace_back();
    for (const frontend::Trace::Node& node : graph.trace.nodes) {
      std::vector<Qnn_OpMappingPair_t>& pairs = pairs_.emplace_back();
      for (const std::string& source : node.sources)
        pairs.push_back({source.c_str(), QNN_OP_MAPPING_TYPE_OP});
      ops.push_back({node.name.c_str(), pairs.data(), static_cast<uint32_t>(pairs.size())});
    }
    std::vector<Qnn_Mapping_t>& tensors = lists_.emplace_back();
    for (const frontend::Trace::Tensor& tensor : graph.trace.tensors) {
      pairs_.push_back({{tensor.source.c_str(), QNN_OP_MAPPING_TYPE_TENSOR}});
      tensors.push_back({tensor.name.c_str(), pairs_.back().data(), 1});
    }
    graphs_.push_back({graph.graph.name().c_str(), ops.data(), static_cast<uint32_t>(ops.size()),
                       tensors.data(), static_cast<uint32_t>(tensors.size())});
    Qnn_OpMapping_t made;
    made.version = QNN_OP_MAPPING_VERSION_1;
    made.v1 = &graphs_.back();
    mappings_.push_back(made);
  }
}

}  // namespace openqnn::api
