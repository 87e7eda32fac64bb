// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of calls of the C API with random graphs: right ones, wrong ones, stale handles, frees in
// any order, several threads. Whatever the answers are, nothing may crash, leak or hang.
#include <array>
#include <thread>

#include "api/fuzz/steps.h"

namespace openqnn::api::fuzz {
namespace {

constexpr uint32_t kMostSteps = 64;
constexpr uint32_t kMostStepsOfAThread = 12;

struct WeighedStep {
  uint32_t weight;  // how often, relative to the others
  void (*step)(Session&);
};

constexpr WeighedStep kSteps[] = {
    {24, add_node},           {3, add_package_node},   {2, register_package},  {3, create_graph},
    {3, retrieve_graph},      {4, update_tensors},     {8, finalize},          {12, execute},
    {6, execute_async},       {5, register_memory},    {2, deregister_memory}, {3, set_graph_options},
    {2, set_context_options}, {1, set_device_options}, {5, load_binary},       {2, describe_binary},
    {1, create_log},          {1, set_log_level},      {1, create_backend},    {2, create_device},
    {2, create_context},      {2, create_profile},     {2, read_profile},      {2, create_signal},
    {2, use_signal},          {3, free_something},     {1, ask_around},        {3, act_in_parallel},
    {4, compose_sample},      {2, load_list},          {3, move_section},      {4, compose_stream},
};

constexpr uint32_t kAllWeights = [] {
  uint32_t sum = 0;
  for (const WeighedStep& each : kSteps) sum += each.weight;
  return sum;
}();
static_assert(kAllWeights <= 256, "one byte chooses a step");

void run(Dice dice) {
  Session session(dice);
  create_log(session);
  create_backend(session);
  create_context(session);
  if (session.dice.one_in(2))
    create_graph(session);
  else
    compose_sample(session);
  for (uint32_t step = 0; step < kMostSteps && !session.dice.empty(); ++step) act(session);
  session.finish();
}

}  // namespace

void act(Session& session) {
  uint32_t thrown = session.dice.below(kAllWeights);
  for (const WeighedStep& each : kSteps) {
    if (thrown < each.weight) return each.step(session);
    thrown -= each.weight;
  }
}

void act_in_parallel(Session& session) {
  if (session.on_a_thread) return;
  std::array<std::unique_ptr<Session>, 2> clients = {session.fork(64), session.fork(64)};
  std::array<std::thread, 2> threads;
  for (size_t i = 0; i < threads.size(); ++i)
    threads[i] = std::thread([&client = *clients[i]] {
      for (uint32_t step = 0; step < kMostStepsOfAThread && !client.dice.empty(); ++step) act(client);
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& client : clients) session.join(*client);
}

}  // namespace openqnn::api::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  openqnn::api::fuzz::run(openqnn::api::fuzz::Dice(data, size));
  return 0;
}
