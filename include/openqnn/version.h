// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "openqnn/export.h"

namespace openqnn {

// Of the library that is loaded, e.g. "0.1.0".
OPENQNN_API const char* version();

}  // namespace openqnn
