// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "QnnContext.h"
#include "runtime/graph.h"

namespace openqnn::runtime {

struct ContextOptions {
  bool persistent_binary = false;  // the client keeps the buffer alive: no copy
};

// Graphs that share a device and go into one context binary. The graphs live in the handle table; a context
// knows their handles.
class Context : public Object {
 public:
  static constexpr Kind kKind = Kind::kContext;
  static constexpr const char* kName = "context";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_CONTEXT_ERROR_INVALID_HANDLE;

  Context(Logger log, std::shared_ptr<DeviceState> device);
  ~Context() override;

  // A context with every graph of a binary. The bytes are copied once unless the options say they stay. Where
  // no device is requested, it is the part that the binary was prepared for.
  static Outcome<std::unique_ptr<Context>> from_binary(std::span<const std::byte> bytes,
                                                       const ContextOptions& options, const Logger& log,
                                                       std::shared_ptr<DeviceState> requested);
  // What from_binary would answer, without making anything.
  static Outcome<> validate_binary(std::span<const std::byte> bytes, std::shared_ptr<DeviceState> requested);

  const Logger& log() const { return log_; }
  const std::shared_ptr<DeviceState>& device() const { return device_; }

  Outcome<void*> create_graph(const std::string& name, const prepare::Options& options);
  Outcome<void*> retrieve_graph(const std::string& name);

  Outcome<uint64_t> binary_size();
  // Writes the binary into `buffer` and answers how many bytes it has.
  Outcome<uint64_t> binary(std::span<std::byte> buffer);

  // Frees the graphs' handles; called when the context's own handle is freed.
  void close();

 private:
  Outcome<void*> add_graph(std::unique_ptr<Graph> graph);
  Outcome<std::vector<std::byte>> serialise();

  const Logger log_;
  const std::shared_ptr<DeviceState> device_;
  std::mutex mutex_;  // guards what follows
  bool closed_ = false;
  std::map<std::string, void*> graphs_;
  std::vector<std::byte> serialised_;  // between binary_size and binary
};

}  // namespace openqnn::runtime
