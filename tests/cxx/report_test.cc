// SPDX-License-Identifier: BSD-3-Clause
// Reports of a simulation through the public headers.
#include "openqnn/report.h"

#include <gmock/gmock.h>

#include "openqnn/context_binary.h"

namespace openqnn {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::filesystem::path kCorpus = OPENQNN_CONTEXT_BINARY_CORPUS;

// feature: D6 (C++ API)
TEST(Report, MakesTheAnalysisSummaryOfASimulation) {
  const auto binary = ContextBinary::open(kCorpus / "all_programs.bin");
  ASSERT_TRUE(binary) << binary.error().message;
  for (const GraphInfo& graph : binary->graphs()) {
    const auto simulation = simulate(*binary, {.graph = graph.name});
    ASSERT_TRUE(simulation) << simulation.error().message;
    EXPECT_THAT(analysis_json(*simulation, "my model"), HasSubstr("\"model_id\": \"my model\""));
    EXPECT_THAT(analysis_json(*simulation), HasSubstr("\"type_code\": \"QHAS\""));
    const std::string page = analysis_page(*simulation, "my model");
    EXPECT_THAT(page, StartsWith("<!doctype html>"));
    EXPECT_THAT(page, HasSubstr("my model"));
  }
  EXPECT_THAT(analysis_schema(), HasSubstr("\"QHAS\""));
}

}  // namespace
}  // namespace openqnn
