// SPDX-License-Identifier: BSD-3-Clause
// How long work takes, for tests of how cost grows: this thread's processor time, so that a busy machine does
// not fail them.
#pragma once

#include <time.h>

#include <algorithm>

namespace openqnn::test {

inline double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The best of `rounds`: what the work costs when nothing disturbs it.
template <class Work>
double best_cpu_seconds(int rounds, Work&& work) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const double start = thread_cpu_seconds();
    work();
    best = std::min(best, thread_cpu_seconds() - start);
  }
  return best;
}

// How many times as much `large` costs as `small`, by the comparison that says least: what else a machine
// does makes the larger one slower for a while, code that grows too fast is slow every time. One below `bar`
// will do.
template <class Small, class Large>
double growth(double bar, Small&& small, Large&& large) {
  constexpr int kComparisons = 5;
  double least = 1e9;
  for (int i = 0; i < kComparisons && least >= bar; ++i)
    least = std::min(least, best_cpu_seconds(3, large) / best_cpu_seconds(3, small));
  return least;
}

}  // namespace openqnn::test
