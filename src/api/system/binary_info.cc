// SPDX-License-Identifier: BSD-3-Clause
#include "api/system/binary_info.h"

#include <algorithm>
#include <cstring>

#include "HTP/QnnHtpCommon.h"
#include "QnnSdkBuildId.h"
#include "program/context_binary.h"
#include "program/part.h"

namespace openqnn::api {
namespace {

// Sizes in older headers.
constexpr size_t kGraphInfoBefore25 = 48;  // version 1 alone
constexpr size_t kGraphInfoBefore30 = 64;  // versions 1 and 2
constexpr size_t kTensorBefore20 = 120;    // version 1 alone

}  // namespace

InfoFormat InfoFormat::of(const std::optional<ClientSdk>& sdk) {
  if (!sdk || *sdk >= ClientSdk{2, 30}) return {};
  if (*sdk >= ClientSdk{2, 25}) return {2, 2, kGraphInfoBefore30, sizeof(Qnn_Tensor_t)};
  if (*sdk >= ClientSdk{2, 20}) return {2, 1, kGraphInfoBefore25, sizeof(Qnn_Tensor_t)};
  return {1, 1, kGraphInfoBefore25, kTensorBefore20};
}

BinaryInfo::BinaryInfo(const program::ProgramSet& set, uint64_t binary_bytes, const InfoFormat& format)
    : format_(format) {
  for (const auto& program : set.programs) graphs_.push_back(describe(*program));
  describe_hardware(set);
  switch (format_.binary_version) {
    case 1:
      info_.version = QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_1;
      fill(info_.contextBinaryInfoV1, set, binary_bytes);
      fill_hardware_blob(info_.contextBinaryInfoV1);
      return;
    case 2:
      info_.version = QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2;
      fill(info_.contextBinaryInfoV2, set, binary_bytes);
      fill_hardware_blob(info_.contextBinaryInfoV2);
      info_.contextBinaryInfoV2.platformInfo = platform_ ? &platform_->info : nullptr;
      return;
    default:
      info_.version = QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3;
      QnnSystemContext_BinaryInfoV3_t& v3 = info_.contextBinaryInfoV3;
      fill(v3, set, binary_bytes);
      v3.platformInfo = platform_ ? &platform_->info : nullptr;
      if (set.programs.empty()) return;
      v3.contextMetadataSize = sizeof context_blob_;
      v3.contextMetadata = &context_blob_;
      v3.socModel = set.programs.front()->soc_model;
  }
}

template <class Info>
void BinaryInfo::fill(Info& info, const program::ProgramSet& set, uint64_t binary_bytes) {
  info.backendId = QNN_BACKEND_ID_HTP;
  info.buildId = QNN_SDK_BUILD_ID;
  info.coreApiVersion = {QNN_API_VERSION_MAJOR, QNN_API_VERSION_MINOR, QNN_API_VERSION_PATCH};
  info.backendApiVersion = {QNN_HTP_API_VERSION_MAJOR, QNN_HTP_API_VERSION_MINOR, QNN_HTP_API_VERSION_PATCH};
  info.contextBlobVersion = {program::kFormatMajor, program::kFormatMinor, 0};
  info.contextBlobSize = binary_bytes;
  info.numGraphs = static_cast<uint32_t>(graphs_.size());
  info.graphs = pack(graphs_, format_.graph_stride);
  if (!set.programs.empty()) info.socVersion = keep(set.programs.front()->soc);
}

template <class Info>
void BinaryInfo::fill_hardware_blob(Info& info) {
  if (graphs_.empty()) return;
  info.hwInfoBlobVersion = {QNN_SYSTEM_CONTEXT_HTP_HW_INFO_BLOB_VERSION_V1, 0, 0};
  info.hwInfoBlobSize = sizeof hardware_blob_;
  info.hwInfoBlob = &hardware_blob_;
}

void BinaryInfo::describe_hardware(const program::ProgramSet& set) {
  if (set.programs.empty()) return;
  if (const auto target = program::part_of(*set.programs.front()))
    platform_ = std::make_unique<PlatformInfo>(*target);
  context_blob_.version = QNN_SYSTEM_CONTEXT_HTP_CONTEXT_INFO_BLOB_VERSION_V1;
  context_blob_.contextBinaryContextBlobInfoV1.dspArch = set.programs.front()->arch;
  // The blob names one graph: the one that needs most, since its size is what clients allocate.
  const auto largest = std::max_element(
      set.programs.begin(), set.programs.end(),
      [](const auto& a, const auto& b) { return spill_fill_bytes(*a) < spill_fill_bytes(*b); });
  hardware_blob_.version = QNN_SYSTEM_CONTEXT_HTP_HW_INFO_BLOB_VERSION_V1;
  hardware_blob_.contextBinaryHwInfoBlobV1_t = {static_cast<uint32_t>(largest - set.programs.begin()),
                                                spill_fill_bytes(**largest)};
}

QnnSystemContext_GraphInfo_t BinaryInfo::describe(const program::Program& program) {
  QnnSystemContext_GraphInfo_t graph{};
  const auto with_role = [&](ir::TensorRole role) {
    return tensors_of(program, [role](const program::Tensor& tensor) { return tensor.role == role; });
  };
  const auto [inputs, input_list] = with_role(ir::TensorRole::kInput);
  const auto [outputs, output_list] = with_role(ir::TensorRole::kOutput);
  const char* name = keep(program.graph);
  // Each version begins with the fields of the one before.
  QnnSystemContext_GraphInfoV3_t& v3 = graph.graphInfoV3;
  v3 = {.graphName = name,
        .numGraphInputs = inputs,
        .graphInputs = input_list,
        .numGraphOutputs = outputs,
        .graphOutputs = output_list};
  graph.version = static_cast<QnnSystemContext_GraphInfoVersion_t>(format_.graph_version);
  if (format_.graph_version < 2) return graph;
  const auto [updateable, updateable_list] =
      tensors_of(program, [](const program::Tensor& tensor) { return tensor.updateable; });
  v3.numUpdateableTensors = updateable;
  v3.updateableTensors = updateable_list;
  if (format_.graph_version < 3) return graph;
  v3.graphBlobInfoSize = sizeof(QnnHtpSystemContext_GraphBlobInfo_t);
  v3.graphBlobInfo = &graph_blob(program);
  if (!program.ops.empty()) v3.endOpIndex = static_cast<uint32_t>(program.ops.size() - 1);  // the last one's
  return graph;
}

QnnHtpSystemContext_GraphBlobInfo_t& BinaryInfo::graph_blob(const program::Program& program) {
  QnnHtpSystemContext_GraphBlobInfo_t& blob = graph_blobs_.emplace_back();
  blob.version = QNN_SYSTEM_CONTEXT_HTP_GRAPH_INFO_BLOB_VERSION_V1;
  QnnHtpSystemContext_GraphBlobInfoV1_t& v1 = blob.contextBinaryGraphBlobInfoV1;
  v1.spillFillBufferSize = spill_fill_bytes(program);
  v1.vtcmSize = static_cast<uint32_t>((program.schedule.vtcm_bytes + kMiB - 1) / kMiB);  // in MB
  v1.optimizationLevel = program.optimization;
  v1.htpDlbc = program.bandwidth.compressed_activations ? 1 : 0;
  v1.numHvxThreads = program.schedule.hvx_threads;
  return blob;
}

const char* BinaryInfo::keep(const std::string& text) { return strings_.emplace_back(text).c_str(); }

template <class T>
T* BinaryInfo::pack(const std::vector<T>& items, size_t stride) {
  if (items.empty()) return nullptr;
  std::vector<std::byte>& packed = arrays_.emplace_back(items.size() * stride);
  for (size_t i = 0; i < items.size(); ++i) std::memcpy(packed.data() + i * stride, &items[i], stride);
  return reinterpret_cast<T*>(packed.data());  // NOLINT: aligned like every allocation, of a trivial type
}

template <class Wanted>
BinaryInfo::TensorList BinaryInfo::tensors_of(const program::Program& program, Wanted&& wanted) {
  std::vector<Qnn_Tensor_t> list;
  for (const program::Tensor& tensor : program.tensors)
    if (wanted(tensor)) list.push_back(describe(tensor));
  return {static_cast<uint32_t>(list.size()), pack(list, format_.tensor_stride)};
}

Qnn_Tensor_t BinaryInfo::describe(const program::Tensor& tensor) {
  DescribedTensor& kept = tensors_.emplace_back();
  openqnn::api::describe(tensor.name, tensor.desc, kept);
  Qnn_Tensor_t result = kept.tensor;
  Qnn_TensorV1_t& fields = result.v1;
  fields.id = tensor.id;
  fields.type = type_of(tensor.role, tensor.updateable);
  fields.dataFormat = tensor.desc.is_sparse() ? QNN_TENSOR_DATA_FORMAT_SPARSE : QNN_TENSOR_DATA_FORMAT_DENSE;
  fields.dataType = static_cast<Qnn_DataType_t>(tensor.client_type);
  if (tensor.client_memory == ir::ClientMemory::kMemHandle) fields.memType = QNN_TENSORMEMTYPE_MEMHANDLE;
  if (!tensor.desc.is_sparse()) return result;
  // Only version 2 can say so. It begins with the fields of version 1; clients that do not know it get no
  // tensor that may be sparse, because inputs and outputs are not.
  const Qnn_TensorV1_t common = fields;
  result.version = QNN_TENSOR_VERSION_2;
  result.v2 = QNN_TENSOR_V2_INIT;
  result.v1 = common;
  result.v2.sparseParams.type = QNN_SPARSE_LAYOUT_HYBRID_COO;
  result.v2.sparseParams.hybridCoo = {tensor.desc.sparsity.slots, tensor.desc.sparsity.dimensions};
  return result;
}

}  // namespace openqnn::api
