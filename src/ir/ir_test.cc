// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "ir/graph.h"

namespace openqnn::ir {
namespace {

TEST(Quantization, FindsTheEncodingOfAnElement) {
  const Shape shape = {2, 4};
  EXPECT_EQ(Quantization::per_tensor(0.5F, 3).of(shape, {1, 2}), (ScaleOffset{0.5F, 3}));
  const auto by_axis = Quantization::per_axis(1, {{1, 0}, {2, 0}, {3, 0}, {4, 0}});
  EXPECT_EQ(by_axis.of(shape, {1, 2}).scale, 3.0F);
  const auto by_block = Quantization::per_block({1, 2}, {{1, 0}, {2, 0}, {3, 0}, {4, 0}});
  EXPECT_EQ(by_block.of(shape, {0, 1}).scale, 1.0F);
  EXPECT_EQ(by_block.of(shape, {0, 2}).scale, 2.0F);
  EXPECT_EQ(by_block.of(shape, {1, 3}).scale, 4.0F);
}

TEST(Types, NamesAndNumbersGoBothWays) {
  for (const char* name : {"i8", "u32", "f16", "f32", "sfx4", "ufx8", "sfx32", "bool8"}) {
    const std::optional<DataType> type = data_type_from(std::string_view(name));
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(ir::name(*type), name);
    EXPECT_EQ(data_type_from(static_cast<uint32_t>(*type)), type);
  }
  EXPECT_FALSE(data_type_from(std::string_view("ufx7")));
  EXPECT_FALSE(data_type_from(0x0407U));
  EXPECT_EQ(name(DataType::kUndefined), "undefined");
  EXPECT_EQ(byte_size(DataType::kUndefined), 0U);
  EXPECT_EQ(byte_size(DataType::kSfixed4), 1U);
  EXPECT_TRUE(is_quantized(DataType::kSfixed32));
  EXPECT_FALSE(is_quantized(DataType::kInt32));
  EXPECT_TRUE(is_float(DataType::kFloat16));
  EXPECT_FALSE(is_quantized(DataType::kUndefined));
  EXPECT_EQ(integer_range(DataType::kUfixed8).high, 255);
  EXPECT_EQ(integer_range(DataType::kSfixed16).low, -32768);
}

TEST(Shape, CountsWithoutOverflow) {
  EXPECT_EQ(Shape{}.elements(), 1U);
  EXPECT_EQ((Shape{2, 3, 4}).checked_elements(), 24U);
  EXPECT_EQ((Shape{2, 0, 4}).checked_elements(), 0U);
  EXPECT_FALSE((Shape{UINT32_MAX, UINT32_MAX, UINT32_MAX}).checked_elements());
  EXPECT_FALSE((Shape{UINT32_MAX, UINT32_MAX}).checked_elements());
  EXPECT_EQ((Shape{1, 2}).to_string(), "[1, 2]");
  EXPECT_EQ((Shape{1, 2, 3, 4, 5, 6, 7, 8, 9}).rank(), kMaxRank);
  EXPECT_FALSE((Shape{1, 2}) == (Shape{1, 2, 3}));
  EXPECT_EQ((Shape{4, 5}).from_end(0), 5U);
}

TEST(Box, KnowsWhatItHolds) {
  const Box whole = Box::whole({2, 3});
  const Box part{{1, 0}, {2, 2}};
  EXPECT_EQ(whole.elements(), 6U);
  EXPECT_EQ(part.extents(), (Shape{1, 2}));
  EXPECT_EQ(part.to_string(), "[1:2, 0:2]");
  EXPECT_TRUE(contains(whole, part));
  EXPECT_FALSE(contains(part, whole));
  EXPECT_TRUE(overlap(whole, part));
  EXPECT_FALSE(overlap(part, Box{{0, 0}, {1, 3}}));
  EXPECT_TRUE((Box{{1, 1}, {1, 2}}).empty());
}

TEST(Box, IsWalkedInMemoryOrder) {
  std::vector<uint64_t> offsets;
  for_each_index({{0, 1}, {2, 3}}, [&](const Shape& at) { offsets.push_back(offset_of({2, 3}, at)); });
  EXPECT_EQ(offsets, (std::vector<uint64_t>{1, 2, 4, 5}));
  size_t visits = 0;
  for_each_index(Box{}, [&](const Shape&) { ++visits; });  // a scalar has one element
  for_each_index({{0, 0}, {0, 5}}, [&](const Shape&) { ++visits; });
  EXPECT_EQ(visits, 1U);
}

TEST(Params, AnswerWithTheFallbackWhenAbsentOrShort) {
  Params params;
  params.add({"two", DataType::kUint32, {2}, std::vector<std::byte>(8, std::byte{1})});
  EXPECT_EQ(params.u32_at("two", 1, 7), 0x01010101U);
  EXPECT_EQ(params.u32_at("two", 2, 7), 7U);
  EXPECT_EQ(params.u32("none", 9), 9U);
  EXPECT_EQ(params.f32("none", 0.5F), 0.5F);
  EXPECT_TRUE(params.boolean("none", true));
  EXPECT_TRUE(params.boolean("two", false));
}

Tensor tensor(const std::string& name, TensorRole role) {
  Tensor result;
  result.name = name;
  result.role = role;
  result.desc.type = DataType::kUfixed8;
  result.desc.shape = {2, 3};
  result.desc.quantization = Quantization::per_tensor(0.5F, 0);
  if (role == TensorRole::kStatic) result.data = Blob::of(std::vector<std::byte>(6));
  return result;
}

struct TensorRefusal {
  const char* code;
  std::function<void(Tensor&)> spoil;
};

TEST(Sparsity, SizesFollowFromSlotsAndSlices) {
  TensorDesc desc{DataType::kUfixed16, {4, 5, 3}, Quantization::per_tensor(1.0F, 0)};
  EXPECT_FALSE(desc.is_sparse());
  EXPECT_EQ(plain_bytes(desc), 120U);
  EXPECT_EQ(plain_bytes(desc, {{0, 0, 0}, {1, 5, 3}}), 30U);
  desc.sparsity = {7, 2};
  EXPECT_EQ(coordinates_shape(desc), (Shape{7, 2}));
  EXPECT_EQ(slices_shape(desc), (Shape{7, 3}));
  EXPECT_EQ(plain_bytes(desc), 7U * 2 * 4 + 7 * 3 * 2);
  EXPECT_EQ(plain_bytes(desc, {{0, 0, 0}, {1, 5, 3}}), plain_bytes(desc)) << "it is in one piece";
  desc.sparsity = {60, 3};
  EXPECT_EQ(slices_shape(desc), (Shape{60})) << "single values";
  EXPECT_TRUE(check(desc));
  for (const Sparsity bad : {Sparsity{61, 3}, {0, 3}, {1, 4}, {1, 0}, {UINT32_MAX, UINT32_MAX}}) {
    desc.sparsity = bad;
    EXPECT_FALSE(check(desc)) << bad.slots << " in " << bad.dimensions;
  }
  desc.sparsity = {1, 1};
  Graph graph("g");
  for (const TensorRole role : {TensorRole::kInput, TensorRole::kOutput, TensorRole::kStatic}) {
    const auto refused = graph.add_tensor({.name = "x", .role = role, .desc = desc});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "tensor-sparse-role");
  }
  EXPECT_TRUE(graph.add_tensor({.name = "x", .role = TensorRole::kNative, .desc = desc}));
}

TEST(Graph, RefusesTensorsThatCannotBe) {
  const TensorRefusal rows[] = {
      {"tensor-type", [](Tensor& t) { t.desc.type = DataType::kUndefined; }},
      {"tensor-shape",
       [](Tensor& t) {
         t.desc.shape = {2, 0};
       }},
      {"tensor-size",
       [](Tensor& t) {
         t.desc.shape = {1 << 21, 1 << 21};
       }},
      {"tensor-size",
       [](Tensor& t) {
         t.desc.shape = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
       }},
      {"tensor-data-size", [](Tensor& t) { t.data = nullptr; }},
      {"tensor-data-size",
       [](Tensor& t) {
         t.desc.shape = {2, 4};
       }},
      {"tensor-encoding-scale", [](Tensor& t) { t.desc.quantization = Quantization::per_tensor(-1.0F, 0); }},
      {"tensor-encoding-scale",
       [](Tensor& t) { t.desc.quantization = Quantization::per_tensor(INFINITY, 0); }},
      {"tensor-encoding-axis",
       [](Tensor& t) {
         t.desc.quantization = Quantization::per_axis(2, {{1.0F, 0}});
       }},
      {"tensor-encoding-count",
       [](Tensor& t) {
         t.desc.quantization = Quantization::per_axis(1, {{1.0F, 0}});
       }},
      {"tensor-encoding-block",
       [](Tensor& t) {
         t.desc.quantization = Quantization::per_block({1}, {{1.0F, 0}});
       }},
      {"tensor-encoding-block",
       [](Tensor& t) {
         const uint32_t too_wide = t.desc.shape.from_end(0) + 1;
         t.desc.quantization = Quantization::per_block({1, too_wide}, {{1.0F, 0}});
       }},
      {"tensor-encoding-count",
       [](Tensor& t) {
         t.desc.quantization = Quantization::per_block({1, t.desc.shape.from_end(0)}, {});
       }},
      {"tensor-encoding-bits",
       [](Tensor& t) { t.desc.quantization = Quantization::per_tensor(1.0F, 0, 65); }},
      {"tensor-name-taken", [](Tensor& t) { t.name = "first"; }},
  };
  for (const TensorRefusal& row : rows) {
    Graph graph("g");
    ASSERT_TRUE(graph.add_tensor(tensor("first", TensorRole::kInput)));
    Tensor spoilt = tensor("second", TensorRole::kStatic);
    row.spoil(spoilt);
    const Result<TensorIndex> result = graph.add_tensor(std::move(spoilt));
    ASSERT_FALSE(result) << row.code;
    EXPECT_EQ(result.error().code, row.code);
    EXPECT_NE(result.error().where.object.find("graph 'g', tensor '"), std::string::npos);
    EXPECT_EQ(graph.tensors().size(), 1U);
  }
}

// in -> relu -> mid -> (second node) -> out
struct Chain {
  Graph graph{"g"};
  TensorIndex in, constant, mid, out;

  Chain() {
    const auto add = [&](const char* name, TensorRole role) {
      return graph.add_tensor(tensor(name, role)).value();
    };
    in = add("in", TensorRole::kInput);
    constant = add("constant", TensorRole::kStatic);
    mid = add("mid", TensorRole::kNative);
    out = add("out", TensorRole::kOutput);
  }
  Status node(const char* name, std::vector<TensorIndex> from, std::vector<TensorIndex> to) {
    return graph.add_node({name, "Relu", {}, std::move(from), std::move(to)});
  }
};

TEST(Graph, KeepsNodesInDependencyOrder) {
  Chain chain;
  EXPECT_EQ(chain.graph.check_complete().error().code, "graph-empty");
  EXPECT_EQ(chain.node("b", {chain.mid}, {chain.out}).error().code, "node-order");
  ASSERT_TRUE(chain.node("a", {chain.in, kNoTensor}, {chain.mid}));
  EXPECT_EQ(chain.graph.check_complete().error().code, "tensor-no-producer");
  EXPECT_EQ(chain.node("a", {chain.in}, {chain.out}).error().code, "node-name-taken");
  EXPECT_EQ(chain.node("c", {chain.in}, {chain.mid}).error().code, "tensor-two-producers");
  EXPECT_EQ(chain.node("c", {chain.mid}, {chain.in}).error().code, "node-writes-input");
  EXPECT_EQ(chain.node("c", {chain.mid}, {chain.constant}).error().code, "node-writes-input");
  ASSERT_TRUE(chain.node("b", {chain.mid, chain.constant}, {chain.out}));
  EXPECT_TRUE(chain.graph.check_complete());
  EXPECT_EQ(chain.graph.producer(chain.mid), 0U);
  EXPECT_EQ(chain.graph.producer(chain.in), std::nullopt);
  EXPECT_TRUE(chain.graph.tensors()[chain.constant].desc.is_static);
}

}  // namespace
}  // namespace openqnn::ir
