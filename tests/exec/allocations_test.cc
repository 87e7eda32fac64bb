// SPDX-License-Identifier: BSD-3-Clause
// Once a Program has run, it runs again without asking for memory.
#include "exec/allocations.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/aligned_bytes.h"
#include "exec/executor.h"
#include "ops/kernel_memory.h"
#include "ops/op_case.h"
#include "prepare/run_program.h"

namespace openqnn::test {
namespace {

using prepare::Buffer;

// A Program with its executor and the client's buffers for several batches.
struct Client {
  program::ProgramSet set;
  exec::Executor executor;
  std::vector<Buffer> memory;
  std::vector<std::byte*> buffers;

  Client(const ir::Graph& graph, uint32_t batches)
      : set(prepare::prepared(graph)), executor(set, exec::Mode::kWhole, Logger()) {
    for (const program::Tensor& tensor : set.programs[0]->tensors) {
      const bool named = tensor.role == ir::TensorRole::kInput || tensor.role == ir::TensorRole::kOutput;
      memory.emplace_back(named ? prepare::client_bytes(tensor) * batches : 0);
      buffers.push_back(named ? memory.back().data() : nullptr);
    }
  }

  uint64_t allocations_of_a_run(uint32_t batches = 1) {
    const uint64_t before = allocations();
    executor.run(buffers, batches);
    return allocations() - before;
  }
};

// Convolutions, pooling, a residual, functions, and a classifier at the end.
ir::Graph vision(ir::DataType type) {
  prepare::GraphBuilder g(type, "vision");
  const auto x = g.pool(g.relu(g.conv(g.input({1, 32, 32, 3}), 32, {.stride = 2})));
  const auto gated = g.multiply(g.unary("Sigmoid", g.conv(x, 32)), x);
  const auto sum = g.unary("HardSwish", g.add(g.conv(gated, 32, {.filter = 1, .pad = 0}), x));
  g.output(g.softmax(g.matmul(g.pool(sum, {.filter = 8, .stride = 1, .pad = 0}), 40)));
  return g.build();
}

// A layer of a transformer, and the pieces of its result.
ir::Graph attention(ir::DataType type) {
  prepare::GraphBuilder g(type, "attention");
  const auto x = g.input({1, 48, 64});
  const auto scores = g.softmax(g.matmul(g.matmul(x, 64), g.matmul(x, 64), true));
  const auto seen = g.add(g.matmul(scores, g.matmul(x, 64), false), x);
  for (const auto piece : g.split(g.unary("Gelu", g.matmul(seen, 96)), 2, {32, 64})) g.output(g.relu(piece));
  return g.build();
}

std::vector<ir::Graph> graphs() {
  std::vector<ir::Graph> all;
  for (const ir::DataType type : {prepare::kUfixed8, prepare::kFloat32})
    for (const auto& graph : {vision, attention}) all.push_back(graph(type));
  return all;
}

TEST(Execute, AllocatesNothingFromTheThirdRunOn) {
  uint64_t of_first_runs = 0;
  for (const ir::Graph& graph : graphs()) {
    Client client(graph, 1);
    of_first_runs += client.allocations_of_a_run();
    client.allocations_of_a_run();
    EXPECT_EQ(client.allocations_of_a_run(), 0U) << graph.name();
  }
  EXPECT_GT(of_first_runs, 0U) << "nothing is counted";
}

TEST(Execute, AllocatesNothingForBatches) {
  for (const ir::Graph& graph : graphs()) {
    Client client(graph, 3);
    client.allocations_of_a_run(3);
    client.allocations_of_a_run(3);
    EXPECT_EQ(client.allocations_of_a_run(3), 0U) << graph.name();
  }
}

// ---- Kernels of every op, one by one ----

uint64_t allocations_of(const ops::OpCase& c, const ops::Kernel& kernel) {
  const ops::OpCall call = c.call();
  std::vector<const std::byte*> inputs;
  for (size_t i = 0; i < c.data.size(); ++i) inputs.push_back(call.inputs[i] ? c.data[i].data() : nullptr);
  ops::Bytes out(c.output_bytes());
  std::vector<std::byte*> outputs;
  for (size_t i = 0; i < c.outputs.size(); ++i) outputs.push_back(out.data() + c.output_offset(i));
  ops::Bytes state(c.op->state_bytes ? c.op->state_bytes(call) : 0);
  ops::KernelArgs args{.call = call, .inputs = inputs, .outputs = outputs, .state = state};
  const auto plan = kernel.plan ? kernel.plan(args) : nullptr;
  if (kernel.plan && !plan) return 0;  // the reference kernel serves
  args.plan = plan.get();
  const AlignedBytes scratch(ops::granted_scratch(kernel, call));
  args.scratch = scratch.bytes();
  const uint64_t before = allocations();
  kernel.run(args, c.whole());
  return allocations() - before;
}

// Of an op's chosen kernel and of the reference, which serves where the others decline and in tiles; with
// static inputs as the client has them and as prepare stores them.
void expect_no_allocations(const oracle::Oracle& oracle, size_t random_problems) {
  std::set<std::string> guilty;
  for (const oracle::Problem& problem : ops::problems(oracle, random_problems)) {
    const ops::OpCase plain(problem);
    for (const ops::OpCase& c : {plain, plain.stored()})
      for (const ops::Kernel* kernel : {&ops::choose_kernel(*c.op, c.call()), &c.op->kernels.back()})
        if (allocations_of(c, *kernel) > 0 && guilty.insert(std::string(kernel->name)).second)
          ADD_FAILURE() << problem.line << ", kernel " << kernel->name;
  }
}

TEST(Kernels, AllocateNothing) {
  for (const ops::OpDef& op : ops::all_ops()) {
    const oracle::Oracle* oracle = oracle::find(std::string(op.type));
    ASSERT_NE(oracle, nullptr) << op.type << " has no problems";
    expect_no_allocations(*oracle, 5);
  }
}

// A call that would need more than a thread gets: the rest comes from the heap, and the result is the same.
TEST(Kernels, ReferenceNeedsNoScratch) {
  for (const char* line : {"Softmax in=3x197:ufx8", "TopK in=2x9:f16 k=3", "Lrn in=1x5x5x7:f16 radius=2"}) {
    const ops::OpCase c(line);
    const ops::OpCall call = c.call();
    std::vector<const std::byte*> inputs;
    for (const ops::Bytes& data : c.data) inputs.push_back(data.data());
    ops::Bytes out(c.output_bytes());
    std::vector<std::byte*> outputs;
    for (size_t i = 0; i < c.outputs.size(); ++i) outputs.push_back(out.data() + c.output_offset(i));
    c.op->kernels.back().run({.call = call, .inputs = inputs, .outputs = outputs}, c.whole());
    EXPECT_EQ(out, c.run_reference()) << line;
  }
}

}  // namespace
}  // namespace openqnn::test
