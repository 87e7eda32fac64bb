// SPDX-License-Identifier: BSD-3-Clause
// openqnn profiles: what each power profile (perf_profile) votes.
#include "base/text.h"
#include "json/json.h"
#include "profile/text_table.h"
#include "soc/power_profiles.h"
#include "tools/commands.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using json::Writer;
using soc::CornerVote;
using soc::PowerProfile;
using soc::ProfileKind;
using soc::UnitVote;
using Align = profile::TextTable::Align;

constexpr std::string_view kNone = "-";

// "TURBO", or "SVS2..SVS" where the corners differ.
std::string corner_text(const std::optional<CornerVote>& vote) {
  if (!vote) return std::string(kNone);
  return vote->min == vote->max ? vote->target : concat(vote->min, "..", vote->max);
}

std::string unit_text(const std::optional<UnitVote>& vote) {
  return vote ? concat(vote->corner, ", ", vote->mode) : std::string(kNone);
}

std::string switch_text(const std::optional<bool>& value) {
  return value ? (*value ? "on" : "off") : std::string(kNone);
}

std::string sleep_text(const PowerProfile& profile) {
  return profile.sleep_latency_us ? concat(*profile.sleep_latency_us) : std::string(kNone);
}

std::string between_text(const PowerProfile& profile) {
  if (profile.held_by_timer) return "held by a timer";
  if (profile.falls_to.empty()) return std::string(kNone);
  return concat(profile.falls_to, profile.falls_to_is_ours ? " *" : "");
}

std::string archs_text(const PowerProfile& profile) {
  std::string text;
  for (const uint32_t arch : profile.archs) text += concat(text.empty() ? "v" : ", v", arch);
  return text;
}

std::string base_table(const std::vector<PowerProfile>& profiles) {
  profile::TextTable table(
      {Align::kLeft, Align::kRight, Align::kLeft, Align::kRight, Align::kLeft, Align::kLeft, Align::kLeft});
  table.row({"Profile", "Sleep us", "DCVS", "Polling us", "Bus", "Core", "Between inferences"});
  for (const PowerProfile& profile : profiles) {
    if (profile.kind == ProfileKind::kLlmDecode) continue;
    const bool internal = profile.kind == ProfileKind::kInternal;
    table.row({concat(profile.name, internal ? " (internal)" : ""), sleep_text(profile),
               switch_text(profile.dcvs), concat(profile.rpc_polling_us), corner_text(profile.bus),
               corner_text(profile.core), between_text(profile)});
  }
  return table.text();
}

std::string llm_table(const std::vector<PowerProfile>& profiles) {
  profile::TextTable table(
      {Align::kLeft, Align::kRight, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  table.row({"Profile", "Sleep us", "Bus", "Core", "HMX", "CENG", "DDR perf"});
  for (const PowerProfile& profile : profiles) {
    if (profile.kind != ProfileKind::kLlmDecode) continue;
    table.row({profile.name, sleep_text(profile), corner_text(profile.bus), corner_text(profile.core),
               unit_text(profile.hmx), unit_text(profile.ceng), switch_text(profile.ddr_perf)});
  }
  return table.text();
}

std::string list_text(const std::vector<PowerProfile>& profiles) {
  std::string out = base_table(profiles);
  out +=
      "\nBus and core are voltage corners, min..max where they differ. Polling: default of "
      "rpc_polling_time.\n"
      "internal: states the backend falls to; they cannot be chosen. * : our choice, the documents leave it "
      "open.\n"
      "- : not voted, or not stated.\n\n";
  for (const PowerProfile& profile : profiles) {
    if (profile.kind != ProfileKind::kLlmDecode) continue;
    out += concat("For the decode stage of language models, since SDK ", profile.since.value_or("?"), ", on ",
                  archs_text(profile), ":\n\n");
    break;
  }
  return out + llm_table(profiles) + "\n`openqnn profiles NAME` explains one.\n";
}

// "TURBO", or "SVS2 at least, SVS wanted, SVS at most"
std::string corners_sentence(const CornerVote& vote) {
  if (vote.min == vote.target && vote.target == vote.max) return vote.target;
  return concat(vote.min, " at least, ", vote.target, " wanted, ", vote.max, " at most");
}

void vote_line(std::string& out, std::string_view name, std::string_view value) {
  out += concat("  ", padded(std::string(name), 17), value, "\n");
}

std::string votes_text(const PowerProfile& profile) {
  std::string out;
  if (profile.bus) vote_line(out, "Bus", corners_sentence(*profile.bus));
  if (profile.core) vote_line(out, "Core and HVX", corners_sentence(*profile.core));
  if (profile.hmx)
    vote_line(out, "HMX", concat(profile.hmx->corner, ", performance mode ", profile.hmx->mode));
  if (profile.ceng)
    vote_line(out, "CENG", concat(profile.ceng->corner, ", performance mode ", profile.ceng->mode));
  if (profile.ddr_perf) vote_line(out, "DDR performance", *profile.ddr_perf ? "on" : "off");
  if (profile.dcvs) {
    vote_line(out, "DCVS",
              *profile.dcvs ? "on: the clocks move between the corners with the load"
                            : "off: the clocks stay where they were voted");
  }
  if (profile.sleep_latency_us)
    vote_line(out, "Sleep latency", concat(*profile.sleep_latency_us, " us: how long waking up may take"));
  return out;
}

std::string between_sentence(const PowerProfile& profile) {
  const std::string_view whose = profile.falls_to_is_ours ? " (our choice; the documents leave it open)" : "";
  if (profile.held_by_timer)
    return concat("a timer holds the vote from one inference to the next; when it ends, ", profile.falls_to,
                  whose);
  return concat("falls to ", profile.falls_to, " after each stage: init, inference, de-init", whose);
}

std::string polling_sentence(const PowerProfile& profile) {
  if (profile.rpc_polling_us == 0)
    return "off by default (rpc_polling_time 0): the CPU sleeps until the answer comes";
  return concat("on by default (rpc_polling_time ", profile.rpc_polling_us,
                " us): the CPU polls for the answer; lower latency, more CPU power");
}

std::string one_text(const PowerProfile& profile) {
  std::string out = bold(profile.name);
  if (profile.kind == ProfileKind::kInternal) out += ", an internal state; perf_profile does not take it";
  if (!profile.same_as.empty()) out += concat(", another name for ", profile.same_as);
  out += "\n";
  out += profile.kind == ProfileKind::kNoVote ? "  Votes nothing.\n" : votes_text(profile);
  if (!profile.falls_to.empty()) vote_line(out, "Between", between_sentence(profile));
  if (profile.kind != ProfileKind::kInternal) vote_line(out, "RPC polling", polling_sentence(profile));
  if (profile.since) vote_line(out, "Since", concat("SDK ", *profile.since));
  if (!profile.archs.empty()) vote_line(out, "Architectures", archs_text(profile) + "; others refuse it");
  vote_line(out, "Advice", profile.advice);
  vote_line(out, "Source", profile.source);
  return out;
}

// ---- JSON

void write_corners(Writer& out, std::string_view key, const std::optional<CornerVote>& vote) {
  if (!vote) return;
  out.key(key).begin_object(Writer::Style::kInline);
  out.key("min").string(vote->min).key("target").string(vote->target).key("max").string(vote->max);
  out.end_object();
}

void write_unit(Writer& out, std::string_view key, const std::optional<UnitVote>& vote) {
  if (!vote) return;
  out.key(key).begin_object(Writer::Style::kInline).key("corner").string(vote->corner);
  out.key("mode").string(vote->mode).end_object();
}

std::string_view kind_name(ProfileKind kind) {
  switch (kind) {
    case ProfileKind::kBase:
      return "base";
    case ProfileKind::kNoVote:
      return "no_vote";
    case ProfileKind::kLlmDecode:
      return "llm_decode";
    case ProfileKind::kInternal:
      return "internal";
  }
  return "unknown";
}

void write_profile(Writer& out, const PowerProfile& profile) {
  out.begin_object().key("name").string(profile.name).key("kind").string(kind_name(profile.kind));
  if (!profile.same_as.empty()) out.key("same_as").string(profile.same_as);
  if (profile.sleep_latency_us) out.key("sleep_latency_us").unsigned_integer(*profile.sleep_latency_us);
  if (profile.dcvs) out.key("dcvs").boolean(*profile.dcvs);
  write_corners(out, "bus", profile.bus);
  write_corners(out, "core", profile.core);
  write_unit(out, "hmx", profile.hmx);
  write_unit(out, "ceng", profile.ceng);
  if (profile.ddr_perf) out.key("ddr_perf").boolean(*profile.ddr_perf);
  out.key("rpc_polling_us").unsigned_integer(profile.rpc_polling_us);
  out.key("held_by_timer").boolean(profile.held_by_timer);
  if (!profile.falls_to.empty())
    out.key("falls_to").string(profile.falls_to).key("falls_to_is_ours").boolean(profile.falls_to_is_ours);
  if (profile.since) out.key("since_sdk").string(*profile.since);
  out.key("archs").begin_array(Writer::Style::kInline);
  for (const uint32_t arch : profile.archs) out.unsigned_integer(arch);
  out.end_array().key("advice").string(profile.advice).key("source").string(profile.source).end_object();
}

std::string list_json(const std::vector<PowerProfile>& profiles) {
  Writer out;
  out.begin_object().key("profiles").begin_array();
  for (const PowerProfile& profile : profiles) write_profile(out, profile);
  out.end_array().end_object();
  return out.take();
}

int run_profiles(const Args& args) {
  const std::string name = args.positional(0);
  if (name.empty()) {
    const auto profiles = soc::power_profiles();
    if (!profiles) return fail("cannot list the power profiles", profiles.error());
    print(args.has("--json") ? list_json(*profiles) : list_text(*profiles));
    return kOk;
  }
  const auto profile = soc::find_profile(name);
  if (!profile) return fail("cannot show the power profile", profile.error());
  print(args.has("--json") ? list_json({*profile}) : one_text(*profile));
  return kOk;
}

}  // namespace

Command profiles_command() {
  return {
      .spec = {.name = "profiles",
               .summary = "Show what each power profile (perf_profile) votes, or explain one",
               .details = R"(
Without NAME: the power table. With NAME: which corners it votes, when they are given up,
whether the CPU polls, since which SDK and on which architectures, and when to use it.)",
               .positionals = {{"NAME", "a value of perf_profile, e.g. burst", false}},
               .options = {{"--json", "", "print JSON for programs"}},
               .examples = {"openqnn profiles                    the power table",
                            "openqnn profiles burst              one profile in words",
                            "openqnn profiles llm_decode_burst   for the decode stage of a language model"}},
      .run = run_profiles};
}

}  // namespace openqnn::tools
