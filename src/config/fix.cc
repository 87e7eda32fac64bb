// SPDX-License-Identifier: BSD-3-Clause
#include "config/fix.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace openqnn::config {
namespace {

json::Edit edit_of(std::string_view text, const Change& change) {
  switch (change.kind) {
    case Change::Kind::kReplace:
      return {change.span, change.text};
    case Change::Kind::kRemoveItem:
      return json::remove_item(text, change.span);
    case Change::Kind::kInsertMember:
      return json::insert_member(text, change.span, change.key, change.text);
  }
  return {};
}

// The places already taken by edits of this pass. An insertion takes its place, too.
class TakenPlaces {
 public:
  bool take(const std::vector<json::Edit>& edits) {
    const bool is_free = std::ranges::none_of(edits, [&](const json::Edit& e) { return taken(e.span); });
    if (is_free) {
      for (const json::Edit& edit : edits) ends_[edit.span.begin] = edit.span.end;
    }
    return is_free;
  }

 private:
  bool taken(json::Span span) const {
    const auto after = ends_.lower_bound(span.begin);
    if (after != ends_.end() && (after->first < span.end || after->first == span.begin)) return true;
    return after != ends_.begin() && std::prev(after)->second > span.begin;
  }

  std::map<uint32_t, uint32_t> ends_;  // by begin; they do not overlap
};

// One pass: of fixes that touch the same place, the first is made and the others wait for the next pass.
bool fix_once(Fixed& fixed, std::vector<Finding> findings) {
  std::vector<json::Edit> made;
  TakenPlaces places;
  for (Finding& finding : findings) {
    if (!finding.fix) continue;
    std::vector<json::Edit> edits = edits_of(fixed.text, *finding.fix);
    if (edits.empty() || !places.take(edits)) continue;
    made.insert(made.end(), edits.begin(), edits.end());
    fixed.mended.push_back(std::move(finding));
  }
  if (made.empty()) return false;
  std::string text = json::apply_edits(fixed.text, made);
  if (text == fixed.text) return false;
  fixed.text = std::move(text);
  return true;
}

}  // namespace

std::vector<json::Edit> edits_of(std::string_view text, const Fix& fix) {
  std::vector<json::Edit> edits;
  for (const Change& change : fix.changes) edits.push_back(edit_of(text, change));
  return edits;
}

Fixed fix_all(std::string text, const std::function<std::vector<Finding>(const std::string&)>& check_text) {
  // A pass mends at least one finding (of broken syntax no more than one); two rules whose fixes undo each
  // other must not keep us here for ever.
  constexpr int kMostPasses = 10'000;
  Fixed fixed{std::move(text), {}};
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (!fix_once(fixed, check_text(fixed.text))) break;
  }
  return fixed;
}

}  // namespace openqnn::config
