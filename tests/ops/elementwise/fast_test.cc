// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <limits>

#include "ops/elementwise/exact.h"
#include "ops/fast_cases.h"

namespace openqnn::ops {
namespace {

INSTANTIATE_TEST_SUITE_P(Arithmetic, FastKernels,
                         testing::Values("ElementWiseAdd in=1x9x11x70:ufx8 in=1x9x11x70:ufx8",
                                         "ElementWiseAdd in=1x9x11x70:sfx8 in=1x9x11x70:sfx8",
                                         "ElementWiseSubtract in=5x193:ufx8 in=5x193:ufx8",
                                         "ElementWiseMultiply in=5x193:ufx8 in=5x193:ufx8",
                                         "ElementWiseMultiply in=5x193:sfx8 in=5x193:sfx8",
                                         "ElementWiseMaximum in=5x193:ufx8 in=5x193:ufx8",
                                         "ElementWiseAdd in=5x193:ufx16 in=5x193:ufx16",
                                         "ElementWiseMultiply in=5x193:sfx16 in=5x193:sfx16",
                                         "ElementWiseAdd in=5x193:f16 in=5x193:f16",
                                         "ElementWiseSubtract in=5x193:f16 in=5x193:f16",
                                         "ElementWiseMultiply in=5x193:f16 in=5x193:f16",
                                         "ElementWiseMaximum in=5x193:f16 in=5x193:f16",
                                         "ElementWiseMinimum in=5x193:f16 in=5x193:f16"));

// An operand that repeats: by channel, short and long, on either side, in the middle; one element for all.
INSTANTIATE_TEST_SUITE_P(Broadcast, FastKernels,
                         testing::Values("ElementWiseMultiply in=2x9x11x32:ufx8 in=1x1x1x32:ufx8",
                                         "ElementWiseMultiply in=2x9x11x33:ufx8 in=33:ufx8",
                                         "ElementWiseAdd in=1x1x1x40:sfx8 in=2x9x11x40:sfx8",
                                         "ElementWiseAdd in=6x5000:ufx8 in=5000:ufx8",
                                         "ElementWiseAdd in=3x5x7x9:ufx8 in=5x1x9:ufx8",
                                         "ElementWiseAdd in=3x5x7x9:ufx8 in=3x1x7x9:ufx8",
                                         "ElementWiseAdd in=3x1x7x9:ufx8 in=1x5x1x9:ufx8",
                                         "ElementWiseMultiply in=3x5x70:ufx8 in=3x5x1:ufx8",
                                         "ElementWiseMultiply in=3x500:ufx8 in=1:ufx8",
                                         "ElementWiseMultiply in=1x9x11x32:ufx16 in=32:ufx16",
                                         "ElementWiseMultiply in=1x9x11x32:f16 in=1x1x1x32:f16",
                                         "ElementWiseAdd in=1x3x200:f16 in=200:f16",
                                         "ElementWiseMaximum in=3x500:f16 in=1:f16"));

// Functions of one element: those that only clip, and those that need their table. 16 bits need many
// elements.
INSTANTIATE_TEST_SUITE_P(Tables, FastKernels,
                         testing::Values("Relu in=3x100:ufx8", "Sigmoid in=3x100:ufx8",
                                         "Sigmoid in=3x100:sfx8", "Relu in=70x501:f16", "Relu6 in=70x501:f16",
                                         "ReluMinMax in=70x501:f16 min_value=-0.7 max_value=0",
                                         "ReluMinMax in=70x501:f16 min_value=0 max_value=1e30",
                                         "ReluMinMax in=70x501:f16 min_value=1e-9 max_value=3",
                                         "ReluMinMax in=70x501:ufx16 min_value=0 max_value=0.5",
                                         "ReluMinMax in=70x501:sfx16 min_value=-0.5 max_value=0.5",
                                         "Sigmoid in=70x501:f16", "Sigmoid in=70x501:ufx16",
                                         "Quantize in=70x501:f16 out=ufx8"));

// The same with the input's encoding for the output: then 16 bits are clipped as they are stored.
TEST(FastClips, GiveTheBitsOfTheReference) {
  for (const std::string type : {"ufx16", "sfx16"}) {
    OpCase c{"ReluMinMax in=70x501:" + type + " min_value=-0.4 max_value=0.5"};
    c.outputs[0].quantization = c.inputs[0].quantization;
    expect_the_bits_of_the_reference(c);
  }
}

struct Encodings {
  std::array<ir::ScaleOffset, 3> of;  // two inputs and the output, if they are unsigned
};

// With the chosen bytes and encodings; `centre` is what signed types have less.
void expect_pairs_as_the_reference(const std::string& op, const std::string& type, const Encodings& encodings,
                                   const std::vector<Bytes>& data, int32_t centre) {
  OpCase c{op + " in=256x256:" + type + " in=256x256:" + type};
  c.data = data;
  const auto with = [&](ir::TensorDesc& desc, const ir::ScaleOffset& encoding) {
    encode(desc, encoding.scale, encoding.offset + centre);
  };
  with(c.inputs[0], encodings.of[0]);
  with(c.inputs[1], encodings.of[1]);
  with(c.outputs[0], encodings.of[2]);
  ASSERT_NE(choose_kernel(*c.op, c.call()).name, "reference");
  ASSERT_EQ(c.run(), c.run_reference());
}

// Every pair of bytes, by encodings that make ties of many, exactly or almost, and by some that saturate.
TEST(FastArithmetic, RoundsEveryPairOfBytesAsTheReference) {
  constexpr Encodings kEncodings[] = {
      {{{{1.0F, 0}, {1.0F, 0}, {2.0F, 0}}}},
      {{{{0.5F, -128}, {0.5F, -127}, {1.0F, -128}}}},
      {{{{0.1F, -3}, {0.3F, -77}, {0.2F, -100}}}},
      {{{{0.1F, -3}, {0.1F, -77}, {0.2F, -1}}}},
      {{{{0.017F, -120}, {0.023F, -13}, {0.03F, -90}}}},
      {{{{1.0F, 0}, {1e-6F, 0}, {0.5F, 0}}}},
      {{{{30.0F, -128}, {30.0F, -128}, {0.1F, -128}}}},
      {{{{1.0F, 1 << 30}, {1.0F, 0}, {1.0F, 1 << 30}}}},
      {{{{1e20F, 0}, {1e20F, -5}, {1e-20F, 0}}}},
  };
  std::vector<Bytes> data(2);
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) {
      data[0].push_back(static_cast<std::byte>(a));
      data[1].push_back(static_cast<std::byte>(b));
    }
  for (const std::string op : {"ElementWiseAdd", "ElementWiseSubtract", "ElementWiseMultiply"})
    for (const std::string type : {"ufx8", "sfx8"})
      for (const Encodings& encodings : kEncodings) {
        SCOPED_TRACE(op + " " + type + " " + std::to_string(&encodings - kEncodings));
        expect_pairs_as_the_reference(op, type, encodings, data, type == "sfx8" ? 128 : 0);
      }
}

TEST(FastArithmetic, RoundsPairsOfWordsAsTheReference) {
  constexpr Encodings kEncodings[] = {
      {{{{1.0F, 0}, {1.0F, 0}, {2.0F, 0}}}},
      {{{{0.5F, -32768}, {0.5F, -32767}, {1.0F, -32768}}}},
      {{{{0.1F, -3}, {0.3F, -7777}, {0.2F, -10000}}}},
      {{{{0.0017F, -12000}, {0.0023F, -1300}, {0.003F, -9000}}}},
      {{{{1.0F, 0}, {1e-6F, 0}, {0.5F, 0}}}},
      {{{{30.0F, -32768}, {30.0F, -32768}, {0.1F, -32768}}}},
      {{{{1.0F, 1 << 30}, {1.0F, 0}, {1.0F, 1 << 30}}}},
      {{{{1e20F, 0}, {1e20F, -5}, {1e-20F, 0}}}},
  };
  oracle::Random random(3);
  std::vector<Bytes> data(2, Bytes(65536 * 2));
  for (Bytes& words : data)
    for (std::byte& byte : words) byte = static_cast<std::byte>(oracle::pick(random, 0, 255));
  for (const std::string op : {"ElementWiseAdd", "ElementWiseSubtract", "ElementWiseMultiply"})
    for (const std::string type : {"ufx16", "sfx16"})
      for (const Encodings& encodings : kEncodings) {
        SCOPED_TRACE(op + " " + type + " " + std::to_string(&encodings - kEncodings));
        expect_pairs_as_the_reference(op, type, encodings, data, type == "sfx16" ? 32768 : 0);
      }
}

// A function times its input comes from prepare, but also from files that nobody trusts.
TEST(Gate, NeedsTheEncodingInBetween) {
  const auto is_valid = [](const std::string& line, const Epilogue& epilogue) {
    OpCase c{line};
    c.epilogue = epilogue;
    return validate_prepared(*c.op, c.call()).ok();
  };
  const auto gate = [](float scale, float offset) {
    return Epilogue{Activation::kTimesInput, scale, offset};
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(is_valid("Sigmoid in=4x5:ufx8", gate(0.01F, -3.0F)));
  EXPECT_TRUE(is_valid("Sigmoid in=4x5:f16", gate(0.0F, 0.0F)));
  EXPECT_FALSE(is_valid("Sigmoid in=4x5:ufx8", gate(0.0F, 0.0F)));
  EXPECT_FALSE(is_valid("Sigmoid in=4x5:ufx8", gate(kNan, 0.0F)));
  EXPECT_FALSE(is_valid("Sigmoid in=4x5:ufx8", gate(0.01F, kNan)));
  EXPECT_FALSE(is_valid("Sigmoid in=4x5:ufx8", gate(0.01F, 1e9F)));
  EXPECT_FALSE(is_valid("ElementWiseAdd in=4x5:ufx8 in=4x5:ufx8", gate(0.01F, 0.0F)));
  EXPECT_FALSE(is_valid("ElementWiseNot in=4x5:bool8", gate(0.01F, 0.0F)));
}

}  // namespace
}  // namespace openqnn::ops
