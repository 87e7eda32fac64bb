// SPDX-License-Identifier: BSD-3-Clause
// Kernels beside plain loops over plain arrays: what the layout, the boxes and the exact rounding cost, and
// what the loops of this host gain.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "base/half.h"
#include "exec/executor.h"
#include "models.h"
#include "ops/elementwise/fast/blocks.h"
#include "protocol.h"

namespace {

using namespace openqnn;  // NOLINT: a program of its own

constexpr int kSide = 16;
constexpr int kChannels = 32;

// One 3x3 convolution with Relu as anyone would write it first.
void plain_conv(const std::vector<uint8_t>& in, const std::vector<int8_t>& weights,
                std::vector<uint8_t>& out) {
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x)
      for (int n = 0; n < kChannels; ++n) {
        int32_t sum = 0;
        for (int fy = 0; fy < 3; ++fy)
          for (int fx = 0; fx < 3; ++fx) {
            const int iy = y + fy - 1;
            const int ix = x + fx - 1;
            if (iy < 0 || iy >= kSide || ix < 0 || ix >= kSide) continue;
            for (int c = 0; c < kChannels; ++c)
              sum += (in[static_cast<size_t>((iy * kSide + ix) * kChannels + c)] - 128) *
                     weights[static_cast<size_t>(((fy * 3 + fx) * kChannels + c) * kChannels + n)];
          }
        const float value = std::nearbyint(static_cast<float>(sum) * 0.01F) + 128.0F;
        out[static_cast<size_t>((y * kSide + x) * kChannels + n)] =
            static_cast<uint8_t>(std::fmin(std::fmax(value, 128.0F), 255.0F));
      }
}

// Of values around zero, as the halves that activations are made of.
std::vector<uint16_t> normal_halves(size_t count) {
  std::vector<uint16_t> halves;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (size_t i = 0; i < count; ++i) halves.push_back(to_half(normal(random)).bits);
  return halves;
}

void compare_lookups(bench::Area& area) {
  std::vector<uint16_t> table(1 << 16);
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<uint16_t>(i * 40503);
  const std::vector<uint16_t> in = normal_halves(400'000);
  std::vector<uint16_t> out(in.size());
  area.compare(
      "a function of halves by its table, 400 000 elements", "a plain loop",
      [&](uint64_t repeats) {
        for (uint64_t i = 0; i < repeats; ++i)
          ops::fast::host_loops().lookup16(table.data(), reinterpret_cast<const ops::Unaligned16*>(in.data()),
                                           reinterpret_cast<ops::Unaligned16*>(out.data()), in.size());
      },
      [&](uint64_t repeats) {
        for (uint64_t i = 0; i < repeats; ++i)
          for (size_t at = 0; at < in.size(); ++at) out[at] = table[in[at]];
      },
      "1 thread");
}

}  // namespace

int main(int argc, char** argv) {
  bench::Area area("kernels", argc, argv);
  const program::ProgramSet set = bench::prepared_chain(1);
  exec::Executor executor(set, exec::Mode::kWhole, {});
  std::vector<uint8_t> in(kSide * kSide * kChannels, 130);
  std::vector<uint8_t> out(in.size());
  std::vector<std::byte*> buffers;
  for (const program::Tensor& tensor : set.programs[0]->tensors) {
    const bool is_input = tensor.role == ir::TensorRole::kInput;
    const bool is_output = tensor.role == ir::TensorRole::kOutput;
    buffers.push_back(reinterpret_cast<std::byte*>(is_input ? in.data() : is_output ? out.data() : nullptr));
  }
  const std::vector<int8_t> weights(3 * 3 * kChannels * kChannels, 3);
  area.compare(
      "3x3 convolution 16x16x32, 8-bit", "plain loops, 1 thread",
      [&](uint64_t repeats) {
        for (uint64_t i = 0; i < repeats; ++i) executor.run(buffers);
      },
      [&](uint64_t repeats) {
        for (uint64_t i = 0; i < repeats; ++i) plain_conv(in, weights, out);
      },
      "as exec runs it, all threads of the pool");
  compare_lookups(area);
  return area.finish();
}
