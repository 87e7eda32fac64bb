// SPDX-License-Identifier: BSD-3-Clause
// Context options (QnnContext.h, HTP/QnnHtpContext.h) to what runtime understands.
#pragma once

#include "QnnContext.h"
#include "base/log.h"
#include "runtime/context.h"
#include "runtime/outcome.h"

namespace openqnn::api {

// What creating or loading a context is told by a null-terminated list. An option without an effect here is
// named in the log, with the reason.
runtime::Outcome<runtime::ContextOptions> read_context_configs(const QnnContext_Config_t** configs,
                                                               const Logger& log);

// Changes a live context; options that count at its creation only are refused. All or none.
runtime::Outcome<> change_context(const QnnContext_Config_t** configs, runtime::Context& context);

}  // namespace openqnn::api
