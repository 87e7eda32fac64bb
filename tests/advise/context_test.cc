// SPDX-License-Identifier: BSD-3-Clause
// Options, contexts and clients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "advise/models.h"
#include "base/units.h"

namespace openqnn::advise {
namespace {

using T = ModelBuilder::T;
using testing::HasSubstr;

constexpr uint64_t kGiB = 1024 * kMiB;

// Advice with a configuration: an HTP file, and an outer file.
class Configured {
 public:
  explicit Configured(std::string htp, std::string tool = {}) {
    documents_.push_back(config::read("htp.json", std::move(htp), config::Kind::kHtp));
    if (!tool.empty()) documents_.push_back(config::read("run.json", std::move(tool), config::Kind::kTool));
    std::vector<const config::Config*> configs;
    for (const config::Document& document : documents_) configs.push_back(&*document.config);
    subject_.emplace(configs, config::Circumstances{});
  }
  std::vector<Finding> advice_on(Given given) const {
    given.config = &*subject_;
    return advise(given);
  }

 private:
  std::vector<config::Document> documents_;
  std::optional<config::Subject> subject_;
};

ir::Graph large_images() {
  ModelBuilder m;
  T last = m.input({1, 224, 224, 32});
  for (int i = 0; i < 3; ++i) last = m.relu(m.conv(last, 64));
  m.output(last);
  return quantized(m.build());
}

// feature: G1 (inside)
TEST(AdviceOnOptions, MoreVtcm) {
  const ir::Graph graph = large_images();
  const Configured file(R"({"graphs": [{"graph_names": ["model"], "vtcm_mb": 1}]})");
  prepare::Options options = best_options();
  options.vtcm_bytes = 1 * kMiB;
  const auto found = file.advice_on(given_of(graph, options));
  const Finding& vtcm = finding(found, "ADV-VTCM");
  ASSERT_EQ(vtcm.effects.size(), 1U);
  EXPECT_EQ(vtcm.effects[0].change, "vtcm_mb 8");
  EXPECT_LT(vtcm.effects[0].after_us, vtcm.effects[0].before_us);
  EXPECT_FALSE(has(file.advice_on(given_of(graph)), "ADV-VTCM"));  // has all of it
}

// feature: G1 (inside)
TEST(AdviceOnOptions, VtcmThatIsNotSetIsADefault) {
  const ir::Graph graph = large_images();
  const Configured file(R"({"graphs": [{"graph_names": ["model"], "O": 3}]})");
  Given given = given_of(graph);
  given.vtcm_is_set = false;
  EXPECT_THAT(finding(file.advice_on(given), "ADV-VTCM").message, HasSubstr("vtcm_mb is not set"));
}

// feature: G1 (inside)
TEST(AdviceOnOptions, MoreThreads) {
  ModelBuilder m;
  const T x = m.input({1, 112, 112, 64});
  m.output(m.binary("ElementWiseMultiply", m.unary("Sigmoid", x), m.relu(m.conv(x, 64))));
  const ir::Graph graph = quantized(m.build());
  const Configured file(R"({"graphs": [{"graph_names": ["model"], "hvx_threads": 1}]})");
  prepare::Options options = best_options();
  options.hvx_threads = 1;
  const auto found = file.advice_on(given_of(graph, options));
  EXPECT_LT(finding(found, "ADV-THREADS").effects.at(0).percent(), -3);
  EXPECT_FALSE(has(file.advice_on(given_of(graph)), "ADV-THREADS"));
}

// feature: G1 (inside)
TEST(AdviceOnOptions, MoreOptimization) {
  ModelBuilder m;
  T last = m.input({1, 112, 112, 32});
  for (int i = 0; i < 2; ++i) last = m.relu(m.conv(last, 64));
  m.output(last);
  const ir::Graph graph = m.build();  // in half, Relu is merged from O 2 on
  prepare::Options options = best_options();
  options.optimization = 1;
  const auto found = advise(given_of(graph, options));
  EXPECT_LT(finding(found, "ADV-O").effects.at(0).percent(), -3);
  EXPECT_FALSE(has(advise(given_of(graph)), "ADV-O"));
}

// feature: G1 (inside)
TEST(AdviceOnOptions, SmallModelsGainByBatches) {
  ModelBuilder m;
  m.output(m.matmul(m.input({1, 32}), 32));
  const ir::Graph tiny = quantized(m.build());
  EXPECT_THAT(finding(advice_on(tiny), "ADV-BATCH").message, HasSubstr("two threads would give"));
  EXPECT_FALSE(has(advice_on(large_images()), "ADV-BATCH"));
}

// ---- Contexts: Programs with sizes that no test could prepare ----

program::Program program_of(const std::string& name, uint64_t constants, uint64_t offset) {
  program::Program made;
  made.graph = name;
  made.soc = "SM8550";
  made.arch = 73;
  made.source_nodes = {"node"};
  program::Tensor weights;
  weights.name = "w";
  weights.role = ir::TensorRole::kStatic;
  weights.storage = program::Storage::kConstant;
  weights.offset = offset;
  weights.bytes = constants;
  made.tensors.push_back(weights);
  return made;
}

Given context_of(const std::vector<program::Program>& programs) {
  Given given;
  given.target = soc::target_by_chipset("SM8550").value();
  for (const program::Program& one : programs)
    given.timed.set.programs.push_back(std::make_shared<program::Program>(one));
  return given;
}

// feature: G1 (inside)
TEST(AdviceOnContexts, OperationsThatAreCutVerySmall) {
  program::Program made = program_of("g", 0, 0);
  made.schedule.tasks.resize(24000);
  EXPECT_FALSE(has(advise(context_of({made})), "ADV-OPCOUNT"));  // 960 KB
  made.schedule.tasks.resize(300000);
  EXPECT_THAT(finding(advise(context_of({made})), "ADV-OPCOUNT").message, HasSubstr("12000 KB at 40 bytes"));
  made.source_nodes.resize(30000);  // they were many to begin with
  EXPECT_FALSE(has(advise(context_of({made})), "ADV-OPCOUNT"));
}

// feature: G1 (inside)
TEST(AdviceOnContexts, MoreThanThreeGigabytes) {
  EXPECT_THAT(finding(advise(context_of({program_of("g", 3 * kGiB, 0)})), "ADV-CONTEXT-SIZE").message,
              HasSubstr("3.75 GB"));
  EXPECT_FALSE(has(advise(context_of({program_of("g", 3 * kGiB - kMiB, 0)})), "ADV-CONTEXT-SIZE"));
}

// feature: G1 (inside)
TEST(AdviceOnContexts, RetentionListsFit) {
  const auto file = [](const std::string& list) {
    return Configured("{}", R"({"context_configs": {"is_persistent_binary": true, "memory_limit_hint": 1,
                               "graph_retention_order": )" +
                                list + "}}");
  };
  const Given given = context_of({program_of("a", 2 * kGiB, 0), program_of("b", 2 * kGiB, 2 * kGiB)});
  EXPECT_THAT(finding(file(R"(["a", "b"])").advice_on(given), "ADV-RETENTION").message,
              HasSubstr("the first 1 fit"));
  EXPECT_FALSE(has(file(R"(["a"])").advice_on(given), "ADV-RETENTION"));
}

// feature: G1 (inside)
TEST(AdviceOnContexts, SharingNeedsSomethingInCommon) {
  const Configured file(R"({"context": {"weight_sharing_enabled": true}})");
  const Given unlike = context_of({program_of("a", 64 * kMiB, 0), program_of("b", 64 * kMiB, 64 * kMiB)});
  const Given alike = context_of({program_of("a", 64 * kMiB, 0), program_of("b", 64 * kMiB, 0)});
  EXPECT_TRUE(has(file.advice_on(unlike), "ADV-SHARING-UNLIKE"));
  EXPECT_FALSE(has(file.advice_on(alike), "ADV-SHARING-UNLIKE"));
  EXPECT_FALSE(has(Configured("{}").advice_on(unlike), "ADV-SHARING-UNLIKE"));

  const auto enabling = [](const std::string& list) {
    return Configured(R"({"context": {"weight_sharing_enabled": true}})",
                      R"({"context_configs": {"enable_graphs": )" + list + "}}");
  };
  EXPECT_TRUE(has(enabling(R"(["a"])").advice_on(alike), "ADV-SHARING-ONE"));
  EXPECT_FALSE(has(enabling(R"(["a", "b"])").advice_on(alike), "ADV-SHARING-ONE"));
}

// Rules about the context speak once, whatever number of graphs it has.
TEST(AdviceOnContexts, AreGivenOnce) {
  Given given = context_of({program_of("a", 4 * kGiB, 0), program_of("b", kMiB, 4 * kGiB)});
  EXPECT_TRUE(has(advise(given), "ADV-CONTEXT-SIZE"));
  given.timed.index = 1;
  EXPECT_FALSE(has(advise(given), "ADV-CONTEXT-SIZE"));
}

// ---- Clients ----

// feature: G1 (inside)
TEST(AdviceOnClients, BinariesAreMapped) {
  const Configured persistent("{}", R"({"context_configs": {"is_persistent_binary": true}})");
  const Configured budget(R"({"context": {"file_read_memory_budget_in_mb": 25}})");
  Given given = context_of({program_of("g", kMiB, 0)});
  EXPECT_TRUE(has(persistent.advice_on(given), "ADV-MMAP"));
  EXPECT_TRUE(has(budget.advice_on(given), "ADV-MMAP"));
  given.maps_binaries = true;
  EXPECT_FALSE(has(persistent.advice_on(given), "ADV-MMAP"));
  EXPECT_FALSE(has(budget.advice_on(given), "ADV-MMAP"));
  given.maps_binaries = false;
  EXPECT_FALSE(
      has(Configured(R"({"context": {"file_read_memory_budget_in_mb": 0}})").advice_on(given), "ADV-MMAP"));
}

// feature: G1 (inside)
TEST(AdviceOnClients, PollingForShortModels) {
  const Configured file(
      R"({"devices": [{"cores": [{"rpc_polling_time": 9999, "adaptive_polling_time": 2000}]}]})");
  Given given = context_of({program_of("g", kMiB, 0)});
  given.timed.timeline.client = Nanos{999'000};
  EXPECT_THAT(finding(file.advice_on(given), "ADV-POLLING").message, HasSubstr("999.0 us"));
  given.timed.timeline.client = Nanos{1'000'000};
  EXPECT_FALSE(has(file.advice_on(given), "ADV-POLLING"));
}

// feature: G1 (inside)
TEST(AdviceOnClients, WakingUpInTime) {
  const auto found = [](const std::string& latency, const std::string& profile) {
    return has(Configured(R"({"devices": [{"cores": [{"perf_profile": ")" + profile +
                          R"(", "rpc_control_latency": )" + latency + "}]}]}")
                   .advice_on(context_of({program_of("g", kMiB, 0)})),
               "ADV-RPC-LATENCY");
  };
  EXPECT_TRUE(found("0", "burst"));
  EXPECT_TRUE(found("200", "high_performance"));
  EXPECT_FALSE(found("1", "burst"));
  EXPECT_FALSE(found("199", "burst"));
  EXPECT_FALSE(found("1000", "power_saver"));
}

}  // namespace
}  // namespace openqnn::advise
