// SPDX-License-Identifier: BSD-3-Clause
// The quantizer's options and its work, as qairt-quantizer and qnn-onnx-converter have them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "tools/args.h"
#include "tools/model_job.h"

namespace openqnn::tools::convert {

struct QuantizationSettings {
  quant::Options options;
  bool equalize = false;  // weights of layers in a row, before anything else
  InputFiles files = InputFiles::kFloat;
};

// Those that both programs have; `list_alias` is the short name of --input_list.
std::vector<OptionSpec> quantizer_options(std::string_view list_alias);
// With the vendor's defaults: one encoding per tensor, asymmetric weights, 8-bit bias.
Result<QuantizationSettings> quantizer_settings(const Args& args);

// Calibrated on the inputs of --input_list; without one, what has no encoding stays float.
Result<ir::Graph> quantize_model(const QuantizationSettings& settings, FloatModel model, const Args& args);

}  // namespace openqnn::tools::convert
