// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/version.h"

namespace openqnn {

const char* version() { return OPENQNN_VERSION; }

}  // namespace openqnn
