// SPDX-License-Identifier: BSD-3-Clause
#include "sim/concurrency.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace openqnn::sim {
namespace {

// What a client is doing, from its call to the answer.
struct Turn {
  uint32_t client = 0;
  Execution execution;
  Cycles position;  // in its workload
  bool suspended = false;
};

// The device of one core.
class Core {
 public:
  Core(std::span<const Client> clients, const soc::Target& target, const PowerState& power)
      : clients_(clients), target_(target), power_(power) {}

  void add(uint32_t client) {
    if (clients_[client].executes > 0) call(client, clients_[client].first_call, clients_[client].executes);
  }

  std::vector<Execution> run() && {
    while (!turns_.empty()) {
      const size_t next = choose();
      Turn turn = std::move(turns_[next]);
      turns_.erase(turns_.begin() + static_cast<ptrdiff_t>(next));
      serve(std::move(turn));
    }
    return std::move(ended_);
  }

 private:
  const Client& client_of(const Turn& turn) const { return clients_[turn.client]; }

  void call(uint32_t index, Cycles when, uint32_t remaining) {
    remaining_[index] = remaining - 1;
    Turn turn{.client = index};
    turn.execution.client = index;
    turn.execution.called = when;
    turn.execution.arrived = when + Cycles{clients_[index].call.value / 2};
    turns_.push_back(std::move(turn));
  }

  // Of those that have arrived when the device is free; it waits for the first to come.
  size_t choose() {
    const auto first =
        std::ranges::min_element(turns_, {}, [](const Turn& t) { return t.execution.arrived; });
    now_ = std::max(now_, first->execution.arrived);
    const auto rank = [&](const Turn& turn) {
      const bool here = turn.execution.arrived <= now_;
      return std::tuple(!here, -static_cast<int64_t>(client_of(turn).priority), turn.execution.arrived,
                        turn.client);
    };
    return static_cast<size_t>(std::ranges::min_element(turns_, {}, rank) - turns_.begin());
  }

  // When somebody of higher priority asks for the device, from now on.
  std::optional<Cycles> interruption(uint32_t priority) const {
    std::optional<Cycles> first;
    for (const Turn& turn : turns_)
      if (client_of(turn).priority > priority && (!first || turn.execution.arrived < *first))
        first = turn.execution.arrived;
    return first;
  }

  void serve(Turn turn) {
    if (turn.suspended)
      resume(turn);
    else
      turn.execution.acquired = now_;
    const Workload& workload = *client_of(turn).workload;
    const Cycles end = now_ + (workload.duration() - turn.position);
    if (const auto asked = interruption(client_of(turn).priority); asked && *asked < end) {
      const Cycles position = turn.position + (std::max(*asked, now_) - now_);
      if (workload.can_yield_at(position)) return suspend(std::move(turn), position);
    }
    now_ = end;
    finish(std::move(turn));
  }

  void suspend(Turn turn, Cycles position) {
    const Workload& workload = *client_of(turn).workload;
    now_ += position - turn.position;
    Yield yield{.start = now_ - turn.execution.acquired};
    yield.bytes = workload.alive_at(position);
    yield.save = (workload.drained_at(position) - position) + transfer_cycles(yield.bytes, target_, power_);
    now_ += yield.save;
    turn.execution.yields.push_back(yield);
    turn.position = position;
    turn.suspended = true;
    turns_.push_back(std::move(turn));
  }

  void resume(Turn& turn) {
    Yield& yield = turn.execution.yields.back();
    yield.wait = (now_ - turn.execution.acquired) - (yield.start + yield.save);
    yield.restore = transfer_cycles(yield.bytes, target_, power_);
    now_ += yield.restore;
    turn.suspended = false;
  }

  void finish(Turn turn) {
    const Client& client = client_of(turn);
    Execution& done = turn.execution;
    done.ended = now_;
    done.answered = now_ + (client.call - Cycles{client.call.value / 2});
    if (const uint32_t remaining = remaining_[turn.client]; remaining > 0)
      call(turn.client, done.answered + client.pause, remaining);
    ended_.push_back(std::move(done));
  }

  std::span<const Client> clients_;
  const soc::Target& target_;
  const PowerState& power_;
  Cycles now_;
  std::vector<Turn> turns_;  // a handful: one a client
  std::map<uint32_t, uint32_t> remaining_;
  std::vector<Execution> ended_;
};

}  // namespace

// ---- Workload ----

Workload Workload::executing(const program::Schedule& schedule, const Timeline& alone) {
  Workload made;
  made.duration_ = alone.total;
  // A task of two units starts with the first, and is needed until the second has started.
  std::vector<Span> starts(schedule.tasks.size(), {{UINT64_MAX}, {}});
  Cycles latest;
  for (const Event& event : alone.events) {
    latest = std::max(latest, event.end());
    made.running_.push_back({event.start, latest});
    made.last_start_ = std::max(made.last_start_, event.start);
    Span& task = starts[event.task];
    task.start = std::min(task.start, event.start);
    task.end = std::max(task.end, event.start);
  }
  for (const program::VtcmBlock& block : schedule.blocks) {
    if (block.users.empty()) continue;
    made.blocks_.push_back({starts[block.users.front()].start, starts[block.users.back()].end, block.bytes});
  }
  return made;
}

Workload Workload::holding(Cycles duration, Bytes vtcm) {
  Workload made;
  made.duration_ = duration;
  made.last_start_ = duration;
  made.blocks_.push_back({{}, duration, vtcm.value});
  return made;
}

Cycles Workload::drained_at(Cycles position) const {
  const auto behind = std::ranges::lower_bound(running_, position, {}, &Span::start);
  return behind == running_.begin() ? position : std::max(position, std::prev(behind)->end);
}

Bytes Workload::alive_at(Cycles position) const {
  Bytes alive;
  for (const Block& block : blocks_)
    if (block.filled < position && position <= block.last_start) alive += Bytes{block.bytes};
  return alive;
}

// ---- Sharing ----

std::vector<Execution> share_device(std::span<const Client> clients, const soc::Target& target,
                                    const PowerState& power) {
  std::map<uint32_t, Core> cores;
  for (uint32_t i = 0; i < clients.size(); ++i)
    cores.try_emplace(clients[i].core, clients, target, power).first->second.add(i);
  std::vector<Execution> all;
  for (auto& [number, core] : cores) {
    std::vector<Execution> executions = std::move(core).run();
    all.insert(all.end(), std::make_move_iterator(executions.begin()),
               std::make_move_iterator(executions.end()));
  }
  std::ranges::stable_sort(all, {}, [](const Execution& e) { return std::tuple(e.ended, e.client); });
  return all;
}

Timeline timeline_of(const Execution& execution, const Timeline& alone) {
  Timeline seen = alone;
  seen.yields = execution.yields;
  seen.acquire = execution.waited();
  Cycles added;
  auto event = seen.events.begin();
  for (const Yield& yield : execution.yields) {
    for (; event != seen.events.end() && event->start + added < yield.start; ++event) event->start += added;
    added += yield.cycles();
  }
  for (; event != seen.events.end(); ++event) event->start += added;
  seen.total += added;
  const Nanos accelerator = alone.power.time(seen.total);
  const Nanos more = alone.power.time(seen.total + seen.acquire) - alone.accelerator;
  seen.accelerator = accelerator;
  seen.rpc += more;
  seen.client += more;
  return seen;
}

double throughput_per_s(std::span<const Execution> executions, const PowerState& power) {
  constexpr double kNanosPerSecond = 1e9;
  if (executions.empty()) return 0;
  const auto [earliest, latest] = std::ranges::minmax_element(executions, {}, &Execution::answered);
  const bool is_alone = executions.size() == 1;
  const size_t intervals = is_alone ? 1 : executions.size() - 1;
  const Nanos time = power.time(latest->answered - (is_alone ? earliest->called : earliest->answered));
  return time.value == 0 ? 0
                         : kNanosPerSecond * static_cast<double>(intervals) / static_cast<double>(time.value);
}

}  // namespace openqnn::sim
