// SPDX-License-Identifier: BSD-3-Clause
// qnn-platform-validator: what of the backends is here, and whether it works.

#include "base/files.h"
#include "base/text.h"
#include "tools/console.h"
#include "tools/convert/program.h"
#include "tools/number_in.h"
#include "tools/validator/probe.h"

namespace openqnn::tools::validator {
namespace {

namespace fs = std::filesystem;
using convert::flag;
using convert::one;

constexpr const char* kNotQueried = "Not Queried";
constexpr const char* kReport = "platform_validator.csv";

std::vector<OptionSpec> options() {
  return {
      one("--backend", "NAME", "which to check", "", "gpu dsp all"),
      flag("--coreVersion", "ask the architecture of the part"),
      flag("--libVersion", "ask the version of the library"),
      flag("--testBackend", "run a graph with a known answer"),
      one("--dsp_type", "ARCH",
          "of the part, v68 for instance (default: the part that OPENQNN_TARGET names)"),
      one("--directory", "DIR",
          "of the SDK, of its libraries, or where openqnn is installed (default: as every program looks for "
          "them)"),
      one("--targetPath", "DIR", "also write the results there, as platform_validator.csv"),
      flag("--debug", "let the backend say what it does"),
  };
}

Result<uint32_t> architecture_from(const std::string& text) {
  const auto arch = text.starts_with('v') ? number_in<uint32_t>(text.substr(1)) : std::nullopt;
  if (arch && *arch >= 68) return *arch;
  return wrong_option("--dsp_type", concat("'", text, "' is no architecture that has an HTP"))
      .fix_by("v68, v69, v73, v75, v79 or v81");
}

Result<ProbeRequest> request_from(const Args& args) {
  ProbeRequest request;
  request.folder = args.get("--directory");
  request.library_version = args.has("--libVersion");
  request.core_version = args.has("--coreVersion");
  request.unit_test = args.has("--testBackend");
  request.verbose = args.has("--debug");
  if (args.has("--dsp_type")) {
    OPENQNN_ASSIGN(request.device.arch, architecture_from(args.get("--dsp_type")));
  }
  return request;
}

std::string word_of(const std::optional<bool>& passed) {
  return !passed ? kNotQueried : *passed ? "Passed" : "Failed";
}

std::string lines_of(const Backend& backend, const ProbeResult& result) {
  const std::string of = concat(" the backend ", backend.name, ": ");
  std::string text =
      concat("Backend ", backend.name, " Prerequisites: ", result.found ? "Present.\n" : "Not Present.\n");
  const std::string missing = result.supported ? kNotQueried : "Not Found";
  text += concat("Library Version of", of, result.library_version.value_or(missing), "\n");
  text += concat("Core Version of", of, result.core_version.value_or(missing), "\n");
  if (!result.part.empty()) text += concat("Part of", of, result.part, "\n");
  text += concat("Unit Test on", of, word_of(result.unit_test), result.unit_test ? ".\n" : "\n");
  if (!result.why.empty()) text += concat("Reason: ", shown(result.why), "\n");
  return text + concat("QNN is ", result.fine() ? "" : "NOT ", "supported for backend ", backend.name,
                       " on the device.\n");
}

std::string summary_of(const Backend& backend, const ProbeResult& result) {
  return concat("Backend = ", backend.name,
                "\n{\n  Backend Hardware  : ", result.supported ? "Supported" : "Not Supported",
                "\n  Backend Libraries : ", result.found ? "Found" : "Not Found",
                "\n  Library Version   : ", result.library_version.value_or(kNotQueried),
                "\n  Core Version      : ", result.core_version.value_or(kNotQueried),
                "\n  Unit Test         : ", word_of(result.unit_test), "\n}\n");
}

std::string row_of(const Backend& backend, const ProbeResult& result) {
  return concat(backend.name, ",", result.supported ? "Supported" : "Not Supported", ",",
                result.found ? "Found" : "Not Found", ",", result.library_version.value_or(kNotQueried), ",",
                result.core_version.value_or(kNotQueried), ",", word_of(result.unit_test), "\n");
}

Status write_report(const fs::path& path, const std::string& table) {
  const std::string_view verb = written_verb(path);
  OPENQNN_TRY(write_file(path, table));
  print(concat(verb, " ", shown(path.string()), "\n"));
  return {};
}

Result<int> run(const Args& args) {
  if (!args.has("--backend"))
    return invalid("option-missing", "Missing mandatory argument --backend")
        .fix_by("--backend gpu, dsp or all");
  OPENQNN_ASSIGN(const ProbeRequest request, request_from(args));
  const std::string wanted = args.get("--backend");
  std::string summary = "Results Summary:\n";
  std::string table = "Backend,Backend Hardware,Backend Libraries,Library Version,Core Version,Unit Test\n";
  size_t fine = 0;
  size_t broken = 0;  // there, but not working
  for (const Backend& backend : all_backends()) {
    if (wanted != "all" && wanted != backend.word) continue;
    const ProbeResult result = probe(backend, request);
    print(lines_of(backend, result));
    summary += summary_of(backend, result);
    table += row_of(backend, result);
    fine += result.fine() ? 1 : 0;
    broken += result.found && !result.fine() ? 1 : 0;
  }
  print(summary);
  if (args.has("--targetPath"))
    OPENQNN_TRY(write_report(fs::path(args.get("--targetPath")) / kReport, table));
  return fine > 0 && broken == 0 ? kOk : kFailed;
}

std::vector<convert::RefusedOption> refused() {
  constexpr std::string_view kHere = "the check runs on this machine; no device is reached from here";
  return {{"--deviceId", "", kHere}, {"--remoteHost", "", kHere}, {"--buildVariant", "", kHere}};
}

}  // namespace
}  // namespace openqnn::tools::validator

namespace openqnn::tools::convert {

Program this_program() {
  return {
      .spec = {.name = "qnn-platform-validator",
               .summary = "Check which backends are here and whether they work",
               .details = R"(
Looks for each backend's library, opens it and a device of it, and asks it what the
switches name. Exit status: 0 when a backend is supported and none that is here failed,
1 otherwise, 2 when the command line was wrong.)",
               .options = validator::options(),
               .examples = {"qnn-platform-validator --backend dsp --coreVersion --libVersion --testBackend",
                            "qnn-platform-validator --backend all --testBackend --targetPath results"},
               .usage = "qnn-platform-validator --backend NAME [--coreVersion] [--libVersion] "
                        "[--testBackend] [OPTION]..."},
      .refused = validator::refused(),
      .run = validator::run};
}

}  // namespace openqnn::tools::convert
