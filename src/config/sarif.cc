// SPDX-License-Identifier: BSD-3-Clause
// SARIF 2.1.0 (OASIS), which code scanning services and editors read.
#include <algorithm>

#include "base/text.h"
#include "config/fix.h"
#include "config/render.h"
#include "config/rule.h"

namespace openqnn::config {
namespace {

using json::Writer;

constexpr std::string_view kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

// A path as a relative or absolute URI reference: what RFC 3986 reserves or forbids is percent-encoded.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kKept = "-._~/";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || kKept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4], kHex[byte & 15u]};
    }
  }
  return out;
}

void write_message(Writer& out, std::string_view key, std::string_view text) {
  out.key(key).begin_object(Writer::Style::kInline).key("text").string(text).end_object();
}

void write_artifact(Writer& out, const CheckedFile& file) {
  out.key("artifactLocation")
      .begin_object(Writer::Style::kInline)
      .key("uri")
      .string(uri_of(file.name))
      .end_object();
}

void write_region(Writer& out, std::string_view key, const json::LineIndex& lines, json::Span span) {
  const json::Position begin = lines.position(span.begin);
  const json::Position end = lines.position(span.end);
  out.key(key).begin_object(Writer::Style::kInline);
  out.key("startLine").unsigned_integer(begin.line).key("startColumn").unsigned_integer(begin.column);
  out.key("endLine").unsigned_integer(end.line).key("endColumn").unsigned_integer(end.column).end_object();
}

// Codes in order of first appearance; results refer to them by index.
std::vector<std::string_view> codes_of(const std::vector<CheckedFile>& files) {
  std::vector<std::string_view> codes;
  for (const CheckedFile& file : files) {
    for (const Finding& finding : file.findings) {
      if (std::ranges::find(codes, finding.code) == codes.end()) codes.push_back(finding.code);
    }
  }
  return codes;
}

void write_rule(Writer& out, std::string_view code) {
  out.begin_object().key("id").string(code);
  if (const RuleDef* rule = find_rule(code)) {
    write_message(out, "shortDescription", rule->title);
    write_message(out, "fullDescription", rule->why);
    write_message(out, "help", rule->instead);
    out.key("defaultConfiguration").begin_object(Writer::Style::kInline);
    out.key("level").string(severity_name(rule->severity)).end_object();
  }
  out.end_object();
}

// Columns count characters, and a byte order mark is none: its removal cannot be said in a region.
bool can_be_said(const json::Edit& edit, const json::LineIndex& lines) {
  return !edit.text.empty() || lines.position(edit.span.begin) != lines.position(edit.span.end);
}

void write_replacement(Writer& out, const json::Edit& edit, const json::LineIndex& lines) {
  out.begin_object();
  write_region(out, "deletedRegion", lines, edit.span);
  if (!edit.text.empty()) write_message(out, "insertedContent", edit.text);
  out.end_object();
}

void write_fix(Writer& out, const CheckedFile& file, const Fix& fix, const json::LineIndex& lines) {
  const std::vector<json::Edit> edits = edits_of(file.text, fix);
  const bool sayable = !edits.empty() && std::ranges::all_of(edits, [&](const json::Edit& edit) {
    return can_be_said(edit, lines);
  });
  if (!sayable) return;
  out.key("fixes").begin_array().begin_object();
  write_message(out, "description", fix.title);
  out.key("artifactChanges").begin_array().begin_object();
  write_artifact(out, file);
  out.key("replacements").begin_array();
  for (const json::Edit& edit : edits) write_replacement(out, edit, lines);
  out.end_array().end_object().end_array().end_object().end_array();
}

void write_location(Writer& out, const CheckedFile& file, const Finding& finding,
                    const json::LineIndex& lines) {
  out.key("locations").begin_array().begin_object().key("physicalLocation").begin_object();
  write_artifact(out, file);
  if (!finding.span.empty()) write_region(out, "region", lines, finding.span);
  out.end_object();
  if (!finding.path.empty()) {
    out.key("logicalLocations").begin_array().begin_object(Writer::Style::kInline);
    out.key("fullyQualifiedName").string(finding.path).end_object().end_array();
  }
  out.end_object().end_array();
}

void write_result(Writer& out, const CheckedFile& file, const Finding& finding, const json::LineIndex& lines,
                  size_t rule_index) {
  out.begin_object().key("ruleId").string(finding.code).key("ruleIndex").unsigned_integer(rule_index);
  out.key("level").string(severity_name(finding.severity));
  write_message(out, "message",
                finding.advice.empty() ? finding.message : concat(finding.message, "; ", finding.advice));
  write_location(out, file, finding, lines);
  if (finding.fix) write_fix(out, file, *finding.fix, lines);
  out.end_object();
}

}  // namespace

std::string render_sarif(const std::vector<CheckedFile>& files, std::string_view tool_version) {
  const std::vector<std::string_view> codes = codes_of(files);
  Writer out;
  out.begin_object().key("$schema").string(kSchema).key("version").string("2.1.0");
  out.key("runs").begin_array().begin_object().key("tool").begin_object().key("driver").begin_object();
  out.key("name").string("openqnn").key("version").string(tool_version).key("rules").begin_array();
  for (const std::string_view code : codes) write_rule(out, code);
  out.end_array().end_object().end_object().key("columnKind").string("unicodeCodePoints");
  out.key("results").begin_array();
  for (const CheckedFile& file : files) {
    const json::LineIndex lines(file.text);
    for (const Finding& finding : file.findings) {
      const auto index = std::ranges::find(codes, finding.code) - codes.begin();
      write_result(out, file, finding, lines, static_cast<size_t>(index));
    }
  }
  out.end_array().end_object().end_array().end_object();
  return out.take();
}

}  // namespace openqnn::config
