// SPDX-License-Identifier: BSD-3-Clause
// The program's side of an extension library (tools/extensions/extension.h): finding it, opening it, and what
// it makes of the backend's own file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/backend_library.h"
#include "tools/extensions/extension.h"
#include "tools/extensions/findings.h"

namespace openqnn::tools {

struct ExtensionRequest {
  std::string library;      // a path, or a file name to be looked for
  std::string config_file;  // empty: none
  std::string tool;         // "qnn-net-run"
  OpenQnnExtension_Stage_t stage = OPENQNN_EXTENSION_STAGE_OFFLINE;
  std::string perf_profile;  // of the command line; empty: none
};

// Must outlive the objects that are made with its lists.
class Extension {
 public:
  // A failure to find or open the library tells every place where it was looked for.
  static Result<std::unique_ptr<Extension>> open(const ExtensionRequest& request, const TellFinding& tell);
  ~Extension();
  Extension(const Extension&) = delete;
  Extension& operator=(const Extension&) = delete;

  // Refuses a backend that the library is not for.
  Status check_backend(const BackendLibrary& backend) const;

  const QnnBackend_Config_t** backend_configs() const { return interface_->backendConfigs(handle_); }
  const QnnDevice_Config_t** device_configs() const { return interface_->deviceConfigs(handle_); }
  const QnnContext_Config_t** context_configs() const { return interface_->contextConfigs(handle_); }
  std::vector<std::string> graph_names() const;
  const QnnGraph_Config_t** graph_configs(const std::string& graph) const {
    return interface_->graphConfigs(handle_, graph.c_str());
  }
  // 0 when the file names none.
  uint32_t profile_level() const { return interface_->profileLevel(handle_); }
  bool shared_buffers() const { return interface_->sharedBuffers(handle_) != 0; }

  Status vote(const BackendLibrary& backend) const;
  Status lower_votes(const BackendLibrary& backend) const;
  uint64_t hold_us() const { return interface_->holdMicroseconds(handle_); }
  void end_votes() const { interface_->endVotes(handle_); }

 private:
  Extension() = default;
  Status open_library(const std::string& given);
  Status read_file(const ExtensionRequest& request, const TellFinding& tell);

  std::string path_;
  void* library_ = nullptr;
  const OpenQnnExtension_Interface_t* interface_ = nullptr;
  OpenQnnExtension_Handle_t handle_ = nullptr;
};

}  // namespace openqnn::tools
