// SPDX-License-Identifier: BSD-3-Clause
// What a Program is made of, field by field, in the order the file keeps it. Each struct is taken apart by a
// structured binding: a field added to the struct does not compile until it is described here, too (and the
// format's version is raised).
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "program/bytes_io.h"
#include "program/program.h"

namespace openqnn::program {

// ---- Enumerations: the values that a file may hold

inline bool is_known(ir::TensorRole role) { return role <= ir::TensorRole::kStatic; }
inline bool is_known(ir::ClientMemory memory) { return memory <= ir::ClientMemory::kMemHandle; }
inline bool is_known(ir::Layout layout) { return layout <= ir::Layout::kHmx4; }
inline bool is_known(ir::Quantization::Kind kind) { return kind <= ir::Quantization::Kind::kPerBlock; }
inline bool is_known(ir::DataType type) {
  return type == ir::DataType::kUndefined || ir::data_type_from(static_cast<uint32_t>(type)).has_value();
}
inline bool is_known(ops::Activation activation) { return activation <= ops::Activation::kTimesInput; }
inline bool is_known(soc::Unit unit) { return static_cast<size_t>(unit) < soc::kUnitCount; }
inline bool is_known(soc::Arithmetic arithmetic) { return arithmetic <= soc::Arithmetic::kHalf; }
inline bool is_known(soc::HalfAccumulation mode) { return mode <= soc::HalfAccumulation::kEvenOdd; }
inline bool is_known(Storage storage) { return storage <= Storage::kConstant; }
inline bool is_known(TaskKind kind) { return kind <= TaskKind::kStore; }

// An enumeration is kept as its number, in the width of its type.
template <class Archive, class Enum>
requires std::is_enum_v<Enum>
void describe(Archive& archive, Enum& value) {
  using Number = std::underlying_type_t<Enum>;
  auto number = static_cast<Number>(value);
  archive(number);
  if constexpr (Archive::kReads) {
    if (is_known(static_cast<Enum>(number)))
      value = static_cast<Enum>(number);
    else
      archive.fail(concat("the value ", +number, " is none that its field can have"));
  }
}

// ---- ir

// A rank and that many dimensions.
template <class Archive>
void describe(Archive& archive, Field<Archive, ir::Shape>& shape) {
  auto rank = static_cast<uint8_t>(shape.rank());
  archive(rank);
  if constexpr (Archive::kReads) {
    if (rank > ir::kMaxRank) {
      archive.fail(concat("a rank of ", +rank, " is more than ", ir::kMaxRank));
      return;
    }
    shape = ir::Shape();
    for (size_t i = 0; i < rank; ++i) shape.push_back(0);
  }
  for (size_t i = 0; i < rank; ++i) archive(shape[i]);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, ir::Box>& box) {
  auto& [begin, end] = box;
  archive(begin, end);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, ir::ScaleOffset>& encoding) {
  auto& [scale, offset] = encoding;
  archive(scale, offset);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, ir::Quantization>& quantization) {
  auto& [kind, axis, bits, block, encodings, expanded] = quantization;
  static_cast<void>(expanded);  // legalise leaves it out
  archive(kind, axis, bits, block, encodings);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, ir::Sparsity>& sparsity) {
  auto& [slots, dimensions] = sparsity;
  archive(slots, dimensions);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, ir::TensorDesc>& desc) {
  auto& [type, shape, quantization, layout, is_static, sparsity] = desc;
  archive(type, shape, quantization, layout, is_static, sparsity);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, ir::Param>& param) {
  auto& [name, type, shape, data] = param;
  archive(name, type, shape, data);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, ir::Params>& params) {
  if constexpr (Archive::kReads) {
    std::vector<ir::Param> list;
    archive(list);
    params = ir::Params();
    for (ir::Param& param : list) params.add(std::move(param));
  } else {
    archive(params.all());
  }
}

// ---- ops

template <class Archive>
void describe(Archive& archive, Field<Archive, ops::Epilogue>& epilogue) {
  auto& [activation, low, high] = epilogue;
  archive(activation, low, high);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, ops::Work>& work) {
  auto& [unit, arithmetic, macs, skipped_macs, ragged, matrices, vectors, vector_ops, vtcm_bytes] = work;
  archive(unit, arithmetic, macs, skipped_macs, ragged, matrices);
  for (auto& count : vectors) archive(count);
  archive(vector_ops, vtcm_bytes);
}

// ---- program

template <class Archive>
void describe(Archive& archive, Field<Archive, Tensor>& tensor) {
  auto& [name, id, role, desc, client_type, storage, offset, bytes, updateable, client_memory] = tensor;
  archive(name, id, role, desc, client_type, storage, offset, bytes, updateable, client_memory);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, Op>& op) {
  auto& [name, type, source_nodes, params, inputs, outputs, epilogue, off_hmx] = op;
  archive(name, type, source_nodes, params, inputs, outputs, epilogue, off_hmx);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, Task>& task) {
  auto& [kind, unit, op, tensor, box, bytes, work, after, launches, saved_bytes, in_slc, core] = task;
  archive(kind, unit, op, tensor, box, bytes, work, after, launches, saved_bytes, in_slc, core);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, VtcmBlock>& block) {
  auto& [tensor, box, offset, bytes, users, streamed, core] = block;
  archive(tensor, box, offset, bytes, users, streamed, core);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, Schedule>& schedule) {
  auto& [vtcm_bytes, hvx_threads, tasks, blocks, cores] = schedule;
  archive(vtcm_bytes, hvx_threads, tasks, blocks, cores);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, Bandwidth>& bandwidth) {
  auto& [compressed_activations, compressed_weights, slc, measured_activations] = bandwidth;
  archive(compressed_activations, compressed_weights, slc, measured_activations);
}

template <class Archive>
void describe(Archive& archive, Field<Archive, Program>& program) {
  auto& [graph, soc, soc_model, arch, optimization, half_accumulation, fast_sigmoid, source_nodes,
         framework_nodes, tensors, ops, arena_bytes, schedule, bandwidth] = program;
  archive(graph, soc, soc_model, arch, optimization, half_accumulation, fast_sigmoid, source_nodes,
          framework_nodes, tensors, ops, arena_bytes, schedule, bandwidth);
}

}  // namespace openqnn::program
