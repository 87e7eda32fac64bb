// SPDX-License-Identifier: BSD-3-Clause
#include "tools/advise/model_advice.h"

#include <algorithm>
#include <memory>

#include "advise/advise.h"
#include "base/files.h"
#include "base/text.h"
#include "config/follow.h"
#include "config/render.h"
#include "program/context_binary.h"
#include "program/part.h"
#include "quant/calibrate.h"
#include "tools/file_kind.h"
#include "tools/simulation/model_simulation.h"

namespace openqnn::tools {
namespace {

using advise::Advice;
using advise::Given;

constexpr std::string_view kAsFloat = "float";

// ---- The configuration ----

// The files that are in force together, and what `openqnn check` says of them.
class Configuration {
 public:
  static Result<Configuration> read(const AdviceRequest& request, const std::vector<std::string>& graphs) {
    Configuration made;
    if (request.config.empty()) return made;
    OPENQNN_TRY(MappedFile::open(request.config));  // one that is not there is no matter of advice
    OPENQNN_TRY(expect_kind(request.config, {FileKind::kJson}));
    config::CheckOptions options;
    OPENQNN_ASSIGN(options.circumstances, config::circumstances_of({.soc = request.soc, .graphs = graphs}));
    made.documents_ = config::with_named(config::read_file(request.config));
    OPENQNN_TRY(refuse_other_backends(made.documents_));
    made.checked_ = config::check_document(made.documents_.front(), options);
    std::vector<const config::Config*> configs;
    for (const config::Document& document : made.documents_)
      if (document.config) configs.push_back(&*document.config);
    made.subject_ = std::make_unique<config::Subject>(configs, options.circumstances);
    return made;
  }

  const config::Subject* subject() const { return subject_.get(); }
  const std::vector<config::Document>& documents() const { return documents_; }
  const std::vector<config::CheckedFile>& checked() const { return checked_; }
  bool has_errors() const { return config::has_findings(checked_, Severity::kError); }
  bool has_graph_options() const { return subject_ && subject_->of(config::Kind::kHtp) != nullptr; }

 private:
  std::vector<config::Document> documents_;  // the subject points into them
  std::vector<config::CheckedFile> checked_;
  std::unique_ptr<config::Subject> subject_;
};

// ---- What is common to both ----

void add_graph(Advice& advice, const Given& given) {
  const sim::Timeline& timeline = given.timed.timeline;
  advice.soc = soc::part_name(given.target);
  advice.timing = timeline.model;
  advice.error_band = timeline.error_band;
  advice.graphs.push_back(
      {given.timed.program().graph, in_micros(timeline.accelerator), in_micros(timeline.client)});
  for (advise::Finding& finding : advise::advise(given)) advice.findings.push_back(std::move(finding));
}

void add_check(Advice& advice, const Configuration& configuration) {
  std::vector<advise::Finding> found = advise::findings_of(configuration.checked());
  advice.findings.insert(advice.findings.begin(), std::make_move_iterator(found.begin()),
                         std::make_move_iterator(found.end()));
}

// ---- A model ----

Result<ir::Graph> in_precision(const frontend::DlcGraph& model, const Precision& precision) {
  if (precision.floating) return model.graph;
  OPENQNN_ASSIGN(PreparedModel prepared,
                 quantized_as_seen(precision.options, model, quant::assumed_observations(model.graph)));
  return std::move(prepared.graph);
}

profile::Traceback traceback_of(const frontend::Trace& trace) {
  profile::Traceback names;
  for (const frontend::Trace::Node& node : trace.nodes) names[node.name] = node.sources;
  return names;
}

bool sets(const Choices& choices, std::initializer_list<std::string_view> options) {
  return std::ranges::any_of(choices, [&](const Choice& choice) {
    return std::ranges::find(options, choice.option) != options.end();
  });
}

// What of the configuration is taken.
struct TakenFile {
  std::optional<GraphConfig> file;
  Choices options;       // of the graph
  bool is_whole = true;  // nothing was left out
};

// Whether an error is about this option of graphs, or about more than one option.
bool is_blamed(const std::string& option, const std::vector<config::CheckedFile>& checked) {
  for (const config::CheckedFile& file : checked)
    for (const config::Finding& finding : file.findings) {
      if (finding.severity != Severity::kError || finding.kind != config::Kind::kHtp) continue;
      const bool is_of_graphs = finding.path.empty() || finding.path.starts_with(config::kGraphSection.name);
      const size_t dot = finding.path.rfind('.');
      if (is_of_graphs && (dot == std::string::npos || finding.path.substr(dot + 1) == option)) return true;
    }
  return false;
}

// Of a file with errors, everything but what they are about.
void leave_out_errors(const Configuration& configuration, TakenFile& taken, Advice& advice) {
  std::string left_out;
  std::erase_if(taken.options, [&](const Choice& choice) {
    const bool is_wrong = is_blamed(choice.option, configuration.checked()) || !check_choice(choice);
    if (is_wrong) append_item(left_out, choice.option);
    return is_wrong;
  });
  advice.notes.push_back(concat(
      "the configuration has errors: ",
      left_out.empty() ? "no option of the graph is among them" : concat(left_out, " of the graph left out"),
      ", and the rest of it is taken"));
}

Result<TakenFile> taken_file(const Configuration& configuration, const std::string& graph, Advice& advice) {
  TakenFile taken;
  const bool has_errors = configuration.has_errors();
  if (!configuration.has_graph_options()) {
    if (has_errors) advice.notes.emplace_back("nothing of the configuration is taken: it cannot be read");
    return taken;
  }
  OPENQNN_ASSIGN(taken.file, GraphConfig::of(configuration.documents()));
  taken.options = taken.file->choices(graph);
  taken.is_whole = !has_errors;
  if (has_errors) leave_out_errors(configuration, taken, advice);
  return taken;
}

// What changes with an option is seen as well under burst; whose times they are must be said.
void note_votes(const TakenFile& taken, Notes& notes) {
  if (!taken.file) return;
  if (const auto conditions = taken.file->conditions({}); conditions && conditions->votes())
    notes.add("the times are under burst; `openqnn simulate --config` has them under the file's votes");
}

// What the client does with the graph.
void describe_use(Given& given, const AdviceRequest& request, const Configuration& configuration,
                  const TakenFile& taken) {
  given.config = configuration.subject();
  given.maps_binaries = request.maps_binaries;
  if (!taken.file) return;
  given.vtcm_is_set = sets(taken.options, {"vtcm_mb", "vtcm_size"});
  given.threads_are_set = sets(taken.options, {"hvx_threads"});
}

// Where the graph comes from.
void describe_origin(Given& given, const FloatModel& model) {
  const bool stored = is_quantized(model.graph.graph);
  given.traceback = traceback_of(model.graph.trace);
  for (const auto& [name, encoding] : model.graph.encodings) given.encoded.insert(name);
  if (stored) return;
  given.float_graph = &model.graph.graph;
  given.assumed_ranges = model.graph.encodings.empty();
  given.in_precision = [&model](std::string_view name) -> Result<ir::Graph> {
    OPENQNN_ASSIGN(const Precision precision, simulated_precision(name));
    const frontend::DlcGraph floats{model.graph.graph, {}, {}};  // its own encodings would go before
    return in_precision(floats, precision);
  };
}

// The graph as it is to be prepared; tells its precision.
Result<ir::Graph> chosen_graph(const AdviceRequest& request, const FloatModel& model, Advice& advice) {
  if (is_quantized(model.graph.graph)) {
    if (!request.precision.empty())
      return wrong_option("--precision", "the model in this file is quantized already")
          .fix_by("leave it out, or give the float model");
    advice.precision = kAsStored;
    return model.graph.graph;
  }
  const std::string_view unsaid = request.as_compiled ? kAsFloat : kDefaultPrecision;
  const std::string_view name = request.precision.empty() ? unsaid : request.precision;
  OPENQNN_ASSIGN(const Precision precision, simulated_precision(name));
  advice.precision = precision_text(precision, model);
  return in_precision(model.graph, precision);
}

Result<Advice> advice_on_model(const AdviceRequest& request) {
  OPENQNN_ASSIGN(const FloatModel model, load_unrun_model(request.model, request.shapes, request.images));
  Advice advice;
  advice.model = request.model.string();
  advice.notes = model.notes;
  OPENQNN_ASSIGN(const ir::Graph graph, chosen_graph(request, model, advice));
  OPENQNN_ASSIGN(const Configuration configuration, Configuration::read(request, {graph.name()}));
  OPENQNN_ASSIGN(const TakenFile taken, taken_file(configuration, graph.name(), advice));
  const GraphConfig* const file = taken.file ? &*taken.file : nullptr;
  const std::vector<std::string> named =
      request.soc.empty() ? std::vector<std::string>() : std::vector{request.soc};
  OPENQNN_ASSIGN(const std::vector<soc::Target> parts, parts_for(named, file));

  Given given;
  given.target = parts.front();
  given.graph = &graph;
  const auto notes = std::make_shared<Notes>();
  OPENQNN_ASSIGN(given.options,
                 taken.is_whole ? preparation_of(graph.name(), file, {}, given.target, notes)
                                : preparation_of(graph.name(), nullptr, taken.options, given.target, notes));
  describe_origin(given, model);
  describe_use(given, request, configuration, taken);
  OPENQNN_ASSIGN(given.timed, advise::timed(graph, given.target, given.options, Logger(notes)));
  given.binary_bytes = program::context_binary_bytes(given.timed.set);
  for (const std::string& assumption : given.target.assumptions) notes->add(assumption);
  note_votes(taken, *notes);
  advice.notes.insert(advice.notes.end(), notes->lines().begin(), notes->lines().end());
  add_graph(advice, given);
  add_check(advice, configuration);
  return advice;
}

// ---- A context binary ----

Status check_binary_request(const AdviceRequest& request) {
  const auto refused = [](std::string_view option) {
    return wrong_option(option, "this is for models; a context binary is looked at as it was prepared")
        .fix_by("leave it out, or give the model");
  };
  if (!request.soc.empty()) return refused("--soc");
  if (!request.precision.empty()) return refused("--precision");
  for (const OptionSpec& option : shape_options())
    if (request.shapes.has(option.name)) return refused(option.name);
  if (request.shapes.has(image_layout_option().name)) return refused(image_layout_option().name);
  return {};
}

Result<program::ProgramSet> programs_in(const std::filesystem::path& path,
                                        const std::shared_ptr<const MappedFile>& file) {
  auto set = program::read_context_binary(file->bytes(), file, program::DataCheck::kNow);
  if (set) return set;
  Diagnostic damaged = set.error();
  if (damaged.where.empty()) damaged.where.object = path.string();
  return damaged;
}

Result<Advice> advice_on_binary(const AdviceRequest& request) {
  OPENQNN_TRY(expect_known_kind(request.model, {FileKind::kContextBinary, FileKind::kDlc, FileKind::kOnnx}));
  OPENQNN_TRY(check_binary_request(request));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(request.model));
  OPENQNN_ASSIGN(const program::ProgramSet set, programs_in(request.model, file));
  std::vector<std::string> graphs;
  for (const auto& program : set.programs) graphs.push_back(program->graph);
  if (!request.graph.empty() && std::ranges::find(graphs, request.graph) == graphs.end())
    return wrong_option("--graph",
                        concat("there is no graph '", request.graph, "' in ", request.model.string()))
        .fix_by("`openqnn inspect FILE` lists them");
  OPENQNN_ASSIGN(const Configuration configuration, Configuration::read(request, graphs));
  Advice advice;
  advice.model = request.model.string();
  advice.precision = kAsStored;
  for (size_t i = 0; i < set.programs.size(); ++i) {
    const program::Program& program = *set.programs[i];
    if (!request.graph.empty() && program.graph != request.graph) continue;
    Given given;
    given.timed.set = set;
    given.timed.index = i;
    OPENQNN_ASSIGN(given.target, program::part_of(program));
    given.timed.timeline = sim::simulate(program.schedule, given.target, sim::PowerState::of(given.target));
    given.binary_bytes = file->bytes().size();
    given.config = configuration.subject();
    given.maps_binaries = request.maps_binaries;
    if (advice.notes.empty()) advice.notes = given.target.assumptions;
    add_graph(advice, given);
  }
  add_check(advice, configuration);
  return advice;
}

}  // namespace

Result<Advice> advice_on(const AdviceRequest& request) {
  if (!may_be_model(request.model)) return advice_on_binary(request);
  if (!request.graph.empty())
    return wrong_option("--graph", "this is for context binaries; a model is one graph")
        .fix_by("leave it out");
  return advice_on_model(request);
}

}  // namespace openqnn::tools
