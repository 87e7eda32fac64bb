// SPDX-License-Identifier: BSD-3-Clause
// Option names of other runtimes that people carry into QNN files.
#pragma once

#include <string_view>

namespace openqnn::config {

struct ForeignName {
  std::string_view key;      // as the other runtime spells it
  std::string_view runtime;  // "ONNX Runtime's QNN provider"
  std::string_view here;     // the option of QNN's files, with its section: "devices[].dsp_arch"
  bool same_value = false;   // the value means the same, so that renaming the key is enough
};

const ForeignName* find_foreign_name(std::string_view key);  // nullptr when unknown

}  // namespace openqnn::config
