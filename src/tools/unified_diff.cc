// SPDX-License-Identifier: BSD-3-Clause
#include "tools/unified_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/text.h"

namespace openqnn::tools {
namespace {

constexpr size_t kContext = 3;  // lines around a change, as diff -u shows
// Beyond this many cells the table of the longest common subsequence is too large: the lines between the
// first and the last difference are then shown as one change.
constexpr size_t kMostCells = 16u << 20;

using Lines = std::vector<std::string_view>;  // each with its newline, if it has one

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

struct Step {
  char mark;  // ' ', '-' or '+'
  std::string_view line;
};

// Appends the steps from `a` to `b` by their longest common subsequence.
void append_changes(const Lines& a, const Lines& b, std::vector<Step>& out) {
  const size_t width = b.size() + 1;
  std::vector<uint32_t> longest;  // [i * width + j]: of a from i and b from j
  const bool too_large = (a.size() + 1) * width > kMostCells;
  if (!too_large) {
    longest.resize((a.size() + 1) * width);
    for (size_t i = a.size(); i-- > 0;) {
      for (size_t j = b.size(); j-- > 0;) {
        longest[i * width + j] = a[i] == b[j]
                                     ? longest[(i + 1) * width + j + 1] + 1
                                     : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
      }
    }
  }
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool both = i < a.size() && j < b.size();
    if (both && !too_large && a[i] == b[j]) {
      out.push_back({' ', a[i++]});
      ++j;
    } else if (i < a.size() &&
               (!both || too_large || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      out.push_back({'-', a[i++]});
    } else {
      out.push_back({'+', b[j++]});
    }
  }
}

std::vector<Step> steps_between(const Lines& before, const Lines& after) {
  const size_t least = std::min(before.size(), after.size());
  size_t head = 0;
  while (head < least && before[head] == after[head]) ++head;
  size_t tail = 0;
  while (tail < least - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;

  std::vector<Step> steps;
  for (size_t i = 0; i < head; ++i) steps.push_back({' ', before[i]});
  append_changes({before.begin() + static_cast<ptrdiff_t>(head), before.end() - static_cast<ptrdiff_t>(tail)},
                 {after.begin() + static_cast<ptrdiff_t>(head), after.end() - static_cast<ptrdiff_t>(tail)},
                 steps);
  for (size_t i = before.size() - tail; i < before.size(); ++i) steps.push_back({' ', before[i]});
  return steps;
}

void append_line(std::string& out, const Step& step) {
  out += step.mark;
  out += step.line;
  if (!step.line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

// "@@ -first,count +first,count @@"; a side without lines names the line before.
std::string range_text(size_t first, size_t count) {
  return concat(count == 0 ? first : first + 1, ",", count);
}

// Lines [begin, end) of the steps, each change with its context.
struct Hunk {
  size_t begin;
  size_t end;
};

std::vector<Hunk> hunks_of(const std::vector<Step>& steps) {
  std::vector<Hunk> hunks;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].mark == ' ') continue;
    const size_t begin = i - std::min(i, kContext);
    const size_t end = std::min(i + 1 + kContext, steps.size());
    if (!hunks.empty() && begin <= hunks.back().end) {
      hunks.back().end = end;
    } else {
      hunks.push_back({begin, end});
    }
  }
  return hunks;
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const std::vector<Step> steps = steps_between(lines_of(before), lines_of(after));
  std::string out = concat("--- ", name, "\n+++ ", name, "\n");
  size_t next = 0;
  size_t old_line = 0;
  size_t new_line = 0;
  const auto pass = [&](size_t end, std::string* body) {
    for (; next < end; ++next) {
      old_line += steps[next].mark != '+';
      new_line += steps[next].mark != '-';
      if (body != nullptr) append_line(*body, steps[next]);
    }
  };
  for (const Hunk& hunk : hunks_of(steps)) {
    pass(hunk.begin, nullptr);
    const size_t old_first = old_line;
    const size_t new_first = new_line;
    std::string body;
    pass(hunk.end, &body);
    out += concat("@@ -", range_text(old_first, old_line - old_first), " +",
                  range_text(new_first, new_line - new_first), " @@\n", body);
  }
  return out;
}

}  // namespace openqnn::tools
