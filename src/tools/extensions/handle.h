// SPDX-License-Identifier: BSD-3-Clause
// What stands behind the C interface of an extension library. Each library says which backend it is for and
// how a handle is made; entry.cc, which is in all of them, does the rest.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "tools/extensions/extension.h"

// Exceptions do not cross the C interface: all lists are complete when it is made, so that asking for them
// cannot fail.
struct OpenQnnExtension {
  OpenQnnExtension() = default;
  OpenQnnExtension(const OpenQnnExtension&) = delete;
  OpenQnnExtension& operator=(const OpenQnnExtension&) = delete;
  virtual ~OpenQnnExtension() = default;

  virtual const QnnBackend_Config_t** backend_configs() noexcept = 0;
  virtual const QnnDevice_Config_t** device_configs() noexcept = 0;
  virtual const QnnContext_Config_t** context_configs() noexcept = 0;
  virtual const char* const* graph_names() noexcept = 0;
  virtual const QnnGraph_Config_t** graph_configs(const char* graph) noexcept = 0;
  virtual uint32_t profile_level() const noexcept = 0;
  virtual bool shared_buffers() const noexcept = 0;
  // A backend without power votes leaves these as they are.
  virtual Qnn_ErrorHandle_t vote(const QnnInterface_ImplementationV2_39_t& /*api*/) { return QNN_SUCCESS; }
  virtual Qnn_ErrorHandle_t lower_votes(const QnnInterface_ImplementationV2_39_t& /*api*/) {
    return QNN_SUCCESS;
  }
  virtual uint64_t hold_us() const noexcept { return 0; }
  virtual void end_votes() noexcept {}
};

namespace openqnn::tools {

struct ExtensionBackend {
  uint32_t id;
  const char* name;
};
extern const ExtensionBackend kExtensionBackend;

// `warnings` gets what is to be told of options that have no effect.
Result<std::unique_ptr<OpenQnnExtension>> make_extension(const OpenQnnExtension_Request_t& request,
                                                         std::vector<std::string>& warnings);

}  // namespace openqnn::tools
