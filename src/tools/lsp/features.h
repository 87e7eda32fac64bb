// SPDX-License-Identifier: BSD-3-Clause
// What the server can say about an open document: functions from its analysis to the JSON of an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tools/lsp/cursor.h"
#include "tools/lsp/document.h"
#include "tools/lsp/protocol.h"

namespace openqnn::tools::lsp {

// The option that a cursor is at, key or value, and the section it stands in; null where the tables know
// none.
struct MeaningAt {
  const config::SectionDef* section = nullptr;
  const config::OptionDef* option = nullptr;
};
MeaningAt meaning_at(const Analysis& analysis, const Cursor& cursor);

// The parameters of textDocument/publishDiagnostics hold this array.
Value diagnostics(const Analysis& analysis);
Value diagnostic(const Analysis& analysis, const config::Finding& finding);

Value hover(const Analysis& analysis, const Settings& settings, Position position);  // null: nothing to say

Value completion(const Analysis& analysis, const Settings& settings, Position position);

// Quick fixes of the findings that touch `range`, and one action that mends everything. `only`, when not
// null, is the client's list of wanted kinds.
struct ActionRequest {
  std::string_view uri;
  Range range;
  const Value* only = nullptr;
};
Value code_actions(const Analysis& analysis, const Settings& settings, const ActionRequest& request);
inline constexpr std::string_view kQuickFix = "quickfix";
inline constexpr std::string_view kFixAll = "source.fixAll.openqnn";

Value format_edits(const Analysis& analysis, uint32_t indent);  // null: the text cannot be laid out

Value symbols(const Analysis& analysis, const Settings& settings, std::string_view uri);

// ---- What a client tells about itself and about the use of the configuration ----

// {soc, sdk, platform, tool, stage, graphs, strict}, or the same under the key "openqnn".
Result<config::Circumstances> read_circumstances(const Value& options);

// The encoding, Markdown and symbol trees from the parameters of `initialize`.
void read_capabilities(const Value& params, Settings& settings);

// What the server answers to `initialize`.
Value server_capabilities(const Settings& settings);

}  // namespace openqnn::tools::lsp
