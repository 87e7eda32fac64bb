// SPDX-License-Identifier: BSD-3-Clause
#include "ops/op_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/half.h"

namespace openqnn::ops {
namespace {

using ir::DataType;

// Beside the values: what a builder of one input needs to know.
struct Builder {
  OpCase& c;
  const oracle::Oracle& oracle;
  oracle::Random random;
  std::vector<oracle::Tensor> reals;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }

  // What one step of the accumulator means for an output channel.
  double unit(size_t channel) const {
    const ir::Quantization& weights = c.inputs[1].quantization;
    const size_t index = weights.kind == ir::Quantization::Kind::kPerAxis ? channel : 0;
    return static_cast<double>(c.inputs[0].quantization.encodings[0].scale) * weights.encodings[index].scale;
  }

  void add_half(oracle::Tensor& real, Bytes& data) {
    data.resize(real.values.size() * 2);
    for (size_t i = 0; i < real.values.size(); ++i) {
      const Half half = to_half(static_cast<float>(uniform(-2.0, 2.0)));
      std::memcpy(&data[i * 2], &half.bits, 2);
      real.values[i] = to_float(half);
    }
  }

  void add_fixed8(const oracle::Problem::Input& input, ir::TensorDesc& desc, oracle::Tensor& real,
                  Bytes& data) {
    const bool is_signed = desc.type == DataType::kSfixed8;
    size_t axis = 0;
    size_t slices = 1;
    if (input.per_axis) {
      axis = oracle.channel_axis(c.problem);
      slices = input.shape[axis];
      desc.quantization.kind = ir::Quantization::Kind::kPerAxis;
      desc.quantization.axis = static_cast<uint32_t>(axis);
    } else {
      desc.quantization.kind = ir::Quantization::Kind::kPerTensor;
    }
    for (size_t i = 0; i < slices; ++i) {
      int32_t offset = 0;
      if (!is_signed) offset = -static_cast<int32_t>(oracle::pick(random, 0, 255));
      if (is_signed && !input.per_axis) offset = static_cast<int32_t>(oracle::pick(random, 0, 40)) - 20;
      desc.quantization.encodings.push_back({static_cast<float>(uniform(0.004, 0.05)), offset});
    }
    size_t inner = 1;  // elements between two neighbours along the axis
    for (size_t i = axis + 1; i < input.shape.size(); ++i) inner *= input.shape[i];
    data.resize(real.values.size());
    for (size_t i = 0; i < data.size(); ++i) {
      const int stored = static_cast<int>(oracle::pick(random, 0, 255)) - (is_signed ? 128 : 0);
      const ir::ScaleOffset& encoding = desc.quantization.encodings[input.per_axis ? i / inner % slices : 0];
      data[i] = static_cast<std::byte>(static_cast<uint8_t>(stored));
      real.values[i] = static_cast<double>(encoding.scale) * (stored + encoding.offset);
    }
  }

  // A bias counts in accumulator units: that rounding is part of the contract, so the oracle starts after it.
  void add_bias(const oracle::Problem::Input& input, ir::TensorDesc& desc, oracle::Tensor& real,
                Bytes& data) {
    const bool wide = desc.type == DataType::kSfixed32;
    const size_t count = real.values.size();
    desc.quantization.kind =
        input.per_axis ? ir::Quantization::Kind::kPerAxis : ir::Quantization::Kind::kPerTensor;
    const int32_t offset = wide ? 0 : -static_cast<int32_t>(oracle::pick(random, 60, 200));
    for (size_t i = 0; i < (input.per_axis ? count : 1); ++i) {
      // Not the unit itself (unless by axis, as clients send it), so that the conversion has to round.
      const double factor = input.per_axis ? 1.0 : wide ? 0.77 : 211.7;
      desc.quantization.encodings.push_back(
          {input.derived ? 0.0F : static_cast<float>(unit(i) * factor), offset});
    }
    data.resize(count * (wide ? 4 : 1));
    for (size_t i = 0; i < count; ++i) {
      const auto stored =
          static_cast<int32_t>(oracle::pick(random, 0, wide ? 40000 : 255)) - (wide ? 20000 : 0);
      std::memcpy(&data[i * (wide ? 4 : 1)], &stored, wide ? 4 : 1);
      const double scale = desc.quantization.encodings[input.per_axis ? i : 0].scale;
      const double steps = input.derived ? stored : scale * (stored + offset) / unit(i);
      real.values[i] = std::nearbyint(steps) * unit(i);
    }
  }

  void add_input(size_t index) {
    const oracle::Problem::Input& input = c.problem.inputs[index];
    ir::TensorDesc desc;
    desc.type = ir::data_type_from(std::string_view(input.type)).value();
    desc.shape = to_shape(input.shape);
    desc.is_static = input.is_static;
    oracle::Tensor real{input.shape, std::vector<double>(oracle::count(input.shape))};
    Bytes data;
    if (desc.type == DataType::kFloat16)
      add_half(real, data);
    else if (index == 2)
      add_bias(input, desc, real, data);
    else
      add_fixed8(input, desc, real, data);
    c.inputs.push_back(desc);
    c.data.push_back(std::move(data));
    reals.push_back(std::move(real));
  }

  // An encoding that the results nearly fill; some saturate.
  void add_output() {
    c.output.type = c.inputs[0].type;
    c.output.shape = to_shape(c.expected.shape);
    if (!ir::is_quantized(c.output.type)) return;
    double low = 0.0;
    double high = 0.0;
    for (const double value : c.expected.values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const double scale = std::max((high - low) / 255.0 * uniform(0.8, 1.2), 1e-4);
    c.output.quantization = ir::Quantization::per_tensor(static_cast<float>(scale),
                                                         static_cast<int32_t>(std::nearbyint(low / scale)));
  }
};

uint32_t seed_of(const std::string& line) {
  uint32_t hash = 2166136261U;  // FNV-1a: the same on every library
  for (const char letter : line) hash = (hash ^ static_cast<uint8_t>(letter)) * 16777619U;
  return hash;
}

}  // namespace

ir::Shape to_shape(const std::vector<size_t>& dims) {
  ir::Shape shape;
  for (const size_t dim : dims) shape.push_back(static_cast<uint32_t>(dim));
  return shape;
}

ir::Param make_param(const std::string& name, ir::DataType type, const ir::Shape& shape,
                     const std::vector<double>& values) {
  ir::Param param{name, type, shape, {}};
  for (const double value : values) {
    const auto append = [&](auto typed) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&typed);
      param.data.insert(param.data.end(), bytes, bytes + sizeof(typed));
    };
    if (type == DataType::kUint32) append(static_cast<uint32_t>(value));
    if (type == DataType::kFloat32) append(static_cast<float>(value));
    if (type == DataType::kBool8) append(static_cast<uint8_t>(value));
  }
  return param;
}

OpCase::OpCase(const oracle::Problem& from) : op(find_op(from.op)), problem(from) {
  const oracle::Oracle& oracle = *oracle::find(problem.op);
  for (const auto& [name, values] : problem.params)
    for (const ParamSchema& schema : op->schema.params)
      if (schema.name == name) params.add(make_param(name, schema.type, schema.shape, values));

  Builder builder{*this, oracle, oracle::Random(seed_of(problem.line)), {}};
  for (size_t i = 0; i < problem.inputs.size(); ++i) builder.add_input(i);
  expected = oracle.compute(problem, builder.reals);
  builder.add_output();
  for (oracle::Tensor& real : builder.reals)
    for (double& value : real.values) value = std::fabs(value);
  magnitude = oracle.compute(problem, builder.reals);
}

OpCall OpCase::call() const {
  OpCall call;
  call.node = "n";
  call.params = &params;
  for (const ir::TensorDesc& desc : inputs) call.inputs.push_back(&desc);
  call.outputs = {&output};
  call.epilogue = epilogue;
  call.half_accumulation = half_accumulation;
  return call;
}

void OpCase::run_into(Bytes& out, const ir::Box& region) const {
  const OpCall op_call = call();
  std::vector<const std::byte*> in;
  for (const Bytes& bytes : data) in.push_back(bytes.data());
  std::byte* const outs[] = {out.data()};
  choose_kernel(*op, op_call).run({op_call, in, outs}, region);
}

Bytes OpCase::run(const ir::Box& region) const {
  Bytes out(ir::plain_bytes(output), kUntouched);
  run_into(out, region);
  return out;
}

OpCase OpCase::stored() const {
  OpCase result = *this;
  if (!op->store) return result;
  const OpCall before = call();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_static) continue;
    std::optional<StoredOperand> operand = op->store(before, i, data[i].data());
    if (!operand) continue;
    result.inputs[i] = operand->desc;
    result.data[i] = std::move(operand->data);
  }
  return result;
}

std::vector<OpCase> all_cases(size_t random_count) {
  std::vector<OpCase> cases;
  for (const oracle::Oracle& oracle : oracle::all())
    for (const oracle::Problem& problem : oracle::problems(oracle, random_count)) cases.emplace_back(problem);
  return cases;
}

ir::Box random_box(oracle::Random& random, const ir::Shape& shape) {
  ir::Box box = ir::Box::whole(shape);
  for (size_t i = 0; i < shape.rank(); ++i) {
    box.begin[i] = static_cast<uint32_t>(oracle::pick(random, 0, shape[i] - 1));
    box.end[i] = static_cast<uint32_t>(oracle::pick(random, box.begin[i] + 1, shape[i]));
  }
  return box;
}

std::vector<ir::Box> random_partition(oracle::Random& random, const ir::Box& box) {
  std::vector<ir::Box> done;
  std::vector<ir::Box> open = {box};
  while (!open.empty()) {
    ir::Box next = open.back();
    open.pop_back();
    const size_t axis = oracle::pick(random, 0, next.rank() - 1);
    if (next.extent(axis) < 2 || oracle::pick(random, 0, 3) == 0) {
      done.push_back(next);
      continue;
    }
    const auto cut = static_cast<uint32_t>(oracle::pick(random, next.begin[axis] + 1, next.end[axis] - 1));
    ir::Box upper = next;
    upper.begin[axis] = cut;
    next.end[axis] = cut;
    open.push_back(next);
    open.push_back(upper);
  }
  return done;
}

}  // namespace openqnn::ops
