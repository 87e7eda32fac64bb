// SPDX-License-Identifier: BSD-3-Clause
//
// Build identifier of this implementation, in the four-part form that clients parse.

#ifndef OPENQNN_QNN_QNN_SDK_BUILD_ID_H_
#define OPENQNN_QNN_QNN_SDK_BUILD_ID_H_

#define QNN_SDK_BUILD_ID "v2.39.0.0_openqnn"

#endif  // OPENQNN_QNN_QNN_SDK_BUILD_ID_H_
