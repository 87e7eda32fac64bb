// SPDX-License-Identifier: BSD-3-Clause
// What is different between two runs, op by op, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/qhas/model.h"

namespace openqnn::profile {

// A run, what the user calls it, and what it was made with ("--precision" = "w8a8").
struct DiffSide {
  std::string name;
  const qhas::Model* model = nullptr;
  std::vector<std::pair<std::string, std::string>> settings;
};

// Something about the runs as a whole that is not the same.
struct SettingChange {
  std::string what;  // "part", "HVX threads", "--precision"
  std::string a;
  std::string b;
};

// An op of one run or of both, aligned by its name.
struct OpChange {
  enum class Kind : uint8_t { kSame, kChanged, kOnlyA, kOnlyB };
  Kind kind = Kind::kSame;
  std::string name;
  std::string type;
  std::optional<uint32_t> a = {};  // into Model::ops
  std::optional<uint32_t> b = {};
  Cycles dominant_a = {};
  Cycles dominant_b = {};
  std::vector<std::string> why = {};  // one sentence each; of kChanged at least one

  int64_t delta() const {
    return static_cast<int64_t>(dominant_b.value) - static_cast<int64_t>(dominant_a.value);
  }
};
std::string_view kind_name(OpChange::Kind kind);  // "same", "changed", "only in A", "only in B"

struct Diff {
  DiffSide a;
  DiffSide b;
  std::vector<SettingChange> settings;
  std::vector<OpChange> ops;  // A's order, then those of B alone

  std::vector<const OpChange*> largest_first() const;  // without those that are the same
};

Diff diff_of(const DiffSide& a, const DiffSide& b);

std::string diff_text(const Diff& diff, size_t most);  // the `most` largest changes
std::string diff_json_lines(const Diff& diff);         // one object a line: the runs, then settings, then ops
std::string diff_page(const Diff& diff);               // HTML, self-contained

}  // namespace openqnn::profile
