// SPDX-License-Identifier: BSD-3-Clause
#include "tools/interrupt.h"

#include <csignal>
#include <initializer_list>

#include "api/own_options.h"
#include "base/text.h"

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

Status go_on() {
  if (caught == 0) return {};
  return system_failure("interrupted",
                        concat(caught == SIGINT ? "SIGINT" : "SIGTERM", " has stopped it before its end"))
      .fix_by("run it again; files that are whole were left, and no others");
}

Status or_interrupted(Status status) {
  if (status) return status;
  OPENQNN_TRY(go_on());
  return status;
}

void let_signals_stop(const QnnInterface_ImplementationV2_39_t& api, Qnn_GraphHandle_t graph) {
  if (api.graphSetConfig == nullptr) return;
  api::OwnOption option(api::kStopOption, &was_interrupted);
  api.graphSetConfig(graph, option.list());  // refused by a backend that does not know it
}

}  // namespace openqnn::tools
