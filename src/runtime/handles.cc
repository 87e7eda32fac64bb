// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/handles.h"

#include <chrono>

#include "base/until_exit.h"

namespace openqnn::runtime {
namespace {

// A handle, most significant bits first: library 16, kind 8, generation 20, slot 20.
constexpr uint32_t kSlotBits = 20;
constexpr uint32_t kGenerationBits = 20;
constexpr uint32_t kGenerationMask = (1U << kGenerationBits) - 1;

struct Token {
  uint16_t library;
  Kind kind;
  uint32_t generation;
  uint32_t slot;
};

void* encode(const Token& token) {
  const uint64_t bits = uint64_t{token.library} << 48 | uint64_t{static_cast<uint8_t>(token.kind)} << 40 |
                        uint64_t{token.generation} << kSlotBits | token.slot;
  return reinterpret_cast<void*>(bits);  // NOLINT: a token, never dereferenced
}

Token decode(const void* handle) {
  const auto bits = reinterpret_cast<uint64_t>(handle);
  return {static_cast<uint16_t>(bits >> 48), static_cast<Kind>(bits >> 40 & 0xFF),
          static_cast<uint32_t>(bits >> kSlotBits & kGenerationMask),
          static_cast<uint32_t>(bits & ((1U << kSlotBits) - 1))};
}

// The state of a slot in one word: generation, a dead flag, and how many calls use the object.
constexpr uint64_t kDead = uint64_t{1} << 31;
constexpr uint64_t kRefMask = kDead - 1;
constexpr uint64_t state_of(uint32_t generation) { return uint64_t{generation} << 32; }
constexpr uint32_t generation_of(uint64_t state) { return static_cast<uint32_t>(state >> 32); }

// Differs between libraries loaded at once (they lie at different addresses) and, nearly always, between two
// loads of one library (the time): a handle kept across dlclose is then foreign, not stale.
uint16_t library_tag(const void* address) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  uint64_t mixed = reinterpret_cast<uint64_t>(address) * 0x9E3779B97F4A7C15ULL + static_cast<uint64_t>(now);
  mixed ^= mixed >> 29;
  mixed *= 0xBF58476D1CE4E5B9ULL;
  const auto tag = static_cast<uint16_t>(mixed >> 48);
  return tag != 0 ? tag : 1;
}

}  // namespace

struct HandleTable::Slot {
  std::atomic<uint64_t> state{kDead};  // a slot never used is dead
  Kind kind = Kind::kLog;
  std::unique_ptr<Object> object;
};

HandleTable::HandleTable() : library_(library_tag(this)) {}

HandleTable::~HandleTable() {
  for (std::atomic<Slot*>& chunk : chunks_) delete[] chunk.load();
}

HandleTable& HandleTable::instance() {
  static KeptAtExit<HandleTable> table;
  static const EndAtExit end{*table};
  return *table;
}

HandleTable::Slot* HandleTable::slot_at(uint32_t index) const {
  Slot* chunk = chunks_[index / kSlotsPerChunk].load(std::memory_order_acquire);
  return chunk ? &chunk[index % kSlotsPerChunk] : nullptr;
}

void* HandleTable::insert(Kind kind, std::unique_ptr<Object> object) {
  uint32_t index = 0;
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!is_open_) return nullptr;
    if (!free_.empty()) {
      index = free_.back();
      free_.pop_back();
    } else {
      if (used_ == kChunks * kSlotsPerChunk) return nullptr;
      index = used_++;
      if (index % kSlotsPerChunk == 0)
        chunks_[index / kSlotsPerChunk].store(new Slot[kSlotsPerChunk], std::memory_order_release);
    }
    slot = slot_at(index);
  }
  slot->kind = kind;
  slot->object = std::move(object);
  const uint32_t generation = generation_of(slot->state.load(std::memory_order_relaxed)) + 1;
  slot->state.store(state_of(generation), std::memory_order_release);
  return encode({library_, kind, generation, index});
}

Object* HandleTable::acquire(void* handle, Kind kind, uint32_t& index) {
  if (!is_open_.load(std::memory_order_relaxed)) return nullptr;
  const Token token = decode(handle);
  if (token.library != library_ || token.kind != kind) return nullptr;
  Slot* slot = slot_at(token.slot);
  if (!slot) return nullptr;
  uint64_t state = slot->state.load(std::memory_order_acquire);
  do {
    if (generation_of(state) != token.generation || (state & kDead)) return nullptr;
  } while (!slot->state.compare_exchange_weak(state, state + 1, std::memory_order_acquire));
  index = token.slot;
  if (slot->kind == kind) return slot->object.get();
  release(index);  // a forged token
  return nullptr;
}

bool HandleTable::remove(void* handle, Kind kind) {
  uint32_t index = 0;
  if (!acquire(handle, kind, index)) return false;
  const bool first = !(slot_at(index)->state.fetch_or(kDead, std::memory_order_acq_rel) & kDead);
  release(index);
  return first;
}

void HandleTable::release(uint32_t index) {
  Slot* slot = slot_at(index);
  const uint64_t before = slot->state.fetch_sub(1, std::memory_order_acq_rel);
  const bool last_use_of_dead = (before & kDead) && (before & kRefMask) == 1;
  if (!last_use_of_dead) return;
  slot->object.reset();
  if (generation_of(before) == kGenerationMask) return;  // used up: a stale handle must not come alive again
  const std::lock_guard lock(mutex_);
  free_.push_back(index);
}

}  // namespace openqnn::runtime
