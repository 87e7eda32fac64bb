// SPDX-License-Identifier: BSD-3-Clause
//
// HTP backend: custom capability keys.

#ifndef OPENQNN_QNN_HTP_QNN_HTP_PROPERTY_H_
#define OPENQNN_QNN_HTP_QNN_HTP_PROPERTY_H_

#include "QnnProperty.h"

#define QNN_PROPERTY_CUSTOM_HTP_UNSIGNED_PD_SUPPORT 2002  // can run in an unsigned process domain

#endif  // OPENQNN_QNN_HTP_QNN_HTP_PROPERTY_H_
