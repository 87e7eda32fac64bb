// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a model: read, and every tensor's values touched.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontend/onnx/model.h"

namespace {

using namespace openqnn::frontend;        // NOLINT
using namespace openqnn::frontend::onnx;  // NOLINT

volatile std::byte sink{};

void touch(const Tensor& tensor) {
  if (tensor.external) return;  // a fuzzer opens no files
  ExternalFiles none("");
  if (const auto values = values_of(tensor, none))
    for (const std::byte byte : values->bytes()) sink = byte;
}

void touch(const Graph& graph) {
  for (const Tensor& tensor : graph.initializers) touch(tensor);
  for (const Node& node : graph.nodes) {
    for (const Attribute& attribute : node.attributes) {
      for (const Tensor& tensor : attribute.tensors) touch(tensor);
      for (const Graph& inner : attribute.graphs) touch(inner);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto model = read_model(std::as_bytes(std::span(data, size)), "fuzz.onnx");
  if (model.ok()) touch(*model->graph);
  return 0;
}
