// SPDX-License-Identifier: BSD-3-Clause
// The schema of the JSON, embedded at build time (cmake/embed.cmake).
#pragma once

#include "base/embedded.h"

namespace openqnn {

extern const EmbeddedFile kAdviceFiles[];
extern const size_t kAdviceFileCount;

}  // namespace openqnn
