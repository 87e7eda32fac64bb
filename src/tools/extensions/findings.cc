// SPDX-License-Identifier: BSD-3-Clause
#include "tools/extensions/findings.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "config/follow.h"

namespace openqnn::tools {
namespace {

Where place_of(const std::string& file, const json::LineIndex& lines, const config::Finding& finding) {
  if (finding.span.empty()) return {file};
  const json::Position position = lines.position(finding.span.begin);
  return {file, position.line, position.column};
}

Diagnostic error_of(const std::string& file, const json::LineIndex& lines, const config::Finding& finding) {
  return invalid(std::string(finding.code), finding.message)
      .at(place_of(file, lines, finding))
      .fix_by(finding.advice.empty() ? concat("`openqnn check ", file, "` tells more") : finding.advice);
}

}  // namespace

std::string finding_line(const std::string& file, const json::LineIndex& lines,
                         const config::Finding& finding) {
  return concat(place_of(file, lines, finding).to_string(), ": ", finding.message,
                finding.advice.empty() ? "" : concat("; ", finding.advice));
}

Status tell_findings(const std::string& file, std::string_view text,
                     const std::vector<config::Finding>& findings, const TellFinding& tell) {
  const json::LineIndex lines(text);
  std::optional<Diagnostic> first;
  for (const config::Finding& finding : findings) {
    if (finding.severity != Severity::kError) {
      tell(finding.severity, finding_line(file, lines, finding));
    } else if (!first) {
      first = error_of(file, lines, finding);
    } else {
      first->notes.push_back(finding_line(file, lines, finding));
    }
  }
  if (first) return *std::move(first);
  return {};
}

Result<std::vector<config::Document>> check_before_use(config::Document document,
                                                       const config::Circumstances& known,
                                                       const TellFinding& tell) {
  config::Following following = config::follow(document, {});
  for (const config::CheckedFile& file : config::check_document(document, following, known)) {
    OPENQNN_TRY(tell_findings(file.name, file.text, file.findings, tell));
    if (!file.not_checked.empty())
      return invalid("config-inner-file", concat("there is no file '", file.not_checked.front(),
                                                 "', which config_file_path names"))
          .at(file.name)
          .fix_by("check the path");
  }
  return config::with_named(std::move(document), std::move(following));
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
