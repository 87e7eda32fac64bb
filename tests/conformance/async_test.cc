// SPDX-License-Identifier: BSD-3-Clause
// executeAsync: order, notifications, a full queue, and objects that go while requests run.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

// A context option: how many requests may be unfinished.
struct QueueDepth {
  QnnContext_Config_t option = QNN_CONTEXT_CONFIG_INIT;
  const QnnContext_Config_t* entries[2] = {&option, nullptr};

  explicit QueueDepth(uint32_t depth) {
    option.option = QNN_CONTEXT_CONFIG_ASYNC_EXECUTION_QUEUE_DEPTH;
    option.asyncExeQueueDepth = {QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_NUMERIC, {depth}};
  }
  const QnnContext_Config_t** list() { return entries; }
};

// Hears of requests, and can hold the thread that tells.
class RequestListener {
 public:
  struct Request {
    RequestListener* listener;
    int number;
  };

  static void notify(void* param, Qnn_NotifyStatus_t status) {
    const Request& request = *static_cast<Request*>(param);
    request.listener->hear(request.number, status.error);
  }

  void* request(int number) {
    const std::lock_guard lock(mutex_);
    return &requests_.emplace_back(Request{this, number});
  }
  // The first request's notification does not return until release().
  void hold() { holding_ = true; }
  void release() {
    const std::lock_guard lock(mutex_);
    holding_ = false;
    changed_.notify_all();
  }
  void wait_for(size_t count) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(60), [&] { return heard_.size() >= count; }))
      ADD_FAILURE() << heard_.size() << " notifications instead of " << count;
  }
  std::vector<std::pair<int, Qnn_ErrorHandle_t>> heard() {
    const std::lock_guard lock(mutex_);
    return heard_;
  }

 private:
  void hear(int number, Qnn_ErrorHandle_t error) {
    std::unique_lock lock(mutex_);
    heard_.emplace_back(number, error);
    changed_.notify_all();
    changed_.wait(lock, [&] { return !holding_; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool holding_ = false;
  std::deque<Request> requests_;
  std::vector<std::pair<int, Qnn_ErrorHandle_t>> heard_;
};

Qnn_ErrorHandle_t queue(const Api& api, const Graph& graph, IoTensors& io, RequestListener& listener,
                        int number) {
  return api.graphExecuteAsync(graph.handle, io.inputs.data(), static_cast<uint32_t>(io.inputs.size()),
                               io.outputs.data(), static_cast<uint32_t>(io.outputs.size()), nullptr, nullptr,
                               RequestListener::notify, listener.request(number));
}

// feature: B2 (C API)
TEST(Async, ResultsAreThoseOfExecute) {
  const Session session;
  for (const Kind kind : {Kind::kFloat, Kind::kQuantized})
    for (const Sample& sample : all_samples(kind)) {
      const Owned context = session.context();
      const Graph graph = Graph::built(session.api, context, sample.model);
      IoTensors io(graph.model, sample.inputs);
      RequestListener listener;
      check(session.api, queue(session.api, graph, io, listener, 0), "graphExecuteAsync");
      listener.wait_for(1);
      EXPECT_EQ(listener.heard()[0].second, QNN_SUCCESS);
      EXPECT_EQ(io.results, graph.run(sample.inputs)) << sample.model.name;
    }
}

// The structs that describe the tensors may go at once; the buffers stay.
// feature: B2 (C API)
TEST(Async, DescriptionsMayBeFreedAtOnce) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors io(graph.model, sample.inputs);
  RequestListener listener;
  listener.hold();
  IoTensors first(graph.model, sample.inputs);
  check(session.api, queue(session.api, graph, first, listener, 0), "graphExecuteAsync");
  {
    std::vector<Qnn_Tensor_t> inputs = io.inputs;
    std::vector<Qnn_Tensor_t> outputs = io.outputs;
    check(session.api,
          session.api.graphExecuteAsync(graph.handle, inputs.data(), 2, outputs.data(), 1, nullptr, nullptr,
                                        RequestListener::notify, listener.request(1)),
          "graphExecuteAsync");
    std::fill(inputs.begin(), inputs.end(), Qnn_Tensor_t QNN_TENSOR_INIT);
    std::fill(outputs.begin(), outputs.end(), Qnn_Tensor_t QNN_TENSOR_INIT);
  }
  listener.release();
  listener.wait_for(2);
  EXPECT_EQ(io.results, graph.run(sample.inputs));
}

// feature: B2 (C API)
TEST(Async, RequestsOfAContextEndInOrder) {
  const Session session;
  const Owned context = session.context(QueueDepth(300).list());
  const Sample small = add(Kind::kQuantized);
  const Sample large = conv_relu_pool(Kind::kQuantized, 32);
  const Graph first = Graph::built(session.api, context, large.model);
  const Graph second = Graph::built(session.api, context, small.model);
  std::deque<IoTensors> calls;
  RequestListener listener;
  constexpr int kRequests = 40;
  for (int i = 0; i < kRequests; ++i) {
    const bool slow = i % 3 == 0;
    IoTensors& io =
        slow ? calls.emplace_back(first.model, large.inputs) : calls.emplace_back(second.model, small.inputs);
    check(session.api, queue(session.api, slow ? first : second, io, listener, i), "graphExecuteAsync");
  }
  listener.wait_for(kRequests);
  const auto heard = listener.heard();
  for (int i = 0; i < kRequests; ++i) {
    EXPECT_EQ(heard[i].first, i);
    EXPECT_EQ(heard[i].second, QNN_SUCCESS);
  }
}

// Nothing runs while the first notification is held, so that the queue fills up.
// feature: B2 (C API)
TEST(Async, AFullQueueIsRefusedAndServedLater) {
  const Session session;
  const Owned context = session.context(QueueDepth(2).list());
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  RequestListener listener;
  listener.hold();
  std::deque<IoTensors> calls;
  const auto push = [&](int number) {
    return queue(session.api, graph, calls.emplace_back(graph.model, sample.inputs), listener, number);
  };
  check(session.api, push(0), "graphExecuteAsync");
  listener.wait_for(1);  // it is done, and its notification holds the queue's thread
  check(session.api, push(1), "graphExecuteAsync");
  check(session.api, push(2), "graphExecuteAsync");
  EXPECT_TRUE(
      refused(session.api, push(3), QNN_GRAPH_ERROR_EXECUTION_ASYNC_FIFO_FULL, {"full", graph.model.name}));
  listener.release();
  listener.wait_for(3);
  check(session.api, push(4), "graphExecuteAsync");
  listener.wait_for(4);
  EXPECT_THAT(listener.heard(), ::testing::ElementsAre(::testing::Pair(0, 0), ::testing::Pair(1, 0),
                                                       ::testing::Pair(2, 0), ::testing::Pair(4, 0)));
}

// feature: B2 (C API)
TEST(Async, TheQueueDepthHasLimits) {
  const Session session;
  Qnn_ContextHandle_t context = nullptr;
  for (const uint32_t depth : {0U, 301U, 0xFFFFFFFFU})
    EXPECT_TRUE(refused(
        session.api,
        session.api.contextCreate(session.backend, session.device, QueueDepth(depth).list(), &context),
        QNN_CONTEXT_ERROR_INVALID_CONFIG, {std::to_string(depth), "300"}));
  QueueDepth garbage(10);
  garbage.option.asyncExeQueueDepth.type = QNN_CONTEXT_ASYNC_EXECUTION_QUEUE_DEPTH_TYPE_UNDEFINED;
  EXPECT_TRUE(refused(session.api,
                      session.api.contextCreate(session.backend, session.device, garbage.list(), &context),
                      QNN_CONTEXT_ERROR_INVALID_CONFIG));
  const Owned deepest = session.context(QueueDepth(300).list());
  EXPECT_TRUE(refused(session.api, session.api.contextSetConfig(deepest, QueueDepth(20).list()),
                      QNN_CONTEXT_ERROR_INVALID_CONFIG, {"created"}));
}

// What can be said at once is said at once, and nobody is notified.
// feature: B2 (C API)
TEST(Async, BadCallsAreRefusedWithoutANotification) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  Graph open(session.api, context, sample.model);
  open.compose();
  RequestListener listener;
  IoTensors early(open.model, sample.inputs);
  EXPECT_TRUE(refused(session.api, queue(session.api, open, early, listener, 0),
                      QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED));
  check(session.api, open.finalize(), "graphFinalize");
  IoTensors incomplete(open.model, sample.inputs);
  incomplete.inputs.pop_back();
  EXPECT_TRUE(refused(session.api, queue(session.api, open, incomplete, listener, 1),
                      QNN_GRAPH_ERROR_INVALID_TENSOR, {"right"}));
  EXPECT_TRUE(refused(session.api,
                      session.api.graphExecuteAsync(nullptr, nullptr, 0, nullptr, 0, nullptr, nullptr,
                                                    RequestListener::notify, listener.request(2)),
                      QNN_GRAPH_ERROR_INVALID_HANDLE));
  EXPECT_TRUE(listener.heard().empty());
}

// feature: B2 (C API)
TEST(Async, ARequestNeedsNoNotification) {
  const Session session;
  Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors io(graph.model, sample.inputs);
  check(session.api,
        session.api.graphExecuteAsync(graph.handle, io.inputs.data(), 2, io.outputs.data(), 1, nullptr,
                                      nullptr, nullptr, nullptr),
        "graphExecuteAsync");
  EXPECT_EQ(context.free(), QNN_SUCCESS);
}

// Freeing a context waits for the request that runs; those that wait are not run, and their clients hear so.
// feature: B2 (C API)
TEST(Async, FreeingAContextEndsItsRequests) {
  const Session session;
  Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  RequestListener listener;
  listener.hold();
  std::deque<IoTensors> calls;
  for (int i = 0; i < 5; ++i)
    check(session.api, queue(session.api, graph, calls.emplace_back(graph.model, sample.inputs), listener, i),
          "graphExecuteAsync");
  listener.wait_for(1);
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    listener.release();
  });
  EXPECT_EQ(context.free(), QNN_SUCCESS);
  release.join();
  const auto heard = listener.heard();
  ASSERT_EQ(heard.size(), 5U) << "every request was told its end before the context was gone";
  EXPECT_EQ(heard[0], std::pair(0, Qnn_ErrorHandle_t{QNN_SUCCESS}));
  for (int i = 1; i < 5; ++i) {
    EXPECT_EQ(heard[i].first, i);
    EXPECT_THAT(heard[i].second, ::testing::AnyOf(QNN_SUCCESS, QNN_GRAPH_ERROR_ABORTED));
  }
  EXPECT_EQ(heard[4].second, Qnn_ErrorHandle_t{QNN_GRAPH_ERROR_ABORTED});
}

// A notification that frees its own context.
// feature: B2 (C API)
TEST(Async, ANotificationMayFreeTheContext) {
  struct Freer {
    const Api* api;
    Qnn_ContextHandle_t context;
    std::atomic<int> answer{-1};
    static void notify(void* param, Qnn_NotifyStatus_t) {
      auto& self = *static_cast<Freer*>(param);
      self.answer = static_cast<int>(self.api->contextFree(self.context, nullptr));
    }
  };
  const Session session;
  Qnn_ContextHandle_t context = nullptr;
  check(session.api, session.api.contextCreate(session.backend, session.device, nullptr, &context),
        "contextCreate");
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors io(graph.model, sample.inputs);
  Freer freer{&session.api, context};
  check(session.api,
        session.api.graphExecuteAsync(graph.handle, io.inputs.data(), 2, io.outputs.data(), 1, nullptr,
                                      nullptr, Freer::notify, &freer),
        "graphExecuteAsync");
  while (freer.answer == -1) std::this_thread::yield();
  EXPECT_EQ(freer.answer, 0);
}

// The queue's thread is gone when the library is: nothing is left that could run its code.
// feature: B2 (C API)
TEST(Async, ALibraryCanBeClosedWithRequestsInItsQueue) {
  for (int round = 0; round < 3; ++round) {
    BackendLibrary library;
    const Api& api = library.api();
    Qnn_BackendHandle_t backend = nullptr;
    check(api, api.backendCreate(nullptr, nullptr, &backend), "backendCreate");
    Qnn_ContextHandle_t context = nullptr;
    check(api, api.contextCreate(backend, nullptr, nullptr, &context), "contextCreate");
    const Sample sample = conv_relu_pool(Kind::kQuantized, 32);
    const Graph graph = Graph::built(api, context, sample.model);
    std::deque<IoTensors> calls;
    for (int i = 0; i < 8; ++i) {
      IoTensors& io = calls.emplace_back(graph.model, sample.inputs);
      check(api,
            api.graphExecuteAsync(graph.handle, io.inputs.data(), 1, io.outputs.data(), 1, nullptr, nullptr,
                                  nullptr, nullptr),
            "graphExecuteAsync");
    }
    library.object.close();  // with everything alive
  }
}

// feature: B2 (C API)
TEST(Async, SeveralThreadsMayQueue) {
  const Session session;
  const Owned context = session.context(QueueDepth(300).list());
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers expected = graph.run(sample.inputs);
  RequestListener listener;
  std::vector<std::deque<IoTensors>> calls(4);
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (std::deque<IoTensors>& mine : calls)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        if (queue(session.api, graph, mine.emplace_back(graph.model, sample.inputs), listener, i) !=
            QNN_SUCCESS)
          ++failures;
    });
  for (std::thread& thread : threads) thread.join();
  listener.wait_for(80);
  EXPECT_EQ(failures, 0);
  for (const std::deque<IoTensors>& mine : calls)
    for (const IoTensors& io : mine) EXPECT_EQ(io.results, expected);
}

// feature: B2 (C API)
TEST(Async, ARequestIsProfiled) {
  const Session session;
  const Owned context = session.context();
  const Owned profile = session.profile();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  IoTensors io(graph.model, sample.inputs);
  RequestListener listener;
  check(session.api,
        session.api.graphExecuteAsync(graph.handle, io.inputs.data(), 2, io.outputs.data(), 1, profile,
                                      nullptr, RequestListener::notify, listener.request(0)),
        "graphExecuteAsync");
  listener.wait_for(1);
  EXPECT_FALSE(events_of(session.api, profile).empty());
}

}  // namespace
}  // namespace conformance
