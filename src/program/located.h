// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "base/result.h"
#include "base/text.h"

namespace openqnn::program {

// Says where a failure happened, unless a more exact place is known already. The words are joined only when
// there is one.
template <class... Parts>
Status located(Status status, const Parts&... where) {
  if (status) return status;
  Diagnostic diagnostic = std::move(status).error();
  if (diagnostic.where.empty()) diagnostic.where.object = concat(where...);
  return diagnostic;
}

}  // namespace openqnn::program
