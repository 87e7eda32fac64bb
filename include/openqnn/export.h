// SPDX-License-Identifier: BSD-3-Clause
// Marks what libopenqnn.so offers; everything else in it is hidden.
#pragma once

#if defined(__GNUC__)
#define OPENQNN_API __attribute__((visibility("default")))
#else
#define OPENQNN_API
#endif
