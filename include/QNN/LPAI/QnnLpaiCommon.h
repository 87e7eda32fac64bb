// SPDX-License-Identifier: BSD-3-Clause
//
// LPAI backend: ids and versions.

#ifndef OPENQNN_QNN_LPAI_QNN_LPAI_COMMON_H_
#define OPENQNN_QNN_LPAI_QNN_LPAI_COMMON_H_

#include "QnnCommon.h"

#define QNN_BACKEND_ID_LPAI 12         // The low-power AI engine.
#define QNN_BACKEND_ID_LPAI_ISLAND 16  // The same, built to run while the rest of the chip sleeps.

// What QnnInterface_t.providerName says.
#define QNN_LPAI_INTERFACE_PROVIDER_NAME "LPAI_QTI_AISW"

// Version of the LPAI API.
#define QNN_LPAI_API_VERSION_MAJOR 2
#define QNN_LPAI_API_VERSION_MINOR 33
#define QNN_LPAI_API_VERSION_PATCH 0

// Versions of what the backend stores.
#define QNN_LPAI_BINARY_VERSION_MAJOR 1
#define QNN_LPAI_BINARY_VERSION_MINOR 0
#define QNN_LPAI_BINARY_VERSION_PATCH 0
#define QNN_LPAI_CONTEXT_BLOB_VERSION_MAJOR 1
#define QNN_LPAI_CONTEXT_BLOB_VERSION_MINOR 0
#define QNN_LPAI_CONTEXT_BLOB_VERSION_PATCH 0

// Initial values.
// clang-format off
#define QNN_LPAI_API_VERSION_INIT \
  {{QNN_API_VERSION_MAJOR, QNN_API_VERSION_MINOR, QNN_API_VERSION_PATCH}, \
   {QNN_LPAI_API_VERSION_MAJOR, QNN_LPAI_API_VERSION_MINOR, QNN_LPAI_API_VERSION_PATCH}}
// clang-format on

#endif  // OPENQNN_QNN_LPAI_QNN_LPAI_COMMON_H_
