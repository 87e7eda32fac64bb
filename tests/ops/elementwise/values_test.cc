// SPDX-License-Identifier: BSD-3-Clause
// Where functions of elements have edges: ties, saturation, division by zero, NaN, other encodings.
#include <cmath>
#include <limits>

#include "ops/elementwise/exact.h"

namespace openqnn::ops {
namespace {

using Integers = std::vector<int32_t>;
using Stored = std::vector<uint8_t>;
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

Integers on_integers(const std::string& op, const Integers& a, const Integers& b) {
  const std::string in = " in=" + std::to_string(a.size()) + ":i32";
  return values_of<int32_t>(run_on(op + in + in + " out=i32", {bytes_of(a), bytes_of(b)}));
}

TEST(Values, IntegersAreExactAndSaturate) {
  EXPECT_EQ(on_integers("ElementWiseAdd", {kMax, kMin, 5}, {1, -1, -7}), (Integers{kMax, kMin, -2}));
  EXPECT_EQ(on_integers("ElementWiseSubtract", {kMin, kMax, 5}, {1, -1, 7}), (Integers{kMin, kMax, -2}));
  EXPECT_EQ(on_integers("ElementWiseMultiply", {46341, 46340, kMin}, {46341, 46340, kMin}),
            (Integers{kMax, 2147395600, kMax}));
  EXPECT_EQ(on_integers("ElementWiseMaximum", {kMax, -3}, {kMax - 1, 2}), (Integers{kMax, 2}));
  EXPECT_EQ(values_of<int32_t>(run_on("ElementWiseAbs in=3:i32 out=i32", {bytes_of(Integers{kMin, -5, 7})})),
            (Integers{kMax, 5, 7}));
  EXPECT_EQ(values_of<int32_t>(run_on("ElementWiseNeg in=2:i32 out=i32", {bytes_of(Integers{kMin, 5})})),
            (Integers{kMax, -5}));
}

TEST(Values, QuotientsAndRemaindersOfIntegers) {
  EXPECT_EQ(on_integers("ElementWiseDivide", {7, -7, 7, -7, 5, -5, 0, kMin}, {2, 2, -2, -2, 0, 0, 0, -1}),
            (Integers{3, -3, -3, 3, kMax, kMin, 0, kMax}));
  EXPECT_EQ(on_integers("ElementWiseFloorDiv", {7, -7, 7, -7, kMax}, {2, 2, -2, -2, kMax - 1}),
            (Integers{3, -4, -4, 3, 1}));
  EXPECT_EQ(on_integers("ElementWiseMod", {7, -7, 7, -7, 6, 5}, {3, 3, -3, -3, 3, 0}),
            (Integers{1, 2, -2, -1, 0, 0}));
  EXPECT_EQ(on_integers("ElementWiseFmod", {7, -7, 7, -7, 6, 5}, {3, 3, -3, -3, 3, 0}),
            (Integers{1, -1, 1, -1, 0, 0}));
  EXPECT_EQ(on_integers("ElementWisePower", {3, -2, 2, 2, 10, 0}, {19, 31, 31, -1, 9, 0}),
            (Integers{1162261467, kMin, kMax, 0, 1000000000, 1}));
}

TEST(Values, TiesRoundToEven) {
  EXPECT_EQ(reals(run_on("ElementWiseRound in=6:f16", {halves({0.5, 1.5, 2.5, -0.5, -3.5, 2.4})})),
            (std::vector<double>{0, 2, 2, -0.0, -4, 2}));
}

TEST(Values, NotANumberStaysOne) {
  for (const char* line :
       {"Relu in=1:f16", "Relu6 in=1:f16", "ReluMinMax in=1:f16 min_value=-1 max_value=1", "Sigmoid in=1:f16",
        "Tanh in=1:f16", "Elu in=1:f16", "Gelu in=1:f16", "HardSwish in=1:f16",
        "ElementWiseSoftplus in=1:f16", "ElementWiseSign in=1:f16", "ElementWiseExp in=1:f16"})
    EXPECT_TRUE(std::isnan(reals(run_on(line, {halves({NAN})}))[0])) << line;
  for (const char* op : {"ElementWiseMaximum", "ElementWiseMinimum", "ElementWiseAdd", "Prelu"}) {
    const std::string line = std::string(op) + " in=2:f16 in=2:f16";
    for (const double value : reals(run_on(line, {halves({NAN, -1.0}), halves({1.0, NAN})})))
      EXPECT_TRUE(std::isnan(value)) << op;
  }
  const Bytes equal =
      run_on("ElementWiseEqual in=2:f16 in=2:f16 out=bool8", {halves({NAN, 1}), halves({NAN, 1})});
  EXPECT_EQ(values_of<uint8_t>(equal), (Stored{0, 1}));
}

TEST(Values, UndefinedResultsAreThoseOfIeee) {
  EXPECT_EQ(reals(run_on("ElementWiseLog in=1:f16", {halves({0.0})}))[0], -INFINITY);
  EXPECT_EQ(reals(run_on("ElementWiseRsqrt in=1:f16", {halves({0.0})}))[0], INFINITY);
  EXPECT_TRUE(std::isnan(reals(run_on("ElementWiseSquareRoot in=1:f16", {halves({-1.0})}))[0]));
  EXPECT_TRUE(std::isnan(reals(run_on("ElementWiseAsin in=1:f16 out=f16", {halves({1.5})}))[0]));
  const std::vector<double> logit = reals(run_on("Logit in=3:f16", {halves({0.0, 1.0, 0.5})}));
  EXPECT_EQ(logit, (std::vector<double>{-INFINITY, INFINITY, 0.0}));
  const Bytes quotient =
      run_on("ElementWiseDivide in=3:f16 in=3:f16", {halves({1, -1, 0}), halves({0, 0, 0})});
  EXPECT_EQ(reals(quotient)[0], INFINITY);
  EXPECT_EQ(reals(quotient)[1], -INFINITY);
  EXPECT_TRUE(std::isnan(reals(quotient)[2]));
}

TEST(Values, UndefinedFixedPointSaturates) {
  const auto plain = [](OpCase& c) {
    for (ir::TensorDesc& desc : c.inputs) encode(desc, 1.0F, 0);
    encode(c.outputs[0], 1.0F, -10);
  };
  const Bytes quotient = run_on("ElementWiseDivide in=2:ufx8 in=2:ufx8 out=ufx8",
                                {bytes_of(Stored{3, 0}), bytes_of(Stored{0, 0})}, plain);
  EXPECT_EQ(values_of<uint8_t>(quotient), (Stored{255, 0}));
  EXPECT_EQ(values_of<uint8_t>(run_on("ElementWiseLog in=2:ufx8 out=ufx8", {bytes_of(Stored{0, 1})}, plain)),
            (Stored{0, 10}));
}

TEST(Values, ComparisonsSeeRealNumbers) {
  // 0.5 (12 - 10) = 0.25 * 4: the stored numbers differ, the values do not.
  const auto encodings = [](OpCase& c) {
    encode(c.inputs[0], 0.5F, -10);
    encode(c.inputs[1], 0.25F, 0);
  };
  const std::vector<Bytes> data = {bytes_of(Stored{12, 12, 14}), bytes_of(Stored{4, 5, 7})};
  const auto compare = [&](const std::string& op) {
    return values_of<uint8_t>(run_on(op + " in=3:ufx8 in=3:ufx8 out=bool8", data, encodings));
  };
  EXPECT_EQ(compare("ElementWiseEqual"), (Stored{1, 0, 0}));
  EXPECT_EQ(compare("ElementWiseNotEqual"), (Stored{0, 1, 1}));
  EXPECT_EQ(compare("ElementWiseLess"), (Stored{0, 1, 0}));
  EXPECT_EQ(compare("ElementWiseGreaterEqual"), (Stored{1, 0, 1}));
}

TEST(Values, AFixedPointTruthIsTheRealOne) {
  const auto encodings = [](OpCase& c) {
    encode(c.inputs[0], 1.0F, 0);
    encode(c.inputs[1], 1.0F, 0);
    encode(c.outputs[0], 0.5F, -3);
  };
  const Bytes less = run_on("ElementWiseLess in=2:ufx8 in=2:ufx8 out=ufx8",
                            {bytes_of(Stored{1, 2}), bytes_of(Stored{2, 1})}, encodings);
  EXPECT_EQ(values_of<uint8_t>(less), (Stored{5, 3}));
}

TEST(Values, AnyByteButZeroIsTrue) {
  const std::vector<Bytes> data = {bytes_of(Stored{0, 7, 255, 0}), bytes_of(Stored{0, 1, 2, 9})};
  const auto of = [&](const std::string& op) {
    return values_of<uint8_t>(run_on(op + " in=4:bool8 in=4:bool8 out=bool8", data));
  };
  EXPECT_EQ(of("ElementWiseEqual"), (Stored{1, 1, 1, 0}));
  EXPECT_EQ(of("ElementWiseXor"), (Stored{0, 0, 0, 1}));
  EXPECT_EQ(of("ElementWiseAnd"), (Stored{0, 1, 1, 0}));
  EXPECT_EQ(of("ElementWiseOr"), (Stored{0, 1, 1, 1}));
  EXPECT_EQ(values_of<uint8_t>(run_on("ElementWiseNot in=4:bool8 out=bool8", {data[0]})),
            (Stored{1, 0, 0, 1}));
}

TEST(Values, SoftplusIsLinearAboveItsThreshold) {
  const std::vector<double> with =
      reals(run_on("ElementWiseSoftplus in=2:f16 beta=2 threshold=3", {halves({1.5, 1.625})}));
  EXPECT_NEAR(with[0], std::log1p(std::exp(3.0)) / 2.0, 1e-3);
  EXPECT_GT(with[0], 1.52);
  EXPECT_EQ(with[1], 1.625);
  // Without one it never is, and nothing overflows.
  const std::vector<double> without =
      reals(run_on("ElementWiseSoftplus in=3:f16", {halves({60000, -60000, 0})}));
  EXPECT_EQ(without[0], 60000.0);
  EXPECT_EQ(without[1], 0.0);
  EXPECT_NEAR(without[2], std::log(2.0), 1e-3);
}

TEST(Values, OpenBoundsClipNothing) {
  const float most = std::numeric_limits<float>::max();
  OpCase c("ReluMinMax in=2:i32 min_value=0 max_value=1 out=i32");
  c.params = {};
  c.params.add(make_param("min_value", ir::DataType::kFloat32, {}, {-most}));
  c.params.add(make_param("max_value", ir::DataType::kFloat32, {}, {most}));
  c.data = {bytes_of(Integers{kMin, kMax})};
  ASSERT_TRUE(validate("ReluMinMax", c.call()));
  EXPECT_EQ(values_of<int32_t>(c.run()), (Integers{kMin, kMax}));
}

TEST(Values, AFixedEncodingIsTheClientsChoice) {
  // The device documents 1/65536 for 16-bit outputs of Sigmoid, and clients set it; others work as well.
  for (const float scale : {1.0F / 65536.0F, 1.0F / 1024.0F}) {
    const Bytes out =
        run_on("Sigmoid in=1:ufx16 out=ufx16", {bytes_of(std::vector<uint16_t>{0})}, [&](OpCase& c) {
          encode(c.inputs[0], 0.001F, 0);
          encode(c.outputs[0], scale, 0);
        });
    EXPECT_EQ(values_of<uint16_t>(out)[0], static_cast<uint16_t>(0.5F / scale));
  }
}

}  // namespace
}  // namespace openqnn::ops
