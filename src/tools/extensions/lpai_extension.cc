// SPDX-License-Identifier: BSD-3-Clause
// libQnnLpaiNetRunExtensions.so: the LPAI backend file for the programs.
#include "LPAI/QnnLpaiCommon.h"
#include "base/text.h"
#include "tools/extensions/handle.h"
#include "tools/extensions/lpai_lowering.h"

namespace openqnn::tools {
namespace {

class LpaiExtension final : public OpenQnnExtension {
 public:
  Status read(const OpenQnnExtension_Request_t& request) {
    const ExtensionRun run = run_of(request);
    if (!run.perf_profile.empty())
      return unsupported("extension-profile",
                         concat("the LPAI backend has no profile '", run.perf_profile,
                                "': its clock follows from the rate that a graph asks for"))
          .fix_by("set fps and ftrt_ratio under lpai_graph.execute of its file");
    if (request.configFile == nullptr) return {};
    OPENQNN_ASSIGN(const config::Document document,
                   read_backend_file(request.configFile, config::Kind::kLpai, run));
    lower_lpai(*document.config, run, options_);
    return {};
  }
  const std::vector<std::string>& warnings() const { return options_.warnings; }

  const QnnBackend_Config_t** backend_configs() noexcept override { return options_.backend.list(); }
  const QnnDevice_Config_t** device_configs() noexcept override { return no_device_options_; }
  const QnnContext_Config_t** context_configs() noexcept override { return no_context_options_; }
  const char* const* graph_names() noexcept override { return no_names_; }
  const QnnGraph_Config_t** graph_configs(const char* /*graph*/) noexcept override {
    return options_.graph.list();
  }
  uint32_t profile_level() const noexcept override { return options_.profile_level; }
  bool shared_buffers() const noexcept override { return false; }

 private:
  LpaiOptions options_;
  const QnnDevice_Config_t* no_device_options_[1] = {nullptr};
  const QnnContext_Config_t* no_context_options_[1] = {nullptr};
  const char* no_names_[1] = {nullptr};
};

}  // namespace

const ExtensionBackend kExtensionBackend = {QNN_BACKEND_ID_LPAI, "LPAI"};

Result<std::unique_ptr<OpenQnnExtension>> make_extension(const OpenQnnExtension_Request_t& request,
                                                         std::vector<std::string>& warnings) {
  auto extension = std::make_unique<LpaiExtension>();
  OPENQNN_TRY(extension->read(request));
  warnings = extension->warnings();
  return std::unique_ptr<OpenQnnExtension>(std::move(extension));
}

}  // namespace openqnn::tools
