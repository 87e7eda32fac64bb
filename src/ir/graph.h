// SPDX-License-Identifier: BSD-3-Clause
// A model as the client states it: tensors and nodes in dependency order, nothing decided yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/blob.h"
#include "base/result.h"
#include "ir/shape.h"
#include "ir/types.h"

namespace openqnn::ir {

// QNN's encoding: real = scale * (stored + offset).
struct ScaleOffset {
  float scale = 1.0F;
  int32_t offset = 0;
  friend bool operator==(const ScaleOffset&, const ScaleOffset&) = default;
};

// How stored integers stand for real numbers: not at all, by one encoding, by one per slice along an axis, or
// by one per block.
struct Quantization {
  enum class Kind : uint8_t { kNone, kPerTensor, kPerAxis, kPerBlock };
  Kind kind = Kind::kNone;
  uint32_t axis = 0;
  // How many low bits of a stored integer count, sign included, where they are fewer than the type has: 4-bit
  // weights come one to a byte. 0: all of them.
  uint32_t bits = 0;
  Shape block;                         // extents of a block, as many as the tensor has dimensions
  std::vector<ScaleOffset> encodings;  // none, one, one per index along the axis, or one per block, row-major
  // A client gave the blocks as integer multiples of a scale per channel. Parts differ in whether they take
  // that; the numbers do not, so a Program does not keep it.
  bool expanded = false;

  static Quantization per_tensor(float scale, int32_t offset, uint32_t bits = 0) {
    return {Kind::kPerTensor, 0, bits, {}, {{scale, offset}}};
  }
  static Quantization per_axis(uint32_t axis, std::vector<ScaleOffset> encodings, uint32_t bits = 0) {
    return {Kind::kPerAxis, axis, bits, {}, std::move(encodings)};
  }
  static Quantization per_block(const Shape& block, std::vector<ScaleOffset> encodings, uint32_t bits = 0) {
    return {Kind::kPerBlock, 0, bits, block, std::move(encodings)};
  }
  const ScaleOffset& at(uint32_t index_on_axis) const {
    return kind == Kind::kPerAxis ? encodings[index_on_axis] : encodings[0];
  }
  // Of the element at `index` in a tensor of `shape`, whatever the kind.
  const ScaleOffset& of(const Shape& shape, const Shape& index) const;
  friend bool operator==(const Quantization&, const Quantization&) = default;
};

// How elements lie in memory. The matrix-unit layouts are documented in docs/context_binary.md.
enum class Layout : uint8_t {
  kPlain,  // row-major, last dimension fastest
  kHmx8,   // 8-bit weights in blocks [K/32][N/32][8][32][4]
  kHmx16,  // half or 16-bit weights in 32x32 blocks [K/32][N/32][32][32]
  kHmx4,   // 4-bit weights: the order of kHmx8, two to a byte, the first in the low nibble
};

// A sparse tensor ("hybrid COO") has values at some places of its leading dimensions alone. Such a place is a
// slot: its coordinates, and the dense slice of the trailing dimensions there. In memory the coordinates of
// all slots come first, as 32-bit integers, then their slices.
struct Sparsity {
  uint32_t slots = 0;       // room for so many places (numSpecifiedElements)
  uint32_t dimensions = 0;  // leading ones that coordinates count along; 0: the tensor is dense
  friend bool operator==(const Sparsity&, const Sparsity&) = default;
};

// Everything but a tensor's name and values: what ops, work and kernels look at.
struct TensorDesc {
  DataType type = DataType::kUndefined;
  Shape shape;
  Quantization quantization;
  Layout layout = Layout::kPlain;
  bool is_static = false;
  Sparsity sparsity = {};

  bool is_sparse() const { return sparsity.dimensions > 0; }
};

// Bytes of a tensor in the plain layout.
uint64_t plain_bytes(const TensorDesc& desc);
// The same of a part. A sparse tensor is in one piece, whatever part of its shape is meant.
uint64_t plain_bytes(const TensorDesc& desc, const Box& box);
// The two parts of a sparse tensor: [slots, dimensions] of coordinates, [slots, slice...] of values.
Shape coordinates_shape(const TensorDesc& desc);
Shape slices_shape(const TensorDesc& desc);
uint64_t coordinates_bytes(const TensorDesc& desc);
// Checks what every tensor must satisfy: a known type, a size that fits in memory, an encoding that fits the
// shape, slots that fit it, too.
Status check(const TensorDesc& desc);

// The refusal of a sparse input, output or constant: no source says how a client would write or read one.
DiagnosticBuilder sparse_must_be_native();

enum class TensorRole : uint8_t {
  kInput,   // written by the client before an execute
  kOutput,  // read by the client after it
  kNative,  // between two nodes
  kStatic,  // constant, given with the graph
};
// Whether the client passes it to executes.
inline bool is_io(TensorRole role) { return role == TensorRole::kInput || role == TensorRole::kOutput; }

// How a client declares that it will pass an input or output to executes. It may pass it otherwise: what
// differs is which memory the device keeps ready (docs/memory.md).
enum class ClientMemory : uint8_t {
  kRaw,        // a buffer of the client's own
  kMemHandle,  // registered memory
};

using openqnn::Blob;

struct Tensor {
  std::string name;
  TensorRole role = TensorRole::kNative;
  TensorDesc desc;
  Blob data;                                        // of a static tensor, in desc.layout
  bool updateable = false;                          // its data or encoding may be replaced after finalize
  ClientMemory client_memory = ClientMemory::kRaw;  // of an input or output
};

// A parameter of a node: a scalar (rank 0) or a small constant tensor.
struct Param {
  std::string name;
  DataType type = DataType::kUndefined;
  Shape shape;
  std::vector<std::byte> data;
};

// Parameters by name. Values are read through these after the schema has checked type and shape.
class Params {
 public:
  void add(Param param) { params_.push_back(std::move(param)); }
  const std::vector<Param>& all() const { return params_; }
  const Param* find(std::string_view name) const;

  bool boolean(std::string_view name, bool fallback) const;
  uint32_t u32(std::string_view name, uint32_t fallback) const;
  float f32(std::string_view name, float fallback) const;
  // Element `index` of a u32 tensor parameter.
  uint32_t u32_at(std::string_view name, size_t index, uint32_t fallback) const;
  int32_t i32(std::string_view name, int32_t fallback) const;
  int32_t i32_at(std::string_view name, size_t index, int32_t fallback) const;
  float f32_at(std::string_view name, size_t index, float fallback) const;
  // Elements of a parameter; 0 when it is absent, 1 for a scalar.
  size_t count(std::string_view name) const;

 private:
  std::vector<Param> params_;
};

// Tensors are named by their index in the graph; kNoTensor stands for an absent optional one.
using TensorIndex = uint32_t;
inline constexpr TensorIndex kNoTensor = UINT32_MAX;

struct Node {
  std::string name;
  std::string type;  // "Conv2d"
  Params params;
  std::vector<TensorIndex> inputs;
  std::vector<TensorIndex> outputs;
};

class Graph {
 public:
  explicit Graph(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }
  std::vector<const Tensor*> tensors_with(TensorRole role) const;
  const std::vector<Node>& nodes() const { return nodes_; }

  // Refuses a name that is taken, a descriptor that `check` refuses, static data of the wrong size, and
  // sparse tensors that are not between two nodes.
  Result<TensorIndex> add_tensor(Tensor tensor);
  // In place of a tensor of the same name, role, type and shape: with other values or another encoding.
  // Refused like a new one. Answers what was there.
  Result<Tensor> replace_tensor(TensorIndex index, Tensor tensor);
  // Refuses inputs that no earlier node produced, outputs that have a producer already, a name that is taken.
  Status add_node(Node node);

  // The node that writes a tensor, if any.
  std::optional<uint32_t> producer(TensorIndex tensor) const;

  // What can only be said of the whole: there is a node, and every native and output tensor has a producer.
  Status check_complete() const;

 private:
  Status check_tensor(Tensor& tensor) const;

  std::string name_;
  std::vector<Tensor> tensors_;
  std::vector<Node> nodes_;
  std::vector<std::optional<uint32_t>> producers_;  // beside tensors_
  std::unordered_map<std::string, TensorIndex> tensors_by_name_;
  std::unordered_map<std::string, uint32_t> nodes_by_name_;
};

}  // namespace openqnn::ir
