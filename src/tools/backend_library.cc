// SPDX-License-Identifier: BSD-3-Clause
#include "tools/backend_library.h"

#include <dlfcn.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/text.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackendName = "libQnnHtp.so";
constexpr const char* kSystemName = "libQnnSystem.so";

// In the build tree the libraries are in ../lib; installed, off the default loader path
// (cmake/package.cmake); in a tree laid out as an SDK, two folders up (cmake/sdk_tree.cmake).
std::vector<fs::path> folders_beside_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = program.parent_path();
  return {folder / OPENQNN_BACKENDS_FROM_BIN, folder / "../lib", folder / "../../lib/x86_64-linux-clang"};
}

Result<fs::path> find_backend(const std::string& given) {
  std::error_code error;
  if (!given.empty()) {
    const fs::path path = fs::is_directory(given, error) ? fs::path(given) / kBackendName : fs::path(given);
    if (fs::exists(path, error)) return fs::absolute(path).lexically_normal();
    if (const auto found = find_library(given)) return *found;
    return system_failure("backend-missing", "there is no such backend library")
        .at(path.string())
        .fix_by("--backend takes libQnnHtp.so or its folder");
  }
  if (const auto own = find_own_library(kBackendName)) return *own;
  return system_failure("backend-missing", concat("there is no ", kBackendName, " beside this program"))
      .fix_by("build the whole project, or name the library with --backend");
}

Result<void*> open_library(const fs::path& path) {
  OPENQNN_TRY(expect_kind(path, {FileKind::kLibrary}));
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  return system_failure("backend-unloadable", loader_reason()).at(path.string());
}

// The first provider that `fits`, through the library's entry point `symbol`.
template <class Provider, class Fits>
Result<const Provider*> find_provider(void* library, const fs::path& path, const char* symbol, Fits fits) {
  using GetProviders = Qnn_ErrorHandle_t (*)(const Provider***, uint32_t*);
  const auto get = reinterpret_cast<GetProviders>(dlsym(library, symbol));
  if (get == nullptr)
    return invalid("backend-symbol", concat("this is another library: it has no ", symbol))
        .at(path.string())
        .fix_by("--backend takes libQnnHtp.so or its folder");
  const Provider** providers = nullptr;
  uint32_t count = 0;
  if (get(&providers, &count) != QNN_SUCCESS || providers == nullptr)
    return invalid("backend-providers", concat(symbol, " failed")).at(path.string());
  for (uint32_t i = 0; i < count; ++i)
    if (fits(*providers[i])) return providers[i];
  return unsupported("backend-version",
                     "the library offers no interface of a version that this program knows")
      .at(path.string());
}

std::optional<fs::path> find_in(const std::vector<fs::path>& folders, const std::string& file_name) {
  std::error_code error;
  for (const fs::path& folder : folders)
    if (fs::is_regular_file(folder / file_name, error)) return (folder / file_name).lexically_normal();
  return std::nullopt;
}

// The system library has no call that tells why another failed: it writes the reason to its logs, on the
// thread of the call. A callback gets nothing of ours to put it into.
thread_local std::array<char, 4096> g_system_error;  // nothing to destroy when a thread ends

void keep_error(const char* format, QnnLog_Level_t /*level*/, uint64_t /*timestamp*/, va_list arguments) {
  std::vsnprintf(g_system_error.data(), g_system_error.size(), format, arguments);
}

}  // namespace

std::vector<fs::path> library_folders() {
  std::vector<fs::path> folders;
  const char* const listed = std::getenv("LD_LIBRARY_PATH");
  for (const std::string_view folder : split(listed == nullptr ? "" : listed, ":"))
    if (!folder.empty()) folders.push_back(fs::absolute(folder).lexically_normal());
  for (const fs::path& folder : folders_beside_program()) folders.push_back(folder.lexically_normal());
  return folders;
}

std::optional<fs::path> find_library(const std::string& file_name) {
  if (file_name.find('/') != std::string::npos) return std::nullopt;
  return find_in(library_folders(), file_name);
}

std::optional<fs::path> find_own_library(const std::string& file_name) {
  return find_in(folders_beside_program(), file_name);
}

std::string loader_reason() {
  const char* const reason = dlerror();
  return concat("the loader says: ", reason == nullptr ? "nothing" : reason);
}

Result<std::shared_ptr<const BackendLibrary>> BackendLibrary::open(const std::string& path) {
  OPENQNN_ASSIGN(const fs::path file, find_backend(path));
  const fs::path system_file = file.parent_path() / kSystemName;
  const std::shared_ptr<BackendLibrary> library(new BackendLibrary);
  library->path_ = file.string();
  OPENQNN_ASSIGN(library->backend_, open_library(file));
  OPENQNN_ASSIGN(
      library->provider_,
      find_provider<QnnInterface_t>(
          library->backend_, file, "QnnInterface_getProviders", [](const QnnInterface_t& provider) {
            const Qnn_Version_t& core = provider.apiVersion.coreApiVersion;
            return core.major == QNN_API_VERSION_MAJOR && core.minor >= QNN_API_VERSION_MINOR;
          }));
  OPENQNN_ASSIGN(library->system_, open_library(system_file));
  OPENQNN_ASSIGN(
      library->system_provider_,
      find_provider<QnnSystemInterface_t>(library->system_, system_file, "QnnSystemInterface_getProviders",
                                          [](const QnnSystemInterface_t& provider) {
                                            const Qnn_Version_t& api = provider.systemApiVersion;
                                            return api.major == QNN_SYSTEM_API_VERSION_MAJOR &&
                                                   api.minor >= QNN_SYSTEM_API_VERSION_MINOR;
                                          }));
  OPENQNN_TRY(library->check_system(
      library->system().systemLogCreate(keep_error, QNN_LOG_LEVEL_ERROR, &library->system_log_),
      "QnnSystemLog_create"));
  return std::shared_ptr<const BackendLibrary>(library);
}

void* BackendLibrary::symbol(const char* name) const { return dlsym(backend_, name); }

Status BackendLibrary::check_system(Qnn_ErrorHandle_t code, const std::string& call) const {
  if (code == QNN_SUCCESS) return {};
  const std::string reason = g_system_error.data();
  g_system_error[0] = '\0';
  return api::failed_call(code, call, reason);
}

Result<std::string> BackendLibrary::build_id() const {
  const char* id = nullptr;
  OPENQNN_TRY(check(api().backendGetBuildId(&id), "QnnBackend_getBuildId"));
  return std::string(id);
}

Result<std::vector<std::byte>> BackendLibrary::binary_of(Qnn_ContextHandle_t context) const {
  Qnn_ContextBinarySize_t size = 0;
  OPENQNN_TRY(check(api().contextGetBinarySize(context, &size), "QnnContext_getBinarySize"));
  std::vector<std::byte> bytes(size);
  Qnn_ContextBinarySize_t written = 0;
  OPENQNN_TRY(check(api().contextGetBinary(context, bytes.data(), size, &written), "QnnContext_getBinary"));
  bytes.resize(written);
  return bytes;
}

BackendLibrary::~BackendLibrary() {
  if (system_log_ != nullptr) system().systemLogFree(system_log_);
  if (system_ != nullptr) dlclose(system_);
  if (backend_ != nullptr) dlclose(backend_);
}

// ---- Reading binaries ----

Result<BinaryInfo> BinaryInfo::read(const BackendLibrary& library, std::span<const std::byte> binary) {
  BinaryInfo made(library);
  OPENQNN_TRY(
      library.check_system(library.system().systemContextCreate(&made.handle_), "QnnSystemContext_create"));
  const Qnn_ErrorHandle_t code =
      library.system().systemContextGetMetaData(made.handle_, binary.data(), binary.size(), &made.info_);
  OPENQNN_TRY(library.check_system(code, "QnnSystemContext_getMetadata"));
  return made;
}

BinaryInfo::BinaryInfo(BinaryInfo&& other) noexcept
    : library_(other.library_), handle_(std::exchange(other.handle_, nullptr)), info_(other.info_) {}

BinaryInfo::~BinaryInfo() {
  if (handle_ != nullptr) library_->system().systemContextFree(handle_);
}

std::span<const QnnSystemContext_GraphInfo_t> BinaryInfo::graphs() const {
  switch (info_->version) {
    case QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_1:
      return {info_->contextBinaryInfoV1.graphs, info_->contextBinaryInfoV1.numGraphs};
    case QNN_SYSTEM_CONTEXT_BINARY_INFO_VERSION_2:
      return {info_->contextBinaryInfoV2.graphs, info_->contextBinaryInfoV2.numGraphs};
    default:
      return {info_->contextBinaryInfoV3.graphs, info_->contextBinaryInfoV3.numGraphs};
  }
}

}  // namespace openqnn::tools
