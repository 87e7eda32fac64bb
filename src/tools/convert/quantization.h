// SPDX-License-Identifier: BSD-3-Clause
// The quantizer's options and its work, as qairt-quantizer and qnn-onnx-converter have them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/args.h"
#include "tools/model_job.h"

namespace openqnn::tools::convert {

struct QuantizationSettings {
  quant::Options options;
  bool equalize = false;          // weights of layers in a row, before anything else
  bool ignore_encodings = false;  // those that the model has
  InputFiles files = InputFiles::kFloat;
};

// ---- Options, in groups; each is described here alone ----

// Which integers come out: widths, encodings per channel, algorithms.
std::vector<OptionSpec> encoding_options();
// Which range a tensor gets, and around what.
std::vector<OptionSpec> range_options();
// Of the two programs: what to calibrate with, and encoding_options(); `list_alias` is the short name of
// --input_list.
std::vector<OptionSpec> quantizer_options(std::string_view list_alias);

// What quantizer_options() say, with the vendor's defaults: one encoding per tensor, asymmetric weights,
// 8-bit bias.
Result<QuantizationSettings> quantizer_settings(const Args& args);
// What range_options() say; their defaults are the vendor's, too.
Status read_ranges(const Args& args, quant::Options& options);

// ---- The work ----

struct QuantizedModel {
  FloatModel source;  // what it was made from: the model, with the changes that the settings ask for
  PreparedModel prepared;
};
// The float graph with the ranges of layers in a row made alike; tells how many.
Result<ir::Graph> equalized_graph(const FloatModel& model);
Diagnostic already_quantized();
// Whether a graph can be quantized: it is single precision. The remedy for a half one is the caller's.
Status check_quantizable(const ir::Graph& graph, std::string_view how_to_leave_half);
// Calibrated on `samples`; without any, what has no encoding stays float.
Result<QuantizedModel> quantize_as(const QuantizationSettings& settings, FloatModel model,
                                   const std::vector<Sample>& samples);
// How well the activations of a model compress on their way to DDR (DLBC), as a sample of real data shows:
// what compression leaves of the bytes of all activations of `graph`, inputs and outputs among them, when it
// computes the sample as the backend does: 0.6 is 60 %. The sample's values are those of `model`'s inputs.
Result<double> activation_share(const ir::Graph& graph, const ir::Graph& model, const Sample& sample);
// As quantize_as() with the inputs of --input_list, on the first of which activations are measured (DLBC);
// tells what was done.
Result<PreparedModel> quantize_model(const QuantizationSettings& settings, FloatModel model,
                                     const Args& args);

}  // namespace openqnn::tools::convert
