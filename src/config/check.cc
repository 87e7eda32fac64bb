// SPDX-License-Identifier: BSD-3-Clause
#include "config/check.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "config/rule.h"
#include "config/soc_details.h"
#include "config/usage.h"
#include "soc/nearest.h"

namespace openqnn::config {
namespace {

// The part that a device entry names, by its SoC or by its architecture alone. "NONE" is no architecture.
std::optional<Part> part_named(const Record& device) {
  const auto written = soc::arch_number(device.text("dsp_arch").or_else(""));
  for (const std::string_view option : {"soc_model", "soc_id"}) {
    const auto model = device.integer(option);
    if (!model || *model <= 0) continue;
    const auto soc = soc_of_model(*model);
    if (!soc) continue;
    return Part{.soc = soc,
                .arch = soc->arch ? soc->arch : written,
                .arch_as_written = !soc->arch && written,
                .told_by = device.path().to_string(option)};
  }
  if (!written) return std::nullopt;
  return Part{.arch = written, .told_by = device.path().to_string("dsp_arch")};
}

std::optional<Part> part_detailed(const SocDetails& details) {
  Part part{.soc = details.resolve(), .told_by = "soc_details"};
  part.arch = part.soc ? part.soc->arch : std::nullopt;
  if (!part.arch && details.dsp_arch) part.arch = soc::arch_number(*details.dsp_arch);
  return part.arch ? std::optional(part) : std::nullopt;
}

std::vector<Part> parts_of_soc_details(const Record& compile) {
  const auto spec = compile.text("soc_details");
  const auto details = parse_soc_details(spec.or_else(""));
  std::vector<Part> parts;
  if (!spec || !details) return parts;
  for (const SocDetails& each : *details) {
    if (auto part = part_detailed(each)) parts.push_back(*std::move(part));
  }
  return parts;
}

// What the user says counts, then what the devices say, then soc_details.
std::vector<Part> find_parts(const Subject& subject) {
  std::vector<Part> parts;
  if (subject.circumstances.soc) {
    auto soc = std::make_shared<const soc::SocInfo>(*subject.circumstances.soc);
    return {{.soc = soc, .arch = soc->arch, .told_by = "--soc"}};
  }
  for (size_t i = 0; i < subject.devices().size(); ++i) {
    auto part = part_named(subject.devices()[i]);
    if (!part) continue;
    part->device = i;
    parts.push_back(*std::move(part));
  }
  if (!parts.empty()) return parts;
  for (const Record& compile : subject.records(Kind::kCompile, kCompileConfig)) {
    parts = parts_of_soc_details(compile);
    if (!parts.empty()) return parts;
  }
  return parts;
}

// Some tools work at one stage only.
std::optional<Stage> implied_stage(const Circumstances& circumstances) {
  if (circumstances.stage || !circumstances.tool) return circumstances.stage;
  if (circumstances.tool == Tool::kContextBinaryGenerator) return Stage::kOffline;
  if (circumstances.tool == Tool::kProfileViewer) return Stage::kReport;
  return std::nullopt;
}

struct AskedRule {
  const RuleDef* rule;
  NameSet about;
};

// The rules that have something to find, with the options they judge as bits.
const std::vector<AskedRule>& asked_rules() {
  static const std::vector<AskedRule> all = [] {
    std::vector<AskedRule> out;
    for (const RuleDef* rule : rules()) {
      if (rule->judges()) out.push_back({rule, name_set(rule->about)});
    }
    return out;
  }();
  return all;
}

// Those that may have something to say about files that set these options.
std::vector<const RuleDef*> rules_about(const NameSet& used) {
  std::vector<const RuleDef*> out;
  for (const AskedRule& asked : asked_rules()) {
    if (asked.about.none() || (asked.about & used).any()) out.push_back(asked.rule);
  }
  return out;
}

// 100 000 entries do not fit into any cache: passing over all of them once a rule took twice as long.
void judge_graphs(const Subject& subject, std::span<const RuleDef* const> rules,
                  std::vector<Finding>& findings) {
  constexpr size_t kAtOnce = 256;
  for (std::span<const Record> left = subject.graphs(); !left.empty();) {
    const auto some = left.first(std::min(left.size(), kAtOnce));
    for (const RuleDef* rule : rules) {
      if (rule->find_in_graphs == nullptr) continue;
      Report report(rule->code, rule->severity, findings);
      rule->find_in_graphs(subject, some, report);
    }
    left = left.subspan(some.size());
  }
}

void sort_by_place(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    return std::tuple(a.kind, a.span.begin) < std::tuple(b.kind, b.span.begin);
  });
}

}  // namespace

std::vector<Record> Subject::records(Kind kind, const SectionDef& section) const {
  const Config* config = of(kind);
  return config != nullptr ? config->records(section) : std::vector<Record>();
}

Subject::Subject(const std::vector<const Config*>& files, Circumstances known)
    : circumstances(std::move(known)) {
  for (const Config* config : files) configs[static_cast<size_t>(config->kind)] = config;
  circumstances.stage = implied_stage(circumstances);
  graphs_ = records(Kind::kHtp, kGraphSection);
  devices_ = records(Kind::kHtp, kDeviceSection);
  cores_ = records(Kind::kHtp, kCoreSection);
  contexts_ = records(Kind::kHtp, kContextSection);
  parts = find_parts(*this);
  if (!parts.empty()) part = parts.front();
}

const Part* Subject::part_below(uint32_t arch) const {
  const auto found =
      std::ranges::find_if(parts, [&](const Part& each) { return each.arch && *each.arch < arch; });
  return found != parts.end() ? &*found : nullptr;
}

const Part& Subject::part_of_device(size_t device) const {
  const auto found = std::lower_bound(
      parts.begin(), parts.end(), device,
      [](const Part& each, size_t wanted) { return each.device.value_or(SIZE_MAX) < wanted; });
  return found != parts.end() && found->device == device ? *found : part;
}

std::vector<Finding> check(const Subject& subject) {
  std::vector<Finding> findings;
  NameSet used;
  for (const Config* config : subject.configs) {
    if (config == nullptr) continue;
    used |= names_in(*config);
    std::vector<Finding> fields = check_fields(*config, subject.circumstances);
    std::move(fields.begin(), fields.end(), std::back_inserter(findings));
  }
  const auto asked = rules_about(used);
  for (const RuleDef* rule : asked) {
    if (rule->find == nullptr) continue;
    Report report(rule->code, rule->severity, findings);
    rule->find(subject, report);
  }
  judge_graphs(subject, asked, findings);
  sort_by_place(findings);
  return findings;
}

std::vector<Finding> check_documents(const std::vector<const Document*>& documents,
                                     Circumstances circumstances) {
  const bool strict = circumstances.strict;
  std::vector<const Config*> configs;
  std::vector<Finding> findings;
  for (const Document* document : documents) {
    if (document->config) configs.push_back(&*document->config);
    for (const Finding& finding : document->findings) {
      if (finding.severity == Severity::kNote && !strict) continue;  // liberties
      findings.push_back(finding);
      if (strict) findings.back().severity = Severity::kError;
    }
  }
  std::vector<Finding> checked = check(Subject(configs, std::move(circumstances)));
  std::move(checked.begin(), checked.end(), std::back_inserter(findings));
  sort_by_place(findings);
  return findings;
}

}  // namespace openqnn::config
