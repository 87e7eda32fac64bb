// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace openqnn::tools {
namespace {

std::atomic<bool> was_interrupted = false;
std::atomic<int> caught = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler sets them");

void interrupt(int signal) {
  caught = signal;
  was_interrupted = true;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = interrupt;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

std::atomic<bool>& interrupted() { return was_interrupted; }

int interrupted_exit_code() { return caught == 0 ? 0 : 128 + caught; }

}  // namespace openqnn::tools
