// SPDX-License-Identifier: BSD-3-Clause
// Reports of a simulation through the public headers.
#include "openqnn/report.h"

#include <gmock/gmock.h>

#include "openqnn/context_binary.h"
#include "openqnn/profile_log.h"

namespace openqnn {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::filesystem::path kBinaries = OPENQNN_CONTEXT_BINARY_CORPUS;

// feature: D6 (C++ API)
TEST(Report, MakesTheAnalysisSummaryOfASimulation) {
  const auto binary = ContextBinary::open(kBinaries / "all_programs.bin");
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

// feature: D4 (C++ API)
TEST(Report, HasTheLintingTextOfASimulation) {
  const auto binary = ContextBinary::open(kBinaries / "all_programs.bin");
  ASSERT_TRUE(binary) << binary.error().message;
  const auto simulation = simulate(*binary, {.graph = binary->graphs()[0].name});
  ASSERT_TRUE(simulation) << simulation.error().message;
  EXPECT_THAT(linting_text(*simulation),
              HasSubstr("(critical path execute) time (cycles)): " +
                        std::to_string(simulation->times().cycles) + "  cycles\n"));
}

TEST(Report, APageThatCannotBeWrittenIsAnError) {
  const auto binary = ContextBinary::open(kBinaries / "all_programs.bin");
  ASSERT_TRUE(binary) << binary.error().message;
  const auto simulation = simulate(*binary, {.graph = binary->graphs()[0].name});
  ASSERT_TRUE(simulation) << simulation.error().message;
  const auto written =
      write_analysis_page(*simulation, std::filesystem::path("no-such-folder") / "page.html");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().to_string(), HasSubstr("no-such-folder"));
}

TEST(ProfileLog, WhatIsNoneIsRefused) {
  size_t lines = 0;
  const auto take = [&](const std::string&) { ++lines; };
  const auto other = read_profile_log(kBinaries / "all_programs.bin", take);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().where, HasSubstr("all_programs.bin"));
  const auto missing = read_profile_log("no-such.log", take);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "file-missing");
  EXPECT_EQ(lines, 0U);
}

}  // namespace
}  // namespace openqnn
