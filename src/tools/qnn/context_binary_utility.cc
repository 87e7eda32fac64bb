// SPDX-License-Identifier: BSD-3-Clause
// qnn-context-binary-utility: what a context binary says of itself, as JSON.
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "program/context_binary.h"
#include "tools/file_kind.h"
#include "tools/program_options.h"
#include "tools/qnn/binary_json.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// The reader of binaries says the same without the call, and what helps.
Diagnostic unreadable(const std::string& path, std::span<const std::byte> bytes, Diagnostic answer) {
  if (auto read = program::read_context_binary(bytes, nullptr, program::DataCheck::kUnused); !read)
    answer = std::move(read).error();
  answer.where = {path};
  return answer;
}

Status run(const Args& args) {
  if (!args.has("--context_binary"))
    return invalid("option-missing", "--context_binary is required").fix_by("name the binary");
  const std::string path = args.get("--context_binary");
  const fs::path json_path = args.get("--json_file");
  std::error_code error;
  if (json_path.has_parent_path() && !fs::is_directory(json_path.parent_path(), error))
    return invalid("json-folder", "there is no such folder")
        .at(json_path.parent_path().string())
        .fix_by("--json_file needs a folder that is there; make it first");
  if (args.has("--json_file")) OPENQNN_TRY(refuse_own_input(json_path, {path}));
  OPENQNN_TRY(expect_kind(path, {FileKind::kContextBinary}));
  OPENQNN_ASSIGN(const auto library, BackendLibrary::open(""));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  auto binary = BinaryInfo::read(*library, file->bytes());
  if (!binary) return unreadable(path, file->bytes(), std::move(binary).error());
  if (!args.has("--json_file")) {
    log_info(concat(path, ": the metadata is valid, ", binary->graphs().size(),
                    binary->graphs().size() == 1 ? " graph" : " graphs"));
    return {};
  }
  OPENQNN_ASSIGN(const program::ProgramSet set,
                 program::read_context_binary(file->bytes(), file, program::DataCheck::kUnused));
  const std::string_view verb = written_verb(json_path);
  OPENQNN_TRY(write_file(json_path, std::string_view(binary_json(*binary, program::memory_needs(set)))));
  log_info(concat(verb, " ", json_path.string()));
  return {};
}

}  // namespace

Program this_program() {
  Program made;
  made.spec = {.name = "qnn-context-binary-utility",
               .summary = "Check the metadata of a context binary, and write it as JSON",
               .details = "The file of --json_file is replaced when it is there already.",
               .options = {{"--context_binary", "FILE", "the context binary (required)"},
                           {"--json_file", "FILE",
                            "where the JSON goes, in a folder that is there; without it the metadata is only "
                            "checked"}},
               .examples = {"qnn-context-binary-utility --context_binary model.bin --json_file model.json"},
               .usage = "qnn-context-binary-utility --context_binary FILE [--json_file FILE]"};
  made.refused = {{"--unified_qairt_format", "", "no public source tells its layout"}};
  made.run = run;
  return made;
}

}  // namespace openqnn::tools
