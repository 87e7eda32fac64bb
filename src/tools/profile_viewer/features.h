// SPDX-License-Identifier: BSD-3-Clause
// The file of --config, read through its table of options (config/tables/optrace.cc), which also has the
// defaults.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "config/read.h"
#include "tools/profile_viewer/request.h"

namespace openqnn::tools {

class Features {
 public:
  // Without a file all is as the table has it. What the check of the file finds is told.
  static Result<Features> read(const ReaderRequest& request);
  bool on(std::string_view name) const;

 private:
  std::unique_ptr<config::Document> document_;  // null: no file
};

}  // namespace openqnn::tools
