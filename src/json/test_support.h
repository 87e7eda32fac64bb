// SPDX-License-Identifier: BSD-3-Clause
// What the tests of this room share.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/json.h"

namespace openqnn::json {

// A strict text that must be right.
inline Value read(std::string_view text) {
  auto value = parse(text, "t");
  EXPECT_TRUE(value.ok()) << text << "\n" << (value.ok() ? "" : value.error().to_string());
  return value.ok() ? *std::move(value) : Value();
}

// A lenient text that must be right.
inline Value read_lenient(std::string_view text) {
  LenientNotes notes;
  auto value = parse_lenient(text, "t", notes);
  EXPECT_TRUE(value.ok()) << text << "\n" << (value.ok() ? "" : value.error().to_string());
  return value.ok() ? *std::move(value) : Value();
}

// The comments of a text, without any space.
inline std::vector<std::string> comments_of(std::string_view text) {
  LenientNotes notes;
  EXPECT_TRUE(parse_lenient(text, "t", notes).ok()) << text;
  std::vector<std::string> comments;
  for (const Liberty& liberty : notes.liberties) {
    if (liberty.kind != Liberty::Kind::kComment) continue;
    std::string comment(text.substr(liberty.span.begin, liberty.span.end - liberty.span.begin));
    std::erase_if(comment, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
    comments.push_back(std::move(comment));
  }
  return comments;
}

// Texts of all shapes; the same for the same seed.
class RandomText {
 public:
  explicit RandomText(uint32_t seed) : random_(seed), line_end_(seed % 3 == 0 ? "\r\n" : "\n") {}

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  std::string lenient() {
    free_ = true;
    std::string text = below(10) == 0 ? "\xef\xbb\xbf" : "";
    return text + gap() + value(0) + gap();
  }

  std::string strict() {
    free_ = false;
    return gap() + value(0) + gap();
  }

 private:
  std::string gap() {
    std::string out;
    for (uint32_t pieces = below(4); pieces > 0; --pieces) {
      const uint32_t piece = below(free_ ? 9 : 5);
      if (piece < 2) out += " ";
      if (piece == 2) out += line_end_;
      if (piece == 3) out += line_end_ + std::string(below(5), ' ');
      if (piece == 4) out += "\t";
      if (piece == 5)
        out += "// \"c\", " + std::to_string(below(100)) + (below(2) == 0 ? " " : "") + line_end_;
      if (piece == 6) out += "# [漢 */ " + std::to_string(below(100)) + line_end_;
      if (piece == 7) out += "/* {b}, // " + std::to_string(below(100)) + "*/";
      if (piece == 8) out += "/* é" + line_end_ + "   *, " + std::to_string(below(100)) + " */";
    }
    return out;
  }

  std::string string() {
    constexpr const char* kTexts[] = {"a",    "",           "é",  "漢字",  "😀", "e\u0301",
                                      "\\\"", "\\u00e9\\n", "//", "/*x*/", ",", "#"};
    std::string out = "\"";
    for (uint32_t pieces = below(4); pieces > 0; --pieces) out += kTexts[below(std::size(kTexts))];
    return out + "\"";
  }

  std::string scalar() {
    constexpr const char* kScalars[] = {"null", "true", "false", "0", "-1.50", "12345678901234567890", "1e5"};
    const uint32_t which = below(std::size(kScalars) + 3);
    return which < std::size(kScalars) ? kScalars[which] : string();
  }

  std::string value(uint32_t depth) {
    const uint32_t kind = below(depth < 4 ? 4 : 2);
    if (kind < 2 && (depth > 0 || below(4) == 0)) return scalar();
    const bool is_object = kind % 2 == 0;
    std::string out = is_object ? "{" : "[";
    const uint32_t count = below(5);
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0) out += ",";
      out += gap();
      if (is_object) {
        std::string key = string();
        key.insert(1, std::to_string(i));  // no key twice
        out += key + gap() + ":" + gap();
      }
      out += value(depth + 1) + gap();
    }
    if (count == 0) out += gap();
    if (count > 0 && free_ && below(4) == 0) out += "," + gap();
    return out + (is_object ? "}" : "]");
  }

  std::mt19937 random_;
  std::string line_end_;
  bool free_ = true;
};

}  // namespace openqnn::json
