// SPDX-License-Identifier: BSD-3-Clause
#include "tools/activation_share.h"

#include "prepare/dlbc.h"
#include "quant/reference_run.h"

namespace openqnn::tools {

Result<double> activation_share(const ir::Graph& graph, const ir::Graph& model, const Sample& sample) {
  OPENQNN_ASSIGN(const quant::StoredInputs inputs, quant::stored_inputs(sample.inputs(), model, graph));
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
