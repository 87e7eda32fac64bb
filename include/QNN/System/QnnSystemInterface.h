// SPDX-License-Identifier: BSD-3-Clause
//
// System library: its function table and the symbol that returns it. This header describes System API 1.14;
// the 1.12 view of the same table is kept, so that code written against either name compiles.

#ifndef OPENQNN_QNN_SYSTEM_QNN_SYSTEM_INTERFACE_H_
#define OPENQNN_QNN_SYSTEM_QNN_SYSTEM_INTERFACE_H_

#include <stddef.h>
#include <stdint.h>

#include "QnnCommon.h"
#include "QnnInterface.h"
#include "QnnLog.h"
#include "QnnTypes.h"
#include "System/QnnSystemCommon.h"
#include "System/QnnSystemContext.h"
#include "System/QnnSystemDlc.h"
#include "System/QnnSystemLog.h"
#include "System/QnnSystemProfile.h"
#include "System/QnnSystemTensor.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnSystemInterface functions.
typedef enum {
  QNN_SYSTEM_INTERFACE_MIN_ERROR = QNN_MIN_ERROR_SYSTEM,
  QNN_SYSTEM_INTERFACE_NO_ERROR = 0,
  QNN_SYSTEM_INTERFACE_ERROR_NOT_SUPPORTED = 1000,      // not supported
  QNN_SYSTEM_INTERFACE_ERROR_INVALID_PARAMETER = 1004,  // bad argument
  QNN_SYSTEM_INTERFACE_MAX_ERROR = QNN_MAX_ERROR_SYSTEM,
} QnnSystemInterface_Error_t;

// Types of the slots; see the function of the same name for what each does.
typedef Qnn_ErrorHandle_t (*QnnSystemContext_CreateFn_t)(QnnSystemContext_Handle_t* sysCtxHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemContext_GetBinaryInfoFn_t)(
    QnnSystemContext_Handle_t sysCtxHandle, void* binaryBuffer, uint64_t binaryBufferSize,
    const QnnSystemContext_BinaryInfo_t** binaryInfo, Qnn_ContextBinarySize_t* binaryInfoSize);
typedef Qnn_ErrorHandle_t (*QnnSystemContext_GetMetaDataFn_t)(
    QnnSystemContext_Handle_t sysCtxHandle, const void* binaryBuffer, uint64_t binaryBufferSize,
    const QnnSystemContext_BinaryInfo_t** binaryInfo);
typedef Qnn_ErrorHandle_t (*QnnSystemContext_FreeFn_t)(QnnSystemContext_Handle_t sysCtxHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemTensor_getMemoryFootprintFn_t)(Qnn_Tensor_t tensor, uint64_t* footprint);
typedef Qnn_ErrorHandle_t (*QnnSystemLog_createFn_t)(QnnLog_Callback_t callback, QnnLog_Level_t maxLogLevel,
                                                     Qnn_LogHandle_t* logger);
typedef Qnn_ErrorHandle_t (*QnnSystemLog_setLogLevelFn_t)(Qnn_LogHandle_t logger, QnnLog_Level_t maxLogLevel);
typedef Qnn_ErrorHandle_t (*QnnSystemLog_freeFn_t)(Qnn_LogHandle_t logger);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_createWithDestinationDirFn_t)(Qnn_LogHandle_t logger,
                                                                       const char* destinationDirectoryHint,
                                                                       QnnSystemDlc_Handle_t* dlcHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_createFromFileFn_t)(Qnn_LogHandle_t logger, const char* dlcPath,
                                                             QnnSystemDlc_Handle_t* dlcHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_createFromBinaryFn_t)(Qnn_LogHandle_t logger, const uint8_t* buffer,
                                                               const Qnn_ContextBinarySize_t bufferSize,
                                                               QnnSystemDlc_Handle_t* dlcHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_composeGraphsFn_t)(
    QnnSystemDlc_Handle_t dlcHandle, const QnnSystemDlc_GraphConfigInfo_t** graphConfigs,
    const uint32_t numGraphConfigs, Qnn_BackendHandle_t backend, Qnn_ContextHandle_t context,
    QnnInterface_t backendInterface, QnnSystemContext_GraphInfoVersion_t graphVersion,
    QnnSystemContext_GraphInfo_t** graphs, uint32_t* numGraphs);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_getOpMappingsFn_t)(QnnSystemDlc_Handle_t dlcHandle,
                                                            const Qnn_OpMapping_t** opMappings,
                                                            uint32_t* numOpMappings);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_getRecordByNameFn_t)(QnnSystemDlc_Handle_t dlcHandle,
                                                              const char* recordName,
                                                              QnnSystemDlc_RecordHandle_t* recordHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_getRecordsByTypeFn_t)(QnnSystemDlc_Handle_t dlcHandle,
                                                               QnnSystemDlc_RecordType_t recordType,
                                                               uint8_t getMostOptimalContextBinary,
                                                               QnnSystemDlc_RecordHandle_t** recordHandles,
                                                               uint32_t* numRecordHandles);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_getRecordDataSizeFn_t)(QnnSystemDlc_RecordHandle_t recordHandle,
                                                                uint64_t* dataSize);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_readRecordDataMemoryMappedFn_t)(
    QnnSystemDlc_RecordHandle_t recordHandle, const uint8_t** data, uint64_t* dataSize);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_freeRecordFn_t)(QnnSystemDlc_RecordHandle_t recordHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_freeFn_t)(QnnSystemDlc_Handle_t dlcHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_saveFn_t)(QnnSystemDlc_Handle_t dlcHandle, const char* path);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_createFromFileWithDestinationDirFn_t)(
    Qnn_LogHandle_t logger, const char* dlcPath, const char* destinationDirectoryHint,
    QnnSystemDlc_Handle_t* dlcHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_createFromBinaryWithDestinationDirFn_t)(
    Qnn_LogHandle_t logger, const uint8_t* buffer, const Qnn_ContextBinarySize_t bufferSize,
    const char* destinationDirectoryHint, QnnSystemDlc_Handle_t* dlcHandle);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_getBinarySizeFn_t)(QnnSystemDlc_Handle_t dlcHandle,
                                                            Qnn_SystemDlcBinarySize_t* binaryBufferSize);
typedef Qnn_ErrorHandle_t (*QnnSystemDlc_getBinaryFn_t)(QnnSystemDlc_Handle_t dlcHandle,
                                                        uint8_t* binaryBuffer,
                                                        Qnn_SystemDlcBinarySize_t binaryBufferSize,
                                                        Qnn_SystemDlcBinarySize_t* writtenBufferSize);
typedef Qnn_ErrorHandle_t (*QnnSystemProfile_createSerializationTargetFn_t)(
    QnnSystemProfile_SerializationTarget_t serializationTargetInfo,
    QnnSystemProfile_SerializationTargetConfig_t* configs, uint32_t numConfigs,
    QnnSystemProfile_SerializationTargetHandle_t* serializationTarget);
typedef Qnn_ErrorHandle_t (*QnnSystemProfile_serializeEventDataFn_t)(
    QnnSystemProfile_SerializationTargetHandle_t serializationTarget,
    const QnnSystemProfile_ProfileData_t** eventData, uint32_t numEvents);
typedef Qnn_ErrorHandle_t (*QnnSystemProfile_freeSerializationTargetFn_t)(
    QnnSystemProfile_SerializationTargetHandle_t serializationTarget);

// A slot whose signature is not public. Never null, so that a stray call gets an error, not a crash.
typedef Qnn_ErrorHandle_t (*QnnSystemInterface_ReservedFn_t)(void);

// Function table, System API 1.12.
typedef struct {
  QnnSystemContext_CreateFn_t systemContextCreate;
  QnnSystemContext_GetBinaryInfoFn_t systemContextGetBinaryInfo;
  QnnSystemContext_GetMetaDataFn_t systemContextGetMetaData;
  QnnSystemContext_FreeFn_t systemContextFree;
  QnnSystemTensor_getMemoryFootprintFn_t systemTensorGetMemoryFootprint;
  QnnSystemLog_createFn_t systemLogCreate;
  QnnSystemLog_setLogLevelFn_t systemLogSetLogLevel;
  QnnSystemLog_freeFn_t systemLogFree;
  QnnSystemDlc_createFromFileFn_t systemDlcCreateFromFile;
  QnnSystemDlc_createFromBinaryFn_t systemDlcCreateFromBinary;
  QnnSystemDlc_composeGraphsFn_t systemDlcComposeGraphs;
  QnnSystemDlc_getOpMappingsFn_t systemDlcGetOpMappings;
  QnnSystemDlc_freeFn_t systemDlcFree;
  QnnSystemProfile_createSerializationTargetFn_t systemProfileCreateSerializationTarget;
  QnnSystemProfile_serializeEventDataFn_t systemProfileSerializeEventData;
  QnnSystemProfile_freeSerializationTargetFn_t systemProfileFreeSerializationTarget;
  QnnSystemDlc_getRecordByNameFn_t systemDlcGetRecordByName;
  QnnSystemDlc_getRecordsByTypeFn_t systemDlcGetRecordsByType;
  QnnSystemDlc_getRecordDataSizeFn_t systemDlcGetRecordDataSize;
  QnnSystemDlc_readRecordDataMemoryMappedFn_t systemDlcReadRecordDataMemoryMapped;
  QnnSystemDlc_freeRecordFn_t systemDlcFreeRecord;
  QnnSystemDlc_saveFn_t systemDlcSave;
  QnnSystemDlc_createFromFileWithDestinationDirFn_t systemDlcCreateFromFileWithDestinationDir;
  QnnSystemDlc_createFromBinaryWithDestinationDirFn_t systemDlcCreateFromBinaryWithDestinationDir;
  QnnSystemDlc_getBinarySizeFn_t systemDlcGetBinarySize;
  QnnSystemDlc_getBinaryFn_t systemDlcGetBinary;
  QnnSystemDlc_createWithDestinationDirFn_t systemDlcCreateWithDestinationDir;
} QnnSystemInterface_ImplementationV1_12_t;

// Function table, System API 1.14: the slots of 1.12 and more for DLC contents.
typedef struct {
  QnnSystemContext_CreateFn_t systemContextCreate;
  QnnSystemContext_GetBinaryInfoFn_t systemContextGetBinaryInfo;
  QnnSystemContext_GetMetaDataFn_t systemContextGetMetaData;
  QnnSystemContext_FreeFn_t systemContextFree;
  QnnSystemTensor_getMemoryFootprintFn_t systemTensorGetMemoryFootprint;
  QnnSystemLog_createFn_t systemLogCreate;
  QnnSystemLog_setLogLevelFn_t systemLogSetLogLevel;
  QnnSystemLog_freeFn_t systemLogFree;
  QnnSystemDlc_createFromFileFn_t systemDlcCreateFromFile;
  QnnSystemDlc_createFromBinaryFn_t systemDlcCreateFromBinary;
  QnnSystemDlc_composeGraphsFn_t systemDlcComposeGraphs;
  QnnSystemDlc_getOpMappingsFn_t systemDlcGetOpMappings;
  QnnSystemDlc_freeFn_t systemDlcFree;
  QnnSystemProfile_createSerializationTargetFn_t systemProfileCreateSerializationTarget;
  QnnSystemProfile_serializeEventDataFn_t systemProfileSerializeEventData;
  QnnSystemProfile_freeSerializationTargetFn_t systemProfileFreeSerializationTarget;
  QnnSystemDlc_getRecordByNameFn_t systemDlcGetRecordByName;
  QnnSystemDlc_getRecordsByTypeFn_t systemDlcGetRecordsByType;
  QnnSystemDlc_getRecordDataSizeFn_t systemDlcGetRecordDataSize;
  QnnSystemDlc_readRecordDataMemoryMappedFn_t systemDlcReadRecordDataMemoryMapped;
  QnnSystemDlc_freeRecordFn_t systemDlcFreeRecord;
  QnnSystemDlc_saveFn_t systemDlcSave;
  QnnSystemDlc_createFromFileWithDestinationDirFn_t systemDlcCreateFromFileWithDestinationDir;
  QnnSystemDlc_createFromBinaryWithDestinationDirFn_t systemDlcCreateFromBinaryWithDestinationDir;
  QnnSystemDlc_getBinarySizeFn_t systemDlcGetBinarySize;
  QnnSystemDlc_getBinaryFn_t systemDlcGetBinary;
  QnnSystemDlc_createWithDestinationDirFn_t systemDlcCreateWithDestinationDir;
  // Appended by System API 1.14; signatures not public.
  QnnSystemInterface_ReservedFn_t systemDlcGetComposableGraphInfoHandles;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoHandles;
  QnnSystemInterface_ReservedFn_t systemDlcGetComposableGraphInfo;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfo;
  QnnSystemInterface_ReservedFn_t systemDlcGetComposableGraphInfoGraphName;
  QnnSystemInterface_ReservedFn_t systemDlcGetComposableGraphInfoNumInputTensors;
  QnnSystemInterface_ReservedFn_t systemDlcGetComposableGraphInfoNumOutputTensors;
  QnnSystemInterface_ReservedFn_t systemDlcGetGraphInfoInputTensorInfo;
  QnnSystemInterface_ReservedFn_t systemDlcGetGraphInfoOutputTensorInfo;
  QnnSystemInterface_ReservedFn_t systemDlcGetTensorInfoName;
  QnnSystemInterface_ReservedFn_t systemDlcGetTensorInfoId;
  QnnSystemInterface_ReservedFn_t systemDlcGetTensorInfoType;
  QnnSystemInterface_ReservedFn_t systemDlcGetTensorInfoDataFormat;
  QnnSystemInterface_ReservedFn_t systemDlcGetTensorInfoDataType;
  QnnSystemInterface_ReservedFn_t systemDlcGetTensorInfoRank;
  QnnSystemInterface_ReservedFn_t systemDlcGetTensorInfoDimensions;
  QnnSystemInterface_ReservedFn_t systemDlcGetTensorInfoQuantParams;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsEncodingDefinition;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsEncoding;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsScaleOffsetScale;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsScaleOffsetOffset;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsBwScaleOffsetBitwidth;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsBwScaleOffsetScale;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsBwScaleOffsetOffset;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsAxisScaleOffsetAxis;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsAxisScaleOffsetNumScaleOffsets;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsAxisScaleOffsetScaleAtIndex;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsAxisScaleOffsetOffsetAtIndex;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsBwAxisScaleOffsetBitwidth;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsBwAxisScaleOffsetAxis;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsBwAxisScaleOffsetNumElements;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsBwAxisScaleOffsetScaleAtIndex;
  QnnSystemInterface_ReservedFn_t systemDlcGetQuantParamsBwAxisScaleOffsetOffsetAtIndex;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoBackendId;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoBuildId;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoCoreApiVersion;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoBackendApiVersion;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoSocVersion;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoHwInfoBlobVersion;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoContextBlobVersion;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoHwInfoBlobSize;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoHwInfoBlob;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoContextBlobSize;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoNumContextTensors;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoContextTensorInfo;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoNumGraphs;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoHandle;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoSocModel;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoContextMetadataSize;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextBinaryInfoContextMetadata;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoGraphName;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoNumInputTensors;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoNumOutputTensors;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoNumUpdateableTensors;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoGraphBlobInfoSize;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoGraphBlobInfo;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoStartOpIndex;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoEndOpIndex;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoInputTensorInfo;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoOutputTensorInfo;
  QnnSystemInterface_ReservedFn_t systemDlcGetContextGraphInfoUpdateableTensorInfo;
  QnnSystemInterface_ReservedFn_t systemDlcFreeRecordRange;
} QnnSystemInterface_ImplementationV1_14_t;

// Names that follow the API version: the table type and its member in QnnSystemInterface_t.
#define QNN_SYSTEM_INTERFACE_VER_EVAL(major, minor) QNN_PASTE_THREE(major, _, minor)
#define QNN_SYSTEM_INTERFACE_NAME_EVAL(prefix, body, suffix) QNN_PASTE_THREE(prefix, body, suffix)
#define QNN_SYSTEM_INTERFACE_VER_TYPE_EVAL(ver_major, ver_minor)     \
  QNN_SYSTEM_INTERFACE_NAME_EVAL(QnnSystemInterface_ImplementationV, \
                                 QNN_SYSTEM_INTERFACE_VER_EVAL(ver_major, ver_minor), _t)
#define QNN_SYSTEM_INTERFACE_VER_NAME_EVAL(ver_major, ver_minor) \
  QNN_SYSTEM_INTERFACE_NAME_EVAL(v, QNN_SYSTEM_INTERFACE_VER_EVAL(ver_major, ver_minor), )
#define QNN_SYSTEM_INTERFACE_VER_TYPE \
  QNN_SYSTEM_INTERFACE_VER_TYPE_EVAL(QNN_SYSTEM_API_VERSION_MAJOR, QNN_SYSTEM_API_VERSION_MINOR)
#define QNN_SYSTEM_INTERFACE_VER_NAME \
  QNN_SYSTEM_INTERFACE_VER_NAME_EVAL(QNN_SYSTEM_API_VERSION_MAJOR, QNN_SYSTEM_API_VERSION_MINOR)

// A provider: which version, which functions.
typedef struct {
  uint32_t backendId;
  const char* providerName;
  Qnn_Version_t systemApiVersion;
  union {
    QnnSystemInterface_ImplementationV1_14_t v1_14;
    QnnSystemInterface_ImplementationV1_12_t v1_12;
  };
} QnnSystemInterface_t;

// Initial values.
// clang-format off
#define QNN_SYSTEM_INTERFACE_VER_TYPE_INIT {NULL}
#define QNN_SYSTEM_INTERFACE_INIT \
  {QNN_BACKEND_ID_NULL, NULL, QNN_VERSION_INIT, {QNN_SYSTEM_INTERFACE_VER_TYPE_INIT}}
// clang-format on

// Returns the function tables that the System library offers; they belong to the library.
// Errors: QNN_SYSTEM_INTERFACE_ERROR_INVALID_PARAMETER, QNN_SYSTEM_INTERFACE_ERROR_NOT_SUPPORTED.
QNN_API Qnn_ErrorHandle_t QnnSystemInterface_getProviders(const QnnSystemInterface_t*** providerList,
                                                          uint32_t* numProviders);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_SYSTEM_QNN_SYSTEM_INTERFACE_H_
