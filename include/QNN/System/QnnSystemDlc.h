// SPDX-License-Identifier: BSD-3-Clause
//
// System library: read DLC model containers, build graphs from them, write them.

#ifndef OPENQNN_QNN_SYSTEM_QNN_SYSTEM_DLC_H_
#define OPENQNN_QNN_SYSTEM_QNN_SYSTEM_DLC_H_

#include <stdint.h>

#include "QnnCommon.h"
#include "QnnGraph.h"
#include "QnnInterface.h"
#include "QnnTypes.h"
#include "System/QnnSystemCommon.h"
#include "System/QnnSystemContext.h"

#ifdef __cplusplus
extern "C" {
#endif

// Errors of the QnnSystemDlc functions.
typedef enum {
  QNN_SYSTEM_DLC_MINERROR = 30000,
  QNN_SYSTEM_DLC_NO_ERROR = 0,
  QNN_SYSTEM_DLC_ERROR_UNSUPPORTED_FEATURE = 1000,  // not supported
  QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE = 30000,      // null, stale or foreign handle
  QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT = 30001,    // bad argument
  QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED = 30002,    // anything else
  QNN_SYSTEM_DLC_ERROR_MALFORMED_BINARY = 30010,    // not a DLC
  QNN_SYSTEM_DLC_MAXERROR = 49999,
} QnnSystemDlc_Error_t;

typedef void* QnnSystemDlc_RecordHandle_t;  // A record of an open DLC.

// Options for a graph, by its name.
typedef struct {
  const char* graphName;
  const QnnGraph_Config_t** graphConfigs;
  uint32_t numConfigs;
} QnnSystemDlc_GraphConfigInfoV1_t;

// Which member of QnnSystemDlc_GraphConfigInfo_t is set.
typedef enum {
  QNN_SYSTEM_DLC_GRAPH_CONFIG_INFO_VERSION_1 = 1,
  QNN_SYSTEM_DLC_GRAPH_CONFIG_INFO_UNDEFINED = 0x7FFFFFFF,
} QnnSystemContext_GraphConfigInfoVersion_t;

// Options for a graph, versioned.
typedef struct {
  QnnSystemContext_GraphConfigInfoVersion_t version;
  union {
    QnnSystemDlc_GraphConfigInfoV1_t v1;
  };
} QnnSystemDlc_GraphConfigInfo_t;

// Kinds of DLC records (since SDK 2.48).
typedef enum {
  QNN_SYSTEM_DLC_RECORD_TYPE_DLC_METADATA = 1,
  QNN_SYSTEM_DLC_RECORD_TYPE_MODEL_TOPOLOGY = 2,
  QNN_SYSTEM_DLC_RECORD_TYPE_MODEL_PARAMS = 3,
  QNN_SYSTEM_DLC_RECORD_TYPE_MODEL_RAW_WIEGHTS = 4,
  QNN_SYSTEM_DLC_RECORD_TYPE_MODEL_ENCODINGS = 5,
  QNN_SYSTEM_DLC_RECORD_TYPE_LORA_CONVERTER_METADATA = 6,
  QNN_SYSTEM_DLC_RECORD_PREFIX_HTP_CACHE_RECORD = 7,
  QNN_SYSTEM_DLC_RECORD_PREFIX_AIP_CACHE_RECORD = 8,
  QNN_SYSTEM_DLC_RECORD_PREFIX_HTA_CACHE_RECORD = 9,
  QNN_SYSTEM_DLC_RECORD_PREFIX_AIX_CACHE_RECORD = 10,
  QNN_SYSTEM_DLC_RECORD_PREFIX_GPU_CACHE_RECORD = 11,
  QNN_SYSTEM_DLC_RECORD_PREFIX_HEXNNV2_CACHE_RECORD = 12,
  QNN_SYSTEM_DLC_RECORD_TYPE_SOURCE_MAPPING = 13,
  QNN_SYSTEM_DLC_RECORD_TYPE_SOURCE_TOPOLOGY = 14,
  QNN_SYSTEM_DLC_RECORD_TYPE_HTP_SCHEMATIC_BIN = 15,
  QNN_SYSTEM_DLC_RECORD_TYPE_HTP_GRAPH_MAPPING = 16,
  QNN_SYSTEM_DLC_RECORD_TYPE_GENAI_METADATA = 17,
  QNN_SYSTEM_DLC_RECORD_TYPE_GENAI_ARTIFACT = 18,
  QNN_SYSTEM_DLC_RECORD_TYPE_HTP_SHARED_WEIGHTS_RECORD = 19,
  QNN_SYSTEM_DLC_RECORD_TYPE_HTP_SHARED_WEIGHTS_METADATA_RECORD = 20,
  QNN_SYSTEM_DLC_RECORD_NAME_UNKNOWN = 0x7FFFFFFF,
} QnnSystemDlc_RecordType_t;

// Opens a DLC file. `logger` may be null.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT, QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED,
// QNN_SYSTEM_DLC_ERROR_MALFORMED_BINARY.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_createFromFile(Qnn_LogHandle_t logger, const char* dlcPath,
                                                      QnnSystemDlc_Handle_t* dlcHandle);

// Opens a DLC file; temporary files go to the hinted directory. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT, QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED,
// QNN_SYSTEM_DLC_ERROR_MALFORMED_BINARY.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_createFromFileWithDestinationDir(Qnn_LogHandle_t logger,
                                                                        const char* dlcPath,
                                                                        const char* destinationDirectoryHint,
                                                                        QnnSystemDlc_Handle_t* dlcHandle);

// Opens a DLC held in memory.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT, QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED,
// QNN_SYSTEM_DLC_ERROR_MALFORMED_BINARY.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_createFromBinary(Qnn_LogHandle_t logger, const uint8_t* buffer,
                                                        const Qnn_ContextBinarySize_t bufferSize,
                                                        QnnSystemDlc_Handle_t* dlcHandle);

// Opens a DLC held in memory; temporary files go to the hinted directory. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT, QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED,
// QNN_SYSTEM_DLC_ERROR_MALFORMED_BINARY.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_createFromBinaryWithDestinationDir(
    Qnn_LogHandle_t logger, const uint8_t* buffer, const Qnn_ContextBinarySize_t bufferSize,
    const char* destinationDirectoryHint, QnnSystemDlc_Handle_t* dlcHandle);

// Builds all graphs of the DLC in a context through the given backend table. The client frees the returned
// array. The table is passed by value, so caller and library must agree on the size of QnnInterface_t.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_composeGraphs(
    QnnSystemDlc_Handle_t dlcHandle, const QnnSystemDlc_GraphConfigInfo_t** graphConfigs,
    const uint32_t numGraphConfigs, Qnn_BackendHandle_t backend, Qnn_ContextHandle_t context,
    QnnInterface_t backendInterface, QnnSystemContext_GraphInfoVersion_t graphVersion,
    QnnSystemContext_GraphInfo_t** graphs, uint32_t* numGraphs);

// Tells which ops and tensors of the source model became which of the graph.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_getOpMappings(QnnSystemDlc_Handle_t dlcHandle,
                                                     const Qnn_OpMapping_t** opMappings,
                                                     uint32_t* numOpMappings);

// Finds a record by name. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_getRecordByName(QnnSystemDlc_Handle_t dlcHandle,
                                                       const char* recordName,
                                                       QnnSystemDlc_RecordHandle_t* recordHandle);

// Finds all records of a type; for context binaries, if asked, only the one that fits this device best.
// Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_getRecordsByType(QnnSystemDlc_Handle_t dlcHandle,
                                                        QnnSystemDlc_RecordType_t recordType,
                                                        uint8_t getMostOptimalContextBinary,
                                                        QnnSystemDlc_RecordHandle_t** recordHandles,
                                                        uint32_t* numRecordHandles);

// Reports the size of the data of a record. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_getRecordDataSize(QnnSystemDlc_RecordHandle_t recordHandle,
                                                         uint64_t* dataSize);

// Maps the data of a record; the mapping ends with the record handle. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_readRecordDataMemoryMapped(QnnSystemDlc_RecordHandle_t recordHandle,
                                                                  const uint8_t** data, uint64_t* dataSize);

// Frees a record handle. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_freeRecord(QnnSystemDlc_RecordHandle_t recordHandle);

// Closes a DLC.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_free(QnnSystemDlc_Handle_t dlcHandle);

// Writes a DLC to a file. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_save(QnnSystemDlc_Handle_t dlcHandle, const char* path);

// Reports the size of the DLC as one buffer. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_getBinarySize(QnnSystemDlc_Handle_t dlcHandle,
                                                     Qnn_SystemDlcBinarySize_t* binaryBufferSize);

// Writes the DLC into a buffer. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE, QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT,
// QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_getBinary(QnnSystemDlc_Handle_t dlcHandle, uint8_t* binaryBuffer,
                                                 Qnn_SystemDlcBinarySize_t binaryBufferSize,
                                                 Qnn_SystemDlcBinarySize_t* writtenBufferSize);

// Creates an empty DLC; temporary files go to the hinted directory. Since SDK 2.48.
// Errors: QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT, QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED.
QNN_API Qnn_ErrorHandle_t QnnSystemDlc_createWithDestinationDir(Qnn_LogHandle_t logger,
                                                                const char* destinationDirectoryHint,
                                                                QnnSystemDlc_Handle_t* dlcHandle);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_SYSTEM_QNN_SYSTEM_DLC_H_
