// SPDX-License-Identifier: BSD-3-Clause
#include "config/compare.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace openqnn::config {
namespace {

using json::Member;

std::string value_text(const json::Value& value) { return json::write(value, {.indent = -1}); }

// A file seen under the circumstances.
struct Side {
  Side(const Config& config, const Circumstances& circumstances)
      : subject({&config}, circumstances), meaning(subject, config.kind) {}

  Subject subject;
  Effective meaning;
};

// Nearly all pairs are spelled alike; the slower comparison is for the others.
bool same_json(const json::Value& a, const json::Value& b) {
  if (!a.number_text().empty() && a.number_text() == b.number_text()) return true;
  return a.same_as(b);
}

bool same_value(const EffectiveOption& a, const EffectiveOption& b) {
  const auto is_silent = [](const EffectiveOption& option) {
    return option.said_by_another || option.origin == EffectiveOption::Origin::kDefault;
  };
  if ((a.said_by_another || b.said_by_another) && is_silent(a) && is_silent(b)) return true;
  return a.words == b.words && same_json(a.value, b.value);
}

const Member* find_key(const std::vector<const Member*>& members, std::string_view key) {
  const auto found = std::ranges::find_if(members, [&](const Member* member) { return member->key == key; });
  return found != members.end() ? *found : nullptr;
}

void compare_unknown(const EffectiveRecord& left, const EffectiveRecord& right,
                     std::vector<Difference>& out) {
  for (const Member* member : left.unknown) {
    const Member* other = find_key(right.unknown, member->key);
    if (other != nullptr && member->value.same_as(other->value)) continue;
    out.push_back({left.title, member->key.str(), value_text(member->value),
                   other ? value_text(other->value) : "", member, other});
  }
  for (const Member* member : right.unknown) {
    if (find_key(left.unknown, member->key) == nullptr)
      out.push_back({left.title, member->key.str(), "", value_text(member->value), nullptr, member});
  }
}

void compare_options(const std::string& title, const EffectiveOptions& left, const EffectiveOptions& right,
                     std::vector<Difference>& out) {
  for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    const EffectiveOption& a = left[i];
    const EffectiveOption& b = right[i];
    if (same_value(a, b)) continue;
    out.push_back({title, std::string(a.option->name), a.text(), b.text(), a.member, b.member});
  }
}

// An entry that must name itself exists or does not; any other entry has defaults where it is not written.
bool exists_by_name(const EffectiveRecord& record) {
  return std::ranges::any_of(record.section->options, &OptionDef::required);
}

void add_presence(const std::string& title, bool is_left, std::vector<Difference>& out) {
  out.push_back({title, "", is_left ? "present" : "absent", is_left ? "absent" : "present"});
}

void compare_records(const Side& a, const Side& b, const EffectiveRecord& left, const EffectiveRecord& right,
                     std::vector<Difference>& out) {
  // A device is opened because it is listed, whatever its options are.
  if (left.section == &kDeviceSection && left.is_entry() != right.is_entry())
    add_presence(left.title, left.is_entry(), out);
  compare_options(left.title, a.meaning.options(left), b.meaning.options(right), out);
  compare_unknown(left, right, out);
}

// A record that the other side has not even by default.
void compare_with_nothing(const Side& a, const Side& b, const EffectiveRecord& record, bool is_left,
                          std::vector<Difference>& out) {
  if (exists_by_name(record)) {
    add_presence(record.title, is_left, out);
    return;
  }
  const EffectiveRecord none{.section = record.section, .title = record.title};
  compare_records(a, b, is_left ? record : none, is_left ? none : record, out);
}

std::string_view form_words(const Config& config) {
  return config.flat ? "without sections, so that current tools ignore its values" : "with sections";
}

}  // namespace

std::vector<Difference> compare(const Config& left, const Config& right, const Circumstances& circumstances) {
  std::vector<Difference> out;
  const KindDef& kind = kind_def(left.kind);
  if (left.kind != right.kind) {
    out.push_back({"", "", std::string(kind.title), std::string(kind_def(right.kind).title)});
    return out;
  }
  if (left.flat != right.flat)
    out.push_back(
        {"", "", concat(kind.title, " ", form_words(left)), concat(kind.title, " ", form_words(right))});
  const Side a(left, circumstances);
  const Side b(right, circumstances);
  for (const EffectiveRecord& record : a.meaning.records()) {
    if (const EffectiveRecord* other = b.meaning.find(record.title)) {
      compare_records(a, b, record, *other, out);
    } else {
      compare_with_nothing(a, b, record, true, out);
    }
  }
  for (const EffectiveRecord& record : b.meaning.records()) {
    if (a.meaning.find(record.title) == nullptr) compare_with_nothing(a, b, record, false, out);
  }
  return out;
}

}  // namespace openqnn::config
