// SPDX-License-Identifier: BSD-3-Clause
#include "config/usage.h"

#include <unordered_map>
#include <vector>

namespace openqnn::config {
namespace {

using NameIndex = std::unordered_map<std::string_view, size_t>;

const NameIndex& name_index() {
  static const NameIndex index = [] {
    NameIndex out;
    for (const KindDef& def : kinds()) {
      for (const PlacedSection& place : sections_of(def.kind)) {
        for (const OptionDef& option : place.section->options) out.try_emplace(option.name, out.size());
      }
    }
    return out;
  }();
  return index;
}

void add(NameSet& names, std::string_view name) {
  const auto found = name_index().find(name);
  if (found != name_index().end() && found->second < kMostOptionNames) names.set(found->second);
}

// First one bit an option and section, because a file may have very many records of few sections.
class SectionUse {
 public:
  void see(const SectionDef& section, const json::Value& object) {
    uint64_t tags = 0;
    for (const json::Member& member : object.as_object()) {
      if (member.value.is_null()) continue;
      tags |= uint64_t{1} << (member.tag & 63u);
      const OptionDef* option = option_of_tag(section, member.tag);
      if (option != nullptr && option->section != nullptr) see_below(*option->section, member.value);
    }
    bits_of(section) |= tags;
  }

  NameSet names() const {
    NameSet out;
    for (const auto& [section, bits] : used_) {
      for (const OptionDef& option : section->options) {
        if ((bits >> (tag_of(*section, &option) & 63u) & 1u) != 0) add(out, option.name);
      }
    }
    return out;
  }

 private:
  void see_below(const SectionDef& section, const json::Value& value) {
    if (value.kind() == json::Value::Kind::kObject) see(section, value);
    for (const json::Value& item : value.as_array()) {
      if (item.kind() == json::Value::Kind::kObject) see(section, item);
    }
  }

  uint64_t& bits_of(const SectionDef& section) {
    for (auto& [known, bits] : used_) {
      if (known == &section) return bits;
    }
    return used_.emplace_back(&section, 0).second;
  }

  std::vector<std::pair<const SectionDef*, uint64_t>> used_;
};

}  // namespace

NameSet name_set(std::span<const std::string_view> names) {
  NameSet out;
  for (const std::string_view name : names) add(out, name);
  return out;
}

NameSet names_in(const Config& config) {
  if (config.flat) {
    NameSet out;
    for (const json::Member& member : config.tree.as_object()) add(out, member.key);
    return out;
  }
  SectionUse use;
  use.see(*kind_def(config.kind).root, config.tree);
  return use.names();
}

}  // namespace openqnn::config
