// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "QnnBackend.h"
#include "base/log.h"
#include "runtime/async_queue.h"
#include "runtime/device.h"
#include "runtime/handles.h"
#include "runtime/op_package.h"
#include "runtime/persona.h"

namespace openqnn::runtime {

class Backend : public Object {
 public:
  static constexpr Kind kKind = Kind::kBackend;
  static constexpr const char* kName = "backend";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_BACKEND_ERROR_INVALID_HANDLE;

  Backend(Logger log, Persona persona);

  const Logger& log() const { return log_; }
  const Persona& persona() const { return persona_; }
  // What was registered so far; contexts keep it, whatever becomes of the backend.
  const std::shared_ptr<OpPackages>& packages() const { return packages_; }
  // Context binaries that are loaded in the background, one after the other. Freeing the backend waits for
  // the one being loaded.
  AsyncQueue& loads() { return loads_; }
  // Every op, built-in and registered. The list stays valid until the backend is freed, also when a later
  // call makes a longer one.
  const std::vector<QnnBackend_OperationName_t>& operations(const char* built_in_package);

 private:
  Logger log_;
  Persona persona_;
  const std::shared_ptr<OpPackages> packages_;
  AsyncQueue loads_{UINT32_MAX};  // a list may be as long as it likes
  std::mutex mutex_;              // guards lists_
  std::list<std::vector<QnnBackend_OperationName_t>> lists_;
};

}  // namespace openqnn::runtime
