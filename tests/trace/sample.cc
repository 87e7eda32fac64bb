// SPDX-License-Identifier: BSD-3-Clause
#include "sample.h"

#include <algorithm>

namespace openqnn::profile {

using program::TaskKind;
using sim::Bound;
using soc::Unit;

uint32_t Sample::task(TaskKind kind, Unit unit, uint32_t instance, uint32_t op, ir::TensorIndex tensor,
                      uint64_t start, uint64_t duration, Bound bound, std::vector<uint32_t> after) {
  const auto index = static_cast<uint32_t>(program.schedule.tasks.size());
  program::Task made;
  made.kind = kind;
  made.unit = unit;
  made.op = op;
  made.tensor = tensor;
  made.box = {{0, 0, 0, 0}, {1, 8, 8, 32}};
  made.work.unit = unit;
  if (kind == TaskKind::kCompute) {
    made.work.vtcm_bytes = 4096;
    if (unit == Unit::kHmx) made.work.macs = 65536;
    if (unit == Unit::kHvx) made.work.vector_ops = 16;
  } else {
    made.bytes = 2048;
  }
  made.after = std::move(after);
  program.schedule.tasks.push_back(std::move(made));
  timeline.events.push_back({.task = index,
                             .unit = unit,
                             .instance = instance,
                             .start = {start},
                             .duration = {duration},
                             .bound = bound});
  timeline.total = std::max(timeline.total, timeline.events.back().end());
  return index;
}

void Sample::add_tensor(std::string name, ir::TensorRole role) {
  program::Tensor tensor;
  tensor.name = std::move(name);
  tensor.role = role;
  program.tensors.push_back(std::move(tensor));
}

void Sample::add_op(std::string name, std::string type) {
  program::Op op;
  op.name = std::move(name);
  op.type = std::move(type);
  program.ops.push_back(std::move(op));
}

namespace {

Sample on_a_device() {
  Sample s;
  s.program.graph = "net";
  s.program.soc = "SM8650";
  s.program.arch = 75;
  s.program.schedule.vtcm_bytes = 8 * kMiB;
  s.program.schedule.hvx_threads = 2;
  s.timeline.power.clock_hz = 1.5e9;  // 2 ns are 3 cycles
  s.timeline.model = "event model, v75: written by hand";
  s.timeline.error_band = 0.5;
  return s;
}

void finish(Sample& s) {
  std::stable_sort(s.timeline.events.begin(), s.timeline.events.end(),
                   [](const sim::Event& a, const sim::Event& b) { return a.start < b.start; });
  s.timeline.accelerator = s.timeline.power.time(s.timeline.total);
  s.timeline.rpc = s.timeline.accelerator + Nanos{87'000};
  s.timeline.client = s.timeline.rpc + Nanos{43'000};
}

}  // namespace

Sample sample() {
  Sample s = on_a_device();
  s.add_tensor("input", ir::TensorRole::kInput);
  s.add_tensor("weights", ir::TensorRole::kStatic);
  s.add_tensor("middle", ir::TensorRole::kNative);
  s.add_tensor("output", ir::TensorRole::kOutput);
  s.add_op("conv", "Conv2d");
  s.add_op("tanh", "Tanh");

  const auto load_w = s.task(TaskKind::kLoad, Unit::kDma, 0, 0, 1, 0, 300, Bound::kDma, {});
  const auto load_0 = s.task(TaskKind::kLoad, Unit::kDma, 0, 0, 0, 300, 200, Bound::kDma, {});
  const auto load_1 = s.task(TaskKind::kLoad, Unit::kDma, 0, 0, 0, 500, 200, Bound::kDma, {});
  const auto conv_0 =
      s.task(TaskKind::kCompute, Unit::kHmx, 0, 0, 2, 500, 400, Bound::kHmx, {load_w, load_0});
  const auto conv_1 =
      s.task(TaskKind::kCompute, Unit::kHmx, 0, 0, 2, 900, 400, Bound::kHmx, {load_w, load_1});
  const auto tanh_0 = s.task(TaskKind::kCompute, Unit::kHvx, 0, 1, 3, 900, 600, Bound::kHvx, {conv_0});
  const auto tanh_1 = s.task(TaskKind::kCompute, Unit::kHvx, 1, 1, 3, 1300, 600, Bound::kHvx, {conv_1});
  const auto store_0 = s.task(TaskKind::kStore, Unit::kDma, 0, 1, 3, 1500, 200, Bound::kDma, {tanh_0});
  const auto store_1 = s.task(TaskKind::kStore, Unit::kDma, 0, 1, 3, 1950, 200, Bound::kDma, {tanh_1});

  const ir::Box box = s.program.schedule.tasks[0].box;
  s.program.schedule.blocks = {
      {1, box, 0, 65536, {load_w, conv_0, conv_1}}, {0, box, 65536, 2048, {load_0, conv_0}},
      {0, box, 67584, 2048, {load_1, conv_1}},      {2, box, 69632, 2048, {conv_0, tanh_0}},
      {2, box, 71680, 2048, {conv_1, tanh_1}},      {3, box, 65536, 2048, {tanh_0, store_0}},
      {3, box, 67584, 2048, {tanh_1, store_1}},
  };
  finish(s);
  return s;
}

Sample odd_sample() {
  Sample s = on_a_device();
  s.program.graph = "net \"two\"\\\n";
  s.add_tensor("größe/\t日本語 \"q\"", ir::TensorRole::kNative);
  s.add_op("naïve \"op\"\n", "Relu");
  s.add_op("never runs", "Relu");
  const auto a = s.task(TaskKind::kLoad, Unit::kDma, 0, 0, 0, 0, 0, Bound::kOverhead, {});
  const auto b = s.task(TaskKind::kCompute, Unit::kScalar, 0, 0, 0, 0, 0, Bound::kOverhead, {a});
  s.task(TaskKind::kStore, Unit::kDma, 0, 0, 0, 0, 0, Bound::kOverhead, {b});
  s.program.schedule.blocks = {{0, s.program.schedule.tasks[0].box, 0, 64, {a, b}}};
  finish(s);
  return s;
}

}  // namespace openqnn::profile
