// SPDX-License-Identifier: BSD-3-Clause
// HTP graph options (HTP/QnnHtpGraph.h) to what prepare understands.
#pragma once

#include "QnnGraph.h"
#include "base/log.h"
#include "prepare/prepare.h"
#include "runtime/outcome.h"

namespace openqnn::api {

// Applies a null-terminated list of options; `options` is unchanged when one is refused.
runtime::Outcome<> apply_graph_configs(const QnnGraph_Config_t** configs, const Logger& log,
                                       prepare::Options& options);

}  // namespace openqnn::api
