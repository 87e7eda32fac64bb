// SPDX-License-Identifier: BSD-3-Clause
// Objects freed in every order, and freed while another thread uses them. What may go, goes; what is in use
// says so; nothing else is harmed.
#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <thread>

#include "misuse.h"
#include "power_votes.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::AnyOf;
using enum HandleKind;

// One object of each kind, freed one by one in an order of the test's.
class Demolition {
 public:
  explicit Demolition(const Api& api) : all_(api), live_(all_.live()) {}

  // A device in use stays, and everything else can go at any time.
  void free(HandleKind kind) {
    if (kind == kDevice && has(kContext)) {
      EXPECT_TRUE(refused(all_.api, all_.api.deviceFree(all_.device), QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT,
                          {"context"}));
      return;
    }
    EXPECT_EQ(owner(kind).free(), QNN_SUCCESS) << name_of(kind);
    live_.erase(kind);
    if (kind == kContext) live_.erase(kGraph);
  }
  bool has(HandleKind kind) const { return live_.count(kind) != 0; }

  // A graph runs as long as its context is there, whatever else is gone.
  void expect_graph_lives_with_its_context() {
    IoTensors io(all_.graph.model, all_.sample.inputs);
    if (has(kMemory)) use_memory(io.inputs[0], all_.memory);
    const Qnn_ErrorHandle_t expected = has(kContext) ? QNN_SUCCESS : QNN_GRAPH_ERROR_INVALID_HANDLE;
    EXPECT_EQ(all_.graph.execute(io, has(kProfile) ? all_.profile.get() : nullptr), expected);
  }

 private:
  Owned& owner(HandleKind kind) {
    switch (kind) {
      case kLog:
        return all_.log;
      case kBackend:
        return all_.backend;
      case kDevice:
        return all_.device;
      case kContext:
        return all_.context;
      case kProfile:
        return all_.profile;
      case kSignal:
        return all_.signal;
      default:
        return all_.memory;
    }
  }

  CoreObjects all_;
  Handles live_;
};

// feature: B1 (C API)
TEST(Lifetimes, FreedInAnyOrder) {
  const BackendLibrary library;
  std::vector<HandleKind> order = {kLog, kBackend, kDevice, kContext, kProfile, kSignal, kMemory};
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    std::string said;
    for (const HandleKind kind : order) said += " " + name_of(kind);
    SCOPED_TRACE("order:" + said);
    Demolition demolition(library.api());
    for (const HandleKind kind : order) {
      demolition.free(kind);
      demolition.expect_graph_lives_with_its_context();
    }
    if (demolition.has(kDevice)) demolition.free(kDevice);
    EXPECT_FALSE(demolition.has(kDevice));
    std::shuffle(order.begin(), order.end(), random);
  }
}

constexpr QnnProfile_EventId_t kSomeEvent = 1U << 24 | 1U;  // of the first profile of a process

// A client's object that goes after the library's: what it frees then is gone, and the handle a bad one.
struct ClientAtExit {
  const Power* power = nullptr;
  void* context = nullptr;
  const QnnDevice_PlatformInfo_t* info = nullptr;
  const char* sentence = nullptr;
  void* profile = nullptr;

  ~ClientAtExit() {
    if (!power) return;
    const Api& api = power->api();
    const Qnn_ErrorHandle_t answer = api.contextFree(context, nullptr);
    const char* text = nullptr;
    void* created = nullptr;
    QnnProfile_EventData_t data{};
    const bool refuses = answer == QNN_CONTEXT_ERROR_INVALID_HANDLE &&
                         power->cast({dcvs()}) == QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED &&
                         power->table.destroyPowerConfigId(power->id) != QNN_SUCCESS &&
                         api.deviceFreePlatformInfo(nullptr, info) == QNN_COMMON_ERROR_GENERAL &&
                         api.deviceGetPlatformInfo(nullptr, &info) == QNN_COMMON_ERROR_GENERAL &&
                         api.logCreate(nullptr, QNN_LOG_LEVEL_ERROR, &created) == QNN_COMMON_ERROR_GENERAL &&
                         api.deviceCreate(nullptr, nullptr, &created) != QNN_SUCCESS && !created &&
                         api.profileGetEventData(kSomeEvent, &data) == QNN_PROFILE_ERROR_INVALID_HANDLE &&
                         api.errorGetMessage(answer, &text) == QNN_ERROR_INVALID_ERROR_HANDLE &&
                         api.errorGetVerboseMessage(answer, &text) == QNN_ERROR_INVALID_ERROR_HANDLE &&
                         api.errorFreeVerboseMessage(sentence) == QNN_ERROR_INVALID_ARGUMENT;
    _exit(refuses ? 0 : 1);
  }
} g_client_at_exit;

// feature: B1 (C API)
TEST(LifetimesDeathTest, AClientFreesAtExit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exit_with_a_context = [] {
    ClientAtExit& client = g_client_at_exit;
    client.power = new Power("");  // NOLINT: it lives until the process ends
    const Api& api = client.power->api();
    const char* text = nullptr;
    check(api, api.contextCreate(client.power->session().backend, nullptr, nullptr, &client.context),
          "contextCreate");
    check(api, api.profileCreate(client.power->session().backend, QNN_PROFILE_LEVEL_BASIC, &client.profile),
          "profileCreate");
    check(api, api.deviceGetPlatformInfo(nullptr, &client.info), "deviceGetPlatformInfo");
    check(api, api.errorGetMessage(QNN_COMMON_ERROR_GENERAL, &text), "errorGetMessage");
    check(api, api.errorGetVerboseMessage(QNN_COMMON_ERROR_GENERAL, &client.sentence), "errorGetVerbose");
    std::exit(0);  // NOLINT(concurrency-mt-unsafe): static objects go is the point
  };
  EXPECT_EXIT(exit_with_a_context(), testing::ExitedWithCode(0), "");
}

// A client's object that executes when exit() destroys it. What the library made in its constructor goes
// after it, the rest before it.
class ExecutesAtExit {
 public:
  explicit ExecutesAtExit(HandleKind last_made) {
    check(api(), api().logCreate(nullptr, QNN_LOG_LEVEL_ERROR, &log_), "logCreate");
    if (last_made != kLog) backend_ = create_backend(api());
    if (last_made == kContext) context_ = create_context(api(), backend_);
  }
  ~ExecutesAtExit() {
    const Qnn_ErrorHandle_t valid = api().backendValidateOpConfig(backend_, op_);
    const Qnn_ErrorHandle_t executed = graph_->execute(*io_);
    const bool runs = valid == QNN_SUCCESS && executed == QNN_SUCCESS;
    const bool refuses =
        valid == QNN_BACKEND_ERROR_INVALID_HANDLE && executed == QNN_GRAPH_ERROR_INVALID_HANDLE;
    _exit(runs ? kRan : refuses ? kRefused : 1);
  }
  void execute() {
    if (!backend_.get()) backend_ = create_backend(api());
    if (!context_.get()) context_ = create_context(api(), backend_);
    graph_ = Graph::built(api(), context_, sample_.model);
    op_ = describe(graph_->model, graph_->model.nodes.front(), scratch_);
    io_.emplace(graph_->model, sample_.inputs);
    check(api(), graph_->execute(*io_), "graphExecute");
  }

  void execute_for_ever() const {
    IoTensors io(graph_->model, sample_.inputs);
    while (true) graph_->execute(io);
  }

  static constexpr int kRan = 10;
  static constexpr int kRefused = 11;

 private:
  const Api& api() const { return library_.api(); }

  BackendLibrary library_;
  Qnn_LogHandle_t log_ = nullptr;
  const Sample sample_ = conv_relu_pool(Kind::kFloat);
  Scratch scratch_;
  Qnn_OpConfig_t op_{};
  Owned backend_, context_;
  std::optional<Graph> graph_;
  std::optional<IoTensors> io_;
};

// feature: B1 (C API)
TEST(LifetimesDeathTest, AClientExecutesAtExit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exit_with = [](HandleKind last_made) {
    static ExecutesAtExit client(last_made);
    client.execute();
    std::exit(0);  // NOLINT(concurrency-mt-unsafe): static objects go is the point
  };
  EXPECT_EXIT(exit_with(kContext), testing::ExitedWithCode(ExecutesAtExit::kRan), "");
  EXPECT_EXIT(exit_with(kBackend), testing::ExitedWithCode(ExecutesAtExit::kRefused), "");
  EXPECT_EXIT(exit_with(kLog), testing::ExitedWithCode(ExecutesAtExit::kRefused), "");
}

// exit() while other threads execute, and go on while it runs: a handler of the client that comes after ours
// takes its time.
// feature: B1 (C API)
TEST(LifetimesDeathTest, AProcessExitsWhileItsThreadsExecute) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exit_while_executing = [] {
    std::atexit([] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); });
    auto* const client = new ExecutesAtExit(kLog);  // NOLINT: it lives until the process ends
    client->execute();
    for (int i = 0; i < 3; ++i) std::thread([client] { client->execute_for_ever(); }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::exit(0);  // NOLINT(concurrency-mt-unsafe): static objects go is the point
  };
  EXPECT_EXIT(exit_while_executing(), testing::ExitedWithCode(0), "");
}

// Something that one thread makes and frees over and over while another one uses it.
class ComingAndGoing {
 public:
  explicit ComingAndGoing(int rounds = 200) : rounds_(rounds) {}

  // `use` gets the current handle, live or just freed.
  void run(const std::function<Owned()>& make, const std::function<Qnn_ErrorHandle_t(Owned&)>& free,
           const std::function<void(void*)>& use) {
    std::thread maker([&] {
      for (int i = 0; i < rounds_; ++i) {
        Owned object = make();
        const int before = uses_;
        current_ = object.get();
        while (uses_ == before) std::this_thread::yield();
        while (free(object) != QNN_SUCCESS) {
          refused_ = true;  // what is in use without a pause could never be freed
          std::this_thread::yield();
        }
        refused_ = false;
      }
      done_ = true;
    });
    while (!done_)
      if (void* handle = current_; handle && !refused_) {
        ++uses_;  // before: the object goes while it is in use
        use(handle);
      }
    maker.join();
  }

 private:
  const int rounds_;
  std::atomic<void*> current_{nullptr};
  std::atomic<int> uses_{0};
  std::atomic<bool> refused_{false};
  std::atomic<bool> done_{false};
};

// Freeing a profile that a call reports to is fine: the call ends first.
// feature: B1 (C API)
TEST(Lifetimes, AProfileFreedWhileGraphsReportToIt) {
  Setting setting;
  ComingAndGoing().run([&] { return setting.session.profile(); },
                       [](Owned& profile) { return profile.free(); },
                       [&](void* profile) {
                         IoTensors io(setting.graph.model, setting.sample.inputs);
                         const Qnn_ErrorHandle_t answer = setting.graph.execute(io, profile);
                         EXPECT_THAT(answer, AnyOf(QNN_SUCCESS, QNN_GRAPH_ERROR_SET_PROFILE));
                         if (answer == QNN_SUCCESS) {
                           EXPECT_EQ(io.results, setting.expected);
                         }
                       });
}

// A signal goes only between the executes that use it (one that surely is in use: signal_test.cc).
// feature: B1 (C API)
TEST(Lifetimes, ASignalFreedWhileExecutesUseIt) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add_chain(Kind::kQuantized, 16, 20);
  const Graph graph = Graph::built(session.api, context, sample.model);
  QnnSignal_Config_t option = QNN_SIGNAL_CONFIG_INIT;
  option.option = QNN_SIGNAL_CONFIG_OPTION_ABORT;
  const QnnSignal_Config_t* options[] = {&option, nullptr};
  ComingAndGoing(20).run(
      [&] {
        Qnn_SignalHandle_t handle = nullptr;
        check(session.api, session.api.signalCreate(session.backend, options, &handle), "signalCreate");
        return Owned(handle, [](void*) -> Qnn_ErrorHandle_t { return QNN_SUCCESS; });
      },
      [&](Owned& signal) {
        const Qnn_ErrorHandle_t answer = session.api.signalFree(signal);
        EXPECT_THAT(answer, AnyOf(QNN_SUCCESS, QNN_SIGNAL_ERROR_SIGNAL_IN_USE));
        return answer;
      },
      [&](void* signal) {
        IoTensors io(graph.model, sample.inputs);
        EXPECT_THAT(session.api.graphExecute(graph.handle, io.inputs.data(),
                                             static_cast<uint32_t>(io.inputs.size()), io.outputs.data(),
                                             static_cast<uint32_t>(io.outputs.size()), nullptr, signal),
                    AnyOf(QNN_SUCCESS, QNN_GRAPH_ERROR_INVALID_ARGUMENT));
      });
}

// A log may go while calls write to it, and with it the client's callback.
// feature: B1 (C API)
TEST(Lifetimes, ALogFreedWhileCallsWriteToIt) {
  const BackendLibrary library;
  const Api& api = library.api();
  ComingAndGoing().run([&] { return create_log(api); }, [](Owned& log) { return log.free(); },
                       [&](void* log) {
                         void* backend = nullptr;
                         const Qnn_ErrorHandle_t answer = api.backendCreate(log, nullptr, &backend);
                         EXPECT_THAT(answer, AnyOf(QNN_SUCCESS, QNN_BACKEND_ERROR_INVALID_ARGUMENT));
                         if (answer != QNN_SUCCESS) return;
                         void* out = nullptr;
                         EXPECT_EQ(api.contextCreate(backend, log, nullptr, &out),
                                   Qnn_ErrorHandle_t{QNN_CONTEXT_ERROR_INVALID_HANDLE});
                         EXPECT_EQ(api.backendFree(backend), QNN_SUCCESS);
                       });
}

}  // namespace
}  // namespace conformance
