// SPDX-License-Identifier: BSD-3-Clause
// Tables of what validate refuses, and in which words: a row is a sound problem, what spoils it, and the
// answer.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ops/op_case.h"

namespace openqnn::ops {

struct Refusal {
  const char* line;
  std::function<void(OpCase&)> spoil;
  const char* code;
  const char* text;  // part of the sentence
};

inline void expect_refusals(const std::vector<Refusal>& rows) {
  for (const Refusal& row : rows) {
    OpCase c{std::string(row.line)};
    const Status before = validate(c.op->type, c.call());
    ASSERT_TRUE(before) << row.line << ": " << before.error().to_string();
    row.spoil(c);
    const Status status = validate(c.op->type, c.call());
    ASSERT_FALSE(status) << row.line << ": " << row.text;
    const std::string text = status.error().to_string();
    EXPECT_EQ(status.error().code, row.code) << text;
    EXPECT_NE(text.find(row.text), std::string::npos) << text << "\n  has no: " << row.text;
    EXPECT_NE(text.find("node 'n' (" + c.problem.op + ")"), std::string::npos) << text;
  }
}

}  // namespace openqnn::ops
