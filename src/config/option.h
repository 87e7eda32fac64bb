// SPDX-License-Identifier: BSD-3-Clause
// The option tables: every key of every file kind, declared once. Reader, checks, JSON Schema, `explain`, the
// reference page and the Python classes all iterate over them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openqnn::config {

// ---- Who reads an option, and when ----

enum class Tool : uint8_t { kNetRun, kContextBinaryGenerator, kThroughputNetRun, kProfileViewer };
inline constexpr size_t kToolCount = 4;
std::string_view tool_name(Tool tool);  // "qnn-net-run"

enum class Stage : uint8_t {
  kOffline,  // preparing on the host, into a context binary
  kOnline,   // preparing in the process that executes
  kLoad,     // creating a context from a finished binary
  kExecute,  // running, power votes included
  kReport,   // after the run
};
inline constexpr size_t kStageCount = 5;
std::string_view stage_name(Stage stage);  // "offline prepare"

// A set of small enumerators.
template <class E>
struct Set {
  uint32_t bits = 0;
  constexpr bool has(E e) const { return (bits >> static_cast<unsigned>(e) & 1u) != 0; }
  constexpr bool empty() const { return bits == 0; }
};
template <class... E>
constexpr auto set_of(E... e) {
  return Set<std::common_type_t<E...>>{((1u << static_cast<unsigned>(e)) | ...)};
}

struct Sdk {
  uint16_t major = 0;  // 0.0 is "no version"
  uint16_t minor = 0;
  constexpr auto operator<=>(const Sdk&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
  constexpr bool known() const { return major != 0; }
  std::string to_string() const;  // "2.39"
};
// The documents the tables were made from describe this version; names that came later say so.
inline constexpr Sdk kDocumentedSdk{2, 39};
inline constexpr Sdk kAfterDocumented{2, 40};  // "newer than 2.39", the exact version being unknown

// ---- One option ----

enum class Type : uint8_t {
  kBool,
  kInteger,
  kNumber,
  kString,
  kPath,       // a string that names a file
  kStrings,    // a list of strings
  kIntegers,   // a list of integers
  kAnyObject,  // a JSON object of the client's own making
  kSection,    // an object with a table of its own
  kSections,   // a list of them
  kOneOrMore,  // either
};

struct Choice {
  std::string_view value;  // of a string option, or the digits of an integer
  std::string_view help;
  Sdk since = {};
};

// What one document says where documents disagree.
struct Reading {
  std::string_view who;   // "HTP backend page", "Python class", "C API", "newer HTP page"
  std::string_view says;  // "default 4"
};

struct SectionDef;
inline constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

struct OptionDef {
  std::string_view name;           // the key in files: "vtcm_mb"
  std::string_view python = {};    // the Python field where it is called otherwise: "vtcm_size_in_mb"
  std::string_view misspelt = {};  // a spelling that documents use by mistake; read, with a warning
  Type type = Type::kInteger;
  const SectionDef* section = nullptr;  // of kSection, kSections, kOneOrMore

  int64_t min = std::numeric_limits<int64_t>::min();  // of numbers
  int64_t max = kNoLimit;
  int64_t python_max = kNoLimit;  // of the Python field where it is stricter
  bool whole = false;             // a kNumber without fraction ("multipleOf 1")
  bool on_from_one = false;  // a kNumber that is a switch: 0 is off, 1 and more is on, between is neither
  bool one_or_many = false;  // a kStrings also read from a single string; a kAnyObject also as a list of them
  bool also_bool = false;    // a number that is also written true/false
  std::span<const Choice> choices = {};
  std::string_view unit = {};  // "MB", "bytes", "µs"

  std::string_view default_json = {};         // in files; empty: not set
  std::string_view default_words = {};        // when no JSON value says it: "the part's maximum"
  std::string_view python_default_json = {};  // of the Python field where it differs; "null" is None
  bool python_optional = false;               // the Python field takes None
  bool required = false;
  bool python_required = false;  // the Python field has no default
  bool in_python = true;         // the Python class has the field (files may have it all the same)

  Set<Tool> tools = {};     // that read it; empty: whoever reads the file
  Set<Stage> stages = {};   // at which it acts; empty: any
  uint32_t min_arch = 0;    // 81 for v81
  uint32_t until_arch = 0;  // 68: not from v68 on
  Sdk since = {};
  Sdk deprecated_since = {};
  std::string_view deprecated_for = {};  // what to use instead
  bool unconfirmed = false;              // seen in the wild, in no document
  std::string_view without_effect = {};  // why the modelled device does the same with it; empty: it acts

  std::string_view lowers_to = {};       // the C API option
  std::string_view summary;              // one sentence
  std::string_view help = {};            // one paragraph
  std::array<Reading, 3> readings = {};  // where documents disagree
  std::string_view applies = {};         // which reading applies, and where

  std::string_view python_name() const { return python.empty() ? name : python; }
  std::vector<std::string_view> spellings() const;  // under which files have it, the right one first
  bool is_deprecated() const { return deprecated_since.known() || !deprecated_for.empty(); }
  bool is_newer() const { return since > kDocumentedSdk; }
  bool is_container() const { return type >= Type::kSection; }
};

// "integer, 0 to 9999 µs", "true or false", "one of signed, unsigned".
std::string type_text(const OptionDef& option);

// ---- Sections and kinds of files ----

struct SectionDef {
  std::string_view name;               // "graphs"; "" for the top of a file
  std::string_view python_class = {};  // "HtpGraphConfig"
  std::string_view summary;
  std::span<const OptionDef> options;
};

// The option that `key` names in a section, by any of its spellings; nullptr when it names none.
const OptionDef* find_option(const SectionDef& section, std::string_view key);
// 1 + its place in the section's table: the tag that the reader leaves on a JSON member (0: no option).
inline uint16_t tag_of(const SectionDef& section, const OptionDef* option) {
  return option == nullptr ? 0 : static_cast<uint16_t>(option - section.options.data() + 1);
}
inline const OptionDef* option_of_tag(const SectionDef& section, uint16_t tag) {
  return tag == 0 || tag > section.options.size() ? nullptr : &section.options[tag - 1u];
}

enum class Kind : uint8_t { kHtp, kTool, kLpai, kDataFormat, kOptrace, kThroughput, kCompile };
inline constexpr size_t kKindCount = 7;

struct KindDef {
  Kind kind;
  std::string_view name;   // as `check` and `schema` spell it: "htp", "tool", …
  std::string_view title;  // "HTP backend file"
  std::string_view
      goes_to;  // where such a file belongs: "backend_extensions.config_file_path of the tool file"
  const SectionDef* root;
};
const KindDef& kind_def(Kind kind);
std::span<const KindDef> kinds();  // kCompile last: it is no file but the fields of Python's CompileConfig
const KindDef* find_kind(std::string_view name);

// Every section below `root`, itself first, parents before children.
struct PlacedSection {
  const SectionDef* section;
  std::string path;  // "devices[].cores[]"; "" for the root
};
std::span<const PlacedSection> sections_of(Kind kind);

// The sections of HTP files, by name for those who need them.
extern const SectionDef kHtpFile, kGraphSection, kDeviceSection, kCoreSection, kContextSection,
    kMemorySection, kGroupContextSection;
extern const SectionDef kToolFile, kLpaiFile, kDataFormatFile, kOptraceFile, kThroughputFile, kCompileConfig;

}  // namespace openqnn::config
