// SPDX-License-Identifier: BSD-3-Clause
// What a part cannot run is refused where the part is known: by validateOpConfig when a device or the persona
// names it, by finalize at the latest. The sentence tells the part, why, and what to use instead.
#include <gmock/gmock.h>

#include <functional>

#include "QnnOpPackage.h"
#include "client.h"
#include "oracle.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;

// A device of a SoC model, as clients ask for one.
struct SocDevice {
  QnnHtpDevice_CustomConfig_t custom{};
  QnnDevice_Config_t config = QNN_DEVICE_CONFIG_INIT;
  const QnnDevice_Config_t* entries[2] = {&config, nullptr};

  explicit SocDevice(uint32_t soc_model) {
    custom.option = QNN_HTP_DEVICE_CONFIG_OPTION_SOC;
    custom.socModel = soc_model;
    config.option = QNN_DEVICE_CONFIG_OPTION_CUSTOM;
    config.customConfig = &custom;
  }
  SocDevice(const SocDevice&) = delete;
  SocDevice& operator=(const SocDevice&) = delete;
};

struct NamedPart {
  const char* name;
  uint32_t soc_model;
};
constexpr NamedPart kSm8350{"SM8350", 30};  // v68, no half
constexpr NamedPart kSm8450{"SM8450", 36};  // v69
constexpr NamedPart kSm8550{"SM8550", 43};  // v73
constexpr NamedPart kSm8650{"SM8650", 57};  // v75
constexpr NamedPart kSm8750{"SM8750", 69};  // v79
constexpr NamedPart kSm8735{"SM8735", 85};  // v73, no half
constexpr NamedPart kSm7450{"SM7450", 41};  // v69; no source says whether it has half

Qnn_ErrorHandle_t finalize(const Session& session, const Model& model) {
  const Owned context = session.context();
  Graph graph(session.api, context, model);
  graph.compose();
  return graph.finalize();
}

// Both answers for a model whose first node is the one in question.
void expect_taken(const NamedPart& part, const Model& model) {
  SocDevice device(part.soc_model);
  const Session session(BackendLibrary(), device.entries);
  const Qnn_ErrorHandle_t answer = validate(session, model, model.nodes.front());
  EXPECT_EQ(answer, QNN_SUCCESS) << part.name << ": " << verbose_message(session.api, answer);
  EXPECT_EQ(finalize(session, model), QNN_SUCCESS) << part.name;
}

void expect_refused(const NamedPart& part, const Model& model, const std::string& why,
                    const std::string& instead) {
  SocDevice device(part.soc_model);
  const Session session(BackendLibrary(), device.entries);
  const std::string node = model.nodes.front().name;
  EXPECT_TRUE(refused(session.api, validate(session, model, model.nodes.front()),
                      QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE, {part.name, node, why, instead}));
  EXPECT_TRUE(refused(session.api, finalize(session, model), QNN_GRAPH_ERROR_FINALIZE_FAILED,
                      {part.name, node, why, instead}));
}

// ---- Half precision ----

// feature: A10, B2, B6 (C API)
TEST(PartLimits, FloatGraphsNeedAPartWithHalf) {
  const Model model = add(Kind::kFloat).model;
  for (const NamedPart& part : {kSm8350, kSm8735}) expect_refused(part, model, "half precision", "SM8550");
  for (const NamedPart& part : {kSm8450, kSm8550, kSm8650}) expect_taken(part, model);
}

// feature: B2 (C API)
TEST(PartLimits, WhatNoSourceSaysIsNotRefused) { expect_taken(kSm7450, add(Kind::kFloat).model); }

// feature: B2 (C API)
TEST(PartLimits, QuantizedGraphsRunEverywhere) {
  for (const NamedPart& part : {kSm8350, kSm8735, kSm8650})
    for (const Sample& sample : all_samples(Kind::kQuantized)) expect_taken(part, sample.model);
}

// The integer tables list Quantize with a float input: it is how floats come in.
// feature: B2 (C API)
TEST(PartLimits, QuantizeTakesFloatsOnEveryPart) {
  Model model;
  model.name = "quantize";
  model.tensors = {{.name = "x", .role = QNN_TENSOR_TYPE_APP_WRITE, .dims = {1, 8}},
                   {.name = "y",
                    .role = QNN_TENSOR_TYPE_APP_READ,
                    .type = QNN_DATATYPE_UFIXED_POINT_8,
                    .dims = {1, 8},
                    .encoding = {0.1F, -128}}};
  model.nodes = {{.name = "quantize", .type = QNN_OP_QUANTIZE, .inputs = {"x"}, .outputs = {"y"}}};
  expect_taken(kSm8735, model);
}

// Documented: with no SoC named, sizes are SM8350's, and nothing is refused for it.
// feature: B2, B5 (C API)
TEST(PartLimits, NothingIsRefusedWhereNobodyNamedAPart) {
  const ScopedEnvironment host("OPENQNN_TARGET", "");
  const Session session;
  const Model model = add(Kind::kFloat).model;
  EXPECT_EQ(validate(session, model, model.nodes.front()), QNN_SUCCESS);
  EXPECT_EQ(finalize(session, model), QNN_SUCCESS);
}

// feature: B2, B4 (C API)
TEST(PartLimits, ValidateAsksTheYoungestDeviceAlsoWhereNobodyNamedItsPart) {
  const ScopedEnvironment host("OPENQNN_TARGET", "");
  SocDevice device(kSm8350.soc_model);
  const Session older(BackendLibrary(), device.entries);
  const Session session;
  const Model model = add(Kind::kFloat).model;
  EXPECT_EQ(validate(session, model, model.nodes.front()), QNN_SUCCESS);
}

// Without a device, the part that the process plays; without one of either kind, finalize knows.
// feature: B2, B4 (C API)
TEST(PartLimits, ValidateAsksThePersonaWhereThereIsNoDevice) {
  const Model model = add(Kind::kFloat).model;
  const auto validate_without_device = [&] {
    const BackendLibrary library;
    const Owned backend = create_backend(library.api());
    Scratch scratch;
    return library.api().backendValidateOpConfig(backend, describe(model, model.nodes.front(), scratch));
  };
  {
    const ScopedEnvironment target("OPENQNN_TARGET", "android:SM8735");
    EXPECT_EQ(validate_without_device(), QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE);
  }
  const ScopedEnvironment host("OPENQNN_TARGET", "");
  EXPECT_EQ(validate_without_device(), QNN_SUCCESS);
}

// ---- 16-bit weights ----

using Dims = std::vector<uint32_t>;

// A tensor of 16 bits whose numbers lie between -limit and limit.
Tensor of_16_bits(const char* name, Qnn_TensorType_t role, Dims dims, float limit) {
  return {.name = name,
          .role = role,
          .type = QNN_DATATYPE_UFIXED_POINT_16,
          .dims = std::move(dims),
          .encoding = {limit / 32768, -32768}};
}

constexpr double kWeightStep = 1.0 / 32768;
constexpr double kLargestWeight = 0x7F7F * kWeightStep;  // documented: the last of the hardware

// One op that takes 16-bit activations "x", 16-bit weights "w" around zero and, but for MatMul, a bias.
Sample wide_weights(const char* type, std::vector<Param> params, Dims in, Dims weight, Dims out) {
  const bool has_bias = std::string(type) != QNN_OP_MAT_MUL;
  Tensor w{.name = "w",
           .role = QNN_TENSOR_TYPE_STATIC,
           .type = QNN_DATATYPE_SFIXED_POINT_16,
           .dims = std::move(weight),
           .encoding = {static_cast<float>(kWeightStep), 0}};
  Values values = noise(w.elements(), 7);
  for (double& value : values) value *= kLargestWeight;
  values.front() = -1;
  values.back() = kLargestWeight;
  w.data = encode(w, values);
  Tensor bias{.name = "b",
              .role = QNN_TENSOR_TYPE_STATIC,
              .type = QNN_DATATYPE_SFIXED_POINT_32,
              .dims = {out.back()},
              .encoding = {static_cast<float>(kWeightStep) / 32768, 0}};
  bias.data = encode(bias, noise(out.back(), 8));
  const Tensor x = of_16_bits("x", QNN_TENSOR_TYPE_APP_WRITE, std::move(in), 1);
  Sample sample;
  sample.inputs["x"] = encode(x, noise(x.elements(), 9));
  sample.model.name = std::string("wide_") + type;
  sample.model.tensors = {x, w, of_16_bits("y", QNN_TENSOR_TYPE_APP_READ, std::move(out), 8)};
  if (has_bias) sample.model.tensors.push_back(bias);
  sample.model.nodes = {
      {.name = "wide", .type = type, .params = std::move(params), .inputs = {"x", "w"}, .outputs = {"y"}}};
  if (has_bias) sample.model.nodes[0].inputs.emplace_back("b");
  return sample;
}

// The ops that the documents list.
std::vector<Sample> wide_weights_of_the_seven_ops() {
  const auto convolution = [](uint32_t stride) {
    return std::vector<Param>{numbers("stride", {2}, {stride, stride}),
                              numbers("pad_amount", {2, 2}, {1, 1, 1, 1})};
  };
  return {wide_weights(QNN_OP_CONV_2D, convolution(1), {1, 4, 4, 8}, {3, 3, 8, 6}, {1, 4, 4, 6}),
          wide_weights(QNN_OP_DEPTH_WISE_CONV_2D, convolution(1), {1, 4, 4, 8}, {3, 3, 1, 8}, {1, 4, 4, 8}),
          wide_weights(QNN_OP_TRANSPOSE_CONV_2D, convolution(2), {1, 4, 4, 8}, {3, 3, 8, 6}, {1, 7, 7, 6}),
          wide_weights(QNN_OP_FULLY_CONNECTED, {}, {3, 8}, {6, 8}, {3, 6}),
          wide_weights(QNN_OP_MAT_MUL, {}, {3, 8}, {8, 6}, {3, 6}),
          wide_weights(QNN_OP_BATCHNORM, {}, {3, 8}, {8}, {3, 8}),
          wide_weights(QNN_OP_LAYER_NORM, {numbers("axes", {1}, {1})}, {3, 8}, {8}, {3, 8})};
}

// feature: B2, B6 (C API)
TEST(PartLimits, WideWeightsNeedV73) {
  for (const Sample& sample : wide_weights_of_the_seven_ops()) {
    SCOPED_TRACE(sample.model.name);
    for (const NamedPart& part : {kSm8350, kSm8450})
      expect_refused(part, sample.model, "16-bit weights", "v73");
    for (const NamedPart& part : {kSm8550, kSm8735, kSm8750}) expect_taken(part, sample.model);
  }
}

Buffers outputs_of(const NamedPart& part, const Sample& sample) {
  SocDevice device(part.soc_model);
  const Session session(BackendLibrary(), device.entries);
  const Owned context = session.context();
  return Graph::built(session.api, context, sample.model).run(sample.inputs);
}

// Within one step of 16 bits: weights of 8 bits would be off by a hundred times that.
// feature: B2 (C API)
TEST(PartLimits, WideWeightsCountInFull) {
  for (const Sample& sample : wide_weights_of_the_seven_ops()) {
    const Buffers outputs = outputs_of(kSm8550, sample);
    EXPECT_TRUE(agrees(sample.model, outputs, expected_outputs(sample.model, sample.inputs)));
  }
}

// What lies above the documented end of the range counts as its end, in the ops of the matrix unit.
// feature: B2 (C API)
TEST(PartLimits, WideWeightsEndAt0x7F7F) {
  for (const Sample& sample : wide_weights_of_the_seven_ops()) {
    const std::string& type = sample.model.nodes[0].type;
    if (type == QNN_OP_BATCHNORM || type == QNN_OP_LAYER_NORM) continue;
    Sample above = sample;
    Tensor& w = above.model.tensor("w");
    Values values = decode(w, w.data);
    values.back() = 0x7FFF * kWeightStep;
    w.data = encode(w, values);
    ASSERT_NE(w.data, sample.model.tensor("w").data);
    EXPECT_EQ(outputs_of(kSm8550, above), outputs_of(kSm8550, sample)) << type;
  }
}

// feature: B2 (C API)
TEST(PartLimits, WideWeightsAreSymmetricAndPerTensor) {
  SocDevice device(kSm8550.soc_model);
  const Session session(BackendLibrary(), device.entries);
  const auto answer_to = [&](const Model& model, const std::function<void(Qnn_Tensor_t&)>& change) {
    Scratch scratch;
    Qnn_OpConfig_t op = describe(model, model.nodes.front(), scratch);
    change(op.v1.inputTensors[1]);
    const Qnn_ErrorHandle_t answer = session.api.backendValidateOpConfig(session.backend, op);
    return answer == QNN_SUCCESS ? "taken" : verbose_message(session.api, answer);
  };
  for (const Sample& sample : wide_weights_of_the_seven_ops()) {
    SCOPED_TRACE(sample.model.name);
    const Dims& dims = sample.model.tensors[1].dims;
    EXPECT_EQ(answer_to(sample.model, [](Qnn_Tensor_t&) {}), "taken");
    EXPECT_THAT(
        answer_to(sample.model, [](Qnn_Tensor_t& w) { w.v1.quantizeParams.scaleOffsetEncoding.offset = 1; }),
        HasSubstr("symmetric"));
    std::vector<Qnn_ScaleOffset_t> channels(dims.back(), {static_cast<float>(kWeightStep), 0});
    EXPECT_THAT(answer_to(sample.model,
                          [&](Qnn_Tensor_t& w) {
                            w.v1.quantizeParams.quantizationEncoding =
                                QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
                            w.v1.quantizeParams.axisScaleOffsetEncoding = {
                                static_cast<int32_t>(dims.size()) - 1, dims.back(), channels.data()};
                          }),
                HasSubstr("per channel"));
  }
}

// ---- Several precisions in one graph ----

// Floats come in, a Relu has 8 bits, a MatMul 16, and a Softmax is computed in half.
Sample mixed_precisions() {
  Tensor rows{.name = "rows", .role = QNN_TENSOR_TYPE_APP_WRITE, .dims = {4, 16}};
  const auto of_8_bits = [](const char* name) {
    return Tensor{
        .name = name, .type = QNN_DATATYPE_UFIXED_POINT_8, .dims = {4, 16}, .encoding = {1.0F / 128, -128}};
  };
  Tensor weights{.name = "weights",
                 .role = QNN_TENSOR_TYPE_STATIC,
                 .type = QNN_DATATYPE_SFIXED_POINT_16,
                 .dims = {16, 10},
                 .encoding = {static_cast<float>(kWeightStep), 0}};
  Values values = noise(weights.elements(), 7);
  for (double& value : values) value *= kLargestWeight;
  weights.data = encode(weights, values);
  Sample sample;
  sample.inputs["rows"] = encode(rows, noise(rows.elements(), 9));
  sample.model.name = "mixed_precisions";
  sample.model.tensors = {rows,
                          of_8_bits("narrow"),
                          of_8_bits("positive"),
                          of_16_bits("wide", QNN_TENSOR_TYPE_NATIVE, {4, 16}, 1),
                          weights,
                          of_16_bits("product", QNN_TENSOR_TYPE_NATIVE, {4, 10}, 8),
                          {.name = "logits", .dims = {4, 10}},
                          {.name = "probabilities", .role = QNN_TENSOR_TYPE_APP_READ, .dims = {4, 10}}};
  sample.model.nodes = {
      {.name = "quantize", .type = QNN_OP_QUANTIZE, .inputs = {"rows"}, .outputs = {"narrow"}},
      {.name = "relu", .type = QNN_OP_RELU, .inputs = {"narrow"}, .outputs = {"positive"}},
      {.name = "convert", .type = QNN_OP_CONVERT, .inputs = {"positive"}, .outputs = {"wide"}},
      {.name = "matmul", .type = QNN_OP_MAT_MUL, .inputs = {"wide", "weights"}, .outputs = {"product"}},
      {.name = "dequantize", .type = QNN_OP_DEQUANTIZE, .inputs = {"product"}, .outputs = {"logits"}},
      {.name = "softmax",
       .type = QNN_OP_SOFTMAX,
       .params = {scalar(QNN_OP_SOFTMAX_PARAM_AXIS, 1U)},
       .inputs = {"logits"},
       .outputs = {"probabilities"}}};
  return sample;
}

// feature: B2 (C API)
TEST(PartLimits, OneGraphHasSeveralPrecisions) {
  const Sample sample = mixed_precisions();
  for (const NamedPart& part : {kSm8550, kSm8650})
    EXPECT_TRUE(agrees(sample.model, outputs_of(part, sample), expected_outputs(sample.model, sample.inputs)))
        << part.name;
  expect_taken(kSm8550, sample.model);
}

// ---- Block-wise expansion ----

// An 8-bit FullyConnected whose weights have two blocks in each of 4 channels.
class ExpansionOp {
 public:
  ExpansionOp() {
    expansion_.axis = 0;
    expansion_.scaleOffsets = scales_;
    expansion_.numBlocksPerAxis = 2;
    expansion_.blockScaleBitwidth = 4;
    expansion_.blockScaleStorageType = QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8;
    expansion_.blocksScale8 = block_scales_;
    for (Qnn_ScaleOffset_t& scale : scales_) scale = {0.01F, 0};
    inputs_[0] = tensor("x", QNN_TENSOR_TYPE_APP_WRITE, QNN_DATATYPE_UFIXED_POINT_16, in_dims_);
    inputs_[1] = tensor("w", QNN_TENSOR_TYPE_STATIC, QNN_DATATYPE_SFIXED_POINT_8, weight_dims_);
    inputs_[1].v1.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION;
    inputs_[1].v1.quantizeParams.blockwiseExpansion = &expansion_;
    inputs_[1].v1.clientBuf = {weights_, sizeof weights_};
    output_ = tensor("y", QNN_TENSOR_TYPE_APP_READ, QNN_DATATYPE_UFIXED_POINT_16, out_dims_);
  }
  ExpansionOp(const ExpansionOp&) = delete;
  ExpansionOp& operator=(const ExpansionOp&) = delete;

  Qnn_OpConfig_t op() {
    Qnn_OpConfig_t config = QNN_OPCONFIG_INIT;
    config.v1.name = "fc";
    config.v1.packageName = QNN_OP_PACKAGE_NAME_QTI_AISW;
    config.v1.typeName = QNN_OP_FULLY_CONNECTED;
    config.v1.numOfInputs = 2;
    config.v1.inputTensors = inputs_;
    config.v1.numOfOutputs = 1;
    config.v1.outputTensors = &output_;
    return config;
  }

 private:
  static Qnn_Tensor_t tensor(const char* name, Qnn_TensorType_t role, Qnn_DataType_t type,
                             uint32_t (&dims)[2]) {
    Qnn_Tensor_t made = QNN_TENSOR_INIT;
    made.v1.name = name;
    made.v1.type = role;
    made.v1.dataType = type;
    made.v1.rank = 2;
    made.v1.dimensions = dims;
    made.v1.memType = QNN_TENSORMEMTYPE_RAW;
    made.v1.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
    made.v1.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
    made.v1.quantizeParams.scaleOffsetEncoding = {0.001F, -32768};
    return made;
  }

  uint32_t in_dims_[2] = {1, 8};
  uint32_t weight_dims_[2] = {4, 8};
  uint32_t out_dims_[2] = {1, 4};
  int8_t weights_[32] = {};
  Qnn_ScaleOffset_t scales_[4];
  uint8_t block_scales_[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  Qnn_BlockwiseExpansion_t expansion_{};
  Qnn_Tensor_t inputs_[2];
  Qnn_Tensor_t output_;
};

// feature: B2, B6 (C API)
TEST(PartLimits, BlockwiseExpansionNeedsV79) {
  const auto answer_on = [](const NamedPart& part, std::string& sentence) {
    SocDevice device(part.soc_model);
    const Session session(BackendLibrary(), device.entries);
    ExpansionOp expansion;
    const Qnn_ErrorHandle_t answer = session.api.backendValidateOpConfig(session.backend, expansion.op());
    sentence = answer == QNN_SUCCESS ? "" : verbose_message(session.api, answer);
    return answer;
  };
  std::string sentence;
  EXPECT_EQ(answer_on(kSm8650, sentence), QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE);
  EXPECT_NE(sentence.find("block-wise expansion"), std::string::npos) << sentence;
  EXPECT_EQ(answer_on(kSm8750, sentence), QNN_SUCCESS) << sentence;
}

}  // namespace
}  // namespace conformance
