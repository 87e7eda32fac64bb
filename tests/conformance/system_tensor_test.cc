// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a tensor's data, by which clients size their buffers.
#include <gmock/gmock.h>

#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr Qnn_ErrorHandle_t kTensor = QNN_SYSTEM_TENSOR_ERROR_INVALID_TENSOR;
constexpr Qnn_ErrorHandle_t kUnsupported = QNN_SYSTEM_TENSOR_ERROR_UNSUPPORTED_FEATURE;

class SystemTensor : public ::testing::Test {
 protected:
  // The answer; a refusal must leave the number alone.
  Qnn_ErrorHandle_t ask(const Qnn_Tensor_t& tensor) {
    bytes_ = 4711;
    const Qnn_ErrorHandle_t answer = library_.api().systemTensorGetMemoryFootprint(tensor, &bytes_);
    if (answer != QNN_SUCCESS) {
      EXPECT_EQ(bytes_, 4711U);
    }
    return answer;
  }
  uint64_t bytes(Qnn_DataType_t type, std::vector<uint32_t> dims) {
    EXPECT_EQ(ask(tensor_of(type, dims)), QNN_SUCCESS) << "type 0x" << std::hex << type;
    return bytes_;
  }
  static Qnn_Tensor_t tensor_of(Qnn_DataType_t type, std::vector<uint32_t>& dims) {
    Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
    tensor.version = QNN_TENSOR_VERSION_1;
    tensor.v1.name = "asked";
    tensor.v1.dataType = type;
    tensor.v1.rank = static_cast<uint32_t>(dims.size());
    tensor.v1.dimensions = dims.data();
    return tensor;
  }

  SystemLibrary library_;
  uint64_t bytes_ = 0;
};

// feature: B1 (C API)
TEST_F(SystemTensor, EveryTypeHasItsSize) {
  const std::vector<std::pair<Qnn_DataType_t, uint64_t>> sizes = {
      {QNN_DATATYPE_INT_2, 1},           {QNN_DATATYPE_INT_4, 1},           {QNN_DATATYPE_INT_8, 1},
      {QNN_DATATYPE_INT_16, 2},          {QNN_DATATYPE_INT_32, 4},          {QNN_DATATYPE_INT_64, 8},
      {QNN_DATATYPE_UINT_2, 1},          {QNN_DATATYPE_UINT_4, 1},          {QNN_DATATYPE_UINT_8, 1},
      {QNN_DATATYPE_UINT_16, 2},         {QNN_DATATYPE_UINT_32, 4},         {QNN_DATATYPE_UINT_64, 8},
      {QNN_DATATYPE_FLOAT_4, 1},         {QNN_DATATYPE_FLOAT_8, 1},         {QNN_DATATYPE_FLOAT_16, 2},
      {QNN_DATATYPE_BFLOAT_16, 2},       {QNN_DATATYPE_FLOAT_32, 4},        {QNN_DATATYPE_FLOAT_64, 8},
      {QNN_DATATYPE_SFIXED_POINT_2, 1},  {QNN_DATATYPE_SFIXED_POINT_4, 1},  {QNN_DATATYPE_SFIXED_POINT_8, 1},
      {QNN_DATATYPE_SFIXED_POINT_16, 2}, {QNN_DATATYPE_SFIXED_POINT_32, 4}, {QNN_DATATYPE_UFIXED_POINT_2, 1},
      {QNN_DATATYPE_UFIXED_POINT_4, 1},  {QNN_DATATYPE_UFIXED_POINT_8, 1},  {QNN_DATATYPE_UFIXED_POINT_16, 2},
      {QNN_DATATYPE_UFIXED_POINT_32, 4}, {QNN_DATATYPE_BOOL_8, 1},
  };
  for (const auto& [type, size] : sizes) {
    EXPECT_EQ(bytes(type, {1, 3, 5}), 15 * size) << "type 0x" << std::hex << type;
    EXPECT_EQ(bytes(type, {}), size) << "a scalar of type 0x" << std::hex << type;
  }
}

// feature: B1 (C API)
TEST_F(SystemTensor, ShapesCount) {
  EXPECT_EQ(bytes(QNN_DATATYPE_FLOAT_32, {2, 3, 4, 5, 6}), 2880U);
  EXPECT_EQ(bytes(QNN_DATATYPE_FLOAT_32, {7, 0, 4}), 0U);
  EXPECT_EQ(bytes(QNN_DATATYPE_UINT_8, {0xFFFFFFFF, 0xFFFFFFFF}), 0xFFFFFFFE00000001U);
}

// A buffer of this size is what execute takes.
// feature: B1 (C API)
TEST_F(SystemTensor, AgreesWithTheBackend) {
  for (const Kind kind : {Kind::kFloat, Kind::kQuantized})
    for (const Sample& sample : all_samples(kind)) {
      IoTensors io(sample.model, sample.inputs);
      for (const auto* list : {&io.inputs, &io.outputs})
        for (const Qnn_Tensor_t& tensor : *list) {
          EXPECT_EQ(ask(tensor), QNN_SUCCESS);
          EXPECT_EQ(bytes_, fields(tensor).clientBuf.dataSize) << fields(tensor).name;
        }
    }
}

// Version 2, too; a dynamic dimension counts as the most it can be, and bit widths change no bytes.
// feature: B1 (C API)
TEST_F(SystemTensor, VersionTwo) {
  std::vector<uint32_t> dims = {4, 5};
  uint8_t dynamic[] = {1, 0};
  Qnn_Tensor_t tensor = tensor_of(QNN_DATATYPE_SFIXED_POINT_8, dims);
  const Qnn_TensorV1_t v1 = tensor.v1;
  tensor.version = QNN_TENSOR_VERSION_2;
  tensor.v2 = QNN_TENSOR_V2_INIT;
  tensor.v2.dataType = v1.dataType;
  tensor.v2.rank = v1.rank;
  tensor.v2.dimensions = v1.dimensions;
  tensor.v2.isDynamicDimensions = dynamic;
  tensor.v2.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
  tensor.v2.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET;
  tensor.v2.quantizeParams.bwScaleOffsetEncoding = {4, 1.0F, 0};
  ASSERT_EQ(ask(tensor), QNN_SUCCESS);
  EXPECT_EQ(bytes_, 20U);
}

// feature: B1 (C API)
TEST_F(SystemTensor, BadTensorsAreRefused) {
  std::vector<uint32_t> dims = {2, 3};
  const Qnn_Tensor_t good = tensor_of(QNN_DATATYPE_FLOAT_32, dims);
  ASSERT_EQ(ask(good), QNN_SUCCESS);
  EXPECT_EQ(library_.api().systemTensorGetMemoryFootprint(good, nullptr),
            Qnn_ErrorHandle_t{QNN_SYSTEM_TENSOR_ERROR_INVALID_ARGUMENT});
  const Owned log = create_log(library_.api(), QNN_LOG_LEVEL_ERROR);
  take_log();
  const auto expect_refused = [&](const Qnn_Tensor_t& tensor, Qnn_ErrorHandle_t code, const char* words) {
    EXPECT_EQ(ask(tensor), code) << words;
    EXPECT_THAT(take_log(), ::testing::HasSubstr(words));
  };
  Qnn_Tensor_t bad = good;
  bad.version = QNN_TENSOR_VERSION_UNDEFINED;
  expect_refused(bad, kTensor, "version");
  bad = good;
  bad.v1.dimensions = nullptr;
  expect_refused(bad, kTensor, "tensor 'asked'");
  bad = good;
  bad.v1.rank = 9;
  expect_refused(bad, kTensor, "rank 9");
  bad = good;
  bad.v1.dataType = QNN_DATATYPE_UNDEFINED;
  expect_refused(bad, kTensor, "0x7fffffff");
  bad.v1.dataType = QNN_DATATYPE_STRING;
  expect_refused(bad, kUnsupported, "texts have no common size");
  bad = good;
  bad.v1.dataFormat = QNN_TENSOR_DATA_FORMAT_SPARSE;
  expect_refused(bad, kUnsupported, "data format");
  std::vector<uint32_t> huge = {0xFFFFFFFF, 0xFFFFFFFF, 2};
  expect_refused(tensor_of(QNN_DATATYPE_UINT_8, huge), kTensor, "more bytes than 64 bits can count");
}

}  // namespace
}  // namespace conformance
