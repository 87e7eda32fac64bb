// SPDX-License-Identifier: BSD-3-Clause
// A program's session with a backend: log, backend, device and one context, with the options that the
// command line and the configuration file give.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "QnnLog.h"
#include "base/result.h"
#include "tools/args.h"
#include "tools/backend_library.h"
#include "tools/qnn/extension_library.h"
#include "tools/qnn/graph_io.h"

namespace openqnn::tools {

// --backend and --op_packages.
std::vector<OptionSpec> backend_options();

struct ClientOptions {
  std::string backend;                      // a path or a name
  std::string op_packages;                  // "path:provider[:target],..."; empty: none
  std::optional<QnnLog_Level_t> log_level;  // of the backend; none: its warnings
  const Extension* extension = nullptr;     // whose options backend and device get
};
// What the command line says; the extension comes with the configuration file.
Result<ClientOptions> client_options(const Args& args);

// Freed in reverse.
class Client {
 public:
  // The device is the part that the extension's file names, else the one that `binary` was made for (ours: a
  // host has no part of its own, and OPENQNN_TARGET tells another), else the backend's default.
  static Result<std::unique_ptr<Client>> open(const ClientOptions& options,
                                              std::span<const std::byte> binary = {});
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const BackendLibrary& library() const { return *library_; }
  const QnnInterface_ImplementationV2_39_t& api() const { return library_->api(); }
  const QnnSystemInterface_ImplementationV1_14_t& system() const { return library_->system(); }
  Qnn_BackendHandle_t backend() const { return backend_; }
  Qnn_DeviceHandle_t device() const { return device_; }
  Qnn_ContextHandle_t context() const { return context_; }
  Status check(Qnn_ErrorHandle_t code, const std::string& call) const { return library_->check(code, call); }
  // Lists end with null. There is one context at most.
  Status create_context(const QnnContext_Config_t** configs);
  Status validate_binary(const QnnContext_Config_t** configs, std::span<const std::byte> binary);
  Status load_context(const QnnContext_Config_t** configs, std::span<const std::byte> binary,
                      Qnn_ProfileHandle_t profile);
  Status free_context(Qnn_ProfileHandle_t profile);

  // The graphs of a binary, in its order, without handles.
  Result<std::vector<RunnableGraph>> graphs_of(std::span<const std::byte> binary) const;
  Result<Qnn_GraphHandle_t> retrieve(const std::string& graph) const;
  Result<std::vector<std::byte>> binary() const { return library_->binary_of(context_); }

 private:
  explicit Client(std::shared_ptr<const BackendLibrary> library) : library_(std::move(library)) {}
  Status start(const ClientOptions& options, std::span<const std::byte> binary);
  Status create_device(const Extension* extension, std::span<const std::byte> binary);
  Status register_op_packages(const std::string& packages);

  const std::shared_ptr<const BackendLibrary> library_;
  Qnn_LogHandle_t log_ = nullptr;
  Qnn_BackendHandle_t backend_ = nullptr;
  Qnn_DeviceHandle_t device_ = nullptr;
  Qnn_ContextHandle_t context_ = nullptr;
};

// The graphs of a binary, in order, without handles.
Result<std::vector<RunnableGraph>> graphs_in(const BinaryInfo& binary);

}  // namespace openqnn::tools
