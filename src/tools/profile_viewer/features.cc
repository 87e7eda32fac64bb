// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profile_viewer/features.h"

#include "base/text.h"
#include "config/check.h"
#include "config/config.h"
#include "tools/extensions/findings.h"
#include "tools/file_kind.h"

namespace openqnn::tools {

Result<Features> Features::read(const ReaderRequest& request) {
  Features features;
  if (request.config.empty()) return features;
  OPENQNN_TRY(expect_kind(request.config, {FileKind::kJson}));
  features.document_ =
      std::make_unique<config::Document>(config::read_file(request.config, config::Kind::kOptrace));
  const config::Document& document = *features.document_;
  config::Circumstances circumstances;
  circumstances.tool = config::Tool::kProfileViewer;
  circumstances.stage = config::Stage::kReport;
  const auto tell = [&](Severity severity, const std::string& line) {
    request.tell(severity == Severity::kNote ? QNN_LOG_LEVEL_INFO : QNN_LOG_LEVEL_WARN, line);
  };
  OPENQNN_TRY(tell_findings(request.config, document.text,
                            config::check_documents({&document}, circumstances), tell));
  if (!document.config || document.config->kind != config::Kind::kOptrace)
    return invalid("config-file", "this is no file of the optrace reader")
        .at(request.config)
        .fix_by("`openqnn new --kind optrace` writes one to start from");
  return features;
}

bool Features::on(std::string_view name) const {
  if (document_)
    for (const config::Record& record : document_->config->root().records("features"))
      if (const auto value = record.boolean(name)) return *value;
  const config::OptionDef* const section = config::find_option(config::kOptraceFile, "features");
  const config::OptionDef* const option = config::find_option(*section->section, name);
  return option != nullptr && option->default_json == "true";
}

}  // namespace openqnn::tools
