// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/backend.h"

#include "QnnDevice.h"
#include "base/text.h"

namespace openqnn::runtime {
namespace {

Result<soc::Target> named_target(const DeviceRequest& request) {
  if (request.soc_model) return soc::target_by_model(*request.soc_model);
  return soc::target_by_arch(*request.arch);
}

}  // namespace

Outcome<soc::Target> choose_target(const DeviceRequest& request, const Persona& persona, const Logger& log) {
  if (!request.soc_model && !request.arch) {
    if (persona.target) return *persona.target;
    OPENQNN_ASSIGN_AS(soc::Target target, QNN_DEVICE_ERROR_INVALID_CONFIG, soc::default_target());
    log.info(concat("no SoC was named: preparing for ", target.soc, ", the documented default"));
    return target;
  }
  OPENQNN_ASSIGN_AS(soc::Target target, QNN_DEVICE_ERROR_INVALID_CONFIG, named_target(request));
  const bool another = request.soc_model ? target.soc_model != persona.target.value_or(target).soc_model
                                         : target.arch != persona.target.value_or(target).arch;
  if (!persona.offline() && another)
    return ApiError(
        QNN_DEVICE_ERROR_INVALID_CONFIG,
        invalid("device-soc", concat("the device is a ", persona.target->soc, ", not a ", target.soc))
            .at("device configuration")
            .fix_by("leave the SoC out, or change OPENQNN_TARGET"));
  if (request.soc_model && request.arch && *request.arch != target.arch)
    log.warn(concat("architecture v", *request.arch, " does not fit ", target.soc, " (v", target.arch,
                    "): the SoC applies"));
  if (!persona.offline()) return *persona.target;
  return target;
}

}  // namespace openqnn::runtime
