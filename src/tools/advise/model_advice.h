// SPDX-License-Identifier: BSD-3-Clause
// From a file to advice: a model is brought to a precision, prepared and timed as `openqnn simulate` does it,
// a context binary is timed as it was prepared.
#pragma once

#include <filesystem>
#include <string>

#include "advise/render.h"
#include "base/result.h"
#include "tools/args.h"
#include "tools/model_job.h"

namespace openqnn::tools {

struct AdviceRequest {
  std::filesystem::path model;  // ONNX, .dlc or context binary
  std::string soc;              // of a model; empty: that of the configuration, else QNN's default
  std::string precision;        // of a float model; empty: w8a8
  std::string config;           // a file; empty: none
  std::string graph;            // of a binary: this one alone
  bool maps_binaries = false;   // the client does
  // The file is what was compiled: float where it is not quantized. Else a float model is w8a8.
  bool as_compiled = false;
  Images images = Images::kChannelLast;
  Args shapes;  // shape_options() of an ONNX model
};

// What is wrong with the configuration is part of the advice, not a failure.
Result<advise::Advice> advice_on(const AdviceRequest& request);

}  // namespace openqnn::tools
