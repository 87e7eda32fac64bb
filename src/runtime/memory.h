// SPDX-License-Identifier: BSD-3-Clause
// Memory that a client registered: bytes behind a file descriptor, mapped once and used in place.
//
// An execute that is given a mem handle takes a Ref and keeps it until it ends; deregistering meanwhile is
// safe, the mapping goes with the last Ref:
//
//   OPENQNN_ASSIGN(Ref<Memory> memory, memory_for_execute(handle, *context_memory,
//   QNN_GRAPH_ERROR_INVALID_TENSOR)); binding.data = memory->data(); binding.bytes = memory->bytes();
//
// Context owns a std::shared_ptr<ContextMemory> and hands it to its graphs. Before an execute computes, it
// takes its turn with the context's external spill-fill and weights buffers, if some are registered:
//
//   OPENQNN_ASSIGN_AS(SequentialUse use, QNN_GRAPH_ERROR_GENERAL, SequentialUse::begin(*context_memory));
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "QnnMem.h"
#include "base/log.h"
#include "ir/shape.h"
#include "ir/types.h"
#include "runtime/handles.h"
#include "runtime/outcome.h"

namespace openqnn::runtime {

// Which buffer a descriptor stands for; two descriptors of one buffer (dup, another open) are equal.
struct BufferIdentity {
  uint64_t device = 0, inode = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): a false alarm
  auto operator<=>(const BufferIdentity&) const = default;
};

// A whole buffer in this process's address space. It outlives the client's descriptor and mapping.
class MappedBuffer {
 public:
  // Maps the buffer, or answers the mapping that exists already.
  static Result<std::shared_ptr<MappedBuffer>> of(int32_t fd);

  MappedBuffer(BufferIdentity identity, std::byte* data, uint64_t bytes);
  ~MappedBuffer();
  MappedBuffer(const MappedBuffer&) = delete;
  MappedBuffer& operator=(const MappedBuffer&) = delete;

  const BufferIdentity& identity() const { return identity_; }
  std::byte* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  friend class SequentialUse;
  const BufferIdentity identity_;
  std::byte* const data_;
  const uint64_t bytes_;
  std::atomic<bool> in_use_{false};  // a graph runs that has its working memory here
};

// What a registered buffer is for.
enum class MemoryUse : uint8_t {
  kTensor,      // input or output of executes
  kWeights,     // receives the weights
  kSpillFill,   // external spill-fill
  kVtcmBackup,  // external VTCM backup
};
const char* name_of(MemoryUse use);

// A registration as the client states it, checked.
struct MemoryRequest {
  MemoryUse use = MemoryUse::kTensor;
  int32_t fd = -1;
  uint64_t offset = 0;
  std::optional<uint64_t> whole_bytes;  // what the client says the whole buffer has
  bool exclusive = false;               // one buffer, one tensor, one handle (ION, dma-buf)
  ir::DataType type = ir::DataType::kUndefined;
  ir::Shape shape;
  uint64_t needed_bytes = 0;  // of working memory: what the context's graphs take
};

// The registrations of one context. Context and its graphs share it.
class ContextMemory {
 public:
  // Says what may be registered once; see Memory::make.
  using Key = std::string;

  // False when the key is taken.
  bool claim(const Key& key);
  void release(const Key& key);

  // Working memory that is registered: who executes takes turns with it.
  void add_working(MemoryUse use, std::shared_ptr<MappedBuffer> buffer, uint64_t bytes);
  void remove_working(MemoryUse use);
  std::vector<std::shared_ptr<MappedBuffer>> for_sequential_use() const;

  // Refuses a graph that spills more than the registered buffer has; without one, every graph is welcome.
  Status check_spill_fill(uint64_t needed, const std::string& graph) const;

 private:
  struct Working {
    std::shared_ptr<MappedBuffer> buffer;
    uint64_t bytes = 0;
  };
  mutable std::mutex mutex_;  // guards what follows
  std::set<Key> claimed_;
  std::map<MemoryUse, Working> working_;
  std::atomic<bool> has_working_{false};  // so that executes without any take no lock
};

// One execute's turn with the external spill-fill and weights buffers of its context. Both are for executes
// one after the other: of two in parallel, the second is refused. Contexts without such buffers never refuse.
class SequentialUse {
 public:
  static Result<SequentialUse> begin(const ContextMemory& context);
  SequentialUse(SequentialUse&&) noexcept = default;
  SequentialUse& operator=(SequentialUse&&) = delete;
  ~SequentialUse();

 private:
  SequentialUse() = default;
  std::vector<std::shared_ptr<MappedBuffer>> taken_;
};

class Memory : public Object {
 public:
  static constexpr Kind kKind = Kind::kMemory;
  static constexpr const char* kName = "memory";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_MEM_ERROR_INVALID_HANDLE;

  // Maps the buffer and claims its place in the context. Claimed once in a context: the whole buffer when the
  // request is exclusive; else the offset with its shape and type; one buffer for each kind of working
  // memory.
  static Outcome<std::unique_ptr<Memory>> make(const MemoryRequest& request,
                                               std::shared_ptr<ContextMemory> owner, Logger log);
  ~Memory() override;

  const Logger& log() const { return log_; }
  MemoryUse use() const { return use_; }
  bool belongs_to(const ContextMemory& context) const { return owner_.get() == &context; }

  std::byte* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

  // The registration ends: the place in the context is free, the mapping stays until the last Ref goes.
  void deregister();

 private:
  Memory(const MemoryRequest& request, std::shared_ptr<MappedBuffer> buffer, uint64_t bytes,
         std::shared_ptr<ContextMemory> owner, Logger log);

  const Logger log_;
  const MemoryUse use_;
  const std::shared_ptr<MappedBuffer> buffer_;
  const std::shared_ptr<ContextMemory> owner_;
  std::byte* const data_;
  const uint64_t bytes_;
  const ContextMemory::Key key_;
  std::atomic<bool> registered_{true};
};

// The memory that an execute of a graph in `context` is given; `code` is answered when there is none, when it
// was registered with another context, or when it is not for tensors.
Outcome<Ref<Memory>> memory_for_execute(Qnn_MemHandle_t handle, const ContextMemory& context,
                                        Qnn_ErrorHandle_t code);

}  // namespace openqnn::runtime
