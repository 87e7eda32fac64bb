// SPDX-License-Identifier: BSD-3-Clause
#include "config/render.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "config/input_list.h"
#include "json/edit.h"

namespace openqnn::config {
namespace {

constexpr std::array<Severity, 3> kWorstFirst = {Severity::kError, Severity::kWarning, Severity::kNote};

std::string painted(const TextStyle& style, std::string_view code, std::string_view text) {
  return style.colour ? concat("\033[", code, "m", text, "\033[0m") : std::string(text);
}

std::string_view colour_of(Severity severity) {
  static constexpr std::array<std::string_view, 3> kColours = {"1;36", "1;33", "1;31"};  // cyan, yellow, red
  return kColours.at(static_cast<size_t>(severity));
}

bool has_place(const CheckedFile& file, const Finding& finding) {
  return !finding.span.empty() && finding.span.end <= file.text.size();
}

// "a.json:3:5", or the file alone when the finding is about all of it.
std::string place_text(const CheckedFile& file, const Finding& finding, const json::LineIndex& lines) {
  if (!has_place(file, finding)) return one_line(file.name);
  const json::Position position = lines.position(finding.span.begin);
  return concat(one_line(file.name), ":", position.line, ":", position.column);
}

std::string finding_text(const CheckedFile& file, const Finding& finding, const json::LineIndex& lines,
                         const TextStyle& style) {
  std::string out =
      concat(painted(style, "1", place_text(file, finding, lines)), ": ",
             painted(style, colour_of(finding.severity), severity_name(finding.severity)), ": ",
             one_line(finding.message), " ", painted(style, "2", concat("[", finding.code, "]")), "\n");
  if (style.brief) return out;
  if (has_place(file, finding)) out += json::excerpt(lines, finding.span);
  for (const std::string& note : finding.notes) out += concat("  note: ", one_line(note), "\n");
  if (!finding.advice.empty()) out += concat("  help: ", one_line(finding.advice), "\n");
  if (finding.fix) out += concat("  fix: ", one_line(finding.fix->title), " (openqnn fix)\n");
  return out;
}

std::string counted(size_t count, std::string_view what) {
  return concat(count, " ", what, count == 1 ? "" : "s");
}

size_t count_of(const std::vector<CheckedFile>& files, Severity severity) {
  size_t count = 0;
  for (const CheckedFile& file : files)
    count += static_cast<size_t>(std::ranges::count(file.findings, severity, &Finding::severity));
  return count;
}

// "HTP backend file", each kind once.
std::string kind_words(const std::vector<CheckedFile>& files) {
  std::vector<std::string_view> titles;
  for (const CheckedFile& file : files) {
    if (!file.kind && !file.is_input_list) continue;
    const std::string_view title = file.is_input_list ? "input list" : kind_def(*file.kind).title;
    if (std::ranges::find(titles, title) == titles.end()) titles.push_back(title);
  }
  std::string out;
  for (const std::string_view title : titles) append_item(out, title);
  return out;
}

// Paths of another machine: not a mistake, but nobody should take them for checked.
std::string not_checked_text(const CheckedFile& file, std::string_view path) {
  return concat("not checked: '", path, "', which ", file.name, " names and which is not on this machine");
}

std::string summary(const std::vector<CheckedFile>& files, const TextStyle& style) {
  std::string out;
  for (const CheckedFile& file : files) {
    for (const std::string& path : file.not_checked)
      out += concat(one_line(not_checked_text(file, path)), "\n");
  }
  const std::string counts = count_words(files);
  const std::string in_files = counted(files.size(), "file");
  if (counts.empty())
    return concat(out, painted(style, "32", "clean"), ": ", in_files, " (", kind_words(files), ")\n");
  return concat(out, counts, " in ", in_files, "; `openqnn explain CODE` tells more\n");
}

void write_finding(json::Writer& out, const CheckedFile& file, const Finding& finding,
                   const json::LineIndex& lines) {
  const bool placed = has_place(file, finding);
  const json::Position position = placed ? lines.position(finding.span.begin) : json::Position{0, 0};
  out.begin_object().key("code").string(finding.code).key("severity").string(severity_name(finding.severity));
  out.key("message").string(finding.message);
  out.key("line").unsigned_integer(position.line).key("column").unsigned_integer(position.column);
  out.key("path").string(finding.path);
  if (finding.fix) out.key("fix").string(finding.fix->title);
  out.end_object();
}

// As GitHub's own toolkit escapes them; commas and colons separate properties.
std::string github_escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view github_command(Severity severity) {
  return severity == Severity::kNote ? "notice" : severity_name(severity);
}

std::string github_line(const CheckedFile& file, const Finding& finding, const json::LineIndex& lines) {
  std::string out = concat("::", github_command(finding.severity), " file=", github_escaped(file.name, true));
  if (has_place(file, finding)) {
    const json::Position position = lines.position(finding.span.begin);
    out += concat(",line=", position.line, ",col=", position.column);
  }
  out += concat(",title=", github_escaped(finding.code, true), "::", github_escaped(finding.message, false));
  if (!finding.advice.empty()) out += concat("; ", github_escaped(finding.advice, false));
  return out + "\n";
}

}  // namespace

std::string render_finding(const CheckedFile& file, const Finding& finding, const TextStyle& style) {
  return finding_text(file, finding, json::LineIndex(file.text), style);
}

std::string count_words(const std::vector<CheckedFile>& files) {
  std::string out;
  for (const Severity severity : kWorstFirst) {
    const size_t count = count_of(files, severity);
    if (count > 0) append_item(out, counted(count, severity_name(severity)));
  }
  return out;
}

std::string render_text(const std::vector<CheckedFile>& files, const TextStyle& style) {
  std::string out;
  for (const CheckedFile& file : files) {
    const json::LineIndex lines(file.text);
    if (!file.named_by.empty() && !file.findings.empty() && !style.brief)
      out += concat("In ", one_line(file.name), ", named by ", one_line(file.named_by), ":\n");
    for (const Finding& finding : file.findings) out += finding_text(file, finding, lines, style);
  }
  return style.brief ? out : out + summary(files, style);
}

std::string render_json(const std::vector<CheckedFile>& files) {
  json::Writer out;
  out.begin_object().key("files").begin_array();
  for (const CheckedFile& file : files) {
    const json::LineIndex lines(file.text);
    out.begin_object().key("file").string(file.name).key("kind");
    if (file.is_input_list) {
      out.string(kInputListName);
    } else if (file.kind) {
      out.string(kind_def(*file.kind).name);
    } else {
      out.null();
    }
    out.key("findings").begin_array();
    for (const Finding& finding : file.findings) write_finding(out, file, finding, lines);
    out.end_array();
    if (!file.not_checked.empty()) {
      out.key("not_checked").begin_array();
      for (const std::string& path : file.not_checked) out.string(path);
      out.end_array();
    }
    out.end_object();
  }
  out.end_array().end_object();
  return out.take();
}

std::string render_github(const std::vector<CheckedFile>& files) {
  std::string out;
  for (const CheckedFile& file : files) {
    const json::LineIndex lines(file.text);
    for (const Finding& finding : file.findings) out += github_line(file, finding, lines);
    for (const std::string& path : file.not_checked)
      out += concat("::notice file=", github_escaped(file.name, true),
                    "::", github_escaped(not_checked_text(file, path), false), "\n");
  }
  return out;
}

bool has_findings(const std::vector<CheckedFile>& files, Severity least) {
  return std::ranges::any_of(files, [&](const CheckedFile& file) {
    return std::ranges::any_of(file.findings,
                               [&](const Finding& finding) { return finding.severity >= least; });
  });
}

}  // namespace openqnn::config
