// SPDX-License-Identifier: BSD-3-Clause
#include "ir/graph.h"

#include <cmath>
#include <cstring>

#include "base/text.h"

namespace openqnn::ir {
namespace {

// `param` may be null.
template <class T>
T value_at(const Param* param, size_t index, T fallback) {
  T value = fallback;
  if (param && (index + 1) * sizeof(T) <= param->data.size())
    std::memcpy(&value, param->data.data() + index * sizeof(T), sizeof(T));
  return value;
}

std::string in_quotes(const std::string& name) { return "'" + name + "'"; }

Status check_blocks(const TensorDesc& desc) {
  const Quantization& quantization = desc.quantization;
  const Shape& block = quantization.block;
  if (block.rank() != desc.shape.rank())
    return invalid("tensor-encoding-block", concat("a block of rank ", block.rank(),
                                                   " for a tensor of shape ", desc.shape.to_string()));
  uint64_t blocks = 1;
  for (size_t i = 0; i < block.rank(); ++i) {
    if (block[i] == 0 || desc.shape[i] % block[i] != 0)
      return invalid("tensor-encoding-block", concat("blocks of ", block.to_string(), " do not divide ",
                                                     desc.shape.to_string(), " evenly"));
    blocks *= desc.shape[i] / block[i];
  }
  if (quantization.encodings.size() == blocks) return {};
  return invalid("tensor-encoding-count",
                 concat(quantization.encodings.size(), " scale-offset pairs for ", blocks, " blocks"));
}

Status check_encoding(const TensorDesc& desc) {
  const Quantization& quantization = desc.quantization;
  if (quantization.kind == Quantization::Kind::kNone) return {};
  if (quantization.kind == Quantization::Kind::kPerAxis) {
    if (quantization.axis >= desc.shape.rank())
      return invalid("tensor-encoding-axis", concat("quantization axis ", quantization.axis,
                                                    " is not a dimension of ", desc.shape.to_string()))
          .fix_by("count axes from 0");
    const uint32_t slices = desc.shape[quantization.axis];
    if (quantization.encodings.size() != slices)
      return invalid("tensor-encoding-count",
                     concat(quantization.encodings.size(), " scale-offset pairs for axis ", quantization.axis,
                            ", which has ", slices, " entries"));
  }
  if (quantization.kind == Quantization::Kind::kPerBlock) OPENQNN_TRY(check_blocks(desc));
  const size_t most_bits = 8 * byte_size(desc.type);
  if (quantization.bits > most_bits)
    return invalid("tensor-encoding-bits", concat("a bit width of ", quantization.bits, " does not fit ",
                                                  name(desc.type), ", which has ", most_bits));
  for (const ScaleOffset& encoding : quantization.encodings)
    if (!(encoding.scale >= 0.0F) || !std::isfinite(encoding.scale))
      return invalid("tensor-encoding-scale", concat("scale ", encoding.scale, " is negative or not finite"));
  return {};
}

// After the shape was checked: there are at most 2^40 places, so no size of slots overflows.
Status check_sparsity(const TensorDesc& desc) {
  const auto [slots, dimensions] = desc.sparsity;
  if (!desc.is_sparse()) {
    if (slots == 0) return {};
    return invalid("tensor-sparse",
                   concat(slots, " specified elements of a tensor without sparse dimensions"))
        .fix_by("say how many of the leading dimensions are sparse");
  }
  if (desc.layout != Layout::kPlain)
    return invalid("tensor-sparse", "a sparse tensor is in a matrix-unit layout");
  if (dimensions > desc.shape.rank())
    return invalid("tensor-sparse",
                   concat(dimensions, " sparse dimensions of a tensor of shape ", desc.shape.to_string()))
        .fix_by(concat("use 1 to ", desc.shape.rank(), ", counted from the outermost"));
  const uint64_t places = Shape(desc.shape.dims().first(dimensions)).elements();
  if (slots == 0 || slots > places)
    return invalid("tensor-sparse",
                   concat(slots, " specified elements, but the ", dimensions, " sparse dimensions of ",
                          desc.shape.to_string(), " have ", places, " places"))
        .fix_by(concat("use 1 to ", places));
  return {};
}

}  // namespace

const ScaleOffset& Quantization::of(const Shape& shape, const Shape& index) const {
  if (kind == Kind::kPerAxis) return encodings[index[axis]];
  if (kind != Kind::kPerBlock) return encodings[0];
  uint64_t number = 0;
  for (size_t i = 0; i < shape.rank(); ++i) number = number * (shape[i] / block[i]) + index[i] / block[i];
  return encodings[number];
}

uint64_t plain_bytes(const TensorDesc& desc) {
  if (desc.is_sparse()) return coordinates_bytes(desc) + slices_shape(desc).elements() * byte_size(desc.type);
  return desc.shape.elements() * byte_size(desc.type);
}

uint64_t plain_bytes(const TensorDesc& desc, const Box& box) {
  return desc.is_sparse() ? plain_bytes(desc) : box.elements() * byte_size(desc.type);
}

Shape coordinates_shape(const TensorDesc& desc) { return {desc.sparsity.slots, desc.sparsity.dimensions}; }

Shape slices_shape(const TensorDesc& desc) {
  Shape shape = {desc.sparsity.slots};
  for (size_t i = desc.sparsity.dimensions; i < desc.shape.rank(); ++i) shape.push_back(desc.shape[i]);
  return shape;
}

uint64_t coordinates_bytes(const TensorDesc& desc) {
  return coordinates_shape(desc).elements() * sizeof(uint32_t);
}

Status check(const TensorDesc& desc) {
  if (byte_size(desc.type) == 0)
    return invalid("tensor-type",
                   concat("data type 0x", std::hex, static_cast<uint32_t>(desc.type), " is not known"));
  for (const uint32_t dim : desc.shape.dims())
    if (dim == 0)
      return invalid("tensor-shape", concat("shape ", desc.shape.to_string(), " has a dimension of 0"))
          .fix_by("give every dimension its size; dynamic dimensions are not supported");
  // Leaves room for the padding of every layout without overflow.
  constexpr uint64_t kLargest = uint64_t{1} << 40;
  const std::optional<uint64_t> elements = desc.shape.checked_elements();
  if (!elements || *elements > kLargest)
    return invalid("tensor-size", concat("shape ", desc.shape.to_string(), " has more than 2^40 elements"));
  OPENQNN_TRY(check_sparsity(desc));
  return check_encoding(desc);
}

const Param* Params::find(std::string_view name) const {
  for (const Param& param : params_)
    if (param.name == name) return &param;
  return nullptr;
}

bool Params::boolean(std::string_view name, bool fallback) const {
  return value_at<uint8_t>(find(name), 0, fallback) != 0;
}

uint32_t Params::u32(std::string_view name, uint32_t fallback) const { return u32_at(name, 0, fallback); }

float Params::f32(std::string_view name, float fallback) const { return f32_at(name, 0, fallback); }

float Params::f32_at(std::string_view name, size_t index, float fallback) const {
  return value_at(find(name), index, fallback);
}

int32_t Params::i32(std::string_view name, int32_t fallback) const { return i32_at(name, 0, fallback); }

int32_t Params::i32_at(std::string_view name, size_t index, int32_t fallback) const {
  return value_at(find(name), index, fallback);
}

size_t Params::count(std::string_view name) const {
  const Param* param = find(name);
  return param ? param->shape.elements() : 0;
}

uint32_t Params::u32_at(std::string_view name, size_t index, uint32_t fallback) const {
  return value_at(find(name), index, fallback);
}

DiagnosticBuilder sparse_must_be_native() {
  return unsupported("tensor-sparse-role", "only a tensor between two nodes may be sparse")
      .fix_by("make it NATIVE: CreateSparse writes it, SparseToDense reads it");
}

// A descriptor that holds together and, of a constant, all its values, which it is marked with.
Status Graph::check_tensor(Tensor& tensor) const {
  const std::string where = concat("graph ", in_quotes(name_), ", tensor ", in_quotes(tensor.name));
  if (Status status = check(tensor.desc); !status) {
    Diagnostic diagnostic = std::move(status).error();
    diagnostic.where.object = where;
    return diagnostic;
  }
  if (tensor.desc.is_sparse() && tensor.role != TensorRole::kNative) return sparse_must_be_native().at(where);
  if (tensor.role == TensorRole::kStatic) {
    const uint64_t expected = plain_bytes(tensor.desc);
    const uint64_t given = tensor.data ? tensor.data.size() : 0;
    if (given != expected)
      return invalid("tensor-data-size",
                     concat("static data has ", given, " bytes where ", tensor.desc.shape.to_string(), " of ",
                            ir::name(tensor.desc.type), " needs ", expected))
          .at(where)
          .fix_by("pass the tensor's data, in full, when it is created");
    tensor.desc.is_static = true;
  }
  return {};
}

Result<TensorIndex> Graph::add_tensor(Tensor tensor) {
  if (tensors_by_name_.contains(tensor.name))
    return invalid("tensor-name-taken", "a tensor of this name exists already")
        .at(concat("graph ", in_quotes(name_), ", tensor ", in_quotes(tensor.name)))
        .fix_by("use unique names");
  OPENQNN_TRY(check_tensor(tensor));
  const auto index = static_cast<TensorIndex>(tensors_.size());
  tensors_by_name_.emplace(tensor.name, index);
  tensors_.push_back(std::move(tensor));
  producers_.emplace_back();
  return index;
}

Result<Tensor> Graph::replace_tensor(TensorIndex index, Tensor tensor) {
  OPENQNN_TRY(check_tensor(tensor));
  return std::exchange(tensors_[index], std::move(tensor));
}

Status Graph::add_node(Node node) {
  const std::string where = concat("graph ", in_quotes(name_), ", node ", in_quotes(node.name));
  if (nodes_by_name_.contains(node.name))
    return invalid("node-name-taken", "a node of this name exists already")
        .at(where)
        .fix_by("use unique names");
  for (const TensorIndex input : node.inputs) {
    if (input == kNoTensor) continue;
    const Tensor& tensor = tensors_[input];
    const bool needs_producer = tensor.role == TensorRole::kNative || tensor.role == TensorRole::kOutput;
    if (needs_producer && !producers_[input])
      return invalid("node-order", concat("input tensor ", in_quotes(tensor.name), " has no producer yet"))
          .at(where)
          .fix_by("add the node that writes it first: nodes come in dependency order");
  }
  for (const TensorIndex output : node.outputs) {
    if (output == kNoTensor) continue;
    const Tensor& tensor = tensors_[output];
    if (tensor.role == TensorRole::kInput || tensor.role == TensorRole::kStatic)
      return invalid("node-writes-input",
                     concat("output tensor ", in_quotes(tensor.name), " is an input or a constant"))
          .at(where);
    if (producers_[output])
      return invalid("tensor-two-producers",
                     concat("tensor ", in_quotes(tensor.name), " is already written by node ",
                            in_quotes(nodes_[*producers_[output]].name)))
          .at(where);
  }
  const auto index = static_cast<uint32_t>(nodes_.size());
  for (const TensorIndex output : node.outputs)
    if (output != kNoTensor) producers_[output] = index;
  nodes_by_name_.emplace(node.name, index);
  nodes_.push_back(std::move(node));
  return {};
}

std::vector<const Tensor*> Graph::tensors_with(TensorRole role) const {
  std::vector<const Tensor*> found;
  for (const Tensor& tensor : tensors_)
    if (tensor.role == role) found.push_back(&tensor);
  return found;
}

std::optional<uint32_t> Graph::producer(TensorIndex tensor) const { return producers_[tensor]; }

Status Graph::check_complete() const {
  if (nodes_.empty())
    return invalid("graph-empty", "the graph has no node")
        .at("graph " + in_quotes(name_))
        .fix_by("add nodes first");
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const Tensor& tensor = tensors_[i];
    const bool needs_producer = tensor.role == TensorRole::kNative || tensor.role == TensorRole::kOutput;
    if (needs_producer && !producers_[i])
      return invalid("tensor-no-producer", "no node writes this tensor")
          .at(concat("graph ", in_quotes(name_), ", tensor ", in_quotes(tensor.name)))
          .fix_by("add the node that produces it, or create it as an input");
  }
  return {};
}

}  // namespace openqnn::ir
