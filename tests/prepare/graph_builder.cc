// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/graph_builder.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ops/op.h"

namespace openqnn::prepare {
namespace {

using T = GraphBuilder::T;

ir::Param u32_param(const std::string& name, const ir::Shape& shape, const std::vector<uint32_t>& values) {
  ir::Param param{name, ir::DataType::kUint32, shape, {}};
  param.data.resize(values.size() * sizeof(uint32_t));
  std::memcpy(param.data.data(), values.data(), param.data.size());
  return param;
}

std::vector<ir::Param> window_params(const ConvShape& s) {
  return {u32_param("stride", {2}, {s.stride, s.stride}),
          u32_param("pad_amount", {2, 2}, {s.pad, s.pad, s.pad, s.pad})};
}

uint32_t window_output(uint32_t input, const ConvShape& s) {
  return (input + 2 * s.pad - (s.filter - 1) * s.dilation - 1) / s.stride + 1;
}

}  // namespace

T GraphBuilder::add_activation(const std::string& name, const ir::Shape& shape, ir::TensorRole role) {
  const auto index = static_cast<uint32_t>(tensors_.size());
  ir::TensorDesc desc{type_, shape, {}};
  if (is_quantized())
    desc.quantization = ir::Quantization::per_tensor(0.02F + 0.001F * static_cast<float>(index % 17),
                                                     -100 - static_cast<int32_t>(index % 40));
  tensors_.push_back({name + std::to_string(index), role, desc, nullptr});
  return index;
}

T GraphBuilder::add_static(const std::string& name, const ir::TensorDesc& desc) {
  const auto index = static_cast<uint32_t>(tensors_.size());
  std::vector<std::byte> data(ir::plain_bytes(desc));
  if (desc.type == kFloat32) {
    for (size_t i = 0; i < data.size(); i += sizeof(float)) {
      const float value = std::uniform_real_distribution<float>(-0.5F, 0.5F)(random_);
      std::memcpy(data.data() + i, &value, sizeof value);
    }
  } else if (desc.type == kFloat16) {
    for (size_t i = 0; i < data.size(); i += 2) {  // sign, an exponent around 1/4, mantissa
      const auto bits = static_cast<uint16_t>((random_() & 0x83FF) | 0x3400);
      std::memcpy(data.data() + i, &bits, sizeof bits);
    }
  } else if (desc.type == ir::DataType::kSfixed32) {
    for (size_t i = 0; i < data.size(); i += sizeof(int32_t)) {
      const auto value = static_cast<int32_t>(random_() % 20000) - 10000;
      std::memcpy(data.data() + i, &value, sizeof value);
    }
  } else {
    for (std::byte& byte : data) byte = static_cast<std::byte>(random_());
  }
  tensors_.push_back(
      {name + std::to_string(index), ir::TensorRole::kStatic, desc, ir::Blob::of(std::move(data))});
  tensors_.back().desc.is_static = true;
  return index;
}

T GraphBuilder::add_node(const std::string& type, std::vector<T> inputs, const ir::Shape& output,
                         std::vector<ir::Param> params) {
  const T out = add_activation("t", output);
  add_call(type, std::move(inputs), {out}, std::move(params));
  return out;
}

void GraphBuilder::add_call(const std::string& type, std::vector<T> inputs, std::vector<T> outputs,
                            std::vector<ir::Param> params) {
  ir::Node node{type + std::to_string(nodes_.size()), type, {}, std::move(inputs), std::move(outputs)};
  for (ir::Param& param : params) node.params.add(std::move(param));
  nodes_.push_back(std::move(node));
}

T GraphBuilder::add_like(T other, const ir::Shape& shape) {
  const T made = add_activation("t", shape);
  tensors_[made].desc.quantization = tensors_[other].desc.quantization;
  return made;
}

T GraphBuilder::weights(const ir::Shape& shape) {
  ir::TensorDesc desc{is_quantized() ? ir::DataType::kSfixed8 : type_, shape, {}};
  if (is_quantized()) desc.quantization = ir::Quantization::per_tensor(0.004F, 3);
  return add_static("w", desc);
}

T GraphBuilder::bias(uint32_t channels) {
  ir::TensorDesc desc{is_quantized() ? ir::DataType::kSfixed32 : type_, {channels}, {}};
  if (is_quantized()) desc.quantization = ir::Quantization::per_tensor(0.0F, 0);
  return add_static("b", desc);
}

T GraphBuilder::constant(const ir::Shape& shape) {
  ir::TensorDesc desc{type_, shape, {}};
  if (is_quantized()) desc.quantization = ir::Quantization::per_tensor(0.03F, -90);
  return add_static("k", desc);
}

T GraphBuilder::conv(T in, uint32_t channels, const ConvShape& shape) {
  const T w = weights({shape.filter, shape.filter, this->shape(in)[3], channels});
  return conv(in, w, bias(channels), shape);
}

T GraphBuilder::conv(T in, T weights, T bias, const ConvShape& s) {
  const ir::Shape& from = shape(in);
  const ir::Shape out{from[0], window_output(from[1], s), window_output(from[2], s), shape(weights)[3]};
  std::vector<ir::Param> params = window_params(s);
  params.push_back(u32_param("dilation", {2}, {s.dilation, s.dilation}));
  return add_node("Conv2d", {in, weights, bias}, out, std::move(params));
}

T GraphBuilder::relu(T in) { return unary("Relu", in); }

T GraphBuilder::unary(const std::string& type, T in) { return add_node(type, {in}, shape(in)); }

T GraphBuilder::neuron(T in, uint32_t operation) {
  return add_node("ElementWiseNeuron", {in}, shape(in), {u32_param("operation", {}, {operation})});
}

T GraphBuilder::binary(T a, T b, uint32_t operation) {
  return add_node("ElementWiseBinary", {a, b}, shape(a), {u32_param("operation", {}, {operation})});
}

T GraphBuilder::add(T a, T b) { return add_node("ElementWiseAdd", {a, b}, shape(a)); }
T GraphBuilder::multiply(T a, T b) { return add_node("ElementWiseMultiply", {a, b}, shape(a)); }

T GraphBuilder::pool(T in, const ConvShape& s) {
  const ir::Shape& from = shape(in);
  std::vector<ir::Param> params = window_params(s);
  params.push_back(u32_param("filter_size", {2}, {s.filter, s.filter}));
  return add_node("PoolMax2d", {in}, {from[0], window_output(from[1], s), window_output(from[2], s), from[3]},
                  std::move(params));
}

T GraphBuilder::matmul(T in, uint32_t columns) {
  return matmul(in, weights({shape(in).from_end(0), columns}), false);
}

T GraphBuilder::matmul(T a, T b, bool transpose_b) {
  ir::Shape out = shape(a);
  out[out.rank() - 1] = shape(b).from_end(transpose_b ? 1 : 0);
  ir::Param transpose{"transpose_in1", ir::DataType::kBool8, {}, {static_cast<std::byte>(transpose_b)}};
  return add_node("MatMul", {a, b}, out, {transpose});
}

T GraphBuilder::softmax(T in) { return add_node("Softmax", {in}, shape(in)); }

std::vector<T> GraphBuilder::split(T in, uint32_t axis, const std::vector<uint32_t>& starts) {
  std::vector<T> pieces;
  for (size_t i = 0; i <= starts.size(); ++i) {
    ir::Shape piece = shape(in);
    piece[axis] = (i < starts.size() ? starts[i] : piece[axis]) - (i > 0 ? starts[i - 1] : 0);
    pieces.push_back(add_like(in, piece));
  }
  add_call("Split", {in}, pieces,
           {u32_param("axis", {}, {axis}),
            u32_param("split_index", {static_cast<uint32_t>(starts.size())}, starts)});
  return pieces;
}

T GraphBuilder::join(const std::string& type, const std::vector<T>& pieces, uint32_t axis) {
  const ir::Shape& piece = shape(pieces.front());
  ir::Shape out;
  if (type == "Pack") {
    for (size_t i = 0; i <= piece.rank(); ++i) {
      if (i == axis) out.push_back(static_cast<uint32_t>(pieces.size()));
      if (i < piece.rank()) out.push_back(piece[i]);
    }
  } else {
    out = piece;
    out[axis] = 0;
    for (const T of : pieces) out[axis] += shape(of)[axis];
  }
  return add_node(type, pieces, out, {u32_param("axis", {}, {axis})});
}

std::pair<T, T> GraphBuilder::top_k(T in, uint32_t k) {
  ir::Shape out = shape(in);
  out[out.rank() - 1] = k;
  const T values = add_like(in, out);
  const T indices = add_activation("i", out);
  tensors_[indices].desc = {ir::DataType::kUint32, out, {}};
  add_call("TopK", {in}, {values, indices}, {u32_param("k", {}, {k})});
  return {values, indices};
}

T GraphBuilder::gather(T table, uint32_t rows) {
  const T indices = add_static("i", {ir::DataType::kUint32, {rows}, {}});
  std::vector<std::byte> data(rows * sizeof(uint32_t));
  for (uint32_t i = 0; i < rows; ++i) {
    const auto row = static_cast<uint32_t>(random_() % shape(table)[0]);
    std::memcpy(data.data() + i * sizeof row, &row, sizeof row);
  }
  tensors_[indices].data = ir::Blob::of(std::move(data));
  ir::Shape out = shape(table);
  out[0] = rows;
  const T picked = add_like(table, out);
  ir::Param axis{"axis", ir::DataType::kInt32, {}, std::vector<std::byte>(sizeof(int32_t))};
  add_call("Gather", {table, indices}, {picked}, {axis});
  return picked;
}

T GraphBuilder::to_sparse(T rows, uint32_t height) {
  const uint32_t count = shape(rows)[0];
  const T indices = add_static("i", {ir::DataType::kUint32, {count, 1}, {}});
  std::vector<std::byte> data(count * sizeof(uint32_t));
  for (uint32_t i = 0; i < count; ++i) {
    const auto row = static_cast<uint32_t>(uint64_t{i} * height / count);
    std::memcpy(data.data() + i * sizeof row, &row, sizeof row);
  }
  tensors_[indices].data = ir::Blob::of(std::move(data));
  ir::Shape tall = shape(rows);
  tall[0] = height;
  const T sparse = add_activation("sparse", tall);
  tensors_[sparse].desc.sparsity = {count, 1};
  tensors_[sparse].desc.quantization = ir::Quantization::per_tensor(0.03F, 0);
  add_call("CreateSparse", {indices, rows}, {sparse}, {});
  return sparse;
}

T GraphBuilder::to_dense(T sparse) { return add_node("SparseToDense", {sparse}, shape(sparse)); }

T GraphBuilder::buffer(T frames, uint32_t size, uint32_t mode) {
  const uint32_t taken = shape(frames)[0];
  ir::Shape out = shape(frames);
  out[0] = size;
  return add_node("Buffer", {frames}, out,
                  {u32_param("buffer_size", {}, {size}), u32_param("buffer_dim", {}, {0}),
                   u32_param("stride", {}, {taken}), u32_param("mode", {}, {mode})});
}

ir::Graph GraphBuilder::build() const {
  ir::Graph graph(name_);
  for (const ir::Tensor& tensor : tensors_) {
    const auto added = graph.add_tensor(tensor);
    if (!added) ADD_FAILURE() << added.error().to_string();
  }
  for (const ir::Node& node : nodes_) {
    ops::OpCall call{.node = node.name, .params = &node.params};
    for (const T in : node.inputs) call.inputs.push_back(in == ir::kNoTensor ? nullptr : &tensors_[in].desc);
    for (const T out : node.outputs)
      call.outputs.push_back(out == ir::kNoTensor ? nullptr : &tensors_[out].desc);
    if (Status status = ops::validate(node.type, call); !status) ADD_FAILURE() << status.error().to_string();
    if (Status status = graph.add_node(node); !status) ADD_FAILURE() << status.error().to_string();
  }
  return graph;
}

ir::Graph random_graph(uint32_t seed, ir::DataType type, size_t ops) {
  GraphBuilder g(type, "random" + std::to_string(seed), seed);
  std::mt19937 random(seed);
  const auto pick = [&random](size_t low, size_t high) {
    return static_cast<uint32_t>(low + random() % (high - low + 1));
  };
  const auto channels = [&pick] { return std::vector<uint32_t>{8, 32, 40, 64, 96}[pick(0, 4)]; };

  std::vector<T> made = {g.input({1, pick(5, 24), pick(5, 24), channels()})};
  if (pick(0, 2) == 0) made.push_back(g.input(g.shape(made[0])));
  const auto any = [&] { return made[pick(0, 2) ? made.size() - 1 : pick(0, made.size() - 1)]; };
  for (size_t i = 0; i < ops; ++i) {
    const T in = any();
    const ir::Shape shape = g.shape(in);
    const bool large = shape[1] > 4 && shape[2] > 4;
    T out = 0;
    switch (pick(0, 9)) {
      case 0:
        out = g.conv(in, channels());
        break;
      case 1:
        out = g.relu(g.conv(in, channels(), {.filter = 1, .pad = 0}));
        break;
      case 2:
        out = large ? g.pool(in) : g.pool(in, {.filter = 3, .stride = 1, .pad = 1});
        break;
      case 3: {  // a residual, or an addition of any two of one shape
        std::vector<T> equal;
        for (const T other : made)
          if (g.shape(other) == shape) equal.push_back(other);
        out = g.add(in, equal[pick(0, equal.size() - 1)]);
        break;
      }
      case 4:
        out = g.matmul(in, channels());
        break;
      case 5:
        out = g.softmax(in);
        break;
      case 6:
        out = g.add(in, g.constant({shape[3]}));
        break;
      case 7: {  // three pieces, of which later ops may read any or none
        if (shape[3] < 3) continue;
        const std::vector<T> pieces = g.split(in, 3, {1, shape[3] / 2 + 1});
        made.insert(made.end(), pieces.begin(), pieces.end() - 1);
        out = pieces.back();
        break;
      }
      case 8: {
        const auto [values, indices] = g.top_k(in, (shape[3] + 1) / 2);
        if (pick(0, 1)) g.output(indices);
        out = values;
        break;
      }
      default:
        out = g.relu(in);
        break;
    }
    made.push_back(out);
    if (pick(0, 7) == 0) g.output(out);
  }
  g.output(made.back());
  return g.build();
}

ir::Graph chain(size_t ops, const ir::Shape& shape, ir::DataType type) {
  GraphBuilder g(type, "chain");
  T last = g.input(shape);
  for (size_t i = 0; i < ops; ++i) last = g.relu(last);
  g.output(last);
  return g.build();
}

}  // namespace openqnn::prepare
