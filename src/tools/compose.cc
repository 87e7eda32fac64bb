// SPDX-License-Identifier: BSD-3-Clause
#include "tools/compose.h"

namespace openqnn::tools {

Result<ComposedGraph> compose(Session& session, const ir::Graph& graph) {
  return compose({session.api(), session.backend(), session.context()}, graph);
}

}  // namespace openqnn::tools
