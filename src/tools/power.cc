// SPDX-License-Identifier: BSD-3-Clause
// openqnn power: what votes do to a device over time, of a run or of a scenario.
#include "tools/qnn/power.h"

#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "json/json.h"
#include "profile/power_report.h"
#include "profile/text_table.h"
#include "sim/power_history.h"
#include "soc/part_name.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/model_job.h"
#include "tools/number_in.h"
#include "tools/products.h"
#include "tools/profiled_run.h"
#include "tools/simulation/model_simulation.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
using Align = profile::TextTable::Align;

constexpr std::string_view kCannotShowPower = "cannot show the power state";
constexpr std::string_view kDefaultSoc = "SM8650";
constexpr uint64_t kMostInferences = 10000;
constexpr uint64_t kLongestUs = 3'600'000'000;

Result<uint64_t> number_of(const Args& args, std::string_view option, uint64_t fallback, uint64_t least,
                           uint64_t most) {
  if (!args.has(option)) return fallback;
  const std::string text = args.get(option);
  const auto value = number_in<uint64_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  return wrong_option(option, concat("'", text, "' is no whole number from ", least, " to ", most))
      .fix_by("give a whole number in that range");
}

// ---- A run ----

Result<sim::PowerHistory> read_history(const std::string& given, const soc::PowerModel& model) {
  std::error_code error;
  const fs::path path =
      fs::is_directory(given, error) ? fs::path(given) / kPowerHistoryFile : fs::path(given);
  if (!fs::exists(path, error))
    return system_failure("power-missing", fs::is_directory(given, error)
                                               ? concat("the folder has no ", kPowerHistoryFile)
                                               : "there is no such file or folder")
        .at(path.string())
        .fix_by("qnn-net-run --profiling_level basic leaves one in its --output_dir");
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  const auto bytes = file->bytes();
  return sim::read_power_history({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string(),
                                 model);
}

// ---- A scenario ----

constexpr std::string_view kScenarioOptions[] = {"--perf_profile", "--soc", "--inferences", "--execute_us",
                                                 "--idle_us"};

struct Declared {
  soc::Target target;
  sim::Scenario scenario;
};

Result<Declared> declared(const Args& args) {
  OPENQNN_ASSIGN(soc::Target target, part_named(args.get("--soc", kDefaultSoc)));
  sim::Scenario scenario;
  OPENQNN_ASSIGN(scenario.profile, perf_profile_from(args));
  OPENQNN_ASSIGN(const uint64_t inferences, number_of(args, "--inferences", 3, 1, kMostInferences));
  OPENQNN_ASSIGN(const uint64_t execute, number_of(args, "--execute_us", 1000, 1, kLongestUs));
  OPENQNN_ASSIGN(const uint64_t idle, number_of(args, "--idle_us", 10000, 0, kLongestUs));
  scenario.inferences = static_cast<uint32_t>(inferences);
  scenario.accelerator = {execute * 1000};
  scenario.idle = {idle * 1000};
  return Declared{std::move(target), std::move(scenario)};
}

// ---- All profiles beside each other ----

struct Compared {
  std::string profile;
  sim::ExecuteCost first, last;
  Nanos whole;
};

Result<std::vector<Compared>> compare_profiles(const Declared& given, const soc::PowerModel& model) {
  OPENQNN_ASSIGN(const auto profiles, soc::power_profiles());
  std::vector<Compared> rows;
  for (const soc::PowerProfile& profile : profiles) {
    if (profile.kind != soc::ProfileKind::kBase) continue;
    sim::Scenario scenario = given.scenario;
    scenario.profile = profile.name;
    OPENQNN_ASSIGN(const sim::PowerHistory history, sim::scenario_history(given.target, model, scenario));
    const sim::PowerTimeline timeline = sim::power_timeline(model, history);
    rows.push_back({profile.name, timeline.executes.front(), timeline.executes.back(), timeline.end});
  }
  return rows;
}

std::string compared_text(const Declared& given, const std::vector<Compared>& rows,
                          const soc::PowerModel& model) {
  profile::TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight,
                            Align::kRight, Align::kRight, Align::kRight});
  table.row(
      {"Profile", "Core", "Clock", "First us", "Last us", "of it waking", "CPU wake-up", "Whole run us"});
  for (const Compared& row : rows)
    table.row({row.profile, model.corners[row.last.clocks.core].name,
               profile::permille_text(row.last.clocks.core_permille), profile::micros_text(row.first.total()),
               profile::micros_text(row.last.total()),
               profile::micros_text(row.last.wake_up + row.last.power_up),
               profile::micros_text(row.last.cpu_wake_up), profile::micros_text(row.whole)});
  const sim::Scenario& scenario = given.scenario;
  return concat(scenario.inferences, " inferences of ", profile::micros_text(scenario.accelerator),
                " us under burst, ", profile::micros_text(scenario.idle), " us apart, on ",
                part_name(given.target), " (simulated)\n\n", table.text(),
                "\n`openqnn power --perf_profile NAME` shows one in detail.\n", profile::kPowerNote);
}

std::string compared_json(const Declared& given, const std::vector<Compared>& rows,
                          const soc::PowerModel& model) {
  json::Writer out;
  out.begin_object().key("clock").string("simulated").key("soc").string(given.target.soc);
  out.key("inferences").unsigned_integer(given.scenario.inferences);
  out.key("execute_ns").unsigned_integer(given.scenario.accelerator.value);
  out.key("idle_ns").unsigned_integer(given.scenario.idle.value).key("profiles").begin_array();
  for (const Compared& row : rows) {
    out.begin_object(json::Writer::Style::kInline).key("profile").string(row.profile);
    out.key("core").string(model.corners[row.last.clocks.core].name);
    out.key("core_permille").unsigned_integer(row.last.clocks.core_permille);
    out.key("first_ns").unsigned_integer(row.first.total().value);
    out.key("last_ns").unsigned_integer(row.last.total().value);
    out.key("whole_ns").unsigned_integer(row.whole.value).end_object();
  }
  out.end_array().end_object();
  return out.take();
}

// ---- The command ----

Status check_power_options(const Args& args) {
  const bool is_run = !args.positional(0).empty();
  for (const std::string_view option : kScenarioOptions)
    if (is_run && args.has(option))
      return invalid("option-conflict",
                     concat(option, " declares a scenario, but ", args.positional(0), " is what happened"))
          .fix_by("leave one of the two out");
  for (const std::string_view option : {"--page", "--save", "--limit"})
    if (!is_run && !args.has("--perf_profile") && args.has(option))
      return invalid("option-conflict", concat(option, " is for one history, and this compares all profiles"))
          .fix_by("name one with --perf_profile, or give a run");
  return {};
}

Status show(const Args& args, const soc::PowerModel& model) {
  OPENQNN_TRY(check_power_options(args));
  for (const std::string_view option : {"--page", "--save"})
    if (args.has(option)) OPENQNN_TRY(check_output_file(args.get(option)));
  OPENQNN_TRY(check_products(args, products_of(args, {"--page", "--save"})));
  sim::PowerHistory history;
  if (!args.positional(0).empty()) {
    OPENQNN_ASSIGN(history, read_history(args.positional(0), model));
  } else {
    OPENQNN_ASSIGN(const Declared given, declared(args));
    if (given.scenario.profile.empty()) {
      OPENQNN_ASSIGN(const std::vector<Compared> rows, compare_profiles(given, model));
      print(args.has("--json") ? compared_json(given, rows, model) : compared_text(given, rows, model));
      return {};
    }
    OPENQNN_ASSIGN(history, sim::scenario_history(given.target, model, given.scenario));
  }
  OPENQNN_ASSIGN(const uint64_t limit, number_of(args, "--limit", 40, 0, UINT32_MAX));
  if (args.has("--page")) OPENQNN_TRY(write_file(args.get("--page"), profile::power_page(history, model)));
  if (args.has("--save")) OPENQNN_TRY(write_file(args.get("--save"), sim::history_json(history, model)));
  print(args.has("--json") ? profile::power_json(history, model)
                           : profile::power_text(history, model, limit));
  if (args.has("--page") && !args.has("--json")) print(concat("\nPage: ", shown(args.get("--page")), "\n"));
  return {};
}

int run_power(const Args& args) {
  const auto model = soc::power_model();
  if (!model) return fail(kCannotShowPower, model.error());
  const Status status = show(args, *model);
  return status ? static_cast<int>(kOk) : fail(kCannotShowPower, status.error());
}

}  // namespace

Command power_command() {
  return {
      .spec = {.name = "power",
               .summary = "Show what power votes do over time: of a run, or of a profile",
               .details = R"(
A RUN is a folder that qnn-net-run --profiling_level or openqnn run left, or a history file of its own
(docs/power.md). Without one, inferences under a profile are played on the model; without a profile,
all profiles are compared. All times are simulated; the clocks of corners and the waiting times
are coefficients of openqnn, because no source states them.)",
               .positionals = {{"RUN", "a folder or a power_history.json", false}},
               .options = {{"--perf_profile", "NAME", "play inferences under this profile (openqnn profiles)",
                            false, kChosenPerfProfiles},
                           {"--soc", "NAME", "the part (default SM8650; openqnn soc)"},
                           {"--inferences", "N", "so many (default 3)"},
                           {"--execute_us", "N", "each takes so long under burst (default 1000)"},
                           {"--idle_us", "N", "with so long a pause between two (default 10000)"},
                           {"--page", "OUT.html", "write a page with a chart of the clocks"},
                           {"--save", "OUT.json", "write the history, to change it and show it again"},
                           {"--limit", "N", "at most so many rows of a table (default 40; 0: all)"},
                           {"--json", "", "print JSON for programs"}},
               .examples = {"openqnn power", "openqnn power --perf_profile high_performance --idle_us 5000",
                            "openqnn power output --page power.html"}},
      .run = run_power};
}

}  // namespace openqnn::tools
