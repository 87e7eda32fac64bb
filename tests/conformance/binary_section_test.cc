// SPDX-License-Identifier: BSD-3-Clause
// Binary sections: the values of updateable tensors taken from one context and put into another one that was
// loaded from the same binary, as adapters are.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "HTP/QnnHtpContext.h"
#include "HTP/QnnHtpProfile.h"
#include "shared_memory.h"

namespace conformance {
namespace {

constexpr QnnContext_SectionType_t kUpdatable = QNN_CONTEXT_SECTION_UPDATABLE;

QnnContext_Buffer_t buffer_of(const void* data, size_t size) {
  QnnContext_Buffer_t buffer = {QNN_CONTEXT_BUFFER_VERSION_1, {}};
  buffer.v1.memType = QNN_CONTEXTMEMTYPE_RAW;
  buffer.v1.binaryBuf = {const_cast<void*>(data), size};
  return buffer;
}

Bytes section_of(const Api& api, Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph = nullptr) {
  Qnn_ContextBinarySize_t size = 0;
  check(api, api.contextGetBinarySectionSize(context, graph, kUpdatable, &size),
        "contextGetBinarySectionSize");
  Bytes section(size);
  Qnn_ContextBinarySize_t written = 0;
  const QnnContext_Buffer_t buffer = buffer_of(section.data(), section.size());
  check(api, api.contextGetBinarySection(context, graph, kUpdatable, &buffer, &written, nullptr, nullptr),
        "contextGetBinarySection");
  EXPECT_EQ(written, size);
  return section;
}

Qnn_ErrorHandle_t apply(const Api& api, Qnn_ContextHandle_t context, const Bytes& section,
                        Qnn_GraphHandle_t graph = nullptr, Qnn_ProfileHandle_t profile = nullptr,
                        Qnn_SignalHandle_t signal = nullptr) {
  const QnnContext_Buffer_t buffer = buffer_of(section.data(), section.size());
  return api.contextApplyBinarySection(context, graph, kUpdatable, &buffer, profile, signal);
}

// A convolution whose filter may be replaced.
Sample adaptable(uint32_t weight_seed = 2, const char* name = "adaptable") {
  Sample sample = conv_relu_pool(Kind::kQuantized, 8, 3, 8, weight_seed);
  sample.model.name = name;
  sample.model.tensor("filter").role = QNN_TENSOR_TYPE_UPDATEABLE_STATIC;
  return sample;
}

// New values for a tensor of a composed graph, finalized.
void update(const Api& api, const Graph& graph, const Tensor& tensor) {
  Scratch scratch;
  const Qnn_Tensor_t described = describe(tensor, scratch);
  const Qnn_Tensor_t* list[] = {&described};
  check(api, api.tensorUpdateGraphTensors(graph.handle, list, 1), "tensorUpdateGraphTensors");
}

void set_filter(const Api& api, const Graph& graph, uint32_t seed) {
  Tensor filter = graph.model.tensor("filter");
  filter.data = adaptable(seed).model.tensor("filter").data;
  update(api, graph, filter);
  check(api, graph.finalize(), "graphFinalize");
}

// Where adapters are made, and where they are used.
struct Workshop {
  Session session;
  const Api& api = session.api;
  Owned composed = session.context();
  Sample sample = adaptable();
  Graph source = Graph::built(api, composed, sample.model);
  Bytes binary = binary_of(api, composed);
  Buffers old_result = source.run(sample.inputs);
  Bytes old_section = section_of(api, composed);
  Owned loaded = session.load(binary);
  Graph target = Graph::retrieved(api, loaded, source.model);

  Bytes new_section(uint32_t seed = 7) const {
    set_filter(api, source, seed);
    return section_of(api, composed);
  }
};

// feature: C3 (C API)
TEST(BinarySection, NewWeightsReachALoadedContextAndCanBeTakenBack) {
  const Workshop shop;
  const Bytes adapter = shop.new_section();
  const Buffers wanted = shop.source.run(shop.sample.inputs);
  ASSERT_NE(wanted, shop.old_result);
  EXPECT_EQ(shop.target.run(shop.sample.inputs), shop.old_result);
  check(shop.api, apply(shop.api, shop.loaded, adapter), "contextApplyBinarySection");
  EXPECT_EQ(shop.target.run(shop.sample.inputs), wanted);
  EXPECT_EQ(section_of(shop.api, shop.loaded), adapter) << "what was applied is what is there";
  check(shop.api, apply(shop.api, shop.loaded, shop.old_section, shop.target.handle),
        "contextApplyBinarySection");
  EXPECT_EQ(shop.target.run(shop.sample.inputs), shop.old_result);
}

// The client may free the section at once.
// feature: C3 (C API)
TEST(BinarySection, TheBytesAreTheClientsAgainAfterTheCall) {
  const Workshop shop;
  Bytes adapter = shop.new_section();
  check(shop.api, apply(shop.api, shop.loaded, adapter), "contextApplyBinarySection");
  adapter.assign(adapter.size(), std::byte{0xEE});
  EXPECT_EQ(shop.target.run(shop.sample.inputs), shop.source.run(shop.sample.inputs));
}

// Also where the binary stays the client's, and is used in place.
// feature: C3 (C API)
TEST(BinarySection, APersistentBinaryStaysAsItIs) {
  const Workshop shop;
  const Bytes adapter = shop.new_section();
  const Bytes copy = shop.binary;
  const Owned loaded = shop.session.load(shop.binary, PersistentBinary().list());
  const Graph target = Graph::retrieved(shop.api, loaded, shop.source.model);
  check(shop.api, apply(shop.api, loaded, adapter), "contextApplyBinarySection");
  EXPECT_EQ(target.run(shop.sample.inputs), shop.source.run(shop.sample.inputs));
  EXPECT_EQ(shop.binary, copy);
}

// feature: C1, C3 (C API)
TEST(BinarySection, ABinaryMadeLaterHoldsTheNewWeights) {
  const Workshop shop;
  const Bytes adapter = shop.new_section();
  check(shop.api, apply(shop.api, shop.loaded, adapter), "contextApplyBinarySection");
  const Bytes binary = binary_of(shop.api, shop.loaded);
  const Owned again = shop.session.load(binary);
  EXPECT_EQ(Graph::retrieved(shop.api, again, shop.source.model).run(shop.sample.inputs),
            shop.source.run(shop.sample.inputs));
}

// The bias is stored in steps that depend on the filter's encoding, and comes along.
// feature: C3 (C API)
TEST(BinarySection, EncodingsComeAlong) {
  const Session session;
  const Api& api = session.api;
  Sample sample = adaptable();
  sample.model.tensor(sample.model.nodes.back().outputs[0]).role = QNN_TENSOR_TYPE_UPDATEABLE_APP_READ;
  const Owned composed = session.context();
  Graph source = Graph::built(api, composed, sample.model);
  const Bytes binary = binary_of(api, composed);

  Tensor filter = source.model.tensor("filter");
  filter.encoding = {filter.encoding.scale * 0.5F, filter.encoding.offset};
  Tensor output = source.model.tensor(sample.model.nodes.back().outputs[0]);
  output.encoding.scale *= 0.75F;
  update(api, source, filter);
  update(api, source, output);
  check(api, source.finalize(), "graphFinalize");

  const Owned loaded = session.load(binary);
  source.model.tensor(output.name).role = QNN_TENSOR_TYPE_APP_READ;  // as executes pass it
  const Graph target = Graph::retrieved(api, loaded, source.model);
  const Buffers wanted = source.run(sample.inputs);
  ASSERT_NE(target.run(sample.inputs), wanted);
  check(api, apply(api, loaded, section_of(api, composed)), "contextApplyBinarySection");
  EXPECT_EQ(target.run(sample.inputs), wanted);
}

// feature: C3 (C API)
TEST(BinarySection, OneGraphOrTheWholeContext) {
  const Session session;
  const Api& api = session.api;
  const Owned composed = session.context();
  const Sample sample = adaptable();
  const Graph first = Graph::built(api, composed, adaptable(2, "first").model);
  const Graph second = Graph::built(api, composed, adaptable(3, "second").model);
  const Graph fixed = Graph::built(api, composed, add(Kind::kQuantized).model);
  const Bytes binary = binary_of(api, composed);
  const Buffers old_first = first.run(sample.inputs), old_second = second.run(sample.inputs);
  set_filter(api, first, 7);
  set_filter(api, second, 8);
  const Buffers new_first = first.run(sample.inputs), new_second = second.run(sample.inputs);

  const Owned loaded = session.load(binary);
  const Graph first_loaded = Graph::retrieved(api, loaded, first.model);
  const Graph second_loaded = Graph::retrieved(api, loaded, second.model);
  const Bytes of_second = section_of(api, composed, second.handle);
  EXPECT_TRUE(refused(api, apply(api, loaded, of_second, first_loaded.handle),
                      QNN_CONTEXT_ERROR_INVALID_ARGUMENT, {"first", "second"}));
  check(api, apply(api, loaded, of_second, second_loaded.handle), "contextApplyBinarySection");
  EXPECT_EQ(first_loaded.run(sample.inputs), old_first);
  EXPECT_EQ(second_loaded.run(sample.inputs), new_second);

  const Bytes of_both = section_of(api, composed);
  EXPECT_TRUE(refused(api, apply(api, loaded, of_both, second_loaded.handle),
                      QNN_CONTEXT_ERROR_INVALID_ARGUMENT, {"2 graphs"}));
  check(api, apply(api, loaded, of_both), "contextApplyBinarySection");
  EXPECT_EQ(first_loaded.run(sample.inputs), new_first);
  EXPECT_EQ(second_loaded.run(sample.inputs), new_second);
  EXPECT_TRUE(refused(api,
                      api.contextGetBinarySectionSize(
                          loaded, Graph::retrieved(api, loaded, fixed.model).handle, kUpdatable, nullptr),
                      QNN_CONTEXT_ERROR_INVALID_ARGUMENT, {"binaryBufferSize"}));
}

// A section whose second graph does not fit leaves the first as it was.
// feature: C3 (C API)
TEST(BinarySection, AllGraphsOrNone) {
  const Session session;
  const Api& api = session.api;
  const Owned composed = session.context();
  const Sample sample = adaptable();
  const Graph first = Graph::built(api, composed, adaptable(2, "first").model);
  const Graph second = Graph::built(api, composed, adaptable(3, "second").model);
  const Bytes binary = binary_of(api, composed);
  const Buffers old_first = first.run(sample.inputs);
  set_filter(api, first, 7);

  const char* names[] = {"first", nullptr};
  QnnContext_Config_t enable = QNN_CONTEXT_CONFIG_INIT;
  enable.option = QNN_CONTEXT_CONFIG_ENABLE_GRAPHS;
  enable.enableGraphs = names;
  const QnnContext_Config_t* config[] = {&enable, nullptr};
  const Owned loaded = session.load(binary, config);
  EXPECT_TRUE(refused(api, apply(api, loaded, section_of(api, composed)),
                      QNN_CONTEXT_ERROR_BINARY_CONFIGURATION, {"second"}));
  EXPECT_EQ(Graph::retrieved(api, loaded, first.model).run(sample.inputs), old_first);
}

// feature: C3 (C API)
TEST(BinarySection, AnotherGraphOfTheSameNameIsToldApart) {
  const Workshop shop;
  const Bytes adapter = shop.new_section();
  Sample sample = conv_relu_pool(Kind::kQuantized, 16);
  sample.model.name = shop.sample.model.name;
  sample.model.tensor("filter").role = QNN_TENSOR_TYPE_UPDATEABLE_STATIC;
  const Owned composed = shop.session.context();
  const Graph graph = Graph::built(shop.api, composed, sample.model);
  const Owned loaded = shop.session.load(binary_of(shop.api, composed));
  EXPECT_TRUE(refused(shop.api, apply(shop.api, loaded, adapter), QNN_CONTEXT_ERROR_BINARY_CONFIGURATION,
                      {"another graph"}));
  EXPECT_EQ(Graph::retrieved(shop.api, loaded, graph.model).run(sample.inputs), graph.run(sample.inputs));
}

// Weights that no update reaches must be those that the section was made with.
// feature: C3 (C API)
TEST(BinarySection, FixedWeightsMustBeTheSame) {
  const Session session;
  const Api& api = session.api;
  const auto model_with = [](uint32_t seed) {
    Sample sample = matmul_softmax(Kind::kQuantized);
    sample.model.name = "fixed";
    const std::string output = sample.model.nodes.back().outputs[0];
    sample.model.tensor(output).role = QNN_TENSOR_TYPE_UPDATEABLE_APP_READ;
    for (Tensor& tensor : sample.model.tensors)
      if (tensor.role == QNN_TENSOR_TYPE_STATIC && !tensor.data.empty())
        tensor.data[0] = static_cast<std::byte>(seed);
    return sample;
  };
  const Owned one = session.context(), other = session.context();
  const Sample sample = model_with(1);
  const Graph first = Graph::built(api, one, sample.model);
  const Graph second = Graph::built(api, other, model_with(2).model);
  const Owned loaded = session.load(binary_of(api, one));
  EXPECT_TRUE(refused(api, apply(api, loaded, section_of(api, other)), QNN_CONTEXT_ERROR_BINARY_CONFIGURATION,
                      {"other fixed weights"}));
  EXPECT_EQ(apply(api, loaded, section_of(api, one)), QNN_SUCCESS);
}

// feature: B9, C3 (C API)
TEST(BinarySection, OneForTwoCoresIsForPartsThatHaveThem) {
  // The binary of the graph and a section of it, for so many cores.
  const auto made_for = [](uint32_t cores) {
    const ScopedEnvironment environment("OPENQNN_TARGET", "host:SA8775P");
    const Session session;
    const Owned context = session.context();
    GraphOptions options;
    options.optimization(1).vtcm_mb(1).cores(cores);
    Graph::built(session.api, context, adaptable().model, options.list());
    return std::pair(binary_of(session.api, context), section_of(session.api, context));
  };
  const Bytes binary = made_for(1).first;
  const Bytes section = made_for(2).second;
  const auto answer_on = [&](const char* target) {
    const ScopedEnvironment environment("OPENQNN_TARGET", target);
    const Session session;
    const Owned loaded = session.load(binary);
    return apply(session.api, loaded, section);
  };
  EXPECT_EQ(answer_on("host:SA8775P"), QNN_SUCCESS);
  EXPECT_EQ(answer_on("host:SM8550"), QNN_CONTEXT_ERROR_BINARY_CONFIGURATION);
}

// feature: C3 (C API)
TEST(BinarySection, DamageIsFoundUnlessTheClientVouches) {
  const Workshop shop;
  Bytes damaged = shop.new_section();
  damaged.back() ^= std::byte{0x55};
  EXPECT_TRUE(refused(shop.api, apply(shop.api, shop.loaded, damaged), QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                      {"checksum"}));
  EXPECT_EQ(shop.target.run(shop.sample.inputs), shop.old_result);

  QnnHtpContext_CustomConfig_t skip = QNN_HTP_CONTEXT_CUSTOM_CONFIG_INIT;
  skip.option = QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION;
  skip.skipValidationOnBinarySection = true;
  QnnContext_Config_t config = QNN_CONTEXT_CONFIG_INIT;
  config.option = QNN_CONTEXT_CONFIG_OPTION_CUSTOM;
  config.customConfig = &skip;
  const QnnContext_Config_t* list[] = {&config, nullptr};
  const Owned trusting = shop.session.load(shop.binary, list);
  EXPECT_EQ(apply(shop.api, trusting, damaged), QNN_SUCCESS) << "a byte of a constant can be anything";
  for (size_t at = 0; at < damaged.size(); at += 7) {  // nothing that they say can do harm
    Bytes hostile = damaged;
    hostile[at] ^= std::byte{0xFF};
    if (apply(shop.api, trusting, hostile) == QNN_SUCCESS)
      Graph::retrieved(shop.api, trusting, shop.source.model).run(shop.sample.inputs);
  }
}

// feature: C3 (C API)
TEST(BinarySection, OtherBytesAreRefused) {
  const Workshop shop;
  const Qnn_ErrorHandle_t bad = QNN_CONTEXT_ERROR_INVALID_ARGUMENT;
  EXPECT_TRUE(refused(shop.api, apply(shop.api, shop.loaded, shop.binary), bad, {"whole context binary"}));
  EXPECT_TRUE(refused(shop.api, apply(shop.api, shop.loaded, Bytes(100)), bad, {"no binary section"}));
  const Bytes section = shop.old_section;
  for (size_t size = 1; size < section.size(); size += 13)
    EXPECT_EQ(apply(shop.api, shop.loaded, Bytes(section.begin(), section.begin() + static_cast<long>(size))),
              bad)
        << size;
  Bytes newer = section;
  newer[8] = std::byte{99};
  EXPECT_TRUE(
      refused(shop.api, apply(shop.api, shop.loaded, newer), QNN_CONTEXT_ERROR_BINARY_VERSION, {"99"}));
  EXPECT_EQ(shop.target.run(shop.sample.inputs), shop.old_result);
}

// feature: C3 (C API)
TEST(BinarySection, WhatHasNoSectionSaysSo) {
  const Workshop shop;
  const Api& api = shop.api;
  Qnn_ContextBinarySize_t size = 0;
  const auto ask = [&](Qnn_ContextHandle_t context, Qnn_GraphHandle_t graph, QnnContext_SectionType_t type) {
    return api.contextGetBinarySectionSize(context, graph, type, &size);
  };
  for (const auto type : {QNN_CONTEXT_SECTION_UPDATABLE_WEIGHTS, QNN_CONTEXT_SECTION_UPDATABLE_QUANT_PARAMS})
    EXPECT_TRUE(
        refused(api, ask(shop.loaded, nullptr, type), QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, {"alone"}));
  EXPECT_TRUE(refused(api, ask(shop.loaded, nullptr, static_cast<QnnContext_SectionType_t>(42)),
                      QNN_CONTEXT_ERROR_INVALID_ARGUMENT, {"42"}));

  const Owned plain = shop.session.context();
  const Graph fixed = Graph::built(api, plain, add(Kind::kQuantized).model);
  EXPECT_TRUE(
      refused(api, ask(plain, nullptr, kUpdatable), QNN_CONTEXT_ERROR_INVALID_ARGUMENT, {"UPDATEABLE"}));
  EXPECT_TRUE(refused(api, ask(plain, fixed.handle, kUpdatable), QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                      {fixed.model.name, "UPDATEABLE"}));
  EXPECT_TRUE(refused(api, ask(plain, shop.source.handle, kUpdatable), QNN_CONTEXT_ERROR_INVALID_HANDLE,
                      {"another context"}));

  const Owned open = shop.session.context();
  Graph unfinished(api, open, adaptable().model);
  unfinished.compose();
  EXPECT_TRUE(refused(api, ask(open, nullptr, kUpdatable), QNN_CONTEXT_ERROR_NOT_FINALIZED, {"adaptable"}));
  update(api, shop.source, shop.source.model.tensor("filter"));
  EXPECT_TRUE(refused(api, ask(shop.composed, nullptr, kUpdatable), QNN_CONTEXT_ERROR_NOT_FINALIZED,
                      {"updated since"}));
  check(api, shop.source.finalize(), "graphFinalize");
  EXPECT_TRUE(refused(api, apply(api, shop.composed, shop.old_section), QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                      {"updateGraphTensors"}));
}

// feature: C3 (C API)
TEST(BinarySection, BuffersAreChecked) {
  const Workshop shop;
  const Api& api = shop.api;
  const Qnn_ErrorHandle_t bad = QNN_CONTEXT_ERROR_INVALID_ARGUMENT;
  Bytes place(shop.old_section.size());
  Qnn_ContextBinarySize_t written = 0;
  const auto get = [&](const QnnContext_Buffer_t* buffer) {
    return api.contextGetBinarySection(shop.loaded, nullptr, kUpdatable, buffer, &written, nullptr, nullptr);
  };
  const QnnContext_Buffer_t small = buffer_of(place.data(), place.size() - 1);
  EXPECT_TRUE(refused(api, get(&small), bad, {std::to_string(place.size())}));
  EXPECT_EQ(place, Bytes(place.size())) << "nothing was written";
  EXPECT_TRUE(refused(api, get(nullptr), bad, {"binaryBuffer"}));
  const QnnContext_Buffer_t null = buffer_of(nullptr, 100);
  EXPECT_TRUE(refused(api, get(&null), bad, {"data"}));
  QnnContext_Buffer_t unknown = buffer_of(place.data(), place.size());
  unknown.version = QNN_CONTEXT_BUFFER_VERSION_UNDEFINED;
  EXPECT_TRUE(refused(api, get(&unknown), bad, {"version"}));
  unknown = buffer_of(place.data(), place.size());
  unknown.v1.memType = QNN_CONTEXTMEMTYPE_UNDEFINED;
  EXPECT_TRUE(refused(api, get(&unknown), bad, {"memory type"}));
  unknown.v1.memType = QNN_CONTEXTMEMTYPE_MEMHANDLE;
  unknown.v1.memHandle = nullptr;
  EXPECT_TRUE(refused(api, get(&unknown), bad, {"mem handle"}));
  const QnnContext_Buffer_t good = buffer_of(place.data(), place.size());
  EXPECT_TRUE(refused(
      api, api.contextGetBinarySection(shop.loaded, nullptr, kUpdatable, &good, nullptr, nullptr, nullptr),
      bad, {"writtenBufferSize"}));
  EXPECT_EQ(get(&good), QNN_SUCCESS);
  EXPECT_EQ(place, shop.old_section);
}

// Registered memory that is larger than the section.
// feature: C3, C9 (C API)
TEST(BinarySection, RegisteredMemoryHoldsASection) {
  const Workshop shop;
  const Bytes adapter = shop.new_section();
  const MemoryFile file(adapter.size() + 1000);
  std::memcpy(file.data(), adapter.data(), adapter.size());
  Tensor bytes;
  bytes.type = QNN_DATATYPE_UINT_8;
  bytes.dims = {static_cast<uint32_t>(file.bytes())};
  const Owned memory = registered(shop.api, shop.loaded, Descriptor(bytes).ion(file.fd()));
  QnnContext_Buffer_t buffer = {QNN_CONTEXT_BUFFER_VERSION_1, {}};
  buffer.v1.memType = QNN_CONTEXTMEMTYPE_MEMHANDLE;
  buffer.v1.memHandle = memory;
  check(shop.api,
        shop.api.contextApplyBinarySection(shop.loaded, nullptr, kUpdatable, &buffer, nullptr, nullptr),
        "contextApplyBinarySection");
  EXPECT_EQ(shop.target.run(shop.sample.inputs), shop.source.run(shop.sample.inputs));
  std::memset(file.data(), 0, file.bytes());
  Qnn_ContextBinarySize_t written = 0;
  check(
      shop.api,
      shop.api.contextGetBinarySection(shop.loaded, nullptr, kUpdatable, &buffer, &written, nullptr, nullptr),
      "contextGetBinarySection");
  EXPECT_EQ(written, adapter.size());
  EXPECT_TRUE(holds(file.data(), adapter));
}

// feature: C3 (C API)
TEST(BinarySection, SignalsAndProfiles) {
  const Workshop shop;
  const Bytes adapter = shop.new_section();
  QnnSignal_Config_t at_once = QNN_SIGNAL_CONFIG_INIT;
  at_once.option = QNN_SIGNAL_CONFIG_OPTION_TIMEOUT;
  at_once.timeoutDurationUs = 0;
  const QnnSignal_Config_t* config[] = {&at_once, nullptr};
  Qnn_SignalHandle_t handle = nullptr;
  check(shop.api, shop.api.signalCreate(shop.session.backend, config, &handle), "signalCreate");
  const Owned signal(handle, shop.api.signalFree);
  EXPECT_TRUE(refused(shop.api, apply(shop.api, shop.loaded, adapter, nullptr, nullptr, signal),
                      QNN_CONTEXT_ERROR_TIMED_OUT));
  EXPECT_EQ(shop.target.run(shop.sample.inputs), shop.old_result);

  const Owned profile = shop.session.profile();
  check(shop.api, apply(shop.api, shop.loaded, adapter, nullptr, profile), "contextApplyBinarySection");
  EXPECT_EQ(
      of_type(events_of(shop.api, profile), QNN_HTP_PROFILE_EVENTTYPE_GRAPH_APPLY_BINARY_SECTION_QNN).size(),
      1U);
  Bytes place(adapter.size());
  const QnnContext_Buffer_t buffer = buffer_of(place.data(), place.size());
  Qnn_ContextBinarySize_t written = 0;
  const Owned other = shop.session.profile();
  check(shop.api,
        shop.api.contextGetBinarySection(shop.loaded, nullptr, kUpdatable, &buffer, &written, other, nullptr),
        "contextGetBinarySection");
  EXPECT_FALSE(events_of(shop.api, other).empty());
}

// Executes that run meanwhile have the old values or the new ones, whole.
// feature: C3 (C API)
TEST(BinarySection, ExecutesGoOnMeanwhile) {
  const Workshop shop;
  const Bytes adapter = shop.new_section();
  const Buffers wanted = shop.source.run(shop.sample.inputs);
  std::atomic<bool> stop{false};
  std::atomic<int> odd{0};
  std::thread client([&] {
    while (!stop) {
      const Buffers result = shop.target.run(shop.sample.inputs);
      if (result != wanted && result != shop.old_result) ++odd;
    }
  });
  for (int i = 0; i < 20; ++i)
    check(shop.api, apply(shop.api, shop.loaded, i % 2 == 0 ? adapter : shop.old_section),
          "contextApplyBinarySection");
  stop = true;
  client.join();
  EXPECT_EQ(odd, 0);
}

}  // namespace
}  // namespace conformance
