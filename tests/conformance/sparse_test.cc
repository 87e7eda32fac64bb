// SPDX-License-Identifier: BSD-3-Clause
// Sparse tensors: from coordinates and values, through graphs and binaries, to dense ones.
#include <gmock/gmock.h>

#include <cstring>

#include "QnnOpPackage.h"
#include "QnnTensor.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr Encoding kEncoding = {0.5F, 0};

Tensor number8(const char* name, Qnn_TensorType_t role, std::vector<uint32_t> dims) {
  return {.name = name,
          .role = role,
          .type = QNN_DATATYPE_UFIXED_POINT_8,
          .dims = std::move(dims),
          .encoding = kEncoding};
}

Tensor places(const char* name, Qnn_TensorType_t role, uint32_t count) {
  return {.name = name, .role = role, .type = QNN_DATATYPE_INT_32, .dims = {count, 2}};
}

// [4, 5, 3] with three places of four; out of it come its parts and the dense tensor.
Model sparse_model() {
  Model model{.name = "sparse"};
  Tensor sparse = number8("sparse", QNN_TENSOR_TYPE_NATIVE, {4, 5, 3});
  sparse.sparse = {4, 2};
  model.tensors = {places("indices", QNN_TENSOR_TYPE_APP_WRITE, 3),
                   number8("values", QNN_TENSOR_TYPE_APP_WRITE, {3, 3}),
                   sparse,
                   number8("dense", QNN_TENSOR_TYPE_APP_READ, {4, 5, 3}),
                   places("indices_again", QNN_TENSOR_TYPE_APP_READ, 4),
                   number8("values_again", QNN_TENSOR_TYPE_APP_READ, {4, 3})};
  model.nodes = {
      {.name = "create",
       .type = QNN_OP_CREATE_SPARSE,
       .inputs = {"indices", "values"},
       .outputs = {"sparse"}},
      {.name = "dense", .type = QNN_OP_SPARSE_TO_DENSE, .inputs = {"sparse"}, .outputs = {"dense"}},
      {.name = "indices",
       .type = QNN_OP_GET_SPARSE_INDICES,
       .inputs = {"sparse"},
       .outputs = {"indices_again"}},
      {.name = "values",
       .type = QNN_OP_GET_SPARSE_VALUES,
       .inputs = {"sparse"},
       .outputs = {"values_again"}}};
  return model;
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

using I32 = std::vector<int32_t>;
using U8 = std::vector<uint8_t>;

Buffers sparse_inputs() {
  return {{"indices", bytes_of(I32{3, 4, 0, 1, 7, 0})},  // the last one is outside
          {"values", bytes_of(U8{1, 2, 3, 4, 5, 6, 7, 8, 9})}};
}

void expect_sparse_results(const Buffers& results) {
  U8 dense(4 * 5 * 3, 0);
  for (size_t i = 0; i < 3; ++i) dense[(3 * 5 + 4) * 3 + i] = static_cast<uint8_t>(1 + i);
  for (size_t i = 0; i < 3; ++i) dense[(0 * 5 + 1) * 3 + i] = static_cast<uint8_t>(4 + i);
  EXPECT_EQ(results.at("dense"), bytes_of(dense));
  // The fourth place is free.
  EXPECT_EQ(results.at("indices_again"), bytes_of(I32{3, 4, 0, 1, 7, 0, -1, -1}));
  EXPECT_EQ(results.at("values_again"), bytes_of(U8{1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0}));
}

// feature: B2 (C API)
TEST(Sparse, PlacesAndValuesBecomeADenseTensor) {
  const Session session;
  const Owned context = session.context();
  expect_sparse_results(Graph::built(session.api, context, sparse_model()).run(sparse_inputs()));
  const ScopedEnvironment tiled("OPENQNN_EXEC", "tiled");
  const Owned tiled_context = session.context();
  expect_sparse_results(Graph::built(session.api, tiled_context, sparse_model()).run(sparse_inputs()));
}

// feature: B2, C1 (C API)
TEST(Sparse, ABinaryKeepsThem) {
  const Session session;
  const Owned context = session.context();
  Model model = sparse_model();
  model.tensor("sparse").role = QNN_TENSOR_TYPE_UPDATEABLE_NATIVE;  // so that the binary's info lists it
  const Graph graph = Graph::built(session.api, context, model);
  const Bytes binary = binary_of(session.api, context);
  const Owned loaded = session.load(binary);
  expect_sparse_results(Graph::retrieved(session.api, loaded, graph.model).run(sparse_inputs()));

  const SystemLibrary system;
  QnnSystemContext_Handle_t handle = nullptr;
  ASSERT_EQ(system.api().systemContextCreate(&handle), QNN_SUCCESS);
  const Owned owned(handle, [&](void* freed) { return system.api().systemContextFree(freed); });
  const QnnSystemContext_BinaryInfo_t* info = nullptr;
  Qnn_ContextBinarySize_t size = 0;
  Bytes copy = binary;
  ASSERT_EQ(system.api().systemContextGetBinaryInfo(handle, copy.data(), copy.size(), &info, &size),
            QNN_SUCCESS);
  ASSERT_EQ(info->version, QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_3);
  const QnnSystemContext_GraphInfoV3_t& described = info->contextBinaryInfoV3.graphs[0].graphInfoV3;
  ASSERT_EQ(described.numUpdateableTensors, 1U);
  const Qnn_Tensor_t& tensor = described.updateableTensors[0];
  ASSERT_EQ(tensor.version, QNN_TENSOR_VERSION_2);
  EXPECT_STREQ(tensor.v2.name, "sparse");
  EXPECT_EQ(tensor.v2.dataFormat, uint32_t{QNN_TENSOR_DATA_FORMAT_SPARSE});
  EXPECT_EQ(tensor.v2.rank, 3U);
  EXPECT_EQ(tensor.v2.sparseParams.type, QNN_SPARSE_LAYOUT_HYBRID_COO);
  EXPECT_EQ(tensor.v2.sparseParams.hybridCoo.numSpecifiedElements, 4U);
  EXPECT_EQ(tensor.v2.sparseParams.hybridCoo.numSparseDimensions, 2U);
  for (uint32_t i = 0; i < described.numGraphInputs; ++i)
    EXPECT_EQ(fields(described.graphInputs[i]).dataFormat, uint32_t{QNN_TENSOR_DATA_FORMAT_DENSE});
}

// Creates the model's sparse tensor after a change.
Qnn_ErrorHandle_t create(const Session& session, Qnn_ContextHandle_t context,
                         const std::function<void(Qnn_Tensor_t&)>& change) {
  static int count = 0;
  Model model = sparse_model();
  model.name += std::to_string(++count);
  const Graph graph(session.api, context, model);
  Scratch scratch;
  Qnn_Tensor_t tensor = describe(model.tensor("sparse"), scratch);
  change(tensor);
  return session.api.tensorCreateGraphTensor(graph.handle, &tensor);
}

// feature: B2 (C API)
TEST(Sparse, TensorsThatCannotBeAreRefused) {
  const Session session;
  const Owned context = session.context();
  const auto with = [&](const std::function<void(Qnn_Tensor_t&)>& change) {
    return create(session, context, change);
  };
  const auto layout = [&](uint32_t elements, uint32_t dimensions) {
    return with([=](Qnn_Tensor_t& tensor) { tensor.v2.sparseParams.hybridCoo = {elements, dimensions}; });
  };
  constexpr Qnn_ErrorHandle_t kInvalid = QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM;
  constexpr Qnn_ErrorHandle_t kUnsupported = QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM;
  EXPECT_EQ(layout(20, 2), QNN_SUCCESS) << "every place";
  EXPECT_EQ(layout(60, 3), QNN_SUCCESS);
  EXPECT_TRUE(refused(session.api, layout(21, 2), kInvalid, {"'sparse'", "20 places"}));
  EXPECT_TRUE(refused(session.api, layout(0, 2), kInvalid, {"0 specified elements"}));
  EXPECT_TRUE(refused(session.api, layout(4, 0), kInvalid, {"no sparse dimension", "numSparseDimensions"}));
  EXPECT_TRUE(refused(session.api, layout(4, 4), kInvalid, {"4 sparse dimensions", "[4, 5, 3]"}));
  EXPECT_TRUE(refused(session.api, layout(0xFFFFFFFF, 0xFFFFFFFF), kInvalid, {"4294967295"}));
  for (const Qnn_TensorType_t type :
       {QNN_TENSOR_TYPE_APP_WRITE, QNN_TENSOR_TYPE_APP_READ, QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE,
        QNN_TENSOR_TYPE_STATIC, QNN_TENSOR_TYPE_UPDATEABLE_STATIC})
    EXPECT_TRUE(refused(session.api, with([type](Qnn_Tensor_t& tensor) { tensor.v2.type = type; }),
                        kUnsupported, {"between two nodes", "NATIVE"}))
        << type;
  EXPECT_TRUE(refused(session.api, with([](Qnn_Tensor_t& tensor) {
                        tensor.v2.sparseParams.type = QNN_SPARSE_LAYOUT_UNDEFINED;
                      }),
                      kUnsupported, {"sparse layout", "HYBRID_COO"}));
  EXPECT_TRUE(refused(session.api, with([](Qnn_Tensor_t& tensor) { tensor.version = QNN_TENSOR_VERSION_1; }),
                      kInvalid, {"version 1", "sparseParams"}));
}

// feature: B2 (C API)
TEST(Sparse, OnlyTheFourOpsTakeThem) {
  const Session session;
  Model model = sparse_model();
  model.nodes[1].type = QNN_OP_RELU;
  Scratch scratch;
  EXPECT_TRUE(
      refused(session.api,
              session.api.backendValidateOpConfig(session.backend, describe(model, model.nodes[1], scratch)),
              QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE, {"input 0", "is sparse", "SparseToDense"}));
  const Owned context = session.context();
  Graph graph(session.api, context, model);
  for (size_t i : {0, 1}) graph.create_tensors_of(graph.model.nodes[i]);
  EXPECT_EQ(graph.add_node(graph.model.nodes[0]), QNN_SUCCESS);
  EXPECT_TRUE(refused(session.api, graph.add_node(graph.model.nodes[1]), QNN_GRAPH_ERROR_INVALID_OP_CONFIG,
                      {"'dense'", "is sparse"}));
}

// feature: B2, B4 (C API)
TEST(Sparse, TheyDoNotPassByNodesOfPackages) {
  const char* path = std::getenv("OPENQNN_EXAMPLE_OP_PACKAGE");
  if (!path) GTEST_SKIP() << "OPENQNN_EXAMPLE_OP_PACKAGE names no library";
  const Session session;
  check(session.api,
        session.api.backendRegisterOpPackage(session.backend, path, "ScaledTanh_interfaceProvider", nullptr),
        "registerOpPackage");
  Model model = sparse_model();
  model.tensors.push_back(number8("squeezed", QNN_TENSOR_TYPE_APP_READ, {3, 3}));
  const Node squeeze{.name = "squeeze",
                     .type = "ScaledTanh",
                     .params = {scalar("factor", 3.0F)},
                     .inputs = {"values"},
                     .outputs = {"squeezed"},
                     .package = "example.scaled_tanh"};
  Model between = model;
  between.nodes.insert(between.nodes.begin() + 1, squeeze);
  const Owned context = session.context();
  Graph graph(session.api, context, between);
  graph.compose();
  EXPECT_TRUE(refused(session.api, graph.finalize(), QNN_GRAPH_ERROR_FINALIZE_FAILED,
                      {"sparse tensor 'sparse'", "package", "before CreateSparse"}));
  // As an operand it is refused before there is a graph, and by the graph.
  Node taking = squeeze;
  taking.inputs = {"sparse"};
  Scratch scratch;
  EXPECT_TRUE(refused(session.api,
                      session.api.backendValidateOpConfig(session.backend, describe(model, taking, scratch)),
                      QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE, {"input 0", "is sparse", "SparseToDense"}));
  Model operand = model;
  operand.nodes.insert(operand.nodes.begin() + 1, taking);
  const Owned operand_context = session.context();
  Graph refusing(session.api, operand_context, operand);
  for (size_t i : {0, 1}) refusing.create_tensors_of(refusing.model.nodes[i]);
  EXPECT_EQ(refusing.add_node(refusing.model.nodes[0]), QNN_SUCCESS);
  EXPECT_TRUE(refused(session.api, refusing.add_node(refusing.model.nodes[1]),
                      QNN_GRAPH_ERROR_INVALID_OP_CONFIG, {"input 0", "is sparse"}));
  model.nodes.push_back(squeeze);
  const Owned after_context = session.context();
  expect_sparse_results(Graph::built(session.api, after_context, model).run(sparse_inputs()));
}

}  // namespace
}  // namespace conformance
