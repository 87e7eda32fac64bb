// SPDX-License-Identifier: BSD-3-Clause
// What a loaded and running context binary costs beside its file: activations, and little else. Weights are
// read where the file is mapped.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "base/files.h"
#include "exec/executor.h"
#include "prepare/run_program.h"
#include "program/context_binary.h"

namespace openqnn::test {
namespace {

using prepare::Buffer;
using prepare::GraphBuilder;
using T = GraphBuilder::T;

// ---- The model: ResNet-50's convolutions ----

T bottleneck(GraphBuilder& g, T in, uint32_t channels, uint32_t stride) {
  const bool projects = stride != 1 || g.shape(in)[3] != 4 * channels;
  const T shortcut = projects ? g.conv(in, 4 * channels, {.filter = 1, .stride = stride, .pad = 0}) : in;
  T x = g.relu(g.conv(in, channels, {.filter = 1, .pad = 0}));
  x = g.relu(g.conv(x, channels, {.stride = stride}));
  x = g.conv(x, 4 * channels, {.filter = 1, .pad = 0});
  return g.relu(g.add(x, shortcut));
}

ir::Graph resnet50(ir::DataType type) {
  GraphBuilder g(type, "resnet50");
  T x = g.relu(g.conv(g.input({1, 224, 224, 3}), 64, {.filter = 7, .stride = 2, .pad = 3}));
  x = g.pool(x, {.filter = 3, .stride = 2, .pad = 1});
  const std::vector<uint32_t> blocks = {3, 4, 6, 3};
  for (uint32_t stage = 0; stage < blocks.size(); ++stage)
    for (uint32_t block = 0; block < blocks[stage]; ++block)
      x = bottleneck(g, x, 64U << stage, stage > 0 && block == 0 ? 2 : 1);
  x = g.pool(x, {.filter = 7, .stride = 1, .pad = 0});
  g.output(g.softmax(g.matmul(x, 1000)));
  return g.build();
}

// ---- Memory ----

// A figure of /proc/self/status, in bytes.
uint64_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (uint64_t kib = 0; word == name + ":" && status >> kib) return kib * 1024;
  ADD_FAILURE() << "/proc/self/status has no " << name;
  return 0;
}

// The most bytes of activations that are needed at once.
uint64_t live_activations(const program::Program& program) {
  std::vector<size_t> first(program.tensors.size(), 0);
  std::vector<size_t> last(program.tensors.size(), 0);
  for (size_t i = 0; i < program.ops.size(); ++i) {
    for (const T output : program.ops[i].outputs) first[output] = last[output] = i;
    for (const T input : program.ops[i].inputs)
      if (input != ir::kNoTensor) last[input] = i;
  }
  std::vector<uint64_t> live(program.ops.size(), 0);
  for (size_t t = 0; t < program.tensors.size(); ++t)
    for (size_t i = first[t]; i <= last[t]; ++i)
      if (program.tensors[t].storage == program::Storage::kArena) live[i] += program.tensors[t].bytes;
  return *std::ranges::max_element(live);
}

struct Figures {
  uint64_t anonymous = 0;  // bytes that reading and executing added
  uint64_t live = 0;
  uint64_t weights = 0;
  uint64_t arena = 0;
};

// In a process of its own, which begins with nothing and leaves nothing in this one.
template <class Work>
void in_child(Work&& work) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    work();
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int ending = 0;
  ASSERT_EQ(waitpid(child, &ending, 0), child);
  ASSERT_EQ(ending, 0);
}

void write_binary(ir::DataType type, const std::filesystem::path& path) {
  const auto bytes = program::write_context_binary(prepare::prepared(resnet50(type)));
  ASSERT_TRUE(write_file(path, bytes));
}

Figures load_and_execute(const std::filesystem::path& path) {
  // The client's buffers, which are not ours: larger than any, and touched.
  Buffer input(1U << 20, std::byte{1});
  Buffer output(1U << 20, std::byte{1});
  const uint64_t before = status_bytes("RssAnon");
  const auto file = MappedFile::open(path);
  const auto set = program::read_context_binary((*file)->bytes(), *file, program::DataCheck::kDeferred);
  if (!set) {
    ADD_FAILURE() << set.error().to_string();
    return {};
  }
  const program::Program& program = *set->programs[0];
  exec::Executor executor(*set, exec::Mode::kWhole, Logger());
  std::vector<std::byte*> buffers(program.tensors.size(), nullptr);
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    if (program.tensors[i].role == ir::TensorRole::kInput) buffers[i] = input.data();
    if (program.tensors[i].role == ir::TensorRole::kOutput) buffers[i] = output.data();
  }
  for (int run = 0; run < 3; ++run) executor.run(buffers);
  return {status_bytes("RssAnon") - before, live_activations(program), set->constants.size(),
          program.arena_bytes};
}

class Memory : public testing::TestWithParam<ir::DataType> {};

TEST_P(Memory, OfAnExecutingContextIsItsActivationsAndATenthOfTheWeights) {
  const auto path =
      std::filesystem::temp_directory_path() / ("openqnn_memory_" + std::to_string(getpid()) + ".bin");
  auto* shared = static_cast<Figures*>(
      mmap(nullptr, sizeof(Figures), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(shared, MAP_FAILED);
  in_child([&] { write_binary(GetParam(), path); });
  in_child([&] { *shared = load_and_execute(path); });
  const Figures figures = *shared;
  munmap(shared, sizeof(Figures));
  std::filesystem::remove(path);
  std::printf("anonymous %.2f MB, live activations %.2f MB, arena %.2f MB, weights %.2f MB\n",
              static_cast<double>(figures.anonymous) * 1e-6, static_cast<double>(figures.live) * 1e-6,
              static_cast<double>(figures.arena) * 1e-6, static_cast<double>(figures.weights) * 1e-6);
  EXPECT_GT(figures.weights, 20'000'000U);
  EXPECT_GT(figures.live, 2'000'000U);
  EXPECT_LE(figures.arena, figures.live * 105 / 100);
  EXPECT_LE(figures.anonymous, figures.live * 13 / 10 + figures.weights / 10);
}

INSTANTIATE_TEST_SUITE_P(Types, Memory, testing::Values(prepare::kUfixed8, prepare::kFloat32),
                         [](const auto& one) { return std::string(ir::name(one.param)); });

}  // namespace
}  // namespace openqnn::test
