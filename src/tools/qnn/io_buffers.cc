// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/io_buffers.h"

#include <dlfcn.h>

#include <filesystem>
#include <limits>

#include "base/text.h"
#include "rpcmem/rpcmem.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;
constexpr const char* kLibraryName = "libcdsprpc.so";

}  // namespace

Result<std::shared_ptr<const SharedMemoryLibrary>> SharedMemoryLibrary::open(const BackendLibrary& backend,
                                                                             const std::string& asked_by) {
  std::error_code error;
  fs::path path = fs::path(backend.path()).parent_path() / kLibraryName;
  if (!fs::exists(path, error)) {
    const auto found = find_library(kLibraryName);
    if (!found)
      return system_failure("shared-library", concat("there is no ", kLibraryName, " beside the backend"))
          .at(asked_by)
          .fix_by(concat("put it there, or leave ", asked_by, " out"));
    path = *found;
  }
  const std::shared_ptr<SharedMemoryLibrary> library(new SharedMemoryLibrary);
  library->handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library->handle_ == nullptr) return system_failure("shared-library", loader_reason()).at(path.string());
  library->allocate = reinterpret_cast<decltype(library->allocate)>(dlsym(library->handle_, "rpcmem_alloc"));
  library->release = reinterpret_cast<decltype(library->release)>(dlsym(library->handle_, "rpcmem_free"));
  library->descriptor_of =
      reinterpret_cast<decltype(library->descriptor_of)>(dlsym(library->handle_, "rpcmem_to_fd"));
  library->allocate_more_ =
      reinterpret_cast<decltype(library->allocate_more_)>(dlsym(library->handle_, "rpcmem_alloc2"));
  if (library->allocate == nullptr || library->release == nullptr || library->descriptor_of == nullptr)
    return invalid("shared-library", "the library has no rpcmem_alloc, rpcmem_free or rpcmem_to_fd")
        .at(path.string());
  return std::shared_ptr<const SharedMemoryLibrary>(library);
}

void* SharedMemoryLibrary::allocate_large(uint64_t size) const {
  if (allocate_more_ != nullptr) return allocate_more_(RPCMEM_HEAP_ID_SYSTEM, RPCMEM_DEFAULT_FLAGS, size);
  if (size > static_cast<uint64_t>(std::numeric_limits<int>::max())) return nullptr;
  return allocate(RPCMEM_HEAP_ID_SYSTEM, RPCMEM_DEFAULT_FLAGS, static_cast<int>(size));
}

SharedMemoryLibrary::~SharedMemoryLibrary() {
  if (handle_ != nullptr) dlclose(handle_);
}

Result<std::unique_ptr<IoBuffers>> IoBuffers::make(const Client& client, const std::vector<IoTensor>& tensors,
                                                   uint32_t batches,
                                                   std::shared_ptr<const SharedMemoryLibrary> shared) {
  std::unique_ptr<IoBuffers> made(new IoBuffers(client));
  made->library_ = std::move(shared);
  made->described_.resize(tensors.size());
  made->buffers_.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i)
    OPENQNN_TRY(made->add(tensors[i], batches, made->described_[i]));
  return made;
}

Status IoBuffers::add(const IoTensor& tensor, uint32_t batches, DescribedTensor& described) {
  const uint64_t size = ir::plain_bytes(tensor.tensor.desc) * batches;
  if (size > static_cast<uint64_t>(std::numeric_limits<int32_t>::max()))
    return unsupported("tensor-size", concat("it has ", size, " bytes; buffers have 2^31 - 1 at most"))
        .at(concat("tensor '", tensor.tensor.name, "'"))
        .fix_by("lower --batch_multiplier, or prepare a smaller graph");
  OPENQNN_TRY(describe(tensor.tensor, described));
  if (batches > 1 && described.dimensions.empty())
    return invalid("batch-rank", "it has no dimension that could be multiplied")
        .at(concat("tensor '", tensor.tensor.name, "'"))
        .fix_by("leave --batch_multiplier out");
  if (batches > 1) described.dimensions[0] *= batches;
  Qnn_Tensor_t named = described.tensor;
  named.v1.id = tensor.id;
  Buffer& buffer = buffers_.emplace_back();
  if (library_) {
    OPENQNN_TRY(share(buffer, size, named.v1));
  } else {
    buffer.own.resize(size);
    buffer.bytes = buffer.own;
    named.v1.clientBuf = {buffer.own.data(), static_cast<uint32_t>(size)};
  }
  tensors_.push_back(named);
  return {};
}

Status IoBuffers::share(Buffer& buffer, size_t size, Qnn_TensorV1_t& tensor) {
  buffer.shared = library_->allocate(RPCMEM_HEAP_ID_SYSTEM, RPCMEM_DEFAULT_FLAGS, static_cast<int>(size));
  if (buffer.shared == nullptr)
    return exhausted("shared-memory", concat("no shared memory of ", size, " bytes is left"))
        .at(concat("tensor '", tensor.name, "'"))
        .fix_by("leave --shared_buffer out");
  buffer.bytes = {static_cast<std::byte*>(buffer.shared), size};
  Qnn_MemDescriptor_t descriptor = QNN_MEM_DESCRIPTOR_INIT;
  descriptor.memShape = {tensor.rank, tensor.dimensions, nullptr};
  descriptor.dataType = tensor.dataType;
  descriptor.memType = QNN_MEM_TYPE_ION;
  descriptor.ionInfo.fd = library_->descriptor_of(buffer.shared);
  OPENQNN_TRY(client_.check(client_.api().memRegister(client_.context(), &descriptor, 1, &buffer.handle),
                            concat("QnnMem_register for '", tensor.name, "'")));
  tensor.memType = QNN_TENSORMEMTYPE_MEMHANDLE;
  tensor.memHandle = buffer.handle;
  return {};
}

IoBuffers::~IoBuffers() {
  for (const Buffer& buffer : buffers_) {
    if (buffer.handle != nullptr) client_.api().memDeRegister(&buffer.handle, 1);
    if (buffer.shared != nullptr) library_->release(buffer.shared);
  }
}

}  // namespace openqnn::tools
