// SPDX-License-Identifier: BSD-3-Clause
// Checking a file together with the files it names: a tool file and its backend file, a throughput file and
// the HTP files of its threads. Nothing is followed further, so there are no loops.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/check.h"
#include "config/read.h"

namespace openqnn::config {

// What is said about one file.
struct CheckedFile {
  std::string name;
  std::string text = {};          // the findings' spans are places in it
  std::optional<Kind> kind = {};  // none when the text is no configuration
  bool is_input_list = false;
  bool is_misplaced = false;  // named where its kind does not belong: nothing in it was checked
  std::string named_by =
      {};  // "run.json, relative to the working directory"; empty for a file that was given
  std::vector<Finding> findings = {};
  std::vector<std::string> not_checked = {};  // paths on another machine that it names
};

struct CheckOptions {
  Circumstances circumstances;
  std::optional<Kind> kind;      // what the given file is meant to be, when the user says so
  std::filesystem::path folder;  // where relative paths start, as for the real tools; empty: where we run
};

// A file that another one names.
struct NamedFile {
  Document document;
  std::string named_by;
  std::optional<Kind> kind;  // also of a file in a wrong place, whose document has no configuration
};
struct Following {
  std::vector<NamedFile> files;
  std::vector<Finding> findings;       // about the file that names them
  std::vector<std::string> elsewhere;  // absolute paths that are not here
};
// Reads the files that `outer` names. As for the real tools a relative path starts at the working directory;
// a file that only stands beside `outer` is read all the same, with a warning. An absolute path may be one of
// the device, in its own notation: then a file of that name beside `outer` is taken for it.
Following follow(const Document& outer, const std::filesystem::path& folder);
// The file, then those it names: from where we run, or as they were followed.
std::vector<Document> with_named(Document outer);
std::vector<Document> with_named(Document outer, Following following);

// What a tool takes as its configuration: `--config_file` of qnn-net-run takes the tool file, and so on.
Kind kind_for_tool(Tool tool);

// The file first, then those it names, each with its findings.
std::vector<CheckedFile> check_document(const Document& document, const CheckOptions& options);
std::vector<CheckedFile> check_document(const Document& document, const Following& following,
                                        const Circumstances& circumstances);
// The same from a path; "-" is the standard input.
std::vector<CheckedFile> check_file(const std::string& path, const CheckOptions& options);
// Files given together: one that another names is checked there and not a second time.
std::vector<CheckedFile> check_files(const std::vector<std::string>& paths, const CheckOptions& options);

// An input list, "-" being the standard input: its form, and whether the files it names are there (from
// `folder`, as for the real tools).
CheckedFile check_input_list(const std::string& path, const std::filesystem::path& folder);

// Reads what the user gave, as the kind that options and tool expect.
Document read_given(std::string name, std::string text, const CheckOptions& options);
Document read_given_file(const std::string& path, const CheckOptions& options);

inline constexpr std::string_view kStandardInput = "<stdin>";  // its name in messages

}  // namespace openqnn::config
