// SPDX-License-Identifier: BSD-3-Clause
// Quantization encodings: each is computed as it says, and a hostile one is refused without being read.
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "QnnOpPackage.h"
#include "QnnTensor.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr uint32_t kRows = 3, kDepth = 64, kColumns = 6;

// rows [3, 64] x weights [64, 6], 8 bits wide. A test says how the weights are encoded.
struct Product {
  Tensor input{.name = "rows",
               .role = QNN_TENSOR_TYPE_APP_WRITE,
               .type = QNN_DATATYPE_UFIXED_POINT_8,
               .dims = {kRows, kDepth},
               .encoding = {2.0F / 255, -128}};
  Tensor weights{.name = "weights",
                 .role = QNN_TENSOR_TYPE_STATIC,
                 .type = QNN_DATATYPE_SFIXED_POINT_8,
                 .dims = {kDepth, kColumns}};
  Tensor output{.name = "product",
                .role = QNN_TENSOR_TYPE_APP_READ,
                .type = QNN_DATATYPE_UFIXED_POINT_8,
                .dims = {kRows, kColumns},
                .encoding = {0.08F, -128}};

  Product() {
    weights.data.resize(size_t{kDepth} * kColumns);
    const Values values = noise(weights.data.size(), 9);
    for (size_t i = 0; i < values.size(); ++i)
      weights.data[i] = static_cast<std::byte>(static_cast<int8_t>(std::floor(values[i] * 8)));  // -8 to 7
  }

  // The stored weight at [k, n]: its low 4 bits, which all of the sample's have.
  int code(uint32_t k, uint32_t n) const {
    const auto low = static_cast<int>(weights.data[size_t{k} * kColumns + n]) & 0xF;
    return low >= 8 ? low - 16 : low;
  }
};

using Encode = std::function<void(Qnn_QuantizeParams_t&)>;
using ScaleOf = std::function<double(uint32_t k, uint32_t n)>;

// Runs the product with weights encoded by `encode` and compares with what the scales mean.
void expect_product(const Product& product, const Encode& encode_weights, const ScaleOf& scale_of) {
  const Session session;
  const Owned context = session.context();
  Model model{.name = "product", .tensors = {product.input, product.weights, product.output}};
  model.nodes = {
      {.name = "matmul", .type = QNN_OP_MAT_MUL, .inputs = {"rows", "weights"}, .outputs = {"product"}}};
  Graph graph(session.api, context, model);
  {
    Scratch scratch;
    Qnn_Tensor_t described = describe(product.weights, scratch);
    described.v1.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
    encode_weights(described.v1.quantizeParams);
    check(session.api, session.api.tensorCreateGraphTensor(graph.handle, &described),
          "tensorCreateGraphTensor");
    graph.model.tensor("weights").id = described.v1.id;
    graph.model.tensor("weights").created = true;
  }
  graph.compose();
  check(session.api, graph.finalize(), "graphFinalize");

  const Values rows = noise(size_t{kRows} * kDepth, 4);
  const Buffers inputs = {{"rows", encode(product.input, rows)}};
  const Values seen = decode(product.input, inputs.at("rows"));  // as stored
  const Values results = decode(product.output, graph.run(inputs).at("product"));
  for (uint32_t m = 0; m < kRows; ++m)
    for (uint32_t n = 0; n < kColumns; ++n) {
      double sum = 0;
      for (uint32_t k = 0; k < kDepth; ++k) sum += seen[m * kDepth + k] * scale_of(k, n) * product.code(k, n);
      const double least = product.output.encoding.scale * -128.0;
      const double most = product.output.encoding.scale * 127.0;
      EXPECT_NEAR(results[m * kColumns + n], std::clamp(sum, least, most), product.output.encoding.scale)
          << m << ", " << n;
    }
}

// feature: B2 (C API)
TEST(Encodings, ScaleOffset) {
  expect_product(
      Product(),
      [](Qnn_QuantizeParams_t& params) {
        params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
        params.scaleOffsetEncoding = {0.125F, 0};
      },
      [](uint32_t, uint32_t) { return 0.125; });
}

// feature: B2 (C API)
TEST(Encodings, AxisScaleOffset) {
  std::vector<Qnn_ScaleOffset_t> pairs;
  for (uint32_t n = 0; n < kColumns; ++n) pairs.push_back({0.02F * static_cast<float>(n + 1), 0});
  expect_product(
      Product(),
      [&](Qnn_QuantizeParams_t& params) {
        params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
        params.axisScaleOffsetEncoding = {1, kColumns, pairs.data()};
      },
      [&](uint32_t, uint32_t n) { return pairs[n].scale; });
}

// 4-bit weights come one to a byte, and what the upper bits hold does not matter.
// feature: B2 (C API)
TEST(Encodings, BitWidthCountsTheLowBitsOnly) {
  for (const int garbage : {0x00, 0xF0, 0x50}) {
    Product product;
    for (std::byte& weight : product.weights.data)
      weight = (weight & std::byte{0xF}) | static_cast<std::byte>(garbage);
    expect_product(
        product,
        [](Qnn_QuantizeParams_t& params) {
          params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET;
          params.bwScaleOffsetEncoding = {4, 0.125F, 0};
        },
        [](uint32_t, uint32_t) { return 0.125; });
  }
}

// feature: B2 (C API)
TEST(Encodings, BitWidthAxisMayLeaveItsOffsetsOut) {
  std::vector<float> scales;
  for (uint32_t n = 0; n < kColumns; ++n) scales.push_back(0.02F * static_cast<float>(n + 1));
  std::vector<int32_t> zeros(kColumns, 0);
  for (int32_t* offsets : {static_cast<int32_t*>(nullptr), zeros.data()}) {
    Product product;
    for (std::byte& weight : product.weights.data) weight ^= std::byte{0xA0};
    expect_product(
        product,
        [&](Qnn_QuantizeParams_t& params) {
          params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET;
          params.bwAxisScaleOffsetEncoding = {4, 1, kColumns, scales.data(), offsets};
        },
        [&](uint32_t, uint32_t n) { return scales[n]; });
  }
}

// feature: B2 (C API)
TEST(Encodings, Block) {
  constexpr uint32_t kBlock = 16;
  std::vector<Qnn_ScaleOffset_t> pairs;
  for (uint32_t i = 0; i < kDepth / kBlock * kColumns; ++i)
    pairs.push_back({0.01F * static_cast<float>(i + 1), 0});
  uint32_t block[] = {kBlock, 1};
  expect_product(
      Product(),
      [&](Qnn_QuantizeParams_t& params) {
        params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BLOCK;
        params.blockEncoding = {block, pairs.data()};
      },
      [&](uint32_t k, uint32_t n) { return pairs[k / kBlock * kColumns + n].scale; });
}

// Block scales lie by channel: those of one channel together. Both widths of storage.
// feature: B2 (C API)
TEST(Encodings, BlockwiseExpansion) {
  constexpr uint32_t kBlocks = 4;
  std::vector<Qnn_ScaleOffset_t> channels;
  for (uint32_t n = 0; n < kColumns; ++n) channels.push_back({0.01F * static_cast<float>(n + 1), 0});
  std::vector<uint8_t> scales8;
  for (uint32_t i = 0; i < kColumns * kBlocks; ++i) scales8.push_back(static_cast<uint8_t>(1 + i * 7 % 15));
  std::vector<uint16_t> scales16(scales8.begin(), scales8.end());
  for (const bool wide : {false, true}) {
    Qnn_BlockwiseExpansion_t expansion = QNN_BLOCKWISE_EXPANSION_INIT;
    expansion.axis = 1;
    expansion.scaleOffsets = channels.data();
    expansion.numBlocksPerAxis = kBlocks;
    expansion.blockScaleBitwidth = 4;
    expansion.blockScaleStorageType = wide ? QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_16
                                           : QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8;
    if (wide)
      expansion.blocksScale16 = scales16.data();
    else
      expansion.blocksScale8 = scales8.data();
    expect_product(
        Product(),
        [&](Qnn_QuantizeParams_t& params) {
          params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION;
          params.blockwiseExpansion = &expansion;
        },
        [&](uint32_t k, uint32_t n) {
          return channels[n].scale * scales8[n * kBlocks + k / (kDepth / kBlocks)];
        });
  }
}

// ---- Refusals ----

struct Refusal {
  const char* what;
  Encode encode;
  Qnn_ErrorHandle_t code;
  std::vector<std::string> words;
};

void expect_refusals(const std::vector<Refusal>& refusals) {
  const Session session;
  const Owned context = session.context();
  const Graph graph(session.api, context, add(Kind::kFloat).model);
  const Tensor weights = Product().weights;
  for (const Refusal& refusal : refusals) {
    Scratch scratch;
    Qnn_Tensor_t described = describe(weights, scratch);
    described.v1.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
    refusal.encode(described.v1.quantizeParams);
    const Qnn_ErrorHandle_t answer = session.api.tensorCreateGraphTensor(graph.handle, &described);
    EXPECT_TRUE(refused(session.api, answer, refusal.code, {"'weights'"})) << refusal.what;
    for (const std::string& word : refusal.words)
      EXPECT_THAT(verbose_message(session.api, answer), ::testing::HasSubstr(word)) << refusal.what;
  }
}

// feature: B2 (C API)
TEST(Encodings, NewerAndTablesAreRefusedWithTheReason) {
  std::vector<Refusal> refusals = {
      {"vector",
       [](Qnn_QuantizeParams_t& params) { params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_VECTOR; },
       QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM,
       {"codebook", "not public", "plain weights"}}};
  for (int encoding = QNN_QUANTIZATION_ENCODING_FLOAT_BLOCK; encoding <= QNN_QUANTIZATION_ENCODING_ARRAY_OF;
       ++encoding)
    refusals.push_back({"newer",
                        [encoding](Qnn_QuantizeParams_t& params) {
                          params.quantizationEncoding = static_cast<Qnn_QuantizationEncoding_t>(encoding);
                        },
                        QNN_TENSOR_ERROR_UNSUPPORTED_TENSOR_PARAM,
                        {"5.39", std::to_string(encoding)}});
  expect_refusals(refusals);
}

// What creating a tensor refuses, validateOpConfig refuses too, and the capability query answers "no".
// feature: B1, B2 (C API)
TEST(Encodings, AVectorEncodingIsRefusedEverywhere) {
  const Session session;
  const Model model = add(Kind::kQuantized).model;
  Scratch scratch;
  Qnn_OpConfig_t op = describe(model, model.nodes.front(), scratch);
  EXPECT_EQ(session.api.backendValidateOpConfig(session.backend, op), QNN_SUCCESS);
  static Qnn_VectorEncoding_t vector = QNN_VECTOR_ENCODING_INIT;
  Qnn_QuantizeParams_t& params = op.v1.inputTensors[0].v1.quantizeParams;
  params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_VECTOR;
  params.vectorEncoding = &vector;
  EXPECT_TRUE(refused(session.api, session.api.backendValidateOpConfig(session.backend, op),
                      QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE, {"codebook"}));
  EXPECT_EQ(session.api.propertyHasCapability(QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_VECTOR),
            QNN_PROPERTY_NOT_SUPPORTED);
}

// feature: B1, B2 (C API)
TEST(Encodings, HostileOnesAreRefusedUnread) {
  static Qnn_ScaleOffset_t one_pair[] = {{0.5F, 0}};
  static float one_scale[] = {0.5F};
  static uint32_t odd_block[] = {7, 1};
  static uint32_t no_block[] = {0, 1};
  static uint8_t one_block_scale[] = {1};
  const auto with = [](Qnn_QuantizationEncoding_t encoding,
                       const std::function<void(Qnn_QuantizeParams_t&)>& rest) {
    return [=](Qnn_QuantizeParams_t& params) {
      params.quantizationEncoding = encoding;
      rest(params);
    };
  };
  static Qnn_BlockwiseExpansion_t expansion = QNN_BLOCKWISE_EXPANSION_INIT;
  const auto expanded = [&](const std::function<void(Qnn_BlockwiseExpansion_t&)>& change) {
    return with(QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION, [change](Qnn_QuantizeParams_t& params) {
      expansion = {1, one_pair, 4, 4, QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8, {one_block_scale}};
      change(expansion);
      params.blockwiseExpansion = &expansion;
    });
  };
  const Qnn_ErrorHandle_t bad = QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM;
  expect_refusals({
      {"axis: null list",
       with(QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.axisScaleOffsetEncoding = {1, kColumns, nullptr};
            }),
       bad,
       {"null"}},
      {"axis: absurd count",
       with(QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.axisScaleOffsetEncoding = {1, 0xFFFFFFFF, one_pair};
            }),
       bad,
       {"4294967295"}},
      {"axis: negative",
       with(QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.axisScaleOffsetEncoding = {-1, 1, one_pair};
            }),
       bad,
       {"-1"}},
      {"axis: beyond the rank",
       with(QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.axisScaleOffsetEncoding = {2, 1, one_pair};
            }),
       bad,
       {"axis 2"}},
      {"a width of 0",
       with(QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.bwScaleOffsetEncoding = {0, 0.5F, 0};
            }),
       bad,
       {"bit width of 0"}},
      {"a width beyond the type",
       with(QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.bwScaleOffsetEncoding = {9, 0.5F, 0};
            }),
       bad,
       {"9"}},
      {"a scale that is no number",
       with(QNN_QUANTIZATION_ENCODING_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.scaleOffsetEncoding = {NAN, 0};
            }),
       bad,
       {"scale"}},
      {"width and axis: null scales",
       with(QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.bwAxisScaleOffsetEncoding = {4, 1, kColumns, nullptr, nullptr};
            }),
       bad,
       {"null"}},
      {"width and axis: absurd count",
       with(QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET,
            [](Qnn_QuantizeParams_t& p) {
              p.bwAxisScaleOffsetEncoding = {4, 1, 0x80000000, one_scale, nullptr};
            }),
       bad,
       {"2147483648"}},
      {"block: null sizes",
       with(QNN_QUANTIZATION_ENCODING_BLOCK,
            [](Qnn_QuantizeParams_t& p) {
              p.blockEncoding = {nullptr, one_pair};
            }),
       bad,
       {"null"}},
      {"block: null pairs",
       with(QNN_QUANTIZATION_ENCODING_BLOCK,
            [](Qnn_QuantizeParams_t& p) {
              p.blockEncoding = {odd_block, nullptr};
            }),
       bad,
       {"null"}},
      {"block: does not divide",
       with(QNN_QUANTIZATION_ENCODING_BLOCK,
            [](Qnn_QuantizeParams_t& p) {
              p.blockEncoding = {odd_block, one_pair};
            }),
       bad,
       {"[7, 1]"}},
      {"block: of nothing",
       with(QNN_QUANTIZATION_ENCODING_BLOCK,
            [](Qnn_QuantizeParams_t& p) {
              p.blockEncoding = {no_block, one_pair};
            }),
       bad,
       {"[0, 1]"}},
      {"expansion: null",
       with(QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION,
            [](Qnn_QuantizeParams_t& p) { p.blockwiseExpansion = nullptr; }),
       bad,
       {"null"}},
      {"expansion: negative axis", expanded([](Qnn_BlockwiseExpansion_t& e) { e.axis = -3; }), bad, {"-3"}},
      {"expansion: no blocks",
       expanded([](Qnn_BlockwiseExpansion_t& e) { e.numBlocksPerAxis = 0; }),
       bad,
       {"0 blocks"}},
      {"expansion: blocks that do not divide",
       expanded([](Qnn_BlockwiseExpansion_t& e) { e.numBlocksPerAxis = 0xFFFFFFFF; }),
       bad,
       {"4294967295"}},
      {"expansion: garbage storage",
       expanded([](Qnn_BlockwiseExpansion_t& e) {
         std::memset(&e.blockScaleStorageType, 0x5A, sizeof e.blockScaleStorageType);
       }),
       bad,
       {"storage"}},
      {"expansion: scales wider than their storage",
       expanded([](Qnn_BlockwiseExpansion_t& e) { e.blockScaleBitwidth = 9; }),
       bad,
       {"9 bits"}},
      {"expansion: null scales",
       expanded([](Qnn_BlockwiseExpansion_t& e) { e.scaleOffsets = nullptr; }),
       bad,
       {"null"}},
      {"expansion: null block scales",
       expanded([](Qnn_BlockwiseExpansion_t& e) { e.blocksScale8 = nullptr; }),
       bad,
       {"null"}},
      {"a garbage encoding",
       [](Qnn_QuantizeParams_t& p) {
         std::memset(&p.quantizationEncoding, 0x5A, sizeof p.quantizationEncoding);
       },
       bad,
       {}},
      {"a garbage definition",
       [](Qnn_QuantizeParams_t& p) { std::memset(&p.encodingDefinition, 0x5A, sizeof p.encodingDefinition); },
       bad,
       {"encodingDefinition"}},
  });
}

}  // namespace
}  // namespace conformance
