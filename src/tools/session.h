// SPDX-License-Identifier: BSD-3-Clause
// A client of the QNN C API: log, backend and device, and one context on them. Nothing here knows more than
// include/QNN says.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "HTP/QnnHtpDevice.h"
#include "base/result.h"
#include "tools/backend_library.h"
#include "tools/extensions/option_list.h"

namespace openqnn::tools {

struct Event {
  std::string name;
  uint32_t type = 0;  // QNN_PROFILE_EVENTTYPE_* or HTP's
  uint32_t unit = 0;  // QNN_PROFILE_EVENTUNIT_*
  uint64_t value = 0;
  std::vector<Event> children;
};

// What the system library says about a context binary.
struct BinarySummary {
  struct Graph {
    std::string name;
    std::vector<uint32_t> input_ids;
    std::vector<uint32_t> output_ids;
  };
  std::string build_id;
  uint32_t soc_model = 0;
  std::vector<Graph> graphs;
};

using api::op_config;

// QNN's SoC model, or an architecture for parts without one; neither: the backend's default.
struct DeviceChoice {
  uint32_t soc_model = 0;
  uint32_t arch = 0;
};

using HtpDeviceOptions = DeviceOptions<QnnHtpDevice_CustomConfig_t>;

// A host has no part of its own: it plays the one that a binary was made for, unless OPENQNN_TARGET names
// one.
DeviceChoice part_to_play(const BinaryInfo& binary);

// Of two options that name a part the later one counts.
inline void add_choice(const DeviceChoice& choice, HtpDeviceOptions& options) {
  if (choice.soc_model != 0) {
    options.add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC).socModel = choice.soc_model;
  } else if (choice.arch != 0) {
    options.add(QNN_HTP_DEVICE_CONFIG_OPTION_ARCH).arch.arch = static_cast<QnnHtpDevice_Arch_t>(choice.arch);
  }
}

// Ears for the backend's log: each line on the standard error; its warnings as warnings of this program.
void print_log_line(const char* format, QnnLog_Level_t level, uint64_t timestamp, va_list arguments);
void tell_warning(const char* format, QnnLog_Level_t level, uint64_t timestamp, va_list arguments);

struct SessionOptions {
  DeviceChoice device;
  const QnnBackend_Config_t** backend_configs = nullptr;  // lists end with null
  const QnnDevice_Config_t** device_configs = nullptr;    // when not empty, in place of `device`
  uint32_t log_level = QNN_LOG_LEVEL_WARN;                // 0: no log
  QnnLog_Callback_t log = tell_warning;                   // who hears it

  void tell_all();  // every line of the log on the standard error
};

// Freed in reverse.
class Session {
 public:
  static Result<std::unique_ptr<Session>> open(std::shared_ptr<const BackendLibrary> library,
                                               const SessionOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const BackendLibrary& library() const { return *library_; }
  const QnnInterface_ImplementationV2_39_t& api() const { return library_->api(); }
  Qnn_BackendHandle_t backend() const { return backend_; }
  Qnn_ContextHandle_t context() const { return context_; }

  // The next calls work on this context: a new one, or one made from a binary.
  Status create_context(const QnnContext_Config_t** configs = nullptr);
  // The bytes are used in place: they must outlive the context. `more` are options beside that promise.
  Status load_context(std::span<const std::byte> binary, const QnnContext_Config_t** more = nullptr);
  void free_context();

  Result<Qnn_GraphHandle_t> create_graph(const std::string& name);
  Result<Qnn_GraphHandle_t> retrieve(const std::string& graph);
  // Judged by validateOpConfig first, so that a refusal names the node.
  Status add_node(Qnn_GraphHandle_t graph, const Qnn_OpConfig_t& config);
  Result<std::vector<Event>> finalize(Qnn_GraphHandle_t graph);
  // `events` gets the profile when not null.
  Status execute(Qnn_GraphHandle_t graph, std::span<const Qnn_Tensor_t> inputs,
                 std::span<Qnn_Tensor_t> outputs, std::vector<Event>* events = nullptr);

  Result<std::vector<std::byte>> binary() const { return library_->binary_of(context_); }
  Result<BinarySummary> summarize(std::span<const std::byte> binary) const;

 private:
  explicit Session(std::shared_ptr<const BackendLibrary> library) : library_(std::move(library)) {}
  Status create_device(const SessionOptions& options);

  const std::shared_ptr<const BackendLibrary> library_;
  Qnn_LogHandle_t log_ = nullptr;
  Qnn_BackendHandle_t backend_ = nullptr;
  Qnn_DeviceHandle_t device_ = nullptr;
  Qnn_ContextHandle_t context_ = nullptr;
};

}  // namespace openqnn::tools
