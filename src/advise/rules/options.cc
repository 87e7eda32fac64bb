// SPDX-License-Identifier: BSD-3-Clause
// Options of graphs that would make this model faster.
#include <algorithm>

#include "advise/rule.h"
#include "base/text.h"
#include "base/units.h"
#include "profile/text_table.h"
#include "soc/part_name.h"

namespace openqnn::advise {
namespace {

constexpr double kWorthwhileGain = 0.03;
constexpr double kMostlyCalls = 0.85;

bool is_faster(const Effect& effect) { return effect.after_us <= effect.before_us * (1 - kWorthwhileGain); }

// Times with an option as it acts, and as it could.
std::optional<Effect> effect_of(const Subject& subject, std::string change, const prepare::Options& before,
                                const prepare::Options& after) {
  const Given& given = subject.given();
  if (given.graph == nullptr) return std::nullopt;
  const auto as_it_is = what_if(given, *given.graph, before);
  const auto as_it_could = what_if(given, *given.graph, after);
  if (!as_it_is || !as_it_could) return std::nullopt;
  return Effect{std::move(change), *as_it_is, *as_it_could};
}

void little_vtcm(const Subject& subject, Report& report) {
  const Given& given = subject.given();
  const uint64_t all = given.target.vtcm.value;
  const uint64_t taken =
      given.vtcm_is_set ? subject.program().schedule.vtcm_bytes : std::min(all, prepare::kDefaultVtcmBytes);
  if ((given.config == nullptr && given.vtcm_is_set) || taken >= all) return;
  prepare::Options before = given.options;
  before.vtcm_bytes = taken;
  prepare::Options after = given.options;
  after.vtcm_bytes = all;
  const auto effect = effect_of(subject, concat("vtcm_mb ", all / kMiB), before, after);
  if (!effect || !is_faster(*effect)) return;
  report
      .add(concat(
          given.vtcm_is_set ? "the graph is granted " : "vtcm_mb is not set, and QNN's tools then take ",
          profile::memory_text(taken), " of the ", profile::memory_text(all), " of VTCM that ",
          soc::part_name(given.target), " has"))
      .effects.push_back(*effect);
}

void few_threads(const Subject& subject, Report& report) {
  const Given& given = subject.given();
  const uint32_t all = given.target.hvx_contexts;
  const uint32_t taken = given.threads_are_set ? subject.program().schedule.hvx_threads
                                               : std::min(all, prepare::kDefaultHvxThreads);
  if ((given.config == nullptr && given.threads_are_set) || taken >= all) return;
  prepare::Options before = given.options;
  before.hvx_threads = taken;
  prepare::Options after = given.options;
  after.hvx_threads = all;
  const auto effect = effect_of(subject, concat("hvx_threads ", all), before, after);
  if (!effect || !is_faster(*effect)) return;
  report
      .add(concat("the graph runs on ", taken, " of ", all, " HVX threads of ", soc::part_name(given.target)))
      .effects.push_back(*effect);
}

void low_optimization(const Subject& subject, Report& report) {
  constexpr uint32_t kHighest = 3;
  const Given& given = subject.given();
  if (given.graph == nullptr || given.options.optimization >= kHighest) return;
  prepare::Options after = given.options;
  after.optimization = kHighest;
  const auto effect = effect_of(subject, concat("O ", kHighest), given.options, after);
  if (!effect || !is_faster(*effect)) return;
  report.add(concat("the graph is prepared at O ", given.options.optimization)).effects.push_back(*effect);
}

void mostly_calls(const Subject& subject, Report& report) {
  const double call = subject.client_us() - subject.accelerator_us();
  if (subject.client_us() <= 0 || call < kMostlyCalls * subject.client_us()) return;
  constexpr double kMicrosPerSecond = 1e6;
  const double alone = kMicrosPerSecond / subject.client_us();
  const double two = std::min(
      2 * alone, subject.accelerator_us() > 0 ? kMicrosPerSecond / subject.accelerator_us() : 2 * alone);
  report.add(concat("the accelerator works ", micros(subject.accelerator_us()), " us of a call of ",
                    micros(subject.client_us()), " us (simulated); two threads would give ",
                    static_cast<uint64_t>(two), " inferences a second instead of ",
                    static_cast<uint64_t>(alone)));
}

constexpr RuleDef kOptionRules[] = {
    {.id = "ADV-VTCM",
     .level = Level::kNote,
     .title = "More VTCM would make the graph faster.",
     .why = "What does not fit goes to DDR and back.",
     .when = "with a configuration, where all VTCM of the part is 3 % faster and more (ours)",
     .instead =
         "set vtcm_mb to what the part has (0 means all of it, and needs soc_model), unless other graphs "
         "run at the same time",
     .bad = "\"vtcm_mb\": 1 for a part with 8 MB",
     .good = "\"vtcm_mb\": 8",
     .source = "HTP backend page: vtcm_mb; the threshold is ours",
     .effect = "all VTCM of the part",
     .find = little_vtcm},
    {.id = "ADV-THREADS",
     .level = Level::kNote,
     .title = "More HVX threads would make the graph faster.",
     .why = "Vector work is spread over the threads that a graph is granted.",
     .when = "with a configuration, where all threads of the part are 3 % faster and more (ours)",
     .instead = "raise hvx_threads",
     .bad = "\"hvx_threads\": 1",
     .good = "\"hvx_threads\": 4",
     .source = "HTP backend page: hvx_threads; the threshold is ours",
     .effect = "all HVX threads of the part",
     .find = few_threads},
    {.id = "ADV-O",
     .level = Level::kInfo,
     .title = "O 3 would make the graph faster.",
     .why = "It prepares longer and picks the fastest of several schedules.",
     .when = "3 % faster and more (ours)",
     .instead = "set O to 3 for binaries that are made once",
     .bad = "\"O\": 1",
     .good = "\"O\": 3",
     .source = "HTP backend page: O; the threshold is ours",
     .effect = "the graph at O 3",
     .find = low_optimization},
    {.id = "ADV-BATCH",
     .level = Level::kInfo,
     .title = "Nearly all of a call's time is on its way.",
     .why =
         "A small model is done before the next call arrives. Where the rate matters and not the delay, "
         "several inferences a call and two threads keep the accelerator busy: resnet50 on SM8550 goes from "
         "1500 to 2800 inferences a second with 5 in a batch and 2 threads.",
     .when = "85 % of the simulated call outside the accelerator (ours)",
     .instead = "run batches, and call from two threads; `openqnn simulate --clients 2` shows the rate",
     .bad = "one image a call, one thread",
     .good = "five images a call, two threads",
     .source = "network-design pages: batches and threads",
     .find = mostly_calls},
};

}  // namespace

std::span<const RuleDef> option_rules() { return kOptionRules; }

}  // namespace openqnn::advise
