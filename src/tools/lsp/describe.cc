// SPDX-License-Identifier: BSD-3-Clause
#include "tools/lsp/describe.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "config/explain.h"
#include "soc/power_profiles.h"
#include "tools/number_in.h"

namespace openqnn::tools::lsp {
namespace {

using config::OptionDef;

void describe_readings(Markup& out, const OptionDef& option) {
  if (option.readings[0].who.empty()) return;
  out.paragraph("The documents disagree:");
  for (const config::Reading& reading : option.readings) {
    if (!reading.who.empty()) out.item(reading.who, reading.says);
  }
  if (!option.applies.empty()) out.item("what applies", option.applies);
}

const config::Choice* find_choice(const OptionDef& option, std::string_view value) {
  const auto found = std::ranges::find(option.choices, value, &config::Choice::value);
  return found == option.choices.end() ? nullptr : &*found;
}

std::string corners_text(const soc::CornerVote& vote) {
  return vote.min == vote.max ? vote.target : concat(vote.target, " (", vote.min, " to ", vote.max, ")");
}

void describe_profile(Markup& out, std::string_view name) {
  const auto found = soc::find_profile(name);
  if (!found) return;
  const soc::PowerProfile& profile = *found;
  if (!profile.same_as.empty()) out.item("same as", profile.same_as);
  if (profile.bus) out.item("bus clock", corners_text(*profile.bus));
  if (profile.core) out.item("core clock", corners_text(*profile.core));
  if (profile.dcvs) out.item("DCVS", *profile.dcvs ? "on" : "off");
  if (profile.sleep_latency_us) out.item("sleep latency", concat(*profile.sleep_latency_us, " µs"));
  if (profile.rpc_polling_us > 0) out.item("RPC polling", concat(profile.rpc_polling_us, " µs"));
  if (profile.held_by_timer) out.item("between inferences", "held until a timer ends");
  if (!profile.advice.empty()) out.paragraph(profile.advice);
}

void describe_part(Markup& out, const soc::SocInfo& part) {
  std::string facts;
  const auto fact = [&](std::string_view what, const auto& value, std::string_view unit) {
    if (value) append_item(facts, what, *value, unit);
  };
  fact("Hexagon v", part.arch, "");
  fact("", part.vtcm_mb, " MB VTCM");
  fact("", part.hvx_threads, " HVX threads");
  fact("", part.hmx_units, " HMX units");
  out.heading(part.chipset, part.marketing_name);
  if (!facts.empty()) out.paragraph(facts);
}

// In the order of the table.
std::vector<soc::SocInfo> parts_with_model(int64_t soc_model) {
  auto socs = soc::all_socs();
  if (!socs) return {};
  std::erase_if(*socs, [&](const soc::SocInfo& soc) {
    return !soc.soc_model || static_cast<int64_t>(*soc.soc_model) != soc_model;
  });
  return std::move(*socs);
}

}  // namespace

// ---- Markup ----

void Markup::separate(bool is_item) {
  if (!out_.empty()) out_ += is_item && after_item_ ? "\n" : "\n\n";
  after_item_ = is_item;
}

void Markup::heading(std::string_view name, std::string_view after) {
  separate(false);
  out_ += markdown_ ? concat("**", name, "**") : std::string(name);
  if (!after.empty()) out_ += concat(": ", after);
}

void Markup::paragraph(std::string_view text) {
  separate(false);
  out_ += text;
}

void Markup::item(std::string_view name, std::string_view text) {
  separate(true);
  out_ += concat("- ", name, ": ", text);
}

void Markup::rule() {
  if (out_.empty()) return;
  separate(false);
  out_ += "---";
}

// ---- What the tables know ----

void describe_option(Markup& out, const config::SectionDef& section, const OptionDef& option) {
  out.heading(option.name, config::type_text(option));
  out.paragraph(option.summary);
  if (!option.help.empty()) out.paragraph(option.help);
  for (const config::Fact& fact : config::facts_of(section, option)) {
    if (fact.label != "type") out.item(fact.label, fact.text);
  }
  describe_readings(out, option);
}

void describe_section(Markup& out, const OptionDef& option) {
  if (option.section == nullptr) return;
  std::string keys;
  for (const OptionDef& key : option.section->options) append_item(keys, key.name);
  out.item("keys", keys);
}

bool takes_soc_model(const OptionDef& option) {
  return option.name == "soc_model" || option.name == "soc_id";
}

std::string parts_text(const std::vector<soc::SocInfo>& parts) {
  std::string out;
  for (const soc::SocInfo& part : parts) {
    if (!out.empty()) out += "; ";
    out += part.chipset;
    if (!part.marketing_name.empty()) out += concat(", ", part.marketing_name);
  }
  return out;
}

void describe_value(Markup& out, const OptionDef& option, std::string_view value) {
  if (const config::Choice* choice = find_choice(option, value)) {
    out.heading(choice->value, choice->help);
    if (choice->since.known()) out.item("SDK", config::since_text(choice->since));
  }
  if (option.name == "perf_profile") describe_profile(out, value);
  const auto number = number_in<int64_t>(value);
  if (!takes_soc_model(option) || !number) return;
  for (const soc::SocInfo& part : parts_with_model(*number)) describe_part(out, part);
}

void describe_rule(Markup& out, const config::RuleDef& rule) {
  out.heading(rule.code, concat(severity_name(rule.severity), ", ", rule.title));
  if (!rule.why.empty()) out.paragraph(rule.why);
  if (!rule.instead.empty()) out.item("instead", rule.instead);
  if (!rule.source.empty()) out.item("source", rule.source);
}

}  // namespace openqnn::tools::lsp
