// SPDX-License-Identifier: BSD-3-Clause
#include "soc/nearest.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace openqnn::soc {
std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::vector<std::string> nearest_chipsets(const std::vector<SocInfo>& socs, std::string_view name,
                                          size_t count) {
  constexpr size_t kLongestName =
      64;  // beyond it nothing is near, and the work would be the client's to choose
  const std::string wanted = upper(name.substr(0, kLongestName));
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const SocInfo& soc : socs) ranked.emplace_back(edit_distance(upper(soc.chipset), wanted), soc.chipset);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> nearest;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i) nearest.push_back(std::move(ranked[i].second));
  return nearest;
}

std::vector<uint32_t> nearest_models(const std::vector<SocInfo>& socs, uint32_t model, size_t count) {
  std::vector<std::pair<uint32_t, uint32_t>> ranked;
  for (const SocInfo& soc : socs) {
    if (soc.soc_model)
      ranked.emplace_back(std::max(*soc.soc_model, model) - std::min(*soc.soc_model, model), *soc.soc_model);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  std::vector<uint32_t> nearest;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i) nearest.push_back(ranked[i].second);
  return nearest;
}

}  // namespace openqnn::soc
