// SPDX-License-Identifier: BSD-3-Clause
#include "soc/nearest.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace openqnn::soc {
namespace {

// Beyond it nothing is near, and the work would be the client's to choose.
constexpr size_t kLongestName = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string squeezed(std::string_view text) {
  std::string out;
  for (const char raw : text) {
    if (const char c = lower(raw); is_digit(c) || is_lower(c)) out += c;
  }
  return out;
}

std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char raw : name) {
    const char c = lower(raw);
    if (is_digit(c) || is_lower(c)) {
      words.back() += c;
      continue;
    }
    if (c == '+') words.emplace_back("plus");
    words.emplace_back();
  }
  std::erase_if(words, [](const std::string& word) {
    return word.empty() || word == "qualcomm" || word == "snapdragon" || word == "dragonwing";
  });
  return words;
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += word;
  return joined;
}

std::optional<uint32_t> arch_number(std::string_view text) {
  if (text.empty() || lower(text.front()) != 'v') return std::nullopt;
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + 1, end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

std::string describe(const SocInfo& soc) {
  return soc.marketing_name.empty() ? soc.chipset : concat(soc.chipset, " (", soc.marketing_name, ")");
}

std::set<uint32_t> archs_of(const std::vector<SocInfo>& socs, uint32_t least) {
  std::set<uint32_t> archs;
  for (const SocInfo& soc : socs)
    if (soc.arch && *soc.arch >= least) archs.insert(*soc.arch);
  return archs;
}

std::vector<std::string> nearest_names(std::vector<std::string> names, std::string_view name, size_t count) {
  const std::string wanted = upper(name.substr(0, kLongestName));
  std::vector<std::pair<size_t, std::string>> ranked;
  for (std::string& known : names) ranked.emplace_back(edit_distance(upper(known), wanted), std::move(known));
  std::ranges::sort(ranked);
  std::vector<std::string> nearest;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i) nearest.push_back(std::move(ranked[i].second));
  return nearest;
}

std::vector<std::string> nearest_chipsets(const std::vector<SocInfo>& socs, std::string_view name,
                                          size_t count) {
  std::vector<std::string> names;
  for (const SocInfo& soc : socs) names.push_back(soc.chipset);
  return nearest_names(std::move(names), name, count);
}

std::vector<const SocInfo*> nearest_parts(const std::vector<SocInfo>& socs, std::string_view name,
                                          size_t count) {
  const std::string as_chipset = squeezed(name.substr(0, kLongestName));
  const std::string as_name = joined_words(name_words(name.substr(0, kLongestName)));
  std::vector<std::pair<size_t, const SocInfo*>> ranked;
  for (const SocInfo& soc : socs) {
    size_t distance = edit_distance(squeezed(soc.chipset), as_chipset);
    if (!soc.marketing_name.empty())
      distance = std::min(distance, edit_distance(joined_words(name_words(soc.marketing_name)), as_name));
    ranked.emplace_back(distance, &soc);
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const SocInfo*> nearest;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i) nearest.push_back(ranked[i].second);
  return nearest;
}

std::vector<uint32_t> nearest_models(const std::vector<SocInfo>& socs, uint32_t model, size_t count) {
  std::vector<std::pair<uint32_t, uint32_t>> ranked;
  for (const SocInfo& soc : socs) {
    if (soc.soc_model)
      ranked.emplace_back(std::max(*soc.soc_model, model) - std::min(*soc.soc_model, model), *soc.soc_model);
  }
  std::ranges::sort(ranked);
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  std::vector<uint32_t> nearest;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i) nearest.push_back(ranked[i].second);
  return nearest;
}

}  // namespace openqnn::soc
