// SPDX-License-Identifier: BSD-3-Clause
// Options of the vendor's converters that would change nothing here, each with the reason.
#pragma once

#include <vector>

#include "tools/convert/program.h"

namespace openqnn::tools::convert {

std::vector<RefusedOption> refused_by_qnn_onnx_converter();
std::vector<RefusedOption> refused_by_qairt_converter();
std::vector<RefusedOption> refused_by_qairt_quantizer();

}  // namespace openqnn::tools::convert
