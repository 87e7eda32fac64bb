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
#include "tools/backend_library.h"
#include "tools/demo_model.h"
#include "tools/demo_oracle.h"

namespace openqnn::tools {

// Which device to ask for: QNN's SoC model, or an architecture for parts without one.
struct DeviceChoice {
  uint32_t soc_model = 0;
  uint32_t arch = 0;
};

// A model with its tensors in the types of one form.
struct TypedModel {
  const Model* model = nullptr;
  std::vector<Encoding> encodings;  // one per tensor for the quantized form, none for the float form

  bool quantized() const { return !encodings.empty(); }
  std::vector<std::byte> stored(size_t tensor, const Values& values) const;
  Values values(size_t tensor, std::span<const std::byte> bytes) const;
};

struct Event {
  std::string name;
  uint32_t type = 0;  // QNN_PROFILE_EVENTTYPE_* or HTP's
  uint32_t unit = 0;  // QNN_PROFILE_EVENTUNIT_*
  uint64_t value = 0;
  std::vector<Event> children;

  // Whose clock: an execute's times are the modelled device's, all others are measured on this machine.
  bool simulated() const;
};

// A graph of a context and what it takes to run it.
struct GraphHandle {
  std::string name;
  Qnn_GraphHandle_t handle = nullptr;
  uint32_t input_id = 0;
  uint32_t output_id = 0;
};

// What the system library says about a context binary.
struct BinarySummary {
  std::string build_id;
  uint32_t soc_model = 0;
  std::vector<GraphHandle> graphs;  // without handles
};

// Log, backend and device, and one context on them; freed in reverse.
class Session {
 public:
  static Result<std::unique_ptr<Session>> open(std::shared_ptr<const BackendLibrary> library,
                                               const DeviceChoice& device, bool verbose);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Result<std::string> build_id() const;

  // The next calls work on this context: a new one, or one made from a binary.
  Status create_context();
  // The bytes are used in place: they must outlive the context.
  Status load_context(std::span<const std::byte> binary);
  void free_context();

  Result<GraphHandle> build(const std::string& name, const TypedModel& typed);
  Result<std::vector<Event>> finalize(const GraphHandle& graph);
  Result<GraphHandle> retrieve(GraphHandle graph);  // by name, in the context of now

  // The bytes of the output; `events` gets the profile when not null.
  Result<std::vector<std::byte>> execute(const GraphHandle& graph, const TypedModel& typed,
                                         std::span<const std::byte> input,
                                         std::vector<Event>* events = nullptr);

  Result<std::vector<std::byte>> binary() const;
  Result<BinarySummary> summarize(std::vector<std::byte> binary) const;

 private:
  explicit Session(std::shared_ptr<const BackendLibrary> library) : library_(std::move(library)) {}
  const QnnInterface_ImplementationV2_39_t& api() const { return library_->api(); }
  Status add_node(Qnn_GraphHandle_t graph, const ModelNode& node, const std::vector<Qnn_Tensor_t>& tensors);

  const std::shared_ptr<const BackendLibrary> library_;
  Qnn_LogHandle_t log_ = nullptr;
  Qnn_BackendHandle_t backend_ = nullptr;
  Qnn_DeviceHandle_t device_ = nullptr;
  Qnn_ContextHandle_t context_ = nullptr;
};

}  // namespace openqnn::tools
