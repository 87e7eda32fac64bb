// SPDX-License-Identifier: BSD-3-Clause
// What the tests of this room share.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "config/check.h"
#include "config/read.h"

namespace openqnn::config {

// "code path", so that a test names what was found and where.
inline std::vector<std::string> places(const std::vector<Finding>& findings) {
  std::vector<std::string> out;
  for (const Finding& finding : findings) out.push_back(std::string(finding.code) + " " + finding.path);
  return out;
}

inline std::vector<Finding> check_text(std::string text, Circumstances circumstances = {}) {
  const Document document = read("test.json", std::move(text));
  return check_documents({&document}, std::move(circumstances));
}

// `flags` as programs take circumstances: "--soc SM8650 --sdk 2.36".
inline std::vector<Finding> check_with(std::string text, std::string_view flags) {
  const auto circumstances = parse_circumstances(flags);
  EXPECT_TRUE(circumstances.ok()) << flags;
  return circumstances.ok() ? check_text(std::move(text), *circumstances) : std::vector<Finding>();
}

}  // namespace openqnn::config
