// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "base/text.h"

namespace openqnn::runtime {
namespace {

// Live mappings of this library, so that a buffer with many tensors is mapped once.
struct Mappings {
  std::mutex mutex;
  std::map<BufferIdentity, std::weak_ptr<MappedBuffer>> by_identity;
};

Mappings& mappings() {
  static Mappings instance;
  return instance;
}

std::string system_reason() { return std::strerror(errno); }

struct OpenBuffer {
  BufferIdentity identity;
  uint64_t bytes;
};

// What the descriptor stands for. A dma-buf tells its size to lseek alone.
Result<OpenBuffer> examine(int32_t fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0)
    return invalid("memory-fd", concat("file descriptor ", fd, " is not open: ", system_reason()))
        .fix_by("register the descriptor that rpcmem_to_fd or memfd_create answered, before closing it");
  int64_t bytes = status.st_size;
  if (bytes == 0) {
    const off_t position = lseek(fd, 0, SEEK_CUR);
    if (position >= 0) {
      bytes = lseek(fd, 0, SEEK_END);
      (void)lseek(fd, position, SEEK_SET);
    }
  }
  if (bytes <= 0)
    return invalid("memory-empty", concat("file descriptor ", fd, " stands for no memory: its size is 0"));
  return OpenBuffer{{status.st_dev, status.st_ino}, static_cast<uint64_t>(bytes)};
}

// Bytes of the registered tensor, from its offset on.
Outcome<uint64_t> tensor_bytes(const MemoryRequest& request) {
  const auto elements = request.shape.checked_elements();
  const uint64_t element = ir::byte_size(request.type);
  if (element == 0)
    return ApiError(QNN_MEM_ERROR_INVALID_ARGUMENT,
                    invalid("memory-type", "the registered tensor has no data type"));
  if (!elements || *elements > UINT64_MAX / element)
    return ApiError(QNN_MEM_ERROR_INVALID_SHAPE,
                    invalid("memory-shape", concat("a tensor of shape ", request.shape.to_string(),
                                                   " is larger than any memory")));
  return *elements * element;
}

// The bytes of the registration within the buffer: those of its tensor, or all from the offset on.
Outcome<uint64_t> registered_bytes(const MemoryRequest& request, const MappedBuffer& buffer) {
  const uint64_t whole = request.whole_bytes.value_or(buffer.bytes());
  if (whole > buffer.bytes())
    return ApiError(QNN_MEM_ERROR_MAPPING,
                    invalid("memory-size", concat("the buffer is said to have ", whole, " bytes, but has ",
                                                  buffer.bytes())));
  if (request.offset >= whole)
    return ApiError(QNN_MEM_ERROR_INVALID_ARGUMENT,
                    invalid("memory-offset", concat("offset ", request.offset, " lies outside the buffer's ",
                                                    whole, " bytes")));
  if (request.use != MemoryUse::kTensor) return whole - request.offset;
  OPENQNN_ASSIGN(const uint64_t bytes, tensor_bytes(request));
  if (bytes > whole - request.offset)
    return ApiError(QNN_MEM_ERROR_INVALID_SHAPE,
                    invalid("memory-small",
                            concat("a ", ir::name(request.type), " tensor of shape ",
                                   request.shape.to_string(), " needs ", bytes, " bytes, but from offset ",
                                   request.offset, " the buffer has ", whole - request.offset)));
  return bytes;
}

ContextMemory::Key key_of(const MemoryRequest& request, const MappedBuffer& buffer) {
  switch (request.use) {
    case MemoryUse::kSpillFill:
      return "spill-fill";
    case MemoryUse::kVtcmBackup:
      return "VTCM backup";
    case MemoryUse::kTensor:
      break;
  }
  std::string key = concat("buffer ", buffer.identity().device, ":", buffer.identity().inode);
  if (request.exclusive) return key;
  return concat(key, " +", request.offset, " ", ir::name(request.type), request.shape.to_string());
}

}  // namespace

// ---- MappedBuffer ----

MappedBuffer::MappedBuffer(BufferIdentity identity, std::byte* data, uint64_t bytes)
    : identity_(identity), data_(data), bytes_(bytes) {}

MappedBuffer::~MappedBuffer() { munmap(data_, bytes_); }

Result<std::shared_ptr<MappedBuffer>> MappedBuffer::of(int32_t fd) {
  OPENQNN_ASSIGN(const OpenBuffer open, examine(fd));
  Mappings& live = mappings();
  const std::lock_guard lock(live.mutex);
  std::erase_if(live.by_identity, [](const auto& entry) { return entry.second.expired(); });
  if (const auto known = live.by_identity.find(open.identity); known != live.by_identity.end())
    // A buffer whose size changed since then is mapped anew.
    if (auto buffer = known->second.lock(); buffer && buffer->bytes() == open.bytes) return buffer;
  void* data = mmap(nullptr, open.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED)
    return unsupported("memory-map", concat("file descriptor ", fd, " could not be mapped (", open.bytes,
                                            " bytes): ", system_reason()))
        .fix_by("it must be open for reading and writing");
  auto buffer = std::make_shared<MappedBuffer>(open.identity, static_cast<std::byte*>(data), open.bytes);
  live.by_identity[open.identity] = buffer;
  return buffer;
}

// ---- ContextMemory ----

bool ContextMemory::claim(const Key& key) {
  const std::lock_guard lock(mutex_);
  return claimed_.insert(key).second;
}

void ContextMemory::release(const Key& key) {
  const std::lock_guard lock(mutex_);
  claimed_.erase(key);
}

std::shared_ptr<MappedBuffer> ContextMemory::spill_fill() const {
  if (!has_spill_fill_.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard lock(mutex_);
  return spill_fill_;
}

void ContextMemory::set_spill_fill(std::shared_ptr<MappedBuffer> buffer) {
  const std::lock_guard lock(mutex_);
  spill_fill_ = std::move(buffer);
  has_spill_fill_.store(spill_fill_ != nullptr, std::memory_order_release);
}

Result<SpillFillUse> SpillFillUse::begin(const ContextMemory& context) {
  std::shared_ptr<MappedBuffer> buffer = context.spill_fill();
  if (buffer && buffer->spilled_to_.exchange(true, std::memory_order_acquire))
    return invalid("memory-spill-fill-shared",
                   "another graph that spills to the same external buffer is running")
        .fix_by("run graphs that share a spill-fill buffer one after another, or register one for each");
  return SpillFillUse(std::move(buffer));
}

SpillFillUse::~SpillFillUse() {
  if (buffer_) buffer_->spilled_to_.store(false, std::memory_order_release);
}

// ---- Memory ----

Memory::Memory(const MemoryRequest& request, std::shared_ptr<MappedBuffer> buffer, uint64_t bytes,
               std::shared_ptr<ContextMemory> owner, Logger log)
    : log_(std::move(log)),
      use_(request.use),
      type_(request.type),
      shape_(request.shape),
      buffer_(std::move(buffer)),
      owner_(std::move(owner)),
      data_(buffer_->data() + request.offset),
      bytes_(bytes),
      key_(key_of(request, *buffer_)) {}

Outcome<std::unique_ptr<Memory>> Memory::make(const MemoryRequest& request,
                                              std::shared_ptr<ContextMemory> owner, Logger log) {
  OPENQNN_ASSIGN_AS(auto buffer, QNN_MEM_ERROR_MAPPING, MappedBuffer::of(request.fd));
  OPENQNN_ASSIGN(const uint64_t bytes, registered_bytes(request, *buffer));
  const ContextMemory::Key key = key_of(request, *buffer);
  if (!owner->claim(key))
    return ApiError(
        QNN_MEM_ERROR_ALREADY_REGISTERED,
        invalid("memory-registered", concat("the context has a registration of ", key, " already"))
            .fix_by("use the handle of that registration, or deregister it first"));
  if (request.use == MemoryUse::kSpillFill) owner->set_spill_fill(buffer);
  return std::unique_ptr<Memory>(
      new Memory(request, std::move(buffer), bytes, std::move(owner), std::move(log)));
}

Memory::~Memory() { deregister(); }

void Memory::deregister() {
  if (registered_.exchange(false) == false) return;
  if (use_ == MemoryUse::kSpillFill) owner_->set_spill_fill(nullptr);
  owner_->release(key_);
}

Outcome<Ref<Memory>> memory_for_execute(Qnn_MemHandle_t handle, const ContextMemory& context,
                                        Qnn_ErrorHandle_t code) {
  if (!handle)
    return ApiError(code, invalid("memory-null", "the tensor's memory is a mem handle, and that is null")
                              .fix_by("register the buffer with QnnMem_register and pass on the handle"));
  Ref<Memory> memory = HandleTable::instance().acquire<Memory>(handle);
  if (!memory)
    return ApiError(code, invalid("memory-handle", concat("handle ", handle, " is no registered memory"))
                              .fix_by("it may have been deregistered, or belong to another library"));
  if (!memory->belongs_to(context))
    return ApiError(code, invalid("memory-context", "the memory was registered with another context")
                              .fix_by("register it with the context of this graph, too"));
  if (memory->use() != MemoryUse::kTensor)
    return ApiError(code, invalid("memory-use", "the memory was not registered for a tensor"));
  return memory;
}

}  // namespace openqnn::runtime
