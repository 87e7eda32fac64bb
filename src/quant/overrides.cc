// SPDX-License-Identifier: BSD-3-Clause
#include "quant/overrides.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "json/json.h"

namespace openqnn::quant {
namespace {

using Kind = StatedEncoding::Kind;
using ir::DataType;

// ---- From a file to the graph ----

DataType stored_type(uint32_t bits, bool is_signed) {
  if (bits == 32) return DataType::kSfixed32;
  if (bits == 16) return is_signed ? DataType::kSfixed16 : DataType::kUfixed16;
  return is_signed ? DataType::kSfixed8 : DataType::kUfixed8;
}

// Where the output channels of a constant are, by the op that takes it: last, but first in FullyConnected and
// in a matrix that is taken transposed.
class ChannelAxes {
 public:
  explicit ChannelAxes(const ir::Graph& graph) : graph_(graph), first_(graph.tensors().size(), false) {
    for (const ir::Node& node : graph.nodes()) {
      const bool transposed = node.type == "MatMul" && node.params.boolean("transpose_in1", false);
      if ((node.type == "FullyConnected" || transposed) && node.inputs[1] != ir::kNoTensor)
        first_[node.inputs[1]] = true;
    }
  }
  // Output channels, and what is summed over.
  std::pair<size_t, size_t> of(ir::TensorIndex tensor) const {
    const size_t rank = graph_.tensors()[tensor].desc.shape.rank();
    if (rank < 2) return {0, 0};
    return first_[tensor] ? std::pair{rank - 2, rank - 1} : std::pair{rank - 1, rank - 2};
  }

 private:
  const ir::Graph& graph_;
  std::vector<bool> first_;
};

Result<ir::Quantization> blocks(const StatedEncoding& stated, const ir::Tensor& tensor, size_t channel,
                                size_t summed, std::vector<ir::ScaleOffset> pairs, uint32_t narrow) {
  const ir::Shape& shape = tensor.desc.shape;
  const bool divides = channel != summed && shape[summed] % stated.block_size == 0;
  const uint64_t per_channel = divides ? shape[summed] / stated.block_size : 0;
  if (!divides || pairs.size() != per_channel * shape[channel]) {
    return invalid("encodings",
                   concat(pairs.size(), " blocks of ", stated.block_size, " do not divide '", tensor.name,
                          "' ", shape.to_string(), " along its inputs (dimension ", summed, ")"))
        .at(stated.where);
  }
  ir::Shape block = shape;
  block[channel] = 1;
  block[summed] = stated.block_size;
  if (channel > summed) {  // row-major over the grid of blocks
    std::vector<ir::ScaleOffset> by_row(pairs.size());
    for (uint64_t i = 0; i < pairs.size(); ++i)
      by_row[i % per_channel * shape[channel] + i / per_channel] = pairs[i];
    pairs = std::move(by_row);
  }
  ir::Quantization made = ir::Quantization::per_block(block, std::move(pairs), narrow);
  made.expanded = stated.kind == Kind::kExpanded;
  return made;
}

Result<ir::TensorEncoding> override_for(const StatedEncoding& stated, const ir::Tensor& tensor,
                                        size_t channel, size_t summed) {
  if (stated.kind == Kind::kFloat)
    return ir::TensorEncoding{stated.bits == 16 ? DataType::kFloat16 : DataType::kFloat32, {}};
  const bool is_static = tensor.role == ir::TensorRole::kStatic;
  if (!is_static && (stated.kind != Kind::kPerTensor || (stated.bits != 8 && stated.bits != 16))) {
    return invalid("encodings",
                   concat("'", tensor.name,
                          "' is computed when the model runs: it has one encoding, of 8 or 16 bits"))
        .at(stated.where);
  }
  // Signed integers have their zero at 0; what the file counts from the lowest integer is shifted.
  const bool is_signed = is_static && stated.symmetric;
  std::vector<ir::ScaleOffset> pairs = stated.encodings;
  if (is_signed)
    for (ir::ScaleOffset& pair : pairs) pair.offset = 0;
  ir::TensorEncoding made;
  made.type = stored_type(stated.bits, is_signed);
  const uint32_t narrow = stated.bits < 8 ? stated.bits : 0;
  const uint32_t channels = tensor.desc.shape.rank() == 0 ? 1 : tensor.desc.shape[channel];
  switch (stated.kind) {
    case Kind::kPerTensor:
      made.quantization = ir::Quantization::per_tensor(pairs[0].scale, pairs[0].offset, narrow);
      break;
    case Kind::kPerChannel:
      if (pairs.size() != channels) {
        return invalid("encodings", concat(pairs.size(), " encodings for '", tensor.name, "' ",
                                           tensor.desc.shape.to_string(), ", which has ", channels,
                                           " output channels (dimension ", channel, ")"))
            .at(stated.where);
      }
      made.quantization =
          ir::Quantization::per_axis(static_cast<uint32_t>(channel), std::move(pairs), narrow);
      break;
    default: {
      OPENQNN_ASSIGN(made.quantization, blocks(stated, tensor, channel, summed, std::move(pairs), narrow));
    }
  }
  return made;
}

using Meanings = std::unordered_map<std::string_view, std::vector<ir::TensorIndex>>;

// What each name may mean: a tensor of the model may lie in the graph in several orders.
Meanings meanings_of(const ir::Graph& graph, const frontend::Trace& trace) {
  Meanings by_name;
  std::unordered_map<std::string_view, ir::TensorIndex> indices;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) indices[graph.tensors()[i].name] = i;
  for (const frontend::Trace::Tensor& tensor : trace.tensors)
    if (const auto found = indices.find(tensor.name); found != indices.end())
      by_name[tensor.source].push_back(found->second);
  for (const auto& [name, index] : indices) {
    std::vector<ir::TensorIndex>& known = by_name[name];
    if (std::ranges::find(known, index) == known.end()) known.push_back(index);
  }
  return by_name;
}

// ---- And back ----

std::string_view enc_type(const ir::Quantization& quantization) {
  switch (quantization.kind) {
    case ir::Quantization::Kind::kPerAxis:
      return "PER_CHANNEL";
    case ir::Quantization::Kind::kPerBlock:
      return "PER_BLOCK";
    default:
      return "PER_TENSOR";
  }
}

// The pairs in the file's order: the blocks of an output channel together.
std::vector<ir::ScaleOffset> pairs_by_channel(const ir::Tensor& tensor, size_t channel, size_t summed) {
  const ir::Quantization& quantization = tensor.desc.quantization;
  if (quantization.kind != ir::Quantization::Kind::kPerBlock || channel < summed)
    return quantization.encodings;
  const uint32_t channels = tensor.desc.shape[channel];
  const uint64_t per_channel = quantization.encodings.size() / channels;
  std::vector<ir::ScaleOffset> pairs;
  for (uint64_t i = 0; i < quantization.encodings.size(); ++i)
    pairs.push_back(quantization.encodings[i % per_channel * channels + i / per_channel]);
  return pairs;
}

void write_entry(json::Writer& out, const ir::Tensor& tensor, size_t channel, size_t summed) {
  using Style = json::Writer::Style;
  const ir::Quantization& quantization = tensor.desc.quantization;
  const auto bits =
      quantization.bits != 0 ? quantization.bits : static_cast<uint32_t>(8 * ir::byte_size(tensor.desc.type));
  // Files count from the lowest integer.
  const IntegerRange whole = ir::integer_range(tensor.desc.type);
  const int64_t middle = int64_t{1} << (bits - 1);
  const int64_t shift = whole.low < 0 ? -middle : 0;
  const std::vector<ir::ScaleOffset> pairs = pairs_by_channel(tensor, channel, summed);
  const bool symmetric =
      std::ranges::all_of(pairs, [&](const ir::ScaleOffset& pair) { return pair.offset + shift == -middle; });
  out.begin_object().key("name").string(tensor.name).key("dtype").string("INT");
  out.key("enc_type").string(enc_type(quantization)).key("bw").unsigned_integer(bits);
  out.key("is_sym").boolean(symmetric);
  if (quantization.kind == ir::Quantization::Kind::kPerBlock)
    out.key("block_size").unsigned_integer(quantization.block[summed]);
  out.key("scale").begin_array(Style::kInline);
  for (const ir::ScaleOffset& pair : pairs) out.number(static_cast<double>(pair.scale));
  out.end_array().key("offset").begin_array(Style::kInline);
  for (const ir::ScaleOffset& pair : pairs) out.integer(pair.offset + shift);
  out.end_array().end_object();
}

// What has an encoding of its own: a scale of 0 says that a bias follows from other tensors.
bool is_stated(const ir::Tensor& tensor) {
  return ir::is_quantized(tensor.desc.type) && !tensor.desc.quantization.encodings.empty() &&
         tensor.desc.quantization.encodings[0].scale > 0.0F;
}

}  // namespace

Result<MatchedEncodings> match_encodings(const EncodingsFile& file, const ir::Graph& graph,
                                         const frontend::Trace& trace) {
  MatchedEncodings matched;
  const Meanings meanings = meanings_of(graph, trace);
  const ChannelAxes axes(graph);
  for (const StatedEncoding& stated : file.stated) {
    const auto found = meanings.find(stated.name);
    if (found == meanings.end()) {
      matched.unmatched.push_back(stated.name);
      continue;
    }
    for (const ir::TensorIndex index : found->second) {
      const ir::Tensor& tensor = graph.tensors()[index];
      const auto [channel, summed] = axes.of(index);
      OPENQNN_ASSIGN(matched.overrides[tensor.name], override_for(stated, tensor, channel, summed));
    }
  }
  return matched;
}

std::string write_encodings(const ir::Graph& graph) {
  json::Writer out;
  const ChannelAxes axes(graph);
  out.begin_object().key("version").string("1.0.0");
  for (const bool is_param : {false, true}) {
    out.key(is_param ? "param_encodings" : "activation_encodings").begin_array();
    for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) {
      const ir::Tensor& tensor = graph.tensors()[i];
      if (!is_stated(tensor) || (tensor.role == ir::TensorRole::kStatic) != is_param) continue;
      const auto [channel, summed] = axes.of(i);
      write_entry(out, tensor, channel, summed);
    }
    out.end_array();
  }
  out.end_object();
  return out.take();
}

}  // namespace openqnn::quant
