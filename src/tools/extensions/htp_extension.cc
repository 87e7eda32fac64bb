// SPDX-License-Identifier: BSD-3-Clause
// libQnnHtpNetRunExtensions.so: the HTP backend file for the programs.
#include <algorithm>
#include <optional>

#include "HTP/QnnHtpCommon.h"
#include "tools/extensions/handle.h"
#include "tools/extensions/htp_lowering.h"

namespace openqnn::tools {
namespace {

class HtpExtension final : public OpenQnnExtension {
 public:
  Status read(const OpenQnnExtension_Request_t& request) {
    const ExtensionRun run = run_of(request);
    std::optional<config::Document> document;
    if (request.configFile != nullptr) {
      OPENQNN_ASSIGN(document, read_backend_file(request.configFile, config::Kind::kHtp, run));
    }
    OPENQNN_TRY(lower_htp(document ? &*document->config : nullptr, run, options_));
    names_.clear();
    for (const auto& [name, list] : options_.graphs) names_.push_back(name.c_str());
    names_.push_back(nullptr);
    for (const CoreVotes& core : options_.cores) {
      OPENQNN_ASSIGN(const uint64_t us, hold_time_us(core));
      hold_us_ = std::max(hold_us_, us);
    }
    return {};
  }

  const std::vector<std::string>& warnings() const { return options_.warnings; }

  const QnnBackend_Config_t** backend_configs() noexcept override { return no_backend_options_; }
  const QnnDevice_Config_t** device_configs() noexcept override { return options_.device.list(); }
  const QnnContext_Config_t** context_configs() noexcept override { return options_.context.list(); }
  const char* const* graph_names() noexcept override { return names_.data(); }
  const QnnGraph_Config_t** graph_configs(const char* graph) noexcept override {
    const auto found = options_.graphs.find(graph);
    return found == options_.graphs.end() ? no_graph_options_ : found->second.list();
  }
  uint32_t profile_level() const noexcept override { return options_.profile_level; }
  bool shared_buffers() const noexcept override { return options_.shared_buffers; }

  Qnn_ErrorHandle_t vote(const QnnInterface_ImplementationV2_39_t& api) override {
    return cast_all(api, power_configs);
  }
  Qnn_ErrorHandle_t lower_votes(const QnnInterface_ImplementationV2_39_t& api) override {
    return cast_all(api, lowered_power_configs);
  }
  uint64_t hold_us() const noexcept override { return hold_us_; }
  void end_votes() noexcept override { cast_.withdraw(); }

 private:
  Qnn_ErrorHandle_t cast_all(const QnnInterface_ImplementationV2_39_t& api,
                             decltype(power_configs) configs_of) {
    for (const CoreVotes& core : options_.cores) {
      auto configs = configs_of(core);
      if (!configs) return QNN_COMMON_ERROR_INVALID_ARGUMENT;  // read() has found that they can be made
      if (const Qnn_ErrorHandle_t code = cast_.cast(api, core, *std::move(configs)); code != QNN_SUCCESS)
        return code;
    }
    return QNN_SUCCESS;
  }

  HtpOptions options_;
  std::vector<const char*> names_ = {nullptr};
  uint64_t hold_us_ = 0;  // the longest of its cores
  CastVotes cast_;
  const QnnBackend_Config_t* no_backend_options_[1] = {nullptr};
  const QnnGraph_Config_t* no_graph_options_[1] = {nullptr};
};

}  // namespace

const ExtensionBackend kExtensionBackend = {QNN_BACKEND_ID_HTP, "HTP"};

Result<std::unique_ptr<OpenQnnExtension>> make_extension(const OpenQnnExtension_Request_t& request,
                                                         std::vector<std::string>& warnings) {
  auto extension = std::make_unique<HtpExtension>();
  OPENQNN_TRY(extension->read(request));
  warnings = extension->warnings();
  return std::unique_ptr<OpenQnnExtension>(std::move(extension));
}

}  // namespace openqnn::tools
