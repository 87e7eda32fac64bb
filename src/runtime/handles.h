// SPDX-License-Identifier: BSD-3-Clause
// Handles: tokens {library, kind, generation, slot}, never addresses. A stale handle, a handle of another
// kind and a handle of another library are all recognised. Looking one up takes a reference without a lock;
// freeing marks the object dead, and its memory goes when the last call that uses it ends.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace openqnn::runtime {

enum class Kind : uint8_t {
  kLog = 1,
  kBackend,
  kDevice,
  kContext,
  kGraph,
  kProfile,
  kSystemContext,
  kMemory,
  kSignal,
  kSerializationTarget,
  kSystemDlc,
};

// What a handle can stand for. A derived class names its kKind, the word for it (kName), and the code that
// the C API documents for a bad handle of this kind (kInvalidHandle).
class Object {
 public:
  Object() = default;
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

class HandleTable;

// An object in use: it stays alive while the Ref does.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(HandleTable* table, uint32_t slot, T* object) : table_(table), slot_(slot), object_(object) {}
  Ref(Ref&& other) noexcept
      : table_(std::exchange(other.table_, nullptr)),
        slot_(other.slot_),
        object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(slot_, other.slot_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref();

  explicit operator bool() const { return object_ != nullptr; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }

 private:
  HandleTable* table_ = nullptr;
  uint32_t slot_ = 0;
  T* object_ = nullptr;
};

class HandleTable {
 public:
  HandleTable();
  ~HandleTable();  // with every object that was not freed
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  // Null when every slot is taken, and at exit.
  void* insert(Kind kind, std::unique_ptr<Object> object);

  // Empty unless the handle is ours, of T's kind, and alive.
  template <class T>
  Ref<T> acquire(void* handle) {
    uint32_t slot = 0;
    Object* object = acquire(handle, T::kKind, slot);
    return object ? Ref<T>(this, slot, static_cast<T*>(object)) : Ref<T>();
  }

  // Marks the object dead. False when another thread did so before.
  template <class T>
  bool remove(void* handle) {
    return remove(handle, T::kKind);
  }

  // This library's table. Objects left in it die when the library is unloaded.
  static HandleTable& instance();
  bool is_open() const { return is_open_; }  // until exit

  // A static one ends all handles of this library when exit() destroys it. What was made before it goes after
  // it, so that a client's own static object, which goes later still, cannot reach through a handle what is
  // gone.
  struct EndAtExit {
    HandleTable& table;
    explicit EndAtExit(HandleTable& ended = instance()) : table(ended) {}
    EndAtExit(const EndAtExit&) = delete;
    EndAtExit& operator=(const EndAtExit&) = delete;
    ~EndAtExit() { table.is_open_ = false; }
  };

 private:
  template <class T>
  friend class Ref;
  struct Slot;
  static constexpr uint32_t kChunks = 1024;
  static constexpr uint32_t kSlotsPerChunk = 1024;

  Slot* slot_at(uint32_t index) const;
  Object* acquire(void* handle, Kind kind, uint32_t& slot);
  bool remove(void* handle, Kind kind);
  void release(uint32_t slot);

  const uint16_t library_;
  std::array<std::atomic<Slot*>, kChunks> chunks_{};
  std::mutex mutex_;  // guards what follows, and growth
  std::vector<uint32_t> free_;
  uint32_t used_ = 0;
  std::atomic<bool> is_open_{true};
};

template <class T>
Ref<T>::~Ref() {
  if (object_) table_->release(slot_);
}

}  // namespace openqnn::runtime
