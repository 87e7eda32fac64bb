// SPDX-License-Identifier: BSD-3-Clause
// The demo as a client of the QNN C API: nothing here knows more than include/QNN says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/demo_model.h"
#include "tools/demo_oracle.h"
#include "tools/session.h"

namespace openqnn::tools {

// A model with its tensors in the types of one form.
struct TypedModel {
  const Model* model = nullptr;
  std::vector<Encoding> encodings;  // one per tensor for the quantized form, none for the float form

  bool quantized() const { return !encodings.empty(); }
  std::vector<std::byte> stored(size_t tensor, const Values& values) const;
  Values values(size_t tensor, std::span<const std::byte> bytes) const;
};

// A graph of a context and what it takes to run it.
struct GraphHandle {
  std::string name;
  Qnn_GraphHandle_t handle = nullptr;
  uint32_t input_id = 0;
  uint32_t output_id = 0;
};

Result<GraphHandle> build(Session& session, const std::string& name, const TypedModel& typed);
// In the context of now.
Result<GraphHandle> retrieve(Session& session, GraphHandle graph);
// The bytes of the output; `events` gets the profile when not null.
Result<std::vector<std::byte>> execute(Session& session, const GraphHandle& graph, const TypedModel& typed,
                                       std::span<const std::byte> input,
                                       std::vector<Event>* events = nullptr);

}  // namespace openqnn::tools
