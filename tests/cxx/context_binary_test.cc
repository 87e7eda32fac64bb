// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/context_binary.h"

#include <gmock/gmock.h>

namespace openqnn {
namespace {

// The fuzzer's first inputs are context binaries of known Programs.
const std::filesystem::path kCorpus = OPENQNN_CONTEXT_BINARY_CORPUS;

// feature: C9 (C++ API)
TEST(ContextBinary, SaysHowTensorsAreDeclared) {
  const auto binary = ContextBinary::open(kCorpus / "all_programs.bin");
  ASSERT_TRUE(binary) << binary.error().message;
  const GraphInfo& graph = binary->graphs().at(2);
  ASSERT_EQ(graph.name, "third");
  EXPECT_FALSE(graph.inputs.at(0).by_mem_handle);
  EXPECT_TRUE(graph.outputs.at(0).by_mem_handle);
}

}  // namespace
}  // namespace openqnn
