// SPDX-License-Identifier: BSD-3-Clause
// Work, and calls made of hostile numbers.
#include <gtest/gtest.h>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

// Tiles repeat halos and padding, so their sum is never below the whole.
TEST(Work, TilesTogetherNeedAtLeastTheWhole) {
  oracle::Random random(4);
  for (const OpCase& c : all_cases(10)) {
    SCOPED_TRACE(c.problem.line);
    const OpCall call = c.call();
    const Work whole = c.op->work(call, c.whole());
    Work sum;
    const auto parts = c.divides() ? random_partition(random, c.whole()) : std::vector{c.whole()};
    for (const ir::Box& part : parts) {
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
  const size_t which = oracle::pick(random, 0, c.inputs.size() + c.outputs.size() - 1);
  ir::TensorDesc& desc = which < c.inputs.size() ? c.inputs[which] : c.outputs[which - c.inputs.size()];
  ir::Quantization& quantization = desc.quantization;
  switch (oracle::pick(random, 0, 7)) {
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
      quantization.kind = static_cast<ir::Quantization::Kind>(oracle::pick(random, 0, 4));
      quantization.axis = static_cast<uint32_t>(oracle::pick(random, 0, 5));
      break;
    case 5:
      quantization.encodings.resize(oracle::pick(random, 0, 3));
      break;
    case 6:
      desc.sparsity.slots = oracle::pick(random, 0, 1) ? desc.sparsity.slots : nasty(random);
      desc.sparsity.dimensions = oracle::pick(random, 0, 3) ? desc.sparsity.dimensions : nasty(random);
      break;
    default:
      desc.layout = static_cast<ir::Layout>(oracle::pick(random, 0, 4));
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
  c.outputs[0].shape = shape;
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
    const Work work = c.op->work(call, c.whole());
    uint64_t bytes = c.output_bytes();
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      if (!call.has_input(i)) continue;
      const uint64_t stored = stored_bytes(*c.op, call, i);
      bytes += stored;
      const ir::Box box = c.divides() ? random_box(random, c.output().shape) : c.whole();
      ASSERT_TRUE(contains(ir::Box::whole(c.inputs[i].shape), input_box(*c.op, call, i, box)));
      if (bytes < (1 << 16)) c.data[i].resize(stored);
    }
    if (bytes >= (1 << 16) || work.macs > (1 << 24) || work.vector_ops > (1 << 16)) continue;
    ++run;
    c.run();  // the sanitizer build watches
  }
  EXPECT_GT(accepted, 1000U);
  EXPECT_GT(run, 500U);
}

}  // namespace
}  // namespace openqnn::ops
