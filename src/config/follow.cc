// SPDX-License-Identifier: BSD-3-Clause
#include "config/follow.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "config/rule.h"

namespace openqnn::config {
namespace {

namespace fs = std::filesystem;

// ---- Which files are named ----

// A key that names a file.
struct Naming {
  Record record;
  std::string_view option;
  std::string path;
};

void add_naming(const Record& record, std::string_view option, std::vector<Naming>& out) {
  const auto path = record.text(option);
  if (path && !(*path).empty()) out.push_back({record, option, std::string(*path)});
}

std::vector<Naming> namings_of(const Config& config) {
  std::vector<Naming> namings;
  const Record root = config.root();
  if (config.kind == Kind::kTool) {
    for (const Record& extensions : root.records("backend_extensions"))
      add_naming(extensions, "config_file_path", namings);
  }
  if (config.kind == Kind::kThroughput) {
    for (const Record& test_case : root.records("testCase")) {
      for (const Record& thread : test_case.records("threads")) add_naming(thread, "backendConfig", namings);
    }
  }
  return namings;
}

// ---- Where they are ----

// A pipe is not followed: reading one would wait for whoever writes to it.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_fifo(path, ignored);
}

// Absolute on any system: "/data/x", "C:\\x", "C:/x", "\\\\server\\x".
bool is_absolute_anywhere(std::string_view path) {
  if (path.starts_with('/') || path.starts_with('\\')) return true;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return path.size() > 2 && is_letter(path[0]) && path[1] == ':' && (path[2] == '/' || path[2] == '\\');
}

// The last step of such a path; only Windows separates steps by backslashes.
std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of(path.starts_with('/') ? "/" : "/\\") + 1);
}

// As the user would write it from where we run.
std::string shown_path(const fs::path& folder, const fs::path& path) {
  return path.is_absolute() || folder.empty() ? path.string() : (folder / path).lexically_normal().string();
}

void add_elsewhere(const Naming& naming, const fs::path& found, std::vector<Finding>& out) {
  Report("inner-file-elsewhere", Severity::kWarning, out)
      .at(naming.record, naming.option,
          concat("'", naming.path,
                 "' is not in the working directory, where the real tools look, but beside this file"),
          "start the tool in the folder of this file, or write an absolute path")
      .notes.push_back(concat("checked ", found.string()));
}

void add_missing(const Naming& naming, std::vector<Finding>& out) {
  Report("inner-file-missing", Severity::kError, out)
      .at(naming.record, naming.option, concat("there is no file '", naming.path, "'"),
          "check the path; the real tools look in the directory in which they run");
}

// Only the HTP and the LPAI backend have a file; anything else in this place is a mistake.
NamedFile read_inner(const std::string& path, std::string named_by) {
  NamedFile named{read_file(path), std::move(named_by), std::nullopt};
  Document& document = named.document;
  if (!document.config) return named;
  named.kind = document.config->kind;
  if (named.kind == Kind::kHtp || named.kind == Kind::kLpai) return named;
  document = read(path, std::move(document.text), Kind::kHtp);
  const bool is_another = std::ranges::any_of(
      document.findings, [](const Finding& finding) { return finding.code == "wrong-kind"; });
  if (is_another)
    document.config.reset();  // the rules would take it for the file in whose place it stands
  else
    named.kind = Kind::kHtp;  // one whose keys are another kind's, too
  return named;
}

// A path of the machine that the file is for; its files are often kept side by side here.
void follow_elsewhere(const Document& outer, const Naming& naming, Following& out) {
  const std::string_view name = base_name(naming.path);
  const fs::path beside = fs::path(outer.name).parent_path() / name;
  if (name.empty() || !is_there(beside)) {
    out.elsewhere.push_back(naming.path);
  } else {
    out.files.push_back(read_inner(beside.string(), concat(outer.name, ", found beside it")));
  }
}

void follow_one(const Document& outer, const Naming& naming, const fs::path& folder, Following& out) {
  const fs::path inner(naming.path);
  const fs::path from_here = shown_path(folder, inner);
  if (is_there(from_here)) {
    const std::string how = inner.is_absolute() ? "" : ", relative to the working directory";
    out.files.push_back(read_inner(from_here.string(), concat(outer.name, how)));
    return;
  }
  if (is_absolute_anywhere(naming.path)) {
    follow_elsewhere(outer, naming, out);
    return;
  }
  const fs::path beside = fs::path(outer.name).parent_path() / inner;
  if (!is_there(beside)) {
    add_missing(naming, out.findings);
    return;
  }
  add_elsewhere(naming, beside, out.findings);
  out.files.push_back(read_inner(beside.string(), concat(outer.name, ", beside it")));
}

// ---- Checking ----

// A backend's file reaches these tools through another file, never by itself. That a tool does not read a
// kind of file at all is for a rule to say.
bool is_given_in_place_of_another(Tool tool, Kind kind) {
  return (kind == Kind::kHtp || kind == Kind::kLpai) && tool != Tool::kProfileViewer;
}

bool by_place(const Finding& a, const Finding& b) { return a.span.begin < b.span.begin; }

// Findings of one file that is checked with several others, each only once.
class Once {
 public:
  bool is_new(const Finding& finding) {
    return seen_.emplace(finding.span.begin, finding.span.end, finding.code, finding.path, finding.message)
        .second;
  }

 private:
  std::set<std::tuple<uint32_t, uint32_t, std::string_view, std::string, std::string>> seen_;
};

CheckedFile begin_file(const Document& document, std::string named_by) {
  CheckedFile file{.name = document.name, .text = document.text, .named_by = std::move(named_by)};
  if (document.config) file.kind = document.config->kind;
  return file;
}

// Both files and, where they meet, each other. What is new about the outer one is added to `about_outer`.
CheckedFile check_pair(const Document& outer, const NamedFile& named, const Circumstances& circumstances,
                       Once& once, std::vector<Finding>& about_outer) {
  CheckedFile file = begin_file(named.document, named.named_by);
  if (!named.document.config) {
    file.kind = named.kind;
    file.is_misplaced = named.kind.has_value();
    file.findings = check_documents({&named.document}, circumstances);
    return file;
  }
  for (Finding& finding : check_documents({&outer, &named.document}, circumstances)) {
    if (finding.kind == named.document.config->kind) {
      file.findings.push_back(std::move(finding));
    } else if (once.is_new(finding)) {
      about_outer.push_back(std::move(finding));
    }
  }
  return file;
}

// The same file by whatever path.
std::string identity(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? path : real.string();
}

// Checked files, each finding once: a file that two others name is checked with both of them.
class Collection {
 public:
  void add(CheckedFile file) {
    const auto inserted = said_.try_emplace(identity(file.name));
    Once& said = inserted.first->second;
    std::erase_if(file.findings, [&](const Finding& finding) { return !said.is_new(finding); });
    if (inserted.second || !file.findings.empty()) files_.push_back(std::move(file));
  }
  std::vector<CheckedFile> take() { return std::move(files_); }

 private:
  std::map<std::string, Once> said_;
  std::vector<CheckedFile> files_;
};

}  // namespace

Kind kind_for_tool(Tool tool) {
  constexpr std::array<Kind, kToolCount> kKinds = {Kind::kTool, Kind::kTool, Kind::kThroughput,
                                                   Kind::kOptrace};
  return kKinds[static_cast<size_t>(tool)];
}

Following follow(const Document& outer, const fs::path& folder) {
  Following following;
  if (!outer.config) return following;
  std::set<std::string> read;  // threads of a throughput test share files
  for (const Naming& naming : namings_of(*outer.config)) {
    if (read.insert(naming.path).second) follow_one(outer, naming, folder, following);
  }
  return following;
}

std::vector<Document> with_named(Document outer) {
  Following following = follow(outer, {});
  return with_named(std::move(outer), std::move(following));
}

std::vector<Document> with_named(Document outer, Following following) {
  std::vector<Document> all;
  all.push_back(std::move(outer));
  for (NamedFile& file : following.files) all.push_back(std::move(file.document));
  return all;
}

Document read_given(std::string name, std::string text, const CheckOptions& options) {
  if (options.kind) return read(std::move(name), std::move(text), options.kind);
  Document document = read(name, std::move(text));
  const auto tool = options.circumstances.tool;
  if (!tool || !document.config || !is_given_in_place_of_another(*tool, document.config->kind))
    return document;
  document = read(std::move(name), std::move(document.text), kind_for_tool(*tool));
  for (Finding& finding : document.findings) {
    if (finding.code == "wrong-kind")
      finding.notes.push_back(
          concat("to check it by itself, say what it is: --kind ", kind_def(document.config->kind).name));
  }
  return document;
}

Document read_given_file(const std::string& path, const CheckOptions& options) {
  const bool from_stdin = path == "-";
  auto text = read_text_file(from_stdin ? "/dev/stdin" : path);
  std::string name = from_stdin ? std::string(kStandardInput) : path;
  return text ? read_given(std::move(name), std::move(*text), options)
              : unreadable(std::move(name), text.error());
}

std::vector<CheckedFile> check_document(const Document& document, const CheckOptions& options) {
  return check_document(document, follow(document, options.folder), options.circumstances);
}

std::vector<CheckedFile> check_document(const Document& document, const Following& following,
                                        const Circumstances& circumstances) {
  std::vector<CheckedFile> files = {begin_file(document, {})};
  std::vector<Finding> findings;
  Once once;
  bool alone = true;
  for (const NamedFile& named : following.files) {
    files.push_back(check_pair(document, named, circumstances, once, findings));
    alone = alone && !named.document.config;
  }
  if (alone) findings = check_documents({&document}, circumstances);
  std::ranges::copy(following.findings, std::back_inserter(findings));
  std::ranges::stable_sort(findings, by_place);
  files.front().findings = std::move(findings);
  files.front().not_checked = following.elsewhere;
  return files;
}

std::vector<CheckedFile> check_file(const std::string& path, const CheckOptions& options) {
  return check_document(read_given_file(path, options), options);
}

std::vector<CheckedFile> check_files(const std::vector<std::string>& paths, const CheckOptions& options) {
  std::vector<std::vector<CheckedFile>> groups;
  std::set<std::string> named;
  for (const std::string& path : paths) {
    groups.push_back(check_file(path, options));
    for (const CheckedFile& file : groups.back()) {
      if (!file.named_by.empty() && file.kind && !file.is_misplaced) named.insert(identity(file.name));
    }
  }
  Collection collection;
  for (std::vector<CheckedFile>& group : groups) {
    if (named.contains(identity(group.front().name))) continue;
    for (CheckedFile& file : group) collection.add(std::move(file));
  }
  return collection.take();
}

}  // namespace openqnn::config
