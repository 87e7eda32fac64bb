// SPDX-License-Identifier: BSD-3-Clause
// Quick fixes, fix all, and formatting: everything that answers with edits.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "config/fix.h"
#include "json/edit.h"
#include "tools/lsp/features.h"

namespace openqnn::tools::lsp {
namespace {

using config::Finding;

constexpr size_t kMostActions = 100;  // a menu that is longer helps nobody

// A client asks for kinds or whole families of them: "source" wants "source.fixAll.openqnn", too.
bool wanted(const Value* only, std::string_view kind) {
  if (only == nullptr || only->kind() != Value::Kind::kArray) return true;
  return std::any_of(only->as_array().begin(), only->as_array().end(), [&](const Value& item) {
    const std::string_view family = item.as_string();
    return kind == family || (kind.starts_with(family) && kind.substr(family.size()).starts_with('.'));
  });
}

bool touches(const Range& a, const Range& b) { return a.begin <= b.end && b.begin <= a.end; }

Value workspace_edit(std::string_view uri, json::Array edits) {
  return object({{"changes", object({{uri, Value::of(std::move(edits))}})}});
}

Value quick_fix(const Analysis& analysis, std::string_view uri, const Finding& finding) {
  json::Array edits;
  for (json::Edit& edit : config::edits_of(analysis.text(), *finding.fix))
    edits.push_back(edit_json(analysis.text(), analysis.lines, std::move(edit)));
  return object({{"title", text(finding.fix->title)},
                 {"kind", text(kQuickFix)},
                 {"diagnostics", Value::of(json::Array{diagnostic(analysis, finding)})},
                 {"isPreferred", Value::of(true)},
                 {"edit", workspace_edit(uri, std::move(edits))}});
}

Value fix_everything(const Analysis& analysis, const Settings& settings, std::string_view uri) {
  const auto check_text = [&](const std::string& text) {
    return Analysis(std::string(uri), text, settings).findings;
  };
  const config::Fixed fixed = config::fix_all(std::string(analysis.text()), check_text);
  if (fixed.mended.empty()) return {};
  const json::Edit edit = difference(analysis.text(), fixed.text);
  return object({{"title", text(concat("Fix all ", fixed.mended.size(), " that openqnn can fix safely"))},
                 {"kind", text(kFixAll)},
                 {"edit", workspace_edit(uri, {edit_json(analysis.text(), analysis.lines, edit)})}});
}

}  // namespace

Value code_actions(const Analysis& analysis, const Settings& settings, const ActionRequest& request) {
  json::Array out;
  bool fixable = false;
  for (const Finding& finding : analysis.findings) {
    if (!finding.fix) continue;
    fixable = true;
    if (!wanted(request.only, kQuickFix) || out.size() >= kMostActions) continue;
    if (touches(analysis.lines.range(finding.span), request.range))
      out.push_back(quick_fix(analysis, request.uri, finding));
  }
  if (fixable && wanted(request.only, kFixAll)) {
    Value all = fix_everything(analysis, settings, request.uri);
    if (!all.is_null()) out.push_back(std::move(all));
  }
  return Value::of(std::move(out));
}

Value format_edits(const Analysis& analysis, uint32_t indent) {
  const auto formatted = json::format(analysis.text(), analysis.document.name, indent);
  if (!formatted) return {};
  if (*formatted == analysis.text()) return Value::of(json::Array{});
  const json::Edit edit = difference(analysis.text(), *formatted);
  return Value::of(json::Array{edit_json(analysis.text(), analysis.lines, edit)});
}

}  // namespace openqnn::tools::lsp
