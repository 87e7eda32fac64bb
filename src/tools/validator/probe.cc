// SPDX-License-Identifier: BSD-3-Clause
#include "tools/validator/probe.h"

#include "HTP/QnnHtpDevice.h"
#include "base/text.h"
#include "soc/lookup.h"
#include "tools/backend_library.h"

namespace openqnn::tools::validator {
namespace {

namespace fs = std::filesystem;

constexpr Backend kBackends[] = {{"gpu", "GPU", "libQnnGpu.so"}, {"dsp", "DSP", "libQnnHtp.so"}};

std::optional<fs::path> find(const Backend& backend, const fs::path& folder) {
  const std::string file(backend.library);
  if (folder.empty()) return find_library(file);
  std::error_code error;
  // A folder of libraries, that of a whole SDK, or where we are installed.
  for (const char* within : {"", "lib/x86_64-linux-clang", "lib/openqnn"})
    if (fs::is_regular_file(folder / within / file, error)) return fs::absolute(folder / within / file);
  return std::nullopt;
}

std::string sentence_of(const Diagnostic& diagnostic) {
  return concat(diagnostic.message, diagnostic.fix.empty() ? "" : "; ", diagnostic.fix);
}

std::string chipset_of(uint32_t soc_model) {
  const auto found = soc::find_socs(std::to_string(soc_model));
  return found && found->by == soc::MatchedBy::kSocModel ? found->socs[0].chipset : "a part without a name";
}

// The part that the process plays (OPENQNN_TARGET), as the backend tells it.
Result<QnnHtpDevice_OnChipDeviceInfoExtension_t> platform_of(const Session& session) {
  const QnnDevice_PlatformInfo_t* info = nullptr;
  OPENQNN_TRY(session.library().check(session.api().deviceGetPlatformInfo(nullptr, &info),
                                      "QnnDevice_getPlatformInfo"));
  QnnHtpDevice_OnChipDeviceInfoExtension_t chip = {};
  if (info->v1.numHwDevices > 0 && info->v1.hwDevices[0].v1.deviceInfoExtension != nullptr)
    chip = info->v1.hwDevices[0].v1.deviceInfoExtension->onChipDevice;
  OPENQNN_TRY(session.library().check(session.api().deviceFreePlatformInfo(nullptr, info),
                                      "QnnDevice_freePlatformInfo"));
  return chip;
}

Status ask_core(const Session& session, uint32_t chosen, ProbeResult& result) {
  uint32_t arch = chosen;
  if (chosen == 0) {
    OPENQNN_ASSIGN(const auto chip, platform_of(session));
    arch = static_cast<uint32_t>(chip.arch);
    result.part =
        concat(chipset_of(chip.socModel), " (SoC model ", chip.socModel, "), ", chip.vtcmSize, " MB of VTCM");
  }
  result.core_version = concat("Hexagon Architecture V", arch);
  return {};
}

Status ask(Session& session, const ProbeRequest& request, ProbeResult& result) {
  if (request.library_version) {
    OPENQNN_ASSIGN(result.library_version, session.library().build_id());
  }
  if (request.core_version) OPENQNN_TRY(ask_core(session, request.device.arch, result));
  if (!request.unit_test) return {};
  Status tested = run_unit_test(session);
  result.unit_test = static_cast<bool>(tested);
  return tested;
}

}  // namespace

std::span<const Backend> all_backends() { return kBackends; }

ProbeResult probe(const Backend& backend, const ProbeRequest& request) {
  ProbeResult result;
  const auto path = find(backend, request.folder);
  if (!path) {
    result.why = concat("there is no ", backend.library,
                        request.folder.empty() ? " in LD_LIBRARY_PATH or beside this program" : " in ",
                        request.folder.string());
    return result;
  }
  result.found = true;
  auto library = BackendLibrary::open(path->string());
  if (!library) {
    result.why = sentence_of(library.error());
    return result;
  }
  SessionOptions options{.device = request.device, .log_level = 0};
  if (request.verbose) options.tell_all();
  auto session = Session::open(*library, options);
  if (!session) {
    result.why = sentence_of(session.error());
    return result;
  }
  result.supported = true;
  if (const Status asked = ask(**session, request, result); !asked) result.why = sentence_of(asked.error());
  return result;
}

}  // namespace openqnn::tools::validator
