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

struct StoredRange {
  double low;
  double high;
};

// The integers a type holds, fixed-point or plain; small ones for the plain, so that sums stay readable.
StoredRange stored_range(DataType type) {
  if (ir::is_quantized(type)) {
    const IntegerRange range = ir::integer_range(type);
    return {static_cast<double>(range.low), static_cast<double>(range.high)};
  }
  switch (type) {
    case DataType::kBool8:
      return {0, 1};
    case DataType::kUint8:
    case DataType::kUint16:
    case DataType::kUint32:
    case DataType::kUint64:
      return {0, 15};
    default:
      return {-8, 8};
  }
}

bool is_signed(DataType type) { return ir::is_quantized(type) && ir::integer_range(type).low < 0; }

void put_integer(Bytes& data, size_t index, size_t size, int64_t value) {
  std::memcpy(&data[index * size], &value, size);  // little-endian: the low bytes
}

// Beside the values: what a builder of one input needs to know.
struct Builder {
  OpCase& c;
  const oracle::Oracle& oracle;
  oracle::Random random;
  Specials specials;
  std::vector<oracle::Tensor> reals;

  double uniform(double low, double high) { return oracle::uniform(random, low, high); }

  // What one step of the accumulator means for an output channel. Weights in groups may have fewer columns
  // than there are channels.
  double unit(size_t channel) const {
    const ir::Quantization& weights = c.inputs[1].quantization;
    const bool per_axis = weights.kind == ir::Quantization::Kind::kPerAxis;
    const size_t index = per_axis ? channel % weights.encodings.size() : 0;
    return static_cast<double>(c.inputs[0].quantization.encodings[0].scale) * weights.encodings[index].scale;
  }

  // Whether a bias is rounded to such steps: part of the contract of 8-bit sums.
  bool bias_counts_steps() const {
    const ir::TensorDesc& weights = c.inputs[1];
    const bool by_column = weights.quantization.kind != ir::Quantization::Kind::kPerAxis ||
                           weights.quantization.axis == oracle.channel_axis(c.problem);
    return ir::byte_size(c.inputs[0].type) == 1 && by_column &&
           weights.quantization.kind != ir::Quantization::Kind::kPerBlock;
  }

  // Weights of sums: 16-bit ones are symmetric and keep below what the matrix unit cannot hold.
  bool is_weight_16(size_t index, DataType type) const {
    return oracle.channel_axis && index == 1 && ir::byte_size(type) == 2 && ir::is_quantized(type);
  }

  // Which of them an input may hold.
  Specials specials_of(size_t input) const {
    const auto has = [input](const std::vector<size_t>& list) { return std::ranges::count(list, input) > 0; };
    if (specials == Specials::kNone || has(oracle.ordinary_inputs)) return Specials::kNone;
    return has(oracle.finite_inputs) ? Specials::kFinite : specials;
  }

  // Few of them, so that sums without one remain.
  double special_or(double value, Specials allowed) {
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    static constexpr double kFinite[] = {-0.0, 0.0, 0x1p-24, -0x1p-24, 0x1.8p-15, 65504.0, -65504.0};
    static constexpr double kOthers[] = {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};
    if (allowed == Specials::kNone || oracle::pick(random, 0, 11) != 0) return value;
    const bool finite = allowed == Specials::kFinite || oracle::pick(random, 0, 1) == 0;
    return finite ? kFinite[oracle::pick(random, 0, std::size(kFinite) - 1)]
                  : kOthers[oracle::pick(random, 0, std::size(kOthers) - 1)];
  }

  void add_half(size_t index, oracle::Tensor& real, Bytes& data, bool filled) {
    const Specials allowed = specials_of(index);
    data.resize(real.values.size() * 2);
    for (size_t i = 0; i < real.values.size(); ++i) {
      const double value = special_or(filled ? real.values[i] : uniform(-2.0, 2.0), allowed);
      const Half half = to_half(static_cast<float>(value));
      std::memcpy(&data[i * 2], &half.bits, 2);
      real.values[i] = to_float(half);
    }
  }

  void add_plain(DataType type, oracle::Tensor& real, Bytes& data, bool filled) {
    const size_t size = ir::byte_size(type);
    const StoredRange range = stored_range(type);
    data.resize(real.values.size() * size);
    for (size_t i = 0; i < real.values.size(); ++i) {
      const double value = filled ? real.values[i] : uniform(range.low, range.high + 1);
      const auto stored = static_cast<int64_t>(std::floor(value));
      put_integer(data, i, size, stored);
      real.values[i] = static_cast<double>(stored);
    }
  }

  // Encodings: arbitrary ones, or one that holds the values wanted.
  void choose_encodings(const oracle::Problem::Input& input, size_t index, ir::TensorDesc& desc,
                        const oracle::Tensor& real, bool filled) {
    ir::Quantization& quantization = desc.quantization;
    quantization.kind = ir::Quantization::Kind::kPerTensor;
    size_t encodings = 1;
    if (input.per_axis) {
      quantization.kind = ir::Quantization::Kind::kPerAxis;
      quantization.axis = static_cast<uint32_t>(oracle.channel_axis(c.problem));
      encodings = input.shape[quantization.axis];
    } else if (input.per_block) {
      choose_blocks(input, quantization);
      encodings = 1;
      for (size_t i = 0; i < input.shape.size(); ++i) encodings *= input.shape[i] / quantization.block[i];
    }
    if (input.four_bits) quantization.bits = 4;
    const StoredRange range = stored_range(desc.type);
    const double span = input.four_bits ? 15.0 : range.high - range.low;
    for (size_t i = 0; i < encodings; ++i) {
      double scale = uniform(0.004, 0.05) * 255.0 / span;
      int32_t offset = 0;
      if (!is_signed(desc.type)) offset = -static_cast<int32_t>(uniform(0, span));
      if (is_signed(desc.type) && !input.per_axis && !input.per_block && !input.four_bits &&
          ir::byte_size(desc.type) == 1)
        offset = static_cast<int32_t>(oracle::pick(random, 0, 40)) - 20;
      if (is_weight_16(index, desc.type)) offset = is_signed(desc.type) ? 0 : -32768;
      if (filled && !real.values.empty()) {
        const auto [low, high] = std::minmax_element(real.values.begin(), real.values.end());
        const double least = std::min(*low, 0.0);
        const double most = std::max(*high, 0.0);
        if (ir::byte_size(desc.type) == 4) {  // of 32 bits: symmetric, with room above
          scale = std::max(std::max(-least, most) * 0x1p-24, 1e-9);
          offset = 0;
        } else {
          scale = std::max((most - least) / span, 1e-6);
          offset = static_cast<int32_t>(std::nearbyint(least / scale) - range.low);
        }
      }
      quantization.encodings.push_back({static_cast<float>(scale), offset});
    }
  }

  // Blocks along the axis that is summed over: all of the others one by one.
  void choose_blocks(const oracle::Problem::Input& input, ir::Quantization& quantization) {
    quantization.kind = ir::Quantization::Kind::kPerBlock;
    const size_t channel = oracle.channel_axis(c.problem);
    const size_t rank = input.shape.size();
    const size_t summed = channel == rank - 1 ? rank - 2 : rank - 1;
    for (size_t i = 0; i < rank; ++i) {
      uint32_t extent = i == channel ? 1 : static_cast<uint32_t>(input.shape[i]);
      if (i == summed && input.shape[i] % 2 == 0) extent /= 2;
      quantization.block.push_back(extent);
    }
  }

  void add_fixed(const oracle::Problem::Input& input, size_t index, ir::TensorDesc& desc,
                 oracle::Tensor& real, Bytes& data, bool filled) {
    choose_encodings(input, index, desc, real, filled);
    const size_t size = ir::byte_size(desc.type);
    StoredRange range = stored_range(desc.type);
    if (input.four_bits) range = is_signed(desc.type) ? StoredRange{-8, 7} : StoredRange{0, 15};
    if (is_weight_16(index, desc.type)) range.high -= 0x80;
    data.resize(real.values.size() * size);
    for (size_t i = 0; i < real.values.size(); ++i) {
      const ir::Shape at = to_shape(oracle::index_of(real.shape, i));
      const ir::ScaleOffset& encoding = desc.quantization.of(desc.shape, at);
      const double wanted = filled ? std::nearbyint(real.values[i] / encoding.scale) - encoding.offset
                                   : std::floor(uniform(range.low, range.high + 1));
      const auto stored = static_cast<int64_t>(std::clamp(wanted, range.low, range.high));
      // What lies above the bits that count is the client's business.
      put_integer(data, i, size, input.four_bits && i % 2 ? (stored & 15) | 0x50 : stored);
      real.values[i] = static_cast<double>(encoding.scale) * (static_cast<double>(stored) + encoding.offset);
    }
  }

  // With 8-bit activations a bias counts in accumulator units: that rounding is part of the contract, so the
  // oracle starts after it.
  void add_bias(const oracle::Problem::Input& input, ir::TensorDesc& desc, oracle::Tensor& real,
                Bytes& data) {
    const bool wide = desc.type == DataType::kSfixed32;
    const size_t size = ir::byte_size(desc.type);
    const size_t count = real.values.size();
    const bool per_axis = input.per_axis && wide;
    desc.quantization.kind = per_axis ? ir::Quantization::Kind::kPerAxis : ir::Quantization::Kind::kPerTensor;
    const double span = stored_range(desc.type).high - stored_range(desc.type).low;
    const int32_t offset = wide ? 0 : -static_cast<int32_t>(uniform(0.2, 0.8) * span);
    for (size_t i = 0; i < (per_axis ? count : 1); ++i) {
      // Not the unit itself (unless by axis, as clients send it), so that the conversion has to round.
      const double factor = per_axis ? 1.0 : wide ? 0.77 : 211.7 * 255.0 / span;
      desc.quantization.encodings.push_back(
          {input.derived && wide ? 0.0F : static_cast<float>(unit(i) * factor), offset});
    }
    data.resize(count * size);
    for (size_t i = 0; i < count; ++i) {
      const auto stored =
          static_cast<int64_t>(wide ? std::floor(uniform(-20000, 20000))
                                    : std::floor(uniform(0, span) + stored_range(desc.type).low));
      put_integer(data, i, size, stored);
      const double scale =
          input.derived && wide ? unit(i) : double{desc.quantization.encodings[per_axis ? i : 0].scale};
      real.values[i] = scale * (static_cast<double>(stored) + offset);
      if (bias_counts_steps()) real.values[i] = std::nearbyint(real.values[i] / unit(i)) * unit(i);
    }
  }

  ir::Sparsity sparsity() const {
    return {static_cast<uint32_t>(c.problem.integer("slots", 0)),
            static_cast<uint32_t>(c.problem.integer("dims", 0))};
  }

  // A coordinate, mostly inside.
  double random_coordinate(uint32_t size) {
    if (oracle::pick(random, 0, 9) == 0) return oracle::pick(random, 0, 1) ? size : UINT32_MAX;
    return static_cast<double>(oracle::pick(random, 0, size - 1));
  }

  void add_sparse(ir::TensorDesc& desc, oracle::Tensor& real, Bytes& data) {
    desc.sparsity = sparsity();
    desc.quantization = ir::Quantization::per_tensor(static_cast<float>(uniform(0.004, 0.05)), 0);
    const size_t coordinates = ir::coordinates_shape(desc).elements();
    real.values.resize(coordinates + ir::slices_shape(desc).elements());
    data.resize(ir::plain_bytes(desc));
    for (size_t i = 0; i < coordinates; ++i) {
      real.values[i] = random_coordinate(desc.shape[i % desc.sparsity.dimensions]);
      put_integer(data, i, sizeof(uint32_t), static_cast<int64_t>(real.values[i]));
    }
    for (size_t i = coordinates; i < real.values.size(); ++i) {
      const auto stored = static_cast<uint8_t>(oracle::pick(random, 0, 255));
      data[ir::coordinates_bytes(desc) + i - coordinates] = std::byte{stored};
      real.values[i] = double{desc.quantization.encodings[0].scale} * stored;
    }
  }

  void add_input(size_t index) {
    const oracle::Problem::Input& input = c.problem.inputs[index];
    if (input.absent) {
      c.inputs.emplace_back();
      c.data.emplace_back();
      reals.emplace_back();
      return;
    }
    ir::TensorDesc desc;
    desc.type = ir::data_type_from(std::string_view(input.type)).value();
    desc.shape = to_shape(input.shape);
    desc.is_static = input.is_static;
    oracle::Tensor real{input.shape, std::vector<double>(oracle::count(input.shape))};
    const bool filled = oracle.fill && oracle.fill(c.problem, index, real, random);
    Bytes data;
    if (index == 0 && c.op->sparse_operand == OpDef::SparseOperand::kInput)
      add_sparse(desc, real, data);
    else if (desc.type == DataType::kFloat16)
      add_half(index, real, data, filled);
    else if (!ir::is_quantized(desc.type))
      add_plain(desc.type, real, data, filled);
    else if (index == oracle.bias_input)
      add_bias(input, desc, real, data);
    else
      add_fixed(input, index, desc, real, data, filled);
    c.inputs.push_back(desc);
    c.data.push_back(std::move(data));
    reals.push_back(std::move(real));
  }

  bool takes_input_encoding(DataType type) {
    if (oracle.output_encoding == oracle::OutputEncoding::kFitted || c.inputs[0].type != type) return false;
    if (oracle.output_encoding == oracle::OutputEncoding::kUnit) return false;
    return oracle.output_encoding == oracle::OutputEncoding::kLikeInput || random() % 2 == 0;
  }

  // An encoding that the results nearly fill; some saturate.
  ir::Quantization fitted(const oracle::Tensor& result, DataType type) {
    if (oracle.output_encoding == oracle::OutputEncoding::kUnit) return ir::Quantization::per_tensor(1.0F, 0);
    double low = 0.0;
    double high = 0.0;
    for (const double value : result.values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const StoredRange range = stored_range(type);
    const double scale = std::max((high - low) / (range.high - range.low) * uniform(0.8, 1.2), 1e-6);
    // Of 32 bits it may be one more than an offset holds.
    const double offset = std::min(std::nearbyint(low / scale) - range.low, 0x7FFFFFFFp0);
    return ir::Quantization::per_tensor(static_cast<float>(scale), static_cast<int32_t>(offset));
  }

  void add_output(size_t index) {
    ir::TensorDesc desc;
    desc.type = ir::data_type_from(std::string_view(c.problem.outputs.at(index))).value();
    desc.shape = to_shape(c.expected[index].shape);
    if (ir::is_quantized(desc.type))
      desc.quantization =
          takes_input_encoding(desc.type) ? c.inputs[0].quantization : fitted(c.expected[index], desc.type);
    if (c.op->sparse_operand == OpDef::SparseOperand::kOutput) {
      desc.sparsity = sparsity();
      desc.quantization.encodings[0].offset = 0;
    }
    c.outputs.push_back(desc);
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

ir::Param make_param(const std::string& name, DataType type, const ir::Shape& shape,
                     const std::vector<double>& values) {
  ir::Param param{name, type, shape, {}};
  for (const double value : values) {
    const auto append = [&](auto typed) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&typed);
      param.data.insert(param.data.end(), bytes, bytes + sizeof(typed));
    };
    if (type == DataType::kUint32) append(static_cast<uint32_t>(value));
    if (type == DataType::kInt32) append(static_cast<int32_t>(value));
    if (type == DataType::kFloat32) append(static_cast<float>(value));
    if (ir::byte_size(type) == 1) append(static_cast<uint8_t>(static_cast<int32_t>(value)));
    if (ir::byte_size(type) == 2) append(static_cast<uint16_t>(static_cast<int32_t>(value)));
  }
  return param;
}

ir::Param make_param(const ParamSchema& schema, const std::vector<double>& values, const std::string& type) {
  const DataType open =
      type.empty() ? DataType::kFloat32 : ir::data_type_from(std::string_view(type)).value();
  ir::Shape shape = schema.shape;
  uint64_t known = 1;
  for (const uint32_t dim : shape.dims()) known *= dim ? dim : 1;
  for (size_t i = 0; i < shape.rank(); ++i)
    if (shape[i] == 0) shape[i] = static_cast<uint32_t>(values.size() / known);
  return make_param(schema.name, schema.type == DataType::kUndefined ? open : schema.type, shape, values);
}

void set_param(OpCase& c, const std::string& name, const std::vector<double>& values,
               const std::string& type) {
  ir::Params params;
  for (const ir::Param& param : c.params.all())
    if (param.name != name) params.add(param);
  for (const ParamSchema& schema : find_schema(c.op->type)->params)
    if (schema.name == name) params.add(make_param(schema, values, type));
  c.params = params;
}

OpCase::OpCase(const oracle::Problem& from, Specials specials) : op(find_op(from.op)), problem(from) {
  const oracle::Oracle& oracle = *oracle::find(problem.op);
  for (const auto& [name, values] : problem.params)
    for (const ParamSchema& schema : find_schema(op->type)->params)
      if (schema.name == name) {
        const auto type = problem.param_types.find(name);
        params.add(make_param(schema, values, type == problem.param_types.end() ? "" : type->second));
      }
  if (problem.outputs.empty()) problem.outputs = output_types(*op, problem.inputs);

  Builder builder{*this, oracle, oracle::Random(seed_of(problem.line)), specials, {}};
  for (size_t i = 0; i < problem.inputs.size(); ++i) builder.add_input(i);
  expected = oracle.compute(problem, builder.reals);
  // An output that repeats (Split) has one type for all.
  while (problem.outputs.size() < expected.size()) problem.outputs.push_back(problem.outputs.back());
  for (size_t i = 0; i < expected.size(); ++i) builder.add_output(i);
  if (!oracle.sum_length) return;
  for (oracle::Tensor& real : builder.reals)
    for (double& value : real.values) value = std::fabs(value);
  magnitude = oracle.compute(problem, builder.reals);
}

OpCall OpCase::call() const {
  OpCall call;
  call.node = "n";
  call.params = &params;
  for (const ir::TensorDesc& desc : inputs)
    call.inputs.push_back(desc.type == DataType::kUndefined ? nullptr : &desc);
  for (const ir::TensorDesc& desc : outputs) call.outputs.push_back(&desc);
  call.epilogue = epilogue;
  call.fast_sigmoid = fast_sigmoid;
  call.half_accumulation = half_accumulation;
  return call;
}

size_t OpCase::output_offset(size_t index) const {
  size_t offset = 0;
  for (size_t i = 0; i < index; ++i) offset += ir::plain_bytes(outputs[i]);
  return offset;
}

namespace {

void run_kernel(const OpCase& c, const OpCall& op_call, const Kernel& kernel, const ir::Box& region,
                Bytes& out) {
  std::vector<const std::byte*> in;
  for (size_t i = 0; i < c.data.size(); ++i) in.push_back(op_call.inputs[i] ? c.data[i].data() : nullptr);
  std::vector<std::byte*> outs;
  for (size_t i = 0; i < c.outputs.size(); ++i) outs.push_back(out.data() + c.output_offset(i));
  Bytes state(c.op->state_bytes ? c.op->state_bytes(op_call) : 0);
  run_alone(*c.op, kernel, {op_call, in, outs, state}, region);
}

}  // namespace

void OpCase::run_into(Bytes& out, const ir::Box& region) const {
  const OpCall op_call = call();
  run_kernel(*this, op_call, choose_kernel(*op, op_call), region, out);
}

Bytes OpCase::run_reference() const {
  Bytes out(output_bytes(), kUntouched);
  run_kernel(*this, call(), op->kernels.back(), whole(), out);
  return out;
}

Bytes OpCase::run(const ir::Box& region) const {
  Bytes out(output_bytes(), kUntouched);
  run_into(out, region);
  return out;
}

OpCase OpCase::stored() const {
  OpCase result = *this;
  if (!op->store) return result;
  const OpCall before = call();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_static) continue;
    std::optional<StoredOperand> operand = op->store(before, i, ir::Blob::of(data[i]));
    if (!operand) continue;
    result.inputs[i] = operand->desc;
    const std::span<const std::byte> bytes = operand->data.bytes();
    result.data[i].assign(bytes.begin(), bytes.end());
  }
  return result;
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
    const size_t axis = next.rank() ? oracle::pick(random, 0, next.rank() - 1) : 0;
    if (next.rank() == 0 || next.extent(axis) < 2 || oracle::pick(random, 0, 3) == 0) {
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
