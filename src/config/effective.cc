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
#include "config/soc_details.h"
#include "soc/nearest.h"

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

void set_value(EffectiveOption& option, int64_t value) {
  option.value = Value::of(value);
  option.words.clear();
}

void set_from(EffectiveOption& option, const Member& member) {
  option.value = meaning_of(*option.option, member.value);
  option.words.clear();
  option.document.clear();
  option.origin = Origin::kFile;
  option.member = &member;
}

bool is_zero(const EffectiveOption& option) { return option.value.as_double() == 0.0; }
bool is_unset(const EffectiveOption& option) { return option.origin == Origin::kDefault; }

bool stands_later(const Member& a, const Member& b) {
  const bool placed = !a.key_span.empty() && !b.key_span.empty();
  return placed ? a.key_span.begin > b.key_span.begin : std::less<>()(&b, &a);
}

// ---- Values that depend on others ----

// 0 and an absent key mean the same: 4 offline, all that the part has online.
void settle_hvx_threads(EffectiveOptions& options, const Subject& subject, bool of_defaults) {
  const EffectiveOption& written = options.at("hvx_threads");
  if (is_unset(written) ? !of_defaults : !is_zero(written)) return;
  constexpr int64_t kOfflineThreads = 4;
  const auto stage = subject.circumstances.stage;
  EffectiveOption& threads = options.edit("hvx_threads");
  threads.value = {};
  threads.words = threads.option->default_words;
  if (stage == Stage::kOffline) set_value(threads, kOfflineThreads);
  if (stage == Stage::kOnline && subject.part.soc && subject.part.soc->hvx_threads)
    set_value(threads, *subject.part.soc->hvx_threads);
}

// vtcm_mb and vtcm_size ask for the same thing in two units; the later request counts.
void settle_vtcm_units(EffectiveOptions& options) {
  constexpr int64_t kMegabyte = 1 << 20;
  constexpr int64_t kMost = int64_t{1} << 40;  // far beyond any part; keeps the product small
  const EffectiveOption& size = options.at("vtcm_size");
  const EffectiveOption& mb = options.at("vtcm_mb");
  const auto bytes = size.value.as_int64();
  if (is_unset(size) || !bytes || *bytes < 0) return;
  if (is_unset(mb) || stands_later(*size.member, *mb.member)) {
    const std::string instead =
        is_unset(mb) ? "" : concat(", which stands later; vtcm_mb ", mb.text(), " does not apply");
    const Member* member = size.member;
    EffectiveOption& out = options.edit("vtcm_mb");
    out.value = {};
    out.words = concat(*bytes, " bytes");
    if (*bytes % kMegabyte == 0) set_value(out, *bytes / kMegabyte);
    out.origin = Origin::kFile;
    out.member = member;
    out.document = concat("by vtcm_size", instead);
  } else {
    const auto megabytes = mb.value.as_int64();
    if (!megabytes || *megabytes < 0 || *megabytes > kMost) return;
    EffectiveOption& out = options.edit("vtcm_size");
    out.document = concat("by vtcm_mb, which stands later; vtcm_size ", *bytes, " does not apply");
    set_value(out, *megabytes * kMegabyte);
  }
  options.edit("vtcm_size").said_by_another = true;
}

void settle_vtcm(EffectiveOptions& options, const Subject& subject) {
  settle_vtcm_units(options);
  if (!is_zero(options.at("vtcm_mb")) || !subject.part.soc || !subject.part.soc->vtcm_mb) return;
  EffectiveOption& vtcm = options.edit("vtcm_mb");
  set_value(vtcm, static_cast<int64_t>(*subject.part.soc->vtcm_mb));
  vtcm.document += concat(vtcm.document.empty() ? "" : "; ", "all that ", subject.part.soc->chipset, " has");
}

// Unless it is set, the profile decides about polling.
void settle_polling(EffectiveOptions& options) {
  if (!is_unset(options.at("rpc_polling_time"))) return;
  constexpr std::array<std::string_view, 3> kPolling = {"burst", "high_performance",
                                                        "sustained_high_performance"};
  constexpr int64_t kLongest = 9999;
  const std::string_view name = options.at("perf_profile").value.as_string();
  const bool polls = std::ranges::find(kPolling, name) != kPolling.end();
  EffectiveOption& polling = options.edit("rpc_polling_time");
  set_value(polling, polls ? kLongest : 0);
  polling.document = concat("by perf_profile ", name);
}

// The number of the part: --soc wins, and soc_id is an older name of soc_model.
void settle_soc_model(EffectiveOptions& options, const Circumstances& known) {
  if (known.soc && known.soc->soc_model) {
    EffectiveOption& model = options.edit("soc_model");
    set_value(model, *known.soc->soc_model);
    model.origin = Origin::kOverride;
    model.document = "--soc";
    return;
  }
  const EffectiveOption& id = options.at("soc_id");
  const EffectiveOption& model = options.at("soc_model");
  if (is_unset(id) || is_zero(id)) return;
  const bool is_alone = is_unset(model) || is_zero(model);
  if (!is_alone && !model.value.same_as(id.value)) return;  // two parts: a check says so
  options.edit("soc_id").said_by_another = true;
  if (!is_alone) return;
  EffectiveOption& out = options.edit("soc_model");
  set_from(out, *options.at("soc_id").member);
  out.document = "by soc_id";
}

// The SoC wins over dsp_arch.
void settle_arch(EffectiveOptions& options, const Circumstances& known) {
  std::optional<uint32_t> arch;
  if (known.soc) {
    arch = known.soc->arch;
  } else if (const auto model = options.at("soc_model").value.as_int64(); model && *model > 0) {
    const auto soc = soc_of_model(*model);
    arch = soc ? soc->arch : std::nullopt;
  }
  if (!arch) return;
  EffectiveOption& out = options.edit("dsp_arch");
  const std::string written(out.value.as_string());
  if (is_unset(out)) {
    out.document = "by the SoC";
  } else if (soc::arch_number(written) != arch) {
    out.document = concat("SoC wins over dsp_arch ", written.empty() ? out.text() : written);
  }
  out.value = Value::of(concat("v", *arch));
  out.words.clear();
  out.said_by_another = true;
}

// What is not set in a record has the value that was settled for the defaults.
void settle(const SectionDef& section, EffectiveOptions& options, const Subject& subject,
            bool of_defaults = false) {
  if (&section == &kGraphSection) {
    settle_hvx_threads(options, subject, of_defaults);
    settle_vtcm(options, subject);
  } else if (&section == &kCoreSection) {
    settle_polling(options);
  } else if (&section == &kDeviceSection) {
    settle_soc_model(options, subject.circumstances);
    settle_arch(options, subject.circumstances);
  } else if (&section == &kContextSection) {
    constexpr std::string_view kSpillFill = "max_spill_fill_buffer_for_group";
    if (!is_zero(options.at(kSpillFill))) return;
    EffectiveOption& spill_fill = options.edit(kSpillFill);
    spill_fill = default_option(*spill_fill.option);  // 0 is not set
  }
}

// ---- Records ----

// The options of a section that stand in a record themselves: neither sections nor what names the record.
std::vector<EffectiveOption> default_options(const SectionDef& section) {
  std::vector<EffectiveOption> out;
  if (section.name.empty()) return out;  // the top of a file holds sections
  const OptionDef* identity = identity_of(section);
  for (const OptionDef& option : section.options) {
    if (!option.is_container() && &option != identity) out.push_back(default_option(option));
  }
  return out;
}

std::vector<const Member*> unknown_in(const Record& record) {
  std::vector<const Member*> unknown;
  for (const Member& member : record.object().as_object()) {
    if (member.tag == 0 && !is_comment_key(member.key)) unknown.push_back(&member);
  }
  return unknown;
}

// ---- What the tool or stage ignores ----

// By path; what is said of a section is true of all that stands in it.
using Reasons = std::map<std::string, std::string, std::less<>>;

Reasons reasons_to_ignore(const Subject& subject, Kind kind) {
  constexpr std::array<std::string_view, 3> kCodes = {"ignored-by-tool", "ignored-at-stage",
                                                      "graph-options-binary"};
  Reasons reasons;
  if (!subject.circumstances.tool && !subject.circumstances.stage) return reasons;
  for (Finding& finding : check(subject)) {
    const bool says_ignored = std::ranges::find(kCodes, finding.code) != kCodes.end();
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

}  // namespace

// ---- Records ----

class Effective::Walk {
 public:
  explicit Walk(Effective& out) : out_(out) {}

  void run(const Config& config) {
    if (config.flat) {
      flat(config);
    } else {
      children(config.root(), {});
      std::vector<const Member*> extras = unknown_in(config.root());
      if (!extras.empty()) add(config.root(), "the file");
    }
    graphs_without_entry(config);
  }

 private:
  // The record of that name, a new one when there is none yet.
  EffectiveRecord& record_of(const SectionDef& section, const std::string& title) {
    const auto [place, is_new] = out_.by_title_.emplace(title, out_.records_.size());
    if (!is_new) return out_.records_[place->second];
    return out_.records_.emplace_back(EffectiveRecord{.section = &section, .title = title});
  }

  EffectiveRecord& add(const Record& entry, const std::string& title) {
    EffectiveRecord& record = record_of(entry.section(), title);
    record.entries.push_back(entry);
    for (const Member* member : unknown_in(entry)) {
      std::erase_if(record.unknown, [&](const Member* earlier) { return earlier->key == member->key; });
      record.unknown.push_back(member);
    }
    return record;
  }

  void add_absent(const OptionDef& container, const std::string& title) {
    const bool has_options = !out_.defaults_.at(container.section).empty();
    if (has_options) record_of(*container.section, title);
    for (const OptionDef& option : container.section->options) {
      if (option.is_container() && has_defaults(*option.section))
        add_absent(option, concat(title, ", ", title_of_absent(option)));
    }
  }

  // An entry that must name itself does not exist by default.
  static bool has_defaults(const SectionDef& section) {
    return std::ranges::none_of(section.options, &OptionDef::required);
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
      EffectiveRecord& added = add(record, inside + title);
      const bool has_name = title.ends_with('\'');  // spares the look at the table, a hundred thousand times
      if (added.section == &kGraphSection && !has_name && title == title_of_absent(container))
        added.note = "the entry names no graph: its values reach none";
      children(record, concat(inside, title, ", "));
    }
  }

  void flat(const Config& config) {
    for (const SectionDef* section : {&kGraphSection, &kDeviceSection, &kCoreSection, &kContextSection}) {
      for (const Record& record : config.records(*section)) {
        const bool is_core = section == &kCoreSection;
        const OptionDef& container = *find_option(is_core ? kDeviceSection : kHtpFile, section->name);
        const std::string title = title_of_absent(container);
        // A key here belongs to one of the sections; the check names the others.
        add(record, is_core ? concat("device 0, ", title) : title).unknown.clear();
      }
    }
  }

  // The names of the model that no entry has: their options are the defaults.
  void graphs_without_entry(const Config& config) {
    const auto& graphs = out_.subject_->circumstances.graphs;
    if (config.kind != Kind::kHtp || !graphs) return;
    for (const std::string& name : *graphs) record_of(kGraphSection, concat("graph '", name, "'"));
  }

  Effective& out_;
};

std::string EffectiveOption::text() const {
  return words.empty() ? json::write(value, {.indent = -1}) : words;
}

std::string_view origin_name(Origin origin) {
  static constexpr std::array<std::string_view, 3> kNames = {"file", "default", "override"};
  return kNames.at(static_cast<size_t>(origin));
}

EffectiveOptions::EffectiveOptions(const std::vector<EffectiveOption>& defaults) : defaults_(&defaults) {
  all_.reserve(defaults.size());
  for (const EffectiveOption& option : defaults) all_.push_back(&option);
}

EffectiveOption& EffectiveOptions::edit(size_t index) {
  if (!is_default(index)) {
    const auto own =
        std::ranges::find_if(own_, [&](const EffectiveOption& option) { return &option == all_[index]; });
    return *own;
  }
  own_.push_back(*all_[index]);
  all_[index] = &own_.back();
  return own_.back();
}

size_t EffectiveOptions::index_of(std::string_view name) const {
  const auto found =
      std::ranges::find_if(all_, [&](const EffectiveOption* option) { return option->option->name == name; });
  return static_cast<size_t>(found - all_.begin());
}

std::string EffectiveRecord::path() const {
  std::string out;
  for (const Record& entry : entries) append_item(out, entry.path().to_string());
  return out;
}

Effective::Effective(const Subject& subject, Kind kind) : subject_(&subject), config_(subject.of(kind)) {
  if (config_ == nullptr) return;
  for (const PlacedSection& placed : sections_of(kind)) {
    std::vector<EffectiveOption>& table = defaults_[placed.section];
    if (!table.empty()) continue;
    table = default_options(*placed.section);
    EffectiveOptions settled(table);
    settle(*placed.section, settled, subject, true);
    std::vector<EffectiveOption> shared;
    for (size_t i = 0; i < settled.size(); ++i) shared.push_back(settled[i]);
    table = std::move(shared);
  }
  ignored_ = reasons_to_ignore(subject, kind);
  Walk(*this).run(*config_);
}

const EffectiveRecord* Effective::find(const std::string& title) const {
  const auto found = by_title_.find(title);
  return found != by_title_.end() ? &records_[found->second] : nullptr;
}

EffectiveOptions Effective::defaults_of(const SectionDef& section) const {
  return EffectiveOptions(defaults_.at(&section));
}

void Effective::set_options(const EffectiveRecord& record, EffectiveOptions& options) const {
  std::vector<std::pair<const Member*, const Record*>> written(record.section->options.size());
  for (const Record& entry : record.entries) {
    for (const Member& member : entry.object().as_object()) {
      const OptionDef* option = config_->flat ? find_option(*record.section, member.key)
                                              : option_of_tag(*record.section, member.tag);
      if (option == nullptr || member.value.is_null()) continue;
      written[static_cast<size_t>(option - record.section->options.data())] = {&member, &entry};
    }
  }
  for (size_t i = 0; i < options.size(); ++i) {
    const auto place = static_cast<size_t>(options[i].option - record.section->options.data());
    const auto& [member, entry] = written[place];
    if (member == nullptr) continue;
    EffectiveOption& option = options.edit(i);
    set_from(option, *member);
    if (!ignored_.empty()) option.no_effect = reason_at(ignored_, entry->path().to_string(member->key));
  }
}

EffectiveOptions Effective::options(const EffectiveRecord& record) const {
  EffectiveOptions options = defaults_of(*record.section);
  if (options.size() == 0 || !record.is_entry()) return options;
  set_options(record, options);
  settle(*record.section, options, *subject_);
  return options;
}

std::string_view Effective::note() const {
  const bool is_flat = config_ != nullptr && config_->flat;
  return is_flat ? "current tools ignore the values of a file without sections" : "";
}

}  // namespace openqnn::config
