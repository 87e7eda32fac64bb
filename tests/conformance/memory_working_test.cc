// SPDX-License-Identifier: BSD-3-Clause
// Memory that a client provides for the graphs themselves: weights, spill-fill, VTCM backup.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "HTP/QnnHtpContext.h"
#include "shared_memory.h"

namespace conformance {
namespace {

constexpr QnnHtpMem_Type_t kWeights = QNN_HTP_MEM_WEIGHTS_BUFFER;
constexpr QnnHtpMem_Type_t kSpillFill = QNN_HTP_MEM_SHARED_SPILLFILL_BUFFER;
constexpr QnnHtpMem_Type_t kVtcmBackup = QNN_HTP_MEM_SHARED_VTCMBACKUP_BUFFER;
constexpr QnnHtpMem_Type_t kAllKinds[] = {kWeights, kSpillFill, kVtcmBackup};

// As clients describe working memory: no shape, no type.
struct WorkingDescriptor {
  WorkingDescriptor(QnnHtpMem_Type_t type, const MemoryFile& file, uint64_t offset = 0) {
    custom.type = type;
    custom.size = file.bytes();
    custom.sharedBufferConfig = {file.fd(), offset};
    value.memType = QNN_MEM_TYPE_CUSTOM;
    value.customInfo = &custom;
  }
  WorkingDescriptor(const WorkingDescriptor&) = delete;
  WorkingDescriptor& operator=(const WorkingDescriptor&) = delete;

  QnnMemHtp_Descriptor_t custom{};
  Qnn_MemDescriptor_t value = QNN_MEM_DESCRIPTOR_INIT;
};

class WorkingMemory : public ::testing::Test {
 protected:
  Qnn_ErrorHandle_t try_register(Qnn_ContextHandle_t context, QnnHtpMem_Type_t type, const MemoryFile& file,
                                 uint64_t offset, Qnn_MemHandle_t* handle) const {
    const WorkingDescriptor descriptor(type, file, offset);
    return api_.memRegister(context, &descriptor.value, 1, handle);
  }
  Owned registered(Qnn_ContextHandle_t context, QnnHtpMem_Type_t type, const MemoryFile& file,
                   uint64_t offset = 0) const {
    Qnn_MemHandle_t handle = nullptr;
    check(api_, try_register(context, type, file, offset, &handle), "memRegister");
    return {handle, [deregister = api_.memDeRegister](void* memory) { return deregister(&memory, 1); }};
  }
  // What getProperty answers for a kind of working memory.
  uint64_t property(Qnn_ContextHandle_t context, QnnHtpMem_Type_t type) const {
    QnnHtpContext_CustomProperty_t custom = QNN_HTP_CONTEXT_CUSTOM_PROPERTY_INIT;
    custom.option = type == kWeights     ? QNN_HTP_CONTEXT_GET_PROP_WEIGHTS_BUFFER_SIZE
                    : type == kSpillFill ? QNN_HTP_CONTEXT_GET_PROP_MAX_SPILLFILL_BUFFER_SIZE
                                         : QNN_HTP_CONTEXT_GET_PROP_MAX_VTCMBACKUP_BUFFER_SIZE;
    QnnContext_Property_t asked = QNN_CONTEXT_PROPERTY_INIT;
    asked.option = QNN_CONTEXT_PROPERTY_OPTION_CUSTOM;
    asked.customProperty = &custom;
    QnnContext_Property_t* list[] = {&asked, nullptr};
    check(api_, api_.contextGetProperty(context, list), "contextGetProperty");
    return custom.weightsBufferSize;
  }
  // The bytes that the context's graphs need: as getProperty answers, and as the refusal of a buffer of one
  // byte names them.
  uint64_t needed(Qnn_ContextHandle_t context, QnnHtpMem_Type_t type) const {
    const MemoryFile tiny(1);
    Qnn_MemHandle_t handle = nullptr;
    const Qnn_ErrorHandle_t answer = try_register(context, type, tiny, 0, &handle);
    EXPECT_TRUE(
        refused(api_, answer, QNN_MEM_ERROR_INVALID_ARGUMENT, {"need ", "offset 0 the buffer has 1"}));
    const std::string sentence = verbose_message(api_, answer);
    const uint64_t bytes = std::stoull(sentence.substr(sentence.find("need ") + 5));
    EXPECT_EQ(property(context, type), bytes);
    return bytes;
  }
  // Intermediates that do not fit one MiB of VTCM, op by op.
  Graph spilling(Qnn_ContextHandle_t context, uint32_t rows = 2048) const {
    GraphOptions options;
    Sample sample = add_chain(Kind::kQuantized, rows, 3);
    sample.model.name += std::to_string(rows);
    return Graph::built(api_, context, sample.model, options.vtcm_mb(1).optimization(1).list());
  }

  Session session_;
  const Api& api_ = session_.api;
  Owned context_ = session_.context();
  const Sample sample_ = conv_relu_pool(Kind::kQuantized);
};

// feature: C9 (C API)
TEST_F(WorkingMemory, ASpillFillBufferHoldsTheLargestGraph) {
  spilling(context_);
  const uint64_t first = needed(context_, kSpillFill);
  EXPECT_GE(first, 2048U * 1024) << "one intermediate at least";
  spilling(context_, 4096);
  const uint64_t both = needed(context_, kSpillFill);
  EXPECT_EQ(both, 2 * first) << "the larger of the two, not their sum";

  Qnn_MemHandle_t handle = nullptr;
  const MemoryFile small(both - 1), exact(both), with_offset(both + 4096);
  EXPECT_TRUE(refused(api_, try_register(context_, kSpillFill, small, 0, &handle),
                      QNN_MEM_ERROR_INVALID_ARGUMENT, {std::to_string(both), std::to_string(both - 1)}));
  EXPECT_TRUE(refused(api_, try_register(context_, kSpillFill, with_offset, 4097, &handle),
                      QNN_MEM_ERROR_INVALID_ARGUMENT, {"offset 4097"}));
  EXPECT_EQ(handle, nullptr);
  registered(context_, kSpillFill, exact);
  registered(context_, kSpillFill, with_offset, 4096);
}

// feature: C9 (C API)
TEST_F(WorkingMemory, AGraphThatSpillsMoreThanTheBufferHasIsNotFinalized) {
  const MemoryFile file(4096);
  Owned memory = registered(context_, kSpillFill, file);
  const Sample sample = add_chain(Kind::kQuantized, 2048, 3);
  GraphOptions options;
  Graph graph(api_, context_, sample.model, options.vtcm_mb(1).optimization(1).list());
  graph.compose();
  EXPECT_TRUE(refused(api_, graph.finalize(), QNN_GRAPH_ERROR_FINALIZE_FAILED, {"spill-fill", "has 4096"}));
  EXPECT_EQ(memory.free(), QNN_SUCCESS);
  EXPECT_EQ(graph.finalize(), QNN_SUCCESS) << "the refusal left the graph as it was";
}

// feature: C9 (C API)
TEST_F(WorkingMemory, AVtcmBackupBufferHoldsTheGrantedVtcm) {
  spilling(context_);
  EXPECT_EQ(needed(context_, kVtcmBackup), 1U << 20);
}

bool contains(const MemoryFile& file, const Bytes& bytes) {
  const std::byte* begin = file.data();
  const std::byte* end = begin + file.bytes();
  return std::search(begin, end, bytes.begin(), bytes.end()) != end;
}

// feature: C9 (C API)
TEST_F(WorkingMemory, AWeightsBufferReceivesTheWeights) {
  // A bias stays as it is when a graph is prepared; weights get the matrix unit's layout.
  const auto biases = sample_.model.with_role(QNN_TENSOR_TYPE_STATIC);
  const Tensor& bias = **std::ranges::find_if(biases, [](const Tensor* t) { return t->dims.size() == 1; });
  const Graph graph = Graph::built(api_, context_, sample_.model);
  const Buffers expected = graph.run(sample_.inputs);
  const Owned loaded = session_.load(binary_of(api_, context_));
  for (void* const context : {context_.get(), loaded.get()}) {
    const uint64_t bytes = needed(context, kWeights);
    const MemoryFile file(bytes + 64);
    Qnn_MemHandle_t handle = nullptr;
    EXPECT_TRUE(refused(api_, try_register(context, kWeights, file, 65, &handle),
                        QNN_MEM_ERROR_INVALID_ARGUMENT, {std::to_string(bytes)}));
    EXPECT_FALSE(contains(file, bias.data)) << "a refusal writes nothing";
    Owned memory = registered(context, kWeights, file, 64);
    EXPECT_TRUE(contains(file, bias.data));
    EXPECT_TRUE(std::all_of(file.data(), file.data() + 64, [](std::byte b) { return b == std::byte{0}; }))
        << "nothing before the offset";
    const Graph again = Graph::retrieved(api_, context, graph.model);
    EXPECT_EQ(again.run(sample_.inputs), expected);
    std::memset(file.data(), 0xEE, file.bytes());
    EXPECT_EQ(again.run(sample_.inputs), expected) << "the host computes with its own copy";
    EXPECT_EQ(memory.free(), QNN_SUCCESS);
    EXPECT_EQ(again.run(sample_.inputs), expected);
  }
}

// feature: C9 (C API)
TEST_F(WorkingMemory, WeightsThatDoNotExistCannotBeReceived) {
  const MemoryFile file(4096);
  Qnn_MemHandle_t handle = nullptr;
  EXPECT_TRUE(refused(api_, try_register(context_, kWeights, file, 0, &handle),
                      QNN_MEM_ERROR_INVALID_ARGUMENT, {"no graph", "after loading"}));
  const Graph finished = Graph::built(api_, context_, sample_.model);
  Model second = sample_.model;
  second.name = "second";
  Graph unfinished(api_, context_, second);
  EXPECT_TRUE(refused(api_, try_register(context_, kWeights, file, 0, &handle),
                      QNN_MEM_ERROR_INVALID_ARGUMENT, {"'second'", "not finalized"}));
}

// feature: C9 (C API)
TEST_F(WorkingMemory, OnePerKindAndContext) {
  const Graph graph = Graph::built(api_, context_, sample_.model);
  const Buffers expected = graph.run(sample_.inputs);
  const Owned other = session_.load(binary_of(api_, context_));
  const MemoryFile file(32 << 20);
  for (const QnnHtpMem_Type_t type : kAllKinds) {
    SCOPED_TRACE(type);
    take_log();
    const Owned memory = registered(context_, type, file);
    EXPECT_THAT(take_log(), ::testing::HasSubstr("but the host computes"));
    Qnn_MemHandle_t second = nullptr;
    EXPECT_TRUE(
        refused(api_, try_register(context_, type, file, 0, &second), QNN_MEM_ERROR_ALREADY_REGISTERED));
    const Owned shared = registered(other, type, file);
    EXPECT_EQ(graph.run(sample_.inputs), expected);
    IoTensors io(graph.model, sample_.inputs);
    use_memory(io.outputs[0], memory);
    EXPECT_TRUE(refused(api_, graph.execute(io), QNN_GRAPH_ERROR_INVALID_TENSOR, {"not registered"}));
  }
  // All kinds in one buffer, each at its place.
  const Owned weights = registered(context_, kWeights, file);
  const Owned spill_fill = registered(context_, kSpillFill, file, 8 << 20);
  const Owned backup = registered(context_, kVtcmBackup, file, 16 << 20);
  EXPECT_EQ(graph.run(sample_.inputs), expected);
}

// Graphs with one external buffer run one after the other: in parallel, one is refused and says why. A VTCM
// backup buffer, and contexts without any, have no such rule.
// feature: C9 (C API)
TEST_F(WorkingMemory, ForExecutesOneAfterTheOther) {
  const Sample sample = add_chain(Kind::kQuantized, 64, 4);
  const Graph graph = Graph::built(api_, context_, sample.model);
  const Owned other = session_.load(binary_of(api_, context_));
  const Graph twin = Graph::retrieved(api_, other, graph.model);
  const MemoryFile file(32 << 20);
  // How many executes of two threads were refused, each with the reason; they end with the first.
  const auto refusals = [&](int most) {
    std::atomic<int> refused_ones{0};
    const auto client = [&](const Graph& mine) {
      IoTensors io(mine.model, sample.inputs);
      for (int i = 0; i < most && refused_ones == 0; ++i)
        if (const Qnn_ErrorHandle_t answer = mine.execute(io); answer != QNN_SUCCESS) {
          EXPECT_TRUE(refused(api_, answer, QNN_GRAPH_ERROR_GENERAL, {"one after another"}));
          ++refused_ones;
        }
    };
    std::thread first(client, std::cref(graph)), second(client, std::cref(twin));
    first.join();
    second.join();
    return refused_ones.load();
  };
  EXPECT_EQ(refusals(10), 0) << "no buffer";
  {
    const Owned mine = registered(context_, kVtcmBackup, file), its = registered(other, kVtcmBackup, file);
    EXPECT_EQ(refusals(10), 0) << "VTCM backup";
  }
  const Owned mine = registered(context_, kSpillFill, file), its = registered(other, kSpillFill, file);
  EXPECT_GT(refusals(1000), 0) << "spill-fill";
}

// feature: C9 (C API)
TEST_F(WorkingMemory, OutlivesItsContext) {
  Owned context = session_.context();
  Graph::built(api_, context, sample_.model);
  const MemoryFile file(32 << 20);
  std::vector<Owned> memory;
  for (const QnnHtpMem_Type_t type : kAllKinds) memory.push_back(registered(context, type, file));
  EXPECT_EQ(context.free(), QNN_SUCCESS);
  for (Owned& each : memory) EXPECT_EQ(each.free(), QNN_SUCCESS);
}

}  // namespace
}  // namespace conformance
