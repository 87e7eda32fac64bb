// SPDX-License-Identifier: BSD-3-Clause
// Whether a part can run a graph, found out for all of its nodes at once and before long work.
#pragma once

#include "base/result.h"
#include "ir/graph.h"
#include "soc/target.h"
#include "tools/model_job.h"

namespace openqnn::tools {

// One error that lists every node that the part refuses.
Status check_runs_on(const soc::Target& part, const ir::Graph& graph);

// The same of a model that has not been quantized yet, from the types that its tensors are going to have.
Status check_will_run_on(const soc::Target& part, const FloatModel& model, const Precision& precision);

}  // namespace openqnn::tools
