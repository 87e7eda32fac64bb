// SPDX-License-Identifier: BSD-3-Clause
//
// HTP backend: descriptors for QNN_MEM_TYPE_CUSTOM registrations.

#ifndef OPENQNN_QNN_HTP_QNN_HTP_MEM_H_
#define OPENQNN_QNN_HTP_QNN_HTP_MEM_H_

#include <stdint.h>

#include "QnnCommon.h"

#ifdef __cplusplus
extern "C" {
#endif

// A place in a shared buffer.
typedef struct {
  int32_t fd;
  uint64_t offset;
} QnnHtpMem_SharedBufferConfig_t;

// Kinds of HTP memory.
typedef enum {
  QNN_HTP_MEM_QURT = 0,                      // qurtAddress: VTCM given by the client
  QNN_HTP_MEM_SHARED_BUFFER = 1,             // sharedBufferConfig: many tensors in one buffer
  QNN_HTP_MEM_WEIGHTS_BUFFER = 2,            // weightsBufferConfig: receives the weights
  QNN_HTP_MEM_SHARED_SPILLFILL_BUFFER = 3,   // external spill-fill buffer
  QNN_HTP_MEM_SHARED_VTCMBACKUP_BUFFER = 4,  // external VTCM backup buffer; since SDK 2.48
  QNN_HTP_MEM_UNDEFINED = 0x7FFFFFFF,
} QnnHtpMem_Type_t;

typedef uint32_t QnnHtpMem_QurtAddress_t;  // An address on the DSP.

// HTP memory to register; `size` is that of the whole buffer.
typedef struct {
  QnnHtpMem_Type_t type;
  uint64_t size;
  union {
    QnnHtpMem_QurtAddress_t qurtAddress;
    QnnHtpMem_SharedBufferConfig_t sharedBufferConfig;
    QnnHtpMem_SharedBufferConfig_t weightsBufferConfig;
    QnnHtpMem_SharedBufferConfig_t sharedSpillfillBufferConfig;
    QnnHtpMem_SharedBufferConfig_t sharedVTCMBackupBufferConfig;
    QnnHtpMem_QurtAddress_t sharedSpillfillBufferQurtAddress;
    QnnHtpMem_QurtAddress_t sharedVTCMBackupBufferQurtAddress;
  };
} QnnMemHtp_Descriptor_t;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // OPENQNN_QNN_HTP_QNN_HTP_MEM_H_
