// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "base/half.h"
#include "prepare/passes.h"

namespace openqnn::prepare {
namespace {

using program::Storage;

TEST(Legalise, FloatIsComputedInHalfAndTheClientsTypeIsKept) {
  GraphBuilder g(kFloat32);
  g.output(g.relu(g.input({1, 2, 2, 4})));
  const Draft draft = legalise(g.build(), part(), {});
  for (const program::Tensor& tensor : draft.program.tensors) {
    EXPECT_EQ(tensor.desc.type, kFloat16) << tensor.name;
    EXPECT_EQ(tensor.client_type, kFloat32) << tensor.name;
    EXPECT_EQ(tensor.storage, Storage::kArena) << tensor.name;  // converted on the way in and out
    EXPECT_EQ(tensor.bytes, 32U) << tensor.name;
  }
}

TEST(Legalise, TypesTheDeviceComputesInUseTheClientsBuffers) {
  for (const ir::DataType type : {kFloat16, kUfixed8}) {
    GraphBuilder g(type);
    g.output(g.relu(g.relu(g.input({1, 2, 2, 4}))));
    const Draft draft = legalise(g.build(), part(), {});
    EXPECT_EQ(draft.program.tensors[0].storage, Storage::kClient);
    EXPECT_EQ(draft.program.tensors[1].storage, Storage::kArena);  // between the nodes
    EXPECT_EQ(draft.program.tensors[2].storage, Storage::kClient);
    for (const program::Tensor& tensor : draft.program.tensors) EXPECT_EQ(tensor.desc.type, type);
  }
}

TEST(Legalise, AnIdIsTheIndexInTheClientsGraphPlusOne) {
  GraphBuilder g(kUfixed8);
  g.output(g.conv(g.input({1, 4, 4, 8}), 8));
  const Draft draft = legalise(g.build(), part(), {});
  for (size_t i = 0; i < draft.program.tensors.size(); ++i) EXPECT_EQ(draft.program.tensors[i].id, i + 1);
}

TEST(Legalise, FloatConstantsAreRoundedOnceToTheNearestHalf) {
  GraphBuilder g(kFloat32);
  const auto k = g.constant({4});
  const float values[] = {1.0F + 1.0F / 2048, 1.0F + 3.0F / 2048, 65520.0F,
                          -0.1F};  // ties, overflow, inexact
  std::vector<std::byte> data(sizeof values);
  std::memcpy(data.data(), values, sizeof values);
  g.tensor(k).data = ir::Blob::of(std::move(data));
  g.output(g.add(g.input({1, 4}), k));
  const Draft draft = legalise(g.build(), part(), {});
  ASSERT_EQ(draft.data[k].size(), 8U);
  uint16_t bits[4];
  std::memcpy(bits, draft.data[k].data(), sizeof bits);
  EXPECT_EQ(bits[0], 0x3C00);  // to even
  EXPECT_EQ(bits[1], 0x3C02);  // to even
  EXPECT_EQ(bits[2], 0x7C00);  // infinity
  EXPECT_EQ(bits[3], to_half(-0.1F).bits);
}

TEST(Legalise, FixedPointConstantsAreTheClientsOwnBytes) {
  GraphBuilder g(kUfixed8);
  const auto k = g.constant({4});
  g.output(g.add(g.input({1, 4}), k));
  const ir::Graph graph = g.build();
  EXPECT_EQ(legalise(graph, part(), {}).data[k].identity(),
            graph.tensors()[k].data.identity());  // not even copied
}

TEST(Legalise, EachNodeBecomesOneOpThatNamesIt) {
  GraphBuilder g(kUfixed8);
  g.output(g.relu(g.pool(g.input({1, 4, 4, 8}))));
  const program::Program program = legalise(g.build(), part(), {}).program;
  EXPECT_EQ(program.source_nodes, (std::vector<std::string>{"PoolMax2d0", "Relu1"}));
  ASSERT_EQ(program.ops.size(), 2U);
  EXPECT_EQ(program.ops[0].source_nodes, std::vector<uint32_t>{0});
  EXPECT_EQ(program.ops[1].source_nodes, std::vector<uint32_t>{1});
  EXPECT_EQ(program.ops[1].name, "Relu1");
  EXPECT_TRUE(program.framework_nodes.empty()) << "nobody told";
}

TEST(Legalise, NodesOfTheModelsFileStandBesideTheGraphs) {
  GraphBuilder g(kUfixed8);
  g.output(g.relu(g.pool(g.input({1, 4, 4, 8}))));
  ModelFacts facts;
  facts.framework_nodes["Relu1"] = {"/act/Relu", "no UTF-8: \xff", "/act/Cast"};
  facts.framework_nodes["not of this graph"] = {"/x"};
  Options options;
  options.facts = std::make_shared<const ModelFacts>(std::move(facts));
  const program::Program program = legalise(g.build(), part(), options).program;
  const std::vector<std::vector<std::string>> expected = {{}, {"/act/Relu", "/act/Cast"}};
  EXPECT_EQ(program.framework_nodes, expected);
}

TEST(Legalise, TheProgramNamesThePartAndTheLevelItIsFor) {
  const program::Program program = legalise(chain(1), part("SM8650"), {.optimization = 3}).program;
  EXPECT_EQ(program.graph, "chain");
  EXPECT_EQ(program.soc, "SM8650");
  EXPECT_EQ(program.arch, 75U);
  EXPECT_EQ(program.optimization, 3U);
  EXPECT_EQ(program.half_accumulation, part("SM8650").half_accumulation);
  EXPECT_NE(program.half_accumulation, legalise(chain(1), part("SM8550"), {}).program.half_accumulation);
}

// Documented: 4 MB and 4 threads for who asks for nothing, all of it for who asks for 0.
TEST(Legalise, VtcmAndThreadsAreTheDefaultsTheWishesOrAll) {
  const soc::Target large = part("SM8850");
  const auto granted = [](const soc::Target& target, const Options& options) {
    const program::Schedule schedule = legalise(chain(1), target, options).program.schedule;
    return std::pair(schedule.vtcm_bytes, schedule.hvx_threads);
  };
  EXPECT_EQ(granted(large, {}), std::pair(4 * kMiB, 4U));
  EXPECT_EQ(granted(large, {.vtcm_bytes = 0, .hvx_threads = 0}), std::pair(8 * kMiB, 8U));
  EXPECT_EQ(granted(large, {.vtcm_bytes = 4096, .hvx_threads = 2}), std::pair(uint64_t{4096}, 2U));
  soc::Target small = part_with_vtcm(2 * kMiB);
  small.hvx_contexts = 2;
  EXPECT_EQ(granted(small, {}), std::pair(2 * kMiB, 2U)) << "there is no more";
}

}  // namespace
}  // namespace openqnn::prepare
