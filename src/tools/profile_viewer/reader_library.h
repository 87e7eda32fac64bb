// SPDX-License-Identifier: BSD-3-Clause
// A reader library, opened by its path as users give it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "tools/profile_viewer/request.h"

namespace openqnn::tools {

class ReaderLibrary {
 public:
  // A path with a slash is taken as it is; a bare name is looked for beside this program first.
  static Result<std::unique_ptr<ReaderLibrary>> open(const std::string& given);
  ~ReaderLibrary();
  ReaderLibrary(const ReaderLibrary&) = delete;
  ReaderLibrary& operator=(const ReaderLibrary&) = delete;

  // Whether an option means something to it.
  bool takes(std::string_view option) const;
  // Its errors become the answer.
  Status read(const ReaderRequest& request) const;

 private:
  ReaderLibrary() = default;
  std::string path_;
  void* library_ = nullptr;
  const OpenQnnProfileReader_Interface_t* interface_ = nullptr;
};

}  // namespace openqnn::tools
