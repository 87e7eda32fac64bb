// SPDX-License-Identifier: BSD-3-Clause
// LayerNorm, RmsNorm, InstanceNorm and GroupNorm: what belongs together is measured, every element is moved
// and divided by the measure, then scaled and shifted by channel.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ops/checks.h"
#include "ops/elements.h"
#include "ops/elementwise/fast/blocks.h"
#include "ops/normalise/affine.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"
#include "ops/normalise/fast/rows.h"
#include "ops/normalise/sums.h"

namespace openqnn::ops {
namespace {

// Ours: two passes of sums, one to divide, scale and shift (four times the lanes when 8-bit values are
// widened).
constexpr CellCost kNormCost = {56, 20, 3};

enum class Measure : uint8_t {
  kMeanAndDeviation,  // (x - mean) / sqrt(variance + epsilon)
  kMean,              // x - mean, no gamma or beta
  kRootMeanSquare,    // x / sqrt(mean of squares + epsilon)
  kRootSumSquare,     // x / sqrt(sum of squares + epsilon)
};

// Everything that sets a norm apart from the others.
struct Norm {
  ir::Shape cell;  // what is measured together
  Measure measure = Measure::kMeanAndDeviation;
  double epsilon = 0.0;
};

// ---- The kernel ----

struct Measured {
  double shift = 0.0;
  double divisor = 1.0;
};

double divisor_of(const Norm& norm, double squares, double count) {
  return std::sqrt((norm.measure == Measure::kRootSumSquare ? squares : squares / count) + norm.epsilon);
}

// Sums run in memory order of the whole cell, so that they do not depend on how the output is divided.
Measured measure(const Norm& norm, const ElementReader& read, const ir::Shape& shape, const ir::Box& cell) {
  const auto count = static_cast<double>(cell.elements());
  Measured result;
  if (norm.measure == Measure::kMeanAndDeviation || norm.measure == Measure::kMean) {
    LaneSum sum;
    for_each_offset(shape, cell, [&](uint64_t at) { sum.add(read(at)); });
    result.shift = sum.total() / count;
    if (norm.measure == Measure::kMean) return result;
  }
  LaneSum squares;
  for_each_offset(shape, cell, [&](uint64_t at) {
    const double distance = read(at) - result.shift;
    squares.add(distance * distance);
  });
  result.divisor = divisor_of(norm, squares.total(), count);
  return result;
}

template <Norm (*norm_of)(const OpCall&)>
void run_norm(const KernelArgs& args, const ir::Box& region) {
  const ir::Shape& shape = args.call.out().shape;
  const Norm norm = norm_of(args.call);
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  const Affine affine(args);
  for_each_cell(norm.cell, region, [&](const ir::Box& cell) {
    const Measured measured = measure(norm, read, shape, cell);
    for_each_offset(shape, intersection(cell, region), [&](uint64_t at) {
      const double normal = (read(at) - measured.shift) / measured.divisor;
      write(at, norm.measure == Measure::kMean ? normal : affine(normal, at));
    });
  });
}

// ---- Fast kernel: rows of the last axis, all elements at once ----

// One of each for every channel.
struct RowScratch {
  double* values;
  double* gamma;
  double* beta;
  float* gamma_steps;
  float* beta_steps;

  RowScratch(std::byte* room, size_t count)
      : values(reinterpret_cast<double*>(room)),
        gamma(values + count),
        beta(gamma + count),
        gamma_steps(reinterpret_cast<float*>(beta + count)),
        beta_steps(gamma_steps + count) {}
  static uint64_t bytes(uint64_t count) { return count * (3 * sizeof(double) + 2 * sizeof(float)); }
};

Measured measure_row(const Norm& norm, const double* values, uint32_t count) {
  const fast::RowLoops& loops = fast::host_rows();
  Measured result;
  const double elements = count;
  if (norm.measure == Measure::kMeanAndDeviation) result.shift = loops.sum(values, count) / elements;
  result.divisor = divisor_of(norm, loops.sum_of_squares(values, count, result.shift), elements);
  return result;
}

// Everything about rows of bytes that is the same for all of them.
fast::ByteNorm byte_norm(const OpCall& call, const fast::RowNorm& row, const RowScratch& scratch) {
  fast::ByteNorm how{.row = row,
                     .in = fast::fixed_format(call.in(0)),
                     .out = fast::fixed_format(call.out()),
                     .gamma_steps = scratch.gamma_steps,
                     .beta_steps = scratch.beta_steps};
  for (uint32_t i = 0; i < call.out().shape.from_end(0); ++i) {
    const double gamma = (row.gamma ? row.gamma[i] : 1.0) / how.out.scale;
    const double beta = (row.beta ? row.beta[i] : 0.0) / how.out.scale - how.out.low;
    how.largest_gamma = std::max(how.largest_gamma, std::fabs(gamma));
    how.largest_beta = std::max(how.largest_beta, std::fabs(beta));
    scratch.gamma_steps[i] = static_cast<float>(gamma);
    scratch.beta_steps[i] = static_cast<float>(beta);
  }
  return how;
}

template <Norm (*norm_of)(const OpCall&)>
void run_rows(const KernelArgs& args, const ir::Box& region) {
  if (region.empty()) return;
  const OpCall& call = args.call;
  const ir::Shape& shape = call.out().shape;
  const uint32_t count = shape.from_end(0);
  const uint32_t begin = region.begin[shape.rank() - 1];
  const uint32_t end = region.end[shape.rank() - 1];
  const Norm norm = norm_of(call);
  const fast::BlockReader read(call.in(0), args.inputs[0]);
  const fast::BlockWriter write(call.out(), args.outputs[0]);
  const RowScratch scratch(args.scratch.data(), count);
  fast::RowNorm how;
  if (call.has_input(1)) {
    fast::BlockReader(call.in(1), args.inputs[1])(0, count, scratch.gamma);
    how.gamma = scratch.gamma;
  }
  if (call.has_input(2)) {
    fast::BlockReader(call.in(2), args.inputs[2])(0, count, scratch.beta);
    how.beta = scratch.beta;
  }
  const bool is_bytes = fast::has_plain_bytes(call.in(0)) && fast::has_plain_bytes(call.out());
  fast::ByteNorm bytes = is_bytes ? byte_norm(call, how, scratch) : fast::ByteNorm{};
  for_each_cell(norm.cell, region, [&](const ir::Box& cell) {
    const uint64_t row = ir::offset_of(shape, cell.begin);
    read(row, count, scratch.values);
    const Measured measured = measure_row(norm, scratch.values, count);
    how.shift = bytes.row.shift = measured.shift;
    how.divisor = bytes.row.divisor = measured.divisor;
    if (is_bytes) {
      fast::host_rows().normalise_bytes(bytes, reinterpret_cast<const uint8_t*>(args.inputs[0]) + row,
                                        reinterpret_cast<uint8_t*>(args.outputs[0]) + row, begin, end);
    } else {
      fast::host_rows().normalise(scratch.values, count, how);
      write(row + begin, end - begin, scratch.values + begin);
    }
  });
}

// ---- The op ----

template <Norm (*norm_of)(const OpCall&)>
ir::Shape cell_of(const OpCall& call) {
  return norm_of(call).cell;
}

// `over_rows`: what is measured together is a row of the last axis.
template <Norm (*norm_of)(const OpCall&), bool over_rows>
OpDef norm_op(std::string_view type, Status (*check)(const OpCall&)) {
  OpDef def = cell_op<cell_of<norm_of>, kNormCost>(type, check, {"reference", nullptr, run_norm<norm_of>});
  def.input_box = [](const OpCall& call, size_t index, const ir::Box& output) {
    return index == 0 ? whole_cells(norm_of(call).cell, output) : channel_box(output);
  };
  const auto scratch = [](const OpCall& call) { return RowScratch::bytes(call.out().shape.from_end(0)); };
  if (over_rows)
    def.kernels.insert(
        def.kernels.begin(),
        {.name = "rows", .declines = nullptr, .run = run_rows<norm_of>, .scratch_bytes = scratch});
  return def;
}

// ---- Checks ----

Status check_common(const OpCall& call) {
  OPENQNN_TRY(check_epsilon(call));
  OPENQNN_TRY(check_affine(call, "gamma", "beta"));
  return expect_shape("output", call.out().shape, call.in(0).shape);
}

// `axes` holds the last dimension and no other.
Status check_last_of_axes(const OpCall& call, std::string_view op) {
  const ir::Shape& shape = call.in(0).shape;
  OPENQNN_TRY(check_axes(*call.params, shape));
  if (call.params->count("axes") > 1)
    return unsupported("op-param-value", "axes names more than one dimension")
        .note(concat("HTP offers ", op, " on the last axis only"))
        .fix_by("reshape, so that what is normalised together is the last dimension");
  return check_last_axis(call.params->u32_at("axes", 0, 0), shape, op);
}

Norm over_last_axis(const OpCall& call, Measure measure, float default_epsilon) {
  return {.cell = last_axis_of(call.in(0).shape),
          .measure = measure,
          .epsilon = call.params->f32("epsilon", default_epsilon)};
}

// ---- LayerNorm, RmsNorm ----

Norm layer_norm_of(const OpCall& call) { return over_last_axis(call, Measure::kMeanAndDeviation, 1e-3F); }

Norm rms_norm_of(const OpCall& call) { return over_last_axis(call, Measure::kRootMeanSquare, 1e-6F); }

Status check_layer_norm(const OpCall& call) {
  OPENQNN_TRY(check_last_of_axes(call, "LayerNorm"));
  OPENQNN_TRY(check_symmetric(call, 1, "gamma"));
  OPENQNN_TRY(check_symmetric(call, 2, "beta"));
  return check_common(call);
}

Status check_rms_norm(const OpCall& call) {
  OPENQNN_TRY(check_last_of_axes(call, "RmsNorm"));
  return check_common(call);
}

// ---- InstanceNorm ----

enum InstanceMode : uint32_t { kMuSigma = 0, kRms = 1 };
enum InstanceRegion : uint32_t { kAcrossSpatial = 0, kAcrossChannel = 1, kAcrossAll = 2 };

Norm instance_norm_of(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  const uint32_t region = call.params->u32("region", kAcrossSpatial);
  Norm norm{.cell = shape, .epsilon = call.params->f32("epsilon", 1e-12F)};
  for (size_t i = 0; i < shape.rank(); ++i) {
    const bool channel = i + 1 == shape.rank();
    const bool together = region == kAcrossAll || channel == (region == kAcrossChannel);
    if (i == 0 || !together) norm.cell[i] = 1;
  }
  // RMS divides by the root of a sum of squares, not of their mean. Over spatial dimensions, where the
  // definition says nothing of RMS, ours is the same sum by channel.
  if (call.params->u32("mode", kMuSigma) == kRms)
    norm.measure = Measure::kRootSumSquare;
  else if (!call.params->boolean("normalize_variance", true))
    norm.measure = Measure::kMean;
  return norm;
}

Status check_instance_modes(const OpCall& call) {
  const uint32_t mode = call.params->u32("mode", kMuSigma);
  const uint32_t region = call.params->u32("region", kAcrossSpatial);
  OPENQNN_TRY(check_choice(call, "mode", kRms, "0 (mean and variance) or 1 (RMS)"));
  OPENQNN_TRY(check_choice(call, "region", kAcrossAll, "0 (spatial), 1 (channel) or 2 (all)"));
  if (mode == kRms && !call.params->boolean("normalize_variance", true))
    return invalid("op-param-value", "normalize_variance is false, which leaves RMS mode nothing to do")
        .fix_by("leave it out, or use mode 0");
  if (ir::is_quantized(call.in(0).type) && (mode != kMuSigma || region != kAcrossSpatial))
    return unsupported("op-param-value", concat("mode ", mode, " with region ", region,
                                                " is not offered for quantized tensors"))
        .note("HTP offers quantized InstanceNorm with mode 0 and region 0 only")
        .fix_by("use half precision");
  return {};
}

Status check_instance_norm(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  if (shape.rank() < 3)
    return invalid("op-rank", concat("input has shape ", shape.to_string(),
                                     " where [b, ..., c] of rank 3 or 4 is needed"));
  if (shape.rank() == 3 && shape[0] != 1)
    return unsupported("op-shape", concat("input of rank 3 has ", shape[0], " batches"))
        .note("HTP offers InstanceNorm below rank 4 with one batch only")
        .fix_by(concat("reshape it to [", shape[0], ", 1, ", shape[1], ", ", shape[2], "]"));
  OPENQNN_TRY(check_instance_modes(call));
  return check_common(call);
}

// ---- GroupNorm ----

Norm group_norm_of(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  const size_t last = shape.rank() - 1;
  Norm norm{.cell = shape, .epsilon = call.params->f32("epsilon", 0.0F)};
  norm.cell[0] = 1;
  norm.cell[last] = shape[last] / call.params->u32("group", 1);
  return norm;
}

Status check_group_norm(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  if (shape.rank() < 2)
    return invalid("op-rank", concat("input has shape ", shape.to_string(), " where [b, ..., c] is needed"));
  const uint32_t group = call.params->u32("group", 1);
  if (group == 0 || shape.from_end(0) % group != 0)
    return invalid("op-param-value",
                   concat("group ", group, " does not divide the ", shape.from_end(0), " channels"));
  return check_common(call);
}

}  // namespace

OpDef layer_norm() { return norm_op<layer_norm_of, true>("LayerNorm", check_layer_norm); }
OpDef rms_norm() { return norm_op<rms_norm_of, true>("RmsNorm", check_rms_norm); }
OpDef instance_norm() { return norm_op<instance_norm_of, false>("InstanceNorm", check_instance_norm); }
OpDef group_norm() { return norm_op<group_norm_of, false>("GroupNorm", check_group_norm); }

}  // namespace openqnn::ops
