// SPDX-License-Identifier: BSD-3-Clause
// The System library: what is inside a context binary, without a backend.
#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>

#include "HTP/QnnHtpCommon.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

// What every version of the binary info tells, the way clients read it.
struct Info {
  uint32_t backend_id = 0;
  std::string build_id;
  std::vector<QnnSystemContext_GraphInfoV1_t> graphs;
};

// The first fields of all versions are those of version 1, but each is read through its own member.
QnnSystemContext_GraphInfoV1_t common_fields(const QnnSystemContext_GraphInfo_t& graph) {
  const auto pick = [](const auto& info) {
    return QnnSystemContext_GraphInfoV1_t{info.graphName, info.numGraphInputs, info.graphInputs,
                                          info.numGraphOutputs, info.graphOutputs};
  };
  switch (graph.version) {
    case QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_1:
      return pick(graph.graphInfoV1);
    case QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_2:
      return pick(graph.graphInfoV2);
    case QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3:
      return pick(graph.graphInfoV3);
    default:
      throw std::runtime_error("a graph info of no known version");
  }
}

Info read(const QnnSystemContext_BinaryInfo_t& binary) {
  const auto pick = [](const auto& info) {
    Info found{info.backendId, info.buildId ? info.buildId : "", {}};
    for (uint32_t i = 0; i < info.numGraphs; ++i) found.graphs.push_back(common_fields(info.graphs[i]));
    return found;
  };
  switch (binary.version) {
    case QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_1:
      return pick(binary.contextBinaryInfoV1);
    case QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2:
      return pick(binary.contextBinaryInfoV2);
    case QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3:
      return pick(binary.contextBinaryInfoV3);
    default:
      throw std::runtime_error("a binary info of no known version");
  }
}

void expect_described(const Tensor& tensor, const Qnn_Tensor_t* list, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const Qnn_TensorV1_t& found = fields(list[i]);
    if (!found.name || tensor.name != found.name) continue;
    EXPECT_EQ(found.id, tensor.id) << tensor.name;
    EXPECT_EQ(found.type, tensor.role) << tensor.name;
    EXPECT_EQ(found.dataType, tensor.type) << tensor.name;
    EXPECT_EQ(std::vector<uint32_t>(found.dimensions, found.dimensions + found.rank), tensor.dims)
        << tensor.name;
    if (tensor.encoding.scale != 0) {
      EXPECT_EQ(found.quantizeParams.encodingDefinition, QNN_DEFINITION_DEFINED) << tensor.name;
      EXPECT_EQ(found.quantizeParams.quantizationEncoding, QNN_QUANTIZATION_ENCODING_SCALE_OFFSET);
      EXPECT_EQ(found.quantizeParams.scaleOffsetEncoding.scale, tensor.encoding.scale) << tensor.name;
      EXPECT_EQ(found.quantizeParams.scaleOffsetEncoding.offset, tensor.encoding.offset) << tensor.name;
    }
    return;
  }
  ADD_FAILURE() << "no tensor " << tensor.name << " among " << count;
}

void expect_described(const Model& model, const Info& info) {
  for (const QnnSystemContext_GraphInfoV1_t& graph : info.graphs) {
    if (model.name != graph.graphName) continue;
    const auto inputs = model.with_role(QNN_TENSOR_TYPE_APP_WRITE);
    const auto outputs = model.with_role(QNN_TENSOR_TYPE_APP_READ);
    EXPECT_EQ(graph.numGraphInputs, inputs.size());
    EXPECT_EQ(graph.numGraphOutputs, outputs.size());
    for (const Tensor* tensor : inputs) expect_described(*tensor, graph.graphInputs, graph.numGraphInputs);
    for (const Tensor* tensor : outputs) expect_described(*tensor, graph.graphOutputs, graph.numGraphOutputs);
    return;
  }
  ADD_FAILURE() << "no graph " << model.name;
}

class SystemTest : public ::testing::Test {
 protected:
  SystemTest() {
    const Session session;
    const Owned context = session.context();
    for (const Kind kind : {Kind::kFloat, Kind::kQuantized})
      for (const Sample& sample : all_samples(kind))
        models_.push_back(Graph::built(session.api, context, sample.model).model);
    binary_ = binary_of(session.api, context);
  }

  Owned handle() const {
    QnnSystemContext_Handle_t created = nullptr;
    EXPECT_EQ(api_.systemContextCreate(&created), QNN_SUCCESS);
    return {created, api_.systemContextFree};
  }

  SystemLibrary library_;
  const SystemApi& api_ = library_.api();
  std::vector<Model> models_;  // with the ids that createGraphTensor gave
  Bytes binary_;
};

// feature: B1, C1 (C API)
TEST_F(SystemTest, BinaryInfoListsGraphsAndTensors) {
  const Owned system = handle();
  const QnnSystemContext_BinaryInfo_t* binary = nullptr;
  Qnn_ContextBinarySize_t size = 0;
  ASSERT_EQ(api_.systemContextGetBinaryInfo(system, binary_.data(), binary_.size(), &binary, &size),
            QNN_SUCCESS);
  ASSERT_NE(binary, nullptr);
  EXPECT_GT(size, 0U);
  const Info info = read(*binary);
  EXPECT_EQ(info.backend_id, QNN_BACKEND_ID_HTP);
  EXPECT_THAT(info.build_id, ::testing::StartsWith("v"));
  EXPECT_EQ(info.graphs.size(), models_.size());
  for (const Model& model : models_) expect_described(model, info);
}

// feature: B1, C1 (C API)
TEST_F(SystemTest, MetadataSaysTheSameAndLeavesTheBufferAlone) {
  const Owned system = handle();
  const QnnSystemContext_BinaryInfo_t* binary = nullptr;
  const Bytes before = binary_;
  ASSERT_EQ(api_.systemContextGetMetaData(system, binary_.data(), binary_.size(), &binary), QNN_SUCCESS);
  EXPECT_EQ(binary_, before);
  const Info info = read(*binary);
  EXPECT_EQ(info.graphs.size(), models_.size());
  for (const Model& model : models_) expect_described(model, info);
}

// The answer belongs to the handle, not to the buffer.
// feature: C1 (C API)
TEST_F(SystemTest, InfoOutlivesTheBuffer) {
  const Owned system = handle();
  const QnnSystemContext_BinaryInfo_t* binary = nullptr;
  ASSERT_EQ(api_.systemContextGetMetaData(system, binary_.data(), binary_.size(), &binary), QNN_SUCCESS);
  std::fill(binary_.begin(), binary_.end(), std::byte{0xDD});
  Bytes().swap(binary_);
  for (const Model& model : models_) expect_described(model, read(*binary));
}

// feature: C1 (C API)
TEST_F(SystemTest, DamagedBinariesAreRefused) {
  const Owned system = handle();
  const QnnSystemContext_BinaryInfo_t* info = nullptr;
  for (size_t length = 1; length < binary_.size(); length += binary_.size() / 97 + 1) {
    Bytes cut(binary_.begin(), binary_.begin() + static_cast<ptrdiff_t>(length));
    const Qnn_ErrorHandle_t answer = api_.systemContextGetMetaData(system, cut.data(), cut.size(), &info);
    // The metadata alone may be complete: then the answer may be given.
    EXPECT_TRUE(answer == QNN_SUCCESS || answer == QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY)
        << answer << " for " << length << " bytes";
    if (length < 64) {
      EXPECT_EQ(answer, Qnn_ErrorHandle_t{QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY}) << length;
    }
  }
  const Bytes garbage(5000, std::byte{'Q'});
  EXPECT_EQ(api_.systemContextGetMetaData(system, garbage.data(), garbage.size(), &info),
            Qnn_ErrorHandle_t{QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY});
}

// feature: B1 (C API)
TEST_F(SystemTest, NullArgumentsAndBadHandlesAreRefused) {
  const Owned system = handle();
  const QnnSystemContext_BinaryInfo_t* info = nullptr;
  Qnn_ContextBinarySize_t size = 0;
  constexpr Qnn_ErrorHandle_t kArgument = QNN_SYSTEM_CONTEXT_ERROR_INVALID_ARGUMENT;
  constexpr Qnn_ErrorHandle_t kHandle = QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE;
  EXPECT_EQ(api_.systemContextCreate(nullptr), kArgument);
  EXPECT_EQ(api_.systemContextGetMetaData(system, nullptr, 10, &info), kArgument);
  EXPECT_EQ(api_.systemContextGetMetaData(system, binary_.data(), binary_.size(), nullptr), kArgument);
  EXPECT_EQ(api_.systemContextGetBinaryInfo(system, nullptr, 10, &info, &size), kArgument);

  Owned other = handle();
  void* const stale = other.get();
  EXPECT_EQ(other.free(), QNN_SUCCESS);
  for (void* bad : {static_cast<void*>(nullptr), stale, reinterpret_cast<void*>(uintptr_t{0x1234}),
                    static_cast<void*>(&size)}) {
    EXPECT_EQ(api_.systemContextGetMetaData(bad, binary_.data(), binary_.size(), &info), kHandle);
    EXPECT_EQ(api_.systemContextGetBinaryInfo(bad, binary_.data(), binary_.size(), &info, &size), kHandle);
    EXPECT_EQ(api_.systemContextFree(bad), kHandle);
  }
}

// feature: B1 (C API)
TEST_F(SystemTest, LoggersComeAndGo) {
  Qnn_LogHandle_t log = nullptr;
  ASSERT_EQ(api_.systemLogCreate(nullptr, QNN_LOG_LEVEL_ERROR, &log), QNN_SUCCESS);
  EXPECT_EQ(api_.systemLogSetLogLevel(log, QNN_LOG_LEVEL_WARN), QNN_SUCCESS);
  EXPECT_EQ(api_.systemLogFree(log), QNN_SUCCESS);
  EXPECT_EQ(api_.systemLogFree(log), Qnn_ErrorHandle_t{QNN_LOG_ERROR_INVALID_HANDLE});
  EXPECT_EQ(api_.systemLogCreate(nullptr, QNN_LOG_LEVEL_ERROR, nullptr),
            Qnn_ErrorHandle_t{QNN_LOG_ERROR_INVALID_ARGUMENT});
}

}  // namespace
}  // namespace conformance
