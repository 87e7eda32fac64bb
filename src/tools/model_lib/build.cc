// SPDX-License-Identifier: BSD-3-Clause
#include "tools/model_lib/build.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "tools/convert/model_source.h"
#include "tools/model_lib/process.h"
#include "tools/program_options.h"
#include "tools/scratch_folder.h"

namespace openqnn::tools::model_lib {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeader = "QnnInterface.h";
// Constants beyond this size are put behind everything else: code reaches 2 GiB, and would not reach over
// them.
constexpr uint64_t kLargeBin = uint64_t{1} << 30;
// A compiler can say a lot; this much is shown.
constexpr size_t kShownOutput = 4000;

// ---- What is used ----

// A program and what is always said to it: CXX can be "ccache g++".
using Compiler = std::vector<std::string>;

Result<Compiler> find_compiler() {
  const char* const wish = std::getenv("CXX");
  if (wish != nullptr && *wish != '\0') {
    Compiler compiler;
    for (const std::string_view word : split(wish, " "))
      if (!word.empty()) compiler.emplace_back(word);
    const auto found = compiler.empty() ? std::nullopt : find_program(compiler[0]);
    if (!found)
      return system_failure("compiler-missing",
                            concat("the environment's CXX is '", wish, "', and there is no such program"))
          .fix_by("unset CXX, or let it name a compiler of C++17");
    compiler[0] = found->string();
    return compiler;
  }
  for (const char* const name : {"clang++", "g++", "c++"})
    if (const auto found = find_program(name)) return Compiler{found->string()};
  return system_failure("compiler-missing", "there is no clang++, g++ or c++ in PATH")
      .fix_by("install one, or convert with --export_format dlc: the tools take a .dlc without a compiler");
}

bool is_clang(const Compiler& compiler) {
  return std::ranges::any_of(compiler, [](const std::string& word) {
    return fs::path(word).filename().string().starts_with("clang");
  });
}

// Installed, in a tree laid out as an SDK, or as the environment says.
Result<fs::path> find_headers() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> folders = {program / "../include/QNN", program / "../../include/QNN"};
  if (const char* const root = std::getenv("QNN_SDK_ROOT"); root != nullptr && *root != '\0')
    folders.push_back(fs::path(root) / "include/QNN");
  for (const fs::path& folder : folders)
    if (fs::exists(folder / kHeader, error)) return fs::absolute(folder).lexically_normal();
  return system_failure("headers-missing",
                        concat("there is no include/QNN/", kHeader, " beside this program"))
      .fix_by("install openqnn with its headers, or set QNN_SDK_ROOT");
}

// ---- The folder to work in ----

// Beside the product, so that the finished library can be renamed to its place.
Result<ScratchFolder> work_folder(const fs::path& beside) {
  if (auto made = ScratchFolder::make(beside / ".model_lib_XXXXXX")) return *std::move(made);
  return system_failure("folder", "no folder can be made here").at(beside.string());
}

// ---- Steps ----

// Whether a converter of openqnn wrote it.
bool is_own_source(std::string_view text) { return text.find("openqnn_model_bin") != text.npos; }

// Sources of other converters need files that are not here; better said than found out by a compiler.
Status check_source(const fs::path& path, std::string_view text) {
  if (is_own_source(text) || text.find("QnnModel.hpp") == text.npos) return {};
  return unsupported("model-source", "this source needs helper files of the vendor's SDK (QnnModel.hpp)")
      .at(path.string())
      .fix_by("convert the model again with qnn-onnx-converter of openqnn");
}

// What the library would miss at the first run is better said now.
Status check_bin(const fs::path& path, const fs::path& source, std::string_view text) {
  OPENQNN_ASSIGN(const std::set<std::string> held, convert::files_in_model_bin(path));
  if (!is_own_source(text)) return {};
  for (const std::string& file : convert::files_read_by(text)) {
    if (held.contains(file)) continue;
    return invalid("model-bin",
                   concat("it has no ", file, ", which ", source.string(), " reads: it is of another model"))
        .at(path.string())
        .fix_by("give the .bin that the converter wrote with this source");
  }
  return {};
}

Result<uint64_t> size_of_bin(const fs::path& path) {
  std::error_code error;
  const uint64_t size = fs::file_size(path, error);
  if (!error) return size;
  return system_failure("model-bin", concat("the file cannot be read: ", error.message())).at(path.string());
}

// The .bin under a name that needs no quoting.
Status link_bin(const fs::path& bin, const fs::path& folder) {
  std::error_code error;
  fs::create_symlink(fs::absolute(bin), folder / "model.bin", error);
  if (!error) return {};
  return system_failure("folder", concat("no link can be made: ", error.message())).at(folder.string());
}

std::string assembly_of_bin(bool large) {
  return concat(large ? ".section .lrodata, \"al\", @progbits\n" : ".section .rodata\n",
                ".balign 64\nbegin:\n.incbin \"model.bin\"\nend:\n"
                ".section .data.rel.ro, \"aw\"\n.balign 8\n"
                ".globl openqnn_model_bin\n.hidden openqnn_model_bin\n"
                ".type openqnn_model_bin, @object\n.size openqnn_model_bin, 16\n"
                "openqnn_model_bin:\n.quad begin, end\n"
                ".section .note.GNU-stack, \"\", @progbits\n");
}

Status run_compiler(const std::vector<std::string>& words, const fs::path& folder, const fs::path& source) {
  OPENQNN_ASSIGN(const Finished finished, run_process(words, folder));
  if (finished.status == 0) return {};
  std::string said = finished.output.substr(0, kShownOutput);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  Diagnostic failure = invalid("compiler", concat("the compiler ", words[0], " ended with ", finished.status))
                           .at(source.string());
  for (const std::string_view line : split(said, "\n"))
    if (!line.empty()) failure.notes.emplace_back(line);
  return failure;
}

Status compile(const BuildRequest& request, Compiler words, const fs::path& headers, const fs::path& folder) {
  // Composing runs once, and a source can have thousands of functions: they are not worth optimising.
  for (const char* const word :
       {"-std=c++17", "-O0", "-fPIC", "-fvisibility=hidden", "-Wall", "-x", "c++", "-c"})
    words.emplace_back(word);
  words.insert(words.end(), {"-I", headers.string(), fs::absolute(request.source).string(), "-o", "model.o"});
  return run_compiler(words, folder, request.source);
}

Status assemble_bin(const BuildRequest& request, Compiler words, const fs::path& folder) {
  OPENQNN_ASSIGN(const uint64_t size, size_of_bin(request.bin));
  OPENQNN_TRY(link_bin(request.bin, folder));
  const bool large = size > kLargeBin;
  OPENQNN_TRY(write_file(folder / "bin.s", assembly_of_bin(large)));
  // Clang's own assembler does not know sections of large constants before release 17.
  if (large && is_clang(words)) words.emplace_back("-fno-integrated-as");
  words.insert(words.end(), {"-c", "bin.s", "-o", "bin.o"});
  return run_compiler(words, folder, request.bin);
}

Status link(const BuildRequest& request, Compiler words, const fs::path& folder) {
  words.insert(words.end(), {"-shared", "-Wl,-z,defs", "-o", "library.so", "model.o"});
  if (!request.bin.empty()) words.emplace_back("bin.o");
  return run_compiler(words, folder, request.source);
}

// The folder of the product. Those that were made for it go again, when nothing came into them.
class OutputFolder {
 public:
  static Result<OutputFolder> make(const fs::path& path) {
    OutputFolder folder(fs::absolute(path).lexically_normal());
    std::error_code error;
    for (fs::path at = folder.path_; !fs::exists(at, error) && at.has_relative_path(); at = at.parent_path())
      folder.made_.push_back(at);
    fs::create_directories(folder.path_, error);
    if (!error) return folder;
    return system_failure("folder", concat("the folder cannot be made: ", error.message())).at(path.string());
  }
  OutputFolder(OutputFolder&& other) noexcept = default;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder() {
    std::error_code ignored;
    for (const fs::path& folder : made_) fs::remove(folder, ignored);  // refuses one that is not empty
  }
  const fs::path& path() const { return path_; }

 private:
  explicit OutputFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
  std::vector<fs::path> made_;  // the innermost first
};

}  // namespace

Result<BuiltLibrary> build_library(const BuildRequest& request) {
  OPENQNN_ASSIGN(const std::string text, read_text_file(request.source));
  OPENQNN_TRY(check_source(request.source, text));
  if (!request.bin.empty()) OPENQNN_TRY(check_bin(request.bin, request.source, text));
  BuiltLibrary built;
  OPENQNN_ASSIGN(const Compiler compiler, find_compiler());
  OPENQNN_ASSIGN(const fs::path headers, find_headers());
  const EndingSignals signals;  // outlives the folders
  OPENQNN_ASSIGN(const OutputFolder output, OutputFolder::make(request.output / kTarget));
  OPENQNN_ASSIGN(const ScratchFolder work, work_folder(output.path()));
  OPENQNN_TRY(compile(request, compiler, headers, work.path()));
  if (!request.bin.empty()) OPENQNN_TRY(assemble_bin(request, compiler, work.path()));
  OPENQNN_TRY(link(request, compiler, work.path()));
  const std::string file = concat("lib", request.name, ".so");
  std::error_code error;
  built.path = request.output / kTarget / file;
  built.verb = written_verb(output.path() / file);
  fs::rename(work.path() / "library.so", output.path() / file, error);
  if (error)
    return system_failure("rename", concat("the library cannot be put in place: ", error.message()))
        .at(built.path.string());
  return built;
}

}  // namespace openqnn::tools::model_lib
