// SPDX-License-Identifier: BSD-3-Clause
// QnnContext.h: sections of a context binary, such as adapters.
#include "runtime/binary_section.h"

#include <cstring>

#include "api/answer.h"
#include "api/timed_call.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

// What a call is about: a context, and one of its graphs or (none) all of them.
struct Subject {
  Ref<runtime::Context> context;
  Ref<runtime::Graph> graph;

  const runtime::Graph* only() const { return graph ? &*graph : nullptr; }
};

Outcome<Subject> find_subject(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph) {
  Subject subject;
  OPENQNN_ASSIGN(subject.graph, find_optional<runtime::Graph>(graph, QNN_CONTEXT_ERROR_INVALID_HANDLE));
  OPENQNN_ASSIGN(subject.context, find<runtime::Context>(context));
  if (!subject.graph) return subject;
  for (const auto& [name, handle] : subject.context->graphs())
    if (handle == graph) return subject;
  return ApiError(
      QNN_CONTEXT_ERROR_INVALID_HANDLE,
      invalid("section-graph", concat("graph '", subject.graph->name(), "' is of another context"))
          .fix_by("pass the context that the graph was retrieved from"));
}

Outcome<> check_type(const QnnContext_SectionType_t& section) {
  const uint32_t type = number_of(section);
  if (type == QNN_CONTEXT_SECTION_UPDATABLE) return {};
  if (type == QNN_CONTEXT_SECTION_UPDATABLE_WEIGHTS || type == QNN_CONTEXT_SECTION_UPDATABLE_QUANT_PARAMS)
    return ApiError(
        QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
        unsupported("section-type",
                    "sections of weights or encodings alone are not offered: a weight is stored in "
                    "a form that its encoding decides")
            .fix_by("use QNN_CONTEXT_SECTION_UPDATABLE (1), which holds both"));
  return ApiError(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                  invalid("section-type", concat("no section type has the number ", type)));
}

// A client's buffer, and what keeps it mapped.
struct SectionBuffer {
  std::span<std::byte> bytes;
  Ref<runtime::Memory> memory;
};

Outcome<SectionBuffer> find_buffer(const QnnContext_Buffer_t* buffer, const runtime::Context& context) {
  constexpr Qnn_ErrorHandle_t kBad = QNN_CONTEXT_ERROR_INVALID_ARGUMENT;
  if (!buffer) return null_argument(kBad, "binaryBuffer");
  if (const uint32_t version = number_of(buffer->version); version != QNN_CONTEXT_BUFFER_VERSION_1)
    return ApiError(kBad,
                    invalid("section-buffer", concat("no buffer has the version ", version, "; 1 is known")));
  SectionBuffer found;
  switch (const uint32_t type = number_of(buffer->v1.memType)) {
    case QNN_CONTEXTMEMTYPE_RAW:
      if (!buffer->v1.binaryBuf.data) return null_argument(kBad, "binaryBuffer->v1.binaryBuf.data");
      found.bytes = {static_cast<std::byte*>(buffer->v1.binaryBuf.data), buffer->v1.binaryBuf.dataSize};
      return found;
    case QNN_CONTEXTMEMTYPE_MEMHANDLE: {
      OPENQNN_ASSIGN(found.memory,
                     runtime::memory_for_execute(buffer->v1.memHandle, *context.memory(), kBad));
      found.bytes = {found.memory->data(), found.memory->bytes()};
      return found;
    }
    default:
      return ApiError(kBad, invalid("section-buffer", concat("memory type ", type,
                                                             " is neither raw (0) nor a mem handle (1)")));
  }
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnContext_getBinarySectionSize(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph,
                                                  QnnContext_SectionType_t section,
                                                  Qnn_ContextBinarySize_t* binaryBufferSize) {
  return answer("QnnContext_getBinarySectionSize", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const Subject subject, find_subject(context, graph));
    OPENQNN_TRY(check_type(section));
    if (!binaryBufferSize) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryBufferSize");
    OPENQNN_ASSIGN(const auto bytes, runtime::updatable_section(*subject.context, subject.only()));
    *binaryBufferSize = bytes.size();
    return {};
  });
}

Qnn_ErrorHandle_t QnnContext_getBinarySection(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph,
                                              QnnContext_SectionType_t section,
                                              const QnnContext_Buffer_t* binaryBuffer,
                                              Qnn_ContextBinarySize_t* writtenBufferSize,
                                              Qnn_ProfileHandle_t profile, Qnn_SignalHandle_t signal) {
  return answer("QnnContext_getBinarySection", [&]() -> Outcome<> {
    TimedCall call;
    OPENQNN_TRY(call.start(profile));
    OPENQNN_ASSIGN(const Subject subject, find_subject(context, graph));
    OPENQNN_TRY(check_type(section));
    OPENQNN_ASSIGN(const SectionBuffer buffer, find_buffer(binaryBuffer, *subject.context));
    if (!writtenBufferSize) return null_argument(QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "writtenBufferSize");
    OPENQNN_ASSIGN(const auto stop, runtime::SignalledCall::begin(signal, runtime::kContextSignalCodes));
    OPENQNN_ASSIGN(const auto bytes, runtime::updatable_section(*subject.context, subject.only()));
    if (stop.should_stop()) return stop.stopped("getting a binary section");
    if (buffer.bytes.size() < bytes.size())
      return ApiError(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                      invalid("section-buffer", concat("the buffer has ", buffer.bytes.size(),
                                                       " bytes, the section ", bytes.size()))
                          .fix_by("ask QnnContext_getBinarySectionSize first"));
    std::memcpy(buffer.bytes.data(), bytes.data(), bytes.size());
    *writtenBufferSize = bytes.size();
    call.finish(profile::host_call::kGetSection);
    return {};
  });
}

Qnn_ErrorHandle_t QnnContext_applyBinarySection(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph,
                                                QnnContext_SectionType_t section,
                                                const QnnContext_Buffer_t* binaryBuffer,
                                                Qnn_ProfileHandle_t profile, Qnn_SignalHandle_t signal) {
  return answer("QnnContext_applyBinarySection", [&]() -> Outcome<> {
    TimedCall call;
    OPENQNN_TRY(call.start(profile));
    OPENQNN_ASSIGN(const Subject subject, find_subject(context, graph));
    OPENQNN_TRY(check_type(section));
    OPENQNN_ASSIGN(const SectionBuffer buffer, find_buffer(binaryBuffer, *subject.context));
    OPENQNN_ASSIGN(const auto stop, runtime::SignalledCall::begin(signal, runtime::kContextSignalCodes));
    OPENQNN_TRY(runtime::apply_updatable_section(*subject.context, subject.only(), buffer.bytes, stop));
    call.finish(profile::host_call::kApplySection);
    return {};
  });
}
