// SPDX-License-Identifier: BSD-3-Clause
//
// Types shared by several components: data types, quantization encodings, tensors, op configs, SoC models.
// One long file, because clients include it by this name.

#ifndef OPENQNN_QNN_QNN_TYPES_H_
#define OPENQNN_QNN_QNN_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"

// Layouts of tensor data.
#define QNN_TENSOR_DATA_FORMAT_DENSE 0
#define QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER 0
#define QNN_TENSOR_DATA_FORMAT_SPARSE 1
#define QNN_TENSOR_DATA_FORMAT_CODEBOOK 2
#define QNN_TENSOR_DATA_FORMAT_MX 3
#define QNN_TENSOR_DATA_FORMAT_UBWC_RGBA8888 4
#define QNN_TENSOR_DATA_FORMAT_UBWC_NV12 5
#define QNN_TENSOR_DATA_FORMAT_UBWC_NV12_Y 6
#define QNN_TENSOR_DATA_FORMAT_UBWC_NV12_UV 7
#define QNN_TENSOR_DATA_FORMAT_HMX_WEIGHT_LAYOUT 8
#define QNN_TENSOR_DATA_FORMAT_UBWC_NV124R 9              // since SDK 2.40
#define QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_Y 10           // since SDK 2.40
#define QNN_TENSOR_DATA_FORMAT_UBWC_NV124R_UV 11          // since SDK 2.40
#define QNN_TENSOR_DATA_FORMAT_UBWC_P010 12               // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_P010_Y 13             // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_P010_UV 14            // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_P016 15               // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_P016_Y 16             // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_P016_UV 17            // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_TP10 18               // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_TP10_Y 19             // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_TP10_UV 20            // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_1X1 21       // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_2X2 22       // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_3X3 23       // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_TBAYER10_4X4 24       // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_1X1 25  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_2X2 26  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_10BPS_4X4 27  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_1X1 28  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_2X2 29  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_12BPS_4X4 30  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_1X1 31  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_2X2 32  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_14BPS_4X4 33  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_1X1 34  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_2X2 35  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_UBWC_BAYER16_16BPS_4X4 36  // since SDK 2.48
#define QNN_TENSOR_DATA_FORMAT_BATCH_ALIGNED_256 37       // since SDK 2.48

#ifdef __cplusplus
extern "C" {
#endif

// Declared ahead, since encodings refer to tensors and the other way round.
typedef struct Qnn_QuantizeParams_t Qnn_QuantizeParams_t;
typedef struct Qnn_Tensor_t Qnn_Tensor_t;

typedef uint64_t Qnn_ContextBinarySize_t;  // Size of, or offset in, a context binary.

// What a mapping names.
typedef enum {
  QNN_OP_MAPPING_TYPE_TENSOR = 0,
  QNN_OP_MAPPING_TYPE_OP = 1,
} Qnn_MappingType_t;

// A name on the other side of a mapping.
typedef struct {
  const char* name;
  Qnn_MappingType_t type;
} Qnn_OpMappingPair_t;

// An op or tensor and what it maps to.
typedef struct {
  const char* name;
  Qnn_OpMappingPair_t* pair;
  uint32_t numPairs;
} Qnn_Mapping_t;

// Mappings of a graph.
typedef struct {
  const char* graphName;
  Qnn_Mapping_t* opMappings;
  uint32_t numOpMappings;
  Qnn_Mapping_t* tensorMappings;
  uint32_t numTensorMappings;
} Qnn_OpMappingV1_t;

// Which version of Qnn_OpMapping_t is in use.
typedef enum {
  QNN_OP_MAPPING_VERSION_1 = 1,
} Qnn_OpMappingVersion_t;

// Mappings of a graph, versioned.
typedef struct {
  Qnn_OpMappingVersion_t version;
  union {
    Qnn_OpMappingV1_t* v1;
  };
} Qnn_OpMapping_t;

// How much detail errors keep.
typedef enum {
  QNN_ERROR_REPORTING_LEVEL_BRIEF = 0,
  QNN_ERROR_REPORTING_LEVEL_DETAILED = 1,
  QNN_ERROR_REPORTING_LEVEL_UNDEFINED = 0x7FFFFFFF,
} Qnn_ErrorReportingLevel_t;

// How errors are kept, and how much storage that may take.
typedef struct {
  Qnn_ErrorReportingLevel_t reportingLevel;
  uint32_t storageLimit;
} Qnn_ErrorReportingConfig_t;

// A version number.
typedef struct {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
} Qnn_Version_t;

// Versions of the core API and of the backend API.
typedef struct {
  Qnn_Version_t coreApiVersion;
  Qnn_Version_t backendApiVersion;
} Qnn_ApiVersion_t;

// Element types. Read in hex, the low byte shows the width and the next one the kind (BFLOAT_16 aside).
typedef enum {
  QNN_DATATYPE_INT_2 = 0x0002,  // since SDK 2.48
  QNN_DATATYPE_INT_4 = 0x0004,  // since SDK 2.48
  QNN_DATATYPE_INT_8 = 0x0008,
  QNN_DATATYPE_INT_16 = 0x0016,
  QNN_DATATYPE_INT_32 = 0x0032,
  QNN_DATATYPE_INT_64 = 0x0064,
  QNN_DATATYPE_UINT_2 = 0x0102,  // since SDK 2.48
  QNN_DATATYPE_UINT_4 = 0x0104,  // since SDK 2.48
  QNN_DATATYPE_UINT_8 = 0x0108,
  QNN_DATATYPE_UINT_16 = 0x0116,
  QNN_DATATYPE_UINT_32 = 0x0132,
  QNN_DATATYPE_UINT_64 = 0x0164,
  QNN_DATATYPE_FLOAT_4 = 0x0204,  // since SDK 2.48
  QNN_DATATYPE_FLOAT_8 = 0x0208,  // since SDK 2.48
  QNN_DATATYPE_FLOAT_16 = 0x0216,
  QNN_DATATYPE_BFLOAT_16 = 0x0226,  // since SDK 2.43
  QNN_DATATYPE_FLOAT_32 = 0x0232,
  QNN_DATATYPE_FLOAT_64 = 0x0264,
  QNN_DATATYPE_SFIXED_POINT_2 = 0x0302,  // since SDK 2.48
  QNN_DATATYPE_SFIXED_POINT_4 = 0x0304,
  QNN_DATATYPE_SFIXED_POINT_8 = 0x0308,
  QNN_DATATYPE_SFIXED_POINT_16 = 0x0316,
  QNN_DATATYPE_SFIXED_POINT_32 = 0x0332,
  QNN_DATATYPE_UFIXED_POINT_2 = 0x0402,  // since SDK 2.48
  QNN_DATATYPE_UFIXED_POINT_4 = 0x0404,
  QNN_DATATYPE_UFIXED_POINT_8 = 0x0408,
  QNN_DATATYPE_UFIXED_POINT_16 = 0x0416,
  QNN_DATATYPE_UFIXED_POINT_32 = 0x0432,
  QNN_DATATYPE_BOOL_8 = 0x0508,
  QNN_DATATYPE_STRING = 0x0608,
  QNN_DATATYPE_UNDEFINED = 0x7FFFFFFF,
} Qnn_DataType_t;

// A value of any scalar type.
typedef struct {
  Qnn_DataType_t dataType;
  union {
    float floatValue;
    double doubleValue;
    uint64_t uint64Value;
    int64_t int64Value;
    uint32_t uint32Value;
    int32_t int32Value;
    uint16_t uint16Value;
    int16_t int16Value;
    uint8_t uint8Value;
    int8_t int8Value;
    uint8_t bool8Value;
    int16_t bfloat16Value;
    const char* stringValue;
  };
} Qnn_Scalar_t;

// value = scale * (code + offset).
typedef struct {
  float scale;
  int32_t offset;
} Qnn_ScaleOffset_t;

// Scale and offset for codes of fewer bits than the data type.
typedef struct {
  uint32_t bitwidth;
  float scale;
  int32_t offset;
} Qnn_BwScaleOffset_t;

// Scale and offset per index along an axis.
typedef struct {
  int32_t axis;
  uint32_t numScaleOffsets;
  Qnn_ScaleOffset_t* scaleOffset;
} Qnn_AxisScaleOffset_t;

// Scale and offset per index along an axis, with a bit width; `offsets` may be null.
typedef struct {
  uint32_t bitwidth;
  int32_t axis;
  uint32_t numElements;
  float* scales;
  int32_t* offsets;
} Qnn_BwAxisScaleOffset_t;

// How codes map to values in the mapped encodings (since SDK 2.43).
typedef enum {
  QNN_QUANTIZATION_ENCODING_MAPPING_STANDARD_SYMMETRIC = 0,
  QNN_QUANTIZATION_ENCODING_MAPPING_ASYMMETRIC_PLUS_ONE = 1,
  QNN_QUANTIZATION_ENCODING_MAPPING_LINEAR_SYMMETRIC_EXCLUDE_ZERO = 2,
  QNN_QUANTIZATION_ENCODING_MAPPING_UNDEFINED = 0x7FFFFFFF,
} Qnn_QuantizationEncodingMapping_t;

// Qnn_BwAxisScaleOffset_t with a mapping (since SDK 2.43).
typedef struct {
  uint32_t bitwidth;
  int32_t axis;
  Qnn_QuantizationEncodingMapping_t mapping;
  uint32_t numElements;
  float* scales;
  int32_t* offsets;
} Qnn_BwAxisScaleOffsetMapped_t;

// Scale and offset per block; `blockSize` has one entry per dimension.
typedef struct {
  uint32_t* blockSize;
  Qnn_ScaleOffset_t* scaleOffset;
} Qnn_BlockEncoding_t;

// Qnn_BlockEncoding_t with a bit width and a mapping (since SDK 2.43).
typedef struct {
  uint32_t bitwidth;
  Qnn_QuantizationEncodingMapping_t mapping;
  uint32_t* blockSize;
  Qnn_ScaleOffset_t* scaleOffset;
} Qnn_BwBlockMapped_t;

// Width of stored block scales.
typedef enum {
  QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8 = 0,
  QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_16 = 1,
  QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_UNDEFINED = 0x7FFFFFFF,
} Qnn_BlockwiseExpansionBlockScaleStorageType_t;

// Scale per index along an axis, times a small integer scale per block.
typedef struct {
  int32_t axis;
  Qnn_ScaleOffset_t* scaleOffsets;
  uint32_t numBlocksPerAxis;
  uint32_t blockScaleBitwidth;
  Qnn_BlockwiseExpansionBlockScaleStorageType_t blockScaleStorageType;
  union {
    uint8_t* blocksScale8;
    uint16_t* blocksScale16;
  };
} Qnn_BlockwiseExpansion_t;

// Qnn_BlockwiseExpansion_t with a bit width and a mapping (since SDK 2.43).
typedef struct {
  uint32_t bitwidth;
  Qnn_QuantizationEncodingMapping_t mapping;
  int32_t axis;
  Qnn_ScaleOffset_t* scaleOffsets;
  uint32_t numBlocksPerAxis;
  uint32_t blockScaleBitwidth;
  Qnn_BlockwiseExpansionBlockScaleStorageType_t blockScaleStorageType;
  union {
    uint8_t* blocksScale8;
    uint16_t* blocksScale16;
  };
} Qnn_BwBlockwiseExpansionMapped_t;

// Vector quantization: codes index a table of vectors.
typedef struct {
  Qnn_BwAxisScaleOffset_t bwAxisScaleOffset;
  uint32_t rowsPerBlock;
  uint32_t columnsPerBlock;
  uint8_t vectorDimension;
  uint8_t vectorStride;
  uint8_t indexBitwidth;
} Qnn_VectorEncoding_t;

// Scale and offset, both in float (since SDK 2.40).
typedef struct {
  float scale;
  float offset;
} Qnn_FloatScaleOffset_t;

// Float scale and offset per block (since SDK 2.40).
typedef struct {
  uint32_t* blockSize;
  Qnn_FloatScaleOffset_t* floatScaleOffset;
} Qnn_FloatBlockEncoding_t;

// Float scale and offset per block, with a bit width (since SDK 2.43).
typedef struct {
  uint32_t bitwidth;
  uint32_t* blockSize;
  Qnn_FloatScaleOffset_t* floatScaleOffset;
} Qnn_BwFloatBlockEncoding_t;

// Element formats of microscaling encodings (since SDK 2.48).
typedef enum {
  QNN_FLOAT_ENCODING_MXFP8_E5M2 = 0,
  QNN_FLOAT_ENCODING_MXFP8_E4M3 = 1,
  QNN_FLOAT_ENCODING_MXFP6_E3M2 = 2,
  QNN_FLOAT_ENCODING_MXFP6_E2M3 = 3,
  QNN_FLOAT_ENCODING_MXFP4_E2M1 = 4,
  QNN_FLOAT_ENCODING_UNDEFINED = 0x7FFFFFFF,
} Qnn_FloatEncoding_t;

// Blocks of small floats with a shared scale, the MX formats (since SDK 2.48).
typedef struct {
  Qnn_FloatEncoding_t valueEncoding;
  uint32_t blockRank;
  uint32_t* blockDimensions;
  uint32_t blockCount;
  Qnn_DataType_t scaleDataType;
  union {
    uint8_t* blockScales8;
    float* blockScalesFloat;
  };
} Qnn_MicroscalingEncoding_t;

// Kinds of quantization encodings.
typedef enum {
  QNN_QUANTIZATION_ENCODING_SCALE_OFFSET = 0,                    // per tensor
  QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET = 1,               // per channel
  QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET = 2,                 // per tensor, with a bit width
  QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET = 3,            // per channel, with a bit width
  QNN_QUANTIZATION_ENCODING_BLOCK = 4,                           // per block
  QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION = 5,             // per channel and block
  QNN_QUANTIZATION_ENCODING_VECTOR = 6,                          // vector table
  QNN_QUANTIZATION_ENCODING_FLOAT_BLOCK = 7,                     // since SDK 2.40
  QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET_MAPPED = 8,     // since SDK 2.43
  QNN_QUANTIZATION_ENCODING_BW_BLOCK_MAPPED = 9,                 // since SDK 2.43
  QNN_QUANTIZATION_ENCODING_BW_BLOCKWISE_EXPANSION_MAPPED = 10,  // since SDK 2.43
  QNN_QUANTIZATION_ENCODING_BW_FLOAT_BLOCK = 11,                 // since SDK 2.43
  QNN_QUANTIZATION_ENCODING_MICROSCALING = 12,                   // since SDK 2.48
  QNN_QUANTIZATION_ENCODING_ARRAY_OF = 13,                       // since SDK 2.48
  QNN_QUANTIZATION_ENCODING_UNDEFINED = 0x7FFFFFFF,
} Qnn_QuantizationEncoding_t;

// Several encodings, one of which an index tensor picks (since SDK 2.48).
typedef struct {
  Qnn_QuantizationEncoding_t quantizationEncoding;
  uint32_t numElements;
  Qnn_Tensor_t* indexTensor;
  Qnn_QuantizeParams_t** vectorElements;
} Qnn_ArrayOf_t;

// Who fixes a quantization encoding.
typedef enum {
  QNN_DEFINITION_IMPL_GENERATED = 0,  // the backend
  QNN_DEFINITION_DEFINED = 1,         // the client
  QNN_DEFINITION_UNDEFINED = 0x7FFFFFFF,
} Qnn_Definition_t;

// Quantization of a tensor; `quantizationEncoding` tells the member.
typedef struct Qnn_QuantizeParams_t {
  Qnn_Definition_t encodingDefinition;
  Qnn_QuantizationEncoding_t quantizationEncoding;
  union {
    Qnn_ScaleOffset_t scaleOffsetEncoding;
    Qnn_AxisScaleOffset_t axisScaleOffsetEncoding;
    Qnn_BwScaleOffset_t bwScaleOffsetEncoding;
    Qnn_BwAxisScaleOffset_t bwAxisScaleOffsetEncoding;
    Qnn_BlockEncoding_t blockEncoding;
    Qnn_BlockwiseExpansion_t* blockwiseExpansion;
    Qnn_VectorEncoding_t* vectorEncoding;
    Qnn_FloatBlockEncoding_t floatBlockEncoding;
    Qnn_BwAxisScaleOffsetMapped_t* bwAxisScaleOffsetMappedEncoding;
    Qnn_BwBlockMapped_t* bwBlockMappedEncoding;
    Qnn_BwBlockwiseExpansionMapped_t* bwBlockwiseExpansionMappedEncoding;
    Qnn_BwFloatBlockEncoding_t bwFloatBlockEncoding;
    Qnn_MicroscalingEncoding_t* microScalingEncoding;
    Qnn_ArrayOf_t* arrayOfEncoding;
  };
} Qnn_QuantizeParams_t;

// Memory of the client.
typedef struct {
  void* data;
  uint32_t dataSize;
} Qnn_ClientBuffer_t;

// Provides the data of a tensor when the backend wants it.
typedef Qnn_ErrorHandle_t (*Qnn_GetTensorRawDataFn_t)(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph,
                                                      uint64_t id, Qnn_ClientBuffer_t* clientBuf);

// Takes back what Qnn_GetTensorRawDataFn_t provided.
typedef Qnn_ErrorHandle_t (*Qnn_FreeTensorRawDataFn_t)(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph,
                                                       uint64_t id);

// Callbacks for tensor data.
typedef struct {
  Qnn_GetTensorRawDataFn_t getTensorData;
  Qnn_FreeTensorRawDataFn_t freeTensorData;
} Qnn_TensorRetrieveRaw_t;

// Bytes without a known meaning.
typedef struct {
  void* data;
  uint64_t len;
} Qnn_OpaqueObject_t;

// Role of a tensor.
typedef enum {
  QNN_TENSOR_TYPE_APP_WRITE = 0,          // input of the graph
  QNN_TENSOR_TYPE_APP_READ = 1,           // output of the graph
  QNN_TENSOR_TYPE_APP_READWRITE = 2,      // input and output
  QNN_TENSOR_TYPE_NATIVE = 3,             // between nodes
  QNN_TENSOR_TYPE_STATIC = 4,             // constant
  QNN_TENSOR_TYPE_NULL = 5,               // absent optional input
  QNN_TENSOR_TYPE_UPDATEABLE_STATIC = 6,  // constant that may be replaced
  QNN_TENSOR_TYPE_UPDATEABLE_NATIVE = 7,
  QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE = 8,
  QNN_TENSOR_TYPE_UPDATEABLE_APP_READ = 9,
  QNN_TENSOR_TYPE_UPDATEABLE_APP_READWRITE = 10,
  QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE = 11,
  QNN_TENSOR_TYPE_OPTIONAL_APP_READ = 12,
  QNN_TENSOR_TYPE_OPTIONAL_APP_READWRITE = 13,
  QNN_TENSOR_TYPE_UNDEFINED = 0x7FFFFFFF,
} Qnn_TensorType_t;

typedef uint32_t Qnn_TensorDataFormat_t;  // QNN_TENSOR_DATA_FORMAT_*.

// Where the data of a tensor are.
typedef enum {
  QNN_TENSORMEMTYPE_RAW = 0,           // clientBuf
  QNN_TENSORMEMTYPE_MEMHANDLE = 1,     // memHandle
  QNN_TENSORMEMTYPE_RETRIEVE_RAW = 2,  // retrieveRaw
  QNN_TENSORMEMTYPE_UNDEFINED = 0x7FFFFFFF,
} Qnn_TensorMemType_t;

// A tensor.
typedef struct {
  uint32_t id;
  const char* name;
  Qnn_TensorType_t type;
  Qnn_TensorDataFormat_t dataFormat;
  Qnn_DataType_t dataType;
  Qnn_QuantizeParams_t quantizeParams;
  uint32_t rank;
  uint32_t* dimensions;
  Qnn_TensorMemType_t memType;
  union {
    Qnn_ClientBuffer_t clientBuf;
    Qnn_MemHandle_t memHandle;
  };
} Qnn_TensorV1_t;

// Coordinates for the leading dimensions, dense values for the rest.
typedef struct {
  uint32_t numSpecifiedElements;
  uint32_t numSparseDimensions;
} Qnn_SparseLayoutHybridCoo_t;

// Layouts of sparse tensors.
typedef enum {
  QNN_SPARSE_LAYOUT_HYBRID_COO = 0,
  QNN_SPARSE_LAYOUT_UNDEFINED = 0x7FFFFFFF,
} Qnn_SparseLayoutType_t;

// Layout of a sparse tensor.
typedef struct {
  Qnn_SparseLayoutType_t type;
  union {
    Qnn_SparseLayoutHybridCoo_t hybridCoo;
  };
} Qnn_SparseParams_t;

// A tensor that may be dynamic or sparse.
typedef struct {
  uint32_t id;
  const char* name;
  Qnn_TensorType_t type;
  Qnn_TensorDataFormat_t dataFormat;
  Qnn_DataType_t dataType;
  Qnn_QuantizeParams_t quantizeParams;
  uint32_t rank;
  uint32_t* dimensions;
  Qnn_TensorMemType_t memType;
  union {
    Qnn_ClientBuffer_t clientBuf;
    Qnn_MemHandle_t memHandle;
    Qnn_TensorRetrieveRaw_t* retrieveRaw;
  };
  uint8_t* isDynamicDimensions;
  Qnn_SparseParams_t sparseParams;
  uint8_t isProduced;
} Qnn_TensorV2_t;

// Which version of Qnn_Tensor_t is in use.
typedef enum {
  QNN_TENSOR_VERSION_1 = 1,
  QNN_TENSOR_VERSION_2 = 2,
  QNN_TENSOR_VERSION_UNDEFINED = 0x7FFFFFFF,
} Qnn_TensorVersion_t;

// A tensor, versioned.
typedef struct Qnn_Tensor_t {
  Qnn_TensorVersion_t version;
  union {
    Qnn_TensorV1_t v1;
    Qnn_TensorV2_t v2;
  };
} Qnn_Tensor_t;

// Inputs and outputs of an execution.
typedef struct {
  uint32_t numInputs;
  Qnn_Tensor_t* inputs;
  uint32_t numOutputs;
  Qnn_Tensor_t* outputs;
} Qnn_TensorSetV1_t;

// Which version of Qnn_TensorSet_t is in use.
typedef enum {
  QNN_TENSOR_SET_VERSION_1 = 1,
  QNN_TENSOR_SET_VERSION_UNDEFINED = 0x7FFFFFFF,
} Qnn_TensorSetVersion_t;

// Inputs and outputs of an execution, versioned.
typedef struct {
  Qnn_TensorSetVersion_t version;
  union {
    Qnn_TensorSetV1_t v1;
  };
} Qnn_TensorSet_t;

// Kind of an op parameter.
// One value does not fit an int, which strict C would reject without the extension mark.
QNN_EXTENSION typedef enum {
  QNN_PARAMTYPE_SCALAR = 0,
  QNN_PARAMTYPE_TENSOR = 1,
  QNN_PARAMTYPE_UNDEFINED = 0xFFFFFFFF,
} Qnn_ParamType_t;

// A parameter of an op.
typedef struct {
  Qnn_ParamType_t paramType;
  const char* name;
  union {
    Qnn_Scalar_t scalarParam;
    Qnn_Tensor_t tensorParam;
  };
} Qnn_Param_t;

// An op: type, parameters, tensors.
typedef struct {
  const char* name;
  const char* packageName;
  const char* typeName;
  uint32_t numOfParams;
  Qnn_Param_t* params;
  uint32_t numOfInputs;
  Qnn_Tensor_t* inputTensors;
  uint32_t numOfOutputs;
  Qnn_Tensor_t* outputTensors;
} Qnn_OpConfigV1_t;

// Which version of Qnn_OpConfig_t is in use.
typedef enum {
  QNN_OPCONFIG_VERSION_1 = 1,
  QNN_OPCONFIG_VERSION_UNDEFINED = 0x7FFFFFFF,
} Qnn_OpConfigVersion_t;

// An op, versioned.
typedef struct {
  Qnn_OpConfigVersion_t version;
  union {
    Qnn_OpConfigV1_t v1;
  };
} Qnn_OpConfig_t;

// Arithmetic for float graphs.
typedef enum {
  QNN_PRECISION_FLOAT32 = 0,
  QNN_PRECISION_FLOAT16 = 1,
  QNN_PRECISION_UNDEFINED = 0x7FFFFFFF,
} Qnn_Precision_t;

// Priorities of contexts and graphs.
typedef enum {
  QNN_PRIORITY_LOWEST = 0,  // since SDK 2.48
  QNN_PRIORITY_LOW = 0,
  QNN_PRIORITY_NORMAL_LOW = 50,  // since SDK 2.48
  QNN_PRIORITY_NORMAL = 100,
  QNN_PRIORITY_DEFAULT = 100,
  QNN_PRIORITY_NORMAL_HIGH = 150,
  QNN_PRIORITY_HIGH = 200,
  QNN_PRIORITY_HIGH_PLUS = 300,      // since SDK 2.48
  QNN_PRIORITY_CRITICAL = 400,       // since SDK 2.48
  QNN_PRIORITY_CRITICAL_PLUS = 500,  // since SDK 2.48
  QNN_PRIORITY_HIGHEST = 500,        // since SDK 2.48
  QNN_PRIORITY_UNDEFINED = 0x7FFFFFFF,
} Qnn_Priority_t;

// SoC models with a name; newer ones are given by number.
typedef enum {
  QNN_SOC_MODEL_UNKNOWN = 0,
  QNN_SOC_MODEL_SDM845 = 1,
  QNN_SOC_MODEL_SDM835 = 2,
  QNN_SOC_MODEL_SDM821 = 3,
  QNN_SOC_MODEL_SDM820 = 4,
  QNN_SOC_MODEL_SDM801 = 5,
  QNN_SOC_MODEL_SDM670 = 6,
  QNN_SOC_MODEL_SDM660 = 7,
  QNN_SOC_MODEL_SDM652 = 8,
  QNN_SOC_MODEL_SDM636 = 9,
  QNN_SOC_MODEL_SDM630 = 10,
  QNN_SOC_MODEL_SDM625 = 11,
  QNN_SOC_MODEL_SDM855 = 12,
  QNN_SOC_MODEL_SDM710 = 13,
  QNN_SOC_MODEL_SDM632 = 15,
  QNN_SOC_MODEL_SM6150 = 16,
  QNN_SOC_MODEL_SM7150 = 17,
  QNN_SOC_MODEL_QCS405 = 18,
  QNN_SOC_MODEL_SM6125 = 19,
  QNN_SOC_MODEL_QCS403 = 20,
  QNN_SOC_MODEL_SDM865 = 21,
  QNN_SOC_MODEL_IPQ6018 = 23,
  QNN_SOC_MODEL_IPQ6028 = 24,
  QNN_SOC_MODEL_SM7250 = 25,
  QNN_SOC_MODEL_SA8195 = 26,
  QNN_SOC_MODEL_SM6250 = 27,
  QNN_SOC_MODEL_SM4250 = 28,
  QNN_SOC_MODEL_SM6350 = 29,
  QNN_SOC_MODEL_SM8350 = 30,
  QNN_SOC_MODEL_SM4350 = 31,
  QNN_SOC_MODEL_SM7350 = 32,
  QNN_SOC_MODEL_QCS410 = 33,
  QNN_SOC_MODEL_SM8325 = 34,
  QNN_SOC_MODEL_SM7325 = 35,
  QNN_SOC_MODEL_SM8450 = 36,
  QNN_SOC_MODEL_SC8280X = 37,
  QNN_SOC_MODEL_SM7315 = 38,
  QNN_SOC_MODEL_SA8295 = 39,
  QNN_SOC_MODEL_SM6225 = 40,
  QNN_SOC_MODEL_SM7450 = 41,
  QNN_SOC_MODEL_SM8475 = 42,
  QNN_SOC_MODEL_SM8550 = 43,
  QNN_SOC_MODEL_SXR1230P = 45,
  QNN_SOC_MODEL_SSG2115P = 46,
  QNN_SOC_MODEL_STP6225P = 47,
  QNN_SOC_MODEL_QCS6125 = 48,
  QNN_SOC_MODEL_QRB4210 = 49,
  QNN_SOC_MODEL_SM6450 = 50,
  QNN_SOC_MODEL_QCS7230 = 51,
  QNN_SOC_MODEL_SA8255 = 52,
  QNN_SOC_MODEL_SXR2230P = 53,
  QNN_SOC_MODEL_SM7475 = 54,
  QNN_SOC_MODEL_SM4375 = 55,
  QNN_SOC_MODEL_QCM4325 = 56,
  QNN_SOC_MODEL_SM8650 = 57,
  QNN_SOC_MODEL_SSG2125P = 58,
  QNN_SOC_MODEL_SM4450 = 59,
  QNN_SOC_MODEL_SC8380XP = 60,
  QNN_SOC_MODEL_SM7435 = 61,
  QNN_SOC_MODEL_SA8540 = 62,
  QNN_SOC_MODEL_AIC100 = 63,
  QNN_SOC_MODEL_SM7550 = 64,
  QNN_SOC_MODEL_SM6450Q = 65,
  QNN_SOC_MODEL_QCS8550 = 66,
  QNN_SOC_MODEL_SA8620P = 67,
  QNN_SOC_MODEL_SM8635 = 68,
  QNN_SOC_MODEL_SM8750 = 69,
  QNN_SOC_MODEL_SM7675 = 70,
  QNN_SOC_MODEL_SM4635 = 71,
  QNN_SOC_MODEL_SA8797 = 72,
  QNN_SOC_MODEL_SM7635 = 73,
  QNN_SOC_MODEL_SM6650 = 74,
  QNN_SOC_MODEL_SXR2330P = 75,
  QNN_SOC_MODEL_SM6475 = 76,
  QNN_SOC_MODEL_QCS9100 = 77,
  QNN_SOC_MODEL_QCM6690 = 78,
  QNN_SOC_MODEL_IPQ9574 = 79,
  QNN_SOC_MODEL_IPQ5404 = 80,
  QNN_SOC_MODEL_IPQ5424 = 81,
  QNN_SOC_MODEL_QCS8300 = 82,
  QNN_SOC_MODEL_QCS2290 = 83,
  QNN_SOC_MODEL_SA525M = 84,
  QNN_SOC_MODEL_SM8735 = 85,
  QNN_SOC_MODEL_SM7750 = 86,
  QNN_SOC_MODEL_SM8850 = 87,
  QNN_SOC_MODEL_DYNAMIC_SDM = 0x7FFFFFFF,
} Qnn_SocModel_t;

// Initial values.
// clang-format off
#define QNN_OP_MAPPING_INIT {QNN_OP_MAPPING_VERSION_1, {NULL}}
#define QNN_OP_MAPPING_V1_INIT {NULL, NULL, 0, NULL, 0}
#define QNN_ERROR_REPORTING_CONFIG_INIT {QNN_ERROR_REPORTING_LEVEL_UNDEFINED, 0}
#define QNN_VERSION_INIT {0, 0, 0}
#define QNN_API_VERSION_INIT \
  {{QNN_API_VERSION_MAJOR, QNN_API_VERSION_MINOR, QNN_API_VERSION_PATCH}, QNN_VERSION_INIT}
#define QNN_SCALAR_INIT {QNN_DATATYPE_UNDEFINED, {0.0f}}
#define QNN_SCALE_OFFSET_INIT {0.0f, 0}
#define QNN_BW_SCALE_OFFSET_INIT {0, 0.0f, 0}
#define QNN_AXIS_SCALE_OFFSET_INIT {0, 0, NULL}
#define QNN_BW_AXIS_SCALE_OFFSET_INIT {0, 0, 0, NULL, NULL}
#define QNN_BW_AXIS_SCALE_OFFSET_MAPPED_INIT \
  {0, 0, QNN_QUANTIZATION_ENCODING_MAPPING_STANDARD_SYMMETRIC, 0, NULL, NULL}
#define QNN_BLOCK_ENCODING_INIT {0, NULL}
#define QNN_BW_BLOCK_MAPPED_ENCODING_INIT \
  {0, QNN_QUANTIZATION_ENCODING_MAPPING_STANDARD_SYMMETRIC, NULL, NULL}
#define QNN_BLOCKWISE_EXPANSION_INIT \
  {0, NULL, 0, 0, QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_UNDEFINED, {NULL}}
#define QNN_BW_BLOCKWISE_EXPANSION_MAPPED_INIT \
  {0, QNN_QUANTIZATION_ENCODING_MAPPING_STANDARD_SYMMETRIC, 0, NULL, 0, 0, \
   QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_UNDEFINED, {NULL}}
#define QNN_VECTOR_ENCODING_INIT {QNN_BW_AXIS_SCALE_OFFSET_INIT, 0, 0, 0, 0, 0}
#define QNN_FLOAT_SCALE_OFFSET_INIT {0.0f, 0.0f}
#define QNN_FLOAT_BLOCK_ENCODING_INIT {0, NULL}
#define QNN_BW_FLOAT_BLOCK_ENCODING_INIT {0, 0, NULL}
#define QNN_MICROSCALING_ENCODING_INIT \
  {QNN_FLOAT_ENCODING_UNDEFINED, 0, NULL, 0, QNN_DATATYPE_UNDEFINED, {NULL}}
#define QNN_QUANTIZE_PARAMS_INIT \
  {QNN_DEFINITION_UNDEFINED, QNN_QUANTIZATION_ENCODING_UNDEFINED, {QNN_SCALE_OFFSET_INIT}}
#define QNN_TENSOR_RETRIEVE_RAW_INIT {NULL, NULL}
#define QNN_CLIENT_BUFFER_INIT {NULL, 0}
#define QNN_OPAQUE_OBJECT_INIT {NULL, 0}
#define QNN_TENSOR_V1_INIT \
  {0, NULL, QNN_TENSOR_TYPE_UNDEFINED, QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER, QNN_DATATYPE_UNDEFINED, \
   QNN_QUANTIZE_PARAMS_INIT, 0, NULL, QNN_TENSORMEMTYPE_UNDEFINED, {QNN_CLIENT_BUFFER_INIT}}
#define QNN_SPARSE_LAYOUT_HYBRID_COO_INIT {0, 0}
#define QNN_SPARSE_PARAMS_INIT {QNN_SPARSE_LAYOUT_UNDEFINED, {QNN_SPARSE_LAYOUT_HYBRID_COO_INIT}}
#define QNN_TENSOR_V2_INIT \
  {0, NULL, QNN_TENSOR_TYPE_UNDEFINED, QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER, QNN_DATATYPE_UNDEFINED, \
   QNN_QUANTIZE_PARAMS_INIT, 0, NULL, QNN_TENSORMEMTYPE_UNDEFINED, {QNN_CLIENT_BUFFER_INIT}, NULL, \
   QNN_SPARSE_PARAMS_INIT, 0}
#define QNN_TENSOR_INIT {QNN_TENSOR_VERSION_1, {QNN_TENSOR_V1_INIT}}
#define QNN_TENSOR_SET_V1_INIT {0, NULL, 0, NULL}
#define QNN_TENSOR_SET_INIT {QNN_TENSOR_SET_VERSION_1, {QNN_TENSOR_SET_V1_INIT}}
#define QNN_ARRAYOF_INIT {QNN_QUANTIZATION_ENCODING_UNDEFINED, 0, NULL, NULL}
#define QNN_PARAM_INIT {QNN_PARAMTYPE_UNDEFINED, NULL, {QNN_SCALAR_INIT}}
#define QNN_OPCONFIG_V1_INIT {NULL, NULL, NULL, 0, NULL, 0, NULL, 0, NULL}
#define QNN_OPCONFIG_INIT {QNN_OPCONFIG_VERSION_1, {QNN_OPCONFIG_V1_INIT}}
// clang-format on

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_QNN_TYPES_H_
