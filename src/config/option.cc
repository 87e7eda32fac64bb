// SPDX-License-Identifier: BSD-3-Clause
#include "config/option.h"

#include "base/text.h"

namespace openqnn::config {

std::string_view tool_name(Tool tool) {
  static constexpr std::array<std::string_view, kToolCount> kNames = {
      "qnn-net-run", "qnn-context-binary-generator", "qnn-throughput-net-run", "qnn-profile-viewer"};
  return kNames.at(static_cast<size_t>(tool));
}

std::string_view stage_name(Stage stage) {
  static constexpr std::array<std::string_view, kStageCount> kNames = {
      "offline prepare", "online prepare", "loading a binary", "execution", "reporting"};
  return kNames.at(static_cast<size_t>(stage));
}

std::string Sdk::to_string() const { return concat(major, ".", minor); }

std::vector<std::string_view> OptionDef::spellings() const {
  std::vector<std::string_view> out = {name};
  for (const std::string_view other : {python, misspelt})
    if (!other.empty()) out.push_back(other);
  return out;
}

// ---- Types in words ----

namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();

std::string range_text(const OptionDef& option) {
  const bool from = option.min != kLowest;
  const bool to = option.max != kNoLimit;
  if (from && to) return concat(", ", option.min, " to ", option.max);
  if (from) return concat(", at least ", option.min);
  if (to) return concat(", at most ", option.max);
  return "";
}

std::string choices_text(const OptionDef& option) {
  std::string values;
  for (const Choice& choice : option.choices) append_item(values, choice.value);
  return concat(option.choices.size() == 1 ? "" : "one of ", values);
}

std::string number_text(const OptionDef& option) {
  if (option.on_from_one) return "0 for off, or a number of at least 1 for on";
  std::string out = option.type == Type::kInteger || option.whole ? "integer" : "number";
  out += range_text(option);
  if (!option.unit.empty())
    out += concat(option.min == kLowest && option.max == kNoLimit ? ", in " : " ", option.unit);
  if (option.also_bool) out += ", or true or false";
  return out;
}

}  // namespace

std::string type_text(const OptionDef& option) {
  if (!option.choices.empty()) return choices_text(option);
  switch (option.type) {
    case Type::kBool:
      return "true or false";
    case Type::kInteger:
    case Type::kNumber:
      return number_text(option);
    case Type::kString:
      return "string";
    case Type::kPath:
      return "path of a file";
    case Type::kStrings:
      return option.one_or_many ? "list of strings, or one string" : "list of strings";
    case Type::kIntegers:
      return concat("list of integers", range_text(option));
    case Type::kAnyObject:
      return option.one_or_many ? "any object, or a list of them" : "any object";
    case Type::kSection:
      return "object";
    case Type::kSections:
      return "list of objects";
    case Type::kOneOrMore:
      return "object or list of objects";
  }
  return "";
}

// ---- Kinds of files ----

namespace {

constexpr KindDef kKinds[] = {
    {Kind::kHtp, "htp", "HTP backend file", "backend_extensions.config_file_path of a tool file", &kHtpFile},
    {Kind::kTool, "tool", "tool file", "--config_file of qnn-net-run and qnn-context-binary-generator",
     &kToolFile},
    {Kind::kLpai, "lpai", "LPAI backend file", "backend_extensions.config_file_path of a tool file",
     &kLpaiFile},
    {Kind::kDataFormat, "data-format", "data-format file",
     "--data_format_config of qnn-context-binary-generator", &kDataFormatFile},
    {Kind::kOptrace, "optrace", "optrace reader file", "--config of qnn-profile-viewer", &kOptraceFile},
    {Kind::kThroughput, "throughput", "throughput test file", "--config of qnn-throughput-net-run",
     &kThroughputFile},
    {Kind::kCompile, "compile", "CompileConfig", "qairt.api.compiler.config.CompileConfig in Python",
     &kCompileConfig},
};
static_assert(std::size(kKinds) == kKindCount);

// Depth first, so that a section stands right after the one that holds it.
void place(const SectionDef& section, const std::string& path, std::vector<PlacedSection>& out) {
  out.push_back({&section, path});
  for (const OptionDef& option : section.options) {
    if (!option.is_container()) continue;
    std::string below = path.empty() ? std::string(option.name) : concat(path, ".", option.name);
    if (option.type != Type::kSection) below += "[]";
    place(*option.section, below, out);
  }
}

using Placed = std::array<std::vector<PlacedSection>, kKindCount>;

const Placed& placed_sections() {
  static const Placed placed = [] {
    Placed out;
    for (const KindDef& def : kKinds) place(*def.root, "", out[static_cast<size_t>(def.kind)]);
    return out;
  }();
  return placed;
}

}  // namespace

const KindDef& kind_def(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }

std::span<const KindDef> kinds() { return kKinds; }

const KindDef* find_kind(std::string_view name) {
  for (const KindDef& def : kKinds)
    if (def.name == name) return &def;
  return nullptr;
}

std::span<const PlacedSection> sections_of(Kind kind) { return placed_sections()[static_cast<size_t>(kind)]; }

// ---- Options by name ----

namespace {

// All spellings of all options of all sections in one open hash table: a file of a million graphs asks for
// every one of its keys.
class SpellingIndex {
 public:
  SpellingIndex() : slots_(kSlots) {
    for (const KindDef& def : kKinds)
      for (const PlacedSection& placed : sections_of(def.kind))
        for (const OptionDef& option : placed.section->options)
          for (const std::string_view spelling : option.spellings())
            insert(*placed.section, spelling, option);
  }

  const OptionDef* find(const SectionDef& section, std::string_view key) const {
    for (size_t at = start(section, key);; at = (at + 1) % kSlots) {
      const Slot& slot = slots_[at];
      if (slot.option == nullptr || slot.is(section, key)) return slot.option;
    }
  }

 private:
  // Several times the number of spellings, which the tests check.
  static constexpr size_t kSlots = 1024;

  struct Slot {
    const SectionDef* section = nullptr;
    std::string_view spelling;
    const OptionDef* option = nullptr;
    bool is(const SectionDef& other, std::string_view key) const {
      return section == &other && spelling == key;
    }
  };

  static size_t start(const SectionDef& section, std::string_view key) {
    uint64_t hash = 0xcbf29ce484222325u ^ reinterpret_cast<uintptr_t>(&section);  // FNV-1a
    for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return (hash ^ hash >> 32) % kSlots;
  }

  void insert(const SectionDef& section, std::string_view spelling, const OptionDef& option) {
    size_t at = start(section, spelling);
    while (slots_[at].option != nullptr && !slots_[at].is(section, spelling)) at = (at + 1) % kSlots;
    slots_[at] = {&section, spelling, &option};
  }

  std::vector<Slot> slots_;
};

}  // namespace

const OptionDef* find_option(const SectionDef& section, std::string_view key) {
  static const SpellingIndex index;
  return index.find(section, key);
}

}  // namespace openqnn::config
