// SPDX-License-Identifier: BSD-3-Clause
// Variable batch: an execute whose dimension 0 is n times the prepared one on all inputs and outputs gives
// what n executes give; anything else is an error that names the tensor.
#include <gtest/gtest.h>

#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

// Inputs for n batches: the first is the sample's, the others differ.
Buffers batched(const Model& model, const Buffers& inputs, uint32_t n) {
  Buffers result = inputs;
  for (const Tensor* input : model.with_role(QNN_TENSOR_TYPE_APP_WRITE))
    for (uint32_t i = 1; i < n; ++i) {
      const Bytes more = encode(*input, noise(input->elements(), 500 + i));
      result[input->name].insert(result[input->name].end(), more.begin(), more.end());
    }
  return result;
}

Model with_batch(Model model, uint32_t n) {
  for (Tensor& tensor : model.tensors)
    if (tensor.role == QNN_TENSOR_TYPE_APP_WRITE || tensor.role == QNN_TENSOR_TYPE_APP_READ)
      tensor.dims[0] *= n;
  return model;
}

Bytes slice(const Bytes& bytes, size_t index, size_t count) {
  const size_t each = bytes.size() / count;
  return Bytes(bytes.begin() + static_cast<ptrdiff_t>(index * each),
               bytes.begin() + static_cast<ptrdiff_t>((index + 1) * each));
}

// feature: B3 (C API)
TEST(Batch, AMultipleGivesWhatAsManyExecutesGive) {
  const Session session;
  for (const Kind kind : {Kind::kFloat, Kind::kQuantized})
    for (const Sample& sample : all_samples(kind)) {
      const Owned context = session.context();
      const Graph graph = Graph::built(session.api, context, sample.model);
      for (const uint32_t n : {1U, 2U, 5U}) {
        const Buffers inputs = batched(graph.model, sample.inputs, n);
        IoTensors io(with_batch(graph.model, n), inputs);
        check(session.api, graph.execute(io), "graphExecute");
        for (uint32_t i = 0; i < n; ++i) {
          Buffers one;
          for (const auto& [name, bytes] : inputs) one[name] = slice(bytes, i, n);
          for (const auto& [name, bytes] : graph.run(one))
            EXPECT_EQ(slice(io.results[name], i, n), bytes)
                << sample.model.name << " batch " << i << " of " << n;
        }
      }
    }
}

// feature: B3 (C API)
TEST(Batch, ALoadedGraphTakesMultiplesToo) {
  const Session session;
  const Sample sample = matmul_softmax(Kind::kQuantized);
  const Owned original = session.context();
  const Graph graph = Graph::built(session.api, original, sample.model);
  const Bytes binary = binary_of(session.api, original);
  const Owned loaded = session.load(binary);
  const Graph again = Graph::retrieved(session.api, loaded, graph.model);
  const Buffers inputs = batched(graph.model, sample.inputs, 3);
  IoTensors io(with_batch(graph.model, 3), inputs);
  IoTensors io_again(with_batch(graph.model, 3), inputs);
  check(session.api, graph.execute(io), "graphExecute");
  check(session.api, again.execute(io_again), "graphExecute");
  EXPECT_EQ(io.results, io_again.results);
}

class BadBatch : public ::testing::Test {
 protected:
  // Executes with shapes (and buffers to match) that a test changes; two batches unless it does.
  Qnn_ErrorHandle_t execute(const std::function<void(Model&)>& spoil) {
    Model model = with_batch(graph_.model, 2);
    spoil(model);
    Buffers inputs;
    for (const Tensor* input : model.with_role(QNN_TENSOR_TYPE_APP_WRITE))
      inputs[input->name] = Bytes(std::max<size_t>(input->bytes(), 1));
    IoTensors io(model, inputs);
    return graph_.execute(io);
  }

  Session session_;
  Owned context_ = session_.context();
  Graph graph_ = Graph::built(session_.api, context_, add(Kind::kQuantized).model);
};

// feature: B3 (C API)
TEST_F(BadBatch, EveryInputAndOutputMustFollow) {
  EXPECT_EQ(execute([](Model&) {}), QNN_SUCCESS);
  EXPECT_TRUE(refused(session_.api, execute([](Model& model) { model.tensor("right").dims = {8}; }),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"'right'", "'left'", "times"}));
  EXPECT_TRUE(refused(session_.api, execute([](Model& model) {
                        model.tensor("sum").dims = {1, 4, 4, 8};
                      }),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"'sum'", "times"}));
  EXPECT_TRUE(refused(session_.api, execute([](Model& model) {
                        model.tensor("sum").dims = {3, 4, 4, 8};
                      }),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"'sum'", "3 times"}));
}

// feature: B3 (C API)
TEST_F(BadBatch, OnlyDimension0MayDiffer) {
  for (const std::vector<uint32_t>& dims : std::vector<std::vector<uint32_t>>{
           {2, 4, 4, 16}, {2, 8, 4, 8}, {2, 4, 32}, {2, 1, 4, 4, 8}, {0, 4, 4, 8}})
    EXPECT_TRUE(refused(session_.api, execute([&](Model& model) { model.tensor("left").dims = dims; }),
                        QNN_GRAPH_ERROR_INVALID_TENSOR, {"'left'", "shape"}));
  EXPECT_TRUE(refused(session_.api, execute([](Model& model) { model.tensor("right").dims = {12}; }),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"'right'", "[12]"}));
}

// feature: B3 (C API)
TEST_F(BadBatch, BuffersMustHoldAllBatches) {
  const Model model = with_batch(graph_.model, 2);
  Buffers inputs = batched(graph_.model, add(Kind::kQuantized).inputs, 2);
  IoTensors io(model, inputs);
  io.outputs[0].v1.clientBuf.dataSize -= 1;
  EXPECT_TRUE(refused(session_.api, graph_.execute(io), QNN_GRAPH_ERROR_INVALID_TENSOR, {"'sum'", "256"}));
}

}  // namespace
}  // namespace conformance
