// SPDX-License-Identifier: BSD-3-Clause
#include "base/thread_pool.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/block_signals.h"
#include "base/text.h"

namespace openqnn {
namespace {

constexpr size_t kMaxThreads = 256;

// One parallel_for in progress. It lives on its caller's stack, so it leaves the list before the caller
// returns.
struct Job {
  FunctionRef<void(size_t, size_t)> body;
  const size_t count;
  std::atomic<size_t> next{0};
  std::atomic<size_t> lanes{0};
  // Guarded by the pool's mutex.
  size_t helpers = 0;
  std::exception_ptr failure;
  std::condition_variable helpers_left;

  // Takes indices until none is left. A body that throws (out of memory) ends the job early; its caller hears
  // of it.
  std::exception_ptr work() {
    try {
      const size_t lane = lanes.fetch_add(1, std::memory_order_relaxed);
      for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) body(i, lane);
    } catch (...) {
      next.store(count, std::memory_order_relaxed);
      return std::current_exception();
    }
    return nullptr;
  }
};

size_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  size_t cores = 0;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) cores = static_cast<size_t>(CPU_COUNT(&set));
  if (cores == 0) cores = std::thread::hardware_concurrency();  // more CPUs than cpu_set_t can name
  return std::clamp<size_t>(cores, 1, kMaxThreads);
}

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_or_stop;
  std::vector<Job*> jobs;  // with indices still to take
  bool stop = false;
  std::vector<std::thread> workers;
  pid_t owner = getpid();
  State* abandoned_next = nullptr;

  // After fork() the child has this object but none of its threads, and perhaps a mutex nobody will ever
  // unlock.
  bool in_forked_child() const { return getpid() != owner; }

  void withdraw(Job* job) { std::erase(jobs, job); }

  void worker() {
    std::unique_lock lock(mutex);
    while (true) {
      work_or_stop.wait(lock, [&] { return stop || !jobs.empty(); });
      if (jobs.empty()) return;
      // The job with the fewest helpers, the oldest of them: concurrent callers share the workers evenly.
      Job* job = *std::min_element(jobs.begin(), jobs.end(),
                                   [](const Job* a, const Job* b) { return a->helpers < b->helpers; });
      ++job->helpers;
      lock.unlock();
      std::exception_ptr failure = job->work();
      lock.lock();
      withdraw(job);
      if (failure) job->failure = std::move(failure);
      // Notified under the lock: the job is gone as soon as its caller gets the lock back.
      if (--job->helpers == 0) job->helpers_left.notify_one();
    }
  }
};

namespace {

// States that could not be joined stay reachable here, so that a leak checker in the child sees them for what
// they are.
std::atomic<void*> abandoned_head{nullptr};

}  // namespace

ThreadPool::ThreadPool(size_t threads) : state_(std::make_unique<State>()) {
  const size_t workers = std::clamp<size_t>(threads, 1, kMaxThreads) - 1;
  state_->workers.reserve(workers);
  BlockSignals block;
  for (size_t i = 0; i < workers; ++i) {
    try {
      state_->workers.emplace_back([state = state_.get()] { state->worker(); });
    } catch (const std::system_error&) {
      break;  // the system refuses more threads: fewer do the same work
    }
  }
}

ThreadPool::~ThreadPool() {
  const auto self = std::this_thread::get_id();
  const bool is_worker = !state_->in_forked_child() &&
                         std::any_of(state_->workers.begin(), state_->workers.end(),
                                     [&](const std::thread& worker) { return worker.get_id() == self; });
  if (state_->in_forked_child() || is_worker) {
    // Nothing to join: the threads do not exist here, or one of them is ending the process.
    State* state = state_.release();
    state->abandoned_next = static_cast<State*>(abandoned_head.exchange(state));
    return;
  }
  {
    std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->work_or_stop.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

size_t ThreadPool::threads() const { return state_->workers.size() + 1; }

void ThreadPool::parallel_for(size_t count, FunctionRef<void(size_t)> body) {
  parallel_for(count, [&](size_t i, size_t) { body(i); });
}

void ThreadPool::parallel_for(size_t count, FunctionRef<void(size_t, size_t)> body) {
  State& state = *state_;
  if (count < 2 || state.workers.empty() || state.in_forked_child()) {
    for (size_t i = 0; i < count; ++i) body(i, 0);
    return;
  }
  Job job{body, count};
  {
    std::lock_guard lock(state.mutex);
    state.jobs.push_back(&job);
  }
  if (count - 1 < state.workers.size()) {
    for (size_t i = 1; i < count; ++i) state.work_or_stop.notify_one();
  } else {
    state.work_or_stop.notify_all();
  }
  std::exception_ptr failure = job.work();

  std::unique_lock lock(state.mutex);
  state.withdraw(&job);
  job.helpers_left.wait(lock, [&] { return job.helpers == 0; });
  if (!failure) failure = job.failure;
  lock.unlock();
  if (failure) std::rethrow_exception(failure);
}

Result<size_t> ThreadPool::default_threads() {
  const char* wish = std::getenv("OPENQNN_THREADS");
  if (!wish || !*wish) return usable_cores();
  size_t threads = 0;
  const char* end = wish + std::strlen(wish);
  const auto [stopped, error] = std::from_chars(wish, end, threads);
  if (error == std::errc() && stopped == end && threads >= 1 && threads <= kMaxThreads) return threads;
  return invalid("threads", concat("'", wish, "' is not a number of threads from 1 to ", kMaxThreads))
      .at("OPENQNN_THREADS")
      .fix_by("without one, every core that this process may use works");
}

ThreadPool& ThreadPool::shared() {
  static ThreadPool pool([] {
    const auto threads = default_threads();
    return threads ? *threads : usable_cores();
  }());
  return pool;
}

}  // namespace openqnn
