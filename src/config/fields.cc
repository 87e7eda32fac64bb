// SPDX-License-Identifier: BSD-3-Clause
// Each field by itself: does the table know the key, and is the value one that the option takes?
#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "base/text.h"
#include "config/check.h"
#include "config/keys.h"
#include "config/rule.h"
#include "config/soc_details.h"

namespace openqnn::config {
namespace {

using json::Member;
using json::quoted;
using json::Span;
using json::Value;

// What a value is, in a message.
std::string_view kind_words(const Value& value) {
  static constexpr std::array<std::string_view, 6> kWords = {"null",     "true or false", "a number",
                                                             "a string", "a list",        "an object"};
  return kWords.at(static_cast<size_t>(value.kind()));
}

// The number that a string holds, when JSON would read it as one.
Value number_in(std::string_view text) { return Value::of_number_text(text); }

// "must be an integer, 1 to 3"
std::string must_be(const Member& member, const OptionDef& option) {
  const std::string type = type_text(option);
  const bool bare = type.starts_with("one of") || type.starts_with("any ") || type.starts_with("true");
  const bool vowel = type.starts_with("integer") || type.starts_with("object");
  return concat("'", member.key, "' must be ", bare ? "" : vowel ? "an " : "a ", type);
}

bool is_choice(const OptionDef& option, std::string_view text) {
  return std::ranges::any_of(option.choices, [&](const Choice& choice) { return choice.value == text; });
}

bool takes_number(const OptionDef& option, const Value& value) {
  const auto real = value.as_double();
  const auto whole = value.as_int64();
  if (!real || ((option.type == Type::kInteger || option.whole) && !whole)) return false;
  if (*real < static_cast<double>(option.min)) return false;
  if (option.max != kNoLimit && *real > static_cast<double>(option.max)) return false;
  return option.choices.empty() || (whole && is_choice(option, std::to_string(*whole)));
}

// What a word means where true or false belongs; empty when it means neither.
std::string_view switch_meant(std::string_view word) {
  constexpr std::array<std::string_view, 5> kOn = {"true", "yes", "on", "enable", "enabled"};
  constexpr std::array<std::string_view, 5> kOff = {"false", "no", "off", "disable", "disabled"};
  const std::string small = lower(word);
  if (std::ranges::find(kOn, small) != kOn.end()) return "true";
  return std::ranges::find(kOff, small) != kOff.end() ? "false" : "";
}

// The part whose name stands where its number belongs; null when it is no part's name, or has no number.
std::shared_ptr<const soc::SocInfo> part_meant(const OptionDef& option, const Value& value) {
  if (option.name != "soc_model" && option.name != "soc_id") return nullptr;
  const auto soc = SocDetails{.chipset = std::string(value.as_string())}.resolve();
  return soc && soc->soc_model ? soc : nullptr;
}

std::string digits_of(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c >= '0' && c <= '9'; });
  return digits;
}

class FieldCheck {
 public:
  FieldCheck(const Config& config, const Circumstances& circumstances, std::vector<Finding>& out)
      : config_(config), circumstances_(circumstances), out_(out) {}

  void run() {
    if (config_.flat) {
      flat_file();
    } else {
      record(config_.root());
    }
  }

 private:
  Finding& add(std::string_view code, Severity severity, const Record& at, const Member& member, Span span,
               std::string message, std::string advice = {}) {
    return out_.emplace_back(Finding{.code = code,
                                     .severity = severity,
                                     .message = std::move(message),
                                     .advice = std::move(advice),
                                     .kind = config_.kind,
                                     .path = at.path().to_string(member.key),
                                     .span = span});
  }

  // Of what is not strictly legal, and read all the same.
  Severity by_strictness() const { return circumstances_.strict ? Severity::kError : Severity::kWarning; }

  void record(const Record& at) {
    uint64_t seen = 0;  // one bit an option; no section has more than 64
    std::vector<const Member*> unknown;
    for (const Member& member : at.object().as_object()) {
      const OptionDef* option = option_of_tag(at.section(), member.tag);
      if (option == nullptr) {
        if (!is_comment_key(member.key)) unknown.push_back(&member);
        continue;
      }
      const uint64_t bit = uint64_t{1} << (member.tag & 63u);
      if ((seen & bit) != 0) repeated(at, member, *option);
      field(at, member, *option, (seen & bit) != 0);
      seen |= bit;
    }
    if (!unknown.empty()) unknown_keys(at, unknown, seen);
    for (const OptionDef& option : at.section().options) {
      if (option.required && !has(seen, at.section(), &option)) missing(at, option);
    }
  }

  static bool has(uint64_t seen, const SectionDef& section, const OptionDef* option) {
    return (seen >> (tag_of(section, option) & 63u) & 1u) != 0;
  }

  void field(const Record& at, const Member& member, const OptionDef& option, bool is_again) {
    if (member.key == option.misspelt) misspelt(at, member, option, is_again);
    if (option.is_newer()) newer(at, member, option);
    if (option.unconfirmed) unconfirmed(at, member, option);
    if (option.is_container()) {
      container(at, member, option);
    } else {
      value(at, member, option);
    }
  }

  void flat_file() {
    const Record root = config_.root();
    Report("legacy-flat-file", by_strictness(), out_)
        .at(config_.kind, "the options stand at the top of the file, without the sections graphs and devices",
            "move each key into its section; current tools ignore keys they find here")
        .span = {config_.tree.span().begin, config_.tree.span().begin + 1};
    for (const Member& member : config_.tree.as_object()) {
      const FlatOption flat = flat_option(member.key);
      if (flat.option == nullptr) {
        if (!is_comment_key(member.key))
          unknown_key(root, member, advise_on_key(config_, root.section(), member.key), false);
      } else {
        value(root, member, *flat.option);
      }
    }
  }

  // ---- Keys ----

  // Renaming is safe only when nothing else in the record means the same option.
  void unknown_keys(const Record& at, const std::vector<const Member*>& unknown, uint64_t seen) {
    std::vector<KeyAdvice> advices;
    std::map<const OptionDef*, int> claims;
    for (const Member* member : unknown) {
      advices.push_back(advise_on_key(config_, at.section(), member->key));
      if (!advices.back().rename_to.empty()) ++claims[find_option(at.section(), advices.back().rename_to)];
    }
    for (size_t i = 0; i < unknown.size(); ++i) {
      const OptionDef* meant = find_option(at.section(), advices[i].rename_to);
      const bool is_safe = meant != nullptr && claims[meant] == 1 && !has(seen, at.section(), meant);
      unknown_key(at, *unknown[i], advices[i], is_safe);
    }
  }

  void unknown_key(const Record& at, const Member& member, const KeyAdvice& advice, bool may_rename) {
    if (looks_like_placeholder(member.key)) {
      placeholder(at, member, member.key_span, member.key);
      return;
    }
    Finding& finding =
        add(advice.code, Severity::kWarning, at, member, member.key_span, advice.message, advice.advice);
    if (may_rename && !member.key_span.empty()) {
      finding.fix = Fix{concat("rename to ", advice.rename_to),
                        {{Change::Kind::kReplace, member.key_span, json::quoted(advice.rename_to)}}};
    }
  }

  void repeated(const Record& at, const Member& member, const OptionDef& option) {
    add("repeated-option", Severity::kWarning, at, member, member.key_span,
        concat("'", option.name, "' is given twice, in two spellings; the later one counts"),
        "keep one of them");
  }

  void misspelt(const Record& at, const Member& member, const OptionDef& option, bool is_again) {
    Finding& finding =
        add("misspelt-in-documents", Severity::kWarning, at, member, member.key_span,
            concat("'", member.key, "' is a slip of the documents; the tools read '", option.name, "'"),
            concat("write ", option.name));
    if (is_again || at.find(option.name) != &member) return;  // the right spelling is there, too
    finding.fix = Fix{concat("rename to ", option.name),
                      {{Change::Kind::kReplace, member.key_span, quoted(option.name)}}};
  }

  void missing(const Record& at, const OptionDef& option) {
    Report("missing-key", Severity::kError, out_)
        .at(at, option.name, concat("'", option.name, "' is missing; it is required here"),
            std::string(option.summary));
  }

  void newer(const Record& at, const Member& member, const OptionDef& option) {
    if (!circumstances_.sdk || *circumstances_.sdk >= option.since) return;
    add("newer-name", Severity::kWarning, at, member, member.key_span,
        concat("'", member.key, "' is newer than SDK ", circumstances_.sdk->to_string(),
               ", which ignores it"),
        concat("it came after ", kDocumentedSdk.to_string()));
  }

  void unconfirmed(const Record& at, const Member& member, const OptionDef& option) {
    if (!circumstances_.strict) return;
    add("unconfirmed-name", Severity::kNote, at, member, member.key_span,
        concat("'", option.name, "' is in public files but in no document"),
        "make sure that your SDK reads it");
  }

  // ---- Containers ----

  void container(const Record& at, const Member& member, const OptionDef& option) {
    const Value& value = member.value;
    const bool is_list = value.kind() == Value::Kind::kArray;
    const bool is_object = value.kind() == Value::Kind::kObject;
    if (!is_list && !is_object) {
      add("wrong-type", Severity::kError, at, member, value.span(),
          concat(must_be(member, option), ", not ", kind_words(value)));
      return;
    }
    if (is_object && option.type == Type::kSections) wrong_shape(at, member, "a list, [{…}]");
    if (is_list && option.type == Type::kSection) wrong_shape(at, member, "an object, {…}");
    for (const Value& item : value.as_array()) {
      if (item.kind() != Value::Kind::kObject)
        add("wrong-type", Severity::kError, at, member, item.span(),
            concat("each entry of '", member.key, "' must be an object, not ", kind_words(item)));
    }
    for (const Record& child : at.records(option.name)) record(child);
  }

  void wrong_shape(const Record& at, const Member& member, std::string_view expected) {
    Finding& finding = add("wrong-shape", by_strictness(), at, member, member.value.span(),
                           concat("'", member.key, "' is documented as ", expected));
    const Span span = member.value.span();
    if (span.empty() || member.value.kind() == Value::Kind::kArray) return;
    finding.fix = Fix{"put brackets around it",
                      {{Change::Kind::kReplace, {span.begin, span.begin}, "["},
                       {Change::Kind::kReplace, {span.end, span.end}, "]"}}};
  }

  // ---- Values ----

  void value(const Record& at, const Member& member, const OptionDef& option) {
    const Value& value = member.value;
    if (value.is_null() && option.python_optional) return;
    if (value.kind() == Value::Kind::kString && looks_like_placeholder(value.as_string())) {
      placeholder(at, member, value.span(), value.as_string());
      return;
    }
    if (is_pasted_type(value) && option.type != Type::kAnyObject) {
      add("pasted-schema", Severity::kError, at, member, value.span(),
          concat("'", member.key, "' holds a piece of a JSON Schema instead of a value"),
          concat("write ", type_text(option)));
      return;
    }
    switch (option.type) {
      case Type::kBool:
        return boolean(at, member, option);
      case Type::kInteger:
      case Type::kNumber:
        return number(at, member, option);
      case Type::kString:
      case Type::kPath:
        return text(at, member, option);
      case Type::kStrings:
      case Type::kIntegers:
        return list(at, member, option);
      case Type::kAnyObject:
        return any_object(at, member, option);
      case Type::kSection:
      case Type::kSections:
      case Type::kOneOrMore:
        return;  // containers are not fields
    }
  }

  Finding& wrong_type(const Record& at, const Member& member, const OptionDef& option) {
    return add("wrong-type", Severity::kError, at, member, member.value.span(),
               concat(must_be(member, option), ", not ", kind_words(member.value)));
  }

  static void write_instead(Finding& finding, const Value& value, std::string_view meant,
                            std::string_view what = {}) {
    finding.advice = concat("write ", meant, what);
    if (value.span().empty()) return;
    finding.fix = Fix{finding.advice, {{Change::Kind::kReplace, value.span(), std::string(meant)}}};
  }

  void placeholder(const Record& at, const Member& member, Span span, std::string_view text) {
    add("placeholder", Severity::kError, at, member, span,
        concat("'", text, "' looks like a placeholder that was not filled in"), "put the real value here");
  }

  void any_object(const Record& at, const Member& member, const OptionDef& option) {
    const bool is_list = option.one_or_many && member.value.kind() == Value::Kind::kArray;
    if (!is_list && member.value.kind() != Value::Kind::kObject) wrong_type(at, member, option);
  }

  // Switches are also written 0 and 1; the tools read them so.
  void boolean(const Record& at, const Member& member, const OptionDef& option) {
    const Value& value = member.value;
    if (value.kind() == Value::Kind::kBool) return;
    const auto number = value.as_int64();
    const bool as_number = number && (*number == 0 || *number == 1);
    const bool as_text = value.as_string() == "true" || value.as_string() == "false";
    if (!as_number && !as_text) {
      Finding& finding = wrong_type(at, member, option);
      if (const std::string_view meant = switch_meant(value.as_string()); !meant.empty())
        write_instead(finding, value, meant);
      return;
    }
    const std::string meant = as_number ? (*number == 1 ? "true" : "false") : std::string(value.as_string());
    Finding& finding =
        add("wrong-type", by_strictness(), at, member, value.span(),
            concat("'", member.key, "' is true or false; ", kind_words(value), " is not strictly legal"),
            concat("write ", meant));
    finding.fix = Fix{finding.advice, {{Change::Kind::kReplace, value.span(), meant}}};
  }

  void number(const Record& at, const Member& member, const OptionDef& option) {
    const Value& value = member.value;
    if (value.kind() == Value::Kind::kBool && option.also_bool) return;
    if (value.kind() == Value::Kind::kString && !number_in(value.as_string()).is_null()) {
      number_as_string(at, member, option);
      return;
    }
    if (value.kind() != Value::Kind::kNumber) {
      Finding& finding = wrong_type(at, member, option);
      if (const auto soc = part_meant(option, value))
        write_instead(finding, value, std::to_string(*soc->soc_model),
                      concat(", the number of ", soc->chipset));
      return;
    }
    const auto real = value.as_double();
    if (!real) {
      add("huge-number", Severity::kError, at, member, value.span(),
          concat("'", member.key, "' is beyond the range of any number here"));
      return;
    }
    const bool needs_whole = option.type == Type::kInteger || option.whole;
    const auto whole = value.as_int64();
    if (needs_whole && !whole) {
      fraction_or_huge(at, member, option, *real);
      return;
    }
    range(at, member, option, *real);
    if (whole) number_choice(at, member, option, *whole);
  }

  void number_choice(const Record& at, const Member& member, const OptionDef& option, int64_t number) {
    const std::string text = std::to_string(number);
    if (option.choices.empty() || is_choice(option, text)) return;
    add("unknown-choice", Severity::kError, at, member, member.value.span(),
        concat("'", member.key, "' does not know ", text, "; it is ", type_text(option)));
  }

  void fraction_or_huge(const Record& at, const Member& member, const OptionDef& option, double real) {
    constexpr double kBeyond = 9.2e18;  // just below 2^63
    if (real >= kBeyond || real <= -kBeyond) {
      add("huge-number", Severity::kError, at, member, member.value.span(),
          concat("'", member.key, "' does not fit into 64 bits"));
      return;
    }
    add("wrong-type", Severity::kError, at, member, member.value.span(),
        concat(must_be(member, option), ", without a fraction"));
  }

  void range(const Record& at, const Member& member, const OptionDef& option, double real) {
    const bool low = real < static_cast<double>(option.min);
    const bool high = option.max != kNoLimit && real > static_cast<double>(option.max);
    if (low || high) {
      add("out-of-range", Severity::kError, at, member, member.value.span(),
          concat("'", member.key, "' is ", member.value.number_text(), "; it must be ", type_text(option)));
    }
  }

  void number_as_string(const Record& at, const Member& member, const OptionDef& option) {
    const std::string text(member.value.as_string());
    if (!takes_number(option, number_in(text))) {
      add("out-of-range", Severity::kError, at, member, member.value.span(),
          concat("'", member.key, "' is \"", text, "\", a string; it must be ", type_text(option)));
      return;
    }
    Finding& finding = add("number-as-string", by_strictness(), at, member, member.value.span(),
                           concat("'", member.key, "' is a number written as a string"),
                           concat("write ", text, " without quotes"));
    finding.fix = Fix{finding.advice, {{Change::Kind::kReplace, member.value.span(), text}}};
  }

  void text(const Record& at, const Member& member, const OptionDef& option) {
    const Value& value = member.value;
    if (value.kind() != Value::Kind::kString) {
      Finding& finding = wrong_type(at, member, option);
      const std::string with_v = concat("v", value.number_text());
      if (is_choice(option, with_v)) finding.advice = concat("write ", quoted(with_v));
      return;
    }
    choice(at, member, option, value);
  }

  void choice(const Record& at, const Member& member, const OptionDef& option, const Value& value) {
    if (option.choices.empty()) return;
    const std::string_view text = value.as_string();
    for (const Choice& choice : option.choices) {
      if (choice.value != text) continue;
      newer_choice(at, member, choice);
      return;
    }
    const std::string with_v = concat("v", text);  // an architecture without its letter
    const std::string_view meant =
        is_choice(option, with_v) ? std::string_view(with_v) : nearest_choice(option, text);
    Finding& finding =
        add("unknown-choice", Severity::kError, at, member, value.span(),
            concat("'", member.key, "' does not know '", text, "'; it is ", type_text(option)));
    if (meant.empty()) return;
    finding.advice = concat("did you mean '", meant, "'?");
    if (digits_of(meant) != digits_of(text)) return;  // another version is another thing, not a slip
    finding.fix =
        Fix{concat("write ", quoted(meant)), {{Change::Kind::kReplace, value.span(), quoted(meant)}}};
  }

  void newer_choice(const Record& at, const Member& member, const Choice& choice) {
    if (!choice.since.known() || !circumstances_.sdk || *circumstances_.sdk >= choice.since) return;
    add("newer-name", Severity::kWarning, at, member, member.value.span(),
        concat("'", choice.value, "' is newer than SDK ", circumstances_.sdk->to_string(),
               ", which does not know it"),
        concat("it came with ", choice.since.to_string()));
  }

  void list(const Record& at, const Member& member, const OptionDef& option) {
    const Value& value = member.value;
    const bool of_texts = option.type == Type::kStrings;
    const Value::Kind item_kind = of_texts ? Value::Kind::kString : Value::Kind::kNumber;
    if (value.kind() == item_kind) {
      if (!option.one_or_many) wrong_shape(at, member, of_texts ? "a list, [\"…\"]" : "a list, [0]");
      return;
    }
    if (value.kind() != Value::Kind::kArray) {
      wrong_type(at, member, option);
      return;
    }
    for (const Value& item : value.as_array()) {
      if (item.kind() != item_kind || (!of_texts && !item.as_int64())) {
        add("wrong-type", Severity::kError, at, member, item.span(),
            concat("each entry of '", member.key, "' must be ", of_texts ? "a string" : "an integer",
                   ", not ", kind_words(item)));
      } else if (of_texts && looks_like_placeholder(item.as_string())) {
        placeholder(at, member, item.span(), item.as_string());
      } else if (of_texts) {
        choice(at, member, option, item);
      }
    }
  }

  const Config& config_;
  const Circumstances& circumstances_;
  std::vector<Finding>& out_;
};

}  // namespace

std::vector<Finding> check_fields(const Config& config, const Circumstances& circumstances) {
  std::vector<Finding> findings;
  FieldCheck(config, circumstances, findings).run();
  return findings;
}

}  // namespace openqnn::config
