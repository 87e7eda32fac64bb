// SPDX-License-Identifier: BSD-3-Clause
#include "tools/convert/model_source.h"

#include <gmock/gmock.h>

#include <cstring>
#include <limits>
#include <set>

#include "base/text.h"
#include "tools/macs.h"

namespace openqnn::tools::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

ir::TensorIndex add(ir::Graph& graph, const std::string& name, ir::TensorRole role, const ir::Shape& shape) {
  ir::Tensor tensor;
  tensor.name = name;
  tensor.role = role;
  tensor.desc.type = ir::DataType::kFloat32;
  tensor.desc.shape = shape;
  if (role == ir::TensorRole::kStatic) {
    tensor.desc.is_static = true;
    tensor.data = Blob::of(std::vector<std::byte>(shape.elements() * sizeof(float), std::byte{7}));
  }
  return *graph.add_tensor(std::move(tensor));
}

template <class Value>
ir::Param scalar(const char* name, ir::DataType type, Value value) {
  ir::Param param{name, type, {}, std::vector<std::byte>(sizeof(value))};
  std::memcpy(param.data.data(), &value, sizeof(value));
  return param;
}

// x, w -> y, by one node.
frontend::DlcGraph one_node(const std::string& weight, ir::Params params = {}) {
  frontend::DlcGraph model;
  model.graph = ir::Graph("graph");
  const auto x = add(model.graph, "x", ir::TensorRole::kInput, {2, 3});
  const auto w = add(model.graph, weight, ir::TensorRole::kStatic, {3, 5});
  const auto y = add(model.graph, "y", ir::TensorRole::kOutput, {2, 5});
  EXPECT_TRUE(model.graph.add_node({.name = "node",
                                    .type = "MatMul",
                                    .params = std::move(params),
                                    .inputs = {x, w, ir::kNoTensor},
                                    .outputs = {y}}));
  return model;
}

std::string source_of(const frontend::DlcGraph& model, bool numbered = false) {
  return model_source(model, source_names(model.graph, numbered), {"QnnModel", "a test", "a test", ""});
}

// feature: D1 (inside)
TEST(ModelSource, QuotesNamesSoThatNoneEndsAStringOrAComment) {
  frontend::DlcGraph model = one_node(
      "w\"\\\n\xc3\xa9"
      "1");
  model.trace.nodes.push_back({"node", {"first\nsecond\\"}});
  const std::string source = source_of(model);
  EXPECT_THAT(source, HasSubstr(R"("w\042\134\012\303\2511")"));
  EXPECT_THAT(source, HasSubstr("// MatMul 'node', in the model: first?second?\n"));
}

TEST(ModelSource, WritesOperandsThatAreLeftOutAsNull) {
  EXPECT_THAT(source_of(one_node("w")), HasSubstr(R"({"x", "w", nullptr}, {"y"})"));
}

TEST(ModelSource, WritesNumbersThatHaveNoLiteral) {
  ir::Params params;
  params.add(scalar("low", ir::DataType::kInt32, std::numeric_limits<int32_t>::min()));
  params.add(scalar("infinite", ir::DataType::kFloat32, std::numeric_limits<float>::infinity()));
  params.add(scalar("whole", ir::DataType::kFloat32, 2.0F));
  params.add(scalar("on", ir::DataType::kBool8, uint8_t{1}));
  const std::string source = source_of(one_node("w", std::move(params)));
  EXPECT_THAT(source, HasSubstr(R"(scalar<int32_t>("low", QNN_DATATYPE_INT_32, INT32_MIN))"));
  EXPECT_THAT(source,
              HasSubstr(R"(scalar<float>("infinite", QNN_DATATYPE_FLOAT_32, float_of(2139095040u)))"));
  EXPECT_THAT(source, HasSubstr(R"(scalar<float>("whole", QNN_DATATYPE_FLOAT_32, 2.0F))"));
  EXPECT_THAT(source, HasSubstr(R"(scalar<uint8_t>("on", QNN_DATATYPE_BOOL_8, 1))"));
}

TEST(ModelSource, ReadsTheFilesOfItsConstantsAndNoOthers) {
  // Names of tensors and nodes that look like files, and a comment that looks like a call.
  frontend::DlcGraph model = one_node("w.raw");
  model.trace.nodes.push_back({"node", {"tensor(\"t\", \"absent.raw\")"}});
  EXPECT_THAT(source_of(model), HasSubstr("absent.raw"));
  EXPECT_THAT(files_read_by(source_of(model)), testing::ElementsAre("w_raw.raw"));
}

TEST(ModelSource, ReadsTheFilesOfLongNamesAndOfEncodings) {
  frontend::DlcGraph model;
  model.graph = ir::Graph("graph");
  for (const size_t length : {300, 301}) {
    ir::Tensor tensor;
    tensor.name = std::string(length, 'n');
    tensor.role = ir::TensorRole::kStatic;
    tensor.desc.type = ir::DataType::kSfixed8;
    tensor.desc.shape = {2};
    tensor.desc.is_static = true;
    tensor.desc.quantization = ir::Quantization::per_axis(0, {{1.0F, 0}, {2.0F, 0}});
    tensor.data = Blob::of(std::vector<std::byte>(2));
    ASSERT_TRUE(model.graph.add_tensor(std::move(tensor)));
  }
  const std::string stem(80, 'n');
  EXPECT_THAT(files_read_by(source_of(model)),
              testing::UnorderedElementsAre(stem + ".raw", stem + ".encodings", stem + "_1.raw",
                                            stem + "_1.encodings"));
}

TEST(ModelSource, KeepsFunctionsSmall) {
  frontend::DlcGraph model;
  model.graph = ir::Graph("graph");
  std::vector<ir::TensorIndex> inputs;
  for (int i = 0; i < 100; ++i)
    inputs.push_back(add(model.graph, concat("x", i), ir::TensorRole::kInput, {1}));
  const auto y = add(model.graph, "y", ir::TensorRole::kOutput, {100});
  ASSERT_TRUE(model.graph.add_node(
      {.name = "node", .type = "Concat", .params = {}, .inputs = inputs, .outputs = {y}}));
  // 102 calls, 32 to a function.
  const std::string source = source_of(model);
  EXPECT_THAT(source, HasSubstr("void step_3("));
  EXPECT_THAT(source, Not(HasSubstr("void step_4(")));
}

TEST(SourceNames, OfFilesAreDifferentAndFitIntoAnArchive) {
  ir::Graph graph("graph");
  add(graph, "a/b", ir::TensorRole::kStatic, {1});
  add(graph, "a:b", ir::TensorRole::kStatic, {1});
  add(graph, "a_b_1", ir::TensorRole::kStatic, {1});
  add(graph, std::string(300, 'n'), ir::TensorRole::kStatic, {1});
  add(graph, std::string(301, 'n'), ir::TensorRole::kStatic, {1});
  const SourceNames names = source_names(graph, false);
  const std::set<std::string> files(names.files.begin(), names.files.end());
  EXPECT_EQ(files.size(), names.files.size());
  for (const std::string& file : files) EXPECT_LE(file.size() + std::string(".encodings").size(), 100U);
}

TEST(SourceNames, NumbersDoNotMeetNamesThatClientsSee) {
  ir::Graph graph("graph");
  add(graph, "0", ir::TensorRole::kInput, {1});
  add(graph, "weights", ir::TensorRole::kStatic, {1});
  EXPECT_EQ(source_names(graph, true).tensors, (std::vector<std::string>{"0", "1"}));
}

TEST(Macs, OfAMatrixProductAreOutputsTimesDepth) {
  const frontend::DlcGraph model = one_node("w");
  EXPECT_EQ(macs_of(model.graph, model.graph.nodes()[0]), 2U * 5U * 3U);
}

}  // namespace
}  // namespace openqnn::tools::convert
