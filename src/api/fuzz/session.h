// SPDX-License-Identifier: BSD-3-Clause
// What the steps of a random sequence share: dice, handles that were made, graphs, and what must live as long
// as calls use it.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "QnnInterface.h"
#include "api/fuzz/tensors.h"

namespace openqnn::api::fuzz {

using Handles = std::vector<void*>;

struct OwnGraph {
  Qnn_GraphHandle_t handle = nullptr;
  std::string name;
  std::vector<std::shared_ptr<OwnTensor>> tensors;
};

// A file of memory that registrations map.
class MemoryFile {
 public:
  explicit MemoryFile(size_t bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int fd() const { return fd_; }
  size_t bytes() const { return bytes_; }

 private:
  const int fd_;
  const size_t bytes_;
};

// The tensors of one execute with buffers of their own.
struct Call {
  std::vector<Qnn_Tensor_t> inputs, outputs;
  std::deque<std::vector<std::byte>> buffers;
  std::deque<std::vector<uint32_t>> dims;
  std::vector<std::shared_ptr<OwnTensor>> tensors;  // what the structs point to
};

// Asynchronous executes under way, with what they use. Each that was accepted is answered once.
class AsyncCalls {
 public:
  // Keeps the call, and answers what to pass as notifyParam.
  void* begin(std::unique_ptr<Call> call);
  static void notify(void* param, Qnn_NotifyStatus_t status);
  // The call was not accepted: no answer will come.
  void refuse(void* param);
  void wait_for_all();

 private:
  struct Pending {
    AsyncCalls* owner;
    std::unique_ptr<Call> call;
  };
  void end(Pending* pending);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Pending>> pending_;
};

// Contexts that a list of binaries is being loaded into: one answer for each binary, and one for each graph.
class ListLoads {
 public:
  ~ListLoads() { wait_for_all(); }
  void begin();
  void refuse();  // the last one
  static void notify(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph, const char* name,
                     QnnContext_createFromBinaryAsyncNotifyType_t type, void* param,
                     Qnn_ErrorHandle_t status);
  // Answers the contexts that have come.
  Handles wait_for_all();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Handles made_;
  size_t expected_ = 0;
};

struct Session {
  explicit Session(Dice thrown) : dice(thrown) {}

  // Mostly a handle that lives, sometimes a stale one or a number that never was one.
  void* pick(const Handles& handles);
  // The same, or null.
  void* pick_or_null(const Handles& handles) { return dice.one_in(2) ? pick(handles) : nullptr; }
  OwnGraph* graph() { return graphs.empty() ? nullptr : dice.of(graphs).get(); }
  std::string graph_name() { return "g" + std::to_string(dice.below(4)); }

  // A session on another thread: the same handles, its own graphs. What it makes comes back with `join`.
  std::unique_ptr<Session> fork(size_t bytes);
  void join(Session& other);

  // Frees whatever is left; stale handles answer with an error.
  void finish();

  Dice dice;
  Handles logs, backends, devices, contexts, profiles, signals, memories;
  std::vector<std::shared_ptr<OwnGraph>> graphs;
  std::vector<std::unique_ptr<MemoryFile>> files;
  std::vector<std::unique_ptr<std::vector<std::byte>>> persistent_binaries;
  AsyncCalls async;
  ListLoads lists;
  std::vector<uint32_t> last_shape;
  uint32_t tensors_made = 0;
  uint32_t nodes_made = 0;
  bool on_a_thread = false;
};

}  // namespace openqnn::api::fuzz
