// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/working_buffers.h"

#include "HTP/QnnHtpContext.h"
#include "HTP/QnnHtpMem.h"
#include "QnnContext.h"
#include "base/text.h"

namespace openqnn::tools {

struct WorkingBuffers::Use {
  const char* option;  // of the configuration file
  QnnHtpMem_Type_t type;
  QnnHtpContext_GetPropertyOption_t size;
  const char* why_none;
};

Result<std::unique_ptr<WorkingBuffers>> WorkingBuffers::make(const BackendLibrary& backend,
                                                             Qnn_ContextHandle_t context,
                                                             const WorkingBufferSizes& sizes) {
  static constexpr Use kSpillFill = {"spill_fill_buffer", QNN_HTP_MEM_SHARED_SPILLFILL_BUFFER,
                                     QNN_HTP_CONTEXT_GET_PROP_MAX_SPILLFILL_BUFFER_SIZE,
                                     "the graphs move nothing out of VTCM"};
  static constexpr Use kWeights = {"weights_buffer", QNN_HTP_MEM_WEIGHTS_BUFFER,
                                   QNN_HTP_CONTEXT_GET_PROP_WEIGHTS_BUFFER_SIZE,
                                   "the graphs have no weights"};
  std::unique_ptr<WorkingBuffers> made(new WorkingBuffers(backend, context));
  if (!sizes.any()) return made;
  OPENQNN_ASSIGN(made->memory_, SharedMemoryLibrary::open(backend, "spill_fill_buffer or weights_buffer"));
  OPENQNN_TRY(made->add(kSpillFill, sizes.spill_fill));
  OPENQNN_TRY(made->add(kWeights, sizes.weights));
  return made;
}

Result<uint64_t> WorkingBuffers::needed(const Use& use) const {
  QnnHtpContext_CustomProperty_t custom = QNN_HTP_CONTEXT_CUSTOM_PROPERTY_INIT;
  custom.option = use.size;
  QnnContext_Property_t property = QNN_CONTEXT_PROPERTY_INIT;
  property.option = QNN_CONTEXT_PROPERTY_OPTION_CUSTOM;
  property.customProperty = &custom;
  QnnContext_Property_t* asked[] = {&property, nullptr};
  OPENQNN_TRY(backend_.check(backend_.api().contextGetProperty(context_, asked),
                             concat("QnnContext_getProperty for ", use.option)));
  return use.type == QNN_HTP_MEM_WEIGHTS_BUFFER ? custom.weightsBufferSize : custom.spillfillBufferSize;
}

Status WorkingBuffers::add(const Use& use, int64_t asked) {
  if (asked == 0) return {};
  OPENQNN_ASSIGN(const uint64_t least, needed(use));
  if (least == 0) {
    sentences_.push_back(concat(use.option, ": no buffer is made, because ", use.why_none));
    return {};
  }
  const uint64_t bytes = asked == kAsLargeAsNeeded ? least : static_cast<uint64_t>(asked);
  Buffer& buffer = buffers_.emplace_back();
  buffer.address = memory_->allocate_large(bytes);
  if (buffer.address == nullptr)
    return exhausted("shared-memory", concat("no shared memory of ", bytes, " bytes is left"))
        .at(use.option)
        .fix_by("ask for less, or leave it out");
  QnnMemHtp_Descriptor_t working{};
  working.type = use.type;
  working.size = bytes;
  working.sharedBufferConfig = {memory_->descriptor_of(buffer.address), /*offset=*/0};
  Qnn_MemDescriptor_t descriptor = QNN_MEM_DESCRIPTOR_INIT;
  descriptor.memType = QNN_MEM_TYPE_CUSTOM;
  descriptor.customInfo = &working;
  OPENQNN_TRY(backend_.check(backend_.api().memRegister(context_, &descriptor, 1, &buffer.handle),
                             concat("QnnMem_register for ", use.option)));
  sentences_.push_back(concat(use.option, ": a buffer of ", bytes, " bytes is shared with the backend"));
  return {};
}

WorkingBuffers::~WorkingBuffers() {
  for (const Buffer& buffer : buffers_) {
    if (buffer.handle != nullptr) backend_.api().memDeRegister(&buffer.handle, 1);
    if (buffer.address != nullptr) memory_->release(buffer.address);
  }
}

}  // namespace openqnn::tools
