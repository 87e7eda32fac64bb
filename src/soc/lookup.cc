// SPDX-License-Identifier: BSD-3-Clause
#include "soc/lookup.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "base/text.h"
#include "soc/nearest.h"

namespace openqnn::soc {
namespace {

// Shorter pieces of a chipset would fit half of the table.
constexpr size_t kShortestPiece = 3;

using Socs = std::vector<SocInfo>;

template <class Fits>
Socs select(const Socs& socs, const Fits& fits) {
  Socs chosen;
  std::ranges::copy_if(socs, std::back_inserter(chosen), fits);
  return chosen;
}

std::optional<uint32_t> as_number(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Whether the words of `piece` stand together in the words of `name`, wherever the spaces are: "gen3" is in
// "8 gen 3", "8" is not in "888".
bool has_words(const std::vector<std::string>& name, std::string_view piece) {
  for (size_t first = 0; first < name.size(); ++first) {
    std::string joined;
    for (size_t last = first; last < name.size() && joined.size() < piece.size(); ++last)
      joined += name[last];
    if (joined == piece) return true;
  }
  return false;
}

Socs by_piece(const Socs& socs, std::string_view query) {
  const std::string chipset = squeezed(query);
  const std::string name = joined_words(name_words(query));
  return select(socs, [&](const SocInfo& soc) {
    if (chipset.size() >= kShortestPiece && squeezed(soc.chipset).find(chipset) != std::string::npos)
      return true;
    return !name.empty() && has_words(name_words(soc.marketing_name), name);
  });
}

Diagnostic unknown_arch(const Socs& socs, std::string_view query) {
  std::string known;
  for (uint32_t arch : archs_of(socs, 0)) known += concat(known.empty() ? "v" : ", v", arch);
  return invalid("soc-arch", concat("no known part has Hexagon ", query)).fix_by("choose one of " + known);
}

Diagnostic unknown_number(const Socs& socs, uint32_t number) {
  return invalid("soc-unknown", concat("no known part has QNN's SoC model ", number,
                                       ", nor has a kernel that soc id for one"))
      .fix_by(concat("look for the chipset instead, e.g. SM8650; the nearest SoC models are ",
                     join(nearest_models(socs, number, kSuggestions))));
}

Diagnostic unknown_name(const Socs& socs, const Socs& with_piece, std::string_view query) {
  std::string meant;
  if (with_piece.empty())
    for (const SocInfo* soc : nearest_parts(socs, query, kSuggestions)) append_item(meant, describe(*soc));
  for (size_t i = 0; i < std::min(with_piece.size(), kSuggestions); ++i)
    append_item(meant, describe(with_piece[i]));
  return invalid("soc-unknown", concat("there is no part '", query, "'"))
      .fix_by(concat("did you mean ", meant, "?"));
}

Diagnostic unknown(const Socs& socs, std::string_view query) {
  if (arch_number(query)) return unknown_arch(socs, query);
  const Socs with_piece = by_piece(socs, query);
  if (const auto number = as_number(query); number && with_piece.empty())
    return unknown_number(socs, *number);
  return unknown_name(socs, with_piece, query);
}

// No parts where none has that name.
SocMatches by_whole_name(const Socs& socs, std::string_view query) {
  SocMatches matches;
  const auto found = [&](MatchedBy by, const auto& fits) {
    matches = {by, select(socs, fits)};
    return !matches.socs.empty();
  };
  const std::string chipset = squeezed(query);
  if (found(MatchedBy::kChipset, [&](const SocInfo& soc) { return squeezed(soc.chipset) == chipset; }))
    return matches;
  if (const auto number = as_number(query)) {
    if (found(MatchedBy::kSocModel, [&](const SocInfo& soc) { return soc.soc_model == number; }))
      return matches;
    if (found(MatchedBy::kKernelId, [&](const SocInfo& soc) {
          return std::ranges::find(soc.kernel_ids, *number) != soc.kernel_ids.end();
        }))
      return matches;
  }
  if (const auto arch = arch_number(query)) {
    found(MatchedBy::kArch, [&](const SocInfo& soc) { return soc.arch == arch; });
    return matches;
  }
  const std::string name = joined_words(name_words(query));
  if (!name.empty())
    found(MatchedBy::kMarketingName,
          [&](const SocInfo& soc) { return joined_words(name_words(soc.marketing_name)) == name; });
  return matches;
}

}  // namespace

std::string_view matched_by_name(MatchedBy by) {
  static constexpr std::array<std::string_view, 6> kNames = {"chipset", "soc_model", "kernel_soc_id",
                                                             "arch",    "name",      "part_of_name"};
  return kNames.at(static_cast<size_t>(by));
}

Result<SocMatches> find_socs(std::string_view name) {
  OPENQNN_ASSIGN(const auto table, shared_socs());
  SocMatches matches = by_whole_name(*table, name);
  if (!matches.socs.empty()) return matches;
  return unknown(*table, name);
}

Result<SocMatches> search_socs(std::string_view query) {
  OPENQNN_ASSIGN(const auto table, shared_socs());
  SocMatches matches = by_whole_name(*table, query);
  if (matches.socs.empty() && !arch_number(query))
    matches = {MatchedBy::kPartOfName, by_piece(*table, query)};
  if (!matches.socs.empty()) return matches;
  return unknown(*table, query);
}

}  // namespace openqnn::soc
