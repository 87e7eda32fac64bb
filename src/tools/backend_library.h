// SPDX-License-Identifier: BSD-3-Clause
// The backend and system libraries, opened as every client opens them: dlopen and the provider list.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "QnnInterface.h"
#include "System/QnnSystemInterface.h"
#include "api/compose.h"
#include "base/result.h"

namespace openqnn::tools {

// Where a client's loader and this program look for a library: the folders of LD_LIBRARY_PATH, then those
// beside this program.
std::vector<std::filesystem::path> library_folders();
// A library by its bare file name, in those folders.
std::optional<std::filesystem::path> find_library(const std::string& file_name);
// The same beside this program alone, whatever LD_LIBRARY_PATH says.
std::optional<std::filesystem::path> find_own_library(const std::string& file_name);
// "the loader says: ...", after a dlopen that failed.
std::string loader_reason();

using api::check_call;

class BackendLibrary {
 public:
  // `path` is libQnnHtp.so or its folder, or a bare file name for find_library; empty: beside this program.
  // libQnnSystem.so is taken from the same folder.
  static Result<std::shared_ptr<const BackendLibrary>> open(const std::string& path);
  ~BackendLibrary();
  BackendLibrary(const BackendLibrary&) = delete;
  BackendLibrary& operator=(const BackendLibrary&) = delete;

  const std::string& path() const { return path_; }
  uint32_t backend_id() const { return provider_->backendId; }
  const Qnn_ApiVersion_t& api_version() const { return provider_->apiVersion; }
  const QnnInterface_ImplementationV2_39_t& api() const { return provider_->v2_39; }
  const QnnSystemInterface_ImplementationV1_14_t& system() const { return system_provider_->v1_14; }

  Result<std::string> build_id() const;
  Result<std::vector<std::byte>> binary_of(Qnn_ContextHandle_t context) const;

  // A function that is no part of QNN's API; null where the library is another's.
  void* symbol(const char* name) const;

  Status check(Qnn_ErrorHandle_t code, const std::string& call) const {
    return check_call(api(), code, call);
  }
  // The same for calls of system().
  Status check_system(Qnn_ErrorHandle_t code, const std::string& call) const;

 private:
  BackendLibrary() = default;

  std::string path_;
  void* backend_ = nullptr;
  void* system_ = nullptr;
  const QnnInterface_t* provider_ = nullptr;
  const QnnSystemInterface_t* system_provider_ = nullptr;
  Qnn_LogHandle_t system_log_ = nullptr;
};

// What the system library reads from a binary. The bytes must outlive it.
class BinaryInfo {
 public:
  static Result<BinaryInfo> read(const BackendLibrary& library, std::span<const std::byte> binary);
  BinaryInfo(BinaryInfo&& other) noexcept;
  BinaryInfo& operator=(BinaryInfo&&) = delete;
  ~BinaryInfo();
  const QnnSystemContext_BinaryInfo_t& info() const { return *info_; }
  std::span<const QnnSystemContext_GraphInfo_t> graphs() const;

 private:
  explicit BinaryInfo(const BackendLibrary& library) : library_(&library) {}
  const BackendLibrary* library_;
  QnnSystemContext_Handle_t handle_ = nullptr;
  const QnnSystemContext_BinaryInfo_t* info_ = nullptr;
};

}  // namespace openqnn::tools
