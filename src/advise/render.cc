// SPDX-License-Identifier: BSD-3-Clause
#include "advise/render.h"

#include <algorithm>
#include <cmath>

#include "advise/advice_files.h"
#include "advise/rule.h"
#include "base/text.h"
#include "json/json.h"
#include "profile/text_table.h"

namespace openqnn::advise {
namespace {

std::string words(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += concat(text.empty() ? "'" : ", '", one_line(name), "'");
  return text;
}

std::string op_line(const OpEvidence& op) {
  const bool is_same = op.nodes.size() == 1 && op.nodes[0] == op.op;
  return concat("      ", one_line(op.op), " (", one_line(op.type),
                is_same || op.nodes.empty() ? "" : concat(", from ", words(op.nodes)), ")  ",
                percent(op.share), "\n");
}

std::string signed_percent(const Effect& effect) {
  const auto tenths = static_cast<int64_t>(std::llround(10 * effect.percent()));
  const int64_t size = std::abs(tenths);
  return concat(tenths < 0 ? "-" : tenths > 0 ? "+" : "", size / 10, ".", size % 10, " %");
}

std::string effect_line(const Effect& effect) {
  return concat("    effect: ", signed_percent(effect), " simulated, ", micros(effect.before_us), " -> ",
                micros(effect.after_us), " us on the accelerator (", one_line(effect.change), ")\n");
}

std::string finding_text(const Finding& finding, bool several_graphs) {
  std::string out =
      concat(level_name(finding.level), ": ", one_line(finding.message), " [", finding.id, "]\n");
  if (!finding.where.empty()) out = concat(one_line(finding.where), ": ", out);
  if (several_graphs && !finding.graph.empty()) out = concat("graph '", one_line(finding.graph), "': ", out);
  for (const OpEvidence& op : finding.ops) out += op_line(op);
  if (finding.op_count > finding.ops.size())
    out += concat("      and ", finding.op_count - finding.ops.size(), " more\n");
  if (!finding.advice.empty()) out += concat("    help: ", one_line(finding.advice), "\n");
  for (const Effect& effect : finding.effects) out += effect_line(effect);
  if (!finding.why_not_simulated.empty())
    out += concat("    effect: not simulated: ", one_line(finding.why_not_simulated), "\n");
  return out + concat("    from: ", finding.source, "\n");
}

std::string summary(const std::vector<Finding>& findings) {
  if (findings.empty()) return "Nothing to advise.\n";
  return concat(count_words(findings), "; `openqnn advise --explain ID` tells more of one\n");
}

void write_finding(json::Writer& out, const Finding& finding) {
  out.begin_object().key("id").string(finding.id).key("severity").string(level_name(finding.level));
  if (!finding.graph.empty()) out.key("graph").string(finding.graph);
  if (!finding.where.empty()) out.key("where").string(finding.where);
  out.key("message").string(finding.message).key("advice").string(finding.advice);
  out.key("source").string(finding.source);
  out.key("op_count").unsigned_integer(finding.op_count).key("ops").begin_array();
  for (const OpEvidence& op : finding.ops) {
    out.begin_object().key("op").string(op.op).key("type").string(op.type).key("nodes");
    out.begin_array(json::Writer::Style::kInline);
    for (const std::string& node : op.nodes) out.string(node);
    out.end_array().key("share").number(op.share).end_object();
  }
  out.end_array().key("effects").begin_array();
  for (const Effect& effect : finding.effects) {
    out.begin_object().key("change").string(effect.change);
    out.key("before_us").number(effect.before_us).key("after_us").number(effect.after_us);
    out.key("percent").number(effect.percent()).end_object();
  }
  out.end_array();
  if (!finding.why_not_simulated.empty()) out.key("not_simulated").string(finding.why_not_simulated);
  out.end_object();
}

std::string anchor(std::string_view id) {
  std::string made(id);
  for (char& c : made)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return made;
}

std::string sentence(std::string_view text) {
  std::string made(text);
  if (!made.empty() && made[0] >= 'a' && made[0] <= 'z') made[0] = static_cast<char>(made[0] - 'a' + 'A');
  if (!made.ends_with('.')) made += '.';
  return made;
}

}  // namespace

std::string count_words(const std::vector<Finding>& findings) {
  std::string text;
  for (const Level level : {Level::kError, Level::kWarning, Level::kNote, Level::kInfo}) {
    const auto count = static_cast<size_t>(std::ranges::count(findings, level, &Finding::level));
    if (count == 0) continue;
    const std::string name(level_name(level));
    append_item(text, level == Level::kInfo ? concat(count, " info") : counted(count, name, name + "s"));
  }
  return text;
}

std::string advice_text(const Advice& advice) {
  std::string out =
      concat("Advice on ", one_line(advice.model), ", ", advice.precision, " on ", advice.soc, "\n");
  for (const Advice::GraphTimes& graph : advice.graphs)
    out += concat("  '", one_line(graph.graph), "': accelerator ", micros(graph.accelerator_us), " us, call ",
                  micros(graph.client_us), " us; SIMULATED, ", profile::error_band_text(advice.error_band),
                  "\n");
  for (const std::string& note : advice.notes) out += concat("  Note: ", one_line(note), "\n");
  out += "\n";
  for (const Finding& finding : advice.findings)
    out += concat(finding_text(finding, advice.graphs.size() > 1), "\n");
  return out + summary(advice.findings);
}

std::string advice_json(const Advice& advice) {
  json::Writer out;
  out.begin_object().key("model").string(advice.model).key("soc").string(advice.soc);
  out.key("precision").string(advice.precision);
  out.key("timing_model").begin_object().key("name").string(advice.timing);
  out.key("error_band").number(advice.error_band).end_object();
  out.key("graphs").begin_array();
  for (const Advice::GraphTimes& graph : advice.graphs) {
    out.begin_object().key("graph").string(graph.graph);
    out.key("accelerator_us").number(graph.accelerator_us);
    out.key("latency_us").number(graph.client_us).end_object();
  }
  out.end_array().key("findings").begin_array();
  for (const Finding& finding : advice.findings) write_finding(out, finding);
  out.end_array().key("notes").begin_array();
  for (const std::string& note : advice.notes) out.string(note);
  out.end_array().end_object();
  return out.take();
}

std::string_view advice_schema() { return kAdviceFiles[0].text; }

// ---- Rules ----

std::string rules_page() {
  std::string out =
      "<!-- Generated by scripts/advise_page from the rules in src/advise. Do not edit. -->\n\n"
      "# Advice: the rules of `openqnn advise`\n\n"
      "`openqnn advise MODEL` prepares a model for a part, simulates it, and names what the vendor's "
      "documents\n"
      "recommend for or against, with the ops it sees it by. Where the change can be made to the graph or to "
      "an\n"
      "option, it is made and simulated as well. All times are simulated. [The command line](cli.md#advise) "
      "has\n"
      "its options; a configuration (`--config`) is checked by the rules of `openqnn check`\n"
      "([docs/rules](rules/README.md)), whose findings stand in the same list.\n\n"
      "Thresholds are ours where nothing else is said. Severities: info (worth a thought), note (costs "
      "time,\n"
      "energy or memory), warning (the documents advise against it), error (of a configuration alone). What "
      "the\n"
      "documents advise against and the simulation shows no gain for is info, and where the change would "
      "cost\n"
      "time, its help says so. A change of less than 0.5 % is no effect. Nothing is said of what ops take in "
      "a\n"
      "model that is all overhead: where starting ops and setting up transfers bounds more than 98 % of "
      "the\n"
      "time.\n\n"
      "    openqnn advise model.onnx --soc SM8550\n"
      "    openqnn advise model.onnx --config htp.json --format json --fail_on warning\n";
  for (const RuleGroup& group : rule_groups()) {
    out += concat("\n## ", group.title, "\n\n| Id | Severity | What it finds |\n| --- | --- | --- |\n");
    for (const RuleDef& rule : group.rules())
      out += concat("| [", rule.id, "](#", anchor(rule.id), ") | ", level_name(rule.level), " | ", rule.title,
                    " |\n");
    for (const RuleDef& rule : group.rules()) {
      out += concat("\n### ", rule.id, "\n\n", rule.title, "\n\n", rule.why, "\n\n");
      out += concat("    ", rule.bad, "   # found\n    ", rule.good, "   # instead\n\n");
      out += concat("- When: ", rule.when, ".\n- Instead: ", rule.instead, ".\n");
      out += concat("- Simulated: ", rule.effect.empty() ? "nothing" : rule.effect, ".\n");
      out += concat("- From: ", rule.source, ".\n");
    }
  }
  return out;
}

std::string rule_text(const RuleDef& rule) {
  return concat(rule.id, " (", level_name(rule.level), ")\n  ", rule.title, "\n\n  ", rule.why,
                "\n\n  Found in:  ", rule.bad, "\n  Not in:    ", rule.good,
                "\n\n  When:      ", sentence(rule.when), "\n  Instead:   ", sentence(rule.instead),
                "\n  Simulated: ", sentence(rule.effect.empty() ? "nothing" : rule.effect),
                "\n  From:      ", sentence(rule.source), "\n");
}

}  // namespace openqnn::advise
