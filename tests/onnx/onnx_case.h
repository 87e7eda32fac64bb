// SPDX-License-Identifier: BSD-3-Clause
// One case of ONNX's test sets: a model, inputs, and the outputs that ONNX's reference gives.
#pragma once

#include <filesystem>
#include <string>

namespace openqnn::test {

enum class Verdict : uint8_t {
  kPassed,
  kBeyondHalf,  // the converted graph is right in single precision, but the values do not bear rounding to
                // half
  kRefused,     // with a reason, before anything was computed
  kFailed,      // another answer than the reference's, or none
};

struct Outcome {
  Verdict verdict = Verdict::kPassed;
  std::string reason;
};

// `folder` holds model.onnx and test_data_set_*. Computed in half, as the backend computes float models, and
// compared as half allows: 0.4 % of the value, plus 0.1 % of the largest.
Outcome run_onnx_case(const std::filesystem::path& folder);

}  // namespace openqnn::test
