// SPDX-License-Identifier: BSD-3-Clause
// Binary infos of every version: the structs that clients of different SDKs read, and the HTP blobs in them.
#include <gmock/gmock.h>

#include <cstring>

#include "HTP/QnnHtpCommon.h"
#include "HTP/QnnHtpSystemContext.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

// Two graphs in one binary, prepared for an SM8650.
class BinaryInfoTest : public ::testing::Test {
 protected:
  BinaryInfoTest() {
    const ScopedEnvironment target("OPENQNN_TARGET", "host:SM8650");
    const Session session;
    const Owned context = session.context();
    for (const Sample& sample : {add(Kind::kQuantized), conv_relu_pool(Kind::kQuantized)})
      models_.push_back(
          Graph::built(session.api, context, sample.model, GraphOptions().optimization(3).list()).model);
    binary_ = binary_of(session.api, context);
    EXPECT_EQ(library_.api().systemContextCreate(&handle_), QNN_SUCCESS);
  }
  ~BinaryInfoTest() override { library_.api().systemContextFree(handle_); }

  const QnnSystemContext_BinaryInfo_t& info(const char* sdk) {
    const ScopedEnvironment client("OPENQNN_CLIENT_SDK", sdk);
    const QnnSystemContext_BinaryInfo_t* found = nullptr;
    Qnn_ContextBinarySize_t size = 0;
    if (library_.api().systemContextGetBinaryInfo(handle_, binary_.data(), binary_.size(), &found, &size) !=
        QNN_SUCCESS)
      throw std::runtime_error("no binary info");
    return *found;
  }

  SystemLibrary library_;
  std::vector<Model> models_;
  Bytes binary_;
  QnnSystemContext_Handle_t handle_ = nullptr;
};

// Element i of an array as a client sees it whose headers say that elements are `stride` bytes apart.
template <class T>
const T& at(const T* array, size_t i, size_t stride) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(array) + i * stride);
}

template <class Info>
void expect_common(const Info& info, size_t bytes) {
  EXPECT_EQ(info.backendId, QNN_BACKEND_ID_HTP);
  EXPECT_THAT(info.buildId, ::testing::MatchesRegex("v[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9a-z_]+"));
  EXPECT_EQ(info.coreApiVersion.minor, 39U);
  EXPECT_EQ(info.backendApiVersion.major, 5U);
  EXPECT_STREQ(info.socVersion, "SM8650");
  EXPECT_EQ(info.contextBlobSize, bytes);
  EXPECT_EQ(info.numGraphs, 2U);
  EXPECT_EQ(info.numContextTensors, 0U);
}

void expect_part(const QnnDevice_PlatformInfo_t* info) {
  ASSERT_NE(info, nullptr);
  const auto& chip = info->v1.hwDevices[0].v1.deviceInfoExtension;
  const QnnHtpDevice_DeviceInfoExtension_t* extension = chip;
  EXPECT_EQ(extension->onChipDevice.socModel, 57U);
  EXPECT_EQ(extension->onChipDevice.arch, QNN_HTP_DEVICE_ARCH_V75);
}

// feature: B1, C1 (C API)
TEST_F(BinaryInfoTest, Version3) {
  for (const char* sdk : {"", "2.30", "2.39.1", "v2.48.40"}) {
    SCOPED_TRACE(sdk);
    const QnnSystemContext_BinaryInfo_t& binary = info(sdk);
    ASSERT_EQ(binary.version, QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3);
    const QnnSystemContext_BinaryInfoV3_t& v3 = binary.contextBinaryInfoV3;
    expect_common(v3, binary_.size());
    expect_part(v3.platformInfo);
    EXPECT_EQ(v3.socModel, 57U);
    ASSERT_EQ(v3.contextMetadataSize, sizeof(QnnHtpSystemContext_ContextBlobInfo_t));
    const auto& metadata = *static_cast<const QnnHtpSystemContext_ContextBlobInfo_t*>(v3.contextMetadata);
    EXPECT_EQ(metadata.version, QNN_SYSTEM_CONTEXT_HTP_CONTEXT_INFO_BLOB_VERSION_V1);
    EXPECT_EQ(metadata.contextBinaryContextBlobInfoV1.dspArch, 75U);
    for (uint32_t i = 0; i < 2; ++i) {
      ASSERT_EQ(v3.graphs[i].version, QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3);
      const QnnSystemContext_GraphInfoV3_t& graph = v3.graphs[i].graphInfoV3;
      EXPECT_EQ(graph.graphName, models_[i].name);
      EXPECT_EQ(graph.numUpdateableTensors, 0U);
      EXPECT_EQ(graph.startOpIndex, 0U);
      EXPECT_EQ(graph.endOpIndex, i)
          << "of the last op: one adds, two are left of convolution, relu and pool";
      ASSERT_EQ(graph.graphBlobInfoSize, sizeof(QnnHtpSystemContext_GraphBlobInfo_t));
      const auto& blob = *static_cast<const QnnHtpSystemContext_GraphBlobInfo_t*>(graph.graphBlobInfo);
      EXPECT_EQ(blob.version, QNN_SYSTEM_CONTEXT_HTP_GRAPH_INFO_BLOB_VERSION_V1);
      EXPECT_EQ(blob.contextBinaryGraphBlobInfoV1.optimizationLevel, 3U);
      EXPECT_EQ(blob.contextBinaryGraphBlobInfoV1.htpDlbc, 0);
      EXPECT_GT(blob.contextBinaryGraphBlobInfoV1.numHvxThreads, 0U);
      EXPECT_GT(blob.contextBinaryGraphBlobInfoV1.vtcmSize, 0U);
      EXPECT_LE(blob.contextBinaryGraphBlobInfoV1.vtcmSize, 8U) << "in MB";
    }
  }
}

void expect_hardware_blob(uint32_t size, const void* data) {
  ASSERT_EQ(size, sizeof(QnnHtpSystemContext_HwBlobInfo_t));
  const auto& blob = *static_cast<const QnnHtpSystemContext_HwBlobInfo_t*>(data);
  EXPECT_EQ(blob.version, QNN_SYSTEM_CONTEXT_HTP_HW_INFO_BLOB_VERSION_V1);
  EXPECT_LT(blob.contextBinaryHwInfoBlobV1_t.graphListIndex, 2U);
}

// feature: B1, C1 (C API)
TEST_F(BinaryInfoTest, Version2ForSdk225) {
  const QnnSystemContext_BinaryInfo_t& binary = info("2.25");
  ASSERT_EQ(binary.version, QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2);
  const QnnSystemContext_BinaryInfoV2_t& v2 = binary.contextBinaryInfoV2;
  expect_common(v2, binary_.size());
  expect_part(v2.platformInfo);
  expect_hardware_blob(v2.hwInfoBlobSize, v2.hwInfoBlob);
  for (uint32_t i = 0; i < 2; ++i) {
    const QnnSystemContext_GraphInfo_t& graph = at(v2.graphs, i, 64);
    ASSERT_EQ(graph.version, QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_2);
    EXPECT_EQ(graph.graphInfoV2.graphName, models_[i].name);
    EXPECT_EQ(graph.graphInfoV2.numUpdateableTensors, 0U);
  }
}

// Graphs and, before SDK 2.20, tensors were smaller: arrays are laid out as that client steps through them.
// feature: B1, C1 (C API)
TEST_F(BinaryInfoTest, OlderClientsStepThroughTheirArrays) {
  struct Case {
    const char* sdk;
    size_t tensor_stride;
  };
  for (const Case& client : {Case{"2.20", 144}, Case{"2.16", 120}}) {
    SCOPED_TRACE(client.sdk);
    const QnnSystemContext_BinaryInfo_t& binary = info(client.sdk);
    // Version 1 is the beginning of version 2.
    const QnnSystemContext_BinaryInfoV1_t& v1 = binary.contextBinaryInfoV1;
    EXPECT_EQ(binary.version, client.tensor_stride == 120 ? QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_1
                                                          : QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2);
    expect_common(v1, binary_.size());
    expect_hardware_blob(v1.hwInfoBlobSize, v1.hwInfoBlob);
    for (uint32_t i = 0; i < 2; ++i) {
      const QnnSystemContext_GraphInfo_t& graph = at(v1.graphs, i, 48);
      ASSERT_EQ(graph.version, QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_1);
      EXPECT_EQ(graph.graphInfoV1.graphName, models_[i].name);
      const auto inputs = models_[i].with_role(QNN_TENSOR_TYPE_APP_WRITE);
      ASSERT_EQ(graph.graphInfoV1.numGraphInputs, inputs.size());
      for (uint32_t t = 0; t < inputs.size(); ++t) {
        const Qnn_Tensor_t& tensor = at(graph.graphInfoV1.graphInputs, t, client.tensor_stride);
        EXPECT_EQ(tensor.v1.name, inputs[t]->name);
        EXPECT_EQ(tensor.v1.id, inputs[t]->id);
      }
    }
  }
}

// Bytes changed at random, one at a time and many: an answer, never a crash.
// feature: C1 (C API)
TEST_F(BinaryInfoTest, HostileBytesGetAnAnswer) {
  const SystemApi& api = library_.api();
  uint32_t state = 7;
  const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
  const size_t front = std::min<size_t>(binary_.size(), 8192);  // where the structure is
  for (int round = 0; round < 400; ++round) {
    Bytes spoilt = binary_;
    for (int i = 0; i <= round % 8; ++i)
      spoilt[next() % (round % 2 == 0 ? front : spoilt.size())] = static_cast<std::byte>(next() >> 16);
    if (round % 5 == 0) spoilt.resize(next() % spoilt.size());
    if (spoilt.empty()) continue;
    QnnSystemContext_Handle_t handle = nullptr;
    ASSERT_EQ(api.systemContextCreate(&handle), QNN_SUCCESS);
    const QnnSystemContext_BinaryInfo_t* found = nullptr;
    const Qnn_ErrorHandle_t answer =
        api.systemContextGetMetaData(handle, spoilt.data(), spoilt.size(), &found);
    EXPECT_TRUE(answer == QNN_SUCCESS || answer == QNN_SYSTEM_CONTEXT_ERROR_MALFORMED_BINARY) << answer;
    EXPECT_EQ(api.systemContextFree(handle), QNN_SUCCESS);
  }
}

}  // namespace
}  // namespace conformance
