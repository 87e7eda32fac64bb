// SPDX-License-Identifier: BSD-3-Clause
// QnnSystemDlc_*: from a .dlc to graphs in a context of the backend, as clients do it.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>

#include "client.h"
#include "dlc_file.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr Qnn_ErrorHandle_t kDlcArgument = QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT;
constexpr Qnn_ErrorHandle_t kMalformed = QNN_SYSTEM_DLC_ERROR_MALFORMED_BINARY;
constexpr Qnn_ErrorHandle_t kFailed = QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED;

// The list is the client's to free.
struct Composed {
  QnnSystemContext_GraphInfo_t* list = nullptr;
  uint32_t count = 0;
  Composed() = default;
  Composed(const Composed&) = delete;
  Composed& operator=(const Composed&) = delete;
  ~Composed() { ::free(list); }
};

struct SystemDlc : ::testing::Test {
  SystemLibrary system;
  const SystemApi& api = system.api();
  Owned log = create_log(api, QNN_LOG_LEVEL_ERROR);
  Session session;
  Owned context = session.context();
  Bytes file = sample_dlc();

  Owned open(const Bytes& bytes) {
    QnnSystemDlc_Handle_t dlc = nullptr;
    EXPECT_EQ(api.systemDlcCreateFromBinary(log, octets(bytes), bytes.size(), &dlc), QNN_SUCCESS)
        << take_log();
    return {dlc, api.systemDlcFree};
  }
  Qnn_ErrorHandle_t refused_bytes(const Bytes& bytes) {
    take_log();
    QnnSystemDlc_Handle_t dlc = nullptr;
    const auto answer = api.systemDlcCreateFromBinary(log, octets(bytes), bytes.size(), &dlc);
    EXPECT_EQ(dlc, nullptr);
    return answer;
  }
  Qnn_ErrorHandle_t compose(void* dlc, Composed& composed,
                            const std::vector<const QnnSystemDlc_GraphConfigInfo_t*>& configs = {},
                            int version = 1) {
    take_log();
    auto list = configs;
    return api.systemDlcComposeGraphs(
        dlc, list.empty() ? nullptr : list.data(), static_cast<uint32_t>(list.size()), session.backend,
        context, session.library.provider, static_cast<QnnSystemContext_GraphInfoVersion_t>(version),
        &composed.list, &composed.count);
  }
  // Finalizes and executes the graph that the info is of.
  std::vector<float> run(const QnnSystemContext_GraphInfoV1_t& info, std::vector<float> x) {
    Qnn_GraphHandle_t graph = nullptr;
    check(session.api, session.api.graphRetrieve(context, info.graphName, &graph), "graphRetrieve");
    check(session.api, session.api.graphFinalize(graph, nullptr, nullptr), "graphFinalize");
    std::vector<float> y(x.size());
    Qnn_Tensor_t input = info.graphInputs[0];
    Qnn_Tensor_t output = info.graphOutputs[0];
    input.v1.clientBuf = {x.data(), static_cast<uint32_t>(x.size() * sizeof(float))};
    output.v1.clientBuf = {y.data(), static_cast<uint32_t>(y.size() * sizeof(float))};
    check(session.api, session.api.graphExecute(graph, &input, 1, &output, 1, nullptr, nullptr),
          "graphExecute");
    return y;
  }
};

const std::vector<float> kInput = {1.0F, 2.0F, -1.0F, 0.0F, -2.0F, 0.5F, 3.0F, -4.0F};

std::vector<float> expected() {
  std::vector<float> y;
  for (size_t i = 0; i < kInput.size(); ++i) y.push_back(std::fmax(kInput[i] + kDlcBias[i % 4], 0.0F));
  return y;
}

// feature: B1 (C API)
TEST_F(SystemDlc, GraphsAreComposedAndRun) {
  const Owned dlc = open(file);
  std::fill(file.begin(), file.end(), std::byte{0});  // the client's buffer is his own again
  Composed composed;
  ASSERT_EQ(compose(dlc, composed), QNN_SUCCESS) << take_log();
  ASSERT_EQ(composed.count, 2U);
  for (const uint32_t i : {0U, 1U}) {
    EXPECT_EQ(composed.list[i].version, QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_1);
    const QnnSystemContext_GraphInfoV1_t& info = composed.list[i].graphInfoV1;
    EXPECT_STREQ(info.graphName, i == 0 ? "first" : "second");
    ASSERT_EQ(info.numGraphInputs, 1U);
    ASSERT_EQ(info.numGraphOutputs, 1U);
    const Qnn_TensorV1_t& x = info.graphInputs[0].v1;
    EXPECT_STREQ(x.name, "x");
    EXPECT_EQ(x.type, QNN_TENSOR_TYPE_APP_WRITE);
    EXPECT_EQ(x.dataType, QNN_DATATYPE_FLOAT_32);
    EXPECT_EQ(x.rank, 2U);
    EXPECT_EQ(x.dimensions[1], 4U);
    EXPECT_STREQ(info.graphOutputs[0].v1.name, "y");
    EXPECT_EQ(run(info, kInput), expected());
  }
}

// feature: B1 (C API)
TEST_F(SystemDlc, FilesAreOpenedAndWritten) {
  std::string folder = fs::temp_directory_path() / "openqnn_dlc_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/model.dlc";
  const Owned from_memory = open(file);
  ASSERT_EQ(api.systemDlcSave(from_memory, path.c_str()), QNN_SUCCESS);
  QnnSystemDlc_Handle_t handle = nullptr;
  ASSERT_EQ(api.systemDlcCreateFromFile(nullptr, path.c_str(), &handle), QNN_SUCCESS);
  const Owned dlc(handle, api.systemDlcFree);
  fs::remove_all(folder);  // what is open stays usable
  Qnn_SystemDlcBinarySize_t size = 0;
  ASSERT_EQ(api.systemDlcGetBinarySize(dlc, &size), QNN_SUCCESS);
  ASSERT_EQ(size, file.size());
  Bytes copy(size);
  Qnn_SystemDlcBinarySize_t written = 0;
  auto* const buffer = reinterpret_cast<uint8_t*>(copy.data());
  EXPECT_EQ(api.systemDlcGetBinary(dlc, buffer, size - 1, &written), kDlcArgument);
  ASSERT_EQ(api.systemDlcGetBinary(dlc, buffer, size, &written), QNN_SUCCESS);
  EXPECT_EQ(written, size);
  EXPECT_EQ(copy, file);
  Composed composed;
  ASSERT_EQ(compose(dlc, composed), QNN_SUCCESS);
  EXPECT_EQ(run(composed.list[0].graphInfoV1, kInput), expected());
  EXPECT_EQ(api.systemDlcSave(dlc, "/nowhere/at/all.dlc"), kFailed);
  EXPECT_EQ(api.systemDlcCreateFromFile(nullptr, path.c_str(), &handle), kFailed);
}

// feature: B1 (C API)
TEST_F(SystemDlc, OpMappings) {
  const Owned dlc = open(file);
  const Qnn_OpMapping_t* mappings = nullptr;
  uint32_t count = 0;
  ASSERT_EQ(api.systemDlcGetOpMappings(dlc, &mappings, &count), QNN_SUCCESS);
  ASSERT_EQ(count, 2U);
  ASSERT_EQ(mappings[1].version, QNN_OP_MAPPING_VERSION_1);
  const Qnn_OpMappingV1_t& second = *mappings[1].v1;
  EXPECT_STREQ(second.graphName, "second");
  ASSERT_EQ(second.numOpMappings, 2U);
  EXPECT_STREQ(second.opMappings[1].name, "relu");
  ASSERT_EQ(second.opMappings[1].numPairs, 1U);
  EXPECT_STREQ(second.opMappings[1].pair[0].name, "source_relu");
  EXPECT_EQ(second.opMappings[1].pair[0].type, QNN_OP_MAPPING_TYPE_OP);
  ASSERT_EQ(second.numTensorMappings, 1U);
  EXPECT_STREQ(second.tensorMappings[0].name, "x");
  EXPECT_STREQ(second.tensorMappings[0].pair[0].name, "source_x");
  EXPECT_EQ(second.tensorMappings[0].pair[0].type, QNN_OP_MAPPING_TYPE_TENSOR);
}

QnnSystemDlc_GraphConfigInfo_t config_for(const char* graph, GraphOptions& options, uint32_t count) {
  QnnSystemDlc_GraphConfigInfo_t info;
  info.version = QNN_SYSTEM_DLC_GRAPH_CONFIG_INFO_VERSION_1;
  info.v1 = {graph, options.list(), count};
  return info;
}

// feature: B1 (C API)
TEST_F(SystemDlc, OptionsReachTheirGraph) {
  const Owned dlc = open(file);
  GraphOptions bad;
  bad.optimization(17);  // there is no such level: whoever gets this option refuses it
  const QnnSystemDlc_GraphConfigInfo_t for_second = config_for("second", bad, 1);
  Composed composed;
  EXPECT_EQ(compose(dlc, composed, {&for_second}), kFailed);
  EXPECT_THAT(take_log(), HasSubstr("QnnGraph_create"));
  EXPECT_EQ(composed.list, nullptr);
  Qnn_GraphHandle_t graph = nullptr;
  EXPECT_EQ(session.api.graphRetrieve(context, "first", &graph), QNN_SUCCESS) << "it has other options";

  context = session.context();
  GraphOptions good;
  good.optimization(3);
  const QnnSystemDlc_GraphConfigInfo_t accepted = config_for("second", good, 1);
  EXPECT_EQ(compose(dlc, composed, {&accepted}), QNN_SUCCESS) << take_log();
}

// feature: B1 (C API)
TEST_F(SystemDlc, WrongOptions) {
  const Owned dlc = open(file);
  GraphOptions options;
  options.optimization(2);
  Composed composed;
  const auto unknown = config_for("third", options, 1);
  EXPECT_EQ(compose(dlc, composed, {&unknown}), kDlcArgument);
  EXPECT_THAT(take_log(), HasSubstr("'third'"));
  const auto twice = config_for("first", options, 1);
  EXPECT_EQ(compose(dlc, composed, {&twice, &twice}), kDlcArgument);
  EXPECT_EQ(compose(dlc, composed, {nullptr}), kDlcArgument);
  auto versioned = twice;
  const uint32_t version = 7;
  std::memcpy(&versioned.version, &version, sizeof version);
  EXPECT_EQ(compose(dlc, composed, {&versioned}), kDlcArgument);
  auto nameless = twice;
  nameless.v1.graphName = nullptr;
  EXPECT_EQ(compose(dlc, composed, {&nameless}), kDlcArgument);
  auto listless = twice;
  listless.v1.graphConfigs = nullptr;
  EXPECT_EQ(compose(dlc, composed, {&listless}), kDlcArgument);
  for (const int wrong : {0, 4, 0x7FFFFFFF})
    EXPECT_EQ(compose(dlc, composed, {}, wrong), kDlcArgument) << wrong;
  EXPECT_EQ(composed.list, nullptr);
  Qnn_GraphHandle_t graph = nullptr;
  EXPECT_NE(session.api.graphRetrieve(context, "first", &graph), QNN_SUCCESS) << "nothing was made";
}

// feature: B1 (C API)
TEST_F(SystemDlc, AllVersionsOfTheInfo) {
  const Owned dlc = open(file);
  for (const int version : {1, 2, 3}) {
    context = session.context();
    Composed composed;
    ASSERT_EQ(compose(dlc, composed, {}, version), QNN_SUCCESS) << take_log();
    EXPECT_EQ(static_cast<int>(composed.list[1].version), version);
    EXPECT_STREQ(composed.list[1].graphInfoV1.graphName, "second");
    if (version >= 2) {
      EXPECT_EQ(composed.list[1].graphInfoV2.numUpdateableTensors, 0U);
    }
    EXPECT_EQ(run(composed.list[1].graphInfoV1, kInput), expected());
  }
}

// feature: B1 (C API)
TEST_F(SystemDlc, BackendsThatCannotCompose) {
  const Owned dlc = open(file);
  Composed composed;
  EXPECT_EQ(compose(dlc, composed), QNN_SUCCESS);
  Composed again;
  EXPECT_EQ(compose(dlc, again), kFailed) << "the names are taken";
  EXPECT_THAT(take_log(), HasSubstr("first"));
  const auto with = [&](const QnnInterface_t& table) {
    return api.systemDlcComposeGraphs(dlc, nullptr, 0, session.backend, context, table,
                                      QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_1, &again.list, &again.count);
  };
  QnnInterface_t table = session.library.provider;
  table.apiVersion.coreApiVersion.major = 9;
  EXPECT_EQ(with(table), kDlcArgument);
  table = session.library.provider;
  table.QNN_INTERFACE_VER_NAME.graphAddNode = nullptr;
  EXPECT_EQ(with(table), kDlcArgument);
  EXPECT_EQ(again.list, nullptr);
}

// feature: B1 (C API)
TEST_F(SystemDlc, WhatIsNoDlc) {
  EXPECT_EQ(refused_bytes(vendors_dlc()), kMalformed);
  EXPECT_THAT(take_log(), HasSubstr("the vendor's DLC"));
  EXPECT_EQ(refused_bytes(zip_of({{"picture.png", "bytes"}})), kMalformed);
  EXPECT_EQ(refused_bytes(Bytes(100, std::byte{7})), kMalformed);
  EXPECT_EQ(refused_bytes(Bytes(1)), kMalformed);
  for (size_t size = 0; size < file.size(); size += 7)
    EXPECT_EQ(refused_bytes(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size) + 1)),
              kMalformed)
        << size;
}

// The sentence for damage is the reader's; here no flipped byte may do harm.
// feature: B1 (C API)
TEST_F(SystemDlc, DamagedBytes) {
  for (size_t at = 0; at < file.size(); at += 5) {
    Bytes damaged = file;
    damaged[at] ^= std::byte{0x10};
    QnnSystemDlc_Handle_t dlc = nullptr;
    if (api.systemDlcCreateFromBinary(nullptr, octets(damaged), damaged.size(), &dlc) == QNN_SUCCESS) {
      EXPECT_EQ(api.systemDlcFree(dlc), QNN_SUCCESS);
    }
  }
}

// feature: B1 (C API)
TEST_F(SystemDlc, OneDlcForManyThreads) {
  const Owned dlc = open(file);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const Owned own = session.context();
      Composed composed;
      EXPECT_EQ(api.systemDlcComposeGraphs(dlc, nullptr, 0, session.backend, own, session.library.provider,
                                           QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_2, &composed.list,
                                           &composed.count),
                QNN_SUCCESS);
      EXPECT_EQ(composed.count, 2U);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace conformance
