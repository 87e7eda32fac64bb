// SPDX-License-Identifier: BSD-3-Clause
// Names as people write them and as messages do, and "did you mean …": what somebody who mistyped one may
// have meant.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "soc/target.h"

namespace openqnn::soc {

// ASCII upper case; chipset names are compared in it.
std::string upper(std::string_view text);

// Lower case, letters and digits alone: "SM8750-AC" and "sm8750ac" become the same.
std::string squeezed(std::string_view text);

// The words of a marketing name in lower case, without the brands that all names share; '+' is the word
// "plus".
// "Snapdragon 8+ Gen 1" -> {"8", "plus", "gen", "1"}.
std::vector<std::string> name_words(std::string_view name);
std::string joined_words(const std::vector<std::string>& words);  // without spaces

// "v79" or "V79" -> 79.
std::optional<uint32_t> arch_number(std::string_view text);

std::string describe(const SocInfo& soc);  // "SM8650 (Snapdragon 8 Gen 3)"

inline constexpr size_t kSuggestions = 4;  // parts that a message offers

// "a, b" for messages.
template <class Items>
std::string join(const Items& items) {
  std::string text;
  for (const auto& item : items) append_item(text, item);
  return text;
}

// The architectures that parts have, from `least` on.
std::set<uint32_t> archs_of(const std::vector<SocInfo>& socs, uint32_t least);

// What all of these parts say; nothing where they disagree or none says anything.
template <class T>
std::optional<T> agreed(const std::vector<const SocInfo*>& parts, std::optional<T> SocInfo::*field) {
  std::optional<T> answer;
  for (const SocInfo* part : parts) {
    if (!(part->*field)) continue;
    if (answer && *answer != *(part->*field)) return std::nullopt;
    answer = part->*field;
  }
  return answer;
}

// The names closest to `name` by edit distance whatever their case, at most `count`, closest first.
std::vector<std::string> nearest_names(std::vector<std::string> names, std::string_view name, size_t count);
std::vector<std::string> nearest_chipsets(const std::vector<SocInfo>& socs, std::string_view name,
                                          size_t count);

// The parts whose chipset or marketing name is closest, closest first; pointers into `socs`.
std::vector<const SocInfo*> nearest_parts(const std::vector<SocInfo>& socs, std::string_view name,
                                          size_t count);

// The SoC models closest to `model` by value, each once.
std::vector<uint32_t> nearest_models(const std::vector<SocInfo>& socs, uint32_t model, size_t count);

}  // namespace openqnn::soc
