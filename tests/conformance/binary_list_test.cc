// SPDX-License-Identifier: BSD-3-Clause
// createFromBinaryListAsync: several binaries in one call, and what their clients hear of them.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <set>
#include <thread>

#include "binary_lists.h"

namespace conformance {
namespace {

// feature: C8 (C API)
TEST(BinaryList, EveryGraphAndContextIsNotifiedAndRuns) {
  const Binaries all;
  Listener listener(all.api);
  check(all.api, all.load({&listener.params(0, all.small), &listener.params(1, all.large)}),
        "contextCreateFromBinaryListAsync");
  const Notices heard = listener.wait_for(2);
  ASSERT_EQ(of(heard, 0).size(), 2U) << "a graph and its context";
  ASSERT_EQ(of(heard, 1).size(), 3U) << "two graphs and their context";
  for (const Listener::Notice& notice : heard) {
    EXPECT_EQ(notice.status, Qnn_ErrorHandle_t{QNN_SUCCESS});
    EXPECT_NE(notice.context, nullptr);
    EXPECT_EQ(notice.graph == nullptr, notice.of_context);
    EXPECT_EQ(notice.graph_name.empty(), notice.of_context);
  }
  EXPECT_TRUE(of(heard, 1).back().of_context) << "a context comes after its graphs";

  // The handles of the notifications are those that retrieve answers, and they run.
  for (const auto& [graph, sample] :
       {std::pair(&all.first_graph, &all.first), std::pair(&all.second_graph, &all.second),
        std::pair(&all.third_graph, &all.third)}) {
    const std::string& name = graph->model.name;
    const auto notice = std::find_if(heard.begin(), heard.end(), [&name](const Listener::Notice& candidate) {
      return candidate.graph_name == name;
    });
    ASSERT_NE(notice, heard.end()) << name;
    const Graph loaded = Graph::retrieved(all.api, notice->context, graph->model);
    EXPECT_EQ(loaded.handle, notice->graph);
    EXPECT_EQ(loaded.run(sample->inputs), graph->run(sample->inputs));
  }
}

// What is wrong with one context reaches its own notify function, with the code of createFromBinary.
// feature: C8 (C API)
TEST(BinaryList, AContextThatCannotBeLoadedLeavesTheOthersAlone) {
  const Binaries all;
  Listener listener(all.api);
  Bytes damaged = all.small;
  // Bytes between sections are not covered: the last one that says something before the middle is.
  size_t place = damaged.size() / 2;
  while (damaged[place] == std::byte{0}) --place;
  damaged[place] ^= std::byte{1};
  const Bytes nothing;
  QnnContext_Config_t missing = QNN_CONTEXT_CONFIG_INIT;
  const char* names[] = {"no such graph", nullptr};
  missing.option = QNN_CONTEXT_CONFIG_ENABLE_GRAPHS;
  missing.enableGraphs = names;
  const QnnContext_Config_t* enables[] = {&missing, nullptr};
  QnnContext_Config_t unknown = QNN_CONTEXT_CONFIG_INIT;
  unknown.option = static_cast<QnnContext_ConfigOption_t>(4242);
  const QnnContext_Config_t* unknowns[] = {&unknown, nullptr};
  check(all.api,
        all.load({&listener.params(0, damaged), &listener.params(1, nothing),
                  &listener.params(2, all.small, enables), &listener.params(3, all.small, unknowns),
                  &listener.params(4, all.small)}),
        "contextCreateFromBinaryListAsync");
  const Notices heard = listener.wait_for(5);
  const std::pair<Qnn_ErrorHandle_t, const char*> wanted[] = {
      {QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, "checksum"},
      {QNN_CONTEXT_ERROR_INVALID_ARGUMENT, "binaryBuffer"},
      {QNN_CONTEXT_ERROR_INVALID_CONFIG, "no such graph"},
      {QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, "4242"}};
  for (int i = 0; i < 4; ++i) {
    const Notices mine = of(heard, i);
    ASSERT_EQ(mine.size(), 1U) << i;
    EXPECT_TRUE(mine[0].of_context);
    EXPECT_EQ(mine[0].context, nullptr);
    EXPECT_EQ(mine[0].status, wanted[i].first);
    EXPECT_THAT(mine[0].sentence, ::testing::HasSubstr(wanted[i].second));
  }
  ASSERT_EQ(of(heard, 4).size(), 2U);
  EXPECT_EQ(of(heard, 4)[1].status, Qnn_ErrorHandle_t{QNN_SUCCESS});
}

// What is wrong with the list is answered by the call, and nobody is notified.
// feature: C8 (C API)
TEST(BinaryList, ABadListIsRefusedAsAWhole) {
  const Binaries all;
  Listener listener(all.api);
  const QnnContext_Params_t* const good = &listener.params(0, all.small);
  const Qnn_ErrorHandle_t bad = QNN_CONTEXT_ERROR_INVALID_ARGUMENT;
  const QnnContext_Params_t* list[] = {good, nullptr};

  EXPECT_TRUE(refused(all.api,
                      all.api.contextCreateFromBinaryListAsync(nullptr, nullptr, list, nullptr, nullptr),
                      QNN_CONTEXT_ERROR_INVALID_HANDLE, {"backend"}));
  EXPECT_TRUE(refused(
      all.api, all.api.contextCreateFromBinaryListAsync(all.session.backend, all.one, list, nullptr, nullptr),
      QNN_CONTEXT_ERROR_INVALID_HANDLE, {"device"}));
  EXPECT_TRUE(refused(all.api,
                      all.api.contextCreateFromBinaryListAsync(all.session.backend, all.session.device,
                                                               nullptr, nullptr, nullptr),
                      bad, {"contextParams"}));
  EXPECT_TRUE(refused(all.api, all.load({}), bad, {"no context"}));
  EXPECT_TRUE(refused(all.api, all.load({good}, nullptr, all.one), bad, {"signal"}));

  QnnContext_Params_t unheard = {QNN_CONTEXT_PARAMS_VERSION_1,
                                 {{nullptr, all.small.data(), all.small.size(), nullptr, nullptr, nullptr}}};
  EXPECT_TRUE(refused(all.api, all.load({good, &unheard}), bad, {"contextParams[1]", "notifyFunc"}));
  QnnContext_Params_t unknown = unheard;
  unknown.version = QNN_CONTEXT_PARAMS_VERSION_UNDEFINED;
  EXPECT_TRUE(refused(all.api, all.load({&unknown}), bad, {"version"}));

  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(listener.heard().empty()) << "not even the good one was loaded";
}

// Version 2 of the parameters adds callbacks, which are not offered; without them it says the same.
// feature: C8 (C API)
TEST(BinaryList, ParametersOfVersionTwo) {
  const Binaries all;
  Listener listener(all.api);
  const QnnContext_Params_t& first = listener.params(0, all.small);
  QnnContext_ParamsV2_t fields = {nullptr,          all.small.data(),     all.small.size(), nullptr,
                                  Listener::notify, first.v1.notifyParam, nullptr};
  QnnContext_Params_t second = {QNN_CONTEXT_PARAMS_VERSION_2,
                                {{nullptr, nullptr, 0, nullptr, nullptr, nullptr}}};
  EXPECT_TRUE(refused(all.api, all.load({&second}), QNN_CONTEXT_ERROR_INVALID_ARGUMENT, {"v2"}));
  second.v2 = &fields;
  const Qnn_ContextBinaryCallback_t callback = {QNN_CONTEXT_CALLBACK_DMA_BUFFER, {}};
  fields.callback = &callback;
  EXPECT_TRUE(refused(all.api, all.load({&second}), QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, {"callback"}));
  fields.callback = nullptr;
  check(all.api, all.load({&second}), "contextCreateFromBinaryListAsync");
  EXPECT_EQ(listener.wait_for(1).back().status, Qnn_ErrorHandle_t{QNN_SUCCESS});
}

// feature: C8 (C API)
TEST(BinaryList, TheSameParametersTwiceMakeTwoContexts) {
  const Binaries all;
  Listener listener(all.api);
  const QnnContext_Params_t& params = listener.params(0, all.small);
  check(all.api, all.load({&params, &params}), "contextCreateFromBinaryListAsync");
  std::set<void*> contexts;
  for (const Listener::Notice& notice : listener.wait_for(2))
    if (notice.of_context) contexts.insert(notice.context);
  EXPECT_EQ(contexts.size(), 2U);
}

// The structs may go when the call returns; names and arrays are overwritten here. The bytes stay.
// feature: C8 (C API)
TEST(BinaryList, DescriptionsMayBeFreedAtOnce) {
  const Binaries all;
  Listener listener(all.api);
  listener.hold();
  check(all.api, all.load({&listener.params(0, all.small)}), "contextCreateFromBinaryListAsync");
  {
    std::string name = all.second.model.name;
    const char* names[] = {name.c_str(), nullptr};
    QnnContext_Config_t enable = QNN_CONTEXT_CONFIG_INIT;
    enable.option = QNN_CONTEXT_CONFIG_ENABLE_GRAPHS;
    enable.enableGraphs = names;
    const QnnContext_Config_t* config[] = {&enable, nullptr};
    QnnContext_Params_t& params = listener.params(1, all.large, config);
    check(all.api, all.load({&params}), "contextCreateFromBinaryListAsync");
    std::memset(static_cast<void*>(&params), 0xEE, sizeof params);
    std::memset(static_cast<void*>(&enable), 0xEE, sizeof enable);
    name.assign(name.size(), 'x');
    names[0] = nullptr;
  }
  listener.release();
  const Notices mine = of(listener.wait_for(2), 1);
  ASSERT_EQ(mine.size(), 2U) << "of the two graphs, one was enabled";
  EXPECT_EQ(mine[0].graph_name, all.second.model.name);
}

// feature: C8 (C API)
TEST(BinaryList, ATimeoutEndsWhatIsLeft) {
  const Binaries all;
  Listener listener(all.api);
  Owned at_once = all.signal(QNN_SIGNAL_CONFIG_OPTION_TIMEOUT, 0);
  check(all.api, all.load({&listener.params(0, all.small), &listener.params(1, all.large)}, nullptr, at_once),
        "contextCreateFromBinaryListAsync");
  for (const Listener::Notice& notice : listener.wait_for(2)) {
    EXPECT_EQ(notice.status, Qnn_ErrorHandle_t{QNN_CONTEXT_ERROR_TIMED_OUT});
    EXPECT_EQ(notice.context, nullptr);
  }
  EXPECT_EQ(at_once.free(), QNN_SUCCESS) << "the signal is idle when the last context was heard of";
}

// feature: C8 (C API)
TEST(BinaryList, AnAbortEndsWhatIsLeft) {
  const Binaries all;
  Listener listener(all.api);
  listener.hold();
  Owned abort = all.signal(QNN_SIGNAL_CONFIG_OPTION_ABORT);
  check(all.api, all.load({&listener.params(0, all.small), &listener.params(1, all.large)}, nullptr, abort),
        "contextCreateFromBinaryListAsync");
  while (listener.heard().empty()) std::this_thread::yield();  // the first is loaded, and holds the thread
  EXPECT_TRUE(refused(all.api, all.api.signalFree(abort), QNN_SIGNAL_ERROR_SIGNAL_IN_USE));
  check(all.api, all.api.signalTrigger(abort), "signalTrigger");
  listener.release();
  const Notices heard = listener.wait_for(2);
  EXPECT_EQ(of(heard, 0).back().status, Qnn_ErrorHandle_t{QNN_SUCCESS});
  ASSERT_EQ(of(heard, 1).size(), 1U);
  EXPECT_EQ(of(heard, 1)[0].status, Qnn_ErrorHandle_t{QNN_CONTEXT_ERROR_ABORTED});
}

// feature: C8 (C API)
TEST(BinaryList, ALoadIsProfiled) {
  const Binaries all;
  Listener listener(all.api);
  const Owned profile = all.session.profile();
  QnnContext_Params_t& params = listener.params(0, all.small);
  params.v1.profile = profile;
  check(all.api, all.load({&params}), "contextCreateFromBinaryListAsync");
  listener.wait_for(1);
  EXPECT_FALSE(events_of(all.api, profile).empty());
  params.v1.profile = all.one;
  check(all.api, all.load({&params}), "contextCreateFromBinaryListAsync");
  EXPECT_EQ(listener.wait_for(2).back().status, Qnn_ErrorHandle_t{QNN_CONTEXT_ERROR_SET_PROFILE});
}

// Documented: lists are for mobile and Windows platforms.
// feature: C8 (C API)
TEST(BinaryList, PlatformsWithoutListsSaySo) {
  for (const char* target : {"linux:SM8650", "qnx:SA8775P"}) {
    SCOPED_TRACE(target);
    const ScopedEnvironment environment("OPENQNN_TARGET", target);
    const Binaries all;
    Listener listener(all.api);
    EXPECT_TRUE(refused(all.api, all.load({&listener.params(0, all.small)}), QNN_COMMON_ERROR_NOT_SUPPORTED,
                        {"mobile and Windows", "QnnContext_createFromBinary"}));
    EXPECT_TRUE(listener.heard().empty());
    const Owned alone = all.session.load(all.small);  // as the sentence advises
    EXPECT_EQ(Graph::retrieved(all.api, alone, all.first_graph.model).run(all.first.inputs),
              all.first_graph.run(all.first.inputs));
  }
}

// feature: C8 (C API)
TEST(BinaryList, MobileAndWindowsPlatformsHaveLists) {
  for (const char* target : {"android:SM8650", "windows:SC8380XP"}) {
    SCOPED_TRACE(target);
    const ScopedEnvironment environment("OPENQNN_TARGET", target);
    const Binaries all;
    Listener listener(all.api);
    check(all.api, all.load({&listener.params(0, all.small), &listener.params(1, all.large)}),
          "contextCreateFromBinaryListAsync");
    const Notices heard = listener.wait_for(2);
    EXPECT_EQ(heard.size(), 5U) << "three graphs and two contexts";
    for (const Listener::Notice& notice : heard) {
      EXPECT_EQ(notice.status, Qnn_ErrorHandle_t{QNN_SUCCESS});
      if (notice.graph_name != all.first_graph.model.name) continue;
      const Graph loaded = Graph::retrieved(all.api, notice.context, all.first_graph.model);
      EXPECT_EQ(loaded.run(all.first.inputs), all.first_graph.run(all.first.inputs));
    }
  }
}

// Options of the list hold for every context that says nothing else.
// feature: C8 (C API)
TEST(BinaryList, OptionsOfTheListHoldForItsContexts) {
  const Binaries all;
  Listener listener(all.api);
  const char* second[] = {all.second.model.name.c_str(), nullptr};
  const char* third[] = {all.third.model.name.c_str(), nullptr};
  QnnContext_Config_t enable_second = QNN_CONTEXT_CONFIG_INIT;
  enable_second.option = QNN_CONTEXT_CONFIG_ENABLE_GRAPHS;
  enable_second.enableGraphs = second;
  QnnContext_Config_t enable_third = enable_second;
  enable_third.enableGraphs = third;
  const QnnContext_Config_t* of_list[] = {&enable_second, nullptr};
  const QnnContext_Config_t* of_context[] = {&enable_third, nullptr};
  check(all.api,
        all.load({&listener.params(0, all.large), &listener.params(1, all.large, of_context)}, of_list),
        "contextCreateFromBinaryListAsync");
  const Notices heard = listener.wait_for(2);
  ASSERT_EQ(of(heard, 0).size(), 2U);
  ASSERT_EQ(of(heard, 1).size(), 2U);
  EXPECT_EQ(of(heard, 0)[0].graph_name, all.second.model.name);
  EXPECT_EQ(of(heard, 1)[0].graph_name, all.third.model.name);
}

// Freeing the backend waits for the load that runs; the rest is not loaded, and its clients hear so.
// feature: C8 (C API)
TEST(BinaryList, FreeingTheBackendEndsItsLoads) {
  Binaries all;
  Owned backend = create_backend(all.api);
  Listener listener(all.api);
  listener.hold();
  const QnnContext_Params_t* list[] = {&listener.params(0, all.small), &listener.params(1, all.large),
                                       &listener.params(2, all.small), nullptr};
  check(all.api,
        all.api.contextCreateFromBinaryListAsync(backend, all.session.device, list, nullptr, nullptr),
        "contextCreateFromBinaryListAsync");
  while (listener.heard().empty()) std::this_thread::yield();
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    listener.release();
  });
  EXPECT_EQ(backend.free(), QNN_SUCCESS);
  release.join();
  const Notices heard = listener.heard();
  EXPECT_EQ(of(heard, 0).back().status, Qnn_ErrorHandle_t{QNN_SUCCESS});
  ASSERT_EQ(of(heard, 2).size(), 1U) << "all were heard of before the backend was gone";
  EXPECT_EQ(of(heard, 2)[0].status, Qnn_ErrorHandle_t{QNN_CONTEXT_ERROR_ABORTED});
  EXPECT_EQ(of(heard, 2)[0].context, nullptr);
}

// feature: C8 (C API)
TEST(BinaryList, ANotificationMayFreeItsContext) {
  struct Freer {
    const Api* api;
    std::atomic<int> answer{-1};
    static void notify(Qnn_ContextHandle_t context, Qnn_GraphHandle_t /*graph*/, const char* /*name*/,
                       QnnContext_createFromBinaryAsyncNotifyType_t type, void* param,
                       Qnn_ErrorHandle_t /*status*/) {
      auto& self = *static_cast<Freer*>(param);
      if (type == QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT)
        self.answer = static_cast<int>(self.api->contextFree(context, nullptr));
    }
  };
  const Binaries all;
  Freer freer{&all.api};
  QnnContext_Params_t params = {
      QNN_CONTEXT_PARAMS_VERSION_1,
      {{nullptr, all.small.data(), all.small.size(), nullptr, Freer::notify, &freer}}};
  check(all.api, all.load({&params}), "contextCreateFromBinaryListAsync");
  while (freer.answer == -1) std::this_thread::yield();
  EXPECT_EQ(freer.answer, 0);
}

// Loads of one binary, all in the queue, and how many contexts were heard of.
struct QueuedLoads {
  explicit QueuedLoads(const Bytes& binary) {
    const Api& api = library.api();
    Qnn_BackendHandle_t backend = nullptr;
    check(api, api.backendCreate(nullptr, nullptr, &backend), "backendCreate");
    heard = 0;
    const auto count = [](Qnn_ContextHandle_t, Qnn_GraphHandle_t, const char*,
                          QnnContext_createFromBinaryAsyncNotifyType_t type, void*, Qnn_ErrorHandle_t) {
      if (type == QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT) ++heard;
    };
    const QnnContext_Params_t params = {QNN_CONTEXT_PARAMS_VERSION_1,
                                        {{nullptr, binary.data(), binary.size(), nullptr, count, nullptr}}};
    std::vector<const QnnContext_Params_t*> list(kContexts, &params);
    list.push_back(nullptr);
    check(api, api.contextCreateFromBinaryListAsync(backend, nullptr, list.data(), nullptr, nullptr),
          "contextCreateFromBinaryListAsync");
  }

  static constexpr int kContexts = 8;
  static inline std::atomic<int> heard{0};
  BackendLibrary library;
};

Bytes large_binary() {
  const Binaries all;
  return all.large;
}

// The loading thread is gone when the library is: nothing is left that could run its code.
// feature: C8 (C API)
TEST(BinaryList, ALibraryCanBeClosedWithLoadsInItsQueue) {
  const Bytes binary = large_binary();
  for (int round = 0; round < 3; ++round) {
    QueuedLoads loads(binary);
    loads.library.object.close();  // with everything alive
    EXPECT_EQ(QueuedLoads::heard, QueuedLoads::kContexts) << "every context was heard of, loaded or not";
  }
}

// feature: C8 (C API)
TEST(BinaryListDeathTest, AProcessCanExitWithLoadsInItsQueue) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exit_while_loading = [] {
    const Bytes binary = large_binary();
    const QueuedLoads loads(binary);
    std::exit(0);  // NOLINT(concurrency-mt-unsafe): with a thread at work is the point
  };
  EXPECT_EXIT(exit_while_loading(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace conformance
