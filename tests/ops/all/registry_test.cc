// SPDX-License-Identifier: BSD-3-Clause
// The registry, the schemas and the oracles know each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "ops/op_case.h"

namespace openqnn::ops {
namespace {

TEST(Registry, EveryOpHasASchemaAnOracleAndRows) {
  std::set<std::string_view> seen;
  for (const OpDef& op : all_ops()) {
    EXPECT_TRUE(seen.insert(op.type).second) << op.type << " is listed twice";
    ASSERT_NE(find_schema(op.type), nullptr) << op.type << " is not in data/ops.json";
    EXPECT_FALSE(offered_rows(op).empty()) << op.type << " offers no types";
    ASSERT_FALSE(op.kernels.empty()) << op.type;
    EXPECT_EQ(op.kernels.back().declines, nullptr) << op.type << ": the reference serves every call";
    EXPECT_NE(oracle::find(std::string(op.type)), nullptr) << op.type << " has no file in tests/oracle";
  }
  EXPECT_EQ(oracle::all().size(), all_ops().size());
}

// Optional operands at the end are left out or null, whatever stood in their place before.
TEST(OpCall, WhatIsBehindTheLastOperandIsAbsent) {
  const ir::TensorDesc desc;
  OpCall call{.inputs = {&desc, nullptr, &desc}, .outputs = {&desc, nullptr, &desc}};
  call.inputs.pop_back();
  call.outputs.pop_back();
  EXPECT_TRUE(call.has_input(0));
  EXPECT_TRUE(call.has_output(0));
  for (const size_t absent : {1, 2, 3}) {
    EXPECT_FALSE(call.has_input(absent)) << absent;
    EXPECT_FALSE(call.has_output(absent)) << absent;
  }
}

TEST(Registry, RowsOfTheTablesAreRead) {
  size_t rows = 0;
  for (const Schema& schema : all_schemas()) rows += schema.rows.size();
  EXPECT_EQ(all_schemas().size(), 161U);
  EXPECT_GE(rows, 1083U);
}

TEST(Registry, OurRowsAndRefusalsAreRows) {
  for (const OpDef& op : all_ops()) {
    for (const std::string_view row : op.our_rows) EXPECT_TRUE(parse_type_row(row, "")) << op.type << row;
    for (const std::string_view row : op.stored_rows) EXPECT_TRUE(parse_type_row(row, "")) << op.type << row;
    for (const OpDef::RefusedRow& refused : op.refused_rows) {
      const auto& rows = find_schema(op.type)->rows;
      EXPECT_NE(std::ranges::find(rows, refused.row, &TypeRow::text), rows.end()) << op.type << refused.row;
      EXPECT_FALSE(refused.why.empty()) << op.type << refused.row;
    }
  }
}

TEST(Schema, AShapeThatIsWrittenOutHasItsRank) {
  const auto rank = [](const char* shape) {
    OperandSchema operand;
    operand.shape_text = shape;
    return operand.fixed_rank();
  };
  EXPECT_EQ(rank("[b, h, w, c]"), 4U);
  EXPECT_EQ(rank("[n0, 5 or 4]"), 2U);
  EXPECT_EQ(rank("[min(total, post_nms_top), 5]"), 2U);
  EXPECT_EQ(rank("[t, b, hid] or [b, t, hid]"), 3U);
  EXPECT_EQ(rank("0-D bool8"), 0U);
  for (const char* open :
       {"[..., c], rank>0", "[n], or rank>=2 reshapable to [batch, n]", "rank N", "same as x",
        "[b, seq, rot/2], or [max_pos, rot/2] with position ids", "[b, out] or 3-D like x"})
    EXPECT_EQ(rank(open), std::nullopt) << open;
}

// What the kernels' checks refuse must not be what the page offers.
TEST(Schema, NoFixedRankIsBeyondTheLargest) {
  for (const Schema& schema : all_schemas())
    for (const std::vector<OperandSchema>* side : {&schema.inputs, &schema.outputs})
      for (const OperandSchema& operand : *side)
        EXPECT_LE(operand.fixed_rank().value_or(0), operand.max_rank) << schema.type << " " << operand.name;
}

// Of a changed copy of the facts.
[[noreturn]] void exit_after_reading(const std::string& folder) {
  ::setenv("OPENQNN_DATA_DIR", folder.c_str(), 1);
  const Schema* schema = find_schema("Relu");
  const bool bounded = schema != nullptr && schema->inputs[0].max_rank < ir::kMaxRank &&
                       schema->params[0].shape.rank() == ir::kMaxRank;
  std::exit(bounded ? 0 : 1);
}

TEST(Schema, RanksAreBounded) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // each process reads the schemas once
  const std::string folder = testing::TempDir() + "openqnn_registry_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/ops.json") << R"({"ops": {"Relu": {"inputs": [{"name": "x", "max_rank": -1}],
    "params": [{"name": "p", "type": "u32", "shape": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}]}}})";
  EXPECT_EXIT(exit_after_reading(folder), testing::ExitedWithCode(0), "");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace openqnn::ops
