// SPDX-License-Identifier: BSD-3-Clause
// The analysis summary as tables: what adds up, what is named, and the order of the dominant path.
#include <gmock/gmock.h>

#include "base/text.h"
#include "profile/page/page.h"
#include "profile/paths.h"
#include "profile/qhas/model.h"
#include "sample.h"

namespace openqnn::profile {
namespace {

using program::TaskKind;
using qhas::Model;
using soc::Unit;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Model model_of(const Sample& sample, const frontend::Trace* trace = nullptr) {
  return qhas::qhas_model_of(sample.program, sample.timeline, {"a model", "", {}, trace});
}

template <class Rows, class ValueOf>
uint64_t sum(const Rows& rows, const ValueOf& value_of) {
  uint64_t total = 0;
  for (const auto& row : rows) total += value_of(row);
  return total;
}

void expect_sums(const Model& model) {
  const auto dominant = [](const auto& row) { return row.cost.dominant.value; };
  EXPECT_EQ(sum(model.ops, dominant), model.busy.value);
  EXPECT_EQ(sum(model.op_types, dominant), model.busy.value);
  EXPECT_EQ(sum(model.htp_op_types, dominant), model.busy.value);
  EXPECT_EQ(sum(model.dominant_path, [](const auto& step) { return step.cycles.value; }), model.busy.value);
  EXPECT_LE(model.busy, model.total);
  const uint64_t unit_cycles = sum(model.resources, [](const auto& row) { return row.used.value; });
  const auto all_cycles = [](const auto& row) { return row.cost.cycles.value + row.cost.dma.value; };
  EXPECT_EQ(sum(model.ops, all_cycles), unit_cycles);
  EXPECT_EQ(sum(model.htp_op_types, all_cycles), unit_cycles);
  EXPECT_EQ(sum(model.ops, [](const auto& row) { return row.cost.htp_ops; }), model.htp_ops.size());
  EXPECT_EQ(sum(model.ops, [](const auto& row) { return row.cost.traffic.vtcm_read; }),
            model.traffic().vtcm_read);
  for (const qhas::Resource& resource : model.resources)
    EXPECT_LE(resource.end, model.total) << resource.name();
}

TEST(Qhas, VectorWorkOccupiesEveryThreadThatItIsSpreadOver) {
  Sample s = sample();
  for (sim::Event& event : s.timeline.events)
    if (event.unit == soc::Unit::kHvx) {
      event.instance = 0;
      event.instances = 2;
      s.program.schedule.tasks[event.task].work.vtcm_bytes = 8192;
    }
  const Model model = model_of(s);
  std::vector<qhas::Resource> threads;
  for (const qhas::Resource& resource : model.resources)
    if (resource.type == "HVX") threads.push_back(resource);
  ASSERT_EQ(threads.size(), 2U);
  EXPECT_EQ(threads[0].used.value, 1200U);
  EXPECT_EQ(threads[1].used, threads[0].used);
  EXPECT_GT(threads[1].traffic.vtcm_read, 0U);
  EXPECT_EQ(threads[0].traffic.vtcm_read, threads[1].traffic.vtcm_read) << "each moves its part";
  EXPECT_EQ(sum(model.ops, [](const auto& row) { return row.cost.traffic.vtcm_read; }),
            model.traffic().vtcm_read)
      << "bytes count once";

  const std::string text = qhas_json(model);
  const auto again = qhas::read_qhas(text, "again.json");
  ASSERT_TRUE(again.ok());
  for (size_t i = 0; i < model.htp_ops.size(); ++i)
    EXPECT_EQ(again->htp_ops[i].instances, model.htp_ops[i].instances);
  std::string too_many = text;
  too_many.replace(too_many.find("\"threads\": 2"), 12, "\"threads\": 9");
  EXPECT_FALSE(qhas::read_qhas(too_many, "again.json").ok());
}

// feature: D6 (report)
TEST(Qhas, VotesOfALoggedRunAreKept) {
  PowerRecord power{.perf_profile = "burst", .power_up = {1500}, .rows = {}, .rows_left_out = 3};
  power.rows.push_back({.at = {1000}, .what = "stage init"});
  power.rows.push_back({.at = {2000}, .lasts = Nanos{500}, .what = "executing", .core_permille = 1000});
  const Sample s = sample();
  const Model model = qhas::qhas_model_of(s.program, s.timeline, {.power = &power});
  EXPECT_EQ(model.power_vote, "one clock for the whole run: that of the votes of burst");
  ASSERT_EQ(model.unavailable.size(), 1U);
  EXPECT_EQ(model.unavailable[0].what, "energy");

  const auto again = qhas::read_qhas(qhas_json(model), "again.json");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->power.perf_profile, "burst");
  EXPECT_EQ(again->power.power_up, power.power_up);
  EXPECT_EQ(again->power.rows_left_out, 3U);
  ASSERT_EQ(again->power.rows.size(), 2U);
  EXPECT_FALSE(again->power.rows[0].lasts);
  EXPECT_EQ(again->power.rows[1].lasts, Nanos{500});
  EXPECT_EQ(qhas_json(*again), qhas_json(model));
}

// feature: D6 (report)
TEST(Qhas, EverySectionAddsUpToTheTimeline) {
  const Model model = model_of(sample());
  expect_sums(model);
  EXPECT_EQ(model.total.value, 2150U);
  EXPECT_EQ(model.busy.value, 2100U);  // nothing runs between 1900 and 1950
  EXPECT_EQ(model.traffic().dram_read, 3U * 2048);
  EXPECT_EQ(model.traffic().dram_write, 2U * 2048);
  EXPECT_EQ(model.vtcm_peak, 65536U + 4 * 2048);
}

TEST(Qhas, TheVtcmOfAllCoresIsWhatItsPeakIsAPartOf) {
  Sample s = sample();
  s.program.schedule.cores = 2;
  s.program.schedule.vtcm_bytes = kMiB;
  EXPECT_EQ(model_of(s).vtcm_of_all_cores(), 2 * kMiB);
  EXPECT_THAT(qhas_page(model_of(s), "test"), HasSubstr(concat("\"vtcm_bytes\":", 2 * kMiB)));
}

TEST(Qhas, ThePageKeepsTheLastPeakOfLongRuns) {
  Model model = model_of(sample());
  model.vtcm.clear();
  for (uint64_t at = 0; at < 50'000; ++at) model.vtcm.push_back({{at}, at % 3});
  model.vtcm[49'999].bytes = 987'654;
  model.vtcm.push_back({{50'000}, 0});
  EXPECT_THAT(qhas_page(model, "test"), HasSubstr(",987654,0]"));
}

TEST(Qhas, OpsWithoutWorkAndGraphsWithoutOpsAreComplete) {
  const Model odd = model_of(odd_sample());
  expect_sums(odd);
  ASSERT_EQ(odd.ops.size(), 2U);
  EXPECT_EQ(odd.ops[1].cost.htp_ops, 0U);
  EXPECT_EQ(odd.htp_ops.size(), 3U);
  EXPECT_EQ(odd.inferences_per_second(), 0.0);

  Sample nothing;
  expect_sums(model_of(nothing));
  EXPECT_THAT(qhas::qhas_json(model_of(nothing)), Not(HasSubstr("null")));
}

TEST(Qhas, NamesLeadBackToTheClientsNodesAndToTheModelsFile) {
  Sample s = sample();
  s.program.source_nodes = {"conv", "relu", "tanh"};
  s.program.ops[0].source_nodes = {0, 1};
  s.program.ops[1].source_nodes = {2};
  frontend::Trace trace;
  trace.nodes = {{"conv", {"/stem/Conv", "/stem/BatchNormalization"}},
                 {"relu", {"/stem/Relu", "/stem/Conv"}}};
  const Model model = model_of(s, &trace);
  EXPECT_THAT(model.ops[0].nodes, ElementsAre("conv", "relu"));
  EXPECT_THAT(model.ops[0].framework, ElementsAre("/stem/Conv", "/stem/BatchNormalization", "/stem/Relu"));
  EXPECT_THAT(model.ops[1].framework, ElementsAre());
}

TEST(Qhas, AProgramTellsTheNodesOfTheModelsFileItself) {
  Sample s = sample();
  s.program.source_nodes = {"conv", "relu", "tanh"};
  s.program.framework_nodes = {{"/stem/Conv"}, {"/stem/Relu"}, {}};
  s.program.ops[0].source_nodes = {0, 1};
  s.program.ops[1].source_nodes = {2};
  EXPECT_THAT(model_of(s).ops[0].framework, ElementsAre("/stem/Conv", "/stem/Relu"));
  EXPECT_THAT(model_of(s).ops[1].framework, ElementsAre());
  frontend::Trace trace;
  trace.nodes = {{"conv", {"/other/Conv"}}};
  EXPECT_THAT(model_of(s, &trace).ops[0].framework, ElementsAre("/other/Conv", "/stem/Relu"))
      << "what is said by hand goes before";
}

TEST(Qhas, APartOfTheGraphIsARunOfItsOwn) {
  const Sample s = sample();
  const std::vector<bool> part = {false, true};  // the activation
  const Model model = qhas::qhas_model_of(s.program, s.timeline, {.part = &part});
  expect_sums(model);
  ASSERT_EQ(model.ops.size(), 1U);
  EXPECT_EQ(model.ops[0].name, "tanh");
  EXPECT_EQ(model.op_types.size(), 1U);
  EXPECT_EQ(model.total.value, 2150U - 900U);
  EXPECT_EQ(model.htp_ops.front().start.value, 0U);
  for (const qhas::HtpOp& op : model.htp_ops) EXPECT_EQ(op.op, 0U);
  EXPECT_EQ(model.unavailable.back().what, "RPC and QNN execute time");

  const std::vector<bool> nothing = {false, false};
  EXPECT_EQ(qhas::qhas_model_of(s.program, s.timeline, {.part = &nothing}).total.value, 0U);
}

TEST(Qhas, ServicesHoldTheTransfersAndSayWhatThereIsNot) {
  const Model model = model_of(sample());
  ASSERT_EQ(model.services.size(), 7U);
  EXPECT_EQ(model.services[0].name, "DramToTcm");
  EXPECT_EQ(model.services[0].cost.htp_ops, 3U);
  EXPECT_EQ(model.services[1].name, "TcmToDram");
  EXPECT_EQ(model.services[1].cost.dma.value, 400U);
  for (size_t i = 2; i < model.services.size(); ++i) {
    EXPECT_EQ(model.services[i].cost.htp_ops, 0U);
    EXPECT_FALSE(model.services[i].unavailable.empty()) << model.services[i].name;
  }
}

TEST(QhasFile, ReadsBackAsItWasWritten) {
  Sample interrupted = sample();
  interrupted.timeline.yields = {
      {.start = {100}, .save = {20}, .wait = {300}, .restore = {10}, .bytes = {4096}}};
  interrupted.timeline.acquire = {77};
  for (const Sample& one : {sample(), odd_sample(), interrupted, Sample()}) {
    const std::string text = qhas::qhas_json(model_of(one));
    const auto model = qhas::read_qhas(text, "file");
    ASSERT_TRUE(model) << model.error().to_string();
    EXPECT_EQ(qhas::qhas_json(*model), text);
    expect_sums(*model);
    EXPECT_EQ(qhas_page(*model, "").size() > 0, true);
  }
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(QhasFile, SaysWhatIsWrongWithOne) {
  const std::string text = qhas::qhas_json(model_of(sample()));
  const auto message = [](const std::string& broken) {
    const auto read = qhas::read_qhas(broken, "file");
    return read ? std::string("it was read") : read.error().message;
  };
  EXPECT_THAT(message("{}"), HasSubstr("no analysis summary"));
  EXPECT_THAT(message(replaced(text, "\"openqnn\"", "\"other\"")), HasSubstr("another program"));
  EXPECT_THAT(message(replaced(text, "\"tid\": 512", "\"tid\": 256")), HasSubstr("'tid' is there twice"));
  EXPECT_THAT(message(replaced(text, "\"qnn_op\": \"conv\"", "\"qnn_op\": \"no\"")),
              HasSubstr("'qnn_op' names what is not there"));
  EXPECT_THAT(message(replaced(text, "\"timeline_cycles\": 2150", "\"timeline_cycles\": 7")),
              HasSubstr("longer than the timeline"));
  EXPECT_THAT(message(replaced(text, "\"start_cycle\": 500", "\"start_cycle\": -5")),
              HasSubstr("'start_cycle' is not a whole number"));
}

// feature: D6 (report)
TEST(DominantPath, TakesHmxThenHvxThenReadsThenWrites) {
  Sample s = sample();
  s.program.schedule.tasks.clear();
  s.program.schedule.blocks.clear();
  s.timeline.events.clear();
  s.timeline.total = {};
  // Each one starts first and outlasts all that are more important.
  const auto store = s.task(TaskKind::kStore, Unit::kDma, 1, 0, 0, 0, 100, sim::Bound::kDma, {});
  const auto load = s.task(TaskKind::kLoad, Unit::kDma, 0, 0, 0, 10, 80, sim::Bound::kDma, {});
  const auto scalar = s.task(TaskKind::kCompute, Unit::kScalar, 0, 0, 0, 20, 60, sim::Bound::kHmx, {});
  const auto hvx = s.task(TaskKind::kCompute, Unit::kHvx, 0, 0, 0, 30, 40, sim::Bound::kHmx, {});
  const auto hmx = s.task(TaskKind::kCompute, Unit::kHmx, 0, 0, 0, 40, 20, sim::Bound::kHmx, {});
  std::vector<uint32_t> order;
  for (const DominantSegment& segment : dominant_path(s.program, s.timeline)) order.push_back(segment.task);
  EXPECT_THAT(order, ElementsAre(store, load, scalar, hvx, hmx, hvx, scalar, load, store));
}

TEST(Page, NoNameOfTheModelCanEndItsScript) {
  Sample s = sample();
  s.program.ops[0].name = "</script><script>alert(1)</script><!--";
  s.program.graph = "<b>";
  const std::string page = qhas_page(model_of(s), "openqnn");
  EXPECT_THAT(page, Not(HasSubstr("</script><script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>"));
  EXPECT_THAT(page, Not(HasSubstr("http-equiv=\"refresh")));
}

TEST(Page, IsOneFileThatLoadsNothing) {
  const std::string page = qhas_page(model_of(sample()), "openqnn");
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("src=\"")));
  EXPECT_THAT(page, Not(HasSubstr("https://")));
  EXPECT_THAT(page, Not(HasSubstr("<!--")));  // every marker of the template was filled
  EXPECT_EQ(page, qhas_page(model_of(sample()), "openqnn"));
}

}  // namespace
}  // namespace openqnn::profile
