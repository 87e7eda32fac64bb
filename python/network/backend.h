// SPDX-License-Identifier: BSD-3-Clause
// The backend's libraries, seen from this package: where they are, and the one that turns a backend
// extensions file into options of the C API.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "tools/backend_library.h"
#include "tools/extensions/extension.h"

namespace openqnn::python {

// Open as long as somebody holds it; all who ask at a time share it. It is looked for beside this module, as
// it is built and as it is installed, then in LD_LIBRARY_PATH.
Result<std::shared_ptr<const tools::BackendLibrary>> open_backend();

// What a backend extensions file says, for a run that prepares graphs for a binary. Must outlive the objects
// that are made with its lists.
class BackendOptions {
 public:
  // The library is beside `backend`.
  static Result<std::unique_ptr<BackendOptions>> read(const tools::BackendLibrary& backend,
                                                      const std::filesystem::path& file);
  ~BackendOptions();
  BackendOptions(const BackendOptions&) = delete;
  BackendOptions& operator=(const BackendOptions&) = delete;

  // Lists end with null.
  const QnnBackend_Config_t** backend_configs() const { return interface_->backendConfigs(handle_); }
  const QnnDevice_Config_t** device_configs() const { return interface_->deviceConfigs(handle_); }
  const QnnContext_Config_t** context_configs() const { return interface_->contextConfigs(handle_); }
  const QnnGraph_Config_t** graph_configs(const std::string& graph) const {
    return interface_->graphConfigs(handle_, graph.c_str());
  }
  std::vector<std::string> graph_names() const;
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  BackendOptions() = default;
  static void tell(void* listener, QnnLog_Level_t level, const char* line);

  void* library_ = nullptr;
  const OpenQnnExtension_Interface_t* interface_ = nullptr;
  OpenQnnExtension_Handle_t handle_ = nullptr;
  std::vector<std::string> warnings_;
  std::vector<std::string> errors_;
};

}  // namespace openqnn::python
