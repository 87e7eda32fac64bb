// SPDX-License-Identifier: BSD-3-Clause
// Signals: abort and timeout of a running call, and who may use a signal when.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

QnnSignal_Config_t abort_option() {
  QnnSignal_Config_t config = QNN_SIGNAL_CONFIG_INIT;
  config.option = QNN_SIGNAL_CONFIG_OPTION_ABORT;
  return config;
}

QnnSignal_Config_t timeout_option(uint64_t us) {
  QnnSignal_Config_t config = QNN_SIGNAL_CONFIG_INIT;
  config.option = QNN_SIGNAL_CONFIG_OPTION_TIMEOUT;
  config.timeoutDurationUs = us;
  return config;
}

Qnn_ErrorHandle_t create(const Session& session, const QnnSignal_Config_t* config, Qnn_SignalHandle_t* out) {
  const QnnSignal_Config_t* list[] = {config, nullptr};
  return session.api.signalCreate(session.backend, list, out);
}

Owned signal(const Session& session, const QnnSignal_Config_t& config) {
  Qnn_SignalHandle_t handle = nullptr;
  check(session.api, create(session, &config, &handle), "signalCreate");
  return {handle, session.api.signalFree};
}

Qnn_ErrorHandle_t set_config(const Session& session, Qnn_SignalHandle_t handle, QnnSignal_Config_t config) {
  const QnnSignal_Config_t* list[] = {&config, nullptr};
  return session.api.signalSetConfig(handle, list);
}

Qnn_ErrorHandle_t execute(const Session& session, const Graph& graph, IoTensors& io,
                          Qnn_SignalHandle_t with) {
  return session.api.graphExecute(graph.handle, io.inputs.data(), static_cast<uint32_t>(io.inputs.size()),
                                  io.outputs.data(), static_cast<uint32_t>(io.outputs.size()), nullptr, with);
}

constexpr uint32_t kLinks = 40;
std::string link(uint32_t number) { return "link" + std::to_string(number); }

// Many ops one after the other, each with an output of the graph: a client sees which of them ran.
Sample watched_chain() {
  Sample sample = add_chain(Kind::kQuantized, 64, kLinks);
  for (Tensor& tensor : sample.model.tensors)
    if (tensor.role == QNN_TENSOR_TYPE_NATIVE) tensor.role = QNN_TENSOR_TYPE_APP_READ;
  return sample;
}

// A graph that takes long enough to be stopped, with places to stop at.
struct LongRun {
  Session session;
  const Api& api = session.api;
  Owned context = session.context();
  Sample sample = watched_chain();
  Graph graph = Graph::built(api, context, sample.model);
  IoTensors io{graph.model, sample.inputs};
};

// feature: B2 (C API)
TEST(Signal, ATimeoutStopsAnExecute) {
  LongRun run;
  const Owned at_once = signal(run.session, timeout_option(0));
  EXPECT_TRUE(refused(run.api, execute(run.session, run.graph, run.io, at_once), QNN_GRAPH_ERROR_TIMED_OUT,
                      {"time was up"}));
  // The signal is idle again and can be given more time; the graph is unharmed.
  ASSERT_EQ(set_config(run.session, at_once, timeout_option(60'000'000)), QNN_SUCCESS);
  EXPECT_EQ(execute(run.session, run.graph, run.io, at_once), QNN_SUCCESS);
  EXPECT_EQ(run.io.results, run.graph.run(run.sample.inputs));
}

// feature: B2 (C API)
TEST(Signal, ATimeoutInterruptsInTheMiddle) {
  LongRun run;
  auto whole =
      std::chrono::nanoseconds::max();  // the shortest of some: the first, or a busy machine, takes longer
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(run.graph.execute(run.io), QNN_SUCCESS);
    whole = std::min<std::chrono::nanoseconds>(whole, std::chrono::steady_clock::now() - start);
  }
  const auto quarter = std::chrono::duration_cast<microseconds>(whole) / 4;
  const Owned limited = signal(run.session, timeout_option(static_cast<uint64_t>(quarter.count())));
  const Bytes untouched(run.io.results.at(link(kLinks)).size(), std::byte{0xCD});
  bool began = false;  // on a busy machine the time may be up before the first op
  for (int i = 0; i < 100 && !began; ++i) {
    for (auto& [name, bytes] : run.io.results) std::ranges::fill(bytes, std::byte{0xCD});
    ASSERT_TRUE(
        refused(run.api, execute(run.session, run.graph, run.io, limited), QNN_GRAPH_ERROR_TIMED_OUT));
    EXPECT_EQ(run.io.results.at(link(kLinks)), untouched) << "the last op ran";
    began = run.io.results.at(link(1)) != untouched;
  }
  EXPECT_TRUE(began) << "no op ran";
}

// feature: B2 (C API)
TEST(Signal, AbortStopsARunningExecute) {
  LongRun run;
  const Owned abort = signal(run.session, abort_option());
  std::atomic<bool> done{false};
  Qnn_ErrorHandle_t answer = QNN_SUCCESS;
  bool told = true;
  std::thread client([&] {
    // Executes that end before the other thread gets to it are repeated.
    for (int i = 0; i < 1000 && answer == QNN_SUCCESS; ++i)
      answer = execute(run.session, run.graph, run.io, abort);
    // What the sentence says is this thread's own.
    told = static_cast<bool>(refused(run.api, answer, QNN_GRAPH_ERROR_ABORTED, {"triggered"}));
    done = true;
  });
  Qnn_ErrorHandle_t triggered = QNN_SIGNAL_ERROR_SIGNAL_IDLE;
  while (!done && triggered != QNN_SUCCESS) {
    triggered = run.api.signalTrigger(abort);
    EXPECT_THAT(triggered, ::testing::AnyOf(QNN_SUCCESS, QNN_SIGNAL_ERROR_SIGNAL_IDLE));
    std::this_thread::yield();
  }
  client.join();
  EXPECT_EQ(triggered, QNN_SUCCESS);
  EXPECT_EQ(answer, Qnn_ErrorHandle_t{QNN_GRAPH_ERROR_ABORTED});
  EXPECT_TRUE(told);
  EXPECT_EQ(execute(run.session, run.graph, run.io, abort), QNN_SUCCESS) << "a trigger stops one call";
}

// feature: B2 (C API)
TEST(Signal, InUseWhileACallUsesIt) {
  LongRun run;
  const Owned busy = signal(run.session, abort_option());
  std::atomic<bool> stop{false};
  std::thread client([&] {
    IoTensors io(run.graph.model, run.sample.inputs);
    while (!stop) EXPECT_EQ(execute(run.session, run.graph, io, busy), QNN_SUCCESS);
  });
  // Each of these is refused while a call runs; between two calls it may be accepted.
  const auto sometimes = [](auto&& call, Qnn_ErrorHandle_t code) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end) {
      if (call() == code) return true;
      std::this_thread::yield();  // the other may have no core yet
    }
    return false;
  };
  EXPECT_TRUE(sometimes([&] { return set_config(run.session, busy, abort_option()); },
                        QNN_SIGNAL_ERROR_SIGNAL_IN_USE));
  stop = true;
  client.join();
  EXPECT_EQ(set_config(run.session, busy, abort_option()), QNN_SUCCESS);
}

// Two executes and a free that share one signal, several threads at once: every answer is a documented one.
// feature: B2 (C API)
TEST(Signal, OneSignalForTwoCalls) {
  LongRun run;
  const Owned shared = signal(run.session, timeout_option(60'000'000));
  std::atomic<int> in_use{0}, succeeded{0};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  const auto work = [&] {
    IoTensors io(run.graph.model, run.sample.inputs);
    while ((in_use == 0 || succeeded == 0) && std::chrono::steady_clock::now() < end) {
      const Qnn_ErrorHandle_t answer = execute(run.session, run.graph, io, shared);
      EXPECT_THAT(answer, ::testing::AnyOf(QNN_SUCCESS, QNN_GRAPH_ERROR_SIGNAL_IN_USE));
      ++(answer == QNN_SUCCESS ? succeeded : in_use);
    }
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
  EXPECT_GT(succeeded, 0);
  EXPECT_GT(in_use, 0) << "two calls never met";
}

// feature: B2 (C API)
TEST(Signal, ANotificationMayFreeTheSignal) {
  struct Freer {
    const Api* api;
    Qnn_SignalHandle_t signal = nullptr;
    std::atomic<int64_t> answer{-1};
    static void notify(void* param, Qnn_NotifyStatus_t /*status*/) {
      auto& self = *static_cast<Freer*>(param);
      self.answer = static_cast<int64_t>(self.api->signalFree(self.signal));
    }
  };
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors io(graph.model, sample.inputs);
  const QnnSignal_Config_t abort = abort_option();
  for (int i = 0; i < 2000; ++i) {
    Freer freer{&session.api};
    check(session.api, create(session, &abort, &freer.signal), "signalCreate");
    check(session.api,
          session.api.graphExecuteAsync(graph.handle, io.inputs.data(), 2, io.outputs.data(), 1, nullptr,
                                        freer.signal, Freer::notify, &freer),
          "graphExecuteAsync");
    while (freer.answer == -1) std::this_thread::yield();
    ASSERT_EQ(freer.answer, 0) << "execute " << i;
  }
}

// feature: B2 (C API)
TEST(Signal, TriggerNeedsAnAbortSignalInUse) {
  const Session session;
  const Owned idle = signal(session, abort_option());
  EXPECT_TRUE(refused(session.api, session.api.signalTrigger(idle), QNN_SIGNAL_ERROR_SIGNAL_IDLE));
  const Owned timeout = signal(session, timeout_option(1000));
  EXPECT_TRUE(refused(session.api, session.api.signalTrigger(timeout),
                      QNN_SIGNAL_ERROR_INCOMPATIBLE_SIGNAL_TYPE, {"ABORT"}));
}

// feature: B2 (C API)
TEST(Signal, ConfigIsChecked) {
  const Session session;
  const Api& api = session.api;
  Qnn_SignalHandle_t out = nullptr;
  QnnSignal_Config_t unknown = abort_option();
  unknown.option = static_cast<QnnSignal_ConfigOption_t>(4242);
  EXPECT_TRUE(refused(api, create(session, &unknown, &out), QNN_SIGNAL_ERROR_INVALID_ARGUMENT, {"4242"}));
  QnnSignal_Config_t custom = abort_option();
  custom.option = QNN_SIGNAL_CONFIG_OPTION_CUSTOM;
  EXPECT_TRUE(refused(api, create(session, &custom, &out), QNN_SIGNAL_ERROR_UNSUPPORTED));
  const QnnSignal_Config_t abort = abort_option(), timeout = timeout_option(10);
  const QnnSignal_Config_t* both[] = {&abort, &timeout, nullptr};
  EXPECT_TRUE(refused(api, api.signalCreate(session.backend, both, &out), QNN_SIGNAL_ERROR_INVALID_ARGUMENT,
                      {"not both"}));
  EXPECT_EQ(out, nullptr);

  // Without a purpose it can be made, but not used.
  check(api, api.signalCreate(session.backend, nullptr, &out), "signalCreate");
  const Owned blank(out, api.signalFree);
  LongRun run;
  Qnn_SignalHandle_t same = nullptr;
  check(run.api, run.api.signalCreate(run.session.backend, nullptr, &same), "signalCreate");
  EXPECT_TRUE(refused(run.api, execute(run.session, run.graph, run.io, same),
                      QNN_GRAPH_ERROR_INVALID_ARGUMENT, {"neither"}));
  EXPECT_TRUE(refused(api, api.signalTrigger(blank), QNN_SIGNAL_ERROR_INCOMPATIBLE_SIGNAL_TYPE));
  EXPECT_TRUE(refused(api, api.signalSetConfig(blank, nullptr), QNN_SIGNAL_ERROR_INVALID_ARGUMENT));
  EXPECT_EQ(set_config(session, blank, timeout_option(UINT64_MAX)), QNN_SUCCESS) << "as good as for ever";
}

// A binary that takes long enough to load for a signal to come in between.
struct LongLoad {
  Session session;
  const Api& api = session.api;
  Owned context = session.context();
  Sample sample = conv_relu_pool(Kind::kQuantized, 8, 256, 512);
  Graph graph = Graph::built(api, context, sample.model);
  Bytes binary = binary_of(api, context);

  Qnn_ErrorHandle_t load(Qnn_SignalHandle_t with, Qnn_ContextHandle_t* out) const {
    return api.contextCreateFromBinaryWithSignal(session.backend, session.device, nullptr, binary.data(),
                                                 binary.size(), out, nullptr, with);
  }
  // Loads and frees; what `load` answered.
  Qnn_ErrorHandle_t load_once(Qnn_SignalHandle_t with) const {
    Qnn_ContextHandle_t loaded = nullptr;
    const Qnn_ErrorHandle_t answer = load(with, &loaded);
    EXPECT_EQ(loaded != nullptr, answer == QNN_SUCCESS);
    if (loaded) check(api, api.contextFree(loaded, nullptr), "contextFree");
    return answer;
  }
};

// feature: C8 (C API)
TEST(Signal, AbortStopsALoad) {
  LongLoad all;
  const Owned abort = signal(all.session, abort_option());
  std::atomic<bool> done{false};
  Qnn_ErrorHandle_t answer = QNN_SUCCESS;
  bool told = false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  std::thread client([&] {
    // A trigger that comes when the load is over stops nothing: then it is done again.
    while (answer == QNN_SUCCESS && std::chrono::steady_clock::now() < end) answer = all.load_once(abort);
    told = static_cast<bool>(refused(all.api, answer, QNN_CONTEXT_ERROR_ABORTED, {"triggered"}));
    done = true;
  });
  bool triggered = false;
  while (!done) {
    const Qnn_ErrorHandle_t trigger = all.api.signalTrigger(abort);
    EXPECT_THAT(trigger, ::testing::AnyOf(QNN_SUCCESS, QNN_SIGNAL_ERROR_SIGNAL_IDLE));
    triggered |= trigger == QNN_SUCCESS;
    std::this_thread::yield();
  }
  client.join();
  EXPECT_TRUE(triggered);
  EXPECT_EQ(answer, Qnn_ErrorHandle_t{QNN_CONTEXT_ERROR_ABORTED});
  EXPECT_TRUE(told);
  EXPECT_EQ(all.load_once(abort), QNN_SUCCESS) << "a trigger stops one call";
  // A context that was given up half-way would hold the device.
  EXPECT_EQ(all.context.free(), QNN_SUCCESS);
  EXPECT_EQ(all.session.device.free(), QNN_SUCCESS);
}

// feature: C8 (C API)
TEST(Signal, ATimeoutInTheMiddleStopsALoad) {
  LongLoad all;
  auto whole = std::chrono::nanoseconds::max();  // the shortest of some, as for executes
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(all.load_once(nullptr), QNN_SUCCESS);
    whole = std::min<std::chrono::nanoseconds>(whole, std::chrono::steady_clock::now() - start);
  }
  const auto quarter = std::chrono::duration_cast<microseconds>(whole) / 4;
  const Owned limited = signal(all.session, timeout_option(static_cast<uint64_t>(quarter.count())));
  Qnn_ContextHandle_t loaded = nullptr;
  EXPECT_TRUE(refused(all.api, all.load(limited, &loaded), QNN_CONTEXT_ERROR_TIMED_OUT, {"time was up"}));
  EXPECT_EQ(loaded, nullptr);
  EXPECT_EQ(all.context.free(), QNN_SUCCESS);
  EXPECT_EQ(all.session.device.free(), QNN_SUCCESS);
}

// feature: C8 (C API)
TEST(Signal, LoadingABinaryCanBeStopped) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Bytes binary = binary_of(session.api, context);
  const auto load = [&](Qnn_SignalHandle_t with, Qnn_ContextHandle_t* out) {
    return session.api.contextCreateFromBinaryWithSignal(session.backend, session.device, nullptr,
                                                         binary.data(), binary.size(), out, nullptr, with);
  };
  Qnn_ContextHandle_t loaded = nullptr;
  const Owned at_once = signal(session, timeout_option(0));
  EXPECT_TRUE(refused(session.api, load(at_once, &loaded), QNN_CONTEXT_ERROR_TIMED_OUT));
  EXPECT_EQ(loaded, nullptr);
  const Owned patient = signal(session, timeout_option(60'000'000));
  EXPECT_EQ(load(patient, &loaded), QNN_SUCCESS);
  EXPECT_EQ(Graph::retrieved(session.api, loaded, graph.model).run(sample.inputs), graph.run(sample.inputs));
  EXPECT_EQ(session.api.contextFree(loaded, nullptr), QNN_SUCCESS);
  EXPECT_EQ(load(nullptr, &loaded), QNN_SUCCESS) << "a signal may be left out";
  EXPECT_EQ(session.api.contextFree(loaded, nullptr), QNN_SUCCESS);
}

}  // namespace
}  // namespace conformance
