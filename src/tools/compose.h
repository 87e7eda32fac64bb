// SPDX-License-Identifier: BSD-3-Clause
// A graph of ours, told to the backend of a session (api/compose.h).
#pragma once

#include "api/compose.h"
#include "tools/session.h"

namespace openqnn::tools {

using api::compose;
using api::ComposedGraph;
using api::ComposeTarget;
using api::describe;
using api::DescribedTensor;

// Into the context that the session works on.
inline Result<ComposedGraph> compose(Session& session, const ir::Graph& graph) {
  return compose({session.api(), session.backend(), session.context()}, graph, {});
}

}  // namespace openqnn::tools
