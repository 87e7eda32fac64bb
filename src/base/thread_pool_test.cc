// SPDX-License-Identifier: BSD-3-Clause
#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace openqnn {
namespace {

TEST(ThreadPool, VisitsEveryIndexOnce) {
  for (size_t threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (size_t count : {0, 1, 2, 3, 1000}) {
      std::vector<std::atomic<int>> visits(count);
      pool.parallel_for(count, [&](size_t i) { ++visits[i]; });
      for (size_t i = 0; i < count; ++i) EXPECT_EQ(visits[i], 1);
    }
  }
}

TEST(ThreadPool, WorkersReallyHelp) {
  ThreadPool pool(3);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::atomic<int> waiting{0};
  // Three indices that wait for each other can only end on three threads.
  pool.parallel_for(3, [&](size_t) {
    ++waiting;
    while (waiting < 3) std::this_thread::yield();
    std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), 3u);
}

// The result is read without synchronisation and the body dies with the call: TSan and ASan watch both.
TEST(ThreadPool, IsDoneWhenItReturns) {
  ThreadPool pool(4);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int> out(7);
    auto body = std::make_unique<std::function<void(size_t)>>([&out, round](size_t i) { out[i] = round; });
    pool.parallel_for(out.size(), *body);
    body.reset();
    for (int value : out) ASSERT_EQ(value, round);
  }
}

TEST(ThreadPool, GivesEachThreadALaneOfItsOwn) {
  ThreadPool pool(4);
  for (int round = 0; round < 200; ++round) {
    std::array<std::atomic<int>, 4> users{};
    pool.parallel_for(50, [&](size_t, size_t lane) {
      ASSERT_LT(lane, users.size());
      EXPECT_EQ(++users[lane], 1);
      std::this_thread::yield();
      --users[lane];
    });
  }
}

TEST(ThreadPool, ServesSeveralCallers) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<size_t> sum{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) pool.parallel_for(20, [&](size_t i) { sum += i; });
    });
  }
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(sum, 4u * 200 * 190);
}

// How many threads a job with many indices runs on.
size_t threads_of_a_job(ThreadPool& pool) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  pool.parallel_for(200, [&](size_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  return seen.size();
}

TEST(ThreadPool, LeavesACoreToEveryCaller) {
  ThreadPool pool(3);
  const ThreadPool::Caller own(pool);
  EXPECT_EQ(threads_of_a_job(pool), 3U);
  {
    const ThreadPool::Caller other(pool);
    EXPECT_EQ(threads_of_a_job(pool), 2U);
    const ThreadPool::Caller third(pool);
    EXPECT_EQ(threads_of_a_job(pool), 1U);
    const ThreadPool::Caller fourth(pool);
    EXPECT_EQ(threads_of_a_job(pool), 1U);
  }
  EXPECT_EQ(threads_of_a_job(pool), 3U);
}

// Workers that leave a caller's core may come back to it: they move, and are bound to nothing.
TEST(ThreadPool, WorkersMayRunWhereTheProcessMay) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  ThreadPool pool(2);
  std::atomic<int> bound = 0;
  for (int round = 0; round < 50; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // until the worker sleeps
    pool.parallel_for(64, [&](size_t) {
      cpu_set_t own;
      const bool is_known = sched_getaffinity(0, sizeof(own), &own) == 0;
      if (!is_known || !CPU_EQUAL(&own, &allowed)) ++bound;
    });
  }
  EXPECT_EQ(bound, 0);
}

TEST(ThreadPool, ServesCallersThatComeAndGo) {
  ThreadPool pool(3);
  std::vector<std::thread> threads;
  std::atomic<size_t> sum{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        const ThreadPool::Caller caller(pool);
        for (int job = 0; job < 5; ++job) pool.parallel_for(20, [&](size_t k) { sum += k; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 4U * 100 * 5 * 190);
}

TEST(ThreadPool, HandsExceptionsToTheCaller) {
  ThreadPool pool(3);
  const auto failing = [](size_t i) {
    if (i % 10 == 3) throw std::runtime_error("no memory");
  };
  EXPECT_THROW(pool.parallel_for(100, failing), std::runtime_error);
  std::atomic<int> calls{0};
  pool.parallel_for(10, [&](size_t) { ++calls; });
  EXPECT_EQ(calls, 10);
}

TEST(ThreadPool, SizeComesFromTheEnvironment) {
  const char* before = std::getenv("OPENQNN_THREADS");
  const std::string saved = before != nullptr ? before : "";
  ::unsetenv("OPENQNN_THREADS");
  const size_t cores = ThreadPool::default_threads().value();
  EXPECT_GE(cores, 1u);
  EXPECT_LE(cores, 256u);
  for (const char* good : {"1", "7", "256"}) {
    ::setenv("OPENQNN_THREADS", good, 1);
    EXPECT_EQ(ThreadPool::default_threads().value(), std::stoul(good));
  }
  for (const char* bad : {"0", "257", "-1", "4x", " 4", "99999999999999999999999"}) {
    ::setenv("OPENQNN_THREADS", bad, 1);
    const auto refused = ThreadPool::default_threads();
    ASSERT_FALSE(refused) << bad;
    EXPECT_NE(refused.error().to_string().find(bad), std::string::npos);
  }
  ::setenv("OPENQNN_THREADS", "", 1);
  EXPECT_EQ(ThreadPool::default_threads().value(), cores);
  ::unsetenv("OPENQNN_THREADS");

  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(ThreadPool::default_threads().value(), 1u);
  sched_setaffinity(0, sizeof(all), &all);
  if (before != nullptr) ::setenv("OPENQNN_THREADS", saved.c_str(), 1);
}

// TSan does not follow a fork of a threaded process, and GCC's search for leaks may hang in the child.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST(ThreadPool, WorksAndEndsInAForkedChild) {
  ThreadPool::shared().parallel_for(8, [](size_t) {});
  const size_t parents = ThreadPool::shared().threads();
  auto own = std::make_unique<ThreadPool>(3);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);  // a join of threads that do not exist would wait for ever
    size_t sum = 0;
    ::setenv("OPENQNN_THREADS", std::to_string(parents + 3).c_str(), 1);  // too late
    std::atomic<size_t> shared_sum = 0;
    ThreadPool::shared().parallel_for(8, [&](size_t i) { shared_sum += i; });
    const size_t threads = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
    if (threads != parents || ThreadPool::shared().threads() != parents) std::exit(2);  // the child's own
    sum = shared_sum;
    own->parallel_for(8, [&](size_t i) { sum += i; });
    own.reset();
    std::exit(sum == 56 ? 0 : 1);  // runs the destructor of the shared pool
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

}  // namespace
}  // namespace openqnn
