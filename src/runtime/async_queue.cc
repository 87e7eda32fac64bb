// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/async_queue.h"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "QnnGraph.h"
#include "base/block_signals.h"

namespace openqnn::runtime {

// Shared with the worker, which may outlive the queue by a moment.
struct AsyncQueue::State {
  explicit State(uint32_t most) : depth(most) {}

  void work();
  void close(const std::shared_ptr<State>& self);
  // After fork() the child has this object, but not the thread, and perhaps a mutex nobody will ever unlock.
  bool in_forked_child() const { return getpid() != owner; }

  const uint32_t depth;
  const pid_t owner = getpid();
  std::atomic<bool> ended{false};  // the worker's last act
  std::mutex mutex;                // guards what follows
  std::condition_variable work_or_stop;
  std::deque<Request> waiting;
  uint32_t unfinished = 0;
  bool closed = false;
  std::thread worker;  // started by the first request
};

// The queues and threads of this library, which must end before its objects do: at exit or dlclose, a worker
// may still be in a graph of a context that nobody freed.
class AsyncQueue::Library {
 public:
  static Library& instance() {
    static Library library;
    return library;
  }

  Library() { alive_ = this; }
  ~Library() {
    end();
    alive_ = nullptr;
  }

  void add(const std::shared_ptr<State>& queue) {
    const std::lock_guard lock(mutex_);
    std::erase_if(queues_, [](const std::weak_ptr<State>& old) { return old.expired(); });
    queues_.push_back(queue);
    std::erase_if(orphans_, [](Orphan& orphan) {
      if (!orphan.state->ended) return false;
      orphan.worker.join();
      return true;
    });
  }

  // A worker that closes its own queue cannot join itself: it is joined here, later.
  void adopt(std::thread worker, std::shared_ptr<State> state) {
    const std::lock_guard lock(mutex_);
    orphans_.push_back({std::move(worker), std::move(state)});
  }

 private:
  struct Orphan {
    std::thread worker;
    std::shared_ptr<State> state;
  };

  // dlclose calls this before it destroys the first static object, exit() after the last one, when there is
  // nothing left to end.
  [[gnu::destructor]] static void end_before_statics() {
    if (Library* library = alive_) library->end();
  }

  void end() {
    for (const std::weak_ptr<State>& queue : queues_)
      if (const auto state = queue.lock()) state->close(state);
    for (Orphan& orphan : orphans_) {
      const bool is_this_thread = orphan.worker.get_id() == std::this_thread::get_id();
      if (orphan.state->in_forked_child() || is_this_thread)
        orphan.worker.detach();
      else
        orphan.worker.join();
    }
    queues_.clear();
    orphans_.clear();
  }

  static constinit inline std::atomic<Library*> alive_{nullptr};
  std::mutex mutex_;  // guards what follows
  std::vector<std::weak_ptr<State>> queues_;
  std::vector<Orphan> orphans_;
};

void AsyncQueue::State::work() {
  std::unique_lock lock(mutex);
  while (true) {
    work_or_stop.wait(lock, [&] { return closed || !waiting.empty(); });
    if (closed) break;
    Request request = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    const Qnn_ErrorHandle_t status = request.run();
    request.run = nullptr;  // gives back what the execution held before the client hears of its end
    lock.lock();
    --unfinished;
    lock.unlock();
    request.finish(status);
    lock.lock();
  }
  ended = true;
}

void AsyncQueue::State::close(const std::shared_ptr<State>& self) {
  if (in_forked_child()) return;
  std::deque<Request> unrun;
  std::thread stopping;
  {
    const std::lock_guard lock(mutex);
    closed = true;
    unrun.swap(waiting);
    unfinished -= static_cast<uint32_t>(unrun.size());
    stopping.swap(worker);
  }
  work_or_stop.notify_all();
  if (stopping.get_id() == std::this_thread::get_id())
    Library::instance().adopt(std::move(stopping), self);
  else if (stopping.joinable())
    stopping.join();
  for (Request& request : unrun) {
    request.run = nullptr;
    request.finish(QNN_GRAPH_ERROR_ABORTED);
  }
}

AsyncQueue::AsyncQueue(uint32_t depth) : state_(std::make_shared<State>(depth)) {}

AsyncQueue::~AsyncQueue() { close(); }

void AsyncQueue::close() { state_->close(state_); }

AsyncQueue::Pushed AsyncQueue::push(Request request) {
  const std::lock_guard lock(state_->mutex);
  if (state_->closed) return Pushed::kClosed;
  if (state_->unfinished >= state_->depth) return Pushed::kFull;
  if (!state_->worker.joinable()) {
    Library::instance().add(state_);
    const BlockSignals block;
    try {
      state_->worker = std::thread([state = state_] { state->work(); });
    } catch (const std::system_error&) {
      return Pushed::kNoThread;
    }
  }
  state_->waiting.push_back(std::move(request));
  ++state_->unfinished;
  state_->work_or_stop.notify_one();
  return Pushed::kYes;
}

}  // namespace openqnn::runtime
