// SPDX-License-Identifier: BSD-3-Clause
// Graphs that keep something from one execute to the next: Buffer.
#include <gmock/gmock.h>

#include <cstring>
#include <set>
#include <thread>

#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr uint32_t kBlocking = 0;
constexpr uint32_t kFillLeft = 1;
constexpr uint32_t kFillRight = 2;

Tensor number(const char* name, Qnn_TensorType_t role, uint32_t count, Kind kind = Kind::kQuantized) {
  Tensor tensor{.name = name, .role = role, .dims = {count, 2}};
  if (kind == Kind::kQuantized) {
    tensor.type = QNN_DATATYPE_UFIXED_POINT_8;
    tensor.encoding = {0.5F, -20};
  }
  return tensor;
}

// frame -> Buffer of three -> Relu -> window, and frame -> Relu -> now, which does not wait for the buffer.
Model window_model(uint32_t mode, Kind kind = Kind::kQuantized) {
  Model model{.name = "window"};
  model.tensors = {
      number("frame", QNN_TENSOR_TYPE_APP_WRITE, 1, kind),
      {.name = "reset", .role = QNN_TENSOR_TYPE_APP_WRITE, .type = QNN_DATATYPE_BOOL_8, .dims = {1}},
      number("held", QNN_TENSOR_TYPE_NATIVE, 3, kind),
      number("window", QNN_TENSOR_TYPE_APP_READ, 3, kind),
      number("now", QNN_TENSOR_TYPE_APP_READ, 1, kind)};
  model.nodes = {{.name = "buffer",
                  .type = QNN_OP_BUFFER,
                  .params = {scalar("buffer_size", 3U), scalar("buffer_dim", 0U), scalar("mode", mode)},
                  .inputs = {"frame", "reset"},
                  .outputs = {"held"}},
                 {.name = "window", .type = QNN_OP_RELU, .inputs = {"held"}, .outputs = {"window"}},
                 {.name = "now", .type = QNN_OP_RELU, .inputs = {"frame"}, .outputs = {"now"}}};
  return model;
}

// Executes with a frame of two equal numbers; one number of each frame in the window, as real numbers. Output
// buffers hold -1 before, where the type can.
Values window_after(const Graph& graph, double frame, bool reset = false) {
  const Tensor& in = graph.model.tensor("frame");
  const Tensor& out = graph.model.tensor("window");
  IoTensors io(graph.model,
               {{"frame", encode(in, Values{frame, frame})}, {"reset", Bytes{std::byte{reset}}}});
  const Bytes before = encode(out, Values(6, -1.0));
  std::memcpy(io.results.at("window").data(), before.data(), before.size());
  EXPECT_EQ(graph.execute(io), QNN_SUCCESS);
  EXPECT_EQ(decode(graph.model.tensor("now"), io.results.at("now"))[0], frame);
  const Values all = decode(out, io.results.at("window"));
  return {all[0], all[2], all[4]};
}

const Values kUntouched = {-1, -1, -1};

// feature: B2 (C API)
TEST(Buffer, KeepsFramesFromExecuteToExecute) {
  const Session session;
  for (const char* mode : {"whole", "tiled"})
    for (const Kind kind : {Kind::kQuantized, Kind::kFloat}) {
      const ScopedEnvironment exec("OPENQNN_EXEC", mode);
      const Owned context = session.context();
      const Graph right = Graph::built(session.api, context, window_model(kFillRight, kind));
      EXPECT_EQ(window_after(right, 1), (Values{0, 0, 1}));
      EXPECT_EQ(window_after(right, 2), (Values{0, 1, 2}));
      EXPECT_EQ(window_after(right, 3), (Values{1, 2, 3}));
      EXPECT_EQ(window_after(right, 4), (Values{2, 3, 4}));
      EXPECT_EQ(window_after(right, 5, true), (Values{0, 0, 5})) << "a reset comes before the frame";
      const Owned left_context = session.context();
      const Graph left = Graph::built(session.api, left_context, window_model(kFillLeft, kind));
      EXPECT_EQ(window_after(left, 1), (Values{1, 0, 0}));
      EXPECT_EQ(window_after(left, 2), (Values{1, 2, 0}));
    }
}

// feature: B2 (C API)
TEST(Buffer, BlockingLeavesOutputsAloneUntilItIsFull) {
  const Session session;
  for (const Kind kind : {Kind::kQuantized, Kind::kFloat}) {
    const Owned context = session.context();
    const Graph graph = Graph::built(session.api, context, window_model(kBlocking, kind));
    take_log();
    EXPECT_EQ(window_after(graph, 1), kUntouched);
    EXPECT_THAT(take_log(), ::testing::HasSubstr("output 'window' is left as it was"));
    EXPECT_EQ(window_after(graph, 2), kUntouched);
    take_log();
    EXPECT_EQ(window_after(graph, 3), (Values{1, 2, 3}));
    EXPECT_THAT(take_log(), ::testing::Not(::testing::HasSubstr("left as it was")));
    EXPECT_EQ(window_after(graph, 4), (Values{2, 3, 4}));
    EXPECT_EQ(window_after(graph, 5, true), kUntouched);
  }
}

// feature: B2 (C API)
TEST(Buffer, Version2OutputsSayWhetherTheyWereProduced) {
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, window_model(kBlocking));
  for (const uint8_t expected : {0, 0, 1}) {
    IoTensors io(graph.model, {{"frame", Bytes(2)}, {"reset", Bytes(1)}});
    for (Qnn_Tensor_t& output : io.outputs) {
      const Qnn_TensorV1_t common = output.v1;
      output.version = QNN_TENSOR_VERSION_2;
      output.v2 = QNN_TENSOR_V2_INIT;
      std::memcpy(&output.v2, &common, sizeof common);
      output.v2.isProduced = 1 - expected;
    }
    ASSERT_EQ(graph.execute(io), QNN_SUCCESS);
    for (const Qnn_Tensor_t& output : io.outputs)
      EXPECT_EQ(output.v2.isProduced, std::string(output.v2.name) == "window" ? expected : 1);
  }
}

// One graph handle, one state: a binary has none, and neither do other graphs.
// feature: B2, C1 (C API)
TEST(Buffer, GraphsBeginAnew) {
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, window_model(kFillRight));
  window_after(graph, 1);
  const Bytes binary = binary_of(session.api, context);
  const Owned first = session.load(binary);
  const Owned second = session.load(binary);
  const Graph first_graph = Graph::retrieved(session.api, first, graph.model);
  const Graph second_graph = Graph::retrieved(session.api, second, graph.model);
  EXPECT_EQ(window_after(first_graph, 7), (Values{0, 0, 7}));
  EXPECT_EQ(window_after(first_graph, 8), (Values{0, 7, 8}));
  EXPECT_EQ(window_after(second_graph, 9), (Values{0, 0, 9}));
  EXPECT_EQ(window_after(graph, 2), (Values{0, 1, 2}));
  const Graph again = Graph::retrieved(session.api, first, graph.model);
  EXPECT_EQ(window_after(again, 9), (Values{7, 8, 9})) << "the same graph, however often it is retrieved";
}

// feature: B2, B3 (C API)
TEST(Buffer, BatchesAreFramesInOrder) {
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, window_model(kFillRight));
  Model batched = graph.model;
  for (Tensor& tensor : batched.tensors) tensor.dims[0] *= 2;
  const Tensor& frame = batched.tensor("frame");
  IoTensors io(batched, {{"frame", encode(frame, Values{1, 1, 2, 2})}, {"reset", Bytes(2)}});
  ASSERT_EQ(graph.execute(io), QNN_SUCCESS);
  EXPECT_EQ(decode(batched.tensor("window"), io.results.at("window")),
            (Values{0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(window_after(graph, 3), (Values{1, 2, 3}));
}

// feature: B2 (C API)
TEST(Buffer, ExecutesFromSeveralThreadsTakeTurns) {
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, window_model(kFillRight));
  constexpr int kThreads = 3;
  constexpr int kRounds = 15;
  std::vector<std::vector<Values>> seen(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) seen[t].push_back(window_after(graph, t * kRounds + i + 1));
    });
  for (std::thread& thread : threads) thread.join();
  std::set<double> oldest;
  for (const auto& windows : seen)
    for (const Values& window : windows)
      EXPECT_TRUE(window[0] == 0 || oldest.insert(window[0]).second) << window[0] << " is the oldest twice";
  EXPECT_EQ(oldest.size(), size_t{kThreads * kRounds - 2});
}

// What a package computes from a buffer waits for it as well, and so does what comes after that.
// feature: B2, B4 (C API)
TEST(Buffer, NodesOfPackagesWaitToo) {
  const char* path = std::getenv("OPENQNN_EXAMPLE_OP_PACKAGE");
  if (!path) GTEST_SKIP() << "OPENQNN_EXAMPLE_OP_PACKAGE names no library";
  const Session session;
  check(session.api,
        session.api.backendRegisterOpPackage(session.backend, path, "ScaledTanh_interfaceProvider", nullptr),
        "registerOpPackage");
  Model model = window_model(kBlocking, Kind::kFloat);
  model.tensors.push_back(number("squeezed", QNN_TENSOR_TYPE_NATIVE, 3, Kind::kFloat));
  model.nodes.insert(model.nodes.begin() + 1, {.name = "squeeze",
                                               .type = "ScaledTanh",
                                               .params = {scalar("factor", 3.0F)},
                                               .inputs = {"held"},
                                               .outputs = {"squeezed"},
                                               .package = "example.scaled_tanh"});
  model.node("window").inputs = {"squeezed"};
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, model);
  EXPECT_EQ(window_after(graph, 10), kUntouched);
  EXPECT_EQ(window_after(graph, 20), kUntouched);
  for (const double value : window_after(graph, 30)) EXPECT_NEAR(value, 3.0, 0.01);
}

// Finalizing again, after an update, begins anew.
// feature: B2 (C API)
TEST(Buffer, AnUpdatedGraphBeginsAnew) {
  const Session session;
  const Owned context = session.context();
  Model model = window_model(kFillRight);
  model.tensor("held").role = QNN_TENSOR_TYPE_UPDATEABLE_NATIVE;
  const Graph graph = Graph::built(session.api, context, model);
  EXPECT_EQ(window_after(graph, 1), (Values{0, 0, 1}));
  Tensor held = graph.model.tensor("held");
  held.encoding.offset = -30;
  Scratch scratch;
  const Qnn_Tensor_t described = describe(held, scratch);
  const Qnn_Tensor_t* list[] = {&described};
  check(session.api, session.api.tensorUpdateGraphTensors(graph.handle, list, 1), "tensorUpdateGraphTensors");
  EXPECT_EQ(window_after(graph, 2), (Values{0, 1, 2})) << "until finalize, nothing changes";
  check(session.api, graph.finalize(), "graphFinalize");
  EXPECT_EQ(window_after(graph, 3), (Values{0, 0, 3}));
}

}  // namespace
}  // namespace conformance
