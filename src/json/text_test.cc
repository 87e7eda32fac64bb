// SPDX-License-Identifier: BSD-3-Clause
#include "json/text.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace openqnn::json {
namespace {

// Around the longest text that needs no heap, and zero bytes and 0xff within.
std::vector<std::string> samples() {
  std::vector<std::string> texts;
  for (const size_t length : {0, 1, 14, 15, 16, 17, 255, 256, 100000}) texts.emplace_back(length, 'x');
  texts.emplace_back("a\0b", 3);
  texts.emplace_back(15, '\xff');
  texts.emplace_back(16, '\xff');
  return texts;
}

TEST(JsonText, IsTwoWords) { EXPECT_EQ(sizeof(Text), 16u); }

TEST(JsonText, HoldsAnyBytes) {
  for (const std::string& text : samples()) {
    const Text held = text;
    EXPECT_EQ(held.view(), text);
    EXPECT_EQ(held.str(), text);
    EXPECT_EQ(held.size(), text.size());
    EXPECT_EQ(held.empty(), text.empty());
    EXPECT_EQ(held, text);
  }
}

TEST(JsonText, TakesTheBeginningOfALongerText) {
  const std::string source(40, 'y');
  for (size_t length = 0; length <= source.size(); ++length) {
    for (size_t behind = 0; behind + length <= source.size(); ++behind) {
      const Text held(std::string_view(source).substr(0, length + behind), length);
      EXPECT_EQ(held, std::string_view(source).substr(0, length));
    }
  }
}

TEST(JsonText, CopiesAndMovesBetweenAllSizes) {
  for (const std::string& from : samples()) {
    for (const std::string& to : samples()) {
      const Text source = from;
      Text copied = to;
      copied = source;
      EXPECT_EQ(copied, from);
      EXPECT_EQ(source, from);
      Text moved = to;
      moved = std::move(copied);
      EXPECT_EQ(moved, from);
      EXPECT_TRUE(copied.empty());  // NOLINT: what is left is defined here
      Text constructed(std::move(moved));
      EXPECT_EQ(constructed, from);
      EXPECT_TRUE(moved.empty());  // NOLINT
    }
  }
}

TEST(JsonText, SurvivesAssignmentToItself) {
  for (const std::string& text : samples()) {
    Text held = text;
    Text& same = held;
    held = same;
    EXPECT_EQ(held, text);
    held = std::move(same);
    EXPECT_EQ(held, text);
  }
}

TEST(JsonText, ComparesByBytes) {
  EXPECT_EQ(Text("dlbc"), "dlbc");
  EXPECT_NE(Text("dlbc"), "dlb");
  EXPECT_LT(Text("O"), Text("vtcm_mb"));
  EXPECT_LT(Text("fold_relu_activation"), Text("fold_relu_activation_into_conv_off"));
}

}  // namespace
}  // namespace openqnn::json
