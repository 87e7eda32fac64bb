// SPDX-License-Identifier: BSD-3-Clause
#include "config/read.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/files.h"
#include "base/text.h"

namespace openqnn::config {
namespace {

using json::Liberty;
using json::Value;

Finding reading_finding(std::string_view code, Severity severity, std::string message, std::string advice) {
  Finding finding;
  finding.code = code;
  finding.severity = severity;
  finding.message = std::move(message);
  finding.advice = std::move(advice);
  return finding;
}

// The codes of the JSON room, with storage that outlives a Diagnostic.
std::string_view lasting_code(std::string_view code) {
  constexpr std::array<std::string_view, 5> kCodes = {"json-syntax", "json-utf8", "json-depth", "json-size",
                                                      "json-duplicate-key"};
  const auto* found = std::find(kCodes.begin(), kCodes.end(), code);
  return found != kCodes.end() ? *found : "file-unreadable";
}

// The byte that a line and column of a diagnostic point at.
uint32_t offset_of(std::string_view text, const Where& where) {
  uint32_t offset = 0;
  for (uint32_t line = 1; line < where.line; ++line) {
    const size_t end = text.find('\n', offset);
    if (end == std::string_view::npos) return static_cast<uint32_t>(text.size());
    offset = static_cast<uint32_t>(end + 1);
  }
  for (uint32_t column = 1; column < where.column && offset < text.size(); ++column) {
    ++offset;  // over the first byte, and over those that only continue a character
    while (offset < text.size() && (static_cast<uint8_t>(text[offset]) & 0xc0) == 0x80) ++offset;
  }
  return offset;
}

Finding from_diagnostic(std::string_view text, const Diagnostic& diagnostic) {
  Finding finding =
      reading_finding(lasting_code(diagnostic.code), Severity::kError, diagnostic.message, diagnostic.fix);
  finding.notes = diagnostic.notes;
  if (diagnostic.where.line > 0) {
    const uint32_t offset = offset_of(text, diagnostic.where);
    finding.span = {offset, std::min<uint32_t>(offset + 1, static_cast<uint32_t>(text.size()))};
  }
  return finding;
}

Finding from_liberty(const Liberty& liberty) {
  Finding finding;
  finding.severity = Severity::kNote;  // an error in a strict check
  finding.span = liberty.span;
  switch (liberty.kind) {
    case Liberty::Kind::kByteOrderMark:
      finding.code = "byte-order-mark";
      finding.message = "the file starts with a byte order mark, which JSON does not have";
      finding.fix = Fix{"remove the byte order mark", {{Change::Kind::kReplace, liberty.span}}};
      break;
    case Liberty::Kind::kComment:
      finding.code = "comment";
      finding.message = "a comment, which strict JSON does not have";
      break;
    case Liberty::Kind::kTrailingComma:
      finding.code = "trailing-comma";
      finding.message = "a comma before the closing bracket, which strict JSON does not allow";
      finding.fix = Fix{"remove the comma", {{Change::Kind::kReplace, liberty.span}}};
      break;
  }
  return finding;
}

// A pasted JSON Schema: {"type": "object", "properties": …} at the top.
bool looks_like_schema(const Value& tree) {
  const Value* properties = tree.find("properties");
  return properties != nullptr && properties->kind() == Value::Kind::kObject &&
         (tree.find("type") != nullptr || tree.find("$schema") != nullptr);
}

size_t graph_count(const Value& tree) {
  const Value* graphs = tree.find("graphs");
  return graphs != nullptr ? graphs->as_array().size() : 0;
}

std::string list_of_kinds() {
  std::string out;
  for (const KindDef& def : kinds()) {
    if (def.kind == Kind::kCompile) continue;
    if (!out.empty()) out += ", ";
    out += def.title;
  }
  return out;
}

// An HTP file without sections, in which the options stand at the top.
bool looks_flat(const Value& tree) {
  const auto& members = tree.as_object();
  return std::any_of(members.begin(), members.end(), [](const json::Member& member) {
    return find_option(kHtpFile, member.key) == nullptr && flat_option(member.key).option != nullptr &&
           member.value.kind() != Value::Kind::kObject;
  });
}

size_t keys_known_to(const SectionDef& root, const Value& tree) {
  const auto& members = tree.as_object();
  return static_cast<size_t>(std::count_if(members.begin(), members.end(), [&](const json::Member& member) {
    return find_option(root, member.key) != nullptr;
  }));
}

// `graphs` is a section of two kinds; what stands in its entries tells them apart.
bool has_data_format_graphs(const Value& tree) {
  const Value* graphs = tree.find("graphs");
  if (graphs == nullptr) return false;
  const auto is_entry = [](const Value& entry) {
    return entry.find("tensors") != nullptr || entry.find("graph_name") != nullptr;
  };
  const auto& entries = graphs->as_array();
  return is_entry(*graphs) || std::any_of(entries.begin(), entries.end(), is_entry);
}

// The options of the optrace reader without their `features` wrapper.
bool has_bare_features(const Value& tree) {
  const OptionDef* features = find_option(kOptraceFile, "features");
  return features != nullptr && features->section != nullptr && keys_known_to(*features->section, tree) > 0;
}

Finding wrong_kind(const KindDef& expected, const KindDef& found) {
  Finding finding = reading_finding("wrong-kind", Severity::kError,
                                    concat("this is the ", found.title, ", where the ", expected.title,
                                           " belongs; the real tools ignore it or refuse it"),
                                    concat("name this file in ", found.goes_to));
  finding.kind = expected.kind;
  return finding;
}

// Decides what the tree is; leaves a finding when it is nothing we know.
void take_kind(Document& document, Value tree, std::optional<Kind> expected) {
  const auto found = detect_kind(tree);
  if (looks_like_schema(tree)) {
    document.findings.push_back(reading_finding(
        "pasted-schema", Severity::kError, "this is a JSON Schema that describes a configuration, not one",
        "write the keys under \"properties\" with values; `openqnn new` makes a file to start from"));
    return;
  }
  if (!found && !tree.as_object().empty()) {
    document.findings.push_back(reading_finding(
        "unknown-kind", Severity::kError,
        "none of the keys at the top belongs to a configuration file of a QNN tool",
        concat("known are: ", list_of_kinds(), "; `openqnn new` makes a file to start from")));
    if (!expected) return;
  }
  if (expected && found && *found != *expected)
    document.findings.push_back(wrong_kind(kind_def(*expected), kind_def(*found)));
  Config config;
  config.kind = found.value_or(expected.value_or(Kind::kHtp));
  config.flat = config.kind == Kind::kHtp && looks_flat(tree) && keys_known_to(kHtpFile, tree) == 0;
  config.tree = std::move(tree);
  bind(config);
  document.config = std::move(config);
}

}  // namespace

std::optional<Kind> detect_kind(const Value& tree) {
  if (has_data_format_graphs(tree)) return Kind::kDataFormat;
  std::optional<Kind> best;
  size_t most = 0;
  for (const KindDef& def : kinds()) {
    if (def.kind == Kind::kCompile) continue;
    const size_t known = keys_known_to(*def.root, tree);
    if (known > most) {
      most = known;
      best = def.kind;
    }
  }
  if (best) return best;
  if (looks_flat(tree)) return Kind::kHtp;
  if (has_bare_features(tree)) return Kind::kOptrace;
  return std::nullopt;
}

Document read(std::string name, std::string text, std::optional<Kind> expected) {
  Document document;
  document.name = std::move(name);
  document.text = std::move(text);
  if (document.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    document.findings.push_back(
        reading_finding("empty-file", Severity::kError, "the file is empty",
                        "write at least {}; `openqnn new` makes a file to start from"));
    return document;
  }
  json::LenientNotes notes;
  auto tree = json::parse_lenient(document.text, document.name, notes);
  if (!tree) {
    Finding finding = from_diagnostic(document.text, tree.error());
    if (notes.repair)
      finding.fix =
          Fix{"mend the syntax", {{Change::Kind::kReplace, notes.repair->span, notes.repair->text}}};
    document.findings.push_back(std::move(finding));
    return document;
  }
  for (const Liberty& liberty : notes.liberties) document.findings.push_back(from_liberty(liberty));
  if (tree->kind() != Value::Kind::kObject) {
    document.findings.push_back(reading_finding("not-an-object", Severity::kError,
                                                "a configuration is a JSON object, {…}, and this is not",
                                                "put braces around the keys"));
    return document;
  }
  if (const size_t count = graph_count(*tree); count > kMostGraphs) {
    document.findings.push_back(
        reading_finding("too-many-graphs", Severity::kError,
                        concat("the file has ", count, " graph entries; ", kMostGraphs, " are read"),
                        "list several names in one entry's graph_names"));
    return document;
  }
  take_kind(document, std::move(*tree), expected);
  const Kind kind = document.config ? document.config->kind : expected.value_or(Kind::kHtp);
  for (Finding& finding : document.findings) finding.kind = kind;
  return document;
}

Document read_file(const std::string& path, std::optional<Kind> expected) {
  auto text = read_text_file(path);
  if (text) return read(path, std::move(*text), expected);
  Document document;
  document.name = path;
  document.findings.push_back(
      reading_finding("file-unreadable", Severity::kError, text.error().message, text.error().fix));
  return document;
}

}  // namespace openqnn::config
