// SPDX-License-Identifier: BSD-3-Clause
// Buffer over many executions, against a queue of frames.
#include "oracle/movement/buffer.h"

#include <gtest/gtest.h>

#include "ops/bytes.h"
#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

struct Sizes {
  const char* shape;
  const char* params;
};

const Sizes kStreams[] = {
    {"1x3", "buffer_size=4 buffer_dim=0"},             // one leaves for each that comes
    {"1x3", "buffer_size=4 buffer_dim=0 stride=3"},    // full every third time
    {"1x3", "buffer_size=4 buffer_dim=0 stride=4"},    // starts again
    {"2x2x3", "buffer_size=6 buffer_dim=1 stride=2"},  // two frames at a time
    {"2x2x3", "buffer_size=6 buffer_dim=1 stride=4"},
    {"3x1x2x2", "buffer_size=3 buffer_dim=1"},
    {"5x3", "buffer_size=3 buffer_dim=1 stride=3"},  // full every time
    {"2x1", "buffer_size=2 buffer_dim=1"},           // the last dimension
};

// A call, and a state that lives as long. Halves of small integers: every value is exact.
class Stream {
 public:
  Stream(const Sizes& sizes, int mode)
      // The mode comes afterwards: what gives nothing at first is no case for the oracle.
      : case_(std::string("Buffer in=") + sizes.shape + ":f16 in=scalar:bool8 out=f16 mode=1 " +
              sizes.params) {
    set_param(case_, "mode", {static_cast<double>(mode)});
    case_.problem.params["mode"] = {static_cast<double>(mode)};
    queue_.emplace(case_.problem);
    state_.resize(case_.op->state_bytes(case_.call()));
  }

  // Executes with the next frames and compares; whether there was an output.
  bool push(bool reset) {
    oracle::Tensor input{case_.problem.inputs[0].shape, {}};
    for (size_t i = 0; i < oracle::count(input.shape); ++i)
      input.values.push_back(static_cast<double>(++numbers_ % 2048));
    const Bytes frames = halves(input.values);
    const std::byte flag{static_cast<uint8_t>(reset ? 7 : 0)};  // a client's bool may be any byte
    const std::byte* const in[] = {frames.data(), &flag};
    Bytes out(case_.output_bytes(), kUntouched);
    std::byte* const outputs[] = {out.data()};
    const OpCall call = case_.call();
    case_.op->kernels.back().run({call, in, outputs, state_}, case_.whole());

    const std::optional<oracle::Tensor> expected = queue_->push(input, reset);
    EXPECT_EQ(case_.op->withholds(call, state_), !expected.has_value());
    if (expected)
      EXPECT_EQ(reals(out), expected->values);
    else
      EXPECT_EQ(out, Bytes(out.size(), kUntouched)) << "what is withheld was written";
    return expected.has_value();
  }

 private:
  OpCase case_;
  std::optional<oracle::BufferQueue> queue_;
  Bytes state_;
  size_t numbers_ = 0;
};

TEST(Buffer, GoesOnFromOneExecutionToTheNext) {
  for (const Sizes& sizes : kStreams)
    for (const int mode : {0, 1, 2}) {
      SCOPED_TRACE(std::string(sizes.shape) + " " + sizes.params + " mode=" + std::to_string(mode));
      Stream stream(sizes, mode);
      oracle::Random random(8);
      size_t outputs = 0;
      for (int i = 0; i < 60; ++i) outputs += stream.push(oracle::pick(random, 0, 11) == 0);
      EXPECT_GT(outputs, 0U);
      if (mode != 0) {
        EXPECT_EQ(outputs, 60U);
      }
    }
}

TEST(Buffer, BlockingGivesNothingUntilItIsFull) {
  Stream stream({"1x3", "buffer_size=4 buffer_dim=0 stride=3"}, 0);
  const bool gives[] = {false, false, false, true, false, false, true, false};
  for (const bool expected : gives) EXPECT_EQ(stream.push(false), expected);
  EXPECT_FALSE(stream.push(true));
  for (const bool expected : {false, false, true}) EXPECT_EQ(stream.push(false), expected);
}

TEST(Buffer, ZerosAreTheEncodingsOwn) {
  OpCase c(std::string("Buffer in=1:ufx8 buffer_size=3 buffer_dim=0 mode=2"));
  c.inputs[0].quantization = ir::Quantization::per_tensor(0.5F, -10);
  c.outputs[0].quantization = ir::Quantization::per_tensor(0.25F, -7);
  c.data[0] = bytes_of(std::vector<uint8_t>{14});  // 2
  EXPECT_EQ(values_of<uint8_t>(c.run()), (std::vector<uint8_t>{7, 7, 15}));
}

}  // namespace
}  // namespace openqnn::ops
