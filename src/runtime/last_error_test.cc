// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/last_error.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace openqnn::runtime {
namespace {

// Each test on a thread of its own: a fresh memory.
template <class Body>
void on_new_thread(Body body) {
  std::thread(body).join();
}

TEST(LastError, IsTheLatestSentenceOfItsCode) {
  on_new_thread([] {
    remember_error(1, "first");
    remember_error(2, "other");
    remember_error(1, "second");
    EXPECT_EQ(last_error(1), "second");
    EXPECT_EQ(last_error(2), "other");
  });
}

TEST(LastError, ACodeNeverReceivedHasNone) {
  on_new_thread([] {
    EXPECT_EQ(last_error(0), "");
    remember_error(1, "first");
    EXPECT_EQ(last_error(2), "");
  });
}

TEST(LastError, BelongsToTheThread) {
  on_new_thread([] {
    remember_error(1, "mine");
    on_new_thread([] {
      EXPECT_EQ(last_error(1), "");
      remember_error(1, "theirs");
    });
    EXPECT_EQ(last_error(1), "mine");
  });
}

TEST(LastError, TheFifthCodeReplacesTheOldest) {
  on_new_thread([] {
    for (uint64_t code = 1; code <= 5; ++code) remember_error(code, "sentence " + std::to_string(code));
    EXPECT_EQ(last_error(1), "");
    for (uint64_t code = 2; code <= 5; ++code)
      EXPECT_EQ(last_error(code), "sentence " + std::to_string(code));
  });
}

TEST(LastError, ALongSentenceIsCutAtItsEnd) {
  on_new_thread([] {
    std::string text;
    while (text.size() < 3000) text += "abcdefghij";
    remember_error(1, text);
    const std::string_view kept = last_error(1);
    EXPECT_GE(kept.size(), 1000U);
    EXPECT_EQ(kept, std::string_view(text).substr(0, kept.size()));
    remember_error(1, "short");
    EXPECT_EQ(last_error(1), "short");
  });
}

}  // namespace
}  // namespace openqnn::runtime
