// SPDX-License-Identifier: BSD-3-Clause
// Context options (QnnContext.h, HTP/QnnHtpContext.h) to what runtime understands.
#pragma once

#include "QnnContext.h"
#include "base/log.h"
#include "runtime/context.h"
#include "runtime/outcome.h"

namespace openqnn::api {

// What creating or loading a context is told by a null-terminated list. An option without an effect here is
// named in the log, with the reason. What the list does not say is as in `options`.
runtime::Outcome<runtime::ContextOptions> read_context_configs(const QnnContext_Config_t** configs,
                                                               const Logger& log,
                                                               runtime::ContextOptions options = {});

// Whether every option given is one that this platform and part take. `part` is null where nobody named one.
runtime::Outcome<> check_limits(const runtime::ContextOptions& options, const runtime::Persona& persona,
                                const soc::Target* part);

// Changes a live context; options that count at its creation only are refused. All or none.
runtime::Outcome<> change_context(const QnnContext_Config_t** configs, runtime::Context& context);

}  // namespace openqnn::api
