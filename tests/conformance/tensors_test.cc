// SPDX-License-Identifier: BSD-3-Clause
// Tensors of every type and version: which are taken, which are refused and why, and how they are matched.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "QnnOpPackage.h"
#include "QnnTensor.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

// A graph in a context of its own, to create tensors in.
struct OpenGraph {
  Session session;
  const Api& api = session.api;
  Owned context = session.context();
  Graph graph{api, context, add(Kind::kFloat).model};

  // Describes a small float input, lets the test change it, and creates it.
  Qnn_ErrorHandle_t create(const std::function<void(Qnn_Tensor_t&)>& change,
                           Qnn_TensorVersion_t version = QNN_TENSOR_VERSION_1, uint32_t* id = nullptr) {
    Scratch scratch;
    const Tensor plain{
        .name = "peculiar" + std::to_string(++count_), .role = QNN_TENSOR_TYPE_APP_WRITE, .dims = {1, 4}};
    Qnn_Tensor_t described = describe(plain, scratch, version);
    change(described);
    const Qnn_ErrorHandle_t answer = api.tensorCreateGraphTensor(graph.handle, &described);
    if (id) *id = fields(described).id;
    return answer;
  }

 private:
  int count_ = 0;
};

// feature: B2 (C API)
TEST(Tensors, EveryTypeThatAGraphCanHaveIsTaken) {
  OpenGraph open;
  for (const Qnn_TensorType_t type :
       {QNN_TENSOR_TYPE_APP_WRITE, QNN_TENSOR_TYPE_APP_READ, QNN_TENSOR_TYPE_NATIVE,
        QNN_TENSOR_TYPE_UPDATEABLE_NATIVE, QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE,
        QNN_TENSOR_TYPE_UPDATEABLE_APP_READ, QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE,
        QNN_TENSOR_TYPE_OPTIONAL_APP_READ})
    for (const Qnn_TensorVersion_t version : {QNN_TENSOR_VERSION_1, QNN_TENSOR_VERSION_2})
      EXPECT_EQ(open.create([type](Qnn_Tensor_t& tensor) { tensor.v1.type = type; }, version), QNN_SUCCESS)
          << type;

  float data[4] = {};
  for (const Qnn_TensorType_t type : {QNN_TENSOR_TYPE_STATIC, QNN_TENSOR_TYPE_UPDATEABLE_STATIC})
    EXPECT_EQ(open.create([&](Qnn_Tensor_t& tensor) {
      tensor.v1.type = type;
      tensor.v1.clientBuf = {data, sizeof data};
    }),
              QNN_SUCCESS)
        << type;
}

// feature: B2 (C API)
TEST(Tensors, ReadWriteTensorsAreRefusedWithTheWayOut) {
  OpenGraph open;
  for (const Qnn_TensorType_t type : {QNN_TENSOR_TYPE_APP_READWRITE, QNN_TENSOR_TYPE_UPDATEABLE_APP_READWRITE,
                                      QNN_TENSOR_TYPE_OPTIONAL_APP_READWRITE})
    EXPECT_TRUE(refused(open.api, open.create([type](Qnn_Tensor_t& tensor) { tensor.v1.type = type; }),
                        QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM, {"peculiar", "READWRITE", "APP_READ"}));
}

// A tensor that stands for "nothing" may be created, or not: nodes take it either way.
// feature: B2 (C API)
TEST(Tensors, NullTensorsNeedNoNameTypeOrShape) {
  OpenGraph open;
  Qnn_Tensor_t absent = QNN_TENSOR_INIT;
  absent.v1.type = QNN_TENSOR_TYPE_NULL;
  EXPECT_EQ(open.api.tensorCreateGraphTensor(open.graph.handle, &absent), QNN_SUCCESS);
  EXPECT_EQ(open.api.tensorCreateGraphTensor(open.graph.handle, &absent), QNN_SUCCESS)
      << "as often as one likes";
}

// A Conv2d whose bias is a null tensor computes what one with no bias at all computes.
// feature: B2 (C API)
TEST(Tensors, AnAbsentOptionalInputIsLeftOut) {
  const Session session;
  Sample sample = conv_relu_pool(Kind::kQuantized);
  sample.model.node("conv").inputs.pop_back();
  const Owned plain_context = session.context();
  const Buffers expected = Graph::built(session.api, plain_context, sample.model).run(sample.inputs);

  const Owned context = session.context();
  Graph graph(session.api, context, sample.model);
  for (Node& node : graph.model.nodes) {
    graph.create_tensors_of(node);
    Scratch scratch;
    Qnn_OpConfig_t config = describe(graph.model, node, scratch);
    std::vector<Qnn_Tensor_t> inputs(config.v1.inputTensors, config.v1.inputTensors + config.v1.numOfInputs);
    if (node.name == "conv") {
      inputs.push_back(QNN_TENSOR_INIT);
      inputs.back().v1.type = QNN_TENSOR_TYPE_NULL;
      config.v1.numOfInputs = 3;
      config.v1.inputTensors = inputs.data();
      check(session.api, session.api.backendValidateOpConfig(session.backend, config), "validateOpConfig");
    }
    check(session.api, session.api.graphAddNode(graph.handle, config), "graphAddNode");
  }
  check(session.api, graph.finalize(), "graphFinalize");
  EXPECT_EQ(graph.run(sample.inputs), expected);
}

// feature: B2 (C API)
TEST(Tensors, ANullOutputThatTheOpNeedsIsRefused) {
  OpenGraph open;
  Node& node = open.graph.model.nodes.front();
  open.graph.create_tensors_of(node);
  Scratch scratch;
  Qnn_OpConfig_t config = describe(open.graph.model, node, scratch);
  config.v1.outputTensors[0].v1.type = QNN_TENSOR_TYPE_NULL;
  EXPECT_TRUE(refused(open.api, open.api.backendValidateOpConfig(open.session.backend, config),
                      QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE, {"output"}));
  EXPECT_TRUE(refused(open.api, open.api.graphAddNode(open.graph.handle, config),
                      QNN_GRAPH_ERROR_INVALID_OP_CONFIG, {"output"}));
}

// feature: B2 (C API)
TEST(Tensors, LayoutsOtherThanDenseAreRefusedWithTheReason) {
  OpenGraph open;
  const struct {
    uint32_t format;
    const char* word;
  } formats[] = {{QNN_TENSOR_DATA_FORMAT_UBWC_NV12, "UBWC"},
                 {QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT, "matrix unit"},
                 {QNN_TENSOR_DATA_FORMAT_MX, "MX"},
                 {4242, "4242"}};
  for (const auto& [format, word] : formats)
    EXPECT_TRUE(refused(
        open.api, open.create([format = format](Qnn_Tensor_t& tensor) { tensor.v1.dataFormat = format; }),
        QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM, {"peculiar", word}));
}

// feature: B2 (C API)
TEST(Tensors, DynamicDimensionsAreRefusedByTheirIndex) {
  OpenGraph open;
  uint8_t dynamic[] = {0, 1};
  EXPECT_TRUE(refused(open.api,
                      open.create([&](Qnn_Tensor_t& tensor) { tensor.v2.isDynamicDimensions = dynamic; },
                                  QNN_TENSOR_VERSION_2),
                      QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM, {"dimension 1", "dynamic"}));
  dynamic[1] = 0;
  EXPECT_EQ(open.create([&](Qnn_Tensor_t& tensor) { tensor.v2.isDynamicDimensions = dynamic; },
                        QNN_TENSOR_VERSION_2),
            QNN_SUCCESS);
}

// feature: B2 (C API)
TEST(Tensors, MemoryTypesFollowTheirRules) {
  OpenGraph open;
  const auto with_memory = [&](Qnn_TensorType_t type, uint32_t memory) {
    return open.create([=](Qnn_Tensor_t& tensor) {
      tensor.v1.type = type;
      std::memcpy(&tensor.v1.memType, &memory, sizeof memory);
      tensor.v1.memHandle = nullptr;
    });
  };
  EXPECT_EQ(with_memory(QNN_TENSOR_TYPE_APP_WRITE, QNN_TENSORMEMTYPE_MEMHANDLE), QNN_SUCCESS);
  EXPECT_EQ(with_memory(QNN_TENSOR_TYPE_APP_READ, QNN_TENSORMEMTYPE_UNDEFINED), QNN_SUCCESS);
  EXPECT_TRUE(refused(open.api, with_memory(QNN_TENSOR_TYPE_STATIC, QNN_TENSORMEMTYPE_MEMHANDLE),
                      QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM, {"raw"}));
  EXPECT_TRUE(refused(open.api, with_memory(QNN_TENSOR_TYPE_APP_WRITE, QNN_TENSORMEMTYPE_RETRIEVE_RAW),
                      QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM, {"callback"}));
  EXPECT_TRUE(refused(open.api, with_memory(QNN_TENSOR_TYPE_APP_WRITE, 77),
                      QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM, {"77"}));
}

// feature: B1, B2 (C API)
TEST(Tensors, HostileFieldsNeverCrash) {
  OpenGraph open;
  const std::vector<std::function<void(Qnn_Tensor_t&)>> hostile = {
      [](Qnn_Tensor_t& tensor) { tensor.v1.dimensions = nullptr; },
      [](Qnn_Tensor_t& tensor) { tensor.v1.rank = 0xFFFFFFFF; },
      [](Qnn_Tensor_t& tensor) { tensor.v1.rank = 9; },
      [](Qnn_Tensor_t& tensor) { tensor.v1.name = nullptr; },
      [](Qnn_Tensor_t& tensor) { tensor.v1.name = ""; },
      [](Qnn_Tensor_t& tensor) { std::memset(&tensor.v1.type, 0xA5, sizeof tensor.v1.type); },
      [](Qnn_Tensor_t& tensor) { std::memset(&tensor.v1.dataType, 0xA5, sizeof tensor.v1.dataType); },
      [](Qnn_Tensor_t& tensor) { std::memset(&tensor.version, 0xA5, sizeof tensor.version); },
      [](Qnn_Tensor_t& tensor) { tensor.v1.dataType = QNN_DATATYPE_STRING; },
  };
  for (size_t i = 0; i < hostile.size(); ++i) EXPECT_NE(open.create(hostile[i]), QNN_SUCCESS) << i;
  uint8_t dynamic[1] = {0};
  EXPECT_NE(open.create(
                [&](Qnn_Tensor_t& tensor) {
                  tensor.v2.isDynamicDimensions = dynamic;
                  tensor.v2.rank = 0xFFFFFFFF;
                },
                QNN_TENSOR_VERSION_2),
            QNN_SUCCESS);
}

// feature: B2 (C API)
TEST(Tensors, IdsAreUniqueInAGraph) {
  OpenGraph open;
  std::set<uint32_t> ids;
  for (int i = 0; i < 50; ++i) {
    uint32_t id = 0;
    ASSERT_EQ(open.create([](Qnn_Tensor_t&) {}, QNN_TENSOR_VERSION_1, &id), QNN_SUCCESS);
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
}

// ---- Execute ----

// Both versions of a tensor in one call, out of order, with tensors that the graph does not have.
// feature: B2 (C API)
TEST(ExecuteTensors, AreMatchedByIdWhateverElseIsPassed) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers expected = graph.run(sample.inputs);

  IoTensors io(graph.model, sample.inputs);
  std::reverse(io.inputs.begin(), io.inputs.end());
  Qnn_Tensor_t version2 = QNN_TENSOR_INIT;
  version2.version = QNN_TENSOR_VERSION_2;
  version2.v2 = QNN_TENSOR_V2_INIT;
  std::memcpy(&version2.v2, &io.inputs[0].v1, sizeof(Qnn_TensorV1_t));
  io.inputs[0] = version2;
  Qnn_Tensor_t stranger = QNN_TENSOR_INIT;  // no memory type, no buffer: nobody looks
  stranger.v1.id = 4242;
  io.inputs.insert(io.inputs.begin(), stranger);
  stranger.v1.id = 4343;
  io.outputs.insert(io.outputs.begin(), stranger);
  check(session.api, graph.execute(io), "graphExecute");
  EXPECT_EQ(io.results, expected);
}

// feature: B2 (C API)
TEST(ExecuteTensors, Version2OutputsSayThatTheyWereProduced) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors io(graph.model, sample.inputs);
  const Qnn_TensorV1_t output = io.outputs[0].v1;
  io.outputs[0].version = QNN_TENSOR_VERSION_2;
  io.outputs[0].v2 = QNN_TENSOR_V2_INIT;
  std::memcpy(&io.outputs[0].v2, &output, sizeof output);
  check(session.api, graph.execute(io), "graphExecute");
  EXPECT_EQ(io.outputs[0].v2.isProduced, 1);
}

// HTP takes no null tensors at execute: an optional input or output must be passed all the same.
// feature: B2 (C API)
TEST(ExecuteTensors, OptionalOnesMustBePassed) {
  const Session session;
  Sample sample = add(Kind::kQuantized);
  sample.model.tensor("right").role = QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE;
  const Owned context = session.context();
  Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors without(graph.model, sample.inputs);
  EXPECT_TRUE(refused(session.api, graph.execute(without), QNN_GRAPH_ERROR_INVALID_TENSOR, {"right"}));
  graph.model.tensor("right").role = QNN_TENSOR_TYPE_APP_WRITE;
  IoTensors with(graph.model, sample.inputs);
  EXPECT_EQ(graph.execute(with), QNN_SUCCESS);
}

}  // namespace
}  // namespace conformance
