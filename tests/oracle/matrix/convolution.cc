// SPDX-License-Identifier: BSD-3-Clause
// Convolutions over one to three axes, plain, depth-wise and transposed.
#include <string>

#include "oracle/matrix/weights.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

enum class Form : uint8_t { kPlain, kDepthWise, kTransposed };

std::string list(const std::vector<size_t>& numbers) {
  std::string text;
  for (const size_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

// Scatters: every input is added to the outputs that see it, tap by tap.
struct Scatter {
  const Problem& problem;
  Form form;
  std::vector<size_t> in;
  std::vector<size_t> filter;
  size_t axes = in.size() - 2;
  std::vector<size_t> out = output_shape();

  size_t param(const char* name, size_t fallback, size_t index) const {
    return problem.integer(name, fallback, index);
  }
  size_t groups() const { return form == Form::kDepthWise ? in.back() : problem.integer("group", 1); }

  std::vector<size_t> output_shape() const {
    std::vector<size_t> shape = {in[0]};
    for (size_t axis = 0; axis < axes; ++axis) {
      const size_t pads = param("pad_amount", 0, 2 * axis) + param("pad_amount", 0, 2 * axis + 1);
      const size_t reach = (filter[axis] - 1) * param("dilation", 1, axis) + 1;
      const size_t stride = param("stride", 1, axis);
      if (form == Form::kTransposed)
        shape.push_back(stride * (in[1 + axis] - 1) + reach + param("output_padding", 0, axis) - pads);
      else
        shape.push_back((in[1 + axis] + pads - reach) / stride + 1);
    }
    shape.push_back(filter.back() * (form == Form::kTransposed ? groups() : 1));
    return shape;
  }

  // The output along `axis` that input `at` reaches through filter tap `tap`, or none.
  bool reaches(size_t axis, size_t at, size_t tap, size_t* output) const {
    const auto pad = static_cast<long>(param("pad_amount", 0, 2 * axis));
    const auto back = static_cast<long>(tap * param("dilation", 1, axis));
    const auto stride = static_cast<long>(param("stride", 1, axis));
    long position = 0;
    if (form == Form::kTransposed) {
      position = static_cast<long>(at) * stride - pad + back;
    } else {
      position = static_cast<long>(at) + pad - back;
      if (position % stride != 0) return false;
      position /= stride;
    }
    if (position < 0 || position >= static_cast<long>(out[1 + axis])) return false;
    *output = static_cast<size_t>(position);
    return true;
  }

  // One input times one filter tap, for all the output channels of its group.
  void add(double value, size_t channel, size_t tap, const Tensor& weights, double* pixel) const {
    if (form == Form::kTransposed) {
      const size_t group = channel / (in.back() / groups());
      for (size_t n = 0; n < filter.back(); ++n)
        pixel[group * filter.back() + n] +=
            value * weights.values[(tap * in.back() + channel) * filter.back() + n];
      return;
    }
    const size_t per_group = in.back() / groups();
    const size_t columns = filter.back() / groups();
    const double* row = &weights.values[(tap * per_group + channel % per_group) * filter.back()];
    const size_t first = channel / per_group * columns;
    for (size_t n = first; n < first + columns; ++n) pixel[n] += value * row[n];
  }
};

std::vector<Tensor> conv(const Problem& problem, const std::vector<Tensor>& inputs, Form form) {
  const Scatter scatter{problem, form, inputs[0].shape, inputs[1].shape};
  Tensor out{scatter.out, std::vector<double>(count(scatter.out))};
  const size_t channels = scatter.out.back();
  if (problem.has_input(2))
    for (size_t i = 0; i < out.values.size(); ++i) out.values[i] = inputs[2].values[i % channels];

  const std::vector<size_t> taps(scatter.filter.begin(), scatter.filter.end() - 2);
  std::vector<std::vector<size_t>> in_filter;
  for (size_t tap = 0; tap < count(taps); ++tap) in_filter.push_back(index_of(taps, tap));
  const size_t width = scatter.in.back();
  for (size_t pixel = 0; pixel < inputs[0].values.size() / width; ++pixel) {
    const std::vector<size_t> at = index_of(scatter.in, pixel * width);
    std::vector<size_t> target(scatter.out.size());
    target[0] = at[0];
    for (size_t tap = 0; tap < in_filter.size(); ++tap) {
      bool seen = true;
      for (size_t axis = 0; axis < scatter.axes && seen; ++axis)
        seen = scatter.reaches(axis, at[1 + axis], in_filter[tap][axis], &target[1 + axis]);
      if (!seen) continue;
      double* to = &out.values[offset_of(scatter.out, target)];
      for (size_t c = 0; c < width; ++c)
        scatter.add(inputs[0].values[pixel * width + c], c, tap, inputs[1], to);
    }
  }
  return {out};
}

// ---- Random problems ----

std::string random_conv(Random& random, size_t axes, Form form) {
  const size_t groups = form != Form::kDepthWise && pick(random, 0, 2) == 0 ? pick(random, 2, 3) : 1;
  const size_t channels = pick(random, 1, 9);
  const size_t columns = pick(random, 1, 10);
  std::vector<size_t> in = {pick(random, 1, 2)};
  std::vector<size_t> filter;
  std::vector<size_t> stride;
  std::vector<size_t> dilation;
  std::vector<size_t> pads;
  std::vector<size_t> output_padding;
  const bool dilates = form != Form::kTransposed || axes == 3;
  for (size_t axis = 0; axis < axes; ++axis) {
    filter.push_back(pick(random, 1, 3));
    stride.push_back(pick(random, 1, 3));
    dilation.push_back(dilates ? pick(random, 1, 2) : 1);
    const size_t reach = (filter[axis] - 1) * dilation[axis] + 1;
    in.push_back(pick(random, 1, 5) + (form == Form::kTransposed ? 0 : reach - 1));
    const size_t most = form == Form::kTransposed ? (reach - 1) / 2 : 3;
    pads.insert(pads.end(), {pick(random, 0, most), pick(random, 0, most)});
    output_padding.push_back(pick(random, 0, stride[axis] - 1));
  }
  in.push_back(channels * groups);
  if (form == Form::kPlain) filter.insert(filter.end(), {channels, columns * groups});
  if (form == Form::kDepthWise) filter.insert(filter.end(), {1, channels * pick(random, 1, 3)});
  if (form == Form::kTransposed) filter.insert(filter.end(), {channels * groups, columns});
  const size_t outputs = filter.back() * (form == Form::kTransposed ? groups : 1);
  return "in=" + shape_text(in) + " in=" + shape_text(filter) +
         (pick(random, 0, 1) ? " in=" + std::to_string(outputs) : "") + " stride=" + list(stride) +
         " pad_amount=" + list(pads) + (dilates ? " dilation=" + list(dilation) : "") +
         (form == Form::kDepthWise ? "" : " group=" + std::to_string(groups)) +
         (form == Form::kTransposed ? " output_padding=" + list(output_padding) : "");
}

Oracle make(const std::string& op, size_t axes, Form form, std::vector<std::string> problems) {
  Oracle oracle;
  oracle.op = op;
  oracle.problems = std::move(problems);
  oracle.random_problem = [=](Random& random) { return random_conv(random, axes, form); };
  oracle.compute = [=](const Problem& problem, const std::vector<Tensor>& inputs) {
    return conv(problem, inputs, form);
  };
  oracle.words = {"", "- static static", "- static:axis:bits4 static:axis"};
  if (axes == 2)
    oracle.words.insert(oracle.words.end(), {"- static:axis static:derived", "- static:block:bits4 static"});
  oracle.sum_length = [](const Problem& problem) {
    return count(problem.inputs[1].shape) / problem.inputs[1].shape.back();
  };
  oracle.channel_axis = [](const Problem& problem) { return problem.inputs[1].shape.size() - 1; };
  oracle.bias_input = 2;
  oracle.skip = skips_weights;
  return oracle;
}

const Register kConv2d{make("Conv2d", 2, Form::kPlain,
                            {"in=1x1x1x1 in=1x1x1x1 stride=1,1 pad_amount=0,0,0,0",
                             "in=1x6x6x3 in=3x3x3x16 in=16 stride=2,2 pad_amount=1,1,1,1",
                             "in=1x3x3x33 in=2x2x33x35 stride=1,1 pad_amount=1,0,1,0",
                             "in=2x5x7x4 in=3x2x4x5 in=5 stride=1,2 pad_amount=2,0,0,1 dilation=2,3",
                             "in=1x4x4x8 in=3x3x2x12 in=12 stride=1,1 pad_amount=1,1,1,1 group=4",
                             "in=1x4x4x8 in=3x3x1x8 stride=1,1 pad_amount=1,1,1,1 group=8",
                             // More padding than filter: outputs of bias only.
                             "in=1x2x2x3 in=2x2x3x4 in=4 stride=1,1 pad_amount=4,3,0,5"})};

const Register kDepthWise2d{make("DepthWiseConv2d", 2, Form::kDepthWise,
                                 {"in=1x1x1x1 in=1x1x1x1 stride=1,1 pad_amount=0,0,0,0",
                                  "in=1x4x4x33 in=3x3x1x33 in=33 stride=1,1 pad_amount=1,1,1,1",
                                  "in=2x7x5x4 in=3x2x1x4 stride=2,1 pad_amount=1,0,0,1",
                                  "in=1x5x5x3 in=2x2x1x9 in=9 stride=1,1 pad_amount=0,1,2,0",
                                  "in=1x7x7x5 in=3x3x1x5 in=5 stride=2,2 pad_amount=2,2,2,2 dilation=2,2"})};

const Register kTranspose2d{
    make("TransposeConv2d", 2, Form::kTransposed,
         {"in=1x1x1x1 in=1x1x1x1 stride=1,1 pad_amount=0,0,0,0",
          "in=1x4x4x3 in=3x3x3x7 in=7 stride=2,2 pad_amount=1,1,1,1 output_padding=1,1",
          "in=1x3x5x33 in=2x2x33x4 in=4 stride=2,2 pad_amount=0,0,0,0",
          "in=2x3x2x4 in=1x4x4x5 stride=3,1 pad_amount=0,0,2,1 output_padding=2,0",
          "in=1x3x3x6 in=3x3x6x4 in=12 stride=1,2 pad_amount=1,0,0,2 group=3"})};

const Register kConv3d{
    make("Conv3d", 3, Form::kPlain,
         {"in=1x1x1x1x1 in=1x1x1x1x1 stride=1,1,1 pad_amount=0,0,0,0,0,0",
          "in=1x4x5x6x3 in=2x3x3x3x5 in=5 stride=1,2,1 pad_amount=1,0,1,1,0,1",
          "in=2x3x3x3x4 in=2x1x2x2x6 in=6 stride=1,1,1 pad_amount=0,1,0,0,1,1 group=2",
          "in=1x2x5x5x5 in=1x2x2x5x33 stride=1,1,1 pad_amount=0,0,0,0,0,0 dilation=1,2,3"})};

const Register kTranspose3d{
    make("TransposeConv3d", 3, Form::kTransposed,
         {"in=1x1x1x1x1 in=1x1x1x1x1 stride=1,1,1 pad_amount=0,0,0,0,0,0",
          "in=1x2x3x2x3 in=2x3x3x3x5 in=5 stride=2,2,1 pad_amount=0,1,1,1,0,1 output_padding=1,0,0",
          "in=2x2x2x2x4 in=1x2x2x4x3 in=6 stride=1,1,3 pad_amount=0,0,0,0,0,0 group=2 output_padding=0,0,2",
          "in=1x2x3x3x5 in=2x2x2x5x7 stride=1,1,1 pad_amount=0,0,1,0,0,1 dilation=1,2,3"})};

const Register kConv1d{
    make("Conv1d", 1, Form::kPlain,
         {"in=1x1x1 in=1x1x1 stride=1 pad_amount=0,0", "in=2x9x4 in=3x4x5 in=5 stride=2 pad_amount=1,2",
          "in=1x8x33 in=2x33x7 in=7 stride=1 pad_amount=0,0 dilation=3",
          "in=1x5x6 in=3x2x9 in=9 stride=1 pad_amount=1,1 group=3"})};

const Register kDepthWise1d{
    make("DepthWiseConv1d", 1, Form::kDepthWise,
         {"in=1x1x1 in=1x1x1 stride=1 pad_amount=0,0", "in=2x9x4 in=3x1x4 in=4 stride=2 pad_amount=1,2",
          "in=1x8x3 in=2x1x9 in=9 stride=1 pad_amount=0,1 dilation=3",
          "in=1x5x35 in=3x1x35 stride=1 pad_amount=1,1"})};

const Register kTranspose1d{make("TransposeConv1d", 1, Form::kTransposed,
                                 {"in=1x1x1 in=1x1x1 stride=1 pad_amount=0,0",
                                  "in=2x5x4 in=3x4x5 in=5 stride=2 pad_amount=1,0 output_padding=1",
                                  "in=1x4x33 in=2x33x7 in=7 stride=3 pad_amount=0,0",
                                  "in=1x5x6 in=3x6x3 in=9 stride=1 pad_amount=1,1 group=3"})};

}  // namespace
}  // namespace openqnn::oracle
