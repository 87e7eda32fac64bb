// SPDX-License-Identifier: BSD-3-Clause
// Two configurations by meaning: spellings, order, comments, grouping of graphs, an object for a list of one
// and defaults written out do not count. The form without sections does, because current tools ignore it, and
// so does a device that only one of them has.
#pragma once

#include <string>
#include <vector>

#include "config/effective.h"

namespace openqnn::config {

struct Difference {
  std::string where;   // "graph 'encoder'"; "" when it is about the files as wholes
  std::string option;  // "vtcm_mb"; "" when one side has no such entry
  std::string left;    // the values as JSON or in words; "" when there is none
  std::string right;
  const json::Member* left_member = nullptr;  // where it is written; null for a default
  const json::Member* right_member = nullptr;
};

// What differs, in the order of the first file and then of what only the second has. Both are seen under the
// same circumstances. Empty when they mean the same.
std::vector<Difference> compare(const Config& left, const Config& right,
                                const Circumstances& circumstances = {});

}  // namespace openqnn::config
