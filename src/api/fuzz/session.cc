// SPDX-License-Identifier: BSD-3-Clause
#include "api/fuzz/session.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace openqnn::api::fuzz {

// ---- MemoryFile ----

MemoryFile::MemoryFile(size_t bytes) : fd_(memfd_create("fuzz", MFD_CLOEXEC)), bytes_(bytes) {
  if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(bytes)) != 0) std::abort();
}

MemoryFile::~MemoryFile() { close(fd_); }

// ---- AsyncCalls ----

void* AsyncCalls::begin(std::unique_ptr<Call> call) {
  const std::lock_guard lock(mutex_);
  pending_.push_back(std::make_unique<Pending>(Pending{this, std::move(call)}));
  return pending_.back().get();
}

void AsyncCalls::notify(void* param, Qnn_NotifyStatus_t) {
  auto* pending = static_cast<Pending*>(param);
  pending->owner->end(pending);
}

void AsyncCalls::refuse(void* param) { end(static_cast<Pending*>(param)); }

void AsyncCalls::end(Pending* pending) {
  const std::lock_guard lock(mutex_);
  const auto erased = std::erase_if(pending_, [pending](const auto& each) { return each.get() == pending; });
  if (erased != 1) std::abort();  // answered twice
  changed_.notify_all();
}

void AsyncCalls::wait_for_all() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return pending_.empty(); });  // a hang is what the fuzzer's timeout finds
}

// ---- ListLoads ----

void ListLoads::begin() {
  const std::lock_guard lock(mutex_);
  ++expected_;
}

void ListLoads::refuse() {
  const std::lock_guard lock(mutex_);
  --expected_;
  changed_.notify_all();
}

void ListLoads::notify(Qnn_ContextHandle_t context, Qnn_GraphHandle_t, const char*,
                       QnnContext_createFromBinaryAsyncNotifyType_t type, void* param,
                       Qnn_ErrorHandle_t status) {
  if (type != QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT) return;
  auto& self = *static_cast<ListLoads*>(param);
  const std::lock_guard lock(self.mutex_);
  if (self.expected_ == 0) std::abort();  // more answers than binaries
  --self.expected_;
  if (status == QNN_SUCCESS) self.made_.push_back(context);
  self.changed_.notify_all();
}

Handles ListLoads::wait_for_all() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return expected_ == 0; });
  return std::exchange(made_, {});
}

// ---- Session ----

void* Session::pick(const Handles& handles) {
  if (dice.one_in(64)) return dice.one_in(2) || contexts.empty() ? nullptr : contexts.front();
  if (handles.empty() || dice.one_in(64)) return reinterpret_cast<void*>(uintptr_t{dice.word()});  // NOLINT
  return dice.of(handles);
}

std::unique_ptr<Session> Session::fork(size_t bytes) {
  auto other = std::make_unique<Session>(dice.split(bytes));
  other->logs = logs;
  other->backends = backends;
  other->devices = devices;
  other->contexts = contexts;
  other->profiles = profiles;
  other->signals = signals;
  other->memories = memories;
  for (const auto& graph : graphs) other->graphs.push_back(std::make_shared<OwnGraph>(*graph));
  other->last_shape = last_shape;
  // Names of its own: no two sessions make the same one.
  other->tensors_made = 1000 * (tensors_made + 1) + dice.below(9) * 100;
  other->nodes_made = other->tensors_made;
  other->on_a_thread = true;
  return other;
}

void Session::join(Session& other) {
  other.async.wait_for_all();
  std::ranges::copy(other.lists.wait_for_all(), std::back_inserter(other.contexts));
  std::ranges::move(other.files, std::back_inserter(files));
  std::ranges::move(other.persistent_binaries, std::back_inserter(persistent_binaries));
  const auto take = [](Handles& mine, const Handles& its) {
    for (void* handle : its)
      if (std::ranges::find(mine, handle) == mine.end()) mine.push_back(handle);
  };
  take(logs, other.logs);
  take(backends, other.backends);
  take(devices, other.devices);
  take(contexts, other.contexts);
  take(profiles, other.profiles);
  take(signals, other.signals);
  take(memories, other.memories);
}

void Session::finish() {
  std::ranges::copy(lists.wait_for_all(), std::back_inserter(contexts));
  for (void* context : contexts) QnnContext_free(context, nullptr);
  async.wait_for_all();
  for (void* memory : memories) QnnMem_deRegister(&memory, 1);
  for (void* signal : signals) QnnSignal_free(signal);
  for (void* profile : profiles) QnnProfile_free(profile);
  for (void* device : devices) QnnDevice_free(device);
  for (void* backend : backends) QnnBackend_free(backend);
  for (void* log : logs) QnnLog_free(log);
}

}  // namespace openqnn::api::fuzz
