// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a file of encodings, laid on a graph with a tensor of every kind.
#include <cstdint>
#include <string_view>

#include "quant/overrides.h"
#include "quant/quantize.h"

namespace {

using namespace openqnn;

ir::Graph small_graph() {
  const auto tensor = [](const char* name, ir::TensorRole role, const ir::Shape& shape) {
    ir::Tensor made{.name = name,
                    .role = role,
                    .desc = {.type = ir::DataType::kFloat32, .shape = shape},
                    .data = nullptr};
    if (role == ir::TensorRole::kStatic)
      made.data = ir::Blob::of(std::vector<std::byte>(shape.elements() * sizeof(float)));
    return made;
  };
  ir::Graph graph("g");
  const ir::TensorIndex x = *graph.add_tensor(tensor("x", ir::TensorRole::kInput, {1, 4}));
  const ir::TensorIndex w = *graph.add_tensor(tensor("w", ir::TensorRole::kStatic, {2, 4}));
  const ir::TensorIndex b = *graph.add_tensor(tensor("b", ir::TensorRole::kStatic, {2}));
  const ir::TensorIndex y = *graph.add_tensor(tensor("y", ir::TensorRole::kOutput, {1, 2}));
  (void)graph
      .add_node({.name = "n", .type = "FullyConnected", .params = {}, .inputs = {x, w, b}, .outputs = {y}})
      .ok();
  return graph;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const ir::Graph graph = small_graph();
  const auto file = quant::read_encodings({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  if (!file) return 0;
  const auto matched = quant::match_encodings(*file, graph, {});
  if (!matched) return 0;
  const auto plan =
      quant::make_plan(graph, quant::Observations(graph.tensors().size()), matched->overrides, {});
  if (plan) (void)quant::apply(graph, *plan, {}).ok();
  return 0;
}
