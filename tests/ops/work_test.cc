// SPDX-License-Identifier: BSD-3-Clause
// Work, and calls made of hostile numbers.
#include <gtest/gtest.h>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

Work whole_work(const std::string& line) {
  const OpCase c(line);
  return c.op->work(c.call(), ir::Box::whole(c.output.shape));
}

TEST(Work, MatrixOpsCountWhatIsIssued) {
  // 5 x 5 positions make one block of 64, 9 x 4 products (3 channels padded to 4) two of 32, 40 columns two.
  const Work conv = whole_work("Conv2d in=1x5x5x3:ufx8 in=3x3x3x40:sfx8 stride=1,1 pad_amount=1,1,1,1");
  EXPECT_EQ(conv.unit, soc::Unit::kHmx);
  EXPECT_EQ(conv.mac_bits, 8U);
  EXPECT_EQ(conv.macs, 64U * 64 * 64);
  EXPECT_EQ(conv.vtcm_bytes, 75U + 64 * 64 + 1000);
  const Work half = whole_work("Conv2d in=1x5x5x3:f16 in=3x3x3x40:f16 stride=1,1 pad_amount=1,1,1,1");
  EXPECT_EQ(half.mac_bits, 16U);
  EXPECT_EQ(half.macs, 32U * 64 * 64);
  EXPECT_EQ(half.vtcm_bytes, 2U * conv.vtcm_bytes);
  // Each group is a product of its own.
  EXPECT_EQ(whole_work("Conv2d in=1x8x8x8:ufx8 in=1x1x4x8:ufx8 stride=1,1 pad_amount=0,0,0,0 group=2").macs,
            2U * 64 * 32 * 32);
  const Work matmul = whole_work("MatMul in=2x3x40:ufx8 in=40x5:ufx8");
  EXPECT_EQ(matmul.macs, 2U * 64 * 64 * 32);
  EXPECT_EQ(matmul.vtcm_bytes, 240U + 64 * 32 + 30);
}

TEST(Work, VectorOpsCountVectorsAndBytes) {
  for (const char* line :
       {"Relu in=1x256:ufx8", "Softmax in=2x128:ufx8", "ElementWiseAdd in=256:ufx8 in=256:ufx8",
        "PoolMax2d in=1x2x4x64:ufx8 filter_size=2,2 stride=1,1 pad_amount=0,1,0,0"}) {
    SCOPED_TRACE(line);
    const Work work = whole_work(line);
    EXPECT_EQ(work.unit, soc::Unit::kHvx);
    EXPECT_EQ(work.macs, 0U);
    EXPECT_GE(work.vector_ops, 2U * 2);
    EXPECT_LE(work.vector_ops, 2U * 200);
    EXPECT_GE(work.vtcm_bytes, 512U);
  }
}

// Tiles repeat halos and padding, so their sum is never below the whole.
TEST(Work, TilesTogetherNeedAtLeastTheWhole) {
  oracle::Random random(4);
  for (const OpCase& c : all_cases(10)) {
    SCOPED_TRACE(c.problem.line);
    const OpCall call = c.call();
    const Work whole = c.op->work(call, ir::Box::whole(c.output.shape));
    Work sum;
    for (const ir::Box& part : random_partition(random, ir::Box::whole(c.output.shape))) {
      const Work work = c.op->work(call, part);
      sum.macs += work.macs;
      sum.vector_ops += work.vector_ops;
    }
    EXPECT_GE(sum.macs, whole.macs);
    EXPECT_GE(sum.vector_ops, whole.vector_ops);
    EXPECT_GT(whole.macs + whole.vector_ops, 0U);
    EXPECT_GT(whole.vtcm_bytes, 0U);
  }
}

// ---- Hostile calls: refused, or harmless ----

uint32_t nasty(oracle::Random& random) {
  static constexpr uint32_t kValues[] = {
      0, 1, 2, 3, 4, 31, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 1U << 20, 1U << 30};
  return kValues[oracle::pick(random, 0, std::size(kValues) - 1)];
}

void mutate(OpCase& c, oracle::Random& random) {
  const size_t which = oracle::pick(random, 0, c.inputs.size());
  ir::TensorDesc& desc = which == c.inputs.size() ? c.output : c.inputs[which];
  ir::Quantization& quantization = desc.quantization;
  switch (oracle::pick(random, 0, 6)) {
    case 0:
      if (desc.shape.rank() > 0) desc.shape[oracle::pick(random, 0, desc.shape.rank() - 1)] = nasty(random);
      break;
    case 1: {  // one word of one parameter
      ir::Params params;
      for (ir::Param param : c.params.all()) {
        if (!param.data.empty() && oracle::pick(random, 0, 1)) {
          const uint32_t value = nasty(random);
          const size_t word = oracle::pick(random, 0, param.data.size() / 4);
          for (size_t i = word * 4; i < std::min(param.data.size(), word * 4 + 4); ++i)
            param.data[i] = static_cast<std::byte>(value >> (i % 4 * 8));
        }
        params.add(param);
      }
      c.params = params;
      break;
    }
    case 2:
      if (!quantization.encodings.empty()) {
        const size_t at = oracle::pick(random, 0, quantization.encodings.size() - 1);
        quantization.encodings[at].offset = static_cast<int32_t>(nasty(random));
      }
      break;
    case 3:
      if (!quantization.encodings.empty())
        quantization.encodings[0].scale = oracle::pick(random, 0, 1) ? 1e-45F : 3e38F;
      break;
    case 4:
      quantization.kind = static_cast<ir::Quantization::Kind>(oracle::pick(random, 0, 3));
      quantization.axis = static_cast<uint32_t>(oracle::pick(random, 0, 5));
      break;
    case 5:
      quantization.encodings.resize(oracle::pick(random, 0, 3));
      break;
    default:
      desc.layout = static_cast<ir::Layout>(oracle::pick(random, 0, 3));
      break;
  }
}

// Shapes that agree with each other are rare by chance: this makes the output what the op asks for.
void repair_output(OpCase& c) {
  const Status status = validate_prepared(*c.op, c.call());
  if (status || status.error().code != "op-shape") return;
  const std::string& message = status.error().message;
  const size_t at = message.find("needs [");
  if (message.rfind("output", 0) != 0 || at == std::string::npos) return;
  ir::Shape shape;
  for (size_t i = at + 7; i < message.size() && shape.rank() < ir::kMaxRank;) {
    size_t used = 0;
    shape.push_back(static_cast<uint32_t>(std::stoul(message.substr(i), &used)));
    i += used + 2;
  }
  c.output.shape = shape;
}

TEST(Hostile, CallsAreRefusedOrHarmless) {
  oracle::Random random(5);
  std::vector<OpCase> cases = all_cases(5);
  size_t accepted = 0;
  size_t run = 0;
  for (size_t round = 0; round < 20000; ++round) {
    OpCase c = cases[oracle::pick(random, 0, cases.size() - 1)];
    if (oracle::pick(random, 0, 1)) c = c.stored();
    for (size_t i = oracle::pick(random, 1, 3); i > 0; --i) mutate(c, random);
    repair_output(c);
    const OpCall call = c.call();
    if (!validate_prepared(*c.op, call)) continue;
    ++accepted;
    const ir::Box whole = ir::Box::whole(c.output.shape);
    const Work work = c.op->work(call, whole);
    uint64_t bytes = ir::plain_bytes(c.output);
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      const uint64_t stored = stored_bytes(*c.op, call, i);
      bytes += stored;
      const ir::Box box = random_box(random, c.output.shape);
      ASSERT_TRUE(contains(ir::Box::whole(c.inputs[i].shape), c.op->input_box(call, i, box)));
      if (bytes < (1 << 16)) c.data[i].resize(stored);
    }
    if (bytes >= (1 << 16) || work.macs > (1 << 24) || work.vector_ops > (1 << 16)) continue;
    ++run;
    c.run();  // the sanitizer build watches
  }
  EXPECT_GT(accepted, 2000U);
  EXPECT_GT(run, 1000U);
}

}  // namespace
}  // namespace openqnn::ops
