// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/dlc/dlc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/files.h"
#include "base/text.h"
#include "base/zip.h"

namespace openqnn::frontend {
namespace {

using testing::HasSubstr;

ir::Param f32_param(std::string name, float value) {
  ir::Param param{std::move(name), ir::DataType::kFloat32, {}, std::vector<std::byte>(sizeof(float))};
  std::memcpy(param.data.data(), &value, sizeof(float));
  return param;
}

DlcGraph sample_graph() {
  DlcGraph made;
  made.graph = ir::Graph("net");
  ir::Tensor x{.name = "x", .role = ir::TensorRole::kInput};
  x.desc.type = ir::DataType::kUfixed8;
  x.desc.shape = {1, 4};
  x.desc.quantization = ir::Quantization::per_tensor(0.1F, -3);
  ir::Tensor w{.name = "w", .role = ir::TensorRole::kStatic};
  w.desc.type = ir::DataType::kSfixed8;
  w.desc.shape = {1, 4};
  w.desc.is_static = true;
  w.desc.quantization = ir::Quantization::per_axis(1, {{0.5F, 0}, {0.25F, 0}, {1.0F, 0}, {2.0F, 0}}, 4);
  w.data = ir::Blob::of(std::vector<std::byte>(4, std::byte{7}));
  ir::Tensor y = x;
  y.name = "y";
  y.role = ir::TensorRole::kOutput;
  const ir::TensorIndex xi = *made.graph.add_tensor(x);
  const ir::TensorIndex wi = *made.graph.add_tensor(w);
  const ir::TensorIndex yi = *made.graph.add_tensor(y);
  ir::Node node{.name = "n", .type = "Anything"};
  node.params.add(f32_param("low", -INFINITY));
  node.params.add(f32_param("high", 0.1F));
  node.inputs = {xi, ir::kNoTensor, wi};
  node.outputs = {yi};
  EXPECT_TRUE(made.graph.add_node(node).ok());
  made.trace.nodes = {{"n", {"model/Conv_0", "model/Relu_1"}}};
  made.trace.tensors = {{"y", "model/y:0"}};
  made.activation_share = 0.625;
  made.encodings["y"] = {ir::DataType::kUfixed8, ir::Quantization::per_tensor(0.5F, -1)};
  return made;
}

class DlcTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".dlc");
    Dlc dlc;
    dlc.graphs.push_back(sample_graph());
    dlc.converter_command = "qairt-converter -i \"a b.onnx\"";
    ASSERT_TRUE(write_dlc(path_, dlc).ok());
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_;
};

TEST_F(DlcTest, GivesBackWhatWasWritten) {
  const auto dlc = read_dlc(path_);
  ASSERT_TRUE(dlc.ok()) << dlc.error().to_string();
  EXPECT_EQ(dlc->converter_command, "qairt-converter -i \"a b.onnx\"");
  ASSERT_EQ(dlc->graphs.size(), 1U);
  const DlcGraph& graph = dlc->graphs[0];
  const DlcGraph want = sample_graph();
  EXPECT_EQ(graph.graph.name(), "net");
  ASSERT_EQ(graph.graph.tensors().size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(graph.graph.tensors()[i].name, want.graph.tensors()[i].name);
    EXPECT_EQ(graph.graph.tensors()[i].role, want.graph.tensors()[i].role);
    EXPECT_EQ(graph.graph.tensors()[i].desc.quantization, want.graph.tensors()[i].desc.quantization);
  }
  EXPECT_THAT(graph.graph.tensors()[1].data.bytes(),
              testing::ElementsAreArray(want.graph.tensors()[1].data.bytes()));
  const ir::Node& node = graph.graph.nodes()[0];
  EXPECT_EQ(node.inputs, want.graph.nodes()[0].inputs);
  EXPECT_EQ(node.params.f32("low", 0), -INFINITY);
  EXPECT_EQ(node.params.f32("high", 0), 0.1F);
  EXPECT_EQ(graph.activation_share, 0.625);
  ASSERT_EQ(graph.trace.nodes.size(), 1U);
  EXPECT_THAT(graph.trace.nodes[0].sources, testing::ElementsAre("model/Conv_0", "model/Relu_1"));
  EXPECT_EQ(graph.encodings.at("y").quantization, want.encodings.at("y").quantization);
}

TEST_F(DlcTest, IsTheSameBytesEveryTime) {
  const std::string first = *read_text_file(path_);
  Dlc again = *read_dlc(path_);
  ASSERT_TRUE(write_dlc(path_, again).ok());
  EXPECT_EQ(*read_text_file(path_), first);
}

TEST_F(DlcTest, EveryCutIsRefused) {
  const std::string whole = *read_text_file(path_);
  for (size_t size = 0; size < whole.size(); size += 7)
    EXPECT_FALSE(read_dlc(std::as_bytes(std::span(whole.data(), size)), "cut").ok()) << size;
}

TEST_F(DlcTest, DamagedWeightsAreRefused) {
  std::string whole = *read_text_file(path_);
  whole[whole.rfind(std::string(4, '\7')) + 1] = '\1';
  const auto dlc = read_dlc(std::as_bytes(std::span(whole.data(), whole.size())), "damaged.dlc");
  ASSERT_FALSE(dlc.ok());
  EXPECT_THAT(dlc.error().message, HasSubstr("checksum"));
}

// A file with right checksums, and these tensors in its one graph.
std::vector<std::byte> dlc_with(std::string_view tensors, std::string_view nodes = "",
                                std::string_view encodings = "{}") {
  const auto blob = [](std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return Blob::of({bytes.begin(), bytes.end()});
  };
  const std::string graphs = concat(R"([{"name": "g", "tensors": [)", tensors, R"(], "nodes": [)", nodes,
                                    R"(], "encodings": )", encodings, "}]");
  return zip_bytes({{"openqnn-dlc.json", {blob(R"({"format": "openqnn-dlc", "version": 1})")}},
                    {"graph.json", {blob(graphs)}},
                    {"weights.bin", {Blob::of(std::vector<std::byte>(64))}}});
}

TEST(HostileDlc, ATensorWithoutANameIsRefused) {
  for (const char* const name : {"", R"("name": "", )", R"("name": 7, )"}) {
    const auto dlc =
        read_dlc(dlc_with(concat("{", name, R"("role": "input", "type": "f32", "shape": [4]})")), "x");
    ASSERT_FALSE(dlc.ok()) << name;
    EXPECT_THAT(dlc.error().message, HasSubstr("no name")) << name;
  }
}

// Else a small file would stand for tensors of any size, each of which takes memory.
TEST(HostileDlc, ValuesThatOverlapAreRefused) {
  const auto tensor = [](std::string_view name, size_t offset, size_t bytes) {
    return concat(R"({"name": ")", name, R"(", "role": "static", "type": "u8", "shape": [)", bytes,
                  R"(], "offset": )", offset, R"(, "bytes": )", bytes, "}");
  };
  const auto reason = [](const std::string& tensors) {
    return read_dlc(dlc_with(tensors), "x").error().message;
  };
  EXPECT_THAT(reason(concat(tensor("a", 0, 60), ",", tensor("b", 1, 60))), HasSubstr("'b' lie where"));
  // Those that two tensors share are there once; what is wrong here is that there is no node.
  EXPECT_THAT(reason(concat(tensor("a", 0, 60), ",", tensor("b", 0, 60))), HasSubstr("no node"));
}

TEST(HostileDlc, VersionsBeginWithOne) {
  const auto blob = [](std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    return Blob::of({bytes.begin(), bytes.end()});
  };
  const auto zip = zip_bytes({{"openqnn-dlc.json", {blob(R"({"format": "openqnn-dlc", "version": -1})")}}});
  EXPECT_THAT(read_dlc(zip, "x").error().message, HasSubstr("its version is -1"));
}

// Nothing is read as something else.
TEST(HostileDlc, WrongNumbersOfEncodingsAreRefused) {
  const auto reason = [](std::string_view fields) {
    return read_dlc(dlc_with(concat(R"({"name": "x", "role": "input", "type": "u8", "shape": [4],
                                       "quantization": {"kind": "axis", )",
                                    fields, R"(, "encodings": [[0.5, 0]]}})")),
                    "x")
        .error()
        .message;
  };
  EXPECT_THAT(reason(R"("axis": -1)"), HasSubstr("'x' has a wrong axis"));
  EXPECT_THAT(reason(R"("axis": "0")"), HasSubstr("'x' has a wrong axis"));
  EXPECT_THAT(reason(R"("axis": 0, "bits": 33)"), HasSubstr("'x' has a wrong bits"));
  EXPECT_THAT(reason(R"("axis": 0, "expanded": 1)"), HasSubstr("'x' has a wrong expanded"));
}

// Everything behind the reader counts on it.
TEST(HostileDlc, NodesAndEncodingsThatDoNotFitAreRefused) {
  const std::string tensors = R"({"name": "x", "role": "input", "type": "f32", "shape": [4]},
                                 {"name": "y", "role": "output", "type": "f32", "shape": [4]})";
  const auto reason = [&](std::string_view type, std::string_view inputs, std::string_view encodings) {
    const auto dlc = read_dlc(dlc_with(tensors,
                                       concat(R"({"name": "n", "type": ")", type, R"(", "inputs": [)", inputs,
                                              R"(], "outputs": ["y"]})"),
                                       encodings),
                              "x");
    if (dlc.ok()) return std::string();
    EXPECT_THAT(dlc.error().where.object, testing::StartsWith("x"));
    return dlc.error().message;
  };
  EXPECT_EQ(reason("Relu", R"("x")", "{}"), "");
  EXPECT_EQ(reason("OfAPackage", "", "{}"), "");
  EXPECT_THAT(reason("Relu", R"("x", "x", "x")", "{}"), HasSubstr("node 'n' (Relu)"));
  EXPECT_THAT(reason("Quantize", "", "{}"), HasSubstr("node 'n' (Quantize)"));
  const auto encoded = [&](std::string_view encoding) {
    return reason("Relu", R"("x")", concat(R"({"x": )", encoding, "}"));
  };
  EXPECT_EQ(encoded(R"({"type": "ufx8", "quantization": {"kind": "tensor", "encodings": [[0.5, 0]]}})"), "");
  EXPECT_EQ(encoded(R"({"type": "f32"})"), "");
  for (const char* const wrong :
       {R"({"type": "ufx8"})", R"({"type": "i32"})",
        R"({"type": "ufx8", "quantization": {"kind": "axis", "axis": 0, "encodings": [[0.5, 0]]}})"})
    EXPECT_THAT(encoded(wrong), HasSubstr("the encoding of 'x' does not fit it")) << wrong;
  EXPECT_THAT(encoded(R"({"type": "ufx8", "quantization": {"kind": "tensor", "encodings": []}})"),
              HasSubstr("'x' has 0 encodings, not one"));
}

TEST_F(DlcTest, TheVendorsIsRecognisedAndRefusedInOneSentence) {
  ASSERT_TRUE(write_zip(path_, {{"model", {}}, {"model.params", {}}, {"dlc.metadata", {}}}).ok());
  const auto dlc = read_dlc(path_);
  ASSERT_FALSE(dlc.ok());
  EXPECT_THAT(dlc.error().message, HasSubstr("vendor's DLC"));
}

TEST_F(DlcTest, AnotherArchiveIsNoDlc) {
  ASSERT_TRUE(write_zip(path_, {{"readme", {}}}).ok());
  EXPECT_THAT(read_dlc(path_).error().message, HasSubstr("no DLC"));
}

}  // namespace
}  // namespace openqnn::frontend
