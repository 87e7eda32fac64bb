// SPDX-License-Identifier: BSD-3-Clause
// Eight threads at once: building, executing one graph, and executing while another thread frees.
#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "client.h"
#include "oracle.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr int kThreads = 8;

// Runs the work in eight threads at once. What a thread throws fails the test.
void together(const std::function<void(int)>& work) {
  std::atomic<int> ready{0};
  std::mutex mutex;
  std::vector<std::string> failures;  // guarded by mutex
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < kThreads) std::this_thread::yield();
      try {
        work(i);
      } catch (const std::exception& failure) {
        const std::lock_guard lock(mutex);
        failures.emplace_back(failure.what());
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
}

Sample sample_of(int thread) {
  const auto samples = all_samples(thread % 2 == 0 ? Kind::kFloat : Kind::kQuantized);
  return samples[static_cast<size_t>(thread / 2) % samples.size()];
}

// feature: B1 (C API)
TEST(Threads, BuildAndRunTheirOwnGraphs) {
  const Session session;
  together([&](int thread) {
    const Sample sample = sample_of(thread);
    const auto expected = expected_outputs(sample.model, sample.inputs);
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Owned context = session.context();
      const Graph graph = Graph::built(session.api, context, sample.model);
      EXPECT_TRUE(agrees(graph.model, graph.run(sample.inputs), expected));
      const Owned loaded = session.load(binary_of(session.api, context));
      EXPECT_TRUE(agrees(graph.model, Graph::retrieved(session.api, loaded, graph.model).run(sample.inputs),
                         expected));
    }
  });
}

// feature: B1 (C API)
TEST(Threads, BuildGraphsInOneContext) {
  const Session session;
  const Owned context = session.context();
  together([&](int thread) {
    Sample sample = sample_of(thread);
    sample.model.name.append("_").append(std::to_string(thread));
    const Graph graph = Graph::built(session.api, context, sample.model);
    EXPECT_TRUE(agrees(graph.model, graph.run(sample.inputs), expected_outputs(sample.model, sample.inputs)));
  });
  EXPECT_FALSE(binary_of(session.api, context).empty());
}

// feature: B1 (C API)
TEST(Threads, ExecuteOneGraphAtOnce) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = conv_relu_pool(Kind::kQuantized, 16, 4, 8);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers expected = graph.run(sample.inputs);
  together([&](int thread) {
    // Each thread with inputs of its own, every other time the common ones.
    Sample mine = sample;
    const Tensor& image = mine.model.tensor("image");
    mine.inputs["image"] = encode(image, noise(image.elements(), static_cast<uint32_t>(1000 + thread)));
    const Buffers alone = graph.run(mine.inputs);
    for (int repeat = 0; repeat < 10; ++repeat) {
      EXPECT_EQ(graph.run(sample.inputs), expected);
      EXPECT_EQ(graph.run(mine.inputs), alone);
    }
  });
}

// feature: B1 (C API)
TEST(Threads, ExecuteWithAProfileEach) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = matmul_softmax(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers expected = graph.run(sample.inputs);
  together([&](int) {
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Owned profile = session.profile();
      EXPECT_EQ(graph.run(sample.inputs, profile), expected);
      EXPECT_FALSE(events_of(session.api, profile).empty());
    }
  });
}

// feature: B1 (C API)
TEST(Threads, FreeingAContextUnderExecutesIsSafe) {
  const Session session;
  for (int round = 0; round < 5; ++round) {
    Owned context = session.context();
    const Sample sample = conv_relu_pool(Kind::kQuantized);
    const Graph graph = Graph::built(session.api, context, sample.model);
    const Buffers expected = graph.run(sample.inputs);
    std::atomic<int> executed{0};
    together([&](int thread) {
      if (thread == 0) {
        while (executed < 20) std::this_thread::yield();
        EXPECT_EQ(context.free(), QNN_SUCCESS);
        return;
      }
      for (;;) {
        IoTensors io(graph.model, sample.inputs);
        const Qnn_ErrorHandle_t answer = graph.execute(io);
        ++executed;
        if (answer != QNN_SUCCESS) {
          EXPECT_EQ(answer, Qnn_ErrorHandle_t{QNN_GRAPH_ERROR_INVALID_HANDLE});
          return;
        }
        EXPECT_EQ(io.results, expected);
      }
    });
  }
}

// Half of the threads execute one graph; the others build, load and free contexts all the while.
// feature: B1 (C API)
TEST(Threads, ContextsComeAndGoWhileOthersExecute) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers expected = graph.run(sample.inputs);
  const Bytes binary = binary_of(session.api, context);
  std::atomic<int> building{kThreads / 2};
  std::atomic<int> executed{0};
  together([&](int thread) {
    if (thread % 2 == 0) {
      for (int repeat = 0; repeat < 5; ++repeat) {
        Owned built = session.context();
        const Sample other = sample_of(thread);
        EXPECT_FALSE(Graph::built(session.api, built, other.model).run(other.inputs).empty());
        Owned loaded = session.load(binary);
        EXPECT_EQ(Graph::retrieved(session.api, loaded, graph.model).run(sample.inputs), expected);
        EXPECT_EQ(built.free(), QNN_SUCCESS);
        EXPECT_EQ(loaded.free(), QNN_SUCCESS);
      }
      --building;
      return;
    }
    do {
      EXPECT_EQ(graph.run(sample.inputs), expected);
      ++executed;
    } while (building > 0);
  });
  EXPECT_GE(executed, kThreads / 2);
}

// feature: B1 (C API)
TEST(Threads, OnlyOneOfManyFreesWins) {
  const Session session;
  for (int round = 0; round < 20; ++round) {
    Qnn_ContextHandle_t context = nullptr;
    check(session.api, session.api.contextCreate(session.backend, session.device, nullptr, &context),
          "contextCreate");
    std::atomic<int> wins{0};
    together([&](int) {
      const Qnn_ErrorHandle_t answer = session.api.contextFree(context, nullptr);
      if (answer == QNN_SUCCESS)
        ++wins;
      else
        EXPECT_EQ(answer, Qnn_ErrorHandle_t{QNN_CONTEXT_ERROR_INVALID_HANDLE});
    });
    EXPECT_EQ(wins, 1);
  }
}

}  // namespace
}  // namespace conformance
