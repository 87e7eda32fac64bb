// SPDX-License-Identifier: BSD-3-Clause
// createFromBinaryListAsync: several binaries in one call, and what their clients hear of them.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "HTP/QnnHtpContext.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

// Hears of contexts and their graphs, and can hold the thread that tells.
class Listener {
 public:
  struct Notice {
    int number;  // of the context in its list
    Qnn_ContextHandle_t context;
    Qnn_GraphHandle_t graph;
    std::string graph_name;
    bool of_context;
    Qnn_ErrorHandle_t status;
    std::string sentence;
  };

  explicit Listener(const Api& api) : api_(api) {}
  ~Listener() {
    release();  // a test that failed half-way may hold the loading thread still
    for (const Notice& notice : heard_)
      if (notice.of_context && notice.context) api_.contextFree(notice.context, nullptr);
  }

  static void notify(Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph, const char* graph_name,
                     QnnContext_createFromBinaryAsyncNotifyType_t type, void* param,
                     Qnn_ErrorHandle_t status) {
    const Param& self = *static_cast<Param*>(param);
    const std::string sentence = status == QNN_SUCCESS ? "" : verbose_message(self.listener->api_, status);
    self.listener->hear({self.number, context, graph, graph_name ? graph_name : "",
                         type == QNN_CONTEXT_NOTIFY_TYPE_CONTEXT_INIT, status, sentence});
  }

  // Parameters that tell this listener about context `number`. They stay valid as long as it.
  QnnContext_Params_t& params(int number, const Bytes& binary, const QnnContext_Config_t** config = nullptr) {
    Param& param = params_.emplace_back(Param{this, number});
    // The sizes are const: such a struct is made whole, or not at all.
    return described_.emplace_back(
        QnnContext_Params_t{QNN_CONTEXT_PARAMS_VERSION_1,
                            {{config, binary.data(), binary.size(), nullptr, Listener::notify, &param}}});
  }

  void hold() { holding_ = true; }
  void release() {
    const std::lock_guard lock(mutex_);
    holding_ = false;
    changed_.notify_all();
  }
  // Until so many contexts were heard of, loaded or not.
  std::vector<Notice> wait_for(size_t contexts) {
    std::unique_lock lock(mutex_);
    const auto ended = [&] {
      return static_cast<size_t>(std::count_if(heard_.begin(), heard_.end(),
                                               [](const Notice& notice) { return notice.of_context; }));
    };
    if (!changed_.wait_for(lock, std::chrono::seconds(60), [&] { return ended() >= contexts; }))
      ADD_FAILURE() << ended() << " contexts were heard of instead of " << contexts;
    return heard_;
  }
  std::vector<Notice> heard() {
    const std::lock_guard lock(mutex_);
    return heard_;
  }

 private:
  struct Param {
    Listener* listener;
    int number;
  };

  void hear(const Notice& notice) {
    std::unique_lock lock(mutex_);
    heard_.push_back(notice);
    changed_.notify_all();
    changed_.wait(lock, [&] { return !holding_; });
  }

  const Api& api_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool holding_ = false;
  std::deque<Param> params_;
  std::deque<QnnContext_Params_t> described_;
  std::vector<Notice> heard_;
};

// A context option of the HTP backend, as a list of one.
struct HtpOptions {
  std::deque<QnnHtpContext_CustomConfig_t> custom;
  std::deque<QnnContext_Config_t> configs;
  std::vector<const QnnContext_Config_t*> entries;

  QnnHtpContext_CustomConfig_t& add(QnnHtpContext_ConfigOption_t option) {
    custom.push_back(QNN_HTP_CONTEXT_CUSTOM_CONFIG_INIT);
    custom.back().option = option;
    configs.push_back(QNN_CONTEXT_CONFIG_INIT);
    configs.back().option = QNN_CONTEXT_CONFIG_OPTION_CUSTOM;
    configs.back().customConfig = &custom.back();
    return custom.back();
  }
  HtpOptions& share(bool on) {
    add(QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES).shareResources = on;
    return *this;
  }
  HtpOptions& type(uint32_t number) {
    auto& option = add(QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES_OPTIMIZATION_TYPE);
    std::memcpy(&option.shareResOptType, &number, sizeof number);
    return *this;
  }
  const QnnContext_Config_t** list() {
    entries.clear();
    for (const QnnContext_Config_t& config : configs) entries.push_back(&config);
    entries.push_back(nullptr);
    return entries.data();
  }
};

// A session with the binaries of two contexts: one of a graph, one of two.
struct Binaries {
  Session session;
  const Api& api = session.api;
  Owned one = session.context();
  Owned two = session.context();
  Sample first = add(Kind::kQuantized);
  Sample second = conv_relu_pool(Kind::kQuantized);
  Sample third = matmul_softmax(Kind::kFloat);
  Graph first_graph = Graph::built(api, one, first.model);
  Graph second_graph = Graph::built(api, two, second.model);
  Graph third_graph = Graph::built(api, two, third.model);
  Bytes small = binary_of(api, one);
  Bytes large = binary_of(api, two);

  Qnn_ErrorHandle_t load(const std::vector<const QnnContext_Params_t*>& params,
                         const QnnContext_Config_t** list_config = nullptr,
                         Qnn_SignalHandle_t signal = nullptr) const {
    std::vector<const QnnContext_Params_t*> list = params;
    list.push_back(nullptr);
    return api.contextCreateFromBinaryListAsync(session.backend, session.device, list.data(), list_config,
                                                signal);
  }
  Owned signal(QnnSignal_ConfigOption_t option, uint64_t us = 0) const {
    QnnSignal_Config_t config = QNN_SIGNAL_CONFIG_INIT;
    config.option = option;
    config.timeoutDurationUs = us;
    const QnnSignal_Config_t* list[] = {&config, nullptr};
    Qnn_SignalHandle_t handle = nullptr;
    check(api, api.signalCreate(session.backend, list, &handle), "signalCreate");
    return {handle, api.signalFree};
  }
};

using Notices = std::vector<Listener::Notice>;

Notices of(const Notices& heard, int number) {
  Notices mine;
  for (const Listener::Notice& notice : heard)
    if (notice.number == number) mine.push_back(notice);
  return mine;
}

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

// feature: C4, C8 (C API)
TEST(BinaryList, SharedResourcesAreChecked) {
  const Binaries all;
  Listener listener(all.api);
  const QnnContext_Params_t* const params = &listener.params(0, all.small);
  HtpOptions none;
  none.share(true).type(7);
  EXPECT_TRUE(refused(all.api, all.load({params}, none.list()), QNN_CONTEXT_ERROR_INVALID_CONFIG, {"7"}));
  HtpOptions concurrent;
  concurrent.share(true).type(CONCURRENT_OPTIMIZATION);
  EXPECT_TRUE(
      refused(all.api, all.load({params}, concurrent.list()), QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, {"v81"}))
      << "the session's part is an older one";
  HtpOptions off;
  off.share(false).type(CONCURRENT_OPTIMIZATION);
  check(all.api, all.load({params}, off.list()), "contextCreateFromBinaryListAsync");
  listener.wait_for(1);
  HtpOptions bad_for_all;
  bad_for_all.add(static_cast<QnnHtpContext_ConfigOption_t>(4242));
  EXPECT_TRUE(refused(all.api, all.load({params}, bad_for_all.list()), QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE,
                      {"4242"}));
}

// feature: C4 (C API)
TEST(BinaryList, SharersThatRunTogetherAreNamedInTheLog) {
  const Binaries all;
  Listener listener(all.api);
  HtpOptions shared;
  shared.share(true);
  const Owned chain_context = all.session.context();
  const Sample chain = add_chain(Kind::kQuantized, 16, 40);
  const Graph built = Graph::built(all.api, chain_context, chain.model);
  const Bytes binary = binary_of(all.api, chain_context);
  check(all.api, all.load({&listener.params(0, binary), &listener.params(1, binary)}, shared.list()),
        "contextCreateFromBinaryListAsync");
  std::vector<Graph> graphs;
  for (const Listener::Notice& notice : listener.wait_for(2))
    if (notice.of_context) graphs.push_back(Graph::retrieved(all.api, notice.context, built.model));
  ASSERT_EQ(graphs.size(), 2U);

  const Buffers expected = built.run(chain.inputs);
  take_log();
  EXPECT_EQ(graphs[0].run(chain.inputs), expected);
  EXPECT_EQ(graphs[1].run(chain.inputs), expected);
  EXPECT_THAT(take_log(), ::testing::Not(::testing::HasSubstr("shares its resources")));
  std::string log;
  for (int i = 0; i < 200 && log.find("shares its resources") == std::string::npos; ++i) {
    std::thread other([&] { EXPECT_EQ(graphs[0].run(chain.inputs), expected); });
    EXPECT_EQ(graphs[1].run(chain.inputs), expected);
    other.join();
    log = take_log();
  }
  EXPECT_THAT(log, ::testing::HasSubstr("shares its resources"));
}

// Documented: with no type, contexts share in sequence and save address space.
// feature: C4 (C API)
TEST(BinaryList, SharersAreSequentialWithAddressSpaceUnlessToldOtherwise) {
  const ScopedEnvironment environment("OPENQNN_TARGET", "android:SM8850");
  const Binaries all;
  const auto log_of = [&](HtpOptions options) {
    Listener listener(all.api);
    take_log();
    check(all.api, all.load({&listener.params(0, all.small)}, options.list()),
          "contextCreateFromBinaryListAsync");
    listener.wait_for(1);
    return take_log();
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(log_of(HtpOptions().share(true)), HasSubstr("(SEQUENTIAL_WITH_VA_OPTIMIZATION)"));
  EXPECT_THAT(log_of(HtpOptions().share(true).type(SEQUENTIAL_WITHOUT_VA_OPTIMIZATION)),
              HasSubstr("(SEQUENTIAL_WITHOUT_VA_OPTIMIZATION)"));
  EXPECT_THAT(log_of(HtpOptions().share(true).type(CONCURRENT_OPTIMIZATION)),
              HasSubstr("(CONCURRENT_OPTIMIZATION)"));
  EXPECT_THAT(log_of(HtpOptions().share(false).type(CONCURRENT_OPTIMIZATION)),
              ::testing::Not(HasSubstr("_OPTIMIZATION)")));
}

// feature: C4 (C API)
TEST(BinaryList, BatchesOfSharersAreNamedInTheLog) {
  const Binaries all;
  Listener listener(all.api);
  HtpOptions shared;
  shared.share(true);
  check(all.api, all.load({&listener.params(0, all.large)}, shared.list()),
        "contextCreateFromBinaryListAsync");
  const Graph sharer = Graph::retrieved(all.api, listener.wait_for(1).back().context, all.second_graph.model);
  Model twice = sharer.model;
  Buffers inputs;
  for (Tensor& tensor : twice.tensors) {
    if (tensor.role != QNN_TENSOR_TYPE_APP_WRITE && tensor.role != QNN_TENSOR_TYPE_APP_READ) continue;
    tensor.dims[0] *= 2;
    if (tensor.role != QNN_TENSOR_TYPE_APP_WRITE) continue;
    Bytes& both = inputs[tensor.name] = all.second.inputs.at(tensor.name);
    const Bytes again = both;
    both.insert(both.end(), again.begin(), again.end());
  }
  const auto log_of = [&](const Graph& graph, const Model& model, const Buffers& values) {
    IoTensors io(model, values);
    take_log();
    check(all.api, graph.execute(io), "graphExecute");
    return take_log();
  };
  const std::string warning = "runs 2 batches with shared resources";
  EXPECT_THAT(log_of(sharer, twice, inputs), ::testing::HasSubstr(warning));
  EXPECT_THAT(log_of(sharer, sharer.model, all.second.inputs),
              ::testing::Not(::testing::HasSubstr("shared resources")));
  EXPECT_THAT(log_of(all.second_graph, twice, inputs),
              ::testing::Not(::testing::HasSubstr("shared resources")))
      << "it shares nothing";
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
