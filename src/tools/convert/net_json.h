// SPDX-License-Identifier: BSD-3-Clause
// NAME_net.json: the tensors and nodes of a converted model for readers, without the values of constants.
#pragma once

#include <string>

#include "base/result.h"
#include "tools/convert/model_source.h"

namespace openqnn::tools::convert {

// `stem` names the other two files. Fields are documented in docs/model_libraries.md.
Result<std::string> net_json(const std::string& stem, const ir::Graph& graph, const SourceNames& names,
                             const SourceTexts& texts);

}  // namespace openqnn::tools::convert
