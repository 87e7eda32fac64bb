// SPDX-License-Identifier: BSD-3-Clause
#include "tools/simulation/model_simulation.h"

#include <algorithm>

#include "api/model_facts.h"
#include "base/text.h"
#include "prepare/prepare.h"
#include "program/context_binary.h"
#include "quant/calibrate.h"
#include "soc/part_name.h"
#include "tools/api_names.h"
#include "tools/args.h"

namespace openqnn::tools {
namespace {

constexpr int64_t kMostClients = 64;

// A model in one precision, and what there is to know about it.
struct TypedModel {
  std::string name;
  ir::Graph graph{""};
  std::vector<std::string> notes;
  std::shared_ptr<const prepare::ModelFacts> facts = nullptr;
};

Result<TypedModel> typed(const FloatModel& model, const Precision& precision) {
  TypedModel made{.name = precision.name};
  if (precision.floating) {
    made.graph = model.graph.graph;
    if (!model.graph.encodings.empty())
      made.notes.push_back(
          concat("the model's own ", model.graph.encodings.size(), " encodings are left out"));
    return made;
  }
  OPENQNN_ASSIGN(PreparedModel prepared, quantized_as_seen(precision.options, model.graph,
                                                           quant::assumed_observations(model.graph.graph)));
  made.graph = std::move(prepared.graph);
  if (!model.graph.encodings.empty()) made.notes.push_back(precision_text(precision, model));
  if (const size_t left = prepared.float_nodes.size(); left != 0)
    made.notes.push_back(concat(left, left == 1 ? " op stays" : " ops stay", " in float: '",
                                prepared.float_nodes.front().name, "' (", prepared.float_nodes.front().why,
                                ")", left == 1 ? "" : concat(" and ", left - 1, " more")));
  return made;
}

// Whose failure it is, where the sentence does not say.
Diagnostic located(Diagnostic diagnostic, const soc::Target& part, const std::string& precision,
                   const Choices& choices) {
  if (!diagnostic.where.empty() && diagnostic.where.object != "graph configuration") return diagnostic;
  diagnostic.where = {
      concat(soc::part_name(part), ", ", precision, choices.empty() ? "" : concat(", ", text_of(choices)))};
  return diagnostic;
}

Choices all_set(const GraphConfig* file, const std::string& graph, const Choices& chosen) {
  Choices set = file == nullptr ? Choices{} : file->choices(graph);
  for (const Choice& choice : chosen) {
    std::erase_if(set, [&](const Choice& other) { return other.option == choice.option; });
    set.push_back(choice);
  }
  return set;
}

// A file that is silent does not mean the same to the vendor's programs.
void note_defaults(const Choices& set, Notes& notes) {
  const auto is_set = [&](std::string_view option) {
    return std::ranges::any_of(set, [&](const Choice& choice) { return choice.option == option; });
  };
  if (!is_set("vtcm_mb") && !is_set("vtcm_size"))
    notes.add(concat("vtcm_mb is not set: all VTCM of the part is taken here, ",
                     prepare::kDefaultVtcmBytes / kMiB, " MB by the vendor's programs"));
  if (!is_set("hvx_threads"))
    notes.add(concat("hvx_threads is not set: all of the part are taken here, ", prepare::kDefaultHvxThreads,
                     " by the vendor's programs"));
}

SharedDevice shared_by(const Simulation& simulation, const Priorities& clients) {
  return clients.size() > 1 ? share_device(simulation, clients) : SharedDevice();
}

Result<SimulatedResult> simulate_one(const TypedModel& model, const soc::Target& part, const Choices& choices,
                                     const ModelRequest& request) {
  for (const Choice& choice : choices) OPENQNN_TRY(check_choice(choice));
  const auto notes = std::make_shared<Notes>();
  for (const std::string& note : request.notes) notes->add(note);
  const std::string& graph = model.graph.name();
  if (request.file != nullptr) {
    for (const std::string& note : request.file->notes()) notes->add(note);
    for (const std::string& note : request.file->notes_on_graph(graph)) notes->add(note);
  }
  for (const std::string& note : model.notes) notes->add(note);
  const Choices asked = all_set(request.file, graph, choices);
  if (request.file != nullptr) note_defaults(asked, *notes);
  OPENQNN_ASSIGN(prepare::Options options, preparation_of(graph, request.file, choices, part, notes));
  options.facts = model.facts;
  OPENQNN_ASSIGN(const program::ProgramSet set,
                 prepare::prepare(model.graph, part, options, Logger(notes), request.follower));
  Conditions conditions = request.conditions;
  if (request.file != nullptr) {
    OPENQNN_ASSIGN(conditions, request.file->conditions(conditions));
  }
  OPENQNN_ASSIGN(Simulation simulation,
                 simulation_of(set, 0, part, program::context_binary_bytes(set), conditions));
  for (const std::string& assumption : simulation.assumptions()) notes->add(assumption);
  SharedDevice shared = shared_by(simulation, request.clients);
  return SimulatedResult{.simulation = std::move(simulation),
                         .precision = model.name,
                         .set = asked,
                         .chosen = choices,
                         .notes = notes->lines(),
                         .shared = std::move(shared)};
}

}  // namespace

Result<Precision> simulated_precision(std::string_view name) {
  if (name == kAsQuantizer)
    return wrong_option("--precision", "'quantizer' is for commands that run a model")
        .fix_by(concat("one of ", kSimulatedPrecisions));
  auto precision = precision_from(name);
  if (!precision) {
    Diagnostic unknown = precision.error();
    unknown.fix = concat("one of ", kSimulatedPrecisions);
    return unknown;
  }
  if (precision->floating) precision->name = "float";
  return precision;
}

Result<SimulationLevel> simulation_level(std::string_view name) {
  if (name.empty() || name == "event") return SimulationLevel::kEvent;
  if (name == "roofline") return SimulationLevel::kRoofline;
  return wrong_option("--level", concat("there is no level '", name, "'"))
      .fix_by(concat("one of ", kSimulationLevels));
}

Result<soc::Target> part_named(const std::string& name) {
  if (auto exact = soc::target_by_chipset(name); exact || name.empty()) return exact;
  OPENQNN_ASSIGN(const config::Circumstances known, config::circumstances_of({.soc = name}));
  return soc::target_by_chipset(known.soc->chipset);
}

Result<soc::Target> part_or(const config::Part& of_file, Result<soc::Target> unsaid) {
  if (of_file.soc) return soc::target_by_chipset(of_file.soc->chipset);
  if (of_file.arch) return soc::target_by_arch(*of_file.arch);
  return unsaid;
}

Result<std::vector<soc::Target>> parts_for(const std::vector<std::string>& names, const GraphConfig* file) {
  std::vector<soc::Target> parts;
  for (const std::string& name : names) {
    OPENQNN_ASSIGN(parts.emplace_back(), part_named(name));
  }
  if (parts.empty()) {
    OPENQNN_ASSIGN(parts.emplace_back(),
                   part_or(file == nullptr ? config::Part() : file->part(), soc::default_target()));
  }
  return parts;
}

double SimulatedResult::low_us() const { return latency_us() * std::max(0.0, 1 - simulation.error_band()); }
double SimulatedResult::high_us() const { return latency_us() * (1 + simulation.error_band()); }

Result<Priorities> clients_from(std::string_view text) {
  if (const auto count = integer_from(text, "--clients")) {
    if (*count < 1 || *count > kMostClients)
      return wrong_option("--clients", concat(*count, " clients cannot be simulated"))
          .fix_by(concat("give 1 to ", kMostClients));
    return Priorities(static_cast<size_t>(*count), kNormalPriority);
  }
  Priorities priorities;
  for (const std::string_view name : split(text, ",")) {
    const auto priority = priority_named(name);
    if (!priority)
      return wrong_option("--clients", concat("there is no priority '", name, "'"))
          .fix_by(concat("give a number of clients, or their priorities of ", priority_names()));
    priorities.push_back(*priority);
  }
  if (priorities.size() > static_cast<size_t>(kMostClients))
    return wrong_option("--clients", concat(priorities.size(), " clients cannot be simulated"))
        .fix_by(concat("give at most ", kMostClients));
  return priorities;
}

SimulatedResult result_of(Simulation simulation, const Priorities& clients) {
  SharedDevice shared = shared_by(simulation, clients);
  SimulatedResult result{
      .simulation = std::move(simulation), .precision = std::string(kAsStored), .shared = std::move(shared)};
  const Simulation& made = result.simulation;
  if (made.prepared_for() != made.soc() && !made.soc().empty())
    result.notes.push_back(
        concat("prepared for ", made.prepared_for(), ", simulated as it is on ", made.soc()));
  for (const std::string& assumption : made.assumptions()) result.notes.push_back(assumption);
  return result;
}

namespace {

// Appends, and counts on.
void append(SimulatedResults more, SimulatedResults& all) {
  for (RefusedResult& refused : more.refused) {
    refused.place += all.results.size();
    all.refused.push_back(std::move(refused));
  }
  for (SimulatedResult& result : more.results) all.results.push_back(std::move(result));
}

Result<TypedModel> in_precision(const FloatModel& model, const ModelRequest& request, size_t kind) {
  if (!request.precisions.empty()) return typed(model, request.precisions[kind]);
  TypedModel as_stored{.name = std::string(kAsStored)};
  as_stored.graph = model.graph.graph;
  return as_stored;
}

// All combinations of one part and one precision. Fails only when it is asked to stop.
Result<SimulatedResults> simulate_combinations(const Result<TypedModel>& model, const std::string& precision,
                                               const soc::Target& part, const ModelRequest& request) {
  SimulatedResults made;
  for (const Choices& choices : request.combinations) {
    auto result = model ? simulate_one(*model, part, choices, request)
                        : Result<SimulatedResult>(Diagnostic(model.error()));
    if (!result && result.error().code == prepare::kStopped) return result.error();
    if (result)
      made.results.push_back(*std::move(result));
    else
      made.refused.push_back({soc::part_name(part), precision, choices,
                              located(result.error(), part, precision, choices), made.results.size()});
    if (request.prepared_one) request.prepared_one();
  }
  return made;
}

}  // namespace

std::string RefusedResult::title() const {
  return concat(soc, ", ", precision, chosen.empty() ? "" : concat(", ", text_of(chosen)));
}

std::string RefusedResult::reason() const {
  return why.fix.empty() ? why.message : concat(why.message, "; ", why.fix);
}

Result<SimulatedResults> simulate_model(const FloatModel& model, const ModelRequest& request) {
  std::vector<SimulatedResults> by_part(request.parts.size());
  const size_t kinds = std::max<size_t>(request.precisions.size(), 1);
  const auto facts = std::make_shared<const prepare::ModelFacts>(api::facts_of(model.graph));
  for (size_t kind = 0; kind < kinds; ++kind) {
    const std::string precision =
        request.precisions.empty() ? std::string(kAsStored) : request.precisions[kind].name;
    Result<TypedModel> of_kind = in_precision(model, request, kind);
    if (of_kind) of_kind->facts = facts;
    for (size_t part = 0; part < request.parts.size(); ++part) {
      OPENQNN_ASSIGN(SimulatedResults made,
                     simulate_combinations(of_kind, precision, request.parts[part], request));
      append(std::move(made), by_part[part]);
    }
  }
  SimulatedResults all;
  for (SimulatedResults& results : by_part) append(std::move(results), all);
  if (all.results.empty() && !all.refused.empty()) {
    Diagnostic first = all.refused.front().why;
    if (all.refused.size() > 1)
      first.message = concat(first.message, " (the first of ", all.refused.size(), " that were all refused)");
    return first;
  }
  return all;
}

}  // namespace openqnn::tools
