// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/binary_section.h"

#include "base/text.h"
#include "program/part.h"
#include "program/update_section.h"

namespace openqnn::runtime {
namespace {

constexpr const char* kMakeUpdateable =
    "give tensors an UPDATEABLE type when they are created, before the binary is made";

ApiError not_updateable(std::string message, std::string where) {
  return {QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
          invalid("section-none", std::move(message)).at(std::move(where)).fix_by(kMakeUpdateable)};
}

std::string where_of(const Graph& graph) { return concat("graph '", graph.name(), "'"); }

// What is wrong with the bytes of a section, and what with their fit to a graph.
ApiError unreadable(Diagnostic reason) {
  const bool other_version = reason.code == "context-version";
  return {other_version ? QNN_CONTEXT_ERROR_BINARY_VERSION : QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
          std::move(reason)};
}

ApiError unfit(Diagnostic reason, const Graph& graph) {
  if (reason.where.empty()) reason.where.object = where_of(graph);
  return {QNN_CONTEXT_ERROR_BINARY_CONFIGURATION, std::move(reason)};
}

// The Program whose values a section takes.
Outcome<const program::ProgramSet*> finalized_set(Graph& graph, const ExecutionPlan* plan) {
  if (!plan || graph.has_pending_updates())
    return ApiError(
        QNN_CONTEXT_ERROR_NOT_FINALIZED,
        invalid("section-not-finalized",
                plan ? "tensors were updated since the graph was finalized" : "it is not finalized")
            .at(where_of(graph))
            .fix_by("finalize the graph first"));
  if (plan->has_package_ops())
    return ApiError(QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                    unsupported("context-op-package",
                                "the graph has ops of an op package, whose state a section cannot hold")
                        .at(where_of(graph)));
  // A fresh checksum must not be put over damaged bytes.
  OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_GET_BINARY_FAILED, graph.verify_constants());
  return plan->programs()[0];
}

// A graph whose new plan is ready, so that several can change together.
struct Change {
  Ref<Graph> graph;
  std::unique_ptr<ExecutionPlan> plan;
};

Outcome<Change> prepare_change(Context& context, const program::GraphUpdate& update,
                               const program::OwnedBytes& data) {
  auto handle = context.retrieve_graph(update.program.graph);
  if (!handle) return ApiError(QNN_CONTEXT_ERROR_BINARY_CONFIGURATION, std::move(handle).error().diagnostic);
  Ref<Graph> graph = HandleTable::instance().acquire<Graph>(*handle);
  const auto plan = graph ? graph->plan() : nullptr;
  if (!plan || !graph->is_loaded())
    return ApiError(
        QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
        invalid("section-composed", "sections are for graphs that were loaded from a binary")
            .at(concat("graph '", update.program.graph, "'"))
            .fix_by("update its tensors with QnnTensor_updateGraphTensors and finalize it again"));
  const program::ProgramSet& base = *plan->programs()[0];
  auto updated = program::apply_update(base, graph->fixed_constants(base), update, data);
  if (!updated) return unfit(std::move(updated).error(), *graph);
  if (Status runs = program::check_runs_on(*updated->programs[0], context.device()->target); !runs)
    return unfit(std::move(runs).error(), *graph);
  auto changed = std::make_unique<ExecutionPlan>(*std::move(updated), graph->log());
  if (Status fits = context.memory()->check_spill_fill(changed->spill_fill_bytes(), where_of(*graph)); !fits)
    return unfit(std::move(fits).error(), *graph);
  return Change{std::move(graph), std::move(changed)};
}

Outcome<> check_meant(const program::UpdateSection& section, const Graph* only) {
  if (section.graphs.empty())
    return ApiError(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, invalid("section-empty", "the section has no graph"));
  if (!only) return {};
  if (section.graphs.size() == 1 && section.graphs[0].program.graph == only->name()) return {};
  return ApiError(
      QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
      invalid("section-other-graph",
              concat("the section is of ", section.graphs.size() == 1
                                               ? concat("graph '", section.graphs[0].program.graph, "'")
                                               : concat(section.graphs.size(), " graphs")))
          .at(where_of(*only))
          .fix_by("pass the graph that it was made of, or null for all graphs that it has"));
}

}  // namespace

Outcome<std::vector<std::byte>> updatable_section(Context& context, const Graph* only) {
  std::vector<std::shared_ptr<ExecutionPlan>> plans;  // keep the sets alive
  std::vector<program::ProgramSet> sets;
  std::vector<uint64_t> fixed_constants;
  for (const auto& [name, handle] : context.graphs()) {
    const Ref<Graph> graph = HandleTable::instance().acquire<Graph>(handle);
    if (!graph || (only && &*graph != only)) continue;
    plans.push_back(graph->plan());
    OPENQNN_ASSIGN(const program::ProgramSet* const set, finalized_set(*graph, plans.back().get()));
    if (!program::has_updateable_tensors(*set->programs[0])) {
      if (only) return not_updateable("the graph has no updateable tensor", where_of(*graph));
      continue;
    }
    sets.push_back(*set);
    fixed_constants.push_back(graph->fixed_constants(*set));
  }
  if (sets.empty()) return not_updateable("no graph of the context has an updateable tensor", "context");
  return program::write_update_section(sets, fixed_constants);
}

Outcome<> apply_updatable_section(Context& context, const Graph* only, std::span<const std::byte> bytes,
                                  const SignalledCall& signal) {
  constexpr const char* kDoing = "applying a binary section";
  const auto check =
      context.skips_section_checks() ? program::SectionCheck::kNone : program::SectionCheck::kChecksum;
  auto section = program::read_update_section(bytes, check);
  if (!section) return unreadable(std::move(section).error());
  OPENQNN_TRY(check_meant(*section, only));
  OPENQNN_ASSIGN_AS(const program::OwnedBytes data, QNN_CONTEXT_ERROR_MEM_ALLOC,
                    program::aligned_copy(section->data));
  std::vector<Change> changes;
  for (const program::GraphUpdate& update : section->graphs) {
    if (signal.should_stop()) return signal.stopped(kDoing);
    OPENQNN_ASSIGN(changes.emplace_back(), prepare_change(context, update, data));
  }
  if (signal.should_stop()) return signal.stopped(kDoing);
  for (Change& change : changes) change.graph->publish(std::move(change.plan));
  return {};
}

}  // namespace openqnn::runtime
