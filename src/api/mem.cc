// SPDX-License-Identifier: BSD-3-Clause
// QnnMem.h, HTP/QnnHtpMem.h
#include <algorithm>
#include <vector>

#include "HTP/QnnHtpMem.h"
#include "QnnMem.h"
#include "api/answer.h"
#include "base/text.h"
#include "runtime/memory.h"
#include "runtime/working_memory.h"

namespace openqnn::api {
namespace {

using runtime::MemoryRequest;
using runtime::MemoryUse;

ApiError unsupported_memory(std::string what, std::string how) {
  return {QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE,
          unsupported("memory-kind", std::move(what)).fix_by(std::move(how))};
}

// Where in which buffer; the members of the HTP descriptor's union begin alike.
Outcome<> place(MemoryUse use, const QnnMemHtp_Descriptor_t& custom, MemoryRequest& request) {
  request.use = use;
  request.fd = custom.sharedBufferConfig.fd;
  request.offset = custom.sharedBufferConfig.offset;
  request.whole_bytes = custom.size;
  return {};
}

Outcome<> read_custom(const void* info, MemoryRequest& request) {
  if (!info) return null_argument(QNN_MEM_ERROR_INVALID_ARGUMENT, "customInfo");
  const auto& custom = *static_cast<const QnnMemHtp_Descriptor_t*>(info);
  switch (const uint32_t type = number_of(custom.type)) {
    case QNN_HTP_MEM_SHARED_BUFFER:
      return place(MemoryUse::kTensor, custom, request);
    case QNN_HTP_MEM_WEIGHTS_BUFFER:
      return place(MemoryUse::kWeights, custom, request);
    case QNN_HTP_MEM_SHARED_SPILLFILL_BUFFER:
      return place(MemoryUse::kSpillFill, custom, request);
    case QNN_HTP_MEM_SHARED_VTCMBACKUP_BUFFER:
      return place(MemoryUse::kVtcmBackup, custom, request);
    case QNN_HTP_MEM_QURT:
      return unsupported_memory("addresses of the DSP mean nothing to a client on the host",
                                "register a shared buffer (1) by its file descriptor");
    default:
      return unsupported_memory(
          concat("HTP memory type ", type, " does not exist"),
          "shared buffers (1), weights (2), spill-fill (3) and VTCM backup (4) are offered");
  }
}

Outcome<> read_place(const Qnn_MemDescriptor_t& descriptor, MemoryRequest& request) {
  switch (const uint32_t type = number_of(descriptor.memType)) {
    case QNN_MEM_TYPE_ION:
      request.fd = descriptor.ionInfo.fd;
      request.exclusive = true;
      return {};
    case QNN_MEM_TYPE_CUSTOM:
      return read_custom(descriptor.customInfo, request);
    case QNN_MEM_TYPE_DMA_BUF:  // answered "no" by the capability query, and so here
      return unsupported_memory("dma-buf descriptors are not offered",
                                "register the same file descriptor as ION (1)");
    case QNN_MEM_TYPE_DX12:
      return unsupported_memory("Direct3D resources exist on Windows alone", "register a file descriptor");
    default:
      return unsupported_memory(concat("memory type ", type, " does not exist"),
                                "ION (1) and CUSTOM (2) are offered");
  }
}

Outcome<> read_tensor(const Qnn_MemDescriptor_t& descriptor, MemoryRequest& request) {
  const Qnn_MemShape_t& shape = descriptor.memShape;
  if (shape.shapeConfig && *shape.shapeConfig)
    return ApiError(QNN_MEM_ERROR_NOT_SUPPORTED,
                    unsupported("memory-compressed", "compressed image formats are not offered")
                        .fix_by("leave memShape.shapeConfig null"));
  if (shape.numDim == 0 || shape.numDim > ir::kMaxRank)
    return ApiError(QNN_MEM_ERROR_INVALID_SHAPE,
                    invalid("memory-rank", concat("the registered tensor has ", shape.numDim,
                                                  " dimensions; 1 to ", ir::kMaxRank, " are accepted")));
  if (!shape.dimSize) return null_argument(QNN_MEM_ERROR_INVALID_ARGUMENT, "memShape.dimSize");
  request.shape = ir::Shape(std::span<const uint32_t>(shape.dimSize, shape.numDim));
  const auto type = ir::data_type_from(number_of(descriptor.dataType));
  if (!type)
    return ApiError(
        QNN_MEM_ERROR_INVALID_ARGUMENT,
        invalid("memory-type", concat("data type ", number_of(descriptor.dataType), " does not exist")));
  request.type = *type;
  return {};
}

Outcome<MemoryRequest> read_descriptor(const Qnn_MemDescriptor_t& descriptor) {
  MemoryRequest request;
  OPENQNN_TRY(read_place(descriptor, request));
  // Working memory holds no tensor: its shape and type are left aside.
  if (request.use == MemoryUse::kTensor) OPENQNN_TRY(read_tensor(descriptor, request));
  return request;
}

// What the modelled device does with working memory, said once per registration.
void explain(MemoryUse use, const Logger& log) {
  const char* does = use == MemoryUse::kWeights ? "computes with its own copy of the weights"
                                                : "computes in its own memory and leaves the buffer as it is";
  log.info(concat("external ", name_of(use), " buffer registered: its rules hold (size, one per context",
                  use == MemoryUse::kVtcmBackup ? "" : ", no parallel use", "), but the host ", does));
}

// Registers and, where the buffer is for weights, fills it. (Ours: a context is ready once it is made, so
// the weights are there before a buffer for them can be.)
Outcome<std::unique_ptr<runtime::Memory>> make_memory(MemoryRequest request, runtime::Context& context) {
  if (request.use == MemoryUse::kTensor)
    return runtime::Memory::make(request, context.memory(), context.log());
  const runtime::WorkingMemory working(context);
  request.needed_bytes = working.needed(request.use);
  const auto& unfinished = working.unfinished();
  if (request.use == MemoryUse::kWeights && (unfinished || request.needed_bytes == 0))
    return ApiError(
        QNN_MEM_ERROR_INVALID_ARGUMENT,
        invalid("memory-no-weights", unfinished ? concat("the weights of graph '", *unfinished,
                                                         "' are not there yet: it is not finalized")
                                                : "no graph of the context has weights to receive yet")
            .fix_by("register the buffer after loading the binary or finalizing the graphs"));
  OPENQNN_ASSIGN(auto memory, runtime::Memory::make(request, context.memory(), context.log()));
  if (request.use == MemoryUse::kWeights) working.copy_weights({memory->data(), memory->bytes()});
  explain(request.use, context.log());
  return memory;
}

Outcome<> deregister(Qnn_MemHandle_t handle) {
  OPENQNN_ASSIGN(const auto memory, find<runtime::Memory>(handle));
  OPENQNN_TRY(free_handle<runtime::Memory>(handle));
  memory->deregister();
  return {};
}

// Registrations of one call: all of them, or none.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    for (void* handle : handles_) (void)deregister(handle);
  }

  Outcome<> add(const Qnn_MemDescriptor_t& descriptor, runtime::Context& context) {
    OPENQNN_ASSIGN(const MemoryRequest request, read_descriptor(descriptor));
    OPENQNN_ASSIGN(auto memory, make_memory(request, context));
    OPENQNN_ASSIGN(void* const handle, publish(std::move(memory)));
    handles_.push_back(handle);
    return {};
  }
  void hand_over(Qnn_MemHandle_t* handles) {
    std::copy(handles_.begin(), handles_.end(), handles);
    handles_.clear();
  }

 private:
  std::vector<void*> handles_;
};

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnMem_register(Qnn_ContextHandle_t context, const Qnn_MemDescriptor_t* memDescriptors,
                                  uint32_t numDescriptors, Qnn_MemHandle_t* memHandles) {
  return answer("QnnMem_register", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto owner, find<runtime::Context>(context, QNN_MEM_ERROR_INVALID_HANDLE));
    if (!memDescriptors) return null_argument(QNN_MEM_ERROR_INVALID_ARGUMENT, "memDescriptors");
    if (!memHandles) return null_argument(QNN_MEM_ERROR_INVALID_ARGUMENT, "memHandles");
    if (numDescriptors == 0)
      return ApiError(QNN_MEM_ERROR_INVALID_ARGUMENT,
                      invalid("memory-none", "argument 'numDescriptors' is 0: there is nothing to register"));
    Batch batch;
    for (uint32_t i = 0; i < numDescriptors; ++i) {
      if (Outcome<> added = batch.add(memDescriptors[i], *owner); !added) {
        ApiError error = std::move(added).error();
        error.diagnostic.where.object = concat("descriptor ", i);
        return error;
      }
    }
    batch.hand_over(memHandles);
    return {};
  });
}

Qnn_ErrorHandle_t QnnMem_deRegister(const Qnn_MemHandle_t* memHandles, uint32_t numHandles) {
  return answer("QnnMem_deRegister", [&]() -> Outcome<> {
    if (!memHandles) return null_argument(QNN_MEM_ERROR_INVALID_ARGUMENT, "memHandles");
    if (numHandles == 0)
      return ApiError(QNN_MEM_ERROR_INVALID_ARGUMENT,
                      invalid("memory-none", "argument 'numHandles' is 0: there is nothing to deregister"));
    // All handles are looked at first: a bad one leaves the others registered.
    for (uint32_t i = 0; i < numHandles; ++i) OPENQNN_TRY(find<runtime::Memory>(memHandles[i]));
    std::vector<void*> sorted(memHandles, memHandles + numHandles);
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      return ApiError(QNN_MEM_ERROR_INVALID_HANDLE,
                      invalid("memory-handle", concat("handle ", *twice, " is in the list twice")));
    for (uint32_t i = 0; i < numHandles; ++i) OPENQNN_TRY(deregister(memHandles[i]));
    return {};
  });
}
