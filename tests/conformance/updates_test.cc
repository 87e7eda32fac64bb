// SPDX-License-Identifier: BSD-3-Clause
// updateGraphTensors: new data and encodings for updateable tensors, from the next finalize on.
#include <gtest/gtest.h>

#include "QnnTensor.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

// A convolution whose filter and bias may be replaced.
Sample updateable_conv(uint32_t weight_seed) {
  Sample sample = conv_relu_pool(Kind::kQuantized, 8, 3, 8, weight_seed);
  sample.model.tensor("filter").role = QNN_TENSOR_TYPE_UPDATEABLE_STATIC;
  return sample;
}

Qnn_ErrorHandle_t update_tensors(const Api& api, const Graph& graph, const std::vector<Tensor>& tensors) {
  Scratch scratch;
  std::vector<Qnn_Tensor_t> described;
  for (const Tensor& tensor : tensors) described.push_back(describe(tensor, scratch));
  std::vector<const Qnn_Tensor_t*> list;
  for (const Qnn_Tensor_t& tensor : described) list.push_back(&tensor);
  return api.tensorUpdateGraphTensors(graph.handle, list.data(), list.size());
}

// feature: B2 (C API)
TEST(Updates, NewWeightsCountFromTheNextFinalizeOn) {
  const Session session;
  const Sample old_sample = updateable_conv(2);
  const Sample new_sample = updateable_conv(7);
  const Owned context = session.context();
  const Owned other_context = session.context();
  const Graph graph = Graph::built(session.api, context, old_sample.model);
  const Buffers before = graph.run(old_sample.inputs);
  const Buffers wanted = Graph::built(session.api, other_context, new_sample.model).run(old_sample.inputs);
  ASSERT_NE(before, wanted);

  Tensor filter = graph.model.tensor("filter");
  filter.data = new_sample.model.tensor("filter").data;
  check(session.api, update_tensors(session.api, graph, {filter}), "tensorUpdateGraphTensors");
  EXPECT_EQ(graph.run(old_sample.inputs), before) << "until finalize, nothing changes";
  check(session.api, graph.finalize(), "graphFinalize");
  EXPECT_EQ(graph.run(old_sample.inputs), wanted);
  EXPECT_TRUE(refused(session.api, graph.finalize(), QNN_GRAPH_ERROR_GRAPH_FINALIZED)) << "once an update";
}

// The binary is that of the graph as it is now, also when its size was asked before.
// feature: B2, C1 (C API)
TEST(Updates, ABinaryHoldsTheNewWeights) {
  const Session session;
  const Sample sample = updateable_conv(2);
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, sample.model);
  Qnn_ContextBinarySize_t size = 0;
  check(session.api, session.api.contextGetBinarySize(context, &size), "contextGetBinarySize");
  Tensor filter = graph.model.tensor("filter");
  filter.data = updateable_conv(7).model.tensor("filter").data;
  check(session.api, update_tensors(session.api, graph, {filter}), "tensorUpdateGraphTensors");
  EXPECT_TRUE(refused(session.api, session.api.contextGetBinarySize(context, &size),
                      QNN_CONTEXT_ERROR_NOT_FINALIZED, {"updated since"}));
  check(session.api, graph.finalize(), "graphFinalize");
  const Bytes binary = binary_of(session.api, context);
  const Owned loaded = session.load(binary);
  EXPECT_EQ(Graph::retrieved(session.api, loaded, graph.model).run(sample.inputs), graph.run(sample.inputs));
}

// feature: B2 (C API)
TEST(Updates, AnEncodingCanChangeToo) {
  const Session session;
  Sample sample = add(Kind::kQuantized);
  sample.model.tensor("sum").role = QNN_TENSOR_TYPE_UPDATEABLE_APP_READ;
  const Owned context = session.context();
  Graph graph = Graph::built(session.api, context, sample.model);
  Tensor sum = graph.model.tensor("sum");
  sum.encoding = {0.1F, -100};
  check(session.api, update_tensors(session.api, graph, {sum}), "tensorUpdateGraphTensors");
  check(session.api, graph.finalize(), "graphFinalize");

  Sample wanted = add(Kind::kQuantized);
  wanted.model.tensor("sum").encoding = sum.encoding;
  const Owned other = session.context();
  graph.model.tensor("sum").role = QNN_TENSOR_TYPE_APP_READ;
  EXPECT_EQ(graph.run(sample.inputs), Graph::built(session.api, other, wanted.model).run(sample.inputs));
}

// feature: B2 (C API)
TEST(Updates, WhatIsIncompatibleIsRefusedAndNothingChanges) {
  const Session session;
  const Sample sample = updateable_conv(2);
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers before = graph.run(sample.inputs);
  const Tensor filter = graph.model.tensor("filter");
  Tensor good = filter;
  good.data = updateable_conv(7).model.tensor("filter").data;

  Tensor other_shape = filter;
  other_shape.dims = {3, 3, 8, 3};
  EXPECT_TRUE(refused(session.api, update_tensors(session.api, graph, {good, other_shape}),
                      QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, {"filter", "[3, 3, 8, 3]"}));
  Tensor other_type = filter;
  other_type.type = QNN_DATATYPE_SFIXED_POINT_8;
  EXPECT_TRUE(refused(session.api, update_tensors(session.api, graph, {other_type}),
                      QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, {"filter"}));
  Tensor other_role = filter;
  other_role.role = QNN_TENSOR_TYPE_STATIC;
  EXPECT_TRUE(refused(session.api, update_tensors(session.api, graph, {other_role}),
                      QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, {"filter"}));
  Tensor short_data = filter;
  short_data.data.pop_back();
  EXPECT_TRUE(refused(session.api, update_tensors(session.api, graph, {short_data}),
                      QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, {"filter", "bytes"}));
  EXPECT_TRUE(refused(session.api, update_tensors(session.api, graph, {graph.model.tensor("bias")}),
                      QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, {"bias", "updateable"}));
  Tensor unknown = filter;
  unknown.id = 4242;
  EXPECT_TRUE(refused(session.api, update_tensors(session.api, graph, {unknown}),
                      QNN_TENSOR_ERROR_DOES_NOT_EXIST, {"4242"}));
  EXPECT_TRUE(refused(session.api, session.api.tensorUpdateGraphTensors(nullptr, nullptr, 0),
                      QNN_TENSOR_ERROR_INVALID_HANDLE));
  EXPECT_NE(session.api.tensorUpdateGraphTensors(graph.handle, nullptr, 1), QNN_SUCCESS);

  EXPECT_TRUE(refused(session.api, graph.finalize(), QNN_GRAPH_ERROR_GRAPH_FINALIZED))
      << "nothing is pending";
  EXPECT_EQ(graph.run(sample.inputs), before);
}

// feature: B2 (C API)
TEST(Updates, GraphsThatCannotBePreparedAgainSaySo) {
  const Session session;
  const Sample plain = add(Kind::kQuantized);
  const Owned context = session.context();
  const Graph fixed = Graph::built(session.api, context, plain.model);
  EXPECT_TRUE(refused(session.api, update_tensors(session.api, fixed, {fixed.model.tensor("left")}),
                      QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, {"no updateable tensor"}));

  const Owned original = session.context();
  const Graph graph = Graph::built(session.api, original, updateable_conv(2).model);
  const Bytes binary = binary_of(session.api, original);
  const Owned loaded = session.load(binary);
  const Graph again = Graph::retrieved(session.api, loaded, graph.model);
  EXPECT_TRUE(refused(session.api, update_tensors(session.api, again, {graph.model.tensor("filter")}),
                      QNN_TENSOR_ERROR_INCOMPATIBLE_TENSOR_UPDATE, {"binary"}));
}

}  // namespace
}  // namespace conformance
