// SPDX-License-Identifier: BSD-3-Clause
// "Which part is that?": by chipset, QNN's SoC model, the kernel's soc id, architecture or marketing name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "soc/target.h"

namespace openqnn::soc {

// What a query was taken for.
enum class MatchedBy : uint8_t { kChipset, kSocModel, kKernelId, kArch, kMarketingName, kPartOfName };
std::string_view matched_by_name(MatchedBy by);  // "soc_model"

struct SocMatches {
  MatchedBy by = MatchedBy::kChipset;
  std::vector<SocInfo> socs;  // at least one, in the order of data/socs.json
};

// Names in full, by which a part is chosen: "SM8650", "57", "557" (the kernel's id), "v75", "Snapdragon 8 Gen
// 3" or "8 gen 3". Case and punctuation do not count. All parts that fit are answered. The diagnostic of an
// unknown name has the parts that it is a piece of, or else the nearest ones.
Result<SocMatches> find_socs(std::string_view name);

// For who looks around: when none fits whole, those whose chipset or marketing name has the query as a piece
// ("8650", "elite").
Result<SocMatches> search_socs(std::string_view query);

}  // namespace openqnn::soc
