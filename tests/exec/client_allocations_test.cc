// SPDX-License-Identifier: BSD-3-Clause
// A client that executes a graph again and again through the C API costs no memory: neither the library
// around the executor nor the executor asks for any.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "client.h"
#include "exec/allocations.h"
#include "samples.h"

namespace conformance {
namespace {

using openqnn::test::allocations;

uint64_t allocations_of_an_execute(const Graph& graph, IoTensors& io) {
  const uint64_t before = allocations();
  const Qnn_ErrorHandle_t answer = graph.execute(io);
  const uint64_t made = allocations() - before;
  EXPECT_EQ(answer, QNN_SUCCESS);
  return made;
}

TEST(ClientExecute, AllocatesNothingFromTheThirdCallOn) {
  const Session session;
  uint64_t of_first_calls = 0;
  for (const Kind kind : {Kind::kFloat, Kind::kQuantized})
    for (const Sample& sample : all_samples(kind)) {
      const Owned context = session.context();
      const Graph graph = Graph::built(session.api, context, sample.model);
      IoTensors io(graph.model, sample.inputs);
      of_first_calls += allocations_of_an_execute(graph, io);
      allocations_of_an_execute(graph, io);
      EXPECT_EQ(allocations_of_an_execute(graph, io), 0U) << sample.model.name;
    }
  EXPECT_GT(of_first_calls, 0U) << "nothing is counted";
}

TEST(ClientExecute, AllocatesNothingForAGraphOfABinary) {
  const Session session;
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  const Owned composed = session.context();
  const Graph built = Graph::built(session.api, composed, sample.model);
  const Bytes binary = binary_of(session.api, composed);
  const Owned loaded = session.load(binary);
  const Graph graph = Graph::retrieved(session.api, loaded, built.model);
  IoTensors io(graph.model, sample.inputs);
  allocations_of_an_execute(graph, io);
  allocations_of_an_execute(graph, io);
  EXPECT_EQ(allocations_of_an_execute(graph, io), 0U);
}

// Calls at the same time have lists of their own: the results are those of calls one after the other.
TEST(ClientExecute, KeepsTheListsOfCallsApart) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = matmul_softmax(Kind::kFloat);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers expected = graph.run(sample.inputs);
  std::vector<Buffers> answers(4);
  std::vector<std::thread> threads;
  for (Buffers& answer : answers)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) answer = graph.run(sample.inputs);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Buffers& answer : answers) EXPECT_EQ(answer, expected);
}

// A refused call leaves nothing behind that the next one could read.
TEST(ClientExecute, ForgetsARefusedCall) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kFloat);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers expected = graph.run(sample.inputs);
  IoTensors io(graph.model, sample.inputs);
  const std::vector<Qnn_Tensor_t> all = io.inputs;
  io.inputs.pop_back();
  EXPECT_NE(graph.execute(io), QNN_SUCCESS) << "an input is missing";
  io.inputs = all;
  EXPECT_EQ(graph.execute(io), QNN_SUCCESS);
  EXPECT_EQ(io.results, expected);
}

}  // namespace
}  // namespace conformance
