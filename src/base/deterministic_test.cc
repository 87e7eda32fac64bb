// SPDX-License-Identifier: BSD-3-Clause
#include "base/deterministic.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace openqnn {
namespace {

bool with_value(const char* value) {
  const char* const before = std::getenv("OPENQNN_DETERMINISTIC");
  const std::optional<std::string> kept = before ? std::optional<std::string>(before) : std::nullopt;
  ::setenv("OPENQNN_DETERMINISTIC", value, /*overwrite=*/1);
  const bool answer = is_deterministic();
  if (kept)
    ::setenv("OPENQNN_DETERMINISTIC", kept->c_str(), /*overwrite=*/1);
  else
    ::unsetenv("OPENQNN_DETERMINISTIC");
  return answer;
}

TEST(Deterministic, OnlyOneAsksForIt) {
  EXPECT_TRUE(with_value("1"));
  EXPECT_FALSE(with_value("0"));
  EXPECT_FALSE(with_value(""));
}

}  // namespace
}  // namespace openqnn
