// SPDX-License-Identifier: BSD-3-Clause
// Layouts of inputs and outputs: their names, and the file of --data_format_config that asks for them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "QnnTypes.h"
#include "base/result.h"
#include "config/check.h"
#include "tools/extensions/findings.h"

namespace openqnn::tools {

// "QNN_TENSOR_DATA_FORMAT_SPARSE", or the number of one that has no name.
std::string data_format_name(Qnn_TensorDataFormat_t format);
std::optional<Qnn_TensorDataFormat_t> data_format_named(std::string_view name);

// What the file says of one tensor, by the names of its graph and itself.
struct FormatWish {
  Qnn_TensorDataFormat_t format = QNN_TENSOR_DATA_FORMAT_DENSE;
  Where where;
};
using FormatWishes = std::map<std::pair<std::string, std::string>, FormatWish>;

// The file, checked as `openqnn check` does it. `part` is the one that graphs are for, as far as it is known.
Result<FormatWishes> read_data_formats(const std::string& path, const config::Part& part,
                                       const TellFinding& tell);

}  // namespace openqnn::tools
