// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/text.h"
#include "json/utf8.h"
#include "program/bytes_io.h"
#include "program/describe.h"
#include "program/located.h"
#include "program/verify.h"

namespace openqnn::program {
namespace {

// ---- Names ----

// Names travel into C strings, JSON and HTML.
Status check_name(std::string_view name, std::string_view what) {
  if (name.size() > kMaxText)
    return invalid("program-name", concat("the name of ", what, " has more than ", kMaxText, " bytes"));
  while (!name.empty()) {
    const size_t size = name[0] == '\0' ? 0 : json::utf8_length(name);
    if (size == 0)
      return invalid("program-name", concat("the name of ", what, " is not UTF-8 text"))
          .fix_by("use names in UTF-8 without zero bytes");
    name.remove_prefix(size);
  }
  return {};
}

Status check_framework_nodes(const Program& program) {
  const size_t named = program.framework_nodes.size();
  if (named != 0 && named != program.source_nodes.size())
    return invalid("program-index", concat("nodes of the model's file are told for ", named, " of ",
                                           program.source_nodes.size(), " source nodes"));
  for (const std::vector<std::string>& nodes : program.framework_nodes)
    for (const std::string& node : nodes) OPENQNN_TRY(check_name(node, "a node of the model's file"));
  return {};
}

// ---- Tensors ----

// What the kind of an encoding says about its fields. Whether axis, blocks, number of pairs and bit width fit
// the tensor is ir::check's.
Status check_encoding(const ir::Quantization& quantization) {
  using Kind = ir::Quantization::Kind;
  const size_t count = quantization.encodings.size();
  const bool fits = quantization.kind == Kind::kNone        ? count == 0
                    : quantization.kind == Kind::kPerTensor ? count == 1
                                                            : count >= 1;
  if (!fits)
    return invalid("program-encoding",
                   concat(count, " scale-offset pairs do not fit the kind of the encoding"));
  if (quantization.kind != Kind::kPerBlock && quantization.block.rank() > 0)
    return invalid("program-encoding", "only encodings per block have blocks");
  if (quantization.kind == Kind::kNone && quantization.bits > 0)
    return invalid("program-encoding", "a tensor without an encoding has a bit width");
  return {};
}

// What exec converts on the way in and out.
bool converts(ir::DataType client, ir::DataType computed) {
  return client == computed || (client == ir::DataType::kFloat32 && computed == ir::DataType::kFloat16);
}

// Role, storage and types agree.
Status check_kind(const Tensor& tensor) {
  if (!is_known(tensor.role) || !is_known(tensor.storage) || !is_known(tensor.desc.layout) ||
      !is_known(tensor.client_type) || !is_known(tensor.desc.quantization.kind) ||
      !is_known(tensor.client_memory))
    return invalid("program-enum", "a role, storage, layout, type, encoding or memory has no meaning");
  const bool is_static = tensor.role == ir::TensorRole::kStatic;
  const bool is_native = tensor.role == ir::TensorRole::kNative;
  if (is_static != (tensor.storage == Storage::kConstant) || is_static != tensor.desc.is_static)
    return invalid("program-storage", "static tensors, and only they, are stored with the constants");
  if (is_native && tensor.storage != Storage::kArena)
    return invalid("program-storage", "a tensor between two ops is not in the arena");
  if (!is_static && tensor.desc.layout != ir::Layout::kPlain)
    return invalid("program-layout", "only constants have a matrix-unit layout");
  if (!is_native && tensor.desc.is_sparse())
    return invalid("program-sparse", "a sparse tensor is not between two ops");
  if ((is_static || is_native) && tensor.client_memory != ir::ClientMemory::kRaw)
    return invalid("program-client-memory", "a tensor that no client passes is declared as a mem handle");
  if (is_static || is_native) return {};
  if (!converts(tensor.client_type, tensor.desc.type))
    return invalid("program-client-type", concat("the client's type ", ir::name(tensor.client_type),
                                                 " does not convert to ", ir::name(tensor.desc.type)));
  if (tensor.storage == Storage::kClient && tensor.client_type != tensor.desc.type)
    return invalid("program-client-type", "a buffer used in place has another type than the computed one");
  return {};
}

Status check_place(const Tensor& tensor, uint64_t arena_bytes, uint64_t constants_bytes) {
  if (tensor.desc.layout == ir::Layout::kPlain && tensor.bytes != ir::plain_bytes(tensor.desc))
    return invalid("program-tensor-bytes",
                   concat(tensor.bytes, " bytes are stored where ", tensor.desc.shape.to_string(), " of ",
                          ir::name(tensor.desc.type), " needs ", ir::plain_bytes(tensor.desc)));
  if (tensor.storage == Storage::kClient) {
    if (tensor.offset == 0) return {};
    return invalid("program-tensor-offset", "a client's buffer has an offset");
  }
  const bool in_arena = tensor.storage == Storage::kArena;
  const uint64_t limit = in_arena ? arena_bytes : constants_bytes;
  if (tensor.offset % kTensorAlignment != 0)
    return invalid("program-tensor-offset",
                   concat("offset ", tensor.offset, " is not a multiple of ", kTensorAlignment));
  if (tensor.offset > limit || tensor.bytes > limit - tensor.offset)
    return invalid("program-tensor-offset",
                   concat(tensor.bytes, " bytes at offset ", tensor.offset, " do not fit in the ",
                          in_arena ? "arena" : "constants", " of ", limit, " bytes"));
  return {};
}

Status check_tensor(const Program& program, const Tensor& tensor, uint64_t constants_bytes) {
  OPENQNN_TRY(check_name(tensor.name, "a tensor"));
  OPENQNN_TRY(check_kind(tensor));
  OPENQNN_TRY(check_encoding(tensor.desc.quantization));
  OPENQNN_TRY(ir::check(tensor.desc));
  return check_place(tensor, program.arena_bytes, constants_bytes);
}

// A file may not ask for more memory than its tensors can use, each on pages of its own.
Status check_arena_size(const Program& program) {
  constexpr uint64_t kPage = 4 * kKiB;
  uint64_t most = 0;
  for (const Tensor& tensor : program.tensors)
    if (tensor.storage == Storage::kArena &&
        __builtin_add_overflow(most, round_up(tensor.bytes, kPage), &most))
      return invalid("program-arena", "the tensors of the arena do not fit in any memory");
  if (program.arena_bytes > most)
    return invalid("program-arena", concat("an arena of ", program.arena_bytes,
                                           " bytes is more than its tensors could fill (", most, ")"));
  return {};
}

// ---- Ops ----

Status check_params(const ir::Params& params) {
  std::unordered_set<std::string_view> names;
  for (const ir::Param& param : params.all()) {
    OPENQNN_TRY(check_name(param.name, "a parameter"));
    if (!names.insert(param.name).second)
      return invalid("program-param", concat("parameter '", param.name, "' is there twice"));
    const std::optional<uint64_t> elements = param.shape.checked_elements();
    const uint64_t element_bytes = ir::byte_size(param.type);
    // Compared by division: the product may not fit in 64 bits.
    if (element_bytes == 0 || !elements || param.data.size() % element_bytes != 0 ||
        param.data.size() / element_bytes != *elements)
      return invalid("program-param",
                     concat("parameter '", param.name, "' has ", param.data.size(), " bytes for ",
                            param.shape.to_string(), " of ", ir::name(param.type)));
  }
  return {};
}

// Who has written which tensor, as the ops are gone through in order.
using Written = std::vector<bool>;

Status check_operands(const Program& program, const Op& op, Written& written) {
  for (const ir::TensorIndex input : op.inputs) {
    if (input == ir::kNoTensor) continue;
    if (input >= program.tensors.size())
      return invalid("program-index", concat("input tensor ", input, " does not exist"));
    if (!written[input])
      return invalid("program-order",
                     concat("input tensor '", program.tensors[input].name, "' is read before it is written"));
  }
  // Tiles and work go by output 0; only others may be absent.
  if (op.outputs.empty() || op.outputs[0] == ir::kNoTensor)
    return invalid("program-index", "the op has no output");
  for (const ir::TensorIndex output : op.outputs) {
    if (output == ir::kNoTensor) continue;
    if (output >= program.tensors.size())
      return invalid("program-index", concat("output tensor ", output, " does not exist"));
    const Tensor& tensor = program.tensors[output];
    if (tensor.role == ir::TensorRole::kInput || tensor.role == ir::TensorRole::kStatic)
      return invalid("program-write", concat("output tensor '", tensor.name, "' is an input or a constant"));
    if (written[output])
      return invalid("program-write", concat("output tensor '", tensor.name, "' is written twice"));
    written[output] = true;
  }
  return {};
}

Status check_op(const Program& program, const Op& op, Written& written) {
  OPENQNN_TRY(check_name(op.name, "an op"));
  const ops::OpDef* def = ops::find_op(op.type);
  if (def == nullptr) {
    OPENQNN_TRY(check_name(op.type, "an op's type"));
    return unsupported("program-op-type", concat("op type '", op.type, "' is not known to this version"))
        .fix_by("update openqnn, or prepare the model again with this version");
  }
  for (const uint32_t node : op.source_nodes)
    if (node >= program.source_nodes.size())
      return invalid("program-index", concat("source node ", node, " does not exist"));
  OPENQNN_TRY(check_params(op.params));
  if (!is_known(op.epilogue.activation)) return invalid("program-enum", "an activation has no meaning");
  OPENQNN_TRY(check_operands(program, op, written));

  const ops::OpCall call = call_of(program, op);
  OPENQNN_TRY(ops::validate_prepared(*def, call));
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    if (op.inputs[i] == ir::kNoTensor) continue;
    const Tensor& tensor = program.tensors[op.inputs[i]];
    if (const uint64_t needed = ops::stored_bytes(*def, call, i); tensor.bytes != needed)
      return invalid("program-tensor-bytes", concat("input tensor '", tensor.name, "' is stored in ",
                                                    tensor.bytes, " bytes, but the op reads ", needed));
  }
  return {};
}

// ---- Arena ----

// When a tensor's bytes must be kept: from the op that writes it to the last that reads it, both included. An
// op may not write over its own inputs. Inputs live from before the first op, outputs to after the last.
struct Life {
  int64_t first = -1;
  int64_t last = -1;
};

std::vector<Life> lives_of(const Program& program) {
  std::vector<Life> lives(program.tensors.size());
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const auto now = static_cast<int64_t>(i);
    for (const ir::TensorIndex input : program.ops[i].inputs)
      if (input != ir::kNoTensor) lives[input].last = now;
    for (const ir::TensorIndex output : program.ops[i].outputs)
      if (output != ir::kNoTensor) lives[output] = {now, now};
  }
  for (size_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].role == ir::TensorRole::kOutput)
      lives[i].last = static_cast<int64_t>(program.ops.size());
  return lives;
}

// Goes through time and keeps the tensors that are alive, by offset: O(n log n).
Status check_arena_overlaps(const Program& program, const Written& written) {
  const std::vector<Life> lives = lives_of(program);
  std::vector<uint32_t> births;
  for (uint32_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].storage == Storage::kArena && written[i]) births.push_back(i);
  std::vector<uint32_t> deaths = births;
  std::ranges::stable_sort(births, {}, [&](uint32_t i) { return lives[i].first; });
  std::ranges::stable_sort(deaths, {}, [&](uint32_t i) { return lives[i].last; });

  std::map<uint64_t, uint32_t> alive;  // offset to tensor
  size_t next_death = 0;
  for (const uint32_t born : births) {
    for (; lives[deaths[next_death]].last < lives[born].first; ++next_death)
      alive.erase(program.tensors[deaths[next_death]].offset);
    const Tensor& tensor = program.tensors[born];
    const auto above = alive.lower_bound(tensor.offset);
    const auto refuse = [&](uint32_t other) {
      return invalid("program-arena-overlap",
                     concat("tensors '", program.tensors[other].name, "' and '", tensor.name,
                            "' share bytes of the arena while both are needed"));
    };
    if (above != alive.end() && above->first < tensor.offset + tensor.bytes) return refuse(above->second);
    if (above != alive.begin()) {
      const uint32_t below = std::prev(above)->second;
      if (program.tensors[below].offset + program.tensors[below].bytes > tensor.offset) return refuse(below);
    }
    alive.emplace(tensor.offset, born);
  }
  return {};
}

}  // namespace

bool is_sound_name(std::string_view name) { return check_name(name, "a part of it").ok(); }

Status verify_ops(const Program& program, uint64_t constants_bytes) {
  OPENQNN_TRY(check_name(program.graph, "the graph"));
  const std::string graph = concat("graph '", program.graph, "'");
  OPENQNN_TRY(located(check_name(program.soc, "the SoC"), graph));
  for (const std::string& node : program.source_nodes)
    OPENQNN_TRY(located(check_name(node, "a source node"), graph));
  OPENQNN_TRY(located(check_framework_nodes(program), graph));
  if (!is_known(program.half_accumulation))
    return invalid("program-enum", "the way of adding up halves has no meaning").at(graph);

  Written written(program.tensors.size());
  std::unordered_set<uint32_t> ids;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor& tensor = program.tensors[i];
    OPENQNN_TRY(
        located(check_tensor(program, tensor, constants_bytes), graph, ", tensor '", tensor.name, "'"));
    if (!ids.insert(tensor.id).second)
      return invalid("program-tensor-id", concat("id ", tensor.id, " belongs to another tensor, too"))
          .at(concat(graph, ", tensor '", tensor.name, "'"));
    written[i] = tensor.role == ir::TensorRole::kInput || tensor.role == ir::TensorRole::kStatic;
  }
  OPENQNN_TRY(located(check_arena_size(program), graph));

  for (const Op& op : program.ops)
    OPENQNN_TRY(located(check_op(program, op, written), graph, ", op '", op.name, "'"));
  for (size_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].role == ir::TensorRole::kOutput && !written[i])
      return invalid("program-output", "no op writes this output")
          .at(concat(graph, ", tensor '", program.tensors[i].name, "'"));
  return located(check_arena_overlaps(program, written), graph);
}

}  // namespace openqnn::program
