// SPDX-License-Identifier: BSD-3-Clause
// A client of the backend: what real programs do, in a few readable calls. Where a helper answers with a
// value, a refusal by the backend throws std::runtime_error with the backend's own sentence, which fails the
// test. Where the refusal itself is under test, the helper (or the table) answers with the error code.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "HTP/QnnHtpDevice.h"
#include "HTP/QnnHtpGraph.h"
#include "library.h"
#include "model.h"

namespace conformance {

// ---- Answers ----

// The sentence that this thread's last failure with this code left behind.
std::string verbose_message(const Api& api, Qnn_ErrorHandle_t answer);

// Throws unless the answer is success; `call` is named in the failure.
void check(const Api& api, Qnn_ErrorHandle_t answer, const char* call);

// Whether `answer` is exactly `code`, upper bits included, with a sentence that contains every word.
::testing::AssertionResult refused(const Api& api, Qnn_ErrorHandle_t answer, Qnn_ErrorHandle_t code,
                                   std::initializer_list<std::string> words = {});

// ---- Handles ----

// A handle that is given back through the call that belongs to it.
class Owned {
 public:
  using Free = std::function<Qnn_ErrorHandle_t(void*)>;

  Owned() = default;
  Owned(void* handle, Free free) : handle_(handle), free_(std::move(free)) {}
  Owned(Owned&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), free_(std::move(other.free_)) {}
  Owned& operator=(Owned&& other) noexcept;
  ~Owned() { free(); }

  void* get() const { return handle_; }
  operator void*() const { return handle_; }  // NOLINT: stands for the handle in every call
  // Gives the handle back now; success when that was done before.
  Qnn_ErrorHandle_t free();

 private:
  void* handle_ = nullptr;
  Free free_;
};

Owned create_log(const Api& api, QnnLog_Level_t level = QNN_LOG_LEVEL_VERBOSE);
Owned create_log(const SystemApi& api, QnnLog_Level_t level = QNN_LOG_LEVEL_VERBOSE);
Owned create_backend(const Api& api, Qnn_LogHandle_t log = nullptr);
Owned create_device(const Api& api, Qnn_LogHandle_t log = nullptr,
                    const QnnDevice_Config_t** config = nullptr);
Owned create_context(const Api& api, Qnn_BackendHandle_t backend, Qnn_DeviceHandle_t device = nullptr,
                     const QnnContext_Config_t** config = nullptr);
Owned create_profile(const Api& api, Qnn_BackendHandle_t backend,
                     QnnProfile_Level_t level = QNN_PROFILE_LEVEL_BASIC);

// What create_log's loggers have received, as text, since the last call.
std::string take_log();

// The library with log, backend and device, as clients have them before they make a context.
struct Session {
  Session() : Session(BackendLibrary()) {}
  explicit Session(BackendLibrary opened, const QnnDevice_Config_t** device_config = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  BackendLibrary library;
  const Api& api;
  Owned log, backend, device;

  Owned context(const QnnContext_Config_t** config = nullptr) const {
    return create_context(api, backend, device, config);
  }
  Owned profile(QnnProfile_Level_t level = QNN_PROFILE_LEVEL_BASIC) const {
    return create_profile(api, backend, level);
  }
  // createFromBinary; throws when it is refused.
  Owned load(std::span<const std::byte> binary, const QnnContext_Config_t** config = nullptr,
             Qnn_ProfileHandle_t profile = nullptr) const;
};

// ---- Options ----

// A null-terminated list of HTP graph options.
class GraphOptions {
 public:
  GraphOptions& optimization(float level);
  GraphOptions& vtcm_mb(uint32_t megabytes);
  GraphOptions& hvx_threads(uint64_t threads);
  GraphOptions& cores(uint32_t count);
  GraphOptions& fold_relu_off();
  GraphOptions& short_depth_conv_off();
  const QnnGraph_Config_t** list();

 private:
  QnnHtpGraph_CustomConfig_t& add(QnnHtpGraph_ConfigOption_t option);

  std::vector<QnnHtpGraph_CustomConfig_t> custom_;
  std::vector<QnnGraph_Config_t> configs_;
  std::vector<const QnnGraph_Config_t*> list_;
};

// The context options for a binary that stays where it is.
struct PersistentBinary {
  QnnContext_Config_t option = QNN_CONTEXT_CONFIG_INIT;
  const QnnContext_Config_t* entries[2] = {&option, nullptr};

  PersistentBinary();
  PersistentBinary(const PersistentBinary&) = delete;
  PersistentBinary& operator=(const PersistentBinary&) = delete;
  const QnnContext_Config_t** list() { return entries; }
};

// What the backend says of one op.
Qnn_ErrorHandle_t validate(const Session& session, const Model& model, const Node& node);

// ---- Graphs ----

// The tensors of one execute, with buffers. Tests may change them before the call.
struct IoTensors {
  IoTensors(const Model& model, const Buffers& inputs_by_name);

  std::vector<Qnn_Tensor_t> inputs, outputs;
  Buffers results;  // the output buffers
  Scratch scratch;
};

class Graph {
 public:
  // An empty graph of the model's name.
  Graph(const Api& api, Qnn_ContextHandle_t context, Model source,
        const QnnGraph_Config_t** config = nullptr);
  // A complete graph: tensors and nodes interleaved as clients do it, finalized.
  static Graph built(const Api& api, Qnn_ContextHandle_t context, const Model& source,
                     const QnnGraph_Config_t** config = nullptr, Qnn_ProfileHandle_t profile = nullptr);
  // The graph of this name in a loaded context. The model brings the tensor ids from when it was built.
  static Graph retrieved(const Api& api, Qnn_ContextHandle_t context, const Model& built_model);

  Model model;  // with the backend's tensor ids
  Qnn_GraphHandle_t handle = nullptr;

  // Tensors and nodes of the model, each when it is needed; throws when one is refused.
  void compose();
  // The tensors that a node of the model names and that do not exist yet.
  void create_tensors_of(Node& node);

  Qnn_ErrorHandle_t create_tensor(Tensor& tensor, Qnn_TensorVersion_t version = QNN_TENSOR_VERSION_1) const;
  Qnn_ErrorHandle_t add_node(const Node& node) const;
  Qnn_ErrorHandle_t finalize(Qnn_ProfileHandle_t profile = nullptr) const;
  Qnn_ErrorHandle_t execute(IoTensors& io, Qnn_ProfileHandle_t profile = nullptr) const;

  // One execute: the outputs by name.
  Buffers run(const Buffers& inputs, Qnn_ProfileHandle_t profile = nullptr) const;

 private:
  Graph(const Api& api, Model source) : model(std::move(source)), api_(&api) {}
  void create_if_new(Tensor& tensor) const;

  const Api* api_;
};

// ---- Binaries and profiles ----

Bytes binary_of(const Api& api, Qnn_ContextHandle_t context);

struct Event {
  uint32_t type;
  uint32_t unit;
  uint64_t value;
  std::string name;
  uint32_t depth;

  bool operator==(const Event&) const = default;
};
// All events of a profile, each before the events below it.
std::vector<Event> events_of(const Api& api, Qnn_ProfileHandle_t profile);
std::vector<Event> of_type(const std::vector<Event>& events, uint32_t type);
// The one event of a type; throws when there is none or more than one.
const Event& only(const std::vector<Event>& events, uint32_t type);

}  // namespace conformance
