// SPDX-License-Identifier: BSD-3-Clause
#include "base/diagnostic.h"

#include <gtest/gtest.h>

#include <locale>
#include <memory>

#include "base/result.h"
#include "base/rounding.h"
#include "base/text.h"
#include "base/units.h"

namespace openqnn {
namespace {

TEST(Diagnostic, ReadsLikeACompilerMessage) {
  const Diagnostic full = invalid("conv-groups", "3 groups do not divide 8 channels")
                              .at(Where{"model.json", 12, 7})
                              .note("channels come from input 'x'")
                              .fix_by("use 1, 2, 4 or 8");
  EXPECT_EQ(full.to_string(),
            "model.json:12:7: error: 3 groups do not divide 8 channels [conv-groups] (use 1, 2, 4 or 8)\n"
            "  note: channels come from input 'x'");
  EXPECT_EQ(full.failure, Failure::kInvalid);

  const Diagnostic bare = unsupported("x", "no").at("graph 'g'");
  EXPECT_EQ(bare.to_string(), "graph 'g': error: no [x]");
  EXPECT_EQ(Diagnostic(internal("x", "no")).to_string(), "error: no [x]");
  EXPECT_EQ((Where{"", 3, 0}.to_string()), "3");
}

Result<std::unique_ptr<int>> positive(int value) {
  if (value <= 0) return invalid("sign", "must be positive");
  return std::make_unique<int>(value);
}

Result<int> twice(int value) {
  OPENQNN_ASSIGN(const std::unique_ptr<int> number, positive(value));
  OPENQNN_TRY(Status());
  return 2 * *number;
}

TEST(Result, CarriesAValueOrAReason) {
  EXPECT_EQ(twice(4).value(), 8);
  ASSERT_FALSE(twice(-1));
  EXPECT_EQ(twice(-1).error().code, "sign");
}

TEST(Text, IgnoresTheClientsLocale) {
  struct Commas : std::numpunct<char> {
    char do_thousands_sep() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  EXPECT_EQ(concat("rank ", 1234567, " > ", 3), "rank 1234567 > 3");
  std::locale::global(before);
}

TEST(Rounding, TiesToEvenAndSaturates) {
  const IntegerRange u8{0, 255};
  EXPECT_EQ(quantize_steps(2.5, 0, u8), 2);
  EXPECT_EQ(quantize_steps(3.5, 0, u8), 4);
  EXPECT_EQ(quantize_steps(-3.0, -10, u8), 7);
  EXPECT_EQ(quantize_steps(1e30, 0, u8), 255);
  EXPECT_EQ(quantize_steps(-1e30, 0, u8), 0);
  EXPECT_EQ(quantize_steps(std::nan(""), 0, u8), 0);
}

TEST(Units, Arithmetic) {
  EXPECT_EQ(Bytes{3} + Bytes{4}, Bytes{7});
  EXPECT_LT(Cycles{3}, Cycles{4});
  EXPECT_EQ(round_up(33, 32), 64u);
  EXPECT_EQ(ceil_div(33, 32), 2u);
}

}  // namespace
}  // namespace openqnn
