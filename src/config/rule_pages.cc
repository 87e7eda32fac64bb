// SPDX-License-Identifier: BSD-3-Clause
#include "config/rule_pages.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "config/render.h"

namespace openqnn::config {
namespace {

bool is_about_compile_config(const RuleDef& rule) {
  return std::ranges::any_of(compile_rules(), [&](const RuleDef& each) { return each.code == rule.code; });
}

// ---- Examples ----

Document compile_document(std::string_view text) {
  Document document;
  document.name = "CompileConfig";
  document.text = text;
  auto tree = json::parse(text, document.name);
  if (!tree) return document;
  Config& config = document.config.emplace();
  config.kind = Kind::kCompile;
  config.tree = *std::move(tree);
  bind(config);
  return document;
}

// The name that the example's outer file, if any, gives the inner one.
std::string inner_name(const Document& outer) {
  const size_t begin = outer.text.find("backend.json");
  return begin != std::string::npos ? "backend.json" : "htp.json";
}

CheckedFile checked(const Document& document, const std::vector<Finding>& findings) {
  CheckedFile file{.name = document.name, .text = document.text};
  if (document.config) file.kind = document.config->kind;
  for (const Finding& finding : findings) {
    if (!file.kind || finding.kind == *file.kind) file.findings.push_back(finding);
  }
  return file;
}

std::string file_block(std::string_view name, std::string_view text) {
  const bool ends = text.ends_with('\n');
  return concat("`", name, "`:\n\n```json\n", text, ends ? "" : "\n", "```\n\n");
}

// Bytes that are no text cannot be shown.
bool is_showable(std::string_view text) {
  return !text.empty() && std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte < ' ' && c != '\n');
  });
}

std::string example_text(const RuleDef& rule, const Example& example) {
  const bool compile = is_about_compile_config(rule);
  std::string out = file_block(compile ? "CompileConfig" : "config.json", example.text);
  if (!example.inner.empty())
    out += file_block(compile ? "htp.json" : check_example(rule, example).back().name, example.inner);
  return out;
}

std::string_view command_prefix(const RuleDef& rule) {
  return is_about_compile_config(rule) ? "" : "$ openqnn check config.json";
}

std::string example_section(const RuleDef& rule) {
  if (!is_showable(rule.bad.text)) return "This has no example that could be printed.\n\n";
  std::string out = example_text(rule, rule.bad);
  const auto files = check_example(rule, rule.bad);
  std::string said;
  for (const CheckedFile& file : files) {
    for (const Finding& finding : file.findings) {
      if (finding.code == rule.code) said += render_finding(file, finding);
    }
  }
  if (said.empty()) return out;
  const std::string flags = rule.bad.flags.empty() ? "" : concat(" ", rule.bad.flags);
  const std::string command = command_prefix(rule).empty() ? "" : concat(command_prefix(rule), flags, "\n");
  return concat(out, "```text\n", command, said, "```\n\n");
}

std::string near_miss_section(const RuleDef& rule) {
  if (!is_showable(rule.good.text)) return "";
  const std::string flags = rule.good.flags.empty() ? "" : concat(", with `", rule.good.flags, "`");
  return concat("The rule is silent about this", flags, ":\n\n", example_text(rule, rule.good));
}

bool has_fix(const RuleDef& rule) {
  for (const CheckedFile& file : check_example(rule, rule.bad)) {
    for (const Finding& finding : file.findings) {
      if (finding.code == rule.code && finding.fix) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<CheckedFile> check_example(const RuleDef& rule, const Example& example) {
  auto circumstances = parse_circumstances(example.flags);
  if (!circumstances) return {};
  CheckOptions options;
  options.circumstances = *std::move(circumstances);
  std::vector<Document> documents;
  documents.push_back(is_about_compile_config(rule)
                          ? compile_document(example.text)
                          : read_given("config.json", std::string(example.text), options));
  if (!example.inner.empty())
    documents.push_back(read(inner_name(documents.front()), std::string(example.inner)));
  std::vector<const Document*> all;
  for (const Document& document : documents) all.push_back(&document);
  const auto findings = check_documents(all, options.circumstances);
  std::vector<CheckedFile> files;
  for (const Document& document : documents) files.push_back(checked(document, findings));
  return files;
}

std::string rule_page(const RuleDef& rule) {
  std::string out = concat("# ", rule.code, "\n\nSeverity: ", severity_name(rule.severity),
                           ".\n\n## What it does\n\n", rule.title, "\n\n");
  out += concat("## Why it matters\n\n", rule.why, "\n\n## Example\n\n", example_section(rule));
  out += concat("## Do this instead\n\n", rule.instead, "\n\n", near_miss_section(rule));
  out += concat("## Where it comes from\n\n", rule.source, "\n\n## Fix\n\n");
  out += has_fix(rule) ? "`openqnn fix` mends it.\n" : "There is no automatic fix.\n";
  return out;
}

std::string rules_index() {
  std::string out =
      "# Rules of `openqnn check`\n\n"
      "Each rule has a stable code, an example that is run as a test, and its source.\n";
  for (const RuleGroup& group : rule_groups()) {
    out += concat("\n## ", group.title, "\n\n| Code | Severity | What it finds |\n| --- | --- | --- |\n");
    for (const RuleDef* rule : group.rules)
      out += concat("| [", rule->code, "](", rule->code, ".md) | ", severity_name(rule->severity), " | ",
                    rule->title, " |\n");
  }
  return out;
}

}  // namespace openqnn::config
