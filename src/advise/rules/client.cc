// SPDX-License-Identifier: BSD-3-Clause
// How the client loads binaries and calls the device.
#include <algorithm>
#include <array>

#include "advise/rule.h"
#include "base/text.h"
#include "config/rules/common.h"

namespace openqnn::advise {
namespace {

constexpr double kSmallModelUs = 1000;
constexpr int64_t kCriticalLatencyUs = 200;  // below this, and above 0

void unmapped_binary(const Subject& subject, Report& report) {
  const config::Subject* config = subject.given().config;
  if (config == nullptr || subject.given().maps_binaries) return;
  const auto context = config::section_of(*config, config::Kind::kTool, "context_configs");
  if (context && context->on("is_persistent_binary"))
    report.add(
        "is_persistent_binary keeps the binary for as long as the context: unless it is mapped, all of it "
        "stays in RAM");
  for (const config::Record& record : config->contexts())
    if (record.on("file_read_memory_budget_in_mb"))
      report.add(concat("file_read_memory_budget_in_mb ",
                        record.integer("file_read_memory_budget_in_mb").or_else(0),
                        " acts on binaries that are mapped, and on no others"));
}

void polling_small_model(const Subject& subject, Report& report) {
  const config::Subject* config = subject.given().config;
  if (config == nullptr || subject.client_us() >= kSmallModelUs) return;
  for (const config::Record& core : config->cores()) {
    if (!core.on("adaptive_polling_time")) continue;
    report.add(concat("adaptive_polling_time is ", core.integer("adaptive_polling_time").or_else(0),
                      " us, and an inference takes ", micros(subject.client_us()), " us (simulated)"));
    return;
  }
}

bool is_latency_critical(std::string_view profile) {
  constexpr std::array<std::string_view, 3> kProfiles = {"burst", "high_performance",
                                                         "sustained_high_performance"};
  return std::ranges::find(kProfiles, profile) != kProfiles.end();
}

void slow_wake_up(const Subject& subject, Report& report) {
  const config::Subject* config = subject.given().config;
  if (config == nullptr) return;
  for (const config::Record& core : config->cores()) {
    const std::string_view profile = core.text("perf_profile").or_else("");
    if (!is_latency_critical(profile) || !core.has("rpc_control_latency")) continue;
    const int64_t latency = core.integer("rpc_control_latency").or_else(0);
    if (latency > 0 && latency < kCriticalLatencyUs) continue;
    report.add(concat("rpc_control_latency is ", latency, " us under ", profile));
  }
}

constexpr RuleDef kClientRules[] = {
    {.id = "ADV-MMAP",
     .level = Level::kInfo,
     .scope = Scope::kContext,
     .title = "A persistent binary, or a budget for reading it, is for clients that map it.",
     .why = "A persistent binary has to stay as long as its context: mapped, the system can drop its pages "
            "(madvise), else it is in RAM as a whole. A read budget does nothing for bytes that are in RAM.",
     .when = "either option is set, and nobody says that binaries are mapped (--use_mmap)",
     .instead =
         "map the file (qnn-net-run --use_mmap; mmap in a client), keep it until the context is freed, and "
         "give its pages back with madvise",
     .bad = "\"is_persistent_binary\": true and the file read into a buffer",
     .good = "\"is_persistent_binary\": true and the file mapped",
     .source = "HTP backend page, graph switching: a client that does not map the binary is not recommended",
     .find = unmapped_binary},
    {.id = "ADV-POLLING",
     .level = Level::kNote,
     .scope = Scope::kContext,
     .title = "Adaptive polling is on for a model of less than 1 ms.",
     .why =
         "Waiting for the right moment to poll saves power with long inferences; short ones only get later.",
     .when = "a simulated call below 1 ms",
     .instead = "leave adaptive_polling_time out (0), and keep rpc_polling_time",
     .bad = "\"adaptive_polling_time\": 2000 for a model of 0.2 ms",
     .good = "\"adaptive_polling_time\": 2000 for a model of 5 ms",
     .source = "HTP backend page, adaptive polling: not for models below 1 ms",
     .find = polling_small_model},
    {.id = "ADV-RPC-LATENCY",
     .level = Level::kNote,
     .scope = Scope::kContext,
     .title = "The RPC control latency does not fit a latency-critical client.",
     .why =
         "It keeps the CPU out of sleep states that take longer to leave. Latency-critical clients vote for "
         "more than 0 and less than 200 us.",
     .when =
         "0, or 200 us and more, under burst, high_performance or sustained_high_performance (that these are "
         "the latency-critical ones is ours)",
     .instead = "set rpc_control_latency to 1 to 199, e.g. 100",
     .bad = "\"perf_profile\": \"burst\", \"rpc_control_latency\": 300",
     .good = "\"perf_profile\": \"burst\", \"rpc_control_latency\": 100",
     .source = "HTP backend page, performance infrastructure: RPC control latency",
     .find = slow_wake_up},
};

}  // namespace

std::span<const RuleDef> client_rules() { return kClientRules; }

}  // namespace openqnn::advise
