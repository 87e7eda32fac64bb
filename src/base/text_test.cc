// SPDX-License-Identifier: BSD-3-Clause
#include "base/text.h"

#include <gtest/gtest.h>

namespace openqnn {
namespace {

TEST(Text, ListsHaveCommasBetweenTheirItems) {
  std::string list;
  append_item(list, "a");
  append_item(list, "b ", 2);
  EXPECT_EQ(list, "a, b 2");
}

TEST(Text, ControlCharactersDoNotReachATerminal) {
  EXPECT_EQ(one_line("a\nb\x1b[1mc\x7f"), "a?b?[1mc?");
  EXPECT_EQ(one_line("naïve \"op\""), "naïve \"op\"");
}

}  // namespace
}  // namespace openqnn
