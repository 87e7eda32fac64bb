// SPDX-License-Identifier: BSD-3-Clause
#include "config/read.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "config/keys.h"

namespace openqnn::config {
namespace {

using json::Liberty;
using json::Value;

Finding error(std::string_view code, std::string message, std::string advice) {
  return {
      .code = code, .severity = Severity::kError, .message = std::move(message), .advice = std::move(advice)};
}

// The codes of the JSON room, with storage that outlives a Diagnostic.
std::string_view lasting_code(std::string_view code) {
  constexpr std::array<std::string_view, 5> kCodes = {"json-syntax", "json-utf8", "json-depth", "json-size",
                                                      "json-duplicate-key"};
  const auto* found = std::ranges::find(kCodes, code);
  return found != kCodes.end() ? *found : "file-unreadable";
}

std::string repair_title(const json::Edit& repair) {
  if (repair.span.empty()) return concat("insert '", repair.text, "'");
  return repair.text.empty() ? std::string("remove what is too much") : concat("write ", repair.text);
}

// The byte that a line and column of a diagnostic point at.
uint32_t offset_of(std::string_view text, const Where& where) {
  uint32_t offset = text.starts_with("\xef\xbb\xbf") ? 3U : 0U;  // columns begin behind the byte order mark
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
  Finding finding = error(lasting_code(diagnostic.code), diagnostic.message, diagnostic.fix);
  finding.notes = diagnostic.notes;
  if (diagnostic.where.line > 0) {
    const auto size =
        static_cast<uint32_t>(text.size());  // a text that ends too early is shown at its last byte
    const uint32_t offset = std::min(offset_of(text, diagnostic.where), size - 1);
    finding.span = {offset, offset + 1};
  }
  return finding;
}

// "$VTCM", "{SOC_ID}" or "<TODO>" without quotes; "" when there is none around `offset`.
std::string_view placeholder_at(std::string_view text, uint32_t offset) {
  for (const uint32_t begin : {offset, offset > 0 ? offset - 1 : 0}) {
    if (std::string_view("$<{%").find(text[begin]) == std::string_view::npos) continue;
    const size_t end = std::min(text.find_first_of(" \t\r\n,\":[]", begin), text.size());
    for (size_t length = end - begin; length > 1; --length) {
      const std::string_view word = text.substr(begin, length);
      if (looks_like_placeholder(word)) return word;
    }
  }
  return {};
}

// A syntax error; where a placeholder was left in the text, that is what it is.
Finding from_syntax_error(std::string_view text, const Diagnostic& diagnostic,
                          const std::optional<json::Edit>& repair) {
  Finding finding = from_diagnostic(text, diagnostic);
  const std::string_view word = placeholder_at(text, finding.span.begin);
  if (finding.code == "json-syntax" && !word.empty()) {
    finding.code = "placeholder";
    finding.message = concat("'", word, "' looks like a placeholder that was not filled in");
    finding.advice = "put the real value here";
  } else if (repair) {
    finding.fix = Fix{repair_title(*repair), {{Change::Kind::kReplace, repair->span, repair->text}}};
  }
  return finding;
}

Finding from_liberty(const Liberty& liberty) {
  // A strict check makes an error of it.
  Finding finding{.code = {}, .severity = Severity::kNote, .span = liberty.span};
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

bool is_utf16(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;
  return text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0');  // ASCII in two bytes a character
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
    if (def.kind != Kind::kCompile) append_item(out, def.title);
  }
  return out;
}

// An HTP file without sections, in which the options stand at the top.
bool looks_flat(const Value& tree) {
  return std::ranges::any_of(tree.as_object(), [](const json::Member& member) {
    return find_option(kHtpFile, member.key) == nullptr && flat_option(member.key).option != nullptr &&
           member.value.kind() != Value::Kind::kObject;
  });
}

size_t keys_known_to(const SectionDef& root, const Value& tree) {
  return static_cast<size_t>(std::ranges::count_if(tree.as_object(), [&](const json::Member& member) {
    return find_option(root, member.key) != nullptr;
  }));
}

// `graphs` is a section of two kinds; what stands in its entries tells them apart.
bool has_data_format_graphs(const Value& tree) {
  const Value* graphs = tree.find("graphs");
  if (graphs == nullptr) return false;
  const bool is_alone = tree.as_object().size() == 1;  // else "graph_name" is a slip for graph_names
  const auto is_entry = [&](const Value& entry) {
    return entry.find("tensors") != nullptr ||
           (is_alone && entry.find("graph_name") != nullptr && keys_known_to(kGraphSection, entry) == 0);
  };
  return is_entry(*graphs) || std::ranges::any_of(graphs->as_array(), is_entry);
}

bool names_tensors(const Value& tree) {
  const Value* graphs = tree.find("graphs");
  const auto has_tensors = [](const Value& entry) { return entry.find("tensors") != nullptr; };
  return graphs != nullptr && std::ranges::any_of(graphs->as_array(), has_tensors);
}

// The options of the optrace reader without their `features` wrapper.
bool has_bare_features(const Value& tree) {
  const OptionDef* features = find_option(kOptraceFile, "features");
  return features != nullptr && features->section != nullptr && keys_known_to(*features->section, tree) > 0;
}

// A backend's file is named by the tool file, and by that of qnn-throughput-net-run, which reads no tool
// file.
std::string_view place_for(const KindDef& found, const KindDef& expected) {
  const bool is_backends = found.kind == Kind::kHtp || found.kind == Kind::kLpai;
  if (is_backends && expected.kind == Kind::kThroughput)
    return "testCase.threads[].backendConfig of a throughput test file";
  return found.goes_to;
}

Finding wrong_kind(const KindDef& expected, const KindDef& found) {
  Finding finding = error("wrong-kind",
                          concat("this is the ", found.title, ", where the ", expected.title,
                                 " belongs; the real tools ignore it or refuse it"),
                          concat("name this file in ", place_for(found, expected)));
  finding.kind = expected.kind;
  return finding;
}

Finding unknown_kind(const Value& tree) {
  Finding finding =
      error("unknown-kind", "none of the keys at the top belongs to a configuration file of a QNN tool",
            concat("known are: ", list_of_kinds(), "; `openqnn new` makes a file to start from"));
  constexpr size_t kMostKeys = 64;  // a file with more is another thing altogether
  const auto& members = tree.as_object();
  for (size_t i = 0; i < std::min(members.size(), kMostKeys); ++i) {
    const std::string_view meant = nearest_section(members[i].key);
    if (meant.empty()) continue;
    finding.span = members[i].key_span;
    finding.path = members[i].key;
    finding.advice = concat("did you mean '", meant, "'?");
    finding.fix = Fix{concat("rename to ", meant),
                      {{Change::Kind::kReplace, members[i].key_span, concat("\"", meant, "\"")}}};
    break;
  }
  return finding;
}

// Decides what the tree is; leaves a finding when it is nothing we know.
void take_kind(Document& document, Value tree, std::optional<Kind> expected) {
  auto found = detect_kind(tree);
  const bool only_graphs = expected == Kind::kHtp && found == Kind::kDataFormat && !names_tensors(tree);
  if (only_graphs) found = expected;  // the user knows better than a single key
  if (looks_like_schema(tree)) {
    document.findings.push_back(
        error("pasted-schema", "this is a JSON Schema that describes a configuration, not one",
              "write the keys under \"properties\" with values; `openqnn new` makes a file to start from"));
    return;
  }
  if (!found && !tree.as_object().empty()) {
    document.findings.push_back(unknown_kind(tree));
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
  if (tree.find("backend_extensions") != nullptr) return Kind::kTool;  // whatever else was put beside it
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
  if (is_utf16(document.text)) {
    document.findings.push_back(
        error("json-utf8", "the file is UTF-16, not UTF-8", "save the file as UTF-8"));
    return document;
  }
  const size_t mark = document.text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  if (document.text.find_first_not_of(" \t\r\n", mark) == std::string::npos) {
    document.findings.push_back(error("empty-file", "the file is empty",
                                      "write at least {}; `openqnn new` makes a file to start from"));
    return document;
  }
  json::LenientNotes notes;
  auto tree = json::parse_lenient(document.text, document.name, notes);
  if (!tree) {
    document.findings.push_back(from_syntax_error(document.text, tree.error(), notes.repair));
    return document;
  }
  for (const Liberty& liberty : notes.liberties) document.findings.push_back(from_liberty(liberty));
  if (tree->kind() != Value::Kind::kObject) {
    document.findings.push_back(error("not-an-object",
                                      "a configuration is a JSON object, {…}, and this is not",
                                      "put braces around the keys"));
    return document;
  }
  if (const size_t count = graph_count(*tree); count > kMostGraphs) {
    document.findings.push_back(
        error("too-many-graphs", concat("the file has ", count, " graph entries; ", kMostGraphs, " are read"),
              "list several names in one entry's graph_names"));
    return document;
  }
  take_kind(document, std::move(*tree), expected);
  const Kind kind = document.config ? document.config->kind : expected.value_or(Kind::kHtp);
  for (Finding& finding : document.findings) finding.kind = kind;
  return document;
}

Document unreadable(std::string name, const Diagnostic& why) {
  Document document;
  document.name = std::move(name);
  document.findings.push_back(error("file-unreadable", why.message, why.fix));
  return document;
}

Document read_file(const std::string& path, std::optional<Kind> expected) {
  auto text = read_text_file(path);
  return text ? read(path, std::move(*text), expected) : unreadable(path, text.error());
}

}  // namespace openqnn::config
