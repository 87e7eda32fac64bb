// SPDX-License-Identifier: BSD-3-Clause
//
// HTP backend: blobs inside the binary info that the System library returns.

#ifndef OPENQNN_QNN_HTP_QNN_HTP_SYSTEM_CONTEXT_H_
#define OPENQNN_QNN_HTP_QNN_HTP_SYSTEM_CONTEXT_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Hardware blob (binary info V1 and V2).
typedef struct QnnHtpSystemContext_HwBlobInfoV1 {
  uint32_t graphListIndex;
  uint64_t spillFillBufferSize;
} QnnHtpSystemContext_HwBlobInfoV1_t;

// Version of the hardware blob.
typedef enum {
  QNN_SYSTEM_CONTEXT_HTP_HW_INFO_BLOB_VERSION_V1 = 1,
  QNN_SYSTEM_CONTEXT_HTP_HW_INFO_BLOB_UNDEFINED = 0x7FFFFFFF,
} QnnHtpSystemContext_HwInfoBlobVersion_t;

// Hardware blob, versioned.
typedef struct {
  QnnHtpSystemContext_HwInfoBlobVersion_t version;
  union {
    QnnHtpSystemContext_HwBlobInfoV1_t contextBinaryHwInfoBlobV1_t;
  };
} QnnHtpSystemContext_HwBlobInfo_t;

// Graph blob: how the graph was prepared.
typedef struct {
  uint64_t spillFillBufferSize;
  uint32_t vtcmSize;
  uint32_t optimizationLevel;
  uint8_t htpDlbc;
  uint64_t numHvxThreads;
} QnnHtpSystemContext_GraphBlobInfoV1_t;

// Version of the graph blob.
typedef enum {
  QNN_SYSTEM_CONTEXT_HTP_GRAPH_INFO_BLOB_VERSION_V1 = 1,
  QNN_SYSTEM_CONTEXT_HTP_GRAPH_INFO_BLOB_VERSION_V2 = 2,  // since SDK 2.40
  QNN_SYSTEM_CONTEXT_HTP_GRAPH_INFO_BLOB_UNDEFINED = 0x7FFFFFFF,
} QnnHtpSystemContext_GraphInfoBlobVersion_t;

// Graph blob that follows V1: memory needs (since SDK 2.40).
typedef struct {
  QnnHtpSystemContext_GraphInfoBlobVersion_t version;
  uint64_t nativeKChannelSize;
  uint64_t nativeVChannelSize;
  uint32_t isSafeShareIO;
  uint64_t ioTensorSize;
  uint64_t opDataSize;
  uint64_t constSize;
  uint64_t ddrTensorSize;
  uint64_t sharedWeightsSize;
} QnnHtpSystemContext_GraphBlobInfoV2_t;

// Graph blob, versioned.
typedef struct {
  QnnHtpSystemContext_GraphInfoBlobVersion_t version;
  union {
    QnnHtpSystemContext_GraphBlobInfoV1_t contextBinaryGraphBlobInfoV1;
  };
} QnnHtpSystemContext_GraphBlobInfo_t;

// Context blob: the architecture.
typedef struct {
  uint32_t dspArch;
} QnnHtpSystemContext_ContextBlobInfoV1_t;

// Version of the context blob.
typedef enum {
  QNN_SYSTEM_CONTEXT_HTP_CONTEXT_INFO_BLOB_VERSION_V1 = 1,
  QNN_SYSTEM_CONTEXT_HTP_CONTEXT_INFO_BLOB_UNDEFINED = 0x7FFFFFFF,
} QnnHtpSystemContext_ContextInfoBlobVersion_t;

// Context blob, versioned.
typedef struct {
  QnnHtpSystemContext_ContextInfoBlobVersion_t version;
  union {
    QnnHtpSystemContext_ContextBlobInfoV1_t contextBinaryContextBlobInfoV1;
  };
} QnnHtpSystemContext_ContextBlobInfo_t;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_HTP_QNN_HTP_SYSTEM_CONTEXT_H_
