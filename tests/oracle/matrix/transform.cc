// SPDX-License-Identifier: BSD-3-Clause
// HadamardTransform, Stft and Correlation1D.
#include <bit>
#include <cmath>
#include <complex>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

std::vector<Tensor> hadamard(const Problem& problem, const std::vector<Tensor>& in) {
  const size_t n = in[0].shape.back();
  Tensor out = in[0];
  for (size_t k = 0; k < out.values.size(); ++k) {
    const size_t row = k / n * n;
    double sum = 0.0;
    for (size_t j = 0; j < n; ++j)
      sum += std::popcount((k % n) & j) % 2 ? -in[0].values[row + j] : in[0].values[row + j];
    out.values[k] = problem.number("scale", 1.0) * sum / std::sqrt(static_cast<double>(n));
  }
  return {out};
}

std::string random_hadamard(Random& random) {
  return "in=" + shape_text({pick(random, 1, 4), pick(random, 1, 5), size_t{1} << pick(random, 0, 6)}) +
         " scale=" + std::to_string(uniform(random, -2.0, 2.0));
}

const Register kHadamard{{
    .op = "HadamardTransform",
    .problems = {"in=1", "in=64", "in=3x8 scale=0.5", "in=3x5x16 scale=-2", "in=1x2x3x32",
                 "in=2x1x3x2x4 scale=1"},
    .random_problem = random_hadamard,
    .compute = hadamard,
}};

std::vector<Tensor> stft(const Problem& problem, const std::vector<Tensor>& in) {
  const size_t length = in[0].shape[1];
  const size_t parts = in[0].shape[2];
  const size_t step = problem.integer("frame_step", 1);
  const size_t frame = problem.has("frame_length") ? problem.integer("frame_length", 1) : in[1].shape[0];
  const size_t frames = (length - frame) / step + 1;
  const size_t bins = problem.integer("onesided", 1) ? frame / 2 + 1 : frame;
  Tensor out{{in[0].shape[0], frames, bins, 2}, {}};
  for (size_t b = 0; b < in[0].shape[0]; ++b)
    for (size_t f = 0; f < frames; ++f)
      for (size_t bin = 0; bin < bins; ++bin) {
        std::complex<double> sum = 0.0;
        for (size_t t = 0; t < frame; ++t) {
          const size_t at = (b * length + f * step + t) * parts;
          const std::complex<double> sample(in[0].values[at], parts == 2 ? in[0].values[at + 1] : 0.0);
          const double angle = -2.0 * M_PI * static_cast<double>(bin * t) / static_cast<double>(frame);
          sum += sample * (problem.has_input(1) ? in[1].values[t] : 1.0) * std::polar(1.0, angle);
        }
        out.values.push_back(sum.real());
        out.values.push_back(sum.imag());
      }
  return {out};
}

const Register kStft{{
    .op = "Stft",
    .problems = {"in=1x1x1 in=1 frame_step=1", "in=2x20x1 in=8 frame_step=3 frame_length=8",
                 "in=1x17x1 frame_step=2 frame_length=5 onesided=0", "in=1x16x2 in=7 frame_step=4 onesided=0",
                 "in=3x33x1 in=16 frame_step=16 onesided=1"},
    .compute = stft,
    // Sums that cancel leave what rounding in double leaves; magnitudes say how much that may be.
    .sum_length = [](const Problem&) { return size_t{1}; },
    // Infinity times a cosine that is 0, or the nearest double to it, is a question of rounding.
    .finite_inputs = {0, 1},
}};

std::vector<Tensor> correlation(const Problem& problem, const std::vector<Tensor>& in) {
  const std::vector<size_t>& shape = in[0].shape;
  const auto displacement = static_cast<long>(problem.integer("displacement", 0));
  const auto shift = static_cast<long>(problem.number("shift", 0.0));
  Tensor out{{shape[0], shape[1], shape[2], static_cast<size_t>(2 * displacement + 1)}, {}};
  for (size_t i = 0; i < count(out.shape); ++i) {
    std::vector<size_t> at = index_of(out.shape, i);
    const long column = static_cast<long>(at[2]) + static_cast<long>(at[3]) - (displacement - shift);
    double sum = 0.0;
    if (column >= 0 && column < static_cast<long>(shape[2]))
      for (size_t c = 0; c < shape[3]; ++c)
        sum += in[0].values[offset_of(shape, {at[0], at[1], at[2], c})] *
               in[1].values[offset_of(shape, {at[0], at[1], static_cast<size_t>(column), c})];
    out.values.push_back(sum / static_cast<double>(shape[3]));
  }
  return {out};
}

std::string random_correlation(Random& random) {
  const std::string shape =
      shape_text({pick(random, 1, 2), pick(random, 1, 3), pick(random, 1, 9), pick(random, 1, 8)});
  return "in=" + shape + " in=" + shape + " displacement=" + std::to_string(pick(random, 0, 4)) +
         " shift=" + std::to_string(static_cast<long>(pick(random, 0, 8)) - 4);
}

const Register kCorrelation{{
    .op = "Correlation1D",
    .problems = {"in=1x1x1x1 in=1x1x1x1 displacement=0 shift=0",
                 "in=1x2x7x5 in=1x2x7x5 displacement=3 shift=0",
                 "in=2x1x6x32 in=2x1x6x32 displacement=2 shift=-2",
                 "in=1x3x4x3 in=1x3x4x3 displacement=1 shift=9",
                 "in=1x1x33x4 in=1x1x33x4 displacement=16 shift=1"},
    .random_problem = random_correlation,
    .compute = correlation,
}};

}  // namespace
}  // namespace openqnn::oracle
