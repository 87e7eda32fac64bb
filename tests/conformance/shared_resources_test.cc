// SPDX-License-Identifier: BSD-3-Clause
// Contexts of a list that share resources.
#include <gmock/gmock.h>

#include <thread>

#include "binary_lists.h"

namespace conformance {
namespace {

// feature: C4, C8 (C API)
TEST(SharedResources, SharedResourcesAreChecked) {
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
TEST(SharedResources, SharersThatRunTogetherAreNamedInTheLog) {
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
TEST(SharedResources, SharersAreSequentialWithAddressSpaceUnlessToldOtherwise) {
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
TEST(SharedResources, BatchesOfSharersAreNamedInTheLog) {
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

}  // namespace
}  // namespace conformance
