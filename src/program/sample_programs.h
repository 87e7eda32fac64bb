// SPDX-License-Identifier: BSD-3-Clause
// Programs made by hand, for the tests and the fuzzer's first inputs: small, but with every kind of tensor,
// layout, encoding, task and block that the format knows.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"

namespace openqnn::program {

inline ir::Param u32_param(std::string name, ir::Shape shape, const std::vector<uint32_t>& values) {
  ir::Param param{std::move(name), ir::DataType::kUint32, shape, {}};
  param.data.resize(values.size() * sizeof(uint32_t));
  std::memcpy(param.data.data(), values.data(), param.data.size());
  return param;
}

// Tensors of the plain layout. The client's own buffers have the computed type.
inline Tensor in_client(std::string name, uint32_t id, ir::TensorRole role, const ir::TensorDesc& desc) {
  return {.name = std::move(name),
          .id = id,
          .role = role,
          .desc = desc,
          .client_type = desc.type,
          .storage = Storage::kClient,
          .bytes = ir::plain_bytes(desc)};
}
inline Tensor in_arena(std::string name, uint32_t id, ir::TensorRole role, const ir::TensorDesc& desc,
                       ir::DataType client_type, uint64_t offset) {
  Tensor tensor = in_client(std::move(name), id, role, desc);
  tensor.client_type = client_type;
  tensor.storage = Storage::kArena;
  tensor.offset = offset;
  return tensor;
}
inline Tensor constant(std::string name, uint32_t id, const ir::TensorDesc& desc, ir::DataType client_type,
                       uint64_t offset) {
  Tensor tensor = in_arena(std::move(name), id, ir::TensorRole::kStatic, desc, client_type, offset);
  tensor.storage = Storage::kConstant;
  return tensor;
}

// A box of an NHWC tensor of batch 1 that takes rows [begin, end).
inline ir::Box rows(const ir::Shape& shape, uint32_t begin, uint32_t end) {
  ir::Box box = ir::Box::whole(shape);
  box.begin[1] = begin;
  box.end[1] = end;
  return box;
}

// Conv2d with a fused Relu, then an addition: 8-bit, weights in matrix-unit blocks, two tiles each. The
// block of y's first tile takes over the bytes of x's.
inline Program sample_8bit() {
  using ir::DataType;
  const auto per_tensor = [](float scale, int32_t offset) {
    return ir::Quantization::per_tensor(scale, offset);
  };
  ir::Quantization per_channel = ir::Quantization::per_axis(3, {});
  for (int i = 0; i < 16; ++i) per_channel.encodings.push_back({0.01F * static_cast<float>(i + 1), 0});

  const ir::Shape x{1, 4, 4, 8};
  const ir::Shape y{1, 4, 4, 16};
  const ir::Shape weight{1, 1, 8, 16};
  Program program;
  program.graph = "first";
  program.soc = "SM8650";
  program.soc_model = 57;
  program.arch = 75;
  program.optimization = 3;
  program.half_accumulation = soc::HalfAccumulation::kEvenOdd;
  program.source_nodes = {"conv", "relu", "add"};
  program.framework_nodes = {{"/stem/Conv", "/stem/BatchNormalization"}, {"/stem/Relu"}, {}};
  program.arena_bytes = 256;
  using enum ir::TensorRole;
  const auto plain = ir::Layout::kPlain;
  program.tensors = {
      in_client("x", 7, kInput, {DataType::kUfixed8, x, per_tensor(0.5F, -10)}),
      constant("weight", 8, {DataType::kSfixed8, weight, per_channel, ir::Layout::kHmx8, true},
               DataType::kSfixed8, 0),
      constant("bias", 9, {DataType::kInt32, {16}, {}, plain, true}, DataType::kSfixed32, 1024),
      in_arena("c", 10, kNative, {DataType::kUfixed8, y, per_tensor(0.125F, 0)}, DataType::kUfixed8, 0),
      constant("addend", 11, {DataType::kUfixed8, {16}, per_tensor(0.25F, -3), plain, true},
               DataType::kUfixed8, 1088),
      in_client("y", 12, kOutput, {DataType::kUfixed8, y, per_tensor(0.75F, -1)}),
  };
  program.tensors[1].bytes = 1024;  // a block of the matrix unit
  Op conv{.name = "conv",
          .type = "Conv2d",
          .source_nodes = {0, 1},
          .inputs = {0, 1, 2},
          .outputs = {3},
          .epilogue = {.activation = ops::Activation::kRelu},
          .off_hmx = true};
  conv.params.add(u32_param("stride", {2}, {1, 1}));
  conv.params.add(u32_param("pad_amount", {2, 2}, {0, 0, 0, 0}));
  program.ops = {
      conv, {.name = "add", .type = "ElementWiseAdd", .source_nodes = {2}, .inputs = {3, 4}, .outputs = {5}}};

  using enum TaskKind;
  using soc::Unit;
  const ops::Work conv_work{.unit = Unit::kHmx, .macs = 65536, .vector_ops = 3, .vtcm_bytes = 1280};
  const ops::Work add_work{.unit = Unit::kHvx, .vector_ops = 10, .vtcm_bytes = 272};
  program.schedule.vtcm_bytes = 8192;
  program.schedule.hvx_threads = 4;
  program.schedule.tasks = {
      {kLoad, Unit::kDma, 0, 0, ir::Box::whole(x), 128, {}, {}},
      {kLoad, Unit::kDma, 0, 1, ir::Box::whole(weight), 1024, {}, {}, 0, 256},
      {kCompute, Unit::kHmx, 0, 3, rows(y, 0, 2), 0, conv_work, {0, 1}},
      {kCompute, Unit::kHmx, 0, 3, rows(y, 2, 4), 0, conv_work, {0, 1}},
      {kCompute, Unit::kHvx, 1, 5, rows(y, 0, 2), 0, add_work, {2, 3}},
      {kCompute, Unit::kHvx, 1, 5, rows(y, 2, 4), 0, add_work, {3}},
      {kStore, Unit::kDma, 1, 5, ir::Box::whole(y), 256, {}, {4, 5}, 0, 0, true},
  };
  program.schedule.blocks = {
      {0, ir::Box::whole(x), 0, 128, {0, 2, 3}}, {1, ir::Box::whole(weight), 1024, 1024, {1, 2, 3}},
      {3, rows(y, 0, 2), 2048, 128, {2, 4}},     {3, rows(y, 2, 4), 2176, 128, {3, 5}},
      {5, rows(y, 0, 2), 0, 128, {4, 6}},        {5, rows(y, 2, 4), 4096, 128, {5, 6}},
  };
  program.bandwidth = {.compressed_weights = true, .slc = true};
  return program;
}

// An addition and a Relu in half, for a client that says float: converted through the arena.
inline Program sample_half() {
  using ir::DataType;
  const ir::Shape shape{2, 40};
  const ir::TensorDesc half{DataType::kFloat16, shape};
  ir::TensorDesc constant_desc{DataType::kFloat16, {40}};
  constant_desc.is_static = true;
  Program program;
  program.graph = "second \xC3\xA9";  // a name beyond ASCII
  program.soc = "SM8350";
  program.soc_model = 30;
  program.arch = 68;
  program.source_nodes = {"plus", "relu"};
  program.arena_bytes = 384;
  using enum ir::TensorRole;
  program.tensors = {
      in_arena("a", 1, kInput, half, DataType::kFloat32, 0),
      constant("b", 2, constant_desc, DataType::kFloat32, 1152),
      in_arena("sum", 3, kNative, half, DataType::kFloat32, 192),
      in_arena("out", 4, kOutput, half, DataType::kFloat32, 0),
  };
  program.ops = {
      {.name = "plus", .type = "ElementWiseAdd", .source_nodes = {0}, .inputs = {0, 1}, .outputs = {2}},
      {.name = "relu", .type = "Relu", .source_nodes = {1}, .inputs = {2}, .outputs = {3}},
  };
  const ops::Work work{
      .unit = soc::Unit::kHvx, .arithmetic = soc::Arithmetic::kHalf, .vector_ops = 6, .vtcm_bytes = 400};
  const ir::Box whole = ir::Box::whole(shape);
  program.schedule.vtcm_bytes = 4096;
  program.schedule.hvx_threads = 2;
  program.schedule.tasks = {
      {TaskKind::kCompute, soc::Unit::kHvx, 0, 2, whole, 0, work, {}},
      {TaskKind::kCompute, soc::Unit::kHvx, 1, 3, whole, 0, work, {0}, 0, 0, false, 1},
  };
  program.schedule.cores = 2;
  return program;
}

// TopK, which has two outputs, of which nobody reads the second. Its input and first output are streamed. A
// constant that no op reads has an encoding per block.
inline Program sample_outputs() {
  using ir::DataType;
  const ir::Shape x{2, 64};
  const ir::Shape y{2, 4};
  const ir::Quantization encoding = ir::Quantization::per_tensor(0.5F, -10);
  Program program;
  program.graph = "third";
  program.soc = "SM8650";
  program.soc_model = 57;
  program.arch = 75;
  program.source_nodes = {"top"};
  program.arena_bytes = 64;
  using enum ir::TensorRole;
  const auto per_block = ir::Quantization::per_block({2, 4}, {{0.1F, 0}, {0.2F, 0}, {0.3F, 0}, {0.4F, 0}}, 4);
  program.tensors = {
      in_client("x", 1, kInput, {DataType::kUfixed8, x, encoding}),
      in_client("values", 2, kOutput, {DataType::kUfixed8, y, encoding}),
      in_arena("indices", 3, kNative, {DataType::kUint32, y}, DataType::kUint32, 0),
      constant("spare", 4, {DataType::kSfixed8, {4, 8}, per_block, ir::Layout::kPlain, true},
               DataType::kSfixed8, 1280),
  };
  program.tensors[1].client_memory = ir::ClientMemory::kMemHandle;
  program.tensors[3].updateable = true;
  Op top{.name = "top", .type = "TopK", .source_nodes = {0}, .inputs = {0}, .outputs = {1, 2}};
  top.params.add(u32_param("k", {}, {4}));
  program.ops = {top};

  using enum TaskKind;
  using soc::Unit;
  const ir::Box whole = ir::Box::whole(y);
  program.schedule.vtcm_bytes = 1024;
  program.schedule.hvx_threads = 4;
  program.schedule.tasks = {
      {kLoad, Unit::kDma, 0, 0, ir::Box::whole(x), 128, {}, {}},
      {kCompute, Unit::kHvx, 0, 1, whole, 0, {.vector_ops = 96, .vtcm_bytes = 168}, {0}},
      {kStore, Unit::kDma, 0, 1, whole, 8, {}, {1}},
  };
  program.schedule.blocks = {
      {0, ir::Box::whole(x), 0, 64, {0, 1}, true},
      {1, whole, 64, 4, {1, 2}, true},
      {2, whole, 128, 32, {1}},
  };
  return program;
}

// Values at some places of a tensor, made dense, as a frame of a buffer that keeps two.
inline Program sample_sparse() {
  using ir::DataType;
  const ir::Shape indices{3, 2};
  const ir::Shape values{3, 4};
  const ir::Shape frame{1, 3, 4};
  const ir::Shape frames{2, 3, 4};
  const ir::Quantization encoding = ir::Quantization::per_tensor(0.5F, 0);
  ir::TensorDesc sparse{DataType::kUfixed8, frame, encoding};
  sparse.sparsity = {3, 2};
  Program program;
  program.graph = "fourth";
  program.soc = "SM8650";
  program.soc_model = 57;
  program.arch = 75;
  program.source_nodes = {"create", "dense", "keep"};
  program.arena_bytes = 128;
  using enum ir::TensorRole;
  program.tensors = {
      in_client("indices", 1, kInput, {DataType::kInt32, indices}),
      in_client("values", 2, kInput, {DataType::kUfixed8, values, encoding}),
      in_arena("sparse", 3, kNative, sparse, DataType::kUfixed8, 0),
      in_arena("frame", 4, kNative, {DataType::kUfixed8, frame, encoding}, DataType::kUfixed8, 64),
      in_client("frames", 5, kOutput, {DataType::kUfixed8, frames, encoding}),
  };
  Op keep{.name = "keep", .type = "Buffer", .source_nodes = {2}, .inputs = {3}, .outputs = {4}};
  keep.params.add(u32_param("buffer_size", {}, {2}));
  keep.params.add(u32_param("buffer_dim", {}, {0}));
  program.ops = {
      {.name = "create", .type = "CreateSparse", .source_nodes = {0}, .inputs = {0, 1}, .outputs = {2}},
      {.name = "dense", .type = "SparseToDense", .source_nodes = {1}, .inputs = {2}, .outputs = {3}},
      keep,
  };

  using enum TaskKind;
  using soc::Unit;
  const ops::Work work{.unit = Unit::kHvx, .vector_ops = 4, .vtcm_bytes = 100};
  program.schedule.vtcm_bytes = 1024;
  program.schedule.hvx_threads = 4;
  program.schedule.tasks = {
      {kCompute, Unit::kHvx, 0, 2, ir::Box::whole(frame), 0, work, {}},
      {kCompute, Unit::kHvx, 1, 3, rows(frame, 0, 2), 0, work, {0}},
      {kCompute, Unit::kHvx, 1, 3, rows(frame, 2, 3), 0, work, {0}},
      {kCompute, Unit::kHvx, 2, 4, ir::Box::whole(frames), 0, work, {1, 2}},
  };
  program.schedule.blocks = {{2, ir::Box::whole(frame), 0, 128, {0, 1, 2}}};
  return program;
}

// The convolution with weights that a client may replace: its bias goes with them, what is added stays.
inline Program sample_updateable() {
  Program program = sample_8bit();
  program.graph = "updateable";
  program.tensors[program.ops[0].inputs[1]].updateable = true;
  return program;
}

inline ProgramSet sample_set() {
  auto constants = std::make_shared<std::vector<std::byte>>(1312);
  for (size_t i = 0; i < constants->size(); ++i) (*constants)[i] = static_cast<std::byte>(i * 37 % 113);
  ProgramSet set;
  set.programs = {std::make_shared<Program>(sample_8bit()), std::make_shared<Program>(sample_half()),
                  std::make_shared<Program>(sample_outputs()), std::make_shared<Program>(sample_sparse())};
  set.constants = *constants;
  set.owner = std::move(constants);
  return set;
}

}  // namespace openqnn::program
