// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace openqnn {

// OPENQNN_DETERMINISTIC=1: two runs give the same bytes, so that nobody tells what the host's clock says.
bool is_deterministic();

}  // namespace openqnn
