// SPDX-License-Identifier: BSD-3-Clause
// Lstm: one step of a layer, with optional peepholes, coupled input and forget gates, projection and layer
// normalisation. Everything is computed in double from what the tensors stand for and rounded at the outputs,
// but for the two places where the op itself names an encoding inside: the values before layer normalisation
// and the value before the projection (their use, and that it is for fixed-point activations only: ours).
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/rounding.h"
#include "base/text.h"
#include "ops/checks.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/matrix/recurrent.h"

namespace openqnn::ops {
namespace {

enum : size_t {
  kLstmX,
  kWxf,
  kWxc,
  kWxo,
  kWhf,
  kWhc,
  kWho,
  kBf,
  kBc,
  kBo,
  kPrevH,
  kPrevC,
  kLnI,
  kLnF,
  kLnC,
  kLnO,
  kWxi,
  kWhi,
  kWci,
  kWcf,
  kWco,
  kBi,
  kWproj,
  kBproj,
  kLstmReset,
};
enum : size_t { kOutY, kOutC, kOutH, kOutI, kOutF, kOutG, kOutO, kOutHidden };

// Keeps the variance of equal values above 0; ours, as in TensorFlow Lite.
constexpr double kLayerNormEpsilon = 1e-8;

struct LstmSizes {
  uint32_t batch;
  uint32_t inputs;
  uint32_t units;
  uint32_t outputs;
};
LstmSizes lstm_sizes(const OpCall& call) {
  return {call.in(kLstmX).shape[0], call.in(kLstmX).shape[1], call.in(kWhf).shape[0], call.in(kWhf).shape[1]};
}

bool couples_gates(const OpCall& call) { return !call.has_input(kWxi); }

// ---- Checks ----

Status check_together(const OpCall& call, std::initializer_list<size_t> inputs, std::string_view what) {
  const auto given = std::ranges::count_if(inputs, [&](size_t input) { return call.has_input(input); });
  if (given == 0 || static_cast<size_t>(given) == inputs.size()) return {};
  return invalid("op-operands", concat(what, " are given in part")).fix_by("give all of them or none");
}

Status check_optional_groups(const OpCall& call) {
  OPENQNN_TRY(check_together(call, {kWxi, kWhi, kBi}, "the weights and the bias of the input gate"));
  if (couples_gates(call)) {
    for (const size_t input : {kWci, kLnI})
      if (call.has_input(input))
        return invalid("op-operands", concat("input ", input, " belongs to an input gate that is not there"));
    OPENQNN_TRY(check_together(call, {kWcf, kWco}, "the peepholes"));
    return check_together(call, {kLnF, kLnC, kLnO}, "the weights of layer normalisation");
  }
  OPENQNN_TRY(check_together(call, {kWci, kWcf, kWco}, "the peepholes"));
  return check_together(call, {kLnI, kLnF, kLnC, kLnO}, "the weights of layer normalisation");
}

Status check_input_shapes(const OpCall& call, const LstmSizes& sizes) {
  const auto expect_all = [&](std::initializer_list<size_t> inputs, const ir::Shape& shape) -> Status {
    for (const size_t input : inputs)
      if (call.has_input(input))
        OPENQNN_TRY(expect_shape(concat("input ", input), call.in(input).shape, shape));
    return {};
  };
  OPENQNN_TRY(expect_all({kWxf, kWxc, kWxo, kWxi}, {sizes.units, sizes.inputs}));
  OPENQNN_TRY(expect_all({kWhc, kWho, kWhi}, {sizes.units, sizes.outputs}));
  OPENQNN_TRY(expect_all({kBf, kBc, kBo, kBi, kLnI, kLnF, kLnC, kLnO, kWci, kWcf, kWco}, {sizes.units}));
  OPENQNN_TRY(expect_all({kPrevH}, {sizes.batch, sizes.outputs}));
  OPENQNN_TRY(expect_all({kPrevC}, {sizes.batch, sizes.units}));
  OPENQNN_TRY(expect_all({kWproj}, {sizes.outputs, sizes.units}));
  return expect_all({kBproj}, {sizes.outputs});
}

Status check_projection(const OpCall& call, const LstmSizes& sizes) {
  if (call.has_input(kWproj)) return {};
  if (call.has_input(kBproj)) return invalid("op-operands", "there is a projection bias, but no projection");
  if (sizes.outputs == sizes.units) return {};
  return invalid("op-shape", concat(sizes.units, " units give ", sizes.outputs,
                                    " outputs only through projection weights (input 22), which are absent"));
}

Status check_outputs(const OpCall& call, const LstmSizes& sizes) {
  const auto expect_out = [&](size_t output, const ir::Shape& shape) -> Status {
    if (!call.has_output(output)) return {};
    return expect_shape(concat("out[", output, "]"), call.out(output).shape, shape);
  };
  for (const size_t output : {kOutC, kOutI, kOutF, kOutG, kOutO, kOutHidden})
    OPENQNN_TRY(expect_out(output, {sizes.batch, sizes.units}));
  OPENQNN_TRY(expect_out(kOutH, {sizes.batch, sizes.outputs}));
  return expect_shape("output", call.out().shape, {sizes.batch, sizes.outputs});
}

constexpr std::array<std::string_view, 5> kScaleParams = {"input_gate_qscale", "forget_gate_qscale",
                                                          "cell_gate_qscale", "output_gate_qscale",
                                                          "hidden_state_qscale"};

Status check_params(const OpCall& call) {
  const ir::Params& params = *call.params;
  OPENQNN_TRY(check_choice(call, "direction", 1, "0 (forward) or 1 (reverse)"));
  for (const std::string_view name : {"cell_clip_threshold", "output_clip_threshold"})
    if (!(params.f32(name, 0.0F) >= 0.0F))
      return invalid("op-param-value", concat(name, " is ", params.f32(name, 0.0F)))
          .fix_by("use 0 (no clipping) or a number above it");
  const bool fixed = ir::is_quantized(call.in(kLstmX).type);
  for (const std::string_view name : kScaleParams) {
    const float scale = params.f32(name, 0.0F);
    if (!(scale >= 0.0F) || !std::isfinite(scale))
      return invalid("op-param-value", concat(name, " is ", scale)).fix_by("use 0 (none) or a finite scale");
    if (scale != 0.0F && !fixed)
      return unsupported("op-param-value", concat(name, " is for fixed-point activations"))
          .fix_by("leave it out, or set it to 0");
  }
  const ir::Param* offset = params.find("hidden_state_offset");
  if (offset && offset->type != ir::DataType::kInt32 && offset->type != ir::DataType::kFloat32)
    return invalid("op-param-type", concat("parameter 'hidden_state_offset' is ", ir::name(offset->type),
                                           " where i32 or f32 is needed"));
  return {};
}

Status check_lstm(const OpCall& call) {
  for (const size_t input : {kLstmX, kWhf})
    if (call.in(input).shape.rank() != 2)
      return invalid("op-rank", concat("input ", input, " has shape ", call.in(input).shape.to_string(),
                                       " where 2 dimensions are needed"));
  if (call.has_input(kLstmReset))
    return unsupported("op-operands",
                       "the reset input is for state kept between executions, and HTP takes its "
                       "default alone: every execution begins with the initial state")
        .fix_by("leave it out, and pass the state as an input");
  OPENQNN_TRY(check_params(call));
  const LstmSizes sizes = lstm_sizes(call);
  OPENQNN_TRY(check_optional_groups(call));
  OPENQNN_TRY(check_input_shapes(call, sizes));
  OPENQNN_TRY(check_projection(call, sizes));
  return check_outputs(call, sizes);
}

// ---- Kernel ----

constexpr size_t kNoPeephole = SIZE_MAX;  // an input that no call has

// Where a gate finds what it needs.
struct GateInputs {
  size_t x_weights;
  size_t h_weights;
  size_t bias;
  size_t peephole;
  size_t norm;
  std::string_view scale;
};
constexpr GateInputs kInputGate{kWxi, kWhi, kBi, kWci, kLnI, kScaleParams[0]};
constexpr GateInputs kForgetGate{kWxf, kWhf, kBf, kWcf, kLnF, kScaleParams[1]};
constexpr GateInputs kCellGate{kWxc, kWhc, kBc, kNoPeephole, kLnC, kScaleParams[2]};
constexpr GateInputs kOutputGate{kWxo, kWho, kBo, kWco, kLnO, kScaleParams[3]};

using Vector = KernelVector<double>;

double rounded_to(double value, double scale, double zero_point, double low, double high) {
  const double stored = std::clamp(::roundeven(value / scale) + zero_point, low, high);
  return (stored - zero_point) * scale;
}

void normalise(Vector& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value;
  mean /= count;
  double variance = 0.0;
  for (double& value : values) {
    value -= mean;
    variance += value * value;
  }
  const double deviation = std::sqrt(variance / count + kLayerNormEpsilon);
  for (double& value : values) value /= deviation;
}

double clipped(double value, float limit) {
  return limit > 0.0F ? std::clamp(value, -double{limit}, double{limit}) : value;
}

// One batch entry.
struct Step {
  const KernelArgs& args;
  KernelMemory& memory;
  Vector x;
  Vector h;
  Vector c;

  // What enters the gate's activation function.
  Vector gate(const GateInputs& inputs) const {
    const OptionalReader x_weights(args, inputs.x_weights);
    const OptionalReader h_weights(args, inputs.h_weights);
    const OptionalReader bias(args, inputs.bias);
    const OptionalReader peephole(args, inputs.peephole);
    const OptionalReader norm(args, inputs.norm);
    Vector values = memory.vector<double>(c.size());
    for (size_t unit = 0; unit < c.size(); ++unit)
      values[unit] = row_product(x_weights, unit, x) + row_product(h_weights, unit, h);
    // Not 0 times the cell state where there is none: that may be infinite.
    for (size_t unit = 0; peephole.present() && unit < c.size(); ++unit)
      values[unit] += peephole(unit) * c[unit];
    if (norm.present()) {
      const double scale = args.call.params->f32(inputs.scale, 0.0F);
      for (double& value : values)
        if (scale > 0.0) value = rounded_to(value, scale, 0.0, INT16_MIN, INT16_MAX);
      normalise(values);
      for (size_t unit = 0; unit < c.size(); ++unit) values[unit] *= norm(unit);
    }
    for (size_t unit = 0; unit < c.size(); ++unit) values[unit] += bias(unit);
    return values;
  }

  // The outputs of the layer from what the cells give.
  Vector projected(std::span<const double> given) const {
    const OptionalReader weights(args, kWproj);
    Vector hidden = memory.vector<double>(given.size());
    std::ranges::copy(given, hidden.begin());
    if (!weights.present()) return hidden;
    const ir::Params& params = *args.call.params;
    const double scale = params.f32("hidden_state_qscale", 0.0F);
    const double high = ir::byte_size(args.call.in(kLstmX).type) == 1 ? UINT8_MAX : UINT16_MAX;
    for (double& value : hidden)
      if (scale > 0.0) value = rounded_to(value, scale, zero_point(), 0.0, high);
    const OptionalReader bias(args, kBproj);
    const float limit = params.f32("output_clip_threshold", 0.0F);
    Vector outputs = memory.vector<double>(args.call.in(kWproj).shape[0]);
    for (size_t i = 0; i < outputs.size(); ++i)
      outputs[i] = clipped(row_product(weights, i, hidden) + bias(i), limit);
    return outputs;
  }

  double zero_point() const {
    const ir::Param* offset = args.call.params->find("hidden_state_offset");
    if (!offset) return 0.0;
    return offset->type == ir::DataType::kInt32 ? args.call.params->i32("hidden_state_offset", 0)
                                                : args.call.params->f32("hidden_state_offset", 0.0F);
  }
};

Vector row_of(KernelMemory& memory, const OptionalReader& reader, uint64_t row, size_t size) {
  Vector values = memory.vector<double>(size);
  for (size_t i = 0; i < size; ++i) values[i] = reader(row * size + i);
  return values;
}

void write_row(const KernelArgs& args, size_t output, uint64_t row, const Vector& values) {
  const OptionalWriter write(args, output);
  for (size_t i = 0; i < values.size(); ++i) write(row * values.size() + i, values[i]);
}

void run_step(const KernelArgs& args, const LstmSizes& sizes, uint64_t batch) {
  const float cell_clip = args.call.params->f32("cell_clip_threshold", 0.0F);
  KernelMemory memory(args);
  Step step{args, memory, row_of(memory, OptionalReader(args, kLstmX), batch, sizes.inputs),
            row_of(memory, OptionalReader(args, kPrevH), batch, sizes.outputs),
            row_of(memory, OptionalReader(args, kPrevC), batch, sizes.units)};
  Vector forget = step.gate(kForgetGate);
  for (double& value : forget) value = portable_sigmoid(value);
  const bool coupled = couples_gates(args.call);
  Vector input = coupled ? memory.vector<double>(sizes.units) : step.gate(kInputGate);
  for (size_t unit = 0; unit < sizes.units; ++unit)
    input[unit] = coupled ? 1.0 - forget[unit] : portable_sigmoid(input[unit]);
  Vector cell = step.gate(kCellGate);
  for (double& value : cell) value = portable_tanh(value);
  for (size_t unit = 0; unit < sizes.units; ++unit)
    step.c[unit] = clipped(forget[unit] * step.c[unit] + input[unit] * cell[unit], cell_clip);
  Vector output = step.gate(kOutputGate);  // its peephole sees the new cell state
  Vector hidden = memory.vector<double>(sizes.units);
  for (size_t unit = 0; unit < sizes.units; ++unit) {
    output[unit] = portable_sigmoid(output[unit]);
    hidden[unit] = output[unit] * portable_tanh(step.c[unit]);
  }
  const Vector outputs = step.projected(hidden);
  write_row(args, kOutY, batch, outputs);
  write_row(args, kOutC, batch, step.c);
  write_row(args, kOutH, batch, outputs);
  write_row(args, kOutI, batch, input);
  write_row(args, kOutF, batch, forget);
  write_row(args, kOutG, batch, cell);
  write_row(args, kOutO, batch, output);
  write_row(args, kOutHidden, batch, hidden);
}

// Of one batch entry: x, h, c, the four gates, what the cells give, that again as the projection takes it,
// and the outputs.
uint64_t lstm_scratch(const OpCall& call) {
  const LstmSizes sizes = lstm_sizes(call);
  return room_for<double>(sizes.inputs) + 2 * room_for<double>(sizes.outputs) +
         7 * room_for<double>(sizes.units);
}

void run_lstm(const KernelArgs& args, const ir::Box&) {
  const LstmSizes sizes = lstm_sizes(args.call);
  for (uint64_t batch = 0; batch < sizes.batch; ++batch) run_step(args, sizes, batch);
}

Work lstm_work(const OpCall& call, const ir::Box& output) {
  if (output.empty()) return {.unit = soc::Unit::kHmx};
  const LstmSizes sizes = lstm_sizes(call);
  const uint64_t columns = 4 * uint64_t{sizes.units} + (call.has_input(kWproj) ? sizes.outputs : 0);
  return recurrent_work(call, 1, sizes.batch, uint64_t{sizes.inputs} + sizes.outputs, columns);
}

}  // namespace

OpDef lstm() {
  return {
      .type = "Lstm",
      // 16-bit activations, named in later release notes without types; and the five gate outputs.
      .our_rows =
          {"ufx16,sfx8,sfx8,sfx8,sfx8,sfx8,sfx8,sfx32,sfx32,sfx32,ufx16,sfx16,sfx16,sfx16,sfx16,sfx16,sfx8,"
           "sfx8,"
           "sfx16,sfx16,sfx16,sfx32,sfx8,sfx32,bool8 -> ufx16,sfx16,ufx16",
           "ufx16,sfx16,sfx16,sfx16,sfx16,sfx16,sfx16,sfx32,sfx32,sfx32,ufx16,sfx16,sfx16,sfx16,sfx16,sfx16,"
           "sfx16,sfx16,sfx16,sfx16,sfx16,sfx32,sfx16,sfx32,bool8 -> ufx16,sfx16,ufx16",
           "f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,f16,"
           "bool8 -> f16,f16,f16,f16,f16,f16,f16,f16",
           "f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,f32,"
           "bool8 -> f32,f32,f32,f32,f32,f32,f32,f32"},
      .check = check_lstm,
      .work = lstm_work,
      .kernels = {reference_kernel(run_lstm, lstm_scratch)},
  };
}

}  // namespace openqnn::ops
