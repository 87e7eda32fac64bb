// SPDX-License-Identifier: BSD-3-Clause
// The two options of graphs that are openqnn's own (docs/c_api.md): what is known of a model beside its
// graph, and a wish to stop. A client that is no friend may use their numbers, too.
#include <gmock/gmock.h>

#include <atomic>

#include "client.h"
#include "option_lists.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr auto kFacts = static_cast<QnnHtpGraph_ConfigOption_t>(0x4F510001);
constexpr auto kStop = static_cast<QnnHtpGraph_ConfigOption_t>(0x4F510002);

struct FactsText {
  const char* text;
  uint64_t bytes;
};

const Sample& chain() {
  static const Sample kSample = add_chain(Kind::kQuantized, 32, 3);
  return kSample;
}

std::string binary_with(const QnnGraph_Config_t** options) {
  const Session session;
  const Owned context = session.context();
  const Graph graph = Graph::built(session.api, context, chain().model, options);
  const Bytes binary = binary_of(session.api, context);
  return {reinterpret_cast<const char*>(binary.data()), binary.size()};
}

Qnn_ErrorHandle_t answer_to(QnnHtpGraph_ConfigOption_t option, const void* value) {
  const Session session;
  const Owned context = session.context();
  const Graph graph(session.api, context, chain().model);
  GraphOption own(option);
  own.custom.reserved = const_cast<void*>(value);
  return session.api.graphSetConfig(graph.handle, own.list());
}

// feature: D3, D5 (C API)
TEST(OwnOptions, NamesOfTheModelsFileAreInTheBinary) {
  const std::string node = chain().model.nodes.front().name;
  const std::string told = R"({"framework_nodes": {")" + node + R"(": ["/block/Add_7"]}})";
  const FactsText text{told.data(), told.size()};
  GraphOption facts(kFacts);
  facts.custom.reserved = const_cast<FactsText*>(&text);
  EXPECT_THAT(binary_with(facts.list()), testing::HasSubstr("/block/Add_7"));
  EXPECT_THAT(binary_with(nullptr), testing::Not(testing::HasSubstr("/block/Add_7")));
}

TEST(OwnOptions, FactsThatAreNoneAreRefused) {
  const auto answer = [](std::string_view text) {
    const FactsText told{text.data(), text.size()};
    return answer_to(kFacts, &told);
  };
  EXPECT_EQ(answer("{}"), uint64_t{QNN_SUCCESS});
  EXPECT_EQ(answer(R"({"activation_share": 0.5})"), uint64_t{QNN_SUCCESS});
  EXPECT_EQ(answer(R"({"activation_share": 1.5})"), uint64_t{QNN_GRAPH_ERROR_INVALID_ARGUMENT});
  EXPECT_EQ(answer("{"), uint64_t{QNN_GRAPH_ERROR_INVALID_ARGUMENT});
  EXPECT_EQ(answer_to(kFacts, nullptr), uint64_t{QNN_GRAPH_ERROR_INVALID_ARGUMENT});
  EXPECT_EQ(answer_to(kFacts, reinterpret_cast<const void*>(8)), uint64_t{QNN_GRAPH_ERROR_INVALID_ARGUMENT});
  const FactsText nowhere{reinterpret_cast<const char*>(8), 100};
  EXPECT_EQ(answer_to(kFacts, &nowhere), uint64_t{QNN_GRAPH_ERROR_INVALID_ARGUMENT});
  const FactsText endless{"{}", UINT64_MAX};
  EXPECT_EQ(answer_to(kFacts, &endless), uint64_t{QNN_GRAPH_ERROR_INVALID_ARGUMENT});
}

TEST(OwnOptions, AWishToStopEndsFinalize) {
  EXPECT_EQ(answer_to(kStop, nullptr), uint64_t{QNN_GRAPH_ERROR_INVALID_ARGUMENT});
  std::atomic<bool> stop = true;
  const Session session;
  const Owned context = session.context();
  Graph graph(session.api, context, chain().model);
  graph.compose();
  GraphOption own(kStop);
  own.custom.reserved = &stop;
  ASSERT_EQ(session.api.graphSetConfig(graph.handle, own.list()), uint64_t{QNN_SUCCESS});
  EXPECT_EQ(graph.finalize(), uint64_t{QNN_GRAPH_ERROR_ABORTED});
  stop = false;
  EXPECT_EQ(graph.finalize(), uint64_t{QNN_SUCCESS});
}

TEST(OwnOptions, AWishToStopGoesWithTheFirstFinalize) {
  std::atomic<bool> stop = false;
  const Session session;
  const Owned context = session.context();
  Sample sample = add(Kind::kQuantized);
  sample.model.tensor("sum").role = QNN_TENSOR_TYPE_UPDATEABLE_APP_READ;
  GraphOption own(kStop);
  own.custom.reserved = &stop;
  const Graph graph = Graph::built(session.api, context, sample.model, own.list());
  Scratch scratch;
  const Qnn_Tensor_t sum = describe(graph.model.tensor("sum"), scratch);
  const Qnn_Tensor_t* list[] = {&sum};
  check(session.api, session.api.tensorUpdateGraphTensors(graph.handle, list, 1), "tensorUpdateGraphTensors");
  stop = true;
  EXPECT_EQ(graph.finalize(), uint64_t{QNN_SUCCESS});
}

}  // namespace
}  // namespace conformance
