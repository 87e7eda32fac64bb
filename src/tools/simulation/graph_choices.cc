// SPDX-License-Identifier: BSD-3-Clause
#include "tools/simulation/graph_choices.h"

#include <algorithm>
#include <array>

#include "api/graph_options.h"
#include "base/text.h"
#include "config/check.h"
#include "tools/args.h"
#include "tools/extensions/findings.h"
#include "tools/extensions/htp_lowering.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

constexpr std::string_view kSweepOption = "--sweep";

// As qnn-context-binary-generator reads it: that program reads all that acts when a graph is prepared.
const ExtensionRun kPreparing = {config::Tool::kContextBinaryGenerator, config::Stage::kOffline, {}};

// As qnn-net-run reads it: that one votes.
const ExtensionRun kExecuting = {config::Tool::kNetRun, config::Stage::kLoad, {}};

bool can_be_chosen(const config::OptionDef& option) {
  return option.name != "graph_names" && !option.is_container() && option.type != config::Type::kAnyObject;
}

// What `openqnn simulate` is told in another way; how several of it are compared.
struct OtherOption {
  std::string_view name;
  std::string_view how;
};
constexpr std::array kOtherOptions = {
    OtherOption{"soc", "--soc NAME,NAME compares parts"},
    OtherOption{"precision", "--precision NAME,NAME compares precisions"},
    OtherOption{"perf_profile", "--perf_profile NAME chooses it, one a call"},
    OtherOption{"clients", "--clients N chooses them, one number a call"},
    OtherOption{"level", "--level NAME chooses it, one a call"},
    OtherOption{"batch", "--batch N chooses it, one a call"}};

// The options that a name may mean: one that is near, else those that begin with it ("vtcm").
std::string options_meant(std::string_view name, const std::vector<std::string_view>& known) {
  if (const std::string_view meant = closest(name, known); !meant.empty()) return concat("'", meant, "'");
  std::string meant;
  for (const std::string_view option : known)
    if (option.starts_with(concat(name, "_"))) meant += concat(meant.empty() ? "'" : " or '", option, "'");
  return meant;
}

// What to give in place of an option that graphs do not have.
std::string remedy_of_unknown(std::string_view name) {
  const auto* const other = std::ranges::find(kOtherOptions, name, &OtherOption::name);
  if (other != kOtherOptions.end()) return std::string(other->how);
  std::vector<std::string_view> known;
  std::string list;
  for (const config::OptionDef& option : config::kGraphSection.options) {
    if (!can_be_chosen(option)) continue;
    known.push_back(option.name);
    append_item(list, option.name);
  }
  const std::string meant = options_meant(name, known);
  return concat(meant.empty() ? "" : concat("did you mean ", meant, "? "), "known are ", list);
}

Diagnostic unknown_option(const std::string& name) {
  return wrong_option(kSweepOption, concat("there is no option '", name, "' of graphs"))
      .fix_by(remedy_of_unknown(name));
}

// A backend file that says this and nothing else.
config::Document document_of(const std::string& graph, const Choices& choices) {
  json::Object entry;
  const auto add = [&](std::string_view key, json::Value value) {
    json::Member& member = entry.emplace_back();
    member.key = json::Text(key);
    member.value = std::move(value);
  };
  add("graph_names", json::Value::of(json::Array{json::Value::of(graph)}));
  for (const Choice& choice : choices) add(choice.option, choice.value);
  json::Object file;
  json::Member& graphs = file.emplace_back();
  graphs.key = json::Text("graphs");
  graphs.value = json::Value::of(json::Array{json::Value::of(std::move(entry))});
  return config::read("the options", json::write(json::Value::of(std::move(file))), config::Kind::kHtp);
}

Status apply(const config::Config& file, const std::string& graph, const soc::Target& part,
             const std::shared_ptr<Notes>& notes, prepare::Options& options) {
  HtpOptions lowered;
  OPENQNN_TRY(lower_htp(&file, kPreparing, lowered));
  const auto found = lowered.graphs.find(graph);
  if (found == lowered.graphs.end()) return {};
  auto change = api::apply_graph_configs(found->second.list(), Logger(notes), part, {.prepare = options});
  if (!change) return change.error().diagnostic;
  options = change->options.prepare;
  return {};
}

// ---- What a file sets besides ----

// Read here, or only there to name something.
bool is_used(const config::SectionDef& section, const config::OptionDef& option) {
  constexpr std::array<std::string_view, 7> kUsed = {
      "soc_model", "soc_id", "dsp_arch", "device_id", "core_id", "shared_library_path", "config_file_path"};
  constexpr std::array<std::string_view, 4> kVotes = {"perf_profile", "rpc_polling_time",
                                                      "rpc_control_latency", "adaptive_polling_time"};
  if (&section == &config::kCoreSection && std::ranges::find(kVotes, option.name) != kVotes.end())
    return true;
  return &section == &config::kGraphSection || std::ranges::find(kUsed, option.name) != kUsed.end();
}

// Why an option of a file is not among those.
std::string_view why_unused(const config::SectionDef& section, const config::OptionDef& option) {
  if (!option.without_effect.empty()) return option.without_effect;
  if (&section == &config::kCoreSection) return "calls that follow one another at once do not depend on it";
  return "it is about other things than preparing and timing a graph";
}

void note_unused(const config::Config& file, std::vector<std::string>& notes) {
  for (const config::PlacedSection& placed : config::sections_of(file.kind)) {
    for (const config::Record& record : file.records(*placed.section)) {
      for (const config::OptionDef& option : placed.section->options) {
        if (option.is_container() || !record.has(option.name) || is_used(*placed.section, option)) continue;
        notes.push_back(concat(record.path().to_string(option.name),
                               " changes nothing here: ", why_unused(*placed.section, option)));
      }
    }
  }
}

}  // namespace

std::string text_of(const Choices& choices) {
  std::string text;
  for (const Choice& choice : choices) append_item(text, choice.option, "=", choice.value_text());
  return text;
}

json::Value value_from(std::string_view text) {
  auto value = json::parse(text, kSweepOption);
  return value ? *std::move(value) : json::Value::of(text);
}

Status check_choice(const Choice& choice) {
  const config::OptionDef* const option = config::find_option(config::kGraphSection, choice.option);
  if (option == nullptr || !can_be_chosen(*option)) return unknown_option(choice.option);
  const config::Document document = document_of("graph", {choice});
  for (const config::Finding& finding : config::check_documents({&document}, {})) {
    if (finding.severity != Severity::kError) continue;
    return invalid(std::string(finding.code), finding.message)
        .at(std::string(kSweepOption))
        .fix_by(finding.advice);
  }
  return {};
}

Result<Sweep> sweep_from(std::string_view text) {
  const size_t at = text.find('=');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size())
    return wrong_option(kSweepOption, concat("'", text, "' is no option with values"))
        .fix_by("--sweep OPTION=VALUE,VALUE, e.g. vtcm_mb=2,4,8");
  Sweep sweep{std::string(text.substr(0, at)), {}};
  for (const std::string_view word : split(text.substr(at + 1), ","))
    sweep.values.push_back(value_from(word));
  OPENQNN_TRY(check_sweep(sweep));
  return sweep;
}

Status check_sweep(const Sweep& sweep) {
  if (sweep.values.empty())
    return wrong_option(kSweepOption, concat("'", sweep.option, "' has no value to compare"))
        .fix_by("give at least one");
  std::optional<Diagnostic> first_failure;
  for (const json::Value& value : sweep.values) {
    const Status fine = check_choice({sweep.option, value});
    if (fine) return {};
    if (!first_failure) first_failure = fine.error();
  }
  return *std::move(first_failure);
}

Result<std::vector<Choices>> combinations(const std::vector<Sweep>& sweeps) {
  std::vector<Choices> all = {{}};
  for (size_t i = 0; i < sweeps.size(); ++i) {
    const Sweep& sweep = sweeps[i];
    for (size_t j = 0; j < i; ++j)
      if (sweeps[j].option == sweep.option)
        return wrong_option(kSweepOption, concat("'", sweep.option, "' is swept twice"))
            .fix_by("give all its values at once");
    std::vector<Choices> next;
    for (const Choices& before : all)
      for (const json::Value& value : sweep.values) {
        next.push_back(before);
        next.back().push_back({sweep.option, value});
      }
    all = std::move(next);
    if (all.size() > kMostCombinations)
      return wrong_option(kSweepOption, concat(all.size(), " combinations are asked for"))
          .fix_by(concat("at most ", kMostCombinations, " are compared at once: give fewer values"));
  }
  return all;
}

// ---- Notes ----

void Notes::write(LogLevel, std::string_view line) { add(std::string(line)); }

void Notes::add(std::string note) {
  if (std::ranges::find(lines_, note) == lines_.end()) lines_.push_back(std::move(note));
}

// ---- Files ----

Result<GraphConfig> GraphConfig::read(const std::string& path, const std::optional<soc::SocInfo>& soc) {
  OPENQNN_TRY(expect_kind(path, {FileKind::kJson}));
  std::vector<std::string> warnings;
  const auto tell = [&](Severity severity, const std::string& line) {
    if (severity == Severity::kWarning) warnings.push_back(line);
  };
  OPENQNN_ASSIGN(const auto files,
                 check_before_use(config::read_file(path),
                                  {.tool = kPreparing.tool, .stage = kPreparing.stage, .soc = soc}, tell));
  OPENQNN_ASSIGN(GraphConfig config, of(files));
  config.notes_.insert(config.notes_.begin(), warnings.begin(), warnings.end());
  return config;
}

Result<GraphConfig> GraphConfig::of(const std::vector<config::Document>& files) {
  const auto is = [](const config::Document& file, config::Kind kind) {
    return file.config && file.config->kind == kind;
  };
  const bool is_outer = is(files.front(), config::Kind::kTool);
  const config::Document& inner = files[is_outer && files.size() > 1 ? 1 : 0];
  if (!is(inner, config::Kind::kHtp))
    return invalid("config-kind", "there are no options of the HTP backend in this file")
        .at(inner.name)
        .fix_by("give an HTP backend file, or an outer file whose backend_extensions names one");
  GraphConfig config;
  config.inner_ = inner;
  config.part_ = config::Subject({&*inner.config}, {}).part;
  if (is_outer) note_unused(*files.front().config, config.unused_);
  note_unused(*inner.config, config.unused_);
  config.notes_ = config.unused_;
  if (config.file().records(config::kCoreSection).size() > 1)
    config.notes_.emplace_back("times are under the votes of the first entry of cores");
  return config;
}

std::vector<std::string> GraphConfig::notes_on_graph(const std::string& graph) const {
  const json::LineIndex lines(inner_.text);
  std::vector<std::string> notes;
  for (const config::Finding& finding : findings_on_graphs(inner_, {graph}))
    notes.push_back(finding_line(inner_.name, lines, finding));
  return notes;
}

Choices GraphConfig::choices(const std::string& graph) const {
  Choices all;
  for (const config::Record& record : file().records(config::kGraphSection)) {
    const auto names = record.texts("graph_names").or_else({});
    if (std::ranges::find(names, graph) == names.end()) continue;
    for (const config::OptionDef& option : config::kGraphSection.options)
      if (can_be_chosen(option) && record.has(option.name))
        all.push_back({std::string(option.name), record.find(option.name)->value});
  }
  return all;
}

Result<Conditions> GraphConfig::conditions(Conditions given) const {
  HtpOptions lowered;
  OPENQNN_TRY(lower_htp(&file(), kExecuting, lowered));
  if (lowered.cores.empty()) return given;
  const CoreVotes& votes = lowered.cores.front();
  if (given.perf_profile.empty()) given.perf_profile = votes.profile;
  const auto take = [](const std::optional<uint32_t>& of_file, std::optional<uint32_t>& vote) {
    if (!vote) vote = of_file;
  };
  take(votes.rpc_polling_us, given.rpc_polling_us);
  take(votes.rpc_control_latency_us, given.rpc_control_latency_us);
  take(votes.adaptive_polling_us, given.adaptive_polling_us);
  return given;
}

Status refuse_other_backends(const std::vector<config::Document>& files) {
  if (files.empty()) return {};
  const auto& last = files.back().config;
  if (!last || last->kind == config::Kind::kTool) return {};  // what cannot be read is told by the check
  OPENQNN_TRY(GraphConfig::of(files));
  return {};
}

// ---- The answer ----

Result<prepare::Options> preparation_of(const std::string& graph, const GraphConfig* file,
                                        const Choices& choices, const soc::Target& part,
                                        const std::shared_ptr<Notes>& notes) {
  prepare::Options options;
  options.vtcm_bytes = 0;
  options.hvx_threads = 0;
  if (file != nullptr) OPENQNN_TRY(apply(file->file(), graph, part, notes, options));
  if (choices.empty()) return options;
  const config::Document chosen = document_of(graph, choices);
  OPENQNN_TRY(apply(*chosen.config, graph, part, notes, options));
  return options;
}

}  // namespace openqnn::tools
