// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "base/half.h"
#include "prepare/draft.h"
#include "program/verify.h"

namespace openqnn::prepare {
namespace {

// A float32 graph runs in half precision: constants are rounded once, when somebody needs them.
ir::Blob rounded_to_half(const ir::Blob& floats) {
  const size_t count = floats.size() / sizeof(float);
  if (!floats.is_stated()) return ir::Blob::unstated(count * sizeof(Half));
  return ir::Blob::made_by(count * sizeof(Half), [floats, count] {
    std::vector<std::byte> halves(count * sizeof(Half));
    floats_to_halves(floats.data(), halves.data(), count);
    return halves;
  });
}

program::Tensor computed_tensor(const ir::Tensor& tensor, uint32_t id) {
  program::Tensor computed{.name = tensor.name,
                           .id = id,
                           .role = tensor.role,
                           .desc = tensor.desc,
                           .client_type = tensor.desc.type,
                           .updateable = tensor.updateable,
                           .client_memory = tensor.client_memory};
  computed.desc.quantization.expanded = false;
  if (tensor.desc.type == ir::DataType::kFloat32) computed.desc.type = ir::DataType::kFloat16;
  if (tensor.role == ir::TensorRole::kStatic)
    computed.storage = program::Storage::kConstant;
  else if (tensor.role != ir::TensorRole::kNative && computed.desc.type == computed.client_type)
    computed.storage = program::Storage::kClient;
  computed.bytes = ir::plain_bytes(computed.desc);
  return computed;
}

// What a graph gets of `all` that a part has: 0 asks for everything.
template <class Amount>
Amount granted(std::optional<Amount> asked, Amount by_default, Amount all) {
  if (!asked) return std::min(by_default, all);
  return *asked ? *asked : all;
}

// A name that no file could hold is left out: names are for people, and no reason not to prepare a graph.
std::vector<std::string> framework_nodes_of(const ModelFacts& facts, std::string_view node) {
  std::vector<std::string> names;
  const auto found = facts.framework_nodes.find(node);
  if (found != facts.framework_nodes.end())
    std::ranges::copy_if(found->second, std::back_inserter(names), program::is_sound_name);
  return names;
}

}  // namespace

Draft legalise(const ir::Graph& graph, const soc::Target& target, const Options& options) {
  Draft draft;
  program::Program& program = draft.program;
  program.graph = graph.name();
  program.soc = target.soc;
  program.soc_model = target.soc_model;
  program.arch = target.arch;
  program.optimization = options.optimization;
  program.half_accumulation = target.half_accumulation;
  program.fast_sigmoid = !options.high_precision_sigmoid;
  program.schedule.vtcm_bytes = granted(options.vtcm_bytes, kDefaultVtcmBytes, target.vtcm.value);
  program.schedule.hvx_threads = granted(options.hvx_threads, kDefaultHvxThreads, target.hvx_contexts);
  program.schedule.cores = std::min(options.cores, target.cores);
  program.bandwidth = {.compressed_activations = options.compress_activations,
                       .compressed_weights = options.compress_weights,
                       .slc = options.use_slc && target.slc.value > 0,
                       .measured_activations = options.compress_activations && options.facts &&
                                               options.facts->activation_share.has_value()};

  for (uint32_t i = 0; i < graph.tensors().size(); ++i) {
    const ir::Tensor& tensor = graph.tensors()[i];
    program.tensors.push_back(computed_tensor(tensor, i + 1));
    const bool rounds = tensor.data && tensor.desc.type == ir::DataType::kFloat32;
    draft.data.push_back(rounds ? rounded_to_half(tensor.data) : tensor.data);
  }
  const bool names_nodes = options.facts && !options.facts->framework_nodes.empty();
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const ir::Node& node = graph.nodes()[i];
    program.source_nodes.push_back(node.name);
    if (names_nodes) program.framework_nodes.push_back(framework_nodes_of(*options.facts, node.name));
    program.ops.push_back({.name = node.name,
                           .type = node.type,
                           .source_nodes = {i},
                           .params = node.params,
                           .inputs = node.inputs,
                           .outputs = node.outputs,
                           .epilogue = {}});
  }
  return draft;
}

}  // namespace openqnn::prepare
