// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/text.h"
#include "tools/lsp/features.h"

namespace openqnn::tools::lsp {
namespace {

using config::Finding;

// More than anybody reads; a file with a million graphs could have as many findings.
constexpr size_t kMostDiagnostics = 1000;

constexpr int64_t kError = 1, kWarning = 2, kInformation = 3;  // DiagnosticSeverity
constexpr int64_t kUnnecessary = 1, kDeprecated = 2;           // DiagnosticTag

int64_t severity_number(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return kError;
    case Severity::kWarning:
      return kWarning;
    case Severity::kNote:
      return kInformation;
  }
  return kInformation;
}

std::string message_of(const Finding& finding) {
  std::string out = finding.message;
  if (!finding.advice.empty()) out += concat("; ", finding.advice);
  for (const std::string& note : finding.notes) out += concat("\n", note);
  return out;
}

// What is found about the file as a whole is shown at its first character.
json::Span shown_span(const Analysis& analysis, const Finding& finding) {
  if (!finding.span.empty() || finding.span.begin > 0) return finding.span;
  const Token first = next_token(analysis.text(), 0);
  return {first.span.begin, std::min(first.span.begin + 1, first.span.end)};
}

// The codes of rules are stable, and say in their last or first word what they are about.
std::optional<int64_t> tag_of(std::string_view code) {
  if (code.ends_with("-deprecated")) return kDeprecated;
  if (code.starts_with("ignored-") || code.ends_with("-ignored")) return kUnnecessary;
  return std::nullopt;
}

Value left_out(size_t count) {
  return object(
      {{"range", range_json({})},
       {"severity", number(kInformation)},
       {"source", text("openqnn")},
       {"message", text(concat(count, " more findings are not shown; `openqnn check` lists all"))}});
}

}  // namespace

Value diagnostic(const Analysis& analysis, const Finding& finding) {
  Value out = object({{"range", range_json(analysis.lines.range(shown_span(analysis, finding)))},
                      {"severity", number(severity_number(finding.severity))},
                      {"code", text(finding.code)},
                      {"source", text("openqnn")},
                      {"message", text(message_of(finding))}});
  if (const auto tag = tag_of(finding.code)) add(out, "tags", Value::of(json::Array{number(*tag)}));
  add(out, "data", object({{"path", text(finding.path)}, {"fixable", Value::of(finding.fix.has_value())}}));
  return out;
}

Value diagnostics(const Analysis& analysis) {
  json::Array out;
  // Clients attach a server to all JSON files; one without a single key of ours is none of our business.
  if (!analysis.kind) return Value::of(std::move(out));
  const size_t shown = std::min(analysis.findings.size(), kMostDiagnostics);
  for (size_t i = 0; i < shown; ++i) out.push_back(diagnostic(analysis, analysis.findings[i]));
  if (shown < analysis.findings.size()) out.push_back(left_out(analysis.findings.size() - shown));
  return Value::of(std::move(out));
}

}  // namespace openqnn::tools::lsp
