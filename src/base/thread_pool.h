// SPDX-License-Identifier: BSD-3-Clause
// The process's worker threads. Kernels are single-threaded over a range; only exec hands ranges out.
#pragma once

#include <cstddef>
#include <memory>

#include "base/function_ref.h"
#include "base/result.h"

namespace openqnn {

class ThreadPool {
 public:
  // `threads` counts the calling thread too: 1 means no worker is started.
  explicit ThreadPool(size_t threads);
  ~ThreadPool();  // joins the workers
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  size_t threads() const;

  // A thread that calls parallel_for again and again, while this lives. Such callers and the workers that
  // help them are threads() at most: where every core has a caller, each works alone, and none waits for a
  // worker that waits for a core.
  class Caller {
   public:
    explicit Caller(ThreadPool& pool);
    ~Caller();
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

   private:
    ThreadPool& pool_;
  };
  // Whether every core has a caller now, so that parallel_for calls its body on the calling thread alone.
  bool has_no_room() const;

  // Calls body(i) for every i in [0, count), on the workers and on the calling thread; returns when all are
  // done. Several threads may call it at once; a body may not call it again.
  void parallel_for(size_t count, FunctionRef<void(size_t)> body);
  // The same with body(i, lane): no two calls that run at the same time have the same lane, and lanes are
  // below threads().
  void parallel_for(size_t count, FunctionRef<void(size_t, size_t)> body);

  // The pool every executor of this library shares, started at first use, in a forked child anew, and joined
  // when the library is unloaded. OPENQNN_THREADS sets its size; the default is the number of cores this
  // process may use.
  static ThreadPool& shared();
  // What OPENQNN_THREADS (1 to 256) or the cores ask for. A bad value counts as unset for shared(); whoever
  // has a log reports it.
  static Result<size_t> default_threads();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace openqnn
