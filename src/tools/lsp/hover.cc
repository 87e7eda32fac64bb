// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "config/rule.h"
#include "tools/lsp/describe.h"
#include "tools/lsp/features.h"

namespace openqnn::tools::lsp {
namespace {

// Rules that found something here. The client shows the messages itself; this adds what lies behind them.
void describe_rules(Markup& out, const Analysis& analysis, uint32_t offset) {
  std::vector<std::string_view> told;
  for (const config::Finding& finding : analysis.findings) {
    if (offset < finding.span.begin || offset >= finding.span.end) continue;
    const config::RuleDef* rule = config::find_rule(finding.code);
    if (rule == nullptr || std::find(told.begin(), told.end(), finding.code) != told.end()) continue;
    told.push_back(finding.code);
    out.rule();
    describe_rule(out, *rule);
  }
}

}  // namespace

MeaningAt meaning_at(const Analysis& analysis, const Cursor& cursor) {
  if (!analysis.kind || cursor.at == Cursor::At::kNowhere) return {};
  const config::SectionDef* section = section_at(*analysis.kind, cursor.path);
  if (section == nullptr) return {};
  if (const config::OptionDef* option = config::find_option(*section, cursor.key)) return {section, option};
  // Old HTP files have the options of all sections at the top.
  if (*analysis.kind == config::Kind::kHtp && cursor.path.empty()) {
    if (const config::FlatOption flat = config::flat_option(cursor.key); flat.option != nullptr)
      return {flat.section, flat.option};
  }
  return {section, nullptr};
}

Value hover(const Analysis& analysis, const Settings& settings, Position position) {
  const uint32_t offset = analysis.lines.offset(position);
  // A mouse is over the character behind the position, a cursor between two.
  const Cursor cursor = cursor_at(analysis.text(), offset + 1);
  const MeaningAt meaning = meaning_at(analysis, cursor);
  Markup out(settings.markdown);
  if (meaning.option != nullptr && cursor.token.kind != Token::Kind::kEnd) {
    if (cursor.at == Cursor::At::kValue) {
      describe_value(out, *meaning.option, token_text(analysis.text(), cursor.token));
      out.rule();
    }
    describe_option(out, *meaning.section, *meaning.option);
    describe_section(out, *meaning.option);
  }
  describe_rules(out, analysis, offset);
  if (out.empty()) return {};
  Value answer = object({{"contents", object({{"kind", text(settings.markdown ? "markdown" : "plaintext")},
                                              {"value", text(out.text())}})}});
  if (cursor.token.kind != Token::Kind::kEnd)
    add(answer, "range", range_json(analysis.lines.range(cursor.token.span)));
  return answer;
}

}  // namespace openqnn::tools::lsp
