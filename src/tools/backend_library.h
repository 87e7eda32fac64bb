// SPDX-License-Identifier: BSD-3-Clause
// The backend and system libraries, opened as every client opens them: dlopen and the provider list.
#pragma once

#include <memory>
#include <string>

#include "QnnInterface.h"
#include "System/QnnSystemInterface.h"
#include "base/result.h"

namespace openqnn::tools {

class BackendLibrary {
 public:
  // `path` is libQnnHtp.so or its folder; empty: beside this program. libQnnSystem.so is taken from the same
  // folder.
  static Result<std::shared_ptr<const BackendLibrary>> open(const std::string& path);
  ~BackendLibrary();
  BackendLibrary(const BackendLibrary&) = delete;
  BackendLibrary& operator=(const BackendLibrary&) = delete;

  const std::string& path() const { return path_; }
  const Qnn_ApiVersion_t& api_version() const { return provider_->apiVersion; }
  const QnnInterface_ImplementationV2_39_t& api() const { return provider_->v2_39; }
  const QnnSystemInterface_ImplementationV1_14_t& system() const { return system_provider_->v1_14; }

  // Turns an answer into a Status; a failure gets the library's own sentence.
  Status check(Qnn_ErrorHandle_t code, const std::string& call) const;

 private:
  BackendLibrary() = default;

  std::string path_;
  void* backend_ = nullptr;
  void* system_ = nullptr;
  const QnnInterface_t* provider_ = nullptr;
  const QnnSystemInterface_t* system_provider_ = nullptr;
};

}  // namespace openqnn::tools
