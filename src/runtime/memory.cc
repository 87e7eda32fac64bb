// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>

#include "base/text.h"
#include "base/until_exit.h"

namespace openqnn::runtime {
namespace {

// Live mappings of this library, so that a buffer with many tensors is mapped once.
struct Mappings {
  std::mutex mutex;
  std::map<BufferIdentity, std::weak_ptr<MappedBuffer>> by_identity;
};

Mappings& mappings() {
  static KeptAtExit<Mappings> instance;
  return *instance;
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
  if ((fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDWR)
    return unsupported("memory-map", concat("file descriptor ", fd, " is not open for reading and writing"))
        .fix_by("open it with O_RDWR");
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
  const uint64_t room = whole - request.offset;
  if (request.use != MemoryUse::kTensor) {
    if (request.needed_bytes <= room) return room;
    return ApiError(
        QNN_MEM_ERROR_INVALID_ARGUMENT,
        invalid("memory-working-small",
                concat("the graphs of the context need ", request.needed_bytes, " bytes of external ",
                       name_of(request.use), ", but from offset ", request.offset, " the buffer has ", room))
            .fix_by("register a buffer for the largest of the graphs that share it"));
  }
  OPENQNN_ASSIGN(const uint64_t bytes, tensor_bytes(request));
  if (bytes > room)
    return ApiError(QNN_MEM_ERROR_INVALID_SHAPE,
                    invalid("memory-small",
                            concat("a ", ir::name(request.type), " tensor of shape ",
                                   request.shape.to_string(), " needs ", bytes, " bytes, but from offset ",
                                   request.offset, " the buffer has ", room)));
  return bytes;
}

ContextMemory::Key key_of(const MemoryRequest& request, const MappedBuffer& buffer) {
  if (request.use != MemoryUse::kTensor) return name_of(request.use);
  std::string key = concat("buffer ", buffer.identity().device, ":", buffer.identity().inode);
  if (request.exclusive) return key;
  return concat(key, " +", request.offset, " ", ir::name(request.type), request.shape.to_string());
}

}  // namespace

const char* name_of(MemoryUse use) {
  static constexpr std::array<const char*, 4> kNames = {"tensor", "weights", "spill-fill", "VTCM backup"};
  return kNames.at(static_cast<size_t>(use));
}

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
                                            " bytes): ", system_reason()));
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

void ContextMemory::add_working(MemoryUse use, std::shared_ptr<MappedBuffer> buffer, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  working_[use] = {std::move(buffer), bytes};
  has_working_.store(true, std::memory_order_release);
}

void ContextMemory::remove_working(MemoryUse use) {
  const std::lock_guard lock(mutex_);
  working_.erase(use);
  has_working_.store(!working_.empty(), std::memory_order_release);
}

std::vector<std::shared_ptr<MappedBuffer>> ContextMemory::for_sequential_use() const {
  if (!has_working_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<MappedBuffer>> buffers;
  for (const MemoryUse use : {MemoryUse::kWeights, MemoryUse::kSpillFill}) {
    const auto found = working_.find(use);
    // One buffer may hold both.
    if (found != working_.end() && std::ranges::count(buffers, found->second.buffer) == 0)
      buffers.push_back(found->second.buffer);
  }
  return buffers;
}

Status ContextMemory::check_spill_fill(uint64_t needed, const std::string& graph) const {
  const std::lock_guard lock(mutex_);
  const auto found = working_.find(MemoryUse::kSpillFill);
  if (found == working_.end() || needed <= found->second.bytes) return {};
  return invalid("memory-working-small",
                 concat("the graph needs ", needed,
                        " bytes of external spill-fill, but the registered buffer has ", found->second.bytes))
      .at(graph)
      .fix_by("deregister the buffer, or register one for the largest of the graphs that share it");
}

Result<SequentialUse> SequentialUse::begin(const ContextMemory& context) {
  SequentialUse use;
  for (std::shared_ptr<MappedBuffer>& buffer : context.for_sequential_use()) {
    if (buffer->in_use_.exchange(true, std::memory_order_acquire))
      return invalid("memory-sequential",
                     "another graph runs that has its spill-fill or weights in the same external buffer")
          .fix_by("run graphs that share a buffer one after another, or register one for each context");
    use.taken_.push_back(std::move(buffer));
  }
  return use;
}

SequentialUse::~SequentialUse() {
  for (const auto& buffer : taken_) buffer->in_use_.store(false, std::memory_order_release);
}

// ---- Memory ----

Memory::Memory(const MemoryRequest& request, std::shared_ptr<MappedBuffer> buffer, uint64_t bytes,
               std::shared_ptr<ContextMemory> owner, Logger log)
    : log_(std::move(log)),
      use_(request.use),
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
  if (request.use != MemoryUse::kTensor) owner->add_working(request.use, buffer, bytes);
  return std::unique_ptr<Memory>(
      new Memory(request, std::move(buffer), bytes, std::move(owner), std::move(log)));
}

Memory::~Memory() { deregister(); }

void Memory::deregister() {
  if (registered_.exchange(false) == false) return;
  if (use_ != MemoryUse::kTensor) owner_->remove_working(use_);
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
