// SPDX-License-Identifier: BSD-3-Clause
// How well the activations of a model compress on their way to DDR (DLBC), as a sample of real data shows.
#pragma once

#include "base/result.h"
#include "ir/graph.h"
#include "tools/model_job.h"

namespace openqnn::tools {

// What compression leaves of the bytes of all activations of `graph`, inputs and outputs among them, when it
// computes the sample as the backend does: 0.6 is 60 %. The sample's values are those of `model`'s inputs.
Result<double> activation_share(const ir::Graph& graph, const ir::Graph& model, const Sample& sample);

}  // namespace openqnn::tools
