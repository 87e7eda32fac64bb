// SPDX-License-Identifier: BSD-3-Clause
// Writes the analysis summaries that the tests in this folder look at: write_pages FOLDER
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/split_mix.h"
#include "base/text.h"
#include "profile/diff/diff.h"
#include "profile/page/page.h"
#include "sample.h"

namespace openqnn::profile {
namespace {

using program::TaskKind;
using soc::Unit;

// Names that would end the page's script, its attributes or its lines, were they not escaped.
Sample hostile() {
  Sample s = sample();
  s.program.graph = "</script><script>window.broken=1</script>";
  s.program.ops[0].name = "conv\"'><img src=x onerror=window.broken=1>";
  s.program.ops[1].name = "</script><!-- größe 日本語 \xE2\x80\xA8 line";
  s.program.tensors[2].name = "=cmd|' /C calc'!A0";
  return s;
}

// Vector work on every thread at once, as the simulator spreads it; a device that was given away once, and a
// load that is compressed.
Sample spread() {
  Sample s = sample();
  uint64_t at = 0;
  for (sim::Event& event : s.timeline.events) {
    if (event.unit != Unit::kHvx) continue;
    event.instance = 0;
    event.instances = s.program.schedule.hvx_threads;
    event.start = {std::max(at, event.start.value)};
    at = event.end().value;
  }
  std::ranges::stable_sort(s.timeline.events, {},
                           [](const sim::Event& event) { return std::pair(event.start, event.task); });
  s.timeline.total = std::max(s.timeline.total, Cycles{at});
  s.timeline.yields = {{.start = {100}, .save = {20}, .wait = {300}, .restore = {10}, .bytes = {4096}}};
  s.timeline.acquire = {77};
  std::ranges::find(s.program.schedule.tasks, TaskKind::kLoad, &program::Task::kind)->saved_bytes = 1000;
  return s;
}

Sample empty() {
  Sample s = sample();
  s.program.ops.clear();
  s.program.tensors.clear();
  s.program.schedule.tasks.clear();
  s.program.schedule.blocks.clear();
  s.timeline.events.clear();
  s.timeline.total = {};
  s.timeline.accelerator = s.timeline.rpc = s.timeline.client = {};
  return s;
}

// As many ops as a large network has, each with a load, a computation and a store.
Sample large(uint32_t ops) {
  Sample s = sample();
  s.program.ops.clear();
  s.program.tensors.clear();
  s.program.schedule = {.vtcm_bytes = 8 * kMiB, .hvx_threads = 4, .tasks = {}, .blocks = {}};
  s.timeline.events.clear();
  s.timeline.total = {};
  constexpr std::array<const char*, 6> kTypes = {"Conv2d", "Relu",    "ElementWiseAdd",
                                                 "MatMul", "Softmax", "LayerNorm"};
  uint64_t draws = 0;
  const auto random = [&] { return split_mix(++draws * kGoldenGamma); };
  uint64_t at = 0;
  for (uint32_t i = 0; i < ops; ++i) {
    s.add_op(concat("/model/layers.", i / 40, "/block/op_", i), kTypes[random() % kTypes.size()]);
    s.add_tensor(concat("/model/layers.", i / 40, "/block/op_", i, "_output_0"), ir::TensorRole::kNative);
    const uint64_t cycles = 50 + random() % 4000;
    const bool matrix = s.program.ops[i].type == "Conv2d" || s.program.ops[i].type == "MatMul";
    const uint32_t load = s.task(TaskKind::kLoad, Unit::kDma, 0, i, i, at, 40, sim::Bound::kDma, {});
    const uint32_t work = s.task(TaskKind::kCompute, matrix ? Unit::kHmx : Unit::kHvx, matrix ? 0 : i % 4, i,
                                 i, at + 40, cycles, sim::Bound::kHmx, {load});
    if (i % 8 == 0)
      s.task(TaskKind::kStore, Unit::kDma, 0, i, i, at + 40 + cycles, 30, sim::Bound::kDma, {work});
    s.program.schedule.blocks.push_back(
        {i, s.program.schedule.tasks[load].box, 0, 4096 + cycles * 100, {load, work}});
    at += cycles + 75;
  }
  s.timeline.accelerator = s.timeline.power.time(s.timeline.total);
  s.timeline.rpc = s.timeline.client = s.timeline.accelerator;
  return s;
}

// As a run under a slow profile leaves it.
PowerRecord slow_votes() {
  PowerRecord power;
  power.perf_profile = "power_saver";
  power.power_up = {5'786'000};
  power.rows = {{.at = {0},
                 .what = "vote of 1",
                 .core = "SVS",
                 .hmx = "as core",
                 .bus = "SVS",
                 .details = "DCVS off, sleep 1000 us"},
                {.at = {0},
                 .lasts = Nanos{5'786'000},
                 .what = "waking up",
                 .core = "SVS, 507 MHz",
                 .hmx = "50.0 %",
                 .bus = "50.0 %",
                 .core_permille = 500}};
  power.rows_left_out = 7;
  return power;
}

Status write(const std::filesystem::path& folder, std::string_view name, const Sample& sample,
             const PowerRecord& power = {}) {
  frontend::Trace trace;
  for (const program::Op& op : sample.program.ops)
    trace.nodes.push_back({op.name, {concat("onnx::", op.name)}});
  const qhas::Model model =
      qhas::qhas_model_of(sample.program, sample.timeline, {std::string(name), "", {}, &trace, &power});
  OPENQNN_TRY(write_file(folder / concat(name, ".json"), qhas_json(model)));
  return write_file(folder / concat(name, ".html"), qhas_page(model, "openqnn (test)"));
}

Status write_trace(const std::filesystem::path& folder, std::string_view name, const Sample& sample) {
  return write_file(folder / concat(name, "_chrometrace.json"), chrometrace(sample.program, sample.timeline));
}

// At a clock whose cycles are no whole nanoseconds.
Sample with_odd_clock(Sample s) {
  s.timeline.power.clock_hz = 1.19e9;
  return s;
}

Status write_diff(const std::filesystem::path& folder) {
  const Sample a = sample();
  const Sample b = hostile();
  const qhas::Model model_a = qhas::qhas_model_of(a.program, a.timeline, {});
  const qhas::Model model_b = qhas::qhas_model_of(b.program, b.timeline, {});
  return write_file(folder / "diff.html", diff_page(diff_of({"a", &model_a, {}}, {"b", &model_b, {}})));
}

Status write_all(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  OPENQNN_TRY(write_file(folder / "qhas_schema.json", qhas::qhas_schema()));
  OPENQNN_TRY(write(folder, "small", sample()));
  OPENQNN_TRY(write(folder, "odd", odd_sample()));
  OPENQNN_TRY(write(folder, "hostile", hostile()));
  OPENQNN_TRY(write(folder, "empty", empty()));
  OPENQNN_TRY(write(folder, "spread", spread()));
  OPENQNN_TRY(write(folder, "voted", sample(), slow_votes()));
  OPENQNN_TRY(write_trace(folder, "small", sample()));
  OPENQNN_TRY(write_trace(folder, "odd", odd_sample()));
  OPENQNN_TRY(write_trace(folder, "spread", with_odd_clock(spread())));
  OPENQNN_TRY(write_trace(folder, "long", with_odd_clock(large(10'000))));
  OPENQNN_TRY(write_diff(folder));
  return write(folder, "large", large(100'000));
}

}  // namespace
}  // namespace openqnn::profile

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: write_pages FOLDER\n", stderr);
    return 2;
  }
  const auto done = openqnn::profile::write_all(arguments[1]);
  if (!done) std::fprintf(stderr, "write_pages: %s\n", done.error().to_string().c_str());
  return done ? 0 : 1;
}
