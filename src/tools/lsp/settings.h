// SPDX-License-Identifier: BSD-3-Clause
// What a client tells about itself and about the use of the configuration.
#pragma once

#include "base/result.h"
#include "tools/lsp/document.h"
#include "tools/lsp/protocol.h"

namespace openqnn::tools::lsp {

// {soc, sdk, platform, tool, stage, graphs, strict}, or the same under the key "openqnn".
Result<config::Circumstances> read_circumstances(const Value& options);

// The encoding, Markdown and symbol trees from the parameters of `initialize`.
void read_capabilities(const Value& params, Settings& settings);

// What the server answers to `initialize`.
Value server_capabilities(const Settings& settings);

}  // namespace openqnn::tools::lsp
