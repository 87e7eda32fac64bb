// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a model that is converted: shapes inferred, constants folded, nodes fused and lowered.
#include <cstddef>
#include <cstdint>

#include "frontend/onnx/convert.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace openqnn::frontend::onnx;
  const auto model = read_model(std::as_bytes(std::span(data, size)), "fuzz.onnx");
  if (!model) return 0;
  ExternalFiles none("");  // a fuzzer opens no files: every name is refused
  const auto converted = convert(*model, none, "fuzz", {});
  if (converted && converted->graph) (void)converted->graph->check_complete().ok();
  return 0;
}
