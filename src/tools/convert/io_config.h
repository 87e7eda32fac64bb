// SPDX-License-Identifier: BSD-3-Clause
// Files that say of inputs and outputs what options say too, in YAML. What the command line says goes first;
// what cannot act is refused at its line.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tools/convert/conversion.h"

namespace openqnn::tools::convert {

// --config of qairt-converter: lists "Input Tensor Configuration" and "Output Tensor Configuration".
// `file` names the text in diagnostics.
Status read_io_config(std::string_view text, const std::string& file, ConversionSettings& settings);

// --custom_io of qnn-onnx-converter: a list with "IOName". `float_types` gets the names whose type stays
// float.
Status read_custom_io(std::string_view text, const std::string& file, ConversionSettings& settings,
                      std::set<std::string>& float_types);

// Whether inputs and outputs have the types that --custom_io states: they come of other options.
Status check_custom_types(const ConversionSettings& settings, const frontend::DlcGraph& product);

// ---- Files to start from: the model's own inputs and outputs. Read as they are, they change nothing. ----

// --dump_config_template of qairt-converter, and --dump_custom_io_config_template of qnn-onnx-converter,
// which the option names. Tells what was written; nothing is converted.
Status write_config_template(const Args& args, std::string_view option, const ConversionSettings& settings);
Status write_custom_io_template(const Args& args, std::string_view option,
                                const ConversionSettings& settings);

}  // namespace openqnn::tools::convert
