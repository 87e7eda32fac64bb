// SPDX-License-Identifier: BSD-3-Clause
#include "network/backend.h"

#include <dlfcn.h>

#include <mutex>

#include "base/text.h"

namespace openqnn::python {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackendName = "libQnnHtp.so";
constexpr const char* kExtensionName = "libQnnHtpNetRunExtensions.so";
constexpr const char* kTool =
    "qnn-context-binary-generator";  // whose work this package does when it compiles

// OPENQNN_BACKENDS_FROM_MODULE lists them, with ':' between, seen from the folder of this module.
std::vector<fs::path> folders_beside_module() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&open_backend), &info) == 0 || info.dli_fname == nullptr)
    return {};
  const fs::path module = fs::path(info.dli_fname).parent_path();
  std::vector<fs::path> folders;
  for (const std::string_view folder : split(OPENQNN_BACKENDS_FROM_MODULE, ":"))
    folders.push_back((module / folder).lexically_normal());
  return folders;
}

Result<std::string> find_backend() {
  std::error_code error;
  std::string searched;
  for (const fs::path& folder : folders_beside_module()) {
    if (fs::is_regular_file(folder / kBackendName, error)) return (folder / kBackendName).string();
    searched += concat(searched.empty() ? "" : ", ", folder.string());
  }
  if (const auto found = tools::find_library(kBackendName)) return found->string();
  return system_failure("backend-missing", concat("there is no ", kBackendName))
      .at(concat(searched, " and LD_LIBRARY_PATH"))
      .fix_by("install the whole project, or name its library folder in LD_LIBRARY_PATH");
}

}  // namespace

Result<std::shared_ptr<const tools::BackendLibrary>> open_backend() {
  static std::mutex mutex;
  static std::weak_ptr<const tools::BackendLibrary> shared;
  const std::lock_guard lock(mutex);
  if (auto library = shared.lock()) return library;
  OPENQNN_ASSIGN(const std::string path, find_backend());
  OPENQNN_ASSIGN(auto library, tools::BackendLibrary::open(path));
  shared = library;
  return library;
}

// ---- Options of a backend extensions file ----

Result<std::unique_ptr<BackendOptions>> BackendOptions::read(const tools::BackendLibrary& backend,
                                                             const fs::path& file) {
  std::unique_ptr<BackendOptions> made(new BackendOptions);
  const fs::path library = fs::path(backend.path()).parent_path() / kExtensionName;
  made->library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (made->library_ == nullptr) {
    const char* const reason = dlerror();
    return system_failure("extension-unloadable",
                          concat("the loader says: ", reason == nullptr ? "" : reason))
        .at(library.string())
        .fix_by("install the whole project");
  }
  const auto entry =
      reinterpret_cast<OpenQnnExtension_GetInterfaceFn_t>(dlsym(made->library_, OPENQNN_EXTENSION_ENTRY));
  made->interface_ = entry == nullptr ? nullptr : entry(OPENQNN_EXTENSION_VERSION);
  if (made->interface_ == nullptr)
    return unsupported("extension-version", "the library is of another version than this package")
        .at(library.string())
        .fix_by("install the whole project anew");
  OpenQnnExtension_Request_t request = {};
  request.configFile = file.c_str();
  request.tool = kTool;
  request.stage = OPENQNN_EXTENSION_STAGE_OFFLINE;
  request.tell = tell;
  request.listener = made.get();
  made->handle_ = made->interface_->open(&request);
  if (made->handle_ == nullptr) {
    std::string text;
    for (const std::string& line : made->errors_) text += concat(text.empty() ? "" : "\n", line);
    return invalid("compile-config", text.empty() ? "the configuration cannot be used" : text);
  }
  return made;
}

BackendOptions::~BackendOptions() {
  if (handle_ != nullptr) interface_->close(handle_);
  if (library_ != nullptr) dlclose(library_);
}

void BackendOptions::tell(void* listener, QnnLog_Level_t level, const char* line) {
  auto& options = *static_cast<BackendOptions*>(listener);
  (level == QNN_LOG_LEVEL_ERROR ? options.errors_ : options.warnings_).emplace_back(line);
}

std::vector<std::string> BackendOptions::graph_names() const {
  std::vector<std::string> names;
  for (const char* const* name = interface_->graphNames(handle_); name != nullptr && *name != nullptr; ++name)
    names.emplace_back(*name);
  return names;
}

}  // namespace openqnn::python
