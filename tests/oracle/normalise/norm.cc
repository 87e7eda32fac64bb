// SPDX-License-Identifier: BSD-3-Clause
// LayerNorm, RmsNorm, InstanceNorm, GroupNorm, Batchnorm and L2Norm.
#include <cmath>

#include "oracle/normalise/groups.h"
#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// The fallback changes nothing: 1 as a factor, and -0 as a summand, for 0 would make 0 of -0.
double channel_of(const std::vector<Tensor>& inputs, size_t input, size_t at, double fallback) {
  const bool given = inputs.size() > input && !inputs[input].values.empty();
  return given ? inputs[input].values[at % inputs[0].shape.back()] : fallback;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::vector<double> gather(const Tensor& from, const Offsets& at) {
  std::vector<double> values;
  for (const size_t i : at) values.push_back(from.values[i]);
  return values;
}

// The mean of squared distances from `centre`.
double spread(const std::vector<double>& values, double centre) {
  std::vector<double> squares;
  for (const double value : values) squares.push_back((value - centre) * (value - centre));
  return mean_of(squares);
}

enum class Kind : uint8_t { kMeanAndDeviation, kMeanOnly, kRootMeanSquare, kRootSumSquare };

Tensor normalised(const std::vector<Tensor>& inputs, const std::vector<Offsets>& together, Kind kind,
                  double epsilon) {
  Tensor out = inputs[0];
  for (const Offsets& group : together) {
    const std::vector<double> values = gather(inputs[0], group);
    const bool centred = kind == Kind::kMeanAndDeviation || kind == Kind::kMeanOnly;
    const double mean = centred ? mean_of(values) : 0.0;
    double square = spread(values, mean);
    if (kind == Kind::kRootSumSquare) square *= static_cast<double>(values.size());
    for (const size_t at : group) {
      out.values[at] -= mean;
      if (kind == Kind::kMeanOnly) continue;
      out.values[at] = out.values[at] / std::sqrt(square + epsilon) * channel_of(inputs, 1, at, 1.0) +
                       channel_of(inputs, 2, at, -0.0);
    }
  }
  return out;
}

double as_float(double value) { return static_cast<double>(static_cast<float>(value)); }

std::vector<Tensor> layer_norm(const Problem& problem, const std::vector<Tensor>& inputs) {
  return {normalised(inputs, groups(inputs[0].shape, sizes_of(problem, "axes")), Kind::kMeanAndDeviation,
                     as_float(problem.number("epsilon", 1e-3)))};
}

std::vector<Tensor> rms_norm(const Problem& problem, const std::vector<Tensor>& inputs) {
  return {normalised(inputs, groups(inputs[0].shape, sizes_of(problem, "axes")), Kind::kRootMeanSquare,
                     as_float(problem.number("epsilon", 1e-6)))};
}

std::vector<Tensor> instance_norm(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t rank = inputs[0].shape.size();
  const size_t region = problem.integer("region", 0);
  std::vector<size_t> axes;
  for (size_t axis = 1; axis < rank; ++axis) {
    const bool channel = axis == rank - 1;
    if (region == 2 || (region == 1 && channel) || (region == 0 && !channel)) axes.push_back(axis);
  }
  const Kind kind = problem.integer("mode", 0) == 1                 ? Kind::kRootSumSquare
                    : problem.integer("normalize_variance", 1) == 0 ? Kind::kMeanOnly
                                                                    : Kind::kMeanAndDeviation;
  return {
      normalised(inputs, groups(inputs[0].shape, axes), kind, as_float(problem.number("epsilon", 1e-12)))};
}

std::vector<Tensor> group_norm(const Problem& problem, const std::vector<Tensor>& inputs) {
  const size_t count = problem.integer("group", 1);
  // The channels as [group, channel of the group], so that a group is what the last axis and space span.
  std::vector<size_t> shape = inputs[0].shape;
  const size_t channels = shape.back();
  shape.back() = count;
  shape.push_back(channels / count);
  std::vector<size_t> axes;
  for (size_t axis = 1; axis + 2 < shape.size(); ++axis) axes.push_back(axis);
  axes.push_back(shape.size() - 1);
  return {normalised(inputs, groups(shape, axes), Kind::kMeanAndDeviation,
                     as_float(problem.number("epsilon", 0)))};
}

std::vector<Tensor> batchnorm(const Problem&, const std::vector<Tensor>& inputs) {
  Tensor out = inputs[0];
  for (size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = out.values[i] * channel_of(inputs, 1, i, 1.0) + channel_of(inputs, 2, i, -0.0);
  return {out};
}

std::vector<Tensor> l2_norm(const Problem& problem, const std::vector<Tensor>& inputs) {
  const std::vector<size_t> axes =
      problem.has("axes") ? sizes_of(problem, "axes") : std::vector<size_t>{problem.integer("axis", 0)};
  const double epsilon = as_float(problem.number("epsilon", 1e-12));
  Tensor out = inputs[0];
  for (const Offsets& group : groups(out.shape, axes)) {
    double squares = 0.0;
    for (const size_t at : group) squares += inputs[0].values[at] * inputs[0].values[at];
    for (const size_t at : group) out.values[at] /= std::max(std::sqrt(squares), epsilon);
  }
  return {out};
}

// An input of rank `low` to `high`, with gamma and beta or without.
std::string random_affine(Random& random, size_t low, size_t high, bool needs_gamma, size_t* rank) {
  std::vector<size_t> shape = random_shape(random, low, high, 5);
  shape.back() = pick(random, 1, 20);
  *rank = shape.size();
  const std::string channels = std::to_string(shape.back());
  std::string line = "in=" + shape_text(shape);
  const size_t form = pick(random, 0, 3);
  line += form == 0 && !needs_gamma ? " in=none in=" + channels : " in=" + channels;
  if (form > 1) line += " in=" + channels;
  return line;
}

std::string random_last_axis(Random& random) {
  size_t rank = 0;
  const std::string line = random_affine(random, 1, 4, false, &rank);
  return line + " axes=" + std::to_string(rank - 1) + (pick(random, 0, 1) ? " epsilon=1e-5" : "");
}

const Register kLayerNorm{{
    .op = "LayerNorm",
    .problems = {"in=5 in=5 in=5 axes=0", "in=3x8 axes=1 epsilon=1e-5", "in=2x3x33 in=33 axes=2",
                 "in=1x2x3x16 in=16 in=16 axes=3 epsilon=1e-6", "in=2x7 in=none in=7 axes=1",
                 "in=4x1 in=1 in=1 axes=1"},
    .random_problem = random_last_axis,
    .compute = layer_norm,
}};

const Register kRmsNorm{{
    .op = "RmsNorm",
    .problems = {"in=5 in=5 in=5 axes=0", "in=3x8 axes=1 epsilon=1e-5", "in=2x3x33 in=33 axes=2",
                 "in=1x2x3x16 in=16 in=16 axes=3 epsilon=1e-3", "in=2x7 in=none in=7 axes=1",
                 "in=4x1 in=1 in=1 axes=1"},
    .random_problem = random_last_axis,
    .compute = rms_norm,
}};

const Register kInstanceNorm{{
    .op = "InstanceNorm",
    .problems = {"in=1x5x3 in=3 in=3 epsilon=1e-5", "in=2x4x4x8 in=8 epsilon=1e-5",
                 "in=3x3x5x7 in=7 in=7 epsilon=1e-3",
                 "in=1x2x3x33 in=33 in=33 epsilon=1e-5 normalize_variance=0",
                 "in=1x6x1x2 in=2 in=2 epsilon=0.01 mode=0", "in=2x3x4x5 in=5 in=5 epsilon=1e-5 region=1",
                 "in=2x3x4x5 in=5 epsilon=1e-5 region=2", "in=2x3x4x5 in=5 in=5 mode=1 region=1",
                 "in=2x3x4x5 in=5 in=5 mode=1 region=2", "in=2x3x4x5 in=5 mode=1 region=0",
                 "in=2x3x4x5 in=5 region=2 normalize_variance=0"},
    .compute = instance_norm,
    .skip =
        [](const Problem& problem) {
          const bool special = problem.integer("mode", 0) != 0 || problem.integer("region", 0) != 0;
          return special && problem.inputs[0].type != "f16";
        },
}};

const Register kGroupNorm{{
    .op = "GroupNorm",
    .problems = {"in=1x3x3x6 in=6 in=6 epsilon=1e-5 group=2", "in=2x5 in=5 in=5 epsilon=1e-5 group=1",
                 "in=2x3x9 in=9 in=9 epsilon=1e-3 group=3", "in=1x2x2x4 epsilon=1e-5 group=2",
                 "in=1x3x4 in=4 group=4 epsilon=0.1"},
    .random_problem =
        [](Random& random) {
          const size_t group = pick(random, 1, 4);
          const size_t channels = group * pick(random, 1, 5);
          std::vector<size_t> shape = random_shape(random, 2, 4, 4);
          shape.back() = channels;
          return "in=" + shape_text(shape) + " in=" + std::to_string(channels) +
                 " in=" + std::to_string(channels) + " epsilon=1e-4 group=" + std::to_string(group);
        },
    .compute = group_norm,
}};

const Register kBatchnorm{{
    .op = "Batchnorm",
    .problems = {"in=5 in=5 in=5", "in=3x8 in=8", "in=2x3x33 in=33 in=33", "in=1x4x5x16 in=16 in=16",
                 "in=2x3x5x7 in=7"},
    .random_problem =
        [](Random& random) {
          size_t rank = 0;
          return random_affine(random, 1, 4, true, &rank);
        },
    .compute = batchnorm,
}};

const Register kL2Norm{{
    .op = "L2Norm",
    .problems = {"in=5", "in=3x8 axis=1", "in=2x3x5 axis=1 epsilon=0.5", "in=1x4x5x16 axis=3",
                 "in=2x3x5x7 axes=1,2", "in=2x3x3x4 axes=3,0 axis=1 epsilon=20", "in=3x1 axes=1"},
    .random_problem =
        [](Random& random) {
          const std::vector<size_t> shape = random_shape(random, 1, 4, 6);
          return "in=" + shape_text(shape) + " axes=" + random_axes(random, shape.size());
        },
    .compute = l2_norm,
}};

}  // namespace
}  // namespace openqnn::oracle
