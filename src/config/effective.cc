// SPDX-License-Identifier: BSD-3-Clause
#include "config/effective.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "base/text.h"
#include "config/keys.h"
#include "config/meaning.h"

namespace openqnn::config {
namespace {

using json::Member;
using json::Value;
using Origin = EffectiveOption::Origin;

// ---- One option ----

EffectiveOption default_option(const OptionDef& option) {
  EffectiveOption out;
  out.option = &option;
  if (auto value = default_of(option)) {
    out.value = std::move(*value);
  } else {
    out.words = option.default_words.empty() ? "not set" : option.default_words;
  }
  if (!option.readings[1].who.empty()) out.document = option.readings[0].who;  // the first is the files' own
  return out;
}

EffectiveOption option_in(const Record& record, const OptionDef& option) {
  const Member* member = record.find(option.name);
  if (member == nullptr) return default_option(option);
  EffectiveOption out;
  out.option = &option;
  out.value = meaning_of(option, member->value);
  out.origin = Origin::kFile;
  out.member = member;
  return out;
}

void set_value(EffectiveOption& option, int64_t value) {
  option.value = Value::of(value);
  option.words.clear();
}

bool is_zero(const EffectiveOption& option) { return option.value.as_double() == 0.0; }
bool is_unset(const EffectiveOption& option) { return option.origin == Origin::kDefault; }

EffectiveOption* find(EffectiveRecord& record, std::string_view name) {
  const auto found = std::find_if(record.options.begin(), record.options.end(),
                                  [&](const EffectiveOption& option) { return option.option->name == name; });
  return found != record.options.end() ? &*found : nullptr;
}

// ---- Values that depend on others ----

// 0 and an absent key mean the same: 4 offline, all that the part has online.
void settle_hvx_threads(EffectiveOption& threads, const Subject& subject) {
  if (!is_unset(threads) && !is_zero(threads)) return;
  constexpr int64_t kOfflineThreads = 4;
  const auto stage = subject.circumstances.stage;
  threads.value = {};
  threads.words = threads.option->default_words;
  if (stage == Stage::kOffline) set_value(threads, kOfflineThreads);
  if (stage == Stage::kOnline && subject.part.soc && subject.part.soc->hvx_threads)
    set_value(threads, *subject.part.soc->hvx_threads);
}

void settle_vtcm(EffectiveOption& vtcm, const Subject& subject) {
  if (!is_zero(vtcm) || !subject.part.soc || !subject.part.soc->vtcm_mb) return;
  set_value(vtcm, static_cast<int64_t>(*subject.part.soc->vtcm_mb));
  vtcm.document = concat("all that ", subject.part.soc->chipset, " has");
}

// Unless it is set, the profile decides about polling.
void settle_polling(EffectiveOption& polling, const EffectiveOption& profile) {
  if (!is_unset(polling)) return;
  constexpr std::array<std::string_view, 3> kPolling = {"burst", "high_performance",
                                                        "sustained_high_performance"};
  constexpr int64_t kLongest = 9999;
  const std::string_view name = profile.value.as_string();
  const bool polls = std::find(kPolling.begin(), kPolling.end(), name) != kPolling.end();
  set_value(polling, polls ? kLongest : 0);
  polling.document = concat("by perf_profile ", name);
}

void settle_part(EffectiveOption& soc_model, const Circumstances& known) {
  if (!known.soc || !known.soc->soc_model) return;
  set_value(soc_model, *known.soc->soc_model);
  soc_model.origin = Origin::kOverride;
  soc_model.document = "--soc";
}

void settle(EffectiveRecord& record, const Subject& subject) {
  if (record.section == &kGraphSection) {
    settle_hvx_threads(*find(record, "hvx_threads"), subject);
    settle_vtcm(*find(record, "vtcm_mb"), subject);
  } else if (record.section == &kCoreSection) {
    settle_polling(*find(record, "rpc_polling_time"), *find(record, "perf_profile"));
  } else if (record.section == &kDeviceSection) {
    settle_part(*find(record, "soc_model"), subject.circumstances);
  } else if (record.section == &kContextSection) {
    EffectiveOption& spill_fill = *find(record, "max_spill_fill_buffer_for_group");
    if (is_zero(spill_fill)) spill_fill = default_option(*spill_fill.option);  // 0 is not set
  }
}

// ---- Records ----

// The options of a section that stand in a record themselves: neither sections nor what names the record.
template <class Make>
void add_options(EffectiveRecord& out, const Make& make) {
  const OptionDef* identity = identity_of(*out.section);
  for (const OptionDef& option : out.section->options) {
    if (!option.is_container() && &option != identity) out.options.push_back(make(option));
  }
}

class Walk {
 public:
  explicit Walk(const Subject& subject) : subject_(subject) {}

  std::vector<EffectiveRecord> run(const Config& config) {
    if (config.flat) {
      flat(config);
    } else {
      children(config.root(), {});
      std::vector<const Member*> extras = unknown_in(config.root());
      if (!extras.empty()) {
        EffectiveRecord& top = out_.emplace_back();
        top.section = kind_def(config.kind).root;
        top.title = "the file";
        top.unknown = std::move(extras);
      }
    }
    graphs_without_entry(config);
    return std::move(out_);
  }

 private:
  void add(const Record& record, std::string title) {
    EffectiveRecord& out = out_.emplace_back();
    out.section = &record.section();
    out.title = std::move(title);
    out.path = record.path().to_string();
    add_options(out, [&](const OptionDef& option) { return option_in(record, option); });
    out.unknown = unknown_in(record);
    settle(out, subject_);
  }

  void add_absent(const OptionDef& container, std::string title) {
    EffectiveRecord out = defaults_of(*container.section, subject_);
    out.title = std::move(title);
    const std::string inside = concat(out.title, ", ");
    if (!out.options.empty()) out_.push_back(std::move(out));
    for (const OptionDef& option : container.section->options) {
      if (option.is_container() && has_defaults(*option.section))
        add_absent(option, concat(inside, title_of_absent(option)));
    }
  }

  // An entry that must name itself does not exist by default.
  static bool has_defaults(const SectionDef& section) {
    return std::none_of(section.options.begin(), section.options.end(),
                        [](const OptionDef& option) { return option.required; });
  }

  void children(const Record& parent, const std::string& inside) {
    for (const OptionDef& option : parent.section().options) {
      if (!option.is_container()) continue;
      const std::vector<Record> records = parent.records(option.name);
      if (records.empty() && has_defaults(*option.section))
        add_absent(option, concat(inside, title_of_absent(option)));
      for (size_t i = 0; i < records.size(); ++i) entry(records[i], option, i, inside);
    }
  }

  void entry(const Record& record, const OptionDef& container, size_t index, const std::string& inside) {
    for (const std::string& title : titles_of(record, container, index)) {
      add(record, inside + title);
      children(record, concat(inside, title, ", "));
    }
  }

  void flat(const Config& config) {
    for (const SectionDef* section : {&kGraphSection, &kDeviceSection, &kCoreSection, &kContextSection}) {
      for (const Record& record : config.records(*section)) {
        const bool is_core = section == &kCoreSection;
        const OptionDef& container = *find_option(is_core ? kDeviceSection : kHtpFile, section->name);
        const std::string title = title_of_absent(container);
        add(record, is_core ? concat("device 0, ", title) : title);
        out_.back().unknown.clear();  // a key here belongs to one of the sections; the check names the others
      }
    }
  }

  // The names of the model that no entry has: their options are the defaults.
  void graphs_without_entry(const Config& config) {
    if (config.kind != Kind::kHtp || !subject_.circumstances.graphs) return;
    for (const std::string& name : *subject_.circumstances.graphs) {
      const std::string title = concat("graph '", name, "'");
      const bool known = std::any_of(out_.begin(), out_.end(),
                                     [&](const EffectiveRecord& record) { return record.title == title; });
      if (known) continue;
      out_.push_back(defaults_of(kGraphSection, subject_));
      out_.back().title = title;
    }
  }

  static std::vector<const Member*> unknown_in(const Record& record) {
    std::vector<const Member*> unknown;
    for (const Member& member : record.object().as_object()) {
      if (member.tag == 0 && !is_comment_key(member.key)) unknown.push_back(&member);
    }
    return unknown;
  }

  const Subject& subject_;
  std::vector<EffectiveRecord> out_;
};

// ---- What the tool or stage ignores ----

// By path; what is said of a section is true of all that stands in it.
using Reasons = std::map<std::string, std::string, std::less<>>;

Reasons reasons_to_ignore(const Subject& subject, Kind kind) {
  constexpr std::array<std::string_view, 3> kCodes = {"ignored-by-tool", "ignored-at-stage",
                                                      "graph-options-binary"};
  Reasons reasons;
  for (Finding& finding : check(subject)) {
    const bool says_ignored = std::find(kCodes.begin(), kCodes.end(), finding.code) != kCodes.end();
    if (says_ignored && finding.kind == kind) reasons.emplace(finding.path, std::move(finding.message));
  }
  return reasons;
}

std::string reason_at(const Reasons& reasons, std::string_view path) {
  for (size_t end = path.size(); end != std::string_view::npos; end = path.find_last_of(".[", end - 1)) {
    const auto found = reasons.find(path.substr(0, end));
    if (found != reasons.end()) return found->second;
    if (end == 0) break;
  }
  return "";
}

void mark_ignored(std::vector<EffectiveRecord>& records, const Subject& subject, Kind kind) {
  const Circumstances& known = subject.circumstances;
  if (!known.tool && !known.stage) return;
  const Reasons reasons = reasons_to_ignore(subject, kind);
  for (EffectiveRecord& record : records) {
    for (EffectiveOption& option : record.options) {
      if (option.member == nullptr) continue;
      option.no_effect =
          reason_at(reasons, concat(record.path, record.path.empty() ? "" : ".", option.member->key));
    }
  }
}

}  // namespace

std::string EffectiveOption::text() const {
  return words.empty() ? json::write(value, {.indent = -1}) : words;
}

std::string_view origin_name(Origin origin) {
  switch (origin) {
    case Origin::kFile:
      return "file";
    case Origin::kDefault:
      return "default";
    case Origin::kOverride:
      return "override";
  }
  return "";
}

EffectiveRecord defaults_of(const SectionDef& section, const Subject& subject) {
  EffectiveRecord out;
  out.section = &section;
  out.is_entry = false;
  add_options(out, default_option);
  settle(out, subject);
  return out;
}

std::vector<EffectiveRecord> effective(const Subject& subject, Kind kind) {
  const Config* config = subject.of(kind);
  if (config == nullptr) return {};
  std::vector<EffectiveRecord> records = Walk(subject).run(*config);
  mark_ignored(records, subject, kind);
  return records;
}

}  // namespace openqnn::config
