// SPDX-License-Identifier: BSD-3-Clause
#include "tools/activation_share.h"

#include <algorithm>

#include "base/text.h"
#include "prepare/dlbc.h"
#include "quant/encoding.h"
#include "quant/reference_run.h"

namespace openqnn::tools {
namespace {

// The sample's values by input of `graph`, in its types.
using Stored = std::map<ir::TensorIndex, std::vector<std::byte>>;

Result<Stored> stored_inputs(const ir::Graph& graph, const ir::Graph& model, const Sample& sample) {
  Stored made;
  for (const auto& [index, values] : sample.values) {
    const ir::Tensor& given = model.tensors()[index];
    const auto found = std::ranges::find(graph.tensors(), given.name, &ir::Tensor::name);
    if (found == graph.tensors().end())
      return internal("share-input", concat("no input '", given.name, "' to measure with"));
    const auto place = static_cast<ir::TensorIndex>(found - graph.tensors().begin());
    const bool is_real = given.desc.type == ir::DataType::kFloat32 && found->desc.type != given.desc.type;
    made[place] = is_real ? quant::stored(found->desc, {reinterpret_cast<const float*>(values.data()),
                                                        values.size() / sizeof(float)})
                          : values;
  }
  return made;
}

}  // namespace

Result<double> activation_share(const ir::Graph& graph, const ir::Graph& model, const Sample& sample) {
  OPENQNN_ASSIGN(const Stored inputs, stored_inputs(graph, model, sample));
  uint64_t before = 0;
  uint64_t after = 0;
  quant::ReferenceRun run(graph, quant::FloatsAs::kHalf);
  OPENQNN_TRY(run.run({inputs.begin(), inputs.end()},
                      [&](ir::TensorIndex /*tensor*/, std::span<const std::byte> values) {
                        before += values.size();
                        after += prepare::compressed_bytes(values);
                      }));
  return before == 0 ? 1.0 : static_cast<double>(after) / static_cast<double>(before);
}

}  // namespace openqnn::tools
