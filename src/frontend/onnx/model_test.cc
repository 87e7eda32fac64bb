// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "frontend/onnx/proto_writer.h"

namespace openqnn::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Bytes as_bytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

std::string text_of(const TensorValues& values) {
  return {reinterpret_cast<const char*>(values.bytes().data()), values.bytes().size()};
}

template <class T>
std::string memory_of(std::initializer_list<T> values) {
  std::string out(values.size() * sizeof(T), '\0');
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

ProtoWriter value_info(std::string_view name, std::initializer_list<int64_t> dims) {
  ProtoWriter shape;
  for (const int64_t dim : dims) {
    ProtoWriter dimension;
    if (dim < 0) {
      dimension.bytes(2, "batch");
    } else {
      dimension.varint(1, static_cast<uint64_t>(dim));
    }
    shape.message(1, dimension);
  }
  return ProtoWriter().bytes(1, name).message(
      2, ProtoWriter().message(1, ProtoWriter().varint(1, 1).message(2, shape)));
}

// One Conv with attributes of several kinds, an initializer and a dynamic batch.
std::string small_model() {
  ProtoWriter packed;
  packed.put_varint(2);
  packed.put_varint(3);
  const ProtoWriter strides = ProtoWriter().bytes(1, "strides").varint(20, 7).bytes(8, packed.text());
  const ProtoWriter pads =
      ProtoWriter().bytes(1, "pads").varint(20, 7).varint(8, 1).varint(8, static_cast<uint64_t>(int64_t{-1}));
  const ProtoWriter alpha = ProtoWriter().bytes(1, "alpha").varint(20, 1).fixed32(2, 0.5F);
  ProtoWriter node;
  node.bytes(1, "x").bytes(1, "").bytes(1, "w").bytes(2, "y").bytes(3, "conv").bytes(4, "Conv");
  node.message(5, strides).message(5, pads).message(5, alpha);
  const ProtoWriter weight =
      ProtoWriter().varint(1, 2).varint(2, 1).bytes(8, "w").bytes(9, memory_of({1.0F, 2.0F}));
  ProtoWriter graph;
  graph.message(1, node).bytes(2, "main").message(5, weight);
  graph.message(11, value_info("x", {-1, 3})).message(12, value_info("y", {1, 2}));
  ProtoWriter model;
  model.varint(1, 8).bytes(2, "tests").message(7, graph).message(8, ProtoWriter().varint(2, 17));
  return model.text();
}

TEST(OnnxModel, ReadsWhatTheFileStates) {
  const std::string file = small_model();
  const auto model = read_model(as_bytes(file), "m.onnx");
  ASSERT_TRUE(model.ok()) << model.error().to_string();
  EXPECT_EQ(model->ir_version, 8);
  EXPECT_EQ(model->producer, "tests");
  EXPECT_EQ(model->opset(), 17);
  const Graph& graph = *model->graph;
  EXPECT_EQ(graph.name, "main");
  ASSERT_EQ(graph.nodes.size(), 1u);
  const Node& node = graph.nodes[0];
  EXPECT_EQ(node.op_type, "Conv");
  EXPECT_THAT(node.inputs, ElementsAre("x", "", "w"));
  EXPECT_THAT(node.outputs, ElementsAre("y"));
  ASSERT_NE(node.find("strides"), nullptr);
  EXPECT_THAT(node.find("strides")->ints, ElementsAre(2, 3));  // packed
  EXPECT_THAT(node.find("pads")->ints, ElementsAre(1, -1));    // one by one
  EXPECT_EQ(node.find("alpha")->f, 0.5F);
  EXPECT_EQ(node.find("beta"), nullptr);
  ASSERT_EQ(graph.inputs.size(), 1u);
  ASSERT_TRUE(graph.inputs[0].shape.has_value());
  EXPECT_EQ(graph.inputs[0].type, ElementType::kFloat);
  EXPECT_FALSE((*graph.inputs[0].shape)[0].value.has_value());
  EXPECT_EQ((*graph.inputs[0].shape)[0].name, "batch");
  EXPECT_EQ((*graph.inputs[0].shape)[1].value, 3);
}

TEST(OnnxModel, ViewsTheFileInsteadOfCopyingIt) {
  const std::string file = small_model();
  const auto model = read_model(as_bytes(file), "m.onnx");
  ASSERT_TRUE(model.ok());
  ExternalFiles none("");
  const auto values = values_of(model->graph->initializers[0], none);
  ASSERT_TRUE(values.ok());
  EXPECT_FALSE(values->owns());
  EXPECT_GE(reinterpret_cast<const char*>(values->bytes().data()), file.data());
  EXPECT_LT(reinterpret_cast<const char*>(values->bytes().data()), file.data() + file.size());
}

// A cut file may lose whole fields at its end, and then is a smaller model; it must never be a wrong one.
TEST(OnnxModel, RefusesOrShortensACutFile) {
  const std::string file = small_model();
  size_t refused = 0;
  for (size_t length = 0; length < file.size(); ++length) {
    const std::string cut = file.substr(0, length);
    const auto model = read_model(as_bytes(cut), "m.onnx");
    if (model.ok()) continue;
    ++refused;
    EXPECT_FALSE(model.error().message.empty());
  }
  EXPECT_GT(refused, file.size() * 8 / 10);
}

TEST(OnnxModel, SaysWhereItStopsMakingSense) {
  const std::string file = ProtoWriter().varint(1, 8).text() + "\x3a\x7f";
  const auto model = read_model(as_bytes(file), "m.onnx");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().to_string(), HasSubstr("m.onnx, byte 2"));
  EXPECT_THAT(model.error().to_string(), HasSubstr("a field is longer than what is left of its message"));
}

TEST(OnnxModel, RefusesAFileWithoutAGraph) {
  const auto model = read_model({}, "m.onnx");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, "onnx-no-graph");
}

TEST(OnnxModel, LimitsTheDepthOfGraphs) {
  ProtoWriter graph;
  for (int level = 0; level < 1000; ++level) {
    const ProtoWriter attribute = ProtoWriter().bytes(1, "body").varint(20, 5).message(6, graph);
    graph = ProtoWriter().message(1, ProtoWriter().message(5, attribute));
  }
  const std::string file = ProtoWriter().message(7, graph).text();
  const auto model = read_model(as_bytes(file), "m.onnx");
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, HasSubstr("nested more than 32 deep"));
}

Tensor tensor_of(const std::string& message) {
  // As an attribute's value, so that the reader of the product reads it.
  static std::string file;
  const ProtoWriter attribute = ProtoWriter().bytes(1, "value").varint(20, 4).bytes(5, message);
  file = ProtoWriter().message(7, ProtoWriter().message(1, ProtoWriter().message(5, attribute))).text();
  const auto model = read_model(as_bytes(file), "m.onnx");
  EXPECT_TRUE(model.ok());
  return model->graph->nodes[0].attributes[0].tensors[0];
}

TEST(OnnxTensor, GivesOneFormForAllWaysToHoldValues) {
  ExternalFiles none("");
  const auto check = [&](const ProtoWriter& message, const std::string& expected) {
    const auto values = values_of(tensor_of(message.text()), none);
    ASSERT_TRUE(values.ok()) << values.error().to_string();
    EXPECT_EQ(text_of(*values), expected);
  };
  const auto start = [](uint64_t type, uint64_t count) {
    return ProtoWriter().varint(1, count).varint(2, type);
  };
  check(start(1, 2).bytes(4, memory_of({1.5F, -2.0F})), memory_of({1.5F, -2.0F}));
  check(start(1, 2).fixed32(4, 1.5F).fixed32(4, -2.0F), memory_of({1.5F, -2.0F}));
  check(start(11, 1).fixed64(10, 0.25), memory_of({0.25}));
  check(start(7, 2).varint(7, 5).varint(7, static_cast<uint64_t>(int64_t{-5})), memory_of<int64_t>({5, -5}));
  check(start(3, 2).varint(5, 1).varint(5, static_cast<uint64_t>(int64_t{-1})), memory_of<int8_t>({1, -1}));
  check(start(10, 1).varint(5, 0x3c00), memory_of<uint16_t>({0x3c00}));
  check(start(13, 1).varint(11, 7), memory_of<uint64_t>({7}));
  check(start(22, 3).varint(5, 0x21).varint(5, 0x03), memory_of<uint8_t>({0x21, 0x03}));
  check(start(9, 0), "");
  check(ProtoWriter().varint(2, 6).varint(5, 9), memory_of<int32_t>({9}));  // no dimensions: one element
}

TEST(OnnxTensor, RefusesValuesThatDoNotFit) {
  ExternalFiles none("");
  const auto reason = [&](const ProtoWriter& message) {
    const auto values = values_of(tensor_of(message.text()), none);
    return values.ok() ? std::string("accepted") : values.error().to_string();
  };
  EXPECT_THAT(reason(ProtoWriter().varint(1, 3).varint(2, 1).bytes(9, "1234")),
              HasSubstr("it has 4 bytes where its dimensions need 12"));
  EXPECT_THAT(reason(ProtoWriter().varint(1, 1).varint(2, 1).varint(7, 1)),
              HasSubstr("not where those of float"));
  EXPECT_THAT(reason(ProtoWriter().varint(1, uint64_t(-3)).varint(2, 1)), HasSubstr("a dimension is -3"));
  EXPECT_THAT(reason(ProtoWriter().varint(1, 1ull << 40).varint(1, 1ull << 40).varint(2, 1)),
              HasSubstr("beyond any memory"));
  EXPECT_THAT(reason(ProtoWriter().varint(1, 1).varint(2, 8).bytes(6, "text")), HasSubstr("holds string"));
  EXPECT_THAT(reason(ProtoWriter().varint(1, 1).varint(2, 14)), HasSubstr("holds type 14"));
  EXPECT_THAT(reason(ProtoWriter().varint(1, 1).varint(2, 7).bytes(7, "\xff")),
              HasSubstr("middle of a number"));
}

class OnnxExternal : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "openqnn-onnx-external";
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "weights.bin") << "0123456789";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string read(std::string_view location, std::string_view offset, std::string_view length) {
    const auto entry = [](std::string_view key, std::string_view value) {
      return ProtoWriter().bytes(1, key).bytes(2, value);
    };
    ProtoWriter message;
    message.varint(1, 4).varint(2, 2).bytes(8, "w").varint(14, 1);
    message.message(13, entry("location", location)).message(13, entry("offset", offset));
    if (!length.empty()) message.message(13, entry("length", length));
    ExternalFiles files(folder_);
    const auto values = values_of(tensor_of(message.text()), files);
    return values.ok() ? text_of(*values) : values.error().to_string();
  }

  std::filesystem::path folder_;
};

TEST_F(OnnxExternal, MapsTheFileBesideTheModel) {
  EXPECT_EQ(read("weights.bin", "3", "4"), "3456");
  EXPECT_EQ(read("weights.bin", "6", ""), "6789");
}

TEST_F(OnnxExternal, RefusesWhatIsNotThereOrNotItsOwn) {
  EXPECT_THAT(read("weights.bin", "7", "4"), HasSubstr("has 10 bytes; a tensor needs 4 from byte 7 on"));
  EXPECT_THAT(read("weights.bin", "0", "5"), HasSubstr("has 5 bytes where the tensor needs 4"));
  EXPECT_THAT(read("weights.bin", "18446744073709551615", "4"), HasSubstr("has 10 bytes"));
  EXPECT_THAT(read("../weights.bin", "0", "4"), HasSubstr("beside the model, or below"));
  EXPECT_THAT(read("/etc/passwd", "0", "4"), HasSubstr("beside the model, or below"));
  EXPECT_THAT(read("", "0", "4"), HasSubstr("beside the model, or below"));
  EXPECT_THAT(read("missing.bin", "0", "4"), HasSubstr("missing.bin"));
  EXPECT_THAT(read("missing.bin", "0", "4"), HasSubstr("it must stand beside the model"));
}

}  // namespace
}  // namespace openqnn::frontend::onnx
