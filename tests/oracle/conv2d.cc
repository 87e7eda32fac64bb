// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// Scatters instead of gathering: every input pixel is added to the outputs that see it.
Tensor conv(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t>& in = inputs[0].shape;
  const std::vector<size_t>& filter = inputs[1].shape;
  const size_t groups = problem.integer("group", 1);
  const size_t columns = filter[3] / groups;
  size_t out_size[2];
  for (size_t axis = 0; axis < 2; ++axis) {
    const size_t padded = in[1 + axis] + problem.integer("pad_amount", 0, 2 * axis) +
                          problem.integer("pad_amount", 0, 2 * axis + 1);
    const size_t reach = (filter[axis] - 1) * problem.integer("dilation", 1, axis) + 1;
    out_size[axis] = (padded - reach) / problem.integer("stride", 1, axis) + 1;
  }
  Tensor out{{in[0], out_size[0], out_size[1], filter[3]}, {}};
  out.values.assign(count(out.shape), 0.0);
  if (inputs.size() > 2)
    for (size_t i = 0; i < out.values.size(); ++i) out.values[i] = inputs[2].values[i % filter[3]];

  // The output along `axis` that reads input position `at` with filter tap `tap`, or none.
  const auto output_of = [&](size_t axis, size_t at, size_t tap, size_t* output) {
    const size_t shifted = at + problem.integer("pad_amount", 0, 2 * axis);
    const size_t back = tap * problem.integer("dilation", 1, axis);
    const size_t stride = problem.integer("stride", 1, axis);
    if (shifted < back || (shifted - back) % stride != 0) return false;
    *output = (shifted - back) / stride;
    return *output < out_size[axis];
  };
  size_t position = 0;
  for (size_t b = 0; b < in[0]; ++b)
    for (size_t h = 0; h < in[1]; ++h)
      for (size_t w = 0; w < in[2]; ++w)
        for (size_t c = 0; c < in[3]; ++c, ++position)
          for (size_t i = 0; i < filter[0]; ++i)
            for (size_t j = 0; j < filter[1]; ++j) {
              size_t y = 0;
              size_t x = 0;
              if (!output_of(0, h, i, &y) || !output_of(1, w, j, &x)) continue;
              const size_t group = c / filter[2];
              const double* taps =
                  &inputs[1].values[((i * filter[1] + j) * filter[2] + c % filter[2]) * filter[3]];
              double* pixel = &out.values[((b * out_size[0] + y) * out_size[1] + x) * filter[3]];
              for (size_t n = group * columns; n < (group + 1) * columns; ++n)
                pixel[n] += inputs[0].values[position] * taps[n];
            }
  return out;
}

std::string two(size_t a, size_t b) { return std::to_string(a) + "," + std::to_string(b); }

std::string random_conv(Random& random) {
  const size_t groups = pick(random, 0, 2) == 0 ? pick(random, 2, 3) : 1;
  const size_t channels = pick(random, 1, 10);
  const size_t columns = groups * pick(random, 1, 12);
  const size_t filter[2] = {pick(random, 1, 3), pick(random, 1, 3)};
  const size_t dilation[2] = {pick(random, 1, 2), pick(random, 1, 2)};
  const std::vector<size_t> in = {pick(random, 1, 2), (filter[0] - 1) * dilation[0] + pick(random, 1, 6),
                                  (filter[1] - 1) * dilation[1] + pick(random, 1, 6), channels * groups};
  return "in=" + shape_text(in) + " in=" + shape_text({filter[0], filter[1], channels, columns}) +
         (pick(random, 0, 1) ? " in=" + std::to_string(columns) : "") +
         " stride=" + two(pick(random, 1, 3), pick(random, 1, 3)) +
         " pad_amount=" + two(pick(random, 0, 3), pick(random, 0, 3)) + "," +
         two(pick(random, 0, 3), pick(random, 0, 3)) + " dilation=" + two(dilation[0], dilation[1]) +
         " group=" + std::to_string(groups);
}

const Register kConv{{
    .op = "Conv2d",
    .variants = {"f16 f16 f16", "f16 f16:static f16:static", "ufx8 ufx8 sfx32",
                 "ufx8 ufx8:static sfx32:static", "ufx8 sfx8:static:axis sfx32:static:derived",
                 "ufx8 sfx8:static:axis sfx32:static:axis", "ufx8 sfx8:static ufx8:static",
                 "ufx8 ufx8:static ufx8"},
    .problems = {"in=1x1x1x1 in=1x1x1x1 stride=1,1 pad_amount=0,0,0,0",
                 "in=1x8x8x3 in=3x3x3x16 in=16 stride=2,2 pad_amount=1,1,1,1",
                 "in=1x6x6x32 in=1x1x32x32 in=32 stride=1,1 pad_amount=0,0,0,0",
                 "in=1x5x5x33 in=3x3x33x35 stride=1,1 pad_amount=1,1,1,1",
                 "in=2x7x9x4 in=3x2x4x5 in=5 stride=1,2 pad_amount=2,0,0,1 dilation=2,3",
                 "in=1x6x6x8 in=3x3x2x12 in=12 stride=1,1 pad_amount=1,1,1,1 group=4",
                 "in=1x6x6x8 in=3x3x1x8 stride=1,1 pad_amount=1,1,1,1 group=8",
                 // More padding than filter: outputs of bias only.
                 "in=1x2x2x3 in=2x2x3x4 in=4 stride=1,1 pad_amount=4,3,0,5"},
    .random_problem = random_conv,
    .compute = conv,
    .sum_length =
        [](const Problem& problem) { return count(problem.inputs[1].shape) / problem.inputs[1].shape[3]; },
    .channel_axis = [](const Problem&) { return size_t{3}; },
}};

}  // namespace
}  // namespace openqnn::oracle
