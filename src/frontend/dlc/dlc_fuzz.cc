// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a DLC; what is read is used as the compiler would.
#include <cstdint>

#include "frontend/dlc/dlc.h"
#include "ops/op.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace openqnn;
  const auto dlc = frontend::read_dlc({reinterpret_cast<const std::byte*>(data), size}, "input");
  if (!dlc) return 0;
  for (const frontend::DlcGraph& graph : dlc->graphs)
    for (const ir::Node& node : graph.graph.nodes())
      (void)ops::validate(node.type, ops::call_of(graph.graph, node)).ok();
  return 0;
}
