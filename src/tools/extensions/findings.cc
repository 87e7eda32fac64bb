// SPDX-License-Identifier: BSD-3-Clause
#include "tools/extensions/findings.h"

#include <optional>

#include "base/text.h"
#include "config/follow.h"

namespace openqnn::tools {
namespace {

Where place_of(const std::string& file, std::string_view text, const config::Finding& finding) {
  const json::LineIndex lines(text);
  return {file, finding.span.empty() ? 0 : lines.position(finding.span.begin).line, 0};
}

Diagnostic error_of(const std::string& file, std::string_view text, const config::Finding& finding) {
  return invalid(std::string(finding.code), finding.message)
      .at(place_of(file, text, finding))
      .fix_by(finding.advice.empty() ? concat("`openqnn check ", file, "` tells more") : finding.advice);
}

}  // namespace

std::string finding_line(const std::string& file, std::string_view text, const config::Finding& finding) {
  return concat(place_of(file, text, finding).to_string(), ": ", finding.message,
                finding.advice.empty() ? "" : concat("; ", finding.advice));
}

Status tell_findings(const std::string& file, std::string_view text,
                     const std::vector<config::Finding>& findings, const TellFinding& tell) {
  std::optional<Diagnostic> first;
  for (const config::Finding& finding : findings) {
    if (finding.severity != Severity::kError) {
      tell(finding.severity, finding_line(file, text, finding));
    } else if (!first) {
      first = error_of(file, text, finding);
    } else {
      first->notes.push_back(finding_line(file, text, finding));
    }
  }
  if (first) return *std::move(first);
  return {};
}

Status check_before_use(const config::Document& document, const config::Circumstances& known,
                        const TellFinding& tell) {
  config::CheckOptions options;
  options.circumstances = known;
  for (const config::CheckedFile& file : config::check_document(document, options)) {
    OPENQNN_TRY(tell_findings(file.name, file.text, file.findings, tell));
    if (!file.not_checked.empty())
      return invalid("config-inner-file", concat("there is no file '", file.not_checked.front(),
                                                 "', which config_file_path names"))
          .at(file.name)
          .fix_by("check the path");
  }
  return {};
}

std::vector<config::Finding> findings_on_graphs(const config::Document& document,
                                                const std::vector<std::string>& graphs) {
  std::vector<config::Finding> findings = config::check_documents({&document}, {.graphs = graphs});
  std::erase_if(findings, [](const config::Finding& finding) {
    return finding.code != "graph-names-unmatched" && finding.code != "graph-not-named";
  });
  return findings;
}

}  // namespace openqnn::tools
