// SPDX-License-Identifier: BSD-3-Clause
// What a part cannot run is refused where the part is known: by validateOpConfig when a device or the persona
// names it, by finalize at the latest. The sentence tells the part, why, and what to use instead.
#include <gtest/gtest.h>

#include "QnnOpPackage.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

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

struct Part {
  const char* name;
  uint32_t soc_model;
};
constexpr Part kSm8350{"SM8350", 30};  // v68, no half
constexpr Part kSm8450{"SM8450", 36};  // v69
constexpr Part kSm8550{"SM8550", 43};  // v73
constexpr Part kSm8650{"SM8650", 57};  // v75
constexpr Part kSm8750{"SM8750", 69};  // v79
constexpr Part kSm8735{"SM8735", 85};  // v73, no half
constexpr Part kSm7450{"SM7450", 41};  // v69; no source says whether it has half

Qnn_ErrorHandle_t validate(const Session& session, const Model& model, const Node& node) {
  Scratch scratch;
  return session.api.backendValidateOpConfig(session.backend, describe(model, node, scratch));
}

Qnn_ErrorHandle_t finalize(const Session& session, const Model& model) {
  const Owned context = session.context();
  Graph graph(session.api, context, model);
  graph.compose();
  return graph.finalize();
}

// Both answers for a model whose first node is the one in question.
void expect_taken(const Part& part, const Model& model) {
  SocDevice device(part.soc_model);
  const Session session(BackendLibrary(), device.entries);
  const Qnn_ErrorHandle_t answer = validate(session, model, model.nodes.front());
  EXPECT_EQ(answer, QNN_SUCCESS) << part.name << ": " << verbose_message(session.api, answer);
  EXPECT_EQ(finalize(session, model), QNN_SUCCESS) << part.name;
}

void expect_refused(const Part& part, const Model& model, const std::string& why,
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

// feature: B2, B6 (C API)
TEST(PartLimits, FloatGraphsNeedAPartWithHalf) {
  const Model model = add(Kind::kFloat).model;
  for (const Part& part : {kSm8350, kSm8735}) expect_refused(part, model, "half precision", "SM8550");
  for (const Part& part : {kSm8450, kSm8550, kSm8650}) expect_taken(part, model);
}

// feature: B2 (C API)
TEST(PartLimits, WhatNoSourceSaysIsNotRefused) { expect_taken(kSm7450, add(Kind::kFloat).model); }

// feature: B2 (C API)
TEST(PartLimits, QuantizedGraphsRunEverywhere) {
  for (const Part& part : {kSm8350, kSm8735, kSm8650})
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

// MatMul of 16-bit activations with 16-bit weights around zero.
Model matmul_16_by_16() {
  constexpr uint32_t kIn = 8;
  constexpr uint32_t kOut = 4;
  Model model;
  model.name = "wide";
  model.tensors = {{.name = "x",
                    .role = QNN_TENSOR_TYPE_APP_WRITE,
                    .type = QNN_DATATYPE_UFIXED_POINT_16,
                    .dims = {1, kIn},
                    .encoding = {1e-4F, -32768}},
                   {.name = "w",
                    .role = QNN_TENSOR_TYPE_STATIC,
                    .type = QNN_DATATYPE_SFIXED_POINT_16,
                    .dims = {kIn, kOut},
                    .encoding = {1e-4F, 0},
                    .data = Bytes(size_t{2} * kIn * kOut, std::byte{3})},
                   {.name = "y",
                    .role = QNN_TENSOR_TYPE_APP_READ,
                    .type = QNN_DATATYPE_UFIXED_POINT_16,
                    .dims = {1, kOut},
                    .encoding = {1e-4F, -32768}}};
  model.nodes = {{.name = "matmul", .type = QNN_OP_MAT_MUL, .inputs = {"x", "w"}, .outputs = {"y"}}};
  return model;
}

// feature: B2, B6 (C API)
TEST(PartLimits, WideWeightsNeedV73) {
  const Model model = matmul_16_by_16();
  for (const Part& part : {kSm8350, kSm8450}) expect_refused(part, model, "16-bit weights", "v73");
  for (const Part& part : {kSm8550, kSm8735, kSm8750}) expect_taken(part, model);
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
  const auto answer_on = [](const Part& part, std::string& sentence) {
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
