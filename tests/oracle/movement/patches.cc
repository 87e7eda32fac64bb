// SPDX-License-Identifier: BSD-3-Clause
// ExtractPatches, Im2Col, Col2Im, ExtractGlimpse. All look at an image through a frame of zeros.
#include <cmath>

#include "oracle/movement/tensors.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

double pixel(const Tensor& image, size_t b, long y, long x, size_t c) {
  const bool inside =
      y >= 0 && x >= 0 && y < static_cast<long>(image.shape[1]) && x < static_cast<long>(image.shape[2]);
  return inside ? image.values[offset_of(image.shape, {b, static_cast<size_t>(y), static_cast<size_t>(x), c})]
                : 0;
}

long at(size_t step, size_t stride, size_t tap, size_t rate, size_t pad) {
  return static_cast<long>(step * stride + tap * rate) - static_cast<long>(pad);
}

std::vector<Tensor> patches(const Problem& problem, const std::vector<Tensor>& inputs) {
  size_t outputs[2];
  size_t pads[2] = {0, 0};
  const auto value = [&](const char* name, size_t axis) { return problem.integer(name, 1, axis); };
  for (size_t axis = 0; axis < 2; ++axis) {
    const size_t in = inputs[0].shape[1 + axis];
    const size_t reach = value("size", axis) + (value("size", axis) - 1) * (value("rate", axis) - 1);
    if (problem.integer("padding", 0) == 0) {
      outputs[axis] = (in - reach) / value("stride", axis) + 1;
    } else {
      outputs[axis] = (in + value("stride", axis) - 1) / value("stride", axis);
      const size_t needed = (outputs[axis] - 1) * value("stride", axis) + reach;
      pads[axis] = needed > in ? (needed - in) / 2 : 0;
    }
  }
  const size_t depth = inputs[0].shape[3];
  Tensor out{{inputs[0].shape[0], outputs[0], outputs[1], value("size", 0) * value("size", 1) * depth}, {}};
  for (size_t b = 0; b < out.shape[0]; ++b)
    for (size_t y = 0; y < outputs[0]; ++y)
      for (size_t x = 0; x < outputs[1]; ++x)
        for (size_t i = 0; i < value("size", 0); ++i)
          for (size_t j = 0; j < value("size", 1); ++j)
            for (size_t c = 0; c < depth; ++c)
              out.values.push_back(pixel(inputs[0], b,
                                         at(y, value("stride", 0), i, value("rate", 0), pads[0]),
                                         at(x, value("stride", 1), j, value("rate", 1), pads[1]), c));
  return {out};
}

const Register kExtractPatches{{
    .op = "ExtractPatches",
    .problems = {"in=1x3x3x1 size=2,2 stride=1,1 rate=1,1 padding=0",
                 "in=1x7x5x3 size=3,2 stride=2,1 rate=1,1 padding=1",
                 "in=2x6x7x2 size=2,3 stride=1,2 rate=2,3 padding=1",
                 "in=1x9x8x5 size=3,2 stride=2,3 rate=2,1 padding=0",
                 "in=1x2x3x3 size=1,1 stride=1,1 rate=1,1 padding=1",
                 "in=1x5x5x2 size=1,2 stride=4,4 rate=1,1 padding=1"},
    .compute = patches,
    .output_encoding = OutputEncoding::kBoth,
}};

// The windows over an image of height and width.
struct Columns {
  size_t kernel[2], stride[2], dilation[2], pad[2], positions[2];

  Columns(const Problem& problem, size_t height, size_t width) {
    const size_t size[2] = {height, width};
    for (size_t axis = 0; axis < 2; ++axis) {
      kernel[axis] = problem.integer("kernel_size", 1, axis);
      stride[axis] = problem.integer("stride", 1, axis);
      dilation[axis] = problem.integer("dilation", 1, axis);
      pad[axis] = problem.integer("pad_amount", 0, 2 * axis);
      const size_t padded = size[axis] + pad[axis] + problem.integer("pad_amount", 0, 2 * axis + 1);
      positions[axis] = (padded - dilation[axis] * (kernel[axis] - 1) - 1) / stride[axis] + 1;
    }
  }

  // body(row, column, y, x, channel) for every value of the columns of an image with `channels`.
  template <class Body>
  void each(size_t channels, const Body& body) const {
    size_t row = 0;
    for (size_t c = 0; c < channels; ++c)
      for (size_t i = 0; i < kernel[0]; ++i)
        for (size_t j = 0; j < kernel[1]; ++j, ++row)
          for (size_t y = 0; y < positions[0]; ++y)
            for (size_t x = 0; x < positions[1]; ++x)
              body(row, y * positions[1] + x, at(y, stride[0], i, dilation[0], pad[0]),
                   at(x, stride[1], j, dilation[1], pad[1]), c);
  }
};

std::vector<Tensor> im2col(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t>& in = inputs[0].shape;
  const Columns columns(problem, in[1], in[2]);
  Tensor out{
      {in[0], in[3] * columns.kernel[0] * columns.kernel[1], columns.positions[0] * columns.positions[1]},
      {}};
  out.values.resize(count(out.shape));
  for (size_t b = 0; b < in[0]; ++b)
    columns.each(in[3], [&](size_t row, size_t column, long y, long x, size_t c) {
      out.values[offset_of(out.shape, {b, row, column})] = pixel(inputs[0], b, y, x, c);
    });
  return {out};
}

// Each value of each column is added to its pixel.
std::vector<Tensor> col2im(const Problem& problem, const std::vector<Tensor>& inputs) {
  Tensor out{sizes(problem, "to"), {}};
  out.values.assign(count(out.shape), 0.0);
  const Columns columns(problem, out.shape[1], out.shape[2]);
  for (size_t b = 0; b < out.shape[0]; ++b)
    columns.each(out.shape[3], [&](size_t row, size_t column, long y, long x, size_t c) {
      if (y < 0 || x < 0 || y >= static_cast<long>(out.shape[1]) || x >= static_cast<long>(out.shape[2]))
        return;
      out.values[offset_of(out.shape, {b, static_cast<size_t>(y), static_cast<size_t>(x), c})] +=
          inputs[0].values[offset_of(inputs[0].shape, {b, row, column})];
    });
  return {out};
}

const Register kIm2Col{{
    .op = "Im2Col",
    .problems = {"in=1x3x3x1 kernel_size=2,2 stride=1,1 pad_amount=0,0,0,0",
                 "in=1x5x4x3 kernel_size=3,2 stride=2,1 pad_amount=1,1,0,1",
                 "in=2x4x5x2 kernel_size=2,3 stride=1,2 pad_amount=0,1,2,1 dilation=2,1",
                 "in=1x7x3x3 kernel_size=1,1 stride=3,1 pad_amount=0,0,0,0",
                 "in=1x3x3x5 kernel_size=3,3 stride=1,1 pad_amount=2,1,1,0"},
    .compute = im2col,
    .output_encoding = OutputEncoding::kBoth,
}};

const Register kCol2Im{{
    .op = "Col2Im",
    .problems = {"in=1x4x4 kernel_size=2,2 stride=1,1 pad_amount=0,0,0,0 to=1,3,3,1",
                 "in=1x18x12 kernel_size=3,2 stride=2,1 pad_amount=1,1,0,1 to=1,5,4,3",
                 "in=2x12x9 kernel_size=2,3 stride=1,2 pad_amount=0,1,2,1 dilation=2,1 to=2,4,5,2",
                 "in=1x3x9 kernel_size=1,1 stride=3,1 pad_amount=0,0,0,0 to=1,7,3,3",
                 "in=1x45x12 kernel_size=3,3 stride=1,1 pad_amount=2,1,1,1 to=1,3,3,5"},
    .compute = col2im,
}};

std::vector<Tensor> glimpse(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t>& in = inputs[0].shape;
  const bool normalized = problem.integer("normalized", 1) == 1;
  const bool centered = problem.integer("centered", 1) == 1;
  const auto start = [&](size_t b, size_t axis) {
    const auto size = static_cast<double>(in[1 + axis]);
    double offset = inputs[1].values[b * 2 + axis];
    if (normalized && centered)
      offset = size / 2 * (1 + offset) - problem.number("size", 1, axis) / 2;  // from the glimpse's centre
    else if (normalized)
      offset *= size;
    else if (centered)
      offset += size / 2;
    return static_cast<long>(std::trunc(offset));
  };
  Tensor out{{in[0], problem.integer("size", 1, 0), problem.integer("size", 1, 1), in[3]}, {}};
  for (size_t i = 0; i < count(out.shape); ++i) {
    const std::vector<size_t> index = index_of(out.shape, i);
    out.values.push_back(pixel(inputs[0], index[0], start(index[0], 0) + static_cast<long>(index[1]),
                               start(index[0], 1) + static_cast<long>(index[2]), index[3]));
  }
  return {out};
}

const Register kExtractGlimpse{{
    .op = "ExtractGlimpse",
    // Glimpses that stick out have zeros there; noise has its own test.
    .problems = {"in=1x5x5x1 in=1x2 size=3,3 noise=2", "in=2x8x6x3 in=2x2 size=4,5 noise=2 centered=0",
                 "in=3x5x7x2 in=3x2 size=2,3 noise=2 normalized=0",
                 "in=2x4x4x3 in=2x2 size=6,1 noise=2 normalized=0 centered=0",
                 "in=2x9x9x3 in=2x2 size=3,3 noise=2"},
    .compute = glimpse,
    .fill =
        [](const Problem& problem, size_t input, Tensor& values, Random& random) {
          if (input != 1) return false;
          const double most = problem.integer("normalized", 1) ? 1.25 : 6.0;
          for (double& value : values.values) value = std::round(uniform(random, -most, most) * 16) / 16;
          return true;
        },
    .output_encoding = OutputEncoding::kBoth,
}};

}  // namespace
}  // namespace openqnn::oracle
