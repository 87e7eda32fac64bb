// SPDX-License-Identifier: BSD-3-Clause
// Every op against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "base/half.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

constexpr size_t kComparedProblems = 40;

ir::DataType computed(ir::DataType type) {
  return type == ir::DataType::kFloat32 ? ir::DataType::kFloat16 : type;
}

// Whether the types of a problem are those of a row.
bool uses(const oracle::Problem& problem, const TypeRow& row) {
  const auto fits = [](const std::vector<ir::DataType>& types, const std::string& name) {
    return std::ranges::any_of(types, [&](ir::DataType type) { return ir::name(computed(type)) == name; });
  };
  for (size_t i = 0; i < problem.inputs.size(); ++i) {
    if (problem.inputs[i].absent) continue;
    const size_t column = std::min(i, row.inputs.size() - 1);
    if (!fits(row.inputs[column], problem.inputs[i].type)) return false;
  }
  for (size_t i = 0; i < std::min(problem.outputs.size(), row.outputs.size()); ++i)
    if (!row.outputs[i].empty() && !fits(row.outputs[i], problem.outputs[i])) return false;
  return true;
}

std::string shapes_of(const oracle::Problem& problem) {
  std::string text;
  for (const oracle::Problem::Input& input : problem.inputs) text += oracle::shape_text(input.shape) + " ";
  return text;
}

bool has_odd_size(const std::string& shapes) {
  size_t number = 0;
  for (const char letter : shapes) {
    if (letter >= '0' && letter <= '9')
      number = number * 10 + static_cast<size_t>(letter - '0');
    else if (number > 1 && number % 2 == 1)
      return true;
    else
      number = 0;
  }
  return false;
}

// Distance between neighbouring halves around a value.
double half_step(double value) {
  const int exponent = value == 0.0 ? -14 : std::max(-14, std::ilogb(value));
  return std::ldexp(1.0, exponent - 10);
}

// Half a step for the rounding at the end; for sums also what float additions may lose on the way.
double half_tolerance(const OpCase& c, size_t output, size_t i) {
  const oracle::Oracle& oracle = *oracle::find(c.problem.op);
  const double value = c.expected[output].values[i];
  const double steps = 0.5 * half_step(value) * 1.0001 + oracle.half_slack * std::fabs(value);
  if (!oracle.sum_length) return steps;
  return steps + static_cast<double>(oracle.sum_length(c.problem) + 2) *
                     std::ldexp(c.magnitude[output].values[i], -24);
}

void expect_close_half(const OpCase& c, size_t output, const std::byte* got) {
  constexpr double kLargest = 65504.0;
  const oracle::Oracle& oracle = *oracle::find(c.problem.op);
  const bool signed_zeros = !oracle.sum_length && !oracle.any_zero;
  for (size_t i = 0; i < c.expected[output].values.size(); ++i) {
    Half half;
    std::memcpy(&half.bits, got + i * 2, 2);
    const double value = to_float(half);
    const double expected = c.expected[output].values[i];
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << "output " << output << " element " << i << " is " << value;
    } else if (std::isinf(expected)) {
      ASSERT_EQ(value, expected) << "output " << output << " element " << i;
    } else if (std::fabs(expected) > kLargest) {
      ASSERT_GE(expected > 0.0 ? value : -value, kLargest) << "output " << output << " element " << i;
    } else {
      ASSERT_NEAR(value, expected, half_tolerance(c, output, i)) << "output " << output << " element " << i;
      if (expected == 0.0 && signed_zeros) {
        ASSERT_EQ(std::signbit(value), std::signbit(expected)) << "output " << output << " element " << i;
      }
    }
  }
}

int64_t stored_at(const ir::TensorDesc& desc, const std::byte* data, size_t index) {
  const size_t size = ir::byte_size(desc.type);
  const bool is_signed = desc.type == ir::DataType::kInt8 || desc.type == ir::DataType::kInt16 ||
                         desc.type == ir::DataType::kInt32 ||
                         (ir::is_quantized(desc.type) && ir::integer_range(desc.type).low < 0);
  int64_t value = 0;
  std::memcpy(&value, data + index * size, size);
  if (is_signed && size < 8) {
    const int64_t sign = int64_t{1} << (8 * size - 1);
    value = (value ^ sign) - sign;
  }
  return value;
}

// Plain integers and bools are exact.
void expect_equal_plain(const OpCase& c, size_t output, const std::byte* got) {
  for (size_t i = 0; i < c.expected[output].values.size(); ++i)
    ASSERT_EQ(static_cast<double>(stored_at(c.outputs[output], got, i)), c.expected[output].values[i])
        << "output " << output << " element " << i;
}

// Returns how many elements differ from the oracle's own rounding; none by more than one step.
size_t expect_close_fixed(const OpCase& c, size_t output, const std::byte* got) {
  const ir::TensorDesc& desc = c.outputs[output];
  const ir::ScaleOffset& encoding = desc.quantization.encodings[0];
  const IntegerRange range = ir::integer_range(desc.type);
  size_t different = 0;
  for (size_t i = 0; i < c.expected[output].values.size(); ++i) {
    const double steps = c.expected[output].values[i] / encoding.scale - encoding.offset;
    const double stored =
        std::isnan(steps) ? range.low : std::clamp<double>(std::nearbyint(steps), range.low, range.high);
    const auto value = static_cast<double>(stored_at(desc, got, i));
    EXPECT_LE(std::fabs(value - stored), 1.0)
        << "output " << output << " element " << i << " is " << value << ", not " << stored;
    if (std::fabs(value - stored) > 1.0) return different;
    if (value != stored) ++different;
  }
  return different;
}

// What the comparison of one case adds up to.
struct Tally {
  size_t elements = 0;  // of fixed-point outputs
  size_t different = 0;
};

// A sparse output as two dense ones, which lie in the same bytes: coordinates and slices.
OpCase in_dense_parts(OpCase c) {
  const ir::TensorDesc whole = c.outputs[0];
  if (!whole.is_sparse()) return c;
  ir::TensorDesc slices = whole;
  slices.shape = ir::slices_shape(whole);
  slices.sparsity = {};
  c.outputs = {{ir::DataType::kUint32, ir::coordinates_shape(whole), {}}, slices};
  const std::vector<double>& values = c.expected[0].values;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(c.outputs[0].shape.elements());
  c.expected = {{{}, {values.begin(), middle}}, {{}, {middle, values.end()}}};
  return c;
}

void compare(const OpCase& given, Tally& tally) {
  const Bytes got = given.run();
  const OpCase c = in_dense_parts(given);
  ASSERT_EQ(got.size(), c.output_bytes());
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    const std::byte* bytes = got.data() + c.output_offset(i);
    if (c.outputs[i].type == ir::DataType::kFloat16) {
      expect_close_half(c, i, bytes);
    } else if (ir::is_quantized(c.outputs[i].type)) {
      tally.elements += c.expected[i].values.size();
      tally.different += expect_close_fixed(c, i, bytes);
    } else {
      expect_equal_plain(c, i, bytes);
    }
  }
}

// Also in inputs where the oracle has no answer to them.
OpCase with_specials_everywhere(OpCase c) {
  static constexpr uint16_t kBits[] = {0x7C00, 0xFC00, 0x7E00, 0x8000, 0x0001, 0x7BFF, 0xFBFF};
  size_t next = 0;
  for (size_t input = 0; input < c.inputs.size(); ++input) {
    if (c.inputs[input].type != ir::DataType::kFloat16) continue;
    for (size_t at = 0; at < c.data[input].size(); at += 3 * sizeof(uint16_t))
      std::memcpy(&c.data[input][at], &kBits[next++ % std::size(kBits)], sizeof(uint16_t));
  }
  return c;
}

int failures() { return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count(); }

bool has_half_input(const oracle::Problem& problem) {
  return std::ranges::any_of(problem.inputs, [](const auto& input) { return input.type == "f16"; });
}

// A client says float where the device computes in half.
bool accepts_floats(const OpCase& c) {
  OpCase client = c;
  for (std::vector<ir::TensorDesc>* side : {&client.inputs, &client.outputs})
    for (ir::TensorDesc& desc : *side)
      if (desc.type == ir::DataType::kFloat16) desc.type = ir::DataType::kFloat32;
  return bool(validate(c.op->type, client.call()));
}

TEST(Oracle, AgreesWithTheReferenceKernels) {
  for (const oracle::Oracle& oracle : oracle::all()) {
    SCOPED_TRACE(oracle.op);
    ASSERT_NE(find_op(oracle.op), nullptr) << oracle.op << " is not in any op_list.inc";
    Tally tally;
    for (const oracle::Problem& problem : problems(oracle, kComparedProblems)) {
      SCOPED_TRACE(problem.line);
      const OpCase c(problem);
      const Status status = validate(c.op->type, c.call());
      ASSERT_TRUE(status || accepts_floats(c)) << status.error().to_string();
      const Status prepared = validate_prepared(*c.op, c.call());
      ASSERT_TRUE(prepared) << prepared.error().to_string();
      compare(c, tally);
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_LE(tally.different * 1000, tally.elements)
        << oracle.op << ": " << tally.different << " of " << tally.elements << " differ";
  }
}

// IEEE's numbers that are none, or hardly: what an op makes of them is its definition's, or ours.
TEST(Oracle, AgreesOnSpecialValues) {
  for (const oracle::Oracle& oracle : oracle::all()) {
    SCOPED_TRACE(oracle.op);
    const int before = failures();
    Tally tally;
    for (const oracle::Problem& problem : problems(oracle, 0)) {
      if (!has_half_input(problem)) continue;
      SCOPED_TRACE(problem.line);
      for (const Specials specials : {Specials::kFinite, Specials::kAll})
        compare(OpCase(problem, specials), tally);
      with_specials_everywhere(OpCase(problem)).run();  // the sanitizer build watches
      if (failures() > before) break;                   // of this op; the others have their turn
    }
    EXPECT_LE(tally.different * 1000, tally.elements)
        << oracle.op << ": " << tally.different << " of " << tally.elements << " differ";
  }
}

// Each row of types that is offered is tried at three shapes or more, one of them odd.
TEST(Oracle, EveryRowIsTried) {
  for (const oracle::Oracle& oracle : oracle::all()) {
    const std::vector<oracle::Problem> tried = problems(oracle, 0);
    for (const TypeRow* row : offered_rows(*find_op(oracle.op))) {
      std::set<std::string> shapes;
      for (const oracle::Problem& problem : tried)
        if (uses(problem, *row)) shapes.insert(shapes_of(problem));
      EXPECT_GE(shapes.size(), 3U) << oracle.op << " with " << row->text;
      EXPECT_TRUE(std::ranges::any_of(shapes, has_odd_size)) << oracle.op << " with " << row->text;
    }
  }
}

}  // namespace
}  // namespace openqnn::ops
