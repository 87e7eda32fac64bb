// SPDX-License-Identifier: BSD-3-Clause
// What a converter made: written, and told to the person who goes on with it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "frontend/dlc/dlc.h"
#include "tools/model_job.h"

namespace openqnn::tools::convert {

std::string maker();  // "openqnn 0.1.0"

// "wrote NAME.dlc: ...", then a line for each input and output of its graph.
Status write_and_tell(const std::filesystem::path& path, frontend::Dlc dlc, const IoLayouts& layouts);

// The same in parts. `verb` is "wrote" or "replaced".
void tell_written(std::string_view verb, const std::filesystem::path& path, const frontend::DlcGraph& graph);
// Name, type and dimensions of what a client passes and gets; the layout where it is not the model's.
void tell_io(const ir::Graph& graph, const IoLayouts& layouts);

}  // namespace openqnn::tools::convert
