// SPDX-License-Identifier: BSD-3-Clause
// Contexts and graphs below the C API: states, errors, the binary, and what a profile costs.
#include "runtime/graph.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "QnnContext.h"
#include "QnnGraph.h"
#include "QnnTensor.h"
#include "program/context_binary.h"
#include "runtime/context.h"

namespace openqnn::runtime {
namespace {

using Bytes = std::vector<std::byte>;
constexpr uint32_t kInputId = 1;
constexpr uint32_t kOutputId = 2;
constexpr size_t kElements = 8 * 8 * 32;

std::shared_ptr<DeviceState> device(const char* chipset = "SM8650") {
  return std::make_shared<DeviceState>(soc::target_by_chipset(chipset).value());
}

ir::Tensor tensor(const char* name, ir::TensorRole role, const ir::Shape& shape = {1, 8, 8, 32}) {
  return {name, role, {ir::DataType::kUfixed8, shape, ir::Quantization::per_tensor(0.5F, -128)}, nullptr};
}

// x (id 1) -> Relu -> y (id 2): half of the range is negative.
void compose(Graph& graph, const ir::Shape& shape = {1, 8, 8, 32}) {
  ASSERT_EQ(*graph.add_tensor(tensor("x", ir::TensorRole::kInput, shape)), kInputId);
  ASSERT_EQ(*graph.add_tensor(tensor("y", ir::TensorRole::kOutput, shape)), kOutputId);
  const TensorRef in[] = {{kInputId, "x"}};
  const TensorRef out[] = {{kOutputId, "y"}};
  ASSERT_TRUE(graph.add_node({"relu", "Relu", {}, {}, {}}, in, out));
}

std::unique_ptr<Graph> composed(std::shared_ptr<DeviceState> on = device()) {
  auto graph = std::make_unique<Graph>("g", Logger(), ContextParts{.device = std::move(on)}, GraphOptions{});
  compose(*graph);
  return graph;
}

std::unique_ptr<Graph> finalized(std::shared_ptr<DeviceState> on = device()) {
  auto graph = composed(std::move(on));
  EXPECT_TRUE(graph->finalize(nullptr));
  return graph;
}

// As QnnGraph_execute does it, without a signal.
Outcome<> execute(Graph& graph, std::span<const Binding> inputs, std::span<const Binding> outputs,
                  Profile* profile = nullptr) {
  OPENQNN_ASSIGN(const SignalledCall no_signal, SignalledCall::begin(nullptr, kGraphSignalCodes));
  const Graph::ExecutionPtr execution = graph.begin_execution();
  execution->inputs.assign(inputs.begin(), inputs.end());
  execution->outputs.assign(outputs.begin(), outputs.end());
  OPENQNN_TRY(graph.bind(*execution));
  return graph.run(*execution, profile, no_signal);
}

struct Buffers {
  Bytes x = Bytes(kElements, std::byte{100});
  Bytes y = Bytes(kElements);
  Outcome<> execute(Graph& graph, Profile* profile = nullptr) {
    const Binding in[] = {{kInputId, x.data(), x.size()}};
    const Binding out[] = {{kOutputId, y.data(), y.size()}};
    return runtime::execute(graph, in, out, profile);
  }
};

template <class T>
uint64_t code(const Outcome<T>& outcome) {
  return outcome ? uint64_t{QNN_SUCCESS} : outcome.error().code;
}

// ---- Graph: states ----

TEST(Graph, RunsAfterFinalize) {
  Buffers buffers;
  const auto graph = finalized();
  ASSERT_TRUE(buffers.execute(*graph));
  EXPECT_EQ(buffers.y, Bytes(kElements, std::byte{128})) << "-14 becomes 0";
}

TEST(Graph, DoesNotRunBefore) {
  Buffers buffers;
  EXPECT_EQ(code(buffers.execute(*composed())), uint64_t{QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED});
}

TEST(Graph, AFinalizedOneCannotChange) {
  const auto graph = finalized();
  const uint64_t refused = QNN_GRAPH_ERROR_GRAPH_FINALIZED;
  EXPECT_EQ(code(graph->finalize(nullptr)), refused);
  EXPECT_EQ(code(graph->set_options({})), refused);
  EXPECT_EQ(code(graph->add_tensor(tensor("z", ir::TensorRole::kNative))), refused);
  EXPECT_EQ(code(graph->add_node({"n", "Relu", {}, {}, {}}, {}, {})), refused);
}

TEST(Graph, AFailedFinalizeMayBeTriedAgainWithOtherOptions) {
  const auto graph = composed();
  GraphOptions options = graph->options();
  options.prepare.optimization = 9;
  ASSERT_TRUE(graph->set_options(options));
  const auto refused = graph->finalize(nullptr);
  EXPECT_EQ(code(refused), uint64_t{QNN_GRAPH_ERROR_FINALIZE_FAILED});
  EXPECT_EQ(refused.error().diagnostic.where.object, "graph 'g'");
  EXPECT_FALSE(graph->finalized());
  options.prepare.optimization = 3;
  ASSERT_TRUE(graph->set_options(options));
  EXPECT_TRUE(graph->finalize(nullptr));
}

TEST(Graph, AnOpThatDoesNotFitVtcmIsAnAllocationError) {
  Graph graph("g", Logger(), ContextParts{.device = device()}, GraphOptions{.prepare = {.vtcm_bytes = 4096}});
  compose(graph, {1, 8, 8, 4096});
  graph.set_options({.prepare = {.vtcm_bytes = 16}}).ok();
  EXPECT_EQ(code(graph.finalize(nullptr)), uint64_t{QNN_GRAPH_ERROR_MEM_ALLOC});
}

TEST(Graph, AWishToStopEndsFinalizeAndLeavesTheGraphAsItWas) {
  std::atomic<bool> stop = true;
  Graph graph("g", Logger(), ContextParts{.device = device()}, GraphOptions{.stop = &stop});
  compose(graph);
  EXPECT_EQ(code(graph.finalize(nullptr)), uint64_t{QNN_GRAPH_ERROR_ABORTED});
  EXPECT_FALSE(graph.finalized());
  stop = false;
  EXPECT_TRUE(graph.finalize(nullptr));
}

TEST(Graph, ARefusalCallsTensorsAsTheClientDoes) {
  Graph graph("g", Logger(), ContextParts{.device = device()}, GraphOptions{});
  compose(graph);
  ir::Tensor wrong = tensor("halved", ir::TensorRole::kNative);
  wrong.desc.quantization = {};
  const uint32_t id = *graph.add_tensor(std::move(wrong));
  const TensorRef in[] = {{kInputId, "x"}};
  const TensorRef out[] = {{id, "halved"}};
  const Outcome<> refused = graph.add_node({"again", "Relu", {}, {}, {}}, in, out);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().diagnostic.message.find("'halved' (output 0, "), std::string::npos)
      << refused.error().diagnostic.message;
}

TEST(Graph, NodesAreRefusedWithTheDocumentedCode) {
  Graph graph("g", Logger(), ContextParts{.device = device()}, GraphOptions{});
  compose(graph);
  ASSERT_TRUE(graph.add_tensor(tensor("z", ir::TensorRole::kNative)));
  ASSERT_TRUE(graph.add_tensor(tensor("late", ir::TensorRole::kNative)));
  const auto node = [&](const char* name, const char* type, uint32_t in, uint32_t out) {
    const TensorRef input{in, "in"};
    const TensorRef output{out, "out"};
    return code(graph.add_node({name, type, {}, {}, {}}, std::span(&input, 1), std::span(&output, 1)));
  };
  EXPECT_EQ(node("a", "Relu", 77, 3), uint64_t{QNN_GRAPH_ERROR_INVALID_TENSOR});
  EXPECT_EQ(node("a", "Relu", 0, 3), uint64_t{QNN_GRAPH_ERROR_INVALID_TENSOR});
  EXPECT_EQ(node("a", "NoSuchOp", 1, 3), uint64_t{QNN_GRAPH_ERROR_INVALID_OP_CONFIG});
  EXPECT_EQ(node("a", "Relu", 4, 3), uint64_t{QNN_GRAPH_ERROR_UNCONNECTED_NODE}) << "nobody wrote 'late'";
  EXPECT_EQ(node("relu", "Relu", 1, 3), uint64_t{QNN_GRAPH_ERROR_INVALID_NAME});
  EXPECT_EQ(code(graph.add_tensor(tensor("x", ir::TensorRole::kNative))),
            uint64_t{QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM});
}

// ---- Graph: buffers ----

TEST(Graph, EveryTensorNeedsABufferThatIsLargeEnough) {
  const auto graph = finalized();
  Buffers buffers;
  const Binding x{kInputId, buffers.x.data(), buffers.x.size()};
  const Binding y{kOutputId, buffers.y.data(), buffers.y.size()};
  const auto run = [&](std::vector<Binding> in, std::vector<Binding> out) {
    return code(execute(*graph, in, out));
  };
  const uint64_t refused = QNN_GRAPH_ERROR_INVALID_TENSOR;
  EXPECT_EQ(run({}, {y}), refused);
  EXPECT_EQ(run({x}, {}), refused);
  EXPECT_EQ(run({x}, {{kOutputId, buffers.y.data(), kElements - 1}}), refused);
  EXPECT_EQ(run({{kInputId, nullptr, kElements}}, {y}), refused);
  EXPECT_EQ(run({y}, {x}), refused) << "inputs and outputs swapped";
  EXPECT_EQ(run({x}, {{kOutputId, buffers.x.data() + kElements - 1, kElements}}), refused) << "overlap";
  EXPECT_EQ(run({x}, {y}), uint64_t{QNN_SUCCESS});
}

TEST(Graph, TensorsItDoesNotKnowAreIgnored) {
  const auto graph = finalized();
  Buffers buffers;
  Bytes other(4);
  const Binding in[] = {{99, other.data(), 4}, {kInputId, buffers.x.data(), kElements}};
  const Binding out[] = {{kOutputId, buffers.y.data(), kElements}};
  EXPECT_TRUE(execute(*graph, in, out));
}

TEST(Graph, ManyThreadsMayExecuteIt) {
  const auto graph = finalized();
  Profile profile(profile::Level::kBasic);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      Buffers buffers;
      for (int i = 0; i < 5; ++i)
        if (!buffers.execute(*graph, t % 2 ? &profile : nullptr) ||
            buffers.y != Bytes(kElements, std::byte{128}))
          ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(graph->simulations(), 1U);
}

// ---- Graph: profile ----

TEST(Graph, WithoutAProfileTheDeviceIsNeverSimulated) {
  const auto on = device();
  const auto graph = finalized(on);
  Buffers buffers;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(buffers.execute(*graph));
  EXPECT_EQ(graph->simulations(), 0U);
  EXPECT_EQ(on->clock.now().value, 0U);
}

TEST(Graph, WithAProfileItIsSimulatedOnceAndTheClockAdvancesEachTime) {
  const auto on = device();
  const auto graph = finalized(on);
  Profile profile(profile::Level::kBasic);
  Buffers buffers;
  ASSERT_TRUE(buffers.execute(*graph, &profile));
  const uint64_t once = on->clock.now().value;
  EXPECT_GT(once, 0U);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(buffers.execute(*graph, &profile));
  EXPECT_EQ(graph->simulations(), 1U);
  EXPECT_EQ(on->clock.now().value, 4 * once) << "modelled durations, not the host's";
  const std::span<const EventId> events = profile.events();
  EXPECT_EQ(profile.find(events.front())->timestamp_us, 0U);
  EXPECT_EQ(profile.find(events.back())->timestamp_us, 3 * once / 1000);
}

TEST(Graph, AFailedExecuteLeavesProfileAndClockAlone) {
  const auto on = device();
  const auto graph = finalized(on);
  Profile profile(profile::Level::kBasic);
  EXPECT_FALSE(execute(*graph, {}, {}, &profile));
  EXPECT_TRUE(profile.events().empty());
  EXPECT_EQ(on->clock.now().value, 0U);
}

TEST(Graph, FinalizeIsAHostEvent) {
  Profile profile(profile::Level::kBasic);
  ASSERT_TRUE(composed()->finalize(&profile));
  ASSERT_FALSE(profile.events().empty());
  EXPECT_EQ(profile.find(profile.events()[0])->event.clock, profile::Clock::kHost);
}

TEST(ExecutionPlan, ABatchLargerThanAnyMemoryIsRefused) {
  const ir::Shape shape{1, 1 << 17, 1 << 17};
  auto program = std::make_shared<program::Program>();
  program->tensors.push_back({.name = "x",
                              .id = kInputId,
                              .role = ir::TensorRole::kInput,
                              .desc = {ir::DataType::kUfixed8, shape},
                              .client_type = ir::DataType::kUfixed8,
                              .storage = program::Storage::kClient,
                              .bytes = shape.elements()});
  const ExecutionPlan plan({{std::move(program)}, {}, nullptr}, Logger());
  std::byte one{};
  const Binding input{
      .id = kInputId, .data = &one, .bytes = 1, .shape = ir::Shape{1 << 30, 1 << 17, 1 << 17}};
  BoundBuffers bound;
  EXPECT_EQ(code(plan.bind({&input, 1}, {}, "graph 'g'", bound)), uint64_t{QNN_GRAPH_ERROR_INVALID_TENSOR});
}

// ---- Context ----

// A context whose graphs' handles go with it, as the C API frees them.
struct OpenContext {
  explicit OpenContext(std::shared_ptr<DeviceState> on = device())
      : context(std::make_unique<Context>(Logger(), std::move(on))) {}
  explicit OpenContext(std::unique_ptr<Context> from) : context(std::move(from)) {}
  ~OpenContext() { context->close(); }
  Context* operator->() const { return context.get(); }

  void add(const std::string& name, bool finalize = true) const {
    const auto graph = HandleTable::instance().acquire<Graph>(*context->create_graph(name, {}));
    compose(*graph);
    ASSERT_TRUE(!finalize || graph->finalize(nullptr));
  }
  Bytes binary() const {
    Bytes bytes(*context->binary_size());
    EXPECT_EQ(*context->binary(bytes), bytes.size());
    return bytes;
  }

  std::unique_ptr<Context> context;
};

Ref<Graph> graph_of(const OpenContext& context, const std::string& name) {
  return HandleTable::instance().acquire<Graph>(*context->retrieve_graph(name));
}

TEST(Context, GraphsAreFoundByName) {
  const OpenContext context;
  void* made = *context->create_graph("g", {});
  EXPECT_EQ(*context->retrieve_graph("g"), made);
  const auto unknown = context->retrieve_graph("h");
  EXPECT_EQ(code(unknown), uint64_t{QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST});
  EXPECT_NE(unknown.error().diagnostic.message.find("'g'"), std::string::npos) << "says which ones there are";
}

TEST(Context, ANameIsTakenOnce) {
  const OpenContext context;
  ASSERT_TRUE(context->create_graph("g", {}));
  EXPECT_EQ(code(context->create_graph("g", {})), uint64_t{QNN_GRAPH_ERROR_INVALID_NAME});
}

TEST(Context, OnlyFinalizedGraphsGoIntoABinary) {
  const OpenContext context;
  EXPECT_EQ(code(context->binary_size()), uint64_t{QNN_CONTEXT_ERROR_NOT_FINALIZED}) << "no graph at all";
  context.add("a");
  context.add("b", false);
  const auto size = context->binary_size();
  EXPECT_EQ(code(size), uint64_t{QNN_CONTEXT_ERROR_NOT_FINALIZED});
  EXPECT_EQ(size.error().diagnostic.where.object, "graph 'b'");
}

TEST(Context, TheSizeItNamesIsTheSizeItWrites) {
  const OpenContext context;
  context.add("a");
  const uint64_t size = *context->binary_size();
  Bytes larger(size + 100);
  EXPECT_EQ(*context->binary(larger), size);
  EXPECT_EQ(context.binary(), Bytes(larger.begin(), larger.begin() + static_cast<std::ptrdiff_t>(size)))
      << "asked again, it writes the same";
}

TEST(Context, ABufferTooSmallIsRefusedAndTheNextOneServed) {
  const OpenContext context;
  context.add("a");
  Bytes bytes(*context->binary_size());
  EXPECT_EQ(code(context->binary(std::span(bytes).first(bytes.size() - 1))),
            uint64_t{QNN_CONTEXT_ERROR_INVALID_ARGUMENT});
  EXPECT_TRUE(context->binary(bytes));
}

TEST(Context, AGraphAddedAfterTheSizeWasAskedIsInTheBinary) {
  const OpenContext context;
  context.add("a");
  ASSERT_TRUE(context->binary_size());
  context.add("b");
  const OpenContext loaded(*Context::from_binary(context.binary(), {}, Logger(), device()));
  EXPECT_TRUE(loaded->retrieve_graph("b"));
}

TEST(Context, ABinaryGivesTheSameGraphsBack) {
  const OpenContext original;
  original.add("a");
  original.add("b");
  Bytes bytes = original.binary();
  const OpenContext loaded(*Context::from_binary(bytes, {}, Logger(), device()));
  std::fill(bytes.begin(), bytes.end(), std::byte{0});  // the client may reuse its buffer
  for (const char* name : {"a", "b"}) {
    const Ref<Graph> graph = graph_of(loaded, name);
    Buffers buffers;
    ASSERT_TRUE(buffers.execute(*graph));
    EXPECT_EQ(buffers.y, Bytes(kElements, std::byte{128}));
  }
}

TEST(Context, ABinaryForALargerPartIsRefused) {
  const OpenContext original(device("SM8750"));
  original.add("a");
  const Bytes bytes = original.binary();
  const auto loaded = Context::from_binary(bytes, {}, Logger(), device("SM8550"));
  EXPECT_EQ(code(loaded), uint64_t{QNN_CONTEXT_ERROR_CREATE_FROM_BINARY});
  EXPECT_EQ(loaded.error().diagnostic.code, "binary-arch");
  EXPECT_EQ(code(Context::validate_binary(bytes, device("SM8550"))),
            uint64_t{QNN_CONTEXT_ERROR_CREATE_FROM_BINARY});
  EXPECT_TRUE(Context::validate_binary(bytes, device("SM8750")));
}

TEST(Context, WithoutADeviceABinaryIsLoadedForItsOwnPart) {
  const OpenContext original(device("SM8750"));
  original.add("a");
  const Bytes bytes = original.binary();
  EXPECT_TRUE(Context::validate_binary(bytes, nullptr));
  const auto loaded = Context::from_binary(bytes, {}, Logger(), nullptr);
  ASSERT_TRUE(loaded);
  EXPECT_EQ((*loaded)->device()->target.soc, "SM8750");
  (*loaded)->close();
}

TEST(Context, ABinaryForAnArchitectureAloneIsLoadedWithoutADevice) {
  const OpenContext original(std::make_shared<DeviceState>(soc::target_by_arch(75).value()));
  original.add("a");
  const Bytes bytes = original.binary();
  const auto loaded = Context::from_binary(bytes, {}, Logger(), nullptr);
  ASSERT_TRUE(loaded) << loaded.error().diagnostic.to_string();
  EXPECT_EQ((*loaded)->device()->target.arch, 75U);
  (*loaded)->close();
  const auto refused = Context::from_binary(bytes, {}, Logger(), device("SM8550"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().diagnostic.message,
            "graph 'a' was prepared for v75, which SM8550 (v73) cannot run");
}

TEST(Context, ValidatingAsksForAllThatLoadingAsksFor) {
  const OpenContext original;
  original.add("a");
  const Bytes bytes = original.binary();
  ContextOptions options;
  options.enabled_graphs = {"b"};
  const auto refused = Context::validate_binary(bytes, device(), options);
  EXPECT_EQ(code(refused), uint64_t{QNN_CONTEXT_ERROR_INVALID_CONFIG});
  EXPECT_EQ(code(Context::from_binary(bytes, options, Logger(), device())), code(refused));
  EXPECT_EQ(refused.error().diagnostic.fix, "it has 'a'");
}

TEST(Context, AFreedContextTakesNoMoreGraphs) {
  Context context(Logger(), device());
  context.close();
  EXPECT_EQ(code(context.create_graph("late", {})), uint64_t{QNN_GRAPH_ERROR_INVALID_CONTEXT});
}

TEST(Context, BytesThatAreNoBinaryAreRefused) {
  const Bytes noise(1000, std::byte{0x5A});
  EXPECT_EQ(code(Context::from_binary(noise, {}, Logger(), device())),
            uint64_t{QNN_CONTEXT_ERROR_CREATE_FROM_BINARY});
  EXPECT_FALSE(Context::validate_binary({}, device()));
}

TEST(Context, CloseFreesItsGraphsButNotOneInUse) {
  const OpenContext context;
  context.add("a");
  void* handle = *context->retrieve_graph("a");
  const Ref<Graph> running = graph_of(context, "a");
  context->close();
  EXPECT_FALSE(HandleTable::instance().acquire<Graph>(handle));
  EXPECT_FALSE(context->retrieve_graph("a"));
  Buffers buffers;
  EXPECT_TRUE(buffers.execute(*running)) << "the last call ends first";
}

TEST(Context, ADeviceCountsItsContexts) {
  const auto on = device();
  {
    const OpenContext one(on);
    const OpenContext two(on);
    EXPECT_EQ(on->contexts, 2U);
  }
  EXPECT_EQ(on->contexts, 0U);
}

uint64_t resident_bytes() {
  std::ifstream status("/proc/self/statm");
  uint64_t size = 0;
  uint64_t resident = 0;
  status >> size >> resident;
  return resident * 4096;
}

// The ids in a file are the client's own and may be any numbers; they must not become sizes.
TEST(Context, ALargeTensorIdInABinaryCostsNoMemory) {
  const auto graph = finalized();
  program::Program program = *graph->plan()->programs()[0]->programs[0];
  for (program::Tensor& output : program.tensors)
    if (output.role == ir::TensorRole::kOutput)
      output.id = uint32_t{1} << 26;  // 256 MiB as a table of indices
  program::ProgramSet set = *graph->plan()->programs()[0];
  set.programs = {std::make_shared<program::Program>(program)};
  const Bytes binary = program::write_context_binary(set);
  const uint64_t before = resident_bytes();
  auto loaded = Context::from_binary(binary, {}, Logger(), device());
  if (!loaded) return;  // refused is as good
  const OpenContext context(*std::move(loaded));
  EXPECT_LT(resident_bytes(), before + 64 * kMiB);
}

}  // namespace
}  // namespace openqnn::runtime
