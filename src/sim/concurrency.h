// SPDX-License-Identifier: BSD-3-Clause
// Several clients of one device: who has it when, who waits, and who has to yield. Clients are declared, and
// the same ones give the same answer. docs/timing.md has the rules, and which are ours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"
#include "program/program.h"
#include "sim/sim.h"
#include "soc/target.h"

namespace openqnn::sim {

// What a client does with the device once it has it, in cycles from its first one. Never changes, so that
// clients who do the same share one.
class Workload {
 public:
  // Executes a graph: `alone` is the Timeline of the schedule where nobody interferes.
  static Workload executing(const program::Schedule& schedule, const Timeline& alone);
  // Holds the device and so much VTCM, with work that can stop anywhere: a client that is no graph.
  static Workload holding(Cycles duration, Bytes vtcm);

  Cycles duration() const { return duration_; }
  // Whether anything is still to be started at this cycle. If not, what runs may as well end.
  bool can_yield_at(Cycles position) const { return position < last_start_; }
  // Until when that which has been started by then runs on.
  Cycles drained_at(Cycles position) const;
  // In VTCM, and needed later.
  Bytes alive_at(Cycles position) const;

 private:
  struct Span {
    Cycles start, end;
  };
  struct Block {
    Cycles filled, last_start;  // starts of the first and of the last that touch it
    uint64_t bytes;
  };
  Cycles duration_;
  Cycles last_start_;
  std::vector<Span> running_;  // by start; `end` is the latest of those up to here
  std::vector<Block> blocks_;
};

// One thread that calls execute, again and again.
struct Client {
  const Workload* workload = nullptr;
  uint32_t priority = 100;  // as Qnn_Priority_t numbers them: more goes first
  uint32_t executes = 1;
  Cycles first_call;
  Cycles pause;       // from an answer to the next call
  Cycles call;        // the way there and back; half of it each way (ours)
  uint32_t core = 0;  // clients of other cores do not disturb (ours: they share DDR on a device)
};

// One call. Its device time is its workload's duration and its yields.
struct Execution {
  uint32_t client = 0;
  Cycles called;
  Cycles arrived;   // at the device
  Cycles acquired;  // VTCM, and with it the device
  Cycles ended;
  Cycles answered;
  std::vector<Yield> yields;  // in cycles from `acquired`

  Cycles waited() const { return acquired - arrived; }
  Cycles latency() const { return answered - called; }
};

// Executions by their end, ties by client. The highest priority first, and of equal ones who came first. A
// higher one takes the device from a lower one, which stops starting tasks, lets those that run end, writes
// what is alive in VTCM to DDR, waits, acquires VTCM again and fills it.
std::vector<Execution> share_device(std::span<const Client> clients, const soc::Target& target,
                                    const PowerState& power);

// What the client of this execution sees: the Timeline with its tasks behind its yields.
Timeline timeline_of(const Execution& execution, const Timeline& alone);

// Answers a second, from the first answer to the last; without a second one, from the first call.
double throughput_per_s(std::span<const Execution> executions, const PowerState& power);

}  // namespace openqnn::sim
