// SPDX-License-Identifier: BSD-3-Clause
// How inputs and outputs are declared and how executes pass them, raw or as mem handles: what the modelled
// device reserves and copies for each pair, and that nothing comes between the client's memory and the
// results.
#include <gmock/gmock.h>

#include "shared_memory.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;

constexpr auto kRaw = QNN_TENSORMEMTYPE_RAW;
constexpr auto kMemHandle = QNN_TENSORMEMTYPE_MEMHANDLE;

bool is_passed(const Tensor& tensor) {
  return tensor.role == QNN_TENSOR_TYPE_APP_WRITE || tensor.role == QNN_TENSOR_TYPE_APP_READ;
}

uint64_t bytes_passed(const Model& model) {
  uint64_t bytes = 0;
  for (const Tensor& tensor : model.tensors)
    if (is_passed(tensor)) bytes += tensor.bytes();
  return bytes;
}

// A graph whose inputs and outputs are declared with this kind of memory and no handle yet.
Graph declared_as(const Api& api, Qnn_ContextHandle_t context, const Model& model,
                  Qnn_TensorMemType_t memory) {
  Graph graph(api, context, model);
  for (Tensor& tensor : graph.model.tensors) {
    if (!is_passed(tensor)) continue;
    Scratch scratch;
    Qnn_Tensor_t described = describe(tensor, scratch);
    described.v1.memType = memory;
    described.v1.memHandle = nullptr;
    check(api, api.tensorCreateGraphTensor(graph.handle, &described), "tensorCreateGraphTensor");
    tensor.id = described.v1.id;
    tensor.created = true;
  }
  graph.compose();
  check(api, graph.finalize(), "graphFinalize");
  return graph;
}

// All inputs and outputs of a model, one after the other in one registered buffer.
class SharedIo {
 public:
  SharedIo(const Api& api, Qnn_ContextHandle_t context, const Model& model, const Buffers& inputs)
      : file_(64 * 1024) {
    uint64_t offset = 0;
    for (const Tensor& tensor : model.tensors) {
      if (!is_passed(tensor)) continue;
      Descriptor descriptor(tensor);
      descriptor.htp(QNN_HTP_MEM_SHARED_BUFFER, file_.fd(), file_.bytes(), offset);
      places_[tensor.name] = {offset, registered(api, context, descriptor)};
      if (const auto input = inputs.find(tensor.name); input != inputs.end())
        std::memcpy(file_.data() + offset, input->second.data(), input->second.size());
      offset += (tensor.bytes() + 63) / 64 * 64;
    }
  }
  void pass(IoTensors& io) const {
    for (auto* list : {&io.inputs, &io.outputs})
      for (Qnn_Tensor_t& tensor : *list) use_memory(tensor, places_.at(tensor.v1.name).handle);
  }
  const std::byte* at(const std::string& tensor) const { return file_.data() + places_.at(tensor).offset; }

 private:
  struct Place {
    uint64_t offset = 0;
    Owned handle;
  };
  MemoryFile file_;
  std::map<std::string, Place> places_;
};

// What a detailed profile says of the memory for inputs and outputs.
struct Account {
  uint64_t reserved = 0, copied = 0;
  bool operator==(const Account&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Account& account) {
  return out << account.reserved << " bytes reserved, " << account.copied << " copied";
}

Account account_of(const std::vector<Event>& events) {
  Account account;
  size_t found = 0;
  for (const Event& event : of_type(events, QNN_PROFILE_EVENTTYPE_BACKEND)) {
    if (event.unit != QNN_PROFILE_EVENTUNIT_BYTES) continue;
    ++found;
    (event.name == "Input/output memory reserved" ? account.reserved : account.copied) = event.value;
  }
  if (found != 2) throw std::runtime_error("the profile does not account for inputs and outputs");
  return account;
}

class MemoryIo : public ::testing::Test {
 protected:
  Account execute(const Graph& graph, IoTensors& io) const {
    const Owned profile = session_.profile(QNN_PROFILE_LEVEL_DETAILED);
    check(api_, graph.execute(io, profile), "graphExecute");
    return account_of(events_of(api_, profile));
  }
  Account execute_raw(const Graph& graph) const {
    IoTensors io(graph.model, sample_.inputs);
    const Account account = execute(graph, io);
    EXPECT_EQ(io.results, expected_);
    return account;
  }
  // With every tensor in registered memory: the results are there, and nowhere else.
  Account execute_shared(Qnn_ContextHandle_t context, const Graph& graph) const {
    IoTensors io(graph.model, sample_.inputs);
    const Buffers untouched = io.results;
    const SharedIo shared(api_, context, graph.model, sample_.inputs);
    shared.pass(io);
    const Account account = execute(graph, io);
    for (const auto& [name, bytes] : expected_) EXPECT_TRUE(holds(shared.at(name), bytes)) << name;
    EXPECT_EQ(io.results, untouched);
    return account;
  }

  Session session_;
  const Api& api_ = session_.api;
  Sample sample_ = add(Kind::kQuantized);
  Owned context_ = session_.context();
  const Buffers expected_ = [this] {
    const Owned context = session_.context();
    return Graph::built(api_, context, sample_.model).run(sample_.inputs);
  }();
  const uint64_t all_ = bytes_passed(sample_.model);
};

// feature: C9 (C API)
TEST_F(MemoryIo, RawPassedRawIsReservedAndCopiedEachTime) {
  const Graph graph = declared_as(api_, context_, sample_.model, kRaw);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(execute_raw(graph), (Account{all_, all_}));
}

// feature: C9 (C API)
TEST_F(MemoryIo, RawPassedAsMemHandlesIsReservedAndNotCopied) {
  const Graph graph = declared_as(api_, context_, sample_.model, kRaw);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(execute_shared(context_, graph), (Account{all_, 0}));
}

// feature: C9 (C API)
TEST_F(MemoryIo, MemHandlesPassedRawAreReservedAtTheFirstInferenceAndCopiedEachTime) {
  take_log();
  const Graph graph = declared_as(api_, context_, sample_.model, kMemHandle);
  EXPECT_THAT(take_log(), HasSubstr("reserves 0 bytes for inputs and outputs"));
  EXPECT_EQ(execute_shared(context_, graph), (Account{0, 0})) << "before it";
  take_log();
  EXPECT_EQ(execute_raw(graph), (Account{all_, all_}));
  EXPECT_THAT(take_log(), HasSubstr("reserves " + std::to_string(all_) + " bytes for tensors"));
  EXPECT_EQ(execute_raw(graph), (Account{all_, all_}));
  EXPECT_EQ(take_log().find("reserves"), std::string::npos) << "once";
  EXPECT_EQ(execute_shared(context_, graph), (Account{all_, 0})) << "what is reserved stays";
}

// feature: C9 (C API)
TEST_F(MemoryIo, MemHandlesPassedAsMemHandlesAreNeitherReservedNorCopied) {
  const Graph graph = declared_as(api_, context_, sample_.model, kMemHandle);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(execute_shared(context_, graph), (Account{0, 0}));
}

// feature: C9 (C API)
TEST_F(MemoryIo, TensorsOfOneGraphMayDiffer) {
  const Graph graph = declared_as(api_, context_, sample_.model, kRaw);
  const SharedIo shared(api_, context_, graph.model, sample_.inputs);
  IoTensors io(graph.model, sample_.inputs);
  const Tensor& output = *graph.model.with_role(QNN_TENSOR_TYPE_APP_READ).front();
  shared.pass(io);
  IoTensors raw(graph.model, sample_.inputs);
  io.inputs = raw.inputs;
  EXPECT_EQ(execute(graph, io), (Account{all_, all_ - output.bytes()}));
  EXPECT_TRUE(holds(shared.at(output.name), expected_.at(output.name)));
}

// The declaration is part of the binary: System reports it, and a loaded graph goes by it.
// feature: C9 (C API)
TEST_F(MemoryIo, TheDeclarationIsKeptInTheBinary) {
  const SystemLibrary system;
  for (const auto declared : {kRaw, kMemHandle}) {
    SCOPED_TRACE(declared);
    const Owned context = session_.context();
    const Graph graph = declared_as(api_, context, sample_.model, declared);
    const Bytes binary = binary_of(api_, context);
    QnnSystemContext_Handle_t handle = nullptr;
    ASSERT_EQ(system.api().systemContextCreate(&handle), QNN_SUCCESS);
    const QnnSystemContext_BinaryInfo_t* info = nullptr;
    Qnn_ContextBinarySize_t info_bytes = 0;
    ASSERT_EQ(system.api().systemContextGetBinaryInfo(handle, const_cast<std::byte*>(binary.data()),
                                                      binary.size(), &info, &info_bytes),
              QNN_SUCCESS);
    const QnnSystemContext_GraphInfoV3_t& described = info->contextBinaryInfoV3.graphs[0].graphInfoV3;
    for (uint32_t i = 0; i < described.numGraphInputs; ++i)
      EXPECT_EQ(described.graphInputs[i].v1.memType, declared);
    for (uint32_t i = 0; i < described.numGraphOutputs; ++i)
      EXPECT_EQ(described.graphOutputs[i].v1.memType, declared);
    EXPECT_EQ(system.api().systemContextFree(handle), QNN_SUCCESS);

    const Owned loaded = session_.load(binary);
    const Graph again = Graph::retrieved(api_, loaded, graph.model);
    EXPECT_EQ(execute_shared(loaded, again), (Account{declared == kRaw ? all_ : 0, 0}));
  }
}

// Three times the prepared batch: three times the bytes.
// feature: C9 (C API)
TEST_F(MemoryIo, BatchesAreCopiedWhole) {
  const Sample sample = add_chain(Kind::kQuantized, 1, 2);
  const Graph graph = Graph::built(api_, context_, sample.model);
  Model larger = graph.model;
  Buffers inputs;
  for (Tensor& tensor : larger.tensors) {
    if (!is_passed(tensor)) continue;
    tensor.dims[0] *= 3;
    const auto input = sample.inputs.find(tensor.name);
    if (input == sample.inputs.end()) continue;
    for (int i = 0; i < 3; ++i)
      inputs[tensor.name].insert(inputs[tensor.name].end(), input->second.begin(), input->second.end());
  }
  IoTensors io(larger, inputs);
  const uint64_t all = bytes_passed(graph.model);
  EXPECT_EQ(execute(graph, io), (Account{all, 3 * all}));
}

}  // namespace
}  // namespace conformance
