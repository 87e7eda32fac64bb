// SPDX-License-Identifier: BSD-3-Clause
#include "tools/extensions/backend_file.h"

#include "base/text.h"
#include "tools/extensions/findings.h"

namespace openqnn::tools {
namespace {

config::Stage stage_of(OpenQnnExtension_Stage_t stage) {
  switch (stage) {
    case OPENQNN_EXTENSION_STAGE_ONLINE:
      return config::Stage::kOnline;
    case OPENQNN_EXTENSION_STAGE_LOAD:
      return config::Stage::kLoad;
    default:
      return config::Stage::kOffline;
  }
}

// A run that prepares online or loads executes as well.
config::Set<config::Stage> stages_of(config::Stage stage) {
  if (stage == config::Stage::kOffline) return config::set_of(stage);
  return config::set_of(stage, config::Stage::kExecute);
}

}  // namespace

ExtensionRun run_of(const OpenQnnExtension_Request_t& request) {
  ExtensionRun run;
  if (request.tool != nullptr) run.tool = config::find_tool(request.tool);
  run.stage = stage_of(request.stage);
  if (request.perfProfile != nullptr) run.perf_profile = request.perfProfile;
  return run;
}

bool acts_in(const config::OptionDef& option, const ExtensionRun& run) {
  if (!option.tools.empty() && run.tool && !option.tools.has(*run.tool)) return false;
  return option.stages.empty() || (option.stages.bits & stages_of(run.stage).bits) != 0;
}

Result<config::Document> read_backend_file(const std::string& path, config::Kind kind,
                                           const ExtensionRun& run) {
  config::Document document = config::read_file(path, kind);
  config::Circumstances circumstances;
  circumstances.tool = run.tool;
  circumstances.stage = run.stage;
  const auto nobody = [](Severity, const std::string&) {};
  OPENQNN_TRY(
      tell_findings(path, document.text, config::check_documents({&document}, circumstances), nobody));
  return document;
}

void for_each_setting(const config::Record& record, const ExtensionRun& run,
                      const std::function<void(const Setting&)>& visit) {
  for (const config::OptionDef& option : record.section().options)
    if (!option.is_container() && record.has(option.name) && acts_in(option, run))
      visit({record, option.name});
}

}  // namespace openqnn::tools
