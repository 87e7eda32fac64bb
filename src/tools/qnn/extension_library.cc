// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/extension_library.h"

#include <dlfcn.h>

#include "base/text.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// The library, and every place where it was looked for.
class Search {
 public:
  // Like dlopen, a path with a slash is taken as it is, and a bare name is looked for; beyond dlopen, in the
  // folders beside this program, before those of the system (where the vendor's library of the same name may
  // lie).
  void* find(const std::string& given) {
    if (given.find('/') != std::string::npos) return open(given);
    for (const fs::path& folder : library_folders()) {
      const fs::path path = folder / given;
      std::error_code error;
      if (fs::exists(path, error)) return open(path);
      looked_.push_back(concat("not there: ", path.string()));
    }
    return open(given);
  }
  const std::vector<std::string>& looked() const { return looked_; }
  // The file that was opened, or would not open.
  const std::string& found() const { return found_; }

 private:
  void* open(const fs::path& path) {
    found_ = path.string();
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) looked_.push_back(loader_reason());
    return library;
  }

  std::vector<std::string> looked_;
  std::string found_;
};

constexpr const char* kHtpExtension = "libQnnHtpNetRunExtensions.so";

// What to do about a file that is no extension library: one of the right name hides the right one.
std::string remedy(const std::string& given, const std::string& found) {
  if (given == kHtpExtension && given != found)
    return "this file was found first: take it or its folder out of LD_LIBRARY_PATH, or name the right "
           "library "
           "with its path";
  return concat("name ", kHtpExtension,
                " alone to use the one beside this program; a backend, a stub and the ",
                "vendor's library will not do");
}

// What a library tells while it reads its file.
struct Told {
  const TellFinding& tell;
  std::vector<std::string> errors;
  static void hear(void* listener, QnnLog_Level_t level, const char* line) {
    Told& told = *static_cast<Told*>(listener);
    if (level == QNN_LOG_LEVEL_ERROR)
      told.errors.emplace_back(line);
    else
      told.tell(level == QNN_LOG_LEVEL_WARN ? Severity::kWarning : Severity::kNote, line);
  }
};

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

}  // namespace

Result<std::unique_ptr<Extension>> Extension::open(const ExtensionRequest& request, const TellFinding& tell) {
  std::unique_ptr<Extension> extension(new Extension);
  OPENQNN_TRY(extension->open_library(request.library));
  OPENQNN_TRY(extension->read_file(request, tell));
  return extension;
}

Extension::~Extension() {
  if (handle_ != nullptr) interface_->close(handle_);
  if (library_ != nullptr) dlclose(library_);
}

Status Extension::open_library(const std::string& given) {
  path_ = given;
  Search search;
  library_ = search.find(given);
  if (library_ == nullptr) {
    Diagnostic failure =
        system_failure("extension-library", "Unable to initialize backend extensions: no such library opens")
            .at(search.found())
            .fix_by(remedy(given, search.found()));
    failure.notes = search.looked();
    return failure;
  }
  const auto entry =
      reinterpret_cast<OpenQnnExtension_GetInterfaceFn_t>(dlsym(library_, OPENQNN_EXTENSION_ENTRY));
  if (entry == nullptr) {
    Diagnostic failure =
        invalid("extension-symbol",
                concat("Unable to initialize backend extensions: the library has no ",
                       OPENQNN_EXTENSION_ENTRY, ", so it is no extension library of openqnn"))
            .at(search.found())
            .fix_by(remedy(given, search.found()));
    failure.notes = search.looked();
    return failure;
  }
  interface_ = entry(OPENQNN_EXTENSION_VERSION);
  if (interface_ != nullptr && interface_->version == OPENQNN_EXTENSION_VERSION) return {};
  interface_ = nullptr;
  return unsupported("extension-version",
                     concat("Unable to initialize backend extensions: the library does ", "not know version ",
                            OPENQNN_EXTENSION_VERSION, " of the interface, which this program speaks"))
      .at(given)
      .fix_by("use the library of this program's release");
}

Status Extension::read_file(const ExtensionRequest& request, const TellFinding& tell) {
  Told told{tell, {}};
  const OpenQnnExtension_Request_t asked = {or_null(request.config_file),
                                            or_null(request.tool),
                                            request.stage,
                                            or_null(request.perf_profile),
                                            Told::hear,
                                            &told};
  handle_ = interface_->open(&asked);
  if (handle_ != nullptr) return {};
  Diagnostic failure = invalid(
      "extension-file", told.errors.empty() ? "the extension library gives no reason" : told.errors[0]);
  if (told.errors.empty()) failure.where = {path_, 0, 0};
  for (size_t i = 1; i < told.errors.size(); ++i) failure.notes.push_back(told.errors[i]);
  return failure;
}

Status Extension::check_backend(const BackendLibrary& backend) const {
  if (backend.backend_id() == interface_->backendId) return {};
  return invalid("extension-backend", concat("this extension library is for the ", interface_->backendName,
                                             " backend, but ", backend.path(), " is another"))
      .at(path_)
      .fix_by("name the extension library of the backend, for HTP libQnnHtpNetRunExtensions.so");
}

std::vector<std::string> Extension::graph_names() const {
  std::vector<std::string> names;
  for (const char* const* name = interface_->graphNames(handle_); *name != nullptr; ++name)
    names.emplace_back(*name);
  return names;
}

Status Extension::vote(const BackendLibrary& backend) const {
  return backend.check(interface_->vote(handle_, &backend.api()), "setPowerConfig for the votes of the file");
}

Status Extension::lower_votes(const BackendLibrary& backend) const {
  return backend.check(interface_->lowerVotes(handle_, &backend.api()),
                       "setPowerConfig for the lower votes between stages");
}

}  // namespace openqnn::tools
