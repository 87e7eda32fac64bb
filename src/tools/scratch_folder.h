// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace openqnn::tools {

// A folder that goes with everything in it.
class ScratchFolder {
 public:
  // `pattern` ends in XXXXXX, which becomes a name that is free; nothing where no folder can be made.
  static std::optional<ScratchFolder> make(const std::filesystem::path& pattern) {
    std::string name = pattern.string();
    if (::mkdtemp(name.data()) == nullptr) return std::nullopt;
    return ScratchFolder(name);
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace openqnn::tools
