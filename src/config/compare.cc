// SPDX-License-Identifier: BSD-3-Clause
#include "config/compare.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"

namespace openqnn::config {
namespace {

using json::Member;

std::string value_text(const json::Value& value) { return json::write(value, {.indent = -1}); }

// The records of a file by who they are. Two entries for one graph are one: the later option counts, which is
// our choice, since no document says it.
class Side {
 public:
  Side(const Config& config, const Circumstances& circumstances)
      : subject_({&config}, circumstances), records_(effective(subject_, config.kind)) {
    for (EffectiveRecord& record : records_) {
      const auto [place, is_new] = by_title_.emplace(record.title, order_.size());
      if (is_new) {
        order_.push_back(&record);
      } else {
        merge(*order_[place->second], record);
      }
    }
  }

  const std::vector<EffectiveRecord*>& records() const { return order_; }
  const Subject& subject() const { return subject_; }
  const EffectiveRecord* find(const std::string& title) const {
    const auto found = by_title_.find(title);
    return found != by_title_.end() ? order_[found->second] : nullptr;
  }

 private:
  static void merge(EffectiveRecord& into, EffectiveRecord& later) {
    for (size_t i = 0; i < std::min(into.options.size(), later.options.size()); ++i) {
      if (later.options[i].member != nullptr) into.options[i] = std::move(later.options[i]);
    }
    for (const Member* member : later.unknown) {
      std::erase_if(into.unknown, [&](const Member* earlier) { return earlier->key == member->key; });
      into.unknown.push_back(member);
    }
    into.is_entry = into.is_entry || later.is_entry;
  }

  Subject subject_;
  std::vector<EffectiveRecord> records_;
  std::vector<EffectiveRecord*> order_;
  std::map<std::string, size_t> by_title_;
};

bool same_value(const EffectiveOption& a, const EffectiveOption& b) {
  return a.words == b.words && a.value.same_as(b.value);
}

const Member* find_key(const std::vector<const Member*>& members, std::string_view key) {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member* member) { return member->key == key; });
  return found != members.end() ? *found : nullptr;
}

void compare_unknown(const EffectiveRecord& left, const EffectiveRecord& right,
                     std::vector<Difference>& out) {
  for (const Member* member : left.unknown) {
    const Member* other = find_key(right.unknown, member->key);
    if (other != nullptr && member->value.same_as(other->value)) continue;
    out.push_back({left.title, member->key, value_text(member->value), other ? value_text(other->value) : "",
                   member, other});
  }
  for (const Member* member : right.unknown) {
    if (find_key(left.unknown, member->key) == nullptr)
      out.push_back({left.title, member->key, "", value_text(member->value), nullptr, member});
  }
}

void compare_records(const EffectiveRecord& left, const EffectiveRecord& right,
                     std::vector<Difference>& out) {
  for (size_t i = 0; i < std::min(left.options.size(), right.options.size()); ++i) {
    const EffectiveOption& a = left.options[i];
    const EffectiveOption& b = right.options[i];
    if (same_value(a, b)) continue;
    out.push_back({left.title, std::string(a.option->name), a.text(), b.text(), a.member, b.member});
  }
  compare_unknown(left, right, out);
}

// An entry that must name itself exists or does not; any other entry has defaults where it is not written.
bool exists_by_name(const EffectiveRecord& record) {
  return std::any_of(record.section->options.begin(), record.section->options.end(),
                     [](const OptionDef& option) { return option.required; });
}

EffectiveRecord defaults_for(const EffectiveRecord& record, const Subject& subject) {
  if (record.section->name.empty()) {
    EffectiveRecord none;  // the top of a file has nothing but unknown keys to compare
    none.section = record.section;
    none.title = record.title;
    return none;
  }
  EffectiveRecord defaults = defaults_of(*record.section, subject);
  defaults.title = record.title;
  return defaults;
}

void compare_with_nothing(const EffectiveRecord& record, const Side& other, bool is_left,
                          std::vector<Difference>& out) {
  if (exists_by_name(record)) {
    Difference difference;
    difference.where = record.title;
    (is_left ? difference.left : difference.right) = "present";
    (is_left ? difference.right : difference.left) = "absent";
    out.push_back(std::move(difference));
    return;
  }
  const EffectiveRecord defaults = defaults_for(record, other.subject());
  compare_records(is_left ? record : defaults, is_left ? defaults : record, out);
}

}  // namespace

std::vector<Difference> compare(const Config& left, const Config& right, const Circumstances& circumstances) {
  std::vector<Difference> out;
  if (left.kind != right.kind) {
    out.push_back({"", "", std::string(kind_def(left.kind).title), std::string(kind_def(right.kind).title)});
    return out;
  }
  const Side a(left, circumstances);
  const Side b(right, circumstances);
  for (const EffectiveRecord* record : a.records()) {
    if (const EffectiveRecord* other = b.find(record->title)) {
      compare_records(*record, *other, out);
    } else {
      compare_with_nothing(*record, b, true, out);
    }
  }
  for (const EffectiveRecord* record : b.records()) {
    if (a.find(record->title) == nullptr) compare_with_nothing(*record, a, false, out);
  }
  return out;
}

}  // namespace openqnn::config
