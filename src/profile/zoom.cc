// SPDX-License-Identifier: BSD-3-Clause
#include "profile/zoom.h"

#include <algorithm>

#include "base/text.h"

namespace openqnn::profile {
namespace {

using program::Program;
constexpr uint32_t kGone = UINT32_MAX;

// All names that a user may have for an op.
bool is_called(const Program& program, const program::Op& op, std::string_view name,
               const Traceback& traceback) {
  if (op.name == name) return true;
  for (const uint32_t node : op.source_nodes) {
    const std::string& source = program.source_nodes[node];
    if (source == name) return true;
    const auto found = traceback.find(source);
    if (found != traceback.end() && std::ranges::find(found->second, name) != found->second.end())
      return true;
  }
  return false;
}

Result<std::vector<bool>> ops_called(const Program& program, std::string_view option, std::string_view name,
                                     const Traceback& traceback) {
  std::vector<bool> found(program.ops.size());
  for (size_t i = 0; i < program.ops.size(); ++i)
    found[i] = is_called(program, program.ops[i], name, traceback);
  if (std::ranges::find(found, true) != found.end()) return found;
  return invalid("zoom-name", concat("no node of graph '", program.graph, "' is called '", name, "'"))
      .at(std::string(option))
      .fix_by(traceback.empty() ? "give the name of a QNN node; names of the model's file need --dlc"
                                : "give the name of a QNN node, or of a node of the model's file");
}

// Marks the ops that read what marked ops write or, backward, that write what marked ops read. Ops come in
// the order of their dependencies.
using Operands = std::vector<ir::TensorIndex> program::Op::*;
void spread(const Program& program, bool backward, std::vector<bool>& marked) {
  const Operands taken = backward ? &program::Op::outputs : &program::Op::inputs;
  const Operands given = backward ? &program::Op::inputs : &program::Op::outputs;
  std::vector<bool> reached(program.tensors.size());
  for (size_t step = 0; step < program.ops.size(); ++step) {
    const size_t i = backward ? program.ops.size() - 1 - step : step;
    for (const ir::TensorIndex tensor : program.ops[i].*taken)
      if (tensor != ir::kNoTensor && reached[tensor]) marked[i] = true;
    if (!marked[i]) continue;
    for (const ir::TensorIndex tensor : program.ops[i].*given)
      if (tensor != ir::kNoTensor) reached[tensor] = true;
  }
}

// The new index of each that stays.
std::vector<uint32_t> renumbered(const std::vector<bool>& stays) {
  std::vector<uint32_t> numbers(stays.size(), kGone);
  uint32_t next = 0;
  for (size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) numbers[i] = next++;
  return numbers;
}

void renumber(std::vector<uint32_t>& list, const std::vector<uint32_t>& numbers) {
  for (uint32_t& entry : list) entry = numbers[entry];
  std::erase(list, kGone);
}

void keep_tasks(program::Schedule& schedule, const std::vector<uint32_t>& op_numbers,
                const std::vector<uint32_t>& task_numbers) {
  std::vector<program::Task> tasks;
  for (size_t i = 0; i < schedule.tasks.size(); ++i) {
    if (task_numbers[i] == kGone) continue;
    program::Task& task = tasks.emplace_back(std::move(schedule.tasks[i]));
    task.op = op_numbers[task.op];
    renumber(task.after, task_numbers);
  }
  schedule.tasks = std::move(tasks);
  for (program::VtcmBlock& block : schedule.blocks) renumber(block.users, task_numbers);
  std::erase_if(schedule.blocks, [](const program::VtcmBlock& block) { return block.users.empty(); });
}

void keep_events(sim::Timeline& timeline, const std::vector<uint32_t>& task_numbers) {
  keep_part(timeline, [&](const sim::Event& event) { return task_numbers[event.task] != kGone; });
  for (sim::Event& event : timeline.events) event.task = task_numbers[event.task];
  timeline.rpc = timeline.client = timeline.accelerator;
}

}  // namespace

void keep_part(sim::Timeline& timeline, const std::function<bool(const sim::Event&)>& stays) {
  std::erase_if(timeline.events, std::not_fn(stays));
  Cycles first{timeline.events.empty() ? 0 : UINT64_MAX};
  for (const sim::Event& event : timeline.events) first = std::min(first, event.start);
  timeline.total = {};
  for (sim::Event& event : timeline.events) {
    event.start = event.start - first;
    timeline.total = std::max(timeline.total, event.end());
  }
  std::erase_if(timeline.yields, [&](const sim::Yield& yield) {
    return yield.start < first || yield.end() > first + timeline.total;
  });
  for (sim::Yield& yield : timeline.yields) yield.start = yield.start - first;
  timeline.accelerator = timeline.power.time(timeline.total);
  timeline.rpc = timeline.client = {};
  timeline.acquire = {};  // before the whole call
}

Traceback traceback_of(const Program& program) {
  Traceback traceback;
  for (size_t i = 0; i < program.framework_nodes.size(); ++i)
    if (!program.framework_nodes[i].empty()) traceback[program.source_nodes[i]] = program.framework_nodes[i];
  return traceback;
}

Result<TracedRun> zoom(TracedRun run, std::string_view first, std::string_view last,
                       const Traceback& traceback) {
  Program& program = run.program;
  OPENQNN_ASSIGN(std::vector<bool> from_first, ops_called(program, "--zoom_start", first, traceback));
  OPENQNN_ASSIGN(std::vector<bool> to_last, ops_called(program, "--zoom_end", last, traceback));
  spread(program, /*backward=*/false, from_first);
  spread(program, /*backward=*/true, to_last);
  std::vector<bool> stays(program.ops.size());
  for (size_t i = 0; i < stays.size(); ++i) stays[i] = from_first[i] && to_last[i];
  if (std::ranges::find(stays, true) == stays.end())
    return invalid("zoom-order", concat("nothing leads from '", first, "' to '", last, "'"))
        .at(concat("graph '", program.graph, "'"))
        .fix_by("--zoom_start names the node that comes first");
  const std::vector<uint32_t> op_numbers = renumbered(stays);
  std::vector<bool> tasks(program.schedule.tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) tasks[i] = stays[program.schedule.tasks[i].op];
  const std::vector<uint32_t> task_numbers = renumbered(tasks);
  keep_tasks(program.schedule, op_numbers, task_numbers);
  keep_events(run.timeline, task_numbers);
  std::vector<program::Op> ops;
  for (size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) ops.push_back(std::move(program.ops[i]));
  program.ops = std::move(ops);
  return run;
}

}  // namespace openqnn::profile
