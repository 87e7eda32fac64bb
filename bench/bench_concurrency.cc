// SPDX-License-Identifier: BSD-3-Clause
// Several graphs at once: a thread each, beside one graph on one thread. The ratio is how many times as many
// inferences are done in the same time; no more than there are cores.
#include <memory>
#include <thread>
#include <vector>

#include "base/thread_pool.h"
#include "exec/executor.h"
#include "models.h"
#include "protocol.h"

namespace {

using namespace openqnn;  // NOLINT: a program of its own

constexpr uint32_t kConvolutions = 30;
constexpr size_t kGraphs = 8;
constexpr uint64_t kInferences =
    100;  // of each: it takes milliseconds until threads are spread over the cores

// A graph with constants, executor and buffers of its own.
class Client {
 public:
  Client() : Client(bench::prepared_chain(kConvolutions)) {}
  explicit Client(const program::ProgramSet& set) : executor_(set, exec::Mode::kWhole, Logger()) {
    for (const program::Tensor& tensor : set.programs[0]->tensors) {
      const bool named = tensor.role == ir::TensorRole::kInput || tensor.role == ir::TensorRole::kOutput;
      memory_.emplace_back(named ? tensor.bytes : 0);
      buffers_.push_back(named ? memory_.back().data() : nullptr);
    }
  }

  void run(uint64_t repeats) {
    for (uint64_t i = 0; i < repeats * kInferences; ++i) executor_.run(buffers_);
  }

 private:
  exec::Executor executor_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<std::byte*> buffers_;
};

// Works by itself, in registers alone: what a thread gets of a core, whatever else is on the machine.
[[gnu::noinline]] void spin(uint64_t steps) {     // both sides run the same instructions
  constexpr uint64_t kMultiplications = 200'000;  // of a step, some 0.1 ms
  uint64_t value = 1;
  for (uint64_t i = 0; i < steps * kMultiplications; ++i) {
    value *= 3;
    asm volatile("" : "+r"(value));  // or there is nothing to do
  }
}

// What two threads of the machine can gain, so that the figure of the graphs has its measure.
void measure_machine(bench::Area& area) {
  const auto one = [](uint64_t repeats) { spin(repeats * kInferences); };
  const auto two = [&](uint64_t repeats) {
    std::thread other(one, repeats);
    one(repeats);
    other.join();
  };
  area.growth("a loop in registers on 2 threads", kInferences, one, 2 * kInferences, two,
              "what the machine gives, whose processors may be shared with others");
}

}  // namespace

int main(int argc, char** argv) {
  bench::Area area("concurrency", argc, argv);
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < kGraphs; ++i) clients.push_back(std::make_unique<Client>());
  const auto all_at_once = [&](uint64_t repeats) {
    std::vector<std::thread> threads;
    for (const auto& client : clients) threads.emplace_back([&, repeats] { client->run(repeats); });
    for (std::thread& thread : threads) thread.join();
  };
  ThreadPool& pool = ThreadPool::shared();
  const auto one_alone = [&](uint64_t repeats) {
    std::vector<std::unique_ptr<ThreadPool::Caller>> on_other_cores;  // so that no worker helps
    while (on_other_cores.size() + 1 < pool.threads())
      on_other_cores.push_back(std::make_unique<ThreadPool::Caller>(pool));
    clients[0]->run(repeats);
  };
  area.growth("8 graphs on 8 threads", kInferences, one_alone, kGraphs * kInferences, all_at_once,
              "a unit is an inference; " + std::to_string(std::thread::hardware_concurrency()) +
                  " cores are the most");
  measure_machine(area);
  return area.finish();
}
