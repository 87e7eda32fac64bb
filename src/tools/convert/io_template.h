// SPDX-License-Identifier: BSD-3-Clause
// Files for --config and --custom_io to start from: the model's own inputs and outputs. Read as they are,
// they change nothing.
#pragma once

#include "base/result.h"
#include "tools/convert/conversion.h"

namespace openqnn::tools::convert {

// --dump_config_template of qairt-converter, and --dump_custom_io_config_template of qnn-onnx-converter,
// which the option names. Tells what was written; nothing is converted.
Status write_config_template(const Args& args, std::string_view option, const ConversionSettings& settings);
Status write_custom_io_template(const Args& args, std::string_view option,
                                const ConversionSettings& settings);

}  // namespace openqnn::tools::convert
