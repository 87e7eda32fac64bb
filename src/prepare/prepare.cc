// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/prepare.h"

#include <algorithm>

#include "base/text.h"
#include "base/zero_pages.h"
#include "ops/part_limits.h"
#include "prepare/draft.h"
#include "prepare/tcm_need.h"
#include "program/verify.h"
#include "soc/part_name.h"

namespace openqnn::prepare {
namespace {

Status check_options(const Options& options, const soc::Target& target) {
  if (options.optimization < 1 || options.optimization > 3)
    return invalid("prepare-optimization",
                   concat("optimization level ", options.optimization, " is not 1, 2 or 3"));
  const uint64_t vtcm = options.vtcm_bytes.value_or(0);
  if (vtcm > target.vtcm.value)
    return invalid("prepare-vtcm", concat(vtcm, " bytes of VTCM asked for, but ", part_name(target), " has ",
                                          target.vtcm.value))
        .fix_by("ask for less, or for 0 to get all of it");
  if (options.hvx_threads.value_or(0) > target.hvx_contexts)
    return invalid("prepare-hvx", concat(*options.hvx_threads, " HVX threads asked for, but ",
                                         part_name(target), " has ", target.hvx_contexts))
        .fix_by(concat("ask for ", target.hvx_contexts, " or fewer"));
  if (options.cores == 0 || (options.cores > target.cores && !target.assumed))
    return invalid("prepare-cores",
                   concat(options.cores, " cores asked for, but ", part_name(target), " has ", target.cores))
        .fix_by(target.cores > 1 ? concat("ask for 1 to ", target.cores)
                                 : "leave num_cores out, or choose a part with several NPUs");
  return {};
}

// An option that is legal and does nothing on this part.
void warn_without_effect(const ir::Graph& graph, const soc::Target& target, const Options& options,
                         const Logger& log) {
  if (options.use_slc && target.slc.value == 0)
    log.warn(concat("graph '", graph.name(), "': the SLC allocator has no effect: no document names ",
                    part_name(target), " among the parts that have one"));
  if (options.cores > target.cores)
    log.warn(concat("graph '", graph.name(), "': ", options.cores,
                    " cores are asked for, but no SoC is named: it is prepared for one"));
}

void log_summary(const program::Program& program, const Logger& log) {
  const DdrSummary summary = ddr_summary(program);
  log.info("====== DDR bandwidth summary ======");
  log.info(concat("spill_bytes=", summary.spill_bytes));
  log.info(concat("fill_bytes=", summary.fill_bytes));
  log.info(concat("write_total_bytes=", summary.write_total_bytes));
  log.info(concat("read_total_bytes=", summary.read_total_bytes));
}

Status check_nodes(const ir::Graph& graph, const soc::Target& target) {
  for (const ir::Node& node : graph.nodes())
    OPENQNN_TRY(ops::check_part(node.type, ops::call_of(graph, node), target));
  return {};
}

// A part that nobody named refuses nothing, so that its binary may be of no use to it.
void warn_of_assumed_part(const ir::Graph& graph, soc::Target target, const Logger& log) {
  if (!target.assumed) return;
  target.assumed = false;
  const Status limits = check_nodes(graph, target);
  if (!limits)
    log.warn(concat("graph '", graph.name(), "': no SoC is named, so it is prepared with the sizes of ",
                    target.soc, ", which could not run it: ", limits.error().message,
                    "; name the part that it is for"));
}

// Unstated bytes take room in the data section, and no memory.
Status hold_constants(std::vector<std::byte> stated, uint64_t unstated_bytes, program::ProgramSet& set) {
  if (unstated_bytes == 0) {
    const auto held = std::make_shared<const std::vector<std::byte>>(std::move(stated));
    set.constants = *held;
    set.owner = held;
    return {};
  }
  const auto pages = ZeroPages::of(stated.size() + unstated_bytes);
  if (!pages)
    return exhausted("prepare-memory", concat("there is no room for ", unstated_bytes, " bytes of weights"));
  std::ranges::copy(stated, pages->bytes().begin());
  set.constants = pages->bytes();
  set.owner = pages;
  return {};
}

}  // namespace

Result<program::ProgramSet> prepare(const ir::Graph& graph, const soc::Target& target, const Options& options,
                                    const Logger& log, Follower* follower) {
  Course course(follower, graph.name());
  OPENQNN_TRY(course.enter(Stage::kInitializing));
  OPENQNN_TRY(graph.check_complete());
  OPENQNN_TRY(check_options(options, target));
  OPENQNN_TRY(check_nodes(graph, target));
  warn_of_assumed_part(graph, target, log);
  if (options.vtcm_bytes == 0 && target.assumed)
    log.warn(concat("graph '", graph.name(), "' asks for all VTCM, but no SoC is named: it gets what ",
                    target.soc, " has"));
  warn_without_effect(graph, target, options, log);

  Draft draft = legalise(graph, target, options);
  OPENQNN_TRY(course.enter(Stage::kOptimizations));
  shorten_depth(draft, options, log);
  pack_weights(draft, options, log);
  fuse(draft, options, log);
  OPENQNN_TRY(course.enter(Stage::kPostOptimization));
  lay_out(draft);
  plan_arena(draft.program);
  OPENQNN_TRY(check_tcm(draft.program, target, log));

  if (draft.unstated_bytes > 0 && (options.compress_weights || options.pack_weights))
    log.warn(
        concat("graph '", graph.name(), "': weights that were not read are neither compressed nor packed"));
  const Traffic traffic = traffic_of(draft, target, options, log);
  OPENQNN_TRY(schedule(draft.program, target, traffic, course, log));
  log_summary(draft.program, log);

  OPENQNN_TRY(course.enter(Stage::kCompletion));
  OPENQNN_TRY(program::verify_ops(draft.program, draft.constants.size() + draft.unstated_bytes));
  OPENQNN_TRY(program::verify_schedule(draft.program));

  log.info(concat("graph '", graph.name(), "': ", graph.nodes().size(), " nodes, ", draft.program.ops.size(),
                  " ops, ", draft.program.schedule.tasks.size(), " tasks, ",
                  draft.constants.size() + draft.unstated_bytes, " bytes of constants, for ",
                  part_name(target)));
  program::ProgramSet set;
  OPENQNN_TRY(hold_constants(std::move(draft.constants), draft.unstated_bytes, set));
  set.programs.push_back(std::make_shared<const program::Program>(std::move(draft.program)));
  course.end();
  return set;
}

}  // namespace openqnn::prepare
