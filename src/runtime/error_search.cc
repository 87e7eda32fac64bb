// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/error_search.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/text.h"

namespace openqnn::runtime {
namespace {

constexpr size_t kSuggestions = 3;
constexpr size_t kShortestPiece = 3;    // of a name
constexpr size_t kLongestName = 64;     // beyond it nothing is near
constexpr uint64_t kCodeMask = 0xFFFF;  // the code within an error handle (QNN_GET_ERROR_CODE)
constexpr uint32_t kLowestCode = 1000;  // smaller numbers in a log line mean something else
// Where FastRPC's codes from the DSP stand (AEE_EOFFSET of its public header, and the room it leaves).
constexpr uint64_t kTransportFirst = 0x80000400, kTransportLast = 0x800007FF;

std::string hex(uint64_t value) { return concat("0x", std::hex, value); }

std::optional<uint64_t> parse(std::string_view text, int base) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "5005", "0x138d", "-2147482618" (a 32-bit code printed as a signed number)
std::optional<uint64_t> parse_number(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return parse(text.substr(2), 16);
  if (!text.starts_with("-")) return parse(text, 10);
  const auto magnitude = parse(text.substr(1), 10);
  if (!magnitude) return std::nullopt;
  const uint64_t value = ~*magnitude + 1;
  return *magnitude <= UINT32_MAX ? value & UINT32_MAX : value;
}

bool is_word_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Upper case, what is no letter or digit as '_': how the names are written.
std::string name_form(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_word_character(c)) {
      if (!out.empty() && out.back() != '_') out += '_';
      continue;
    }
    out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (is_word_character(c))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

class Search {
 public:
  explicit Search(const ErrorCatalogue& catalogue) : catalogue_(catalogue) {}

  // Adds what a number stands for; answers whether anything.
  bool add_code(uint64_t value) {
    if (value <= UINT32_MAX) {
      if (const TransportCode* code = catalogue_.find_transport(static_cast<uint32_t>(value))) {
        if (std::ranges::count(found.transport, code) == 0) found.transport.push_back(code);
        return true;
      }
    }
    const auto code = static_cast<uint32_t>(value & kCodeMask);
    const ErrorEntry* const primary = catalogue_.primary(code);
    if (primary == nullptr || (value >= kTransportFirst && value <= kTransportLast)) return false;
    if (std::ranges::count(found.entries, primary) != 0) return true;
    found.entries.push_back(primary);
    for (const ErrorEntry& entry : catalogue_.entries) {
      if (entry.code == code && !entry.primary) found.entries.push_back(&entry);
    }
    if (value > kCodeMask) {
      found.note = concat("the low 16 bits of an error handle are the code: ", hex(value), " carries ",
                          hex(code), " (", code, ")");
    }
    return true;
  }

  void add_names(std::string_view query) {
    const std::string wanted = name_form(query);
    const auto add_where = [&](const auto& fits) {
      for (const ErrorEntry& entry : catalogue_.entries) {
        if (fits(entry.name)) found.entries.push_back(&entry);
      }
      for (const TransportCode& code : catalogue_.transport) {
        if (fits(name_form(code.name))) found.transport.push_back(&code);
      }
    };
    add_where([&](std::string_view name) { return name == wanted || name == "QNN_" + wanted; });
    if (!found.empty() || wanted.size() < kShortestPiece) return;
    add_where([&](std::string_view name) { return name.find(wanted) != std::string_view::npos; });
  }

  // Codes within a line of a log.
  void add_log_line(std::string_view query) {
    const std::vector<std::string> words = words_of(query);
    if (words.size() < 2) return;
    for (const std::string& word : words) {
      const auto value = parse_number(word);
      if (value && (*value >= kLowestCode || word.starts_with("0x"))) add_code(*value);
    }
  }

  // Entries that have all words of the query, wherever.
  void add_by_words(std::string_view query) {
    const std::vector<std::string> words = words_of(name_form(query));
    if (words.empty()) return;
    const auto has_all = [&](const auto& entry) {
      std::string text = concat(entry.name, " ", entry.meaning, " ", entry.remedy);
      for (const ErrorCause& cause : entry.causes) text += concat(" ", cause.cause, " ", cause.remedy);
      text = name_form(text);
      return std::ranges::all_of(words,
                                 [&](const std::string& word) { return text.find(word) != text.npos; });
    };
    for (const ErrorEntry& entry : catalogue_.entries) {
      if (has_all(entry)) found.entries.push_back(&entry);
    }
    for (const TransportCode& code : catalogue_.transport) {
      if (has_all(code)) found.transport.push_back(&code);
    }
  }

  ErrorMatches found;

 private:
  const ErrorCatalogue& catalogue_;
};

// The nearest few, by a distance each; texts of equal ones keep their order.
std::string nearest(std::vector<std::pair<size_t, std::string>> ranked) {
  std::ranges::stable_sort(ranked, {}, &std::pair<size_t, std::string>::first);
  std::string text;
  for (size_t i = 0; i < std::min(kSuggestions, ranked.size()); ++i) append_item(text, ranked[i].second);
  return text;
}

std::string nearest_codes(const ErrorCatalogue& catalogue, uint32_t code) {
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const ErrorEntry& entry : catalogue.entries)
    if (entry.primary)
      ranked.emplace_back(std::max(entry.code, code) - std::min(entry.code, code),
                          concat(entry.code, " (", entry.name, ")"));
  return nearest(std::move(ranked));
}

Diagnostic unknown_number(const ErrorCatalogue& catalogue, uint64_t value) {
  if (value == 0) {
    return invalid("error-unknown", "0 is QNN_SUCCESS: nothing went wrong")
        .fix_by("look for the first call that returned another value");
  }
  if (value >= kTransportFirst && value <= kTransportLast) {
    return invalid("error-unknown", concat(hex(value),
                                           " is a code of the link to the DSP (FastRPC), not of QNN, "
                                           "and not one whose meaning here is known"))
        .fix_by("look up the QNN code that follows in the log");
  }
  const auto code = static_cast<uint32_t>(value & kCodeMask);
  const ErrorComponent* const component = catalogue.component_of(code);
  const std::string number =
      value == code ? concat(code) : concat(hex(value), " (code ", code, ", its low 16 bits)");
  std::string message = concat("there is no error ", number);
  if (component != nullptr) {
    message += concat("; ", component->first, " to ", catalogue.last_code_of(*component), " belong to ",
                      component->name);
  }
  return invalid("error-unknown", std::move(message))
      .fix_by(concat("the nearest codes are ", nearest_codes(catalogue, code)));
}

Diagnostic unknown_text(const ErrorCatalogue& catalogue, std::string_view query) {
  const std::string wanted = name_form(query.substr(0, kLongestName));
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const ErrorEntry& entry : catalogue.entries) {
    // People leave out what stands before "_ERROR_".
    const size_t middle = entry.name.find("_ERROR_");
    const std::string_view name = entry.name;
    const std::string_view tail = middle == std::string::npos ? name : name.substr(middle + 7);
    ranked.emplace_back(std::min(edit_distance(name, wanted), edit_distance(tail, wanted)), name);
  }
  return invalid("error-unknown", concat("no error has '", query, "' in its name, meaning or causes"))
      .fix_by(concat("did you mean ", nearest(std::move(ranked)), "?"));
}

}  // namespace

Result<ErrorMatches> find_errors(const ErrorCatalogue& catalogue, std::string_view query) {
  Search search(catalogue);
  const auto number = parse_number(query);
  if (number && search.add_code(*number)) return search.found;
  if (const auto bare_hex = parse(query, 16); bare_hex && search.add_code(*bare_hex)) {
    if (search.found.note.empty())
      search.found.note = concat("read as hexadecimal: ", hex(*bare_hex), " is ", *bare_hex);
    return search.found;
  }
  if (number) return unknown_number(catalogue, *number);
  search.add_names(query);
  if (search.found.empty()) search.add_log_line(query);
  if (search.found.empty()) search.add_by_words(query);
  if (search.found.empty()) return unknown_text(catalogue, query);
  return search.found;
}

}  // namespace openqnn::runtime
