// SPDX-License-Identifier: BSD-3-Clause
#include "ops/fuzz/problems.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

using oracle::shape_text;
using Sizes = std::vector<size_t>;

// What the reference kernel computes in about a millisecond: products of a sum, or elements.
constexpr size_t kMostProducts = 60'000;
constexpr size_t kMostElements = 2'000;

size_t between(Dice& dice, size_t low, size_t high) { return low + dice.below(high - low + 1); }

// Few, or about as many as vectors and blocks hold.
size_t extent(Dice& dice, size_t most) {
  static constexpr size_t kEdges[] = {15, 16, 17, 24, 31, 32, 33, 47, 48, 63, 64, 65, 96, 127, 128, 129, 200};
  const size_t chosen = dice.below(2) == 0 ? between(dice, 1, 9) : kEdges[dice.below(std::size(kEdges))];
  return std::clamp<size_t>(chosen, 1, std::max<size_t>(most, 1));
}

std::string list(const Sizes& numbers) {
  std::string text;
  for (const size_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string in(const Sizes& shape) { return "in=" + shape_text(shape); }

std::string maybe_in(Dice& dice, size_t length) { return dice.below(2) ? " " + in({length}) : ""; }

std::string flag(Dice& dice, const char* name) {
  return dice.below(2) ? std::string(" ") + name + "=1" : std::string();
}

// The last dimension is the longest.
Sizes shape_of(Dice& dice, size_t rank) {
  Sizes shape(rank);
  size_t left = kMostElements;
  for (size_t i = rank; i > 0; --i) {
    shape[i - 1] = i == rank ? extent(dice, left) : std::min(between(dice, 1, 9), left);
    left = std::max<size_t>(left / shape[i - 1], 1);
  }
  return shape;
}

Sizes any_shape(Dice& dice) { return shape_of(dice, between(dice, 1, 4)); }

// ---- Windows ----

// Along two axes: sizes of the input, filter, strides, dilations and paddings that leave an output.
struct Windows {
  Sizes in;
  Sizes filter;
  Sizes stride;
  Sizes dilation;
  Sizes pads;
  size_t positions = 1;

  Windows(Dice& dice, size_t most_filter, bool dilates, bool transposed = false) {
    for (int axis = 0; axis < 2; ++axis) {
      filter.push_back(between(dice, 1, most_filter));
      stride.push_back(between(dice, 1, 3));
      dilation.push_back(dilates ? between(dice, 1, 3) : 1);
      const size_t reach = (filter.back() - 1) * dilation.back() + 1;
      in.push_back((transposed ? 0 : reach - 1) + between(dice, 1, 12));
      // Past the filter's reach there is padding alone; pooling and transposing know none of that.
      const size_t most_pad = transposed ? (reach - 1) / 2 : dilates ? reach + 1 : filter.back() - 1;
      for (int side = 0; side < 2; ++side) pads.push_back(between(dice, 0, most_pad));
      const size_t padded = in.back() + pads[pads.size() - 1] + pads[pads.size() - 2];
      positions *= transposed ? in.back() : (padded - reach) / stride.back() + 1;
    }
  }

  size_t taps() const { return filter[0] * filter[1]; }
  std::string params() const { return " stride=" + list(stride) + " pad_amount=" + list(pads); }
};

std::string conv(Dice& dice) {
  const Windows windows(dice, 5, true);
  const size_t batches = between(dice, 1, 2);
  const size_t groups = dice.below(4) == 0 ? between(dice, 2, 4) : 1;
  const size_t products = kMostProducts / (batches * windows.positions * windows.taps() * groups);
  const size_t depth = extent(dice, products);
  const size_t columns = extent(dice, products / depth);
  return in({batches, windows.in[0], windows.in[1], depth * groups}) + " " +
         in({windows.filter[0], windows.filter[1], depth, columns * groups}) +
         maybe_in(dice, columns * groups) + windows.params() + " dilation=" + list(windows.dilation) +
         " group=" + std::to_string(groups);
}

std::string transpose_conv(Dice& dice) {
  const Windows windows(dice, 4, false, true);
  const size_t products = kMostProducts / (windows.positions * windows.taps());
  const size_t depth = extent(dice, products);
  const size_t columns = extent(dice, products / depth);
  return in({1, windows.in[0], windows.in[1], depth}) + " " +
         in({windows.filter[0], windows.filter[1], depth, columns}) + maybe_in(dice, columns) +
         windows.params();
}

std::string depth_wise(Dice& dice) {
  const Windows windows(dice, 5, true);
  const size_t batches = between(dice, 1, 2);
  const size_t multiplier = dice.below(4) == 0 ? between(dice, 2, 3) : 1;
  const size_t channels =
      extent(dice, kMostProducts / (batches * windows.positions * windows.taps() * multiplier));
  return in({batches, windows.in[0], windows.in[1], channels}) + " " +
         in({windows.filter[0], windows.filter[1], 1, channels * multiplier}) +
         maybe_in(dice, channels * multiplier) + windows.params() + " dilation=" + list(windows.dilation);
}

std::string pool(Dice& dice) {
  const Windows windows(dice, 4, false);
  const size_t channels = extent(dice, kMostElements / (windows.in[0] * windows.in[1]));
  return in({between(dice, 1, 2), windows.in[0], windows.in[1], channels}) +
         " filter_size=" + list(windows.filter) + windows.params() + flag(dice, "rounding_mode");
}

std::string pool_average(Dice& dice) { return pool(dice) + flag(dice, "count_pad_for_edges"); }

std::string resize(Dice& dice) {
  static constexpr const char* kPlaces[] = {"", " align_corners=1", " half_pixel_centers=1"};
  const size_t height = between(dice, 1, 9);
  const size_t width = between(dice, 1, 9);
  return in({between(dice, 1, 2), height, width, extent(dice, kMostElements / (height * width))}) +
         " to=" + list({between(dice, 1, 12), between(dice, 1, 12)}) + kPlaces[dice.below(3)];
}

// ---- Products ----

std::string fully_connected(Dice& dice) {
  const size_t rows = between(dice, 1, 9);
  const size_t length = extent(dice, kMostProducts / rows);
  const size_t units = extent(dice, kMostProducts / rows / length);
  return in({rows, length}) + " " + in({units, length}) + maybe_in(dice, units) + flag(dice, "keep_dims");
}

std::string mat_mul(Dice& dice) {
  const size_t batches = between(dice, 1, 3);
  const size_t rows = extent(dice, 65);
  const size_t length = extent(dice, kMostProducts / batches / rows);
  const size_t columns = extent(dice, kMostProducts / batches / rows / length);
  const bool left = dice.below(3) == 1;
  const bool right = dice.below(3) == 1;
  Sizes a = left ? Sizes{length, rows} : Sizes{rows, length};
  Sizes b = right ? Sizes{columns, length} : Sizes{length, columns};
  if (batches > 1) a.insert(a.begin(), batches);
  if (batches > 1 && dice.below(2) == 0) b.insert(b.begin(), dice.below(2) ? batches : 1);
  return in(a) + " " + in(b) + maybe_in(dice, columns) + (left ? " transpose_in0=1" : "") +
         (right ? " transpose_in1=1" : "");
}

// ---- Rows and elements ----

std::string softmax(Dice& dice) { return in(any_shape(dice)) + (dice.below(2) ? " beta=0.5" : ""); }

std::string log_softmax(Dice& dice) {
  const Sizes shape = any_shape(dice);
  return in(shape) + " axis=" + std::to_string(shape.size() - 1);
}

std::string norm(Dice& dice) {
  const Sizes shape = any_shape(dice);
  const std::string channels = " " + in({shape.back()});
  const std::string affine[] = {channels, channels + channels, " in=none" + channels};
  return in(shape) + affine[dice.below(3)] + " axes=" + std::to_string(shape.size() - 1) +
         (dice.below(2) ? " epsilon=1e-5" : "");
}

std::string transpose(Dice& dice) {
  Sizes shape = any_shape(dice);
  std::swap(shape.back(), shape[dice.below(shape.size())]);
  Sizes order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[between(dice, 0, i - 1)]);
  return in(shape) + " perm=" + list(order);
}

std::string concat(Dice& dice) {
  const Sizes shape = any_shape(dice);
  const size_t axis = between(dice, 0, shape.size() - 1);
  std::string line;
  for (size_t count = between(dice, 1, 4); count > 0; --count) {
    Sizes each = shape;
    each[axis] = extent(dice, 40);
    line += in(each) + " ";
  }
  return line + "axis=" + std::to_string(axis);
}

std::string split(Dice& dice) {
  const Sizes shape = any_shape(dice);
  const size_t axis = between(dice, 0, shape.size() - 1);
  Sizes starts;
  for (size_t at = 1; at < shape[axis] && starts.size() < 4; ++at)
    if (dice.below(3) == 0) starts.push_back(at);
  if (starts.empty()) return {};
  return in(shape) + " axis=" + std::to_string(axis) + " split_index=" + list(starts);
}

std::string gather(Dice& dice) {
  const Sizes shape = any_shape(dice);
  return in(shape) + " " + in({between(dice, 1, 20)}) +
         " axis=" + std::to_string(between(dice, 0, shape.size() - 1));
}

std::string reduce(Dice& dice) {
  const Sizes shape = any_shape(dice);
  Sizes axes;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    if (dice.below(2) == 1) axes.push_back(axis);
  if (axes.empty()) axes.push_back(between(dice, 0, shape.size() - 1));
  return in(shape) + " axes=" + list(axes) + flag(dice, "keep_dims");
}

std::string unary(Dice& dice) { return in(any_shape(dice)); }

// Two shapes that broadcast together, either of them the smaller one.
std::string binary(Dice& dice) {
  const Sizes a = any_shape(dice);
  Sizes b = a;
  if (dice.below(2))
    b.erase(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(between(dice, 0, b.size() - 1)));
  for (size_t& size : b)
    if (dice.below(3) == 1) size = 1;
  return dice.below(2) ? in(a) + " " + in(b) : in(b) + " " + in(a);
}

struct Generator {
  const char* op;
  std::string (*problem)(Dice& dice);  // without types
};

constexpr Generator kGenerators[] = {
    {"Conv2d", conv},
    {"Conv2d", conv},
    {"DepthWiseConv2d", depth_wise},
    {"DepthWiseConv2d", depth_wise},
    {"TransposeConv2d", transpose_conv},
    {"FullyConnected", fully_connected},
    {"MatMul", mat_mul},
    {"MatMul", mat_mul},
    {"PoolMax2d", pool},
    {"PoolAvg2d", pool_average},
    {"ResizeBilinear", resize},
    {"ResizeNearestNeighbor", resize},
    {"Softmax", softmax},
    {"LogSoftmax", log_softmax},
    {"LayerNorm", norm},
    {"RmsNorm", norm},
    {"Transpose", transpose},
    {"Concat", concat},
    {"Split", split},
    {"Gather", gather},
    {"ReduceMean", reduce},
    {"ReduceSum", reduce},
    {"ReduceMax", reduce},
    {"ReduceMin", reduce},
    {"ReduceProd", reduce},
    {"ReduceSumSquare", reduce},
    {"ElementWiseAdd", binary},
    {"ElementWiseSubtract", binary},
    {"ElementWiseMultiply", binary},
    {"ElementWiseDivide", binary},
    {"ElementWiseMaximum", binary},
    {"ElementWiseMinimum", binary},
    {"Relu", unary},
    {"Relu6", unary},
    {"Sigmoid", unary},
    {"Tanh", unary},
    {"Gelu", unary},
    {"HardSwish", unary},
    {"Elu", unary},
    {"ElementWiseExp", unary},
    {"ElementWiseSquareRoot", unary},
    {"ElementWiseRsqrt", unary},
    {"Quantize", unary},
    {"Dequantize", unary},
    {"Convert", unary},
};

constexpr size_t kAnyOp = 4;  // as often as that many of these

// One of those that the op's tests try.
std::string known_problem(Dice& dice, const oracle::Oracle& oracle) {
  if (!oracle.random_problem || dice.below(2) == 0) return dice.of(oracle.problems);
  oracle::Random random(dice.word());
  return oracle.random_problem(random);
}

}  // namespace

std::optional<oracle::Problem> problem_from(Dice& dice) {
  const uint32_t chosen = dice.below(std::size(kGenerators) + kAnyOp);
  const bool any = chosen >= std::size(kGenerators);
  const oracle::Oracle* known =
      any ? &oracle::all()[dice.word() % oracle::all().size()] : oracle::find(kGenerators[chosen].op);
  if (!known) return std::nullopt;
  oracle::Oracle oracle = *known;
  const std::string problem = any ? known_problem(dice, *known) : kGenerators[chosen].problem(dice);
  if (problem.empty()) return std::nullopt;
  oracle.problems = {problem};
  oracle.words = {dice.of(known->words)};
  const std::vector<oracle::Problem> typed = problems(oracle, 0);
  if (typed.empty()) return std::nullopt;
  return dice.of(typed);
}

}  // namespace openqnn::ops
