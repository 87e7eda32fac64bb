// SPDX-License-Identifier: BSD-3-Clause
#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/block_signals.h"
#include "base/text.h"
#include "base/units.h"
#include "base/until_exit.h"

namespace openqnn {
namespace {

constexpr size_t kMaxThreads = 256;

// One parallel_for in progress. It lives on its caller's stack, so it leaves the list before the caller
// returns.
struct Job {
  FunctionRef<void(size_t, size_t)> body;
  const size_t count;
  const int core = sched_getcpu();  // the caller's
  std::atomic<size_t> next{0};
  std::atomic<size_t> lanes{0};
  std::atomic<size_t> helpers{0};  // changed under the pool's mutex
  std::exception_ptr failure;      // guarded by it
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

// What a container is granted (docker --cpus): microseconds of all cores together in a period, or "max".
size_t granted_cores() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  size_t quota = 0;
  size_t period = 0;
  return file >> quota >> period && period > 0 ? ceil_div(quota, period) : kMaxThreads;
}

size_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  size_t cores = 0;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) cores = static_cast<size_t>(CPU_COUNT(&set));
  if (cores == 0) cores = std::thread::hardware_concurrency();  // more CPUs than cpu_set_t can name
  return std::clamp<size_t>(std::min(cores, granted_cores()), 1, kMaxThreads);
}

// How often a thread looks for work, or for the end of it, before it sleeps: some tens of microseconds. The
// ops of a graph follow each other faster than a sleeping thread wakes up (scripts/bench exec, two threads).
constexpr int kLooks = 2000;

// The kernel may wake a worker on the core that its caller works on. It takes milliseconds to part them, in
// which small graphs are done (scripts/bench exec, MobileNet-V2 by two threads).
void leave_core(int core) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(core, &others);
  if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof(others), &others) != 0) return;
  sched_setaffinity(0, sizeof(allowed), &allowed);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable work_or_stop;
  std::vector<Job*> jobs;           // with indices still to take
  std::atomic<uint64_t> posted{0};  // how many jobs there were, and 1 for the stop
  size_t asleep = 0;
  size_t helping = 0;              // workers at a job
  std::atomic<size_t> callers{0};  // objects of class Caller
  size_t most = 1;                 // of callers and workers at work
  int looks = kLooks;              // 0 where threads would look in each other's way
  bool stop = false;
  std::vector<std::thread> workers;
  pid_t owner = getpid();
  State* abandoned_next = nullptr;

  // After fork() the child has this object but none of its threads, and perhaps a mutex nobody will ever
  // unlock.
  bool in_forked_child() const { return getpid() != owner; }

  void withdraw(Job* job) { std::erase(jobs, job); }

  // How many more workers find a core that no caller has.
  size_t room() const {
    const size_t busy = callers.load(std::memory_order_relaxed) + helping;
    return busy < most ? most - busy : 0;
  }

  void look_for_more(std::unique_lock<std::mutex>& lock) {
    const uint64_t seen = posted.load(std::memory_order_relaxed);
    lock.unlock();
    for (int i = 0; i < looks && posted.load(std::memory_order_relaxed) == seen; ++i) pause();
    lock.lock();
  }

  // Whoever sees that the last helper has left must still take the mutex: the helper may hold it.
  void look_for_the_end(const Job& job) const {
    for (int i = 0; i < looks && job.helpers.load(std::memory_order_relaxed) != 0; ++i) pause();
  }

  void worker() {
    std::unique_lock lock(mutex);
    while (true) {
      if (!stop && jobs.empty()) look_for_more(lock);
      ++asleep;
      work_or_stop.wait(lock, [&] { return stop || (!jobs.empty() && room() > 0); });
      --asleep;
      if (jobs.empty()) return;
      // The job with the fewest helpers, the oldest of them: concurrent callers share the workers evenly.
      Job* job = *std::min_element(jobs.begin(), jobs.end(),
                                   [](const Job* a, const Job* b) { return a->helpers < b->helpers; });
      ++job->helpers;
      ++helping;
      lock.unlock();
      if (looks > 0 && sched_getcpu() == job->core) leave_core(job->core);
      std::exception_ptr failure = job->work();
      lock.lock();
      --helping;
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
  state_->most = workers + 1;
  if (workers + 1 > usable_cores()) state_->looks = 0;
  BlockSignals block;
  for (size_t i = 0; i < workers; ++i) {
    try {
      state_->workers.emplace_back([state = state_.get()] { state->worker(); });
    } catch (const std::exception&) {
      break;  // the system refuses more threads or memory: fewer do the same work
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
    state_->posted.fetch_add(1, std::memory_order_relaxed);
  }
  state_->work_or_stop.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

size_t ThreadPool::threads() const { return state_->workers.size() + 1; }

ThreadPool::Caller::Caller(ThreadPool& pool) : pool_(pool) {
  pool_.state_->callers.fetch_add(1, std::memory_order_relaxed);
}

bool ThreadPool::has_no_room() const { return state_->callers.load(std::memory_order_relaxed) >= threads(); }

ThreadPool::Caller::~Caller() { pool_.state_->callers.fetch_sub(1, std::memory_order_relaxed); }

void ThreadPool::parallel_for(size_t count, FunctionRef<void(size_t)> body) {
  parallel_for(count, [&](size_t i, size_t) { body(i); });
}

void ThreadPool::parallel_for(size_t count, FunctionRef<void(size_t, size_t)> body) {
  State& state = *state_;
  if (count < 2 || state.workers.empty() || has_no_room() || state.in_forked_child()) {
    for (size_t i = 0; i < count; ++i) body(i, 0);
    return;
  }
  Job job{body, count};
  size_t sleepers = 0;
  {
    std::lock_guard lock(state.mutex);
    state.jobs.push_back(&job);
    state.posted.fetch_add(1, std::memory_order_relaxed);
    sleepers = std::min(state.asleep, state.room());
  }
  for (size_t i = 0; i < std::min(count - 1, sleepers); ++i) state.work_or_stop.notify_one();
  std::exception_ptr failure = job.work();

  std::unique_lock lock(state.mutex);
  state.withdraw(&job);
  lock.unlock();
  state.look_for_the_end(job);
  lock.lock();
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

namespace {

// The pool of this process. A forked child gets one of its own, as its parent's threads are not in it.
class SharedPool {
 public:
  SharedPool() {
    get();
    pthread_atfork(nullptr, nullptr, begin_child);
  }
  ~SharedPool() {
    for (Made* made = newest_; made != nullptr;) delete std::exchange(made, made->earlier);
    current_ = nullptr;
  }
  SharedPool(const SharedPool&) = delete;
  SharedPool& operator=(const SharedPool&) = delete;

  static ThreadPool& get() {
    if (Made* const made = current_.load(std::memory_order_acquire)) return made->pool;
    auto mine = std::make_unique<Made>(newest_.load());
    Made* none = nullptr;
    if (!current_.compare_exchange_strong(none, mine.get())) return none->pool;  // another thread was first
    newest_ = mine.get();
    return mine.release()->pool;
  }

 private:
  struct Made {
    // A child has as many as its parent: what was made before the fork has room for so many lanes.
    explicit Made(Made* before)
        : pool(before == nullptr ? wished_threads() : before->pool.threads()), earlier(before) {}
    ThreadPool pool;
    Made* const earlier;  // of the parent: who forks within a call still has it
  };

  static size_t wished_threads() {
    const auto threads = ThreadPool::default_threads();
    return threads ? *threads : usable_cores();
  }
  // The child has one thread, so nobody is in get().
  static void begin_child() { current_ = nullptr; }

  static constinit inline std::atomic<Made*> current_{nullptr};
  static constinit inline std::atomic<Made*> newest_{nullptr};
};

}  // namespace

ThreadPool& ThreadPool::shared() {
  static KeptAtExit<SharedPool> pool;
  return (*pool).get();
}

}  // namespace openqnn
