// SPDX-License-Identifier: BSD-3-Clause
#include "config/check.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "config/rule.h"
#include "config/soc_details.h"
#include "config/usage.h"

namespace openqnn::config {
namespace {

// The part that a device entry names, by its SoC or by its architecture alone.
bool part_of_device(const Record& device, Part& part) {
  for (const std::string_view option : {"soc_model", "soc_id"}) {
    const auto model = device.integer(option);
    if (!model || *model <= 0) continue;
    auto soc = soc_of_model(*model);
    if (!soc) continue;
    part.arch = soc->arch;
    part.soc = std::move(soc);
    part.told_by = device.path().to_string(option);
    return true;
  }
  const auto arch = device.text("dsp_arch");
  if (!arch || !arch_number(*arch)) return false;
  part.arch = arch_number(*arch);
  part.told_by = device.path().to_string("dsp_arch");
  return true;
}

bool part_of_soc_details(const Record& compile, Part& part) {
  const auto spec = compile.text("soc_details");
  if (!spec) return false;
  const auto details = parse_soc_details(*spec);
  if (!details) return false;
  const SocDetails& first = details->front();
  part.soc = first.resolve();
  part.arch = part.soc ? part.soc->arch : std::nullopt;
  if (!part.arch && first.dsp_arch) part.arch = arch_number(*first.dsp_arch);
  part.told_by = "soc_details";
  return part.arch.has_value();
}

Part find_part(const Subject& subject) {
  Part part;
  if (subject.circumstances.soc) {
    part.soc = std::make_shared<const soc::SocInfo>(*subject.circumstances.soc);
    part.arch = part.soc->arch;
    part.told_by = "--soc";
    return part;
  }
  for (const Record& device : subject.devices()) {
    if (part_of_device(device, part)) return part;
  }
  for (const Record& compile : subject.records(Kind::kCompile, kCompileConfig)) {
    if (part_of_soc_details(compile, part)) return part;
  }
  return {};
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
      if (rule->find != nullptr) out.push_back({rule, name_set(rule->about)});
    }
    return out;
  }();
  return all;
}

void sort_by_place(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
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
  part = find_part(*this);
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
  for (const AskedRule& asked : asked_rules()) {
    if (asked.about.any() && (asked.about & used).none()) continue;
    Report report(asked.rule->code, asked.rule->severity, findings);
    asked.rule->find(subject, report);
  }
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
