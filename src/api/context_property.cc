// SPDX-License-Identifier: BSD-3-Clause
// QnnContext_getProperty: what a client needs to know of a context before it registers buffers for it.
#include "HTP/QnnHtpContext.h"
#include "api/answer.h"
#include "api/doubtful_memory.h"
#include "base/text.h"
#include "program/container.h"
#include "runtime/working_memory.h"

namespace openqnn::api {
namespace {

Outcome<uint64_t> needed(runtime::MemoryUse use, runtime::Context& context) {
  const runtime::WorkingMemory memory(context);
  if (memory.unfinished())
    return ApiError(QNN_CONTEXT_ERROR_NOT_FINALIZED,
                    invalid("context-not-finalized", "what a graph needs is known when it is finalized")
                        .at(concat("graph '", *memory.unfinished(), "'"))
                        .fix_by("finalize every graph of the context first"));
  return memory.needed(use);
}

Outcome<> fill(QnnHtpContext_CustomProperty_t& property, runtime::Context& context) {
  using runtime::MemoryUse;
  switch (const uint32_t option = number_of(property.option)) {
    case QNN_HTP_CONTEXT_GET_PROP_BUFFER_START_ALIGNMENT:
      property.bufferStartAlignment = program::kDataAlignment;  // a page (ours)
      return {};
    case QNN_HTP_CONTEXT_GET_PROP_MAX_SPILLFILL_BUFFER_SIZE: {
      OPENQNN_ASSIGN(property.spillfillBufferSize, needed(MemoryUse::kSpillFill, context));
      return {};
    }
    case QNN_HTP_CONTEXT_GET_PROP_WEIGHTS_BUFFER_SIZE: {
      OPENQNN_ASSIGN(property.weightsBufferSize, needed(MemoryUse::kWeights, context));
      return {};
    }
    case QNN_HTP_CONTEXT_GET_PROP_MAX_VTCMBACKUP_BUFFER_SIZE: {
      OPENQNN_ASSIGN(property.vtcmBackupBufferSize, needed(MemoryUse::kVtcmBackup, context));
      return {};
    }
    default:
      return ApiError(
          QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
          unsupported("context-property", concat("no HTP context property has the number ", option))
              .fix_by("1 is alignment, 2 spill-fill, 3 weights, 6 VTCM backup"));
  }
}

// Of one entry of the client's list.
Outcome<QnnHtpContext_CustomProperty_t*> custom_of(const QnnContext_Property_t& property) {
  if (const uint32_t option = number_of(property.option); option != QNN_CONTEXT_PROPERTY_OPTION_CUSTOM)
    return ApiError(QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                    unsupported("context-property",
                                concat("context property ", option, " is not offered; custom (0) is")));
  if (!property.customProperty) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "customProperty");
  if (!doubtful<QnnHtpContext_CustomProperty_t>(property.customProperty))
    return ApiError(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                    invalid("context-property", "customProperty points to no memory"));
  return static_cast<QnnHtpContext_CustomProperty_t*>(property.customProperty);
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnContext_getProperty(Qnn_ContextHandle_t contextHandle,
                                         QnnContext_Property_t** properties) {
  return answer("QnnContext_getProperty", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto context, find<runtime::Context>(contextHandle));
    if (!properties) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "properties");
    // All are answered before one is written.
    std::vector<std::pair<QnnHtpContext_CustomProperty_t*, QnnHtpContext_CustomProperty_t>> answers;
    for (; *properties; ++properties) {
      OPENQNN_ASSIGN(QnnHtpContext_CustomProperty_t* const custom, custom_of(**properties));
      answers.emplace_back(custom, *custom);
      OPENQNN_TRY(fill(answers.back().second, *context));
    }
    for (const auto& [place, value] : answers) *place = value;
    return {};
  });
}
