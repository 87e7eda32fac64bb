// SPDX-License-Identifier: BSD-3-Clause
// Memory that client and backend share: registration by file descriptor, executes that use it in place.
#include <fcntl.h>
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "shared_memory.h"

namespace conformance {
namespace {

// The allocator library, as clients find it: beside the backend, by name.
struct Allocator {
  Allocator() : object(backend_path().substr(0, backend_path().rfind('/') + 1) + "libcdsprpc.so") {}

  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(object.symbol(name));
  }

  SharedObject object;
  void (*init)() = function<void()>("rpcmem_init");
  void (*deinit)() = function<void()>("rpcmem_deinit");
  void* (*alloc)(int, uint32_t, int) = function<void*(int, uint32_t, int)>("rpcmem_alloc");
  void* (*alloc2)(int, uint32_t, size_t) = function<void*(int, uint32_t, size_t)>("rpcmem_alloc2");
  void (*free)(void*) = function<void(void*)>("rpcmem_free");
  int (*to_fd)(void*) = function<int(void*)>("rpcmem_to_fd");
};
constexpr int kSystemHeap = 25;
constexpr uint32_t kDefaultFlags = 1;

// ---- The allocator ----

// feature: C9 (C API)
TEST(Allocator, GivesMemoryThatCanBeMappedAgain) {
  const Allocator rpcmem;
  rpcmem.init();
  auto* memory = static_cast<char*>(rpcmem.alloc(kSystemHeap, kDefaultFlags, 5000));
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 4096, 0U);
  const int fd = rpcmem.to_fd(memory);
  ASSERT_GE(fd, 0);
  auto* view = static_cast<char*>(mmap(nullptr, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  ASSERT_NE(view, MAP_FAILED);
  memory[4999] = 42;
  EXPECT_EQ(view[4999], 42) << "one memory under two addresses";
  rpcmem.free(memory);
  EXPECT_EQ(view[4999], 42) << "a mapping outlives the allocation";
  EXPECT_EQ(fcntl(fd, F_GETFD), -1) << "the descriptor went with the allocation";
  munmap(view, 5000);
  rpcmem.deinit();
}

// feature: C9 (C API)
TEST(Allocator, RefusesNonsense) {
  const Allocator rpcmem;
  EXPECT_EQ(rpcmem.alloc(kSystemHeap, kDefaultFlags, 0), nullptr);
  EXPECT_EQ(rpcmem.alloc(kSystemHeap, kDefaultFlags, -1), nullptr);
  EXPECT_EQ(rpcmem.alloc2(kSystemHeap, kDefaultFlags, 0), nullptr);
  EXPECT_EQ(rpcmem.alloc2(kSystemHeap, kDefaultFlags, SIZE_MAX), nullptr);
  int local = 0;
  EXPECT_EQ(rpcmem.to_fd(&local), -1);
  EXPECT_EQ(rpcmem.to_fd(nullptr), -1);
  rpcmem.free(&local);
  rpcmem.free(nullptr);
  void* memory = rpcmem.alloc2(kSystemHeap, kDefaultFlags, 16);
  ASSERT_NE(memory, nullptr);
  rpcmem.free(memory);
  rpcmem.free(memory);
  EXPECT_EQ(rpcmem.to_fd(memory), -1);
}

// A client's object that goes after the allocator's: what it frees then was given back already.
struct BufferAtExit {
  const Allocator* rpcmem = nullptr;
  void* memory = nullptr;

  ~BufferAtExit() {
    if (!rpcmem) return;
    rpcmem->free(memory);
    const bool is_gone = rpcmem->to_fd(memory) == -1 && !rpcmem->alloc(kSystemHeap, kDefaultFlags, 64);
    _exit(is_gone ? 0 : 1);
  }
} g_buffer_at_exit;

// feature: C9 (C API)
TEST(AllocatorDeathTest, AClientFreesAtExit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exit_with_a_buffer = [] {
    g_buffer_at_exit.rpcmem = new Allocator;  // NOLINT: it lives until the process ends
    g_buffer_at_exit.memory = g_buffer_at_exit.rpcmem->alloc(kSystemHeap, kDefaultFlags, 64);
    std::exit(0);  // NOLINT(concurrency-mt-unsafe): static objects go is the point
  };
  EXPECT_EXIT(exit_with_a_buffer(), testing::ExitedWithCode(0), "");
}

// ---- Executes ----

// feature: C9 (C API)
TEST(Mem, OneBufferPerTensor) {
  Setting setting;
  const MemoryFile in(setting.input.bytes()), out(setting.output.bytes());
  const Owned in_memory = registered(setting.api, setting.context, setting.of(setting.input).ion(in.fd()));
  const Owned out_memory = registered(setting.api, setting.context, setting.of(setting.output).ion(out.fd()));
  IoTensors io(setting.graph.model, setting.sample.inputs);
  std::memcpy(in.data(), setting.input_bytes().data(), in.bytes());
  use_memory(io.inputs[0], in_memory);
  use_memory(io.outputs[0], out_memory);
  check(setting.api, setting.graph.execute(io), "graphExecute");
  EXPECT_TRUE(holds(out.data(), setting.output_bytes()));
  EXPECT_EQ(io.results.at(setting.output.name), Bytes(out.bytes())) << "the raw buffer is untouched";
}

// feature: C9 (C API)
TEST(Mem, ManyTensorsInOneBufferOfTheAllocator) {
  Setting setting;
  const Allocator rpcmem;
  const size_t out_offset = 4096;
  const size_t whole = out_offset + setting.output.bytes();
  auto* memory = static_cast<std::byte*>(rpcmem.alloc(kSystemHeap, kDefaultFlags, static_cast<int>(whole)));
  const int fd = rpcmem.to_fd(memory);
  {
    const Owned in = registered(setting.api, setting.context,
                                setting.of(setting.input).htp(QNN_HTP_MEM_SHARED_BUFFER, fd, whole));
    const Owned out =
        registered(setting.api, setting.context,
                   setting.of(setting.output).htp(QNN_HTP_MEM_SHARED_BUFFER, fd, whole, out_offset));
    IoTensors io(setting.graph.model, setting.sample.inputs);
    std::memcpy(memory, setting.input_bytes().data(), setting.input.bytes());
    use_memory(io.inputs[0], in);
    use_memory(io.outputs[0], out);
    check(setting.api, setting.graph.execute(io), "graphExecute");
    EXPECT_TRUE(holds(memory + out_offset, setting.output_bytes()));
  }
  rpcmem.free(memory);
}

// feature: C9 (C API)
TEST(Mem, RegisteredMemoryOutlivesTheDescriptorAndTheAllocation) {
  Setting setting;
  MemoryFile out(setting.output.bytes());
  const Owned memory = registered(setting.api, setting.context, setting.of(setting.output).ion(out.fd()));
  out.close_descriptor();
  IoTensors io(setting.graph.model, setting.sample.inputs);
  use_memory(io.outputs[0], memory);
  check(setting.api, setting.graph.execute(io), "graphExecute");
  EXPECT_TRUE(holds(out.data(), setting.output_bytes()));
}

// feature: C9 (C API)
TEST(Mem, ADeregisteredHandleIsRefusedByExecute) {
  Setting setting;
  const MemoryFile out(setting.output.bytes());
  Owned memory = registered(setting.api, setting.context, setting.of(setting.output).ion(out.fd()));
  IoTensors io(setting.graph.model, setting.sample.inputs);
  use_memory(io.outputs[0], memory);
  EXPECT_EQ(memory.free(), QNN_SUCCESS);
  EXPECT_TRUE(refused(setting.api, setting.graph.execute(io), QNN_GRAPH_ERROR_INVALID_TENSOR,
                      {"memory", "deregistered"}));
  io.outputs[0].v1.memHandle = nullptr;
  EXPECT_TRUE(refused(setting.api, setting.graph.execute(io), QNN_GRAPH_ERROR_INVALID_TENSOR, {"null"}));
  io.outputs[0].v1.memHandle = setting.context;
  EXPECT_TRUE(refused(setting.api, setting.graph.execute(io), QNN_GRAPH_ERROR_INVALID_TENSOR));
}

// feature: C9 (C API)
TEST(Mem, BelongsToItsContext) {
  Setting setting;
  const Owned other = setting.session.context();
  const MemoryFile out(setting.output.bytes());
  const Owned foreign = registered(setting.api, other, setting.of(setting.output).ion(out.fd()));
  IoTensors io(setting.graph.model, setting.sample.inputs);
  use_memory(io.outputs[0], foreign);
  EXPECT_TRUE(
      refused(setting.api, setting.graph.execute(io), QNN_GRAPH_ERROR_INVALID_TENSOR, {"another context"}));
  // The same buffer may be registered with both.
  const Owned own = registered(setting.api, setting.context, setting.of(setting.output).ion(out.fd()));
  use_memory(io.outputs[0], own);
  check(setting.api, setting.graph.execute(io), "graphExecute");
}

// feature: C9 (C API)
TEST(Mem, TooSmallForTheTensorIsRefusedByExecute) {
  Setting setting;
  const MemoryFile out(setting.output.bytes());
  Tensor half = setting.output;
  half.dims.back() /= 2;
  const Owned memory = registered(setting.api, setting.context, Descriptor(half).ion(out.fd()));
  IoTensors io(setting.graph.model, setting.sample.inputs);
  use_memory(io.outputs[0], memory);
  EXPECT_TRUE(refused(setting.api, setting.graph.execute(io), QNN_GRAPH_ERROR_INVALID_TENSOR,
                      {setting.output.name, "bytes"}));
}

// Deregistering while executes run: each ends well or is refused, and the memory is never pulled away.
// feature: C9 (C API)
TEST(Mem, DeregisteringWhileExecuting) {
  Setting setting;
  const MemoryFile out(setting.output.bytes());
  std::atomic<void*> current{nullptr};
  std::atomic<bool> done{false};
  std::thread client([&] {
    for (int i = 0; i < 200; ++i) {
      Descriptor again(setting.output);
      Owned memory = registered(setting.api, setting.context, again.ion(out.fd()));
      current = memory.get();
      std::this_thread::yield();
      EXPECT_EQ(memory.free(), QNN_SUCCESS);
    }
    done = true;
  });
  while (!done) {
    IoTensors io(setting.graph.model, setting.sample.inputs);
    use_memory(io.outputs[0], current.load());
    const Qnn_ErrorHandle_t answer = setting.graph.execute(io);
    EXPECT_THAT(answer, ::testing::AnyOf(QNN_SUCCESS, QNN_GRAPH_ERROR_INVALID_TENSOR));
  }
  client.join();
}

// ---- Registration ----

// feature: C9 (C API)
TEST(Mem, RegisteredOnce) {
  Setting setting;
  const MemoryFile file(8192);
  Qnn_MemHandle_t second = nullptr;
  {
    const Owned first = registered(setting.api, setting.context, setting.of(setting.input).ion(file.fd()));
    EXPECT_TRUE(
        refused(setting.api,
                register_one(setting.api, setting.context, setting.of(setting.input).ion(file.fd()), &second),
                QNN_MEM_ERROR_ALREADY_REGISTERED));
    const int copy = dup(file.fd());
    EXPECT_TRUE(refused(
        setting.api, register_one(setting.api, setting.context, setting.of(setting.input).ion(copy), &second),
        QNN_MEM_ERROR_ALREADY_REGISTERED))
        << "another descriptor of the same buffer";
    ::close(copy);
  }
  const Owned again = registered(setting.api, setting.context, setting.of(setting.input).ion(file.fd()));
  // Shared buffers: another offset is another registration, the same one is not.
  const MemoryFile shared(8192);
  const auto at = [&](uint64_t offset, Descriptor&& descriptor) {
    descriptor.htp(QNN_HTP_MEM_SHARED_BUFFER, shared.fd(), 8192, offset);
    return register_one(setting.api, setting.context, descriptor, &second);
  };
  EXPECT_EQ(at(0, Descriptor(setting.input)), QNN_SUCCESS);
  EXPECT_EQ(at(4096, Descriptor(setting.input)), QNN_SUCCESS);
  EXPECT_TRUE(refused(setting.api, at(4096, Descriptor(setting.input)), QNN_MEM_ERROR_ALREADY_REGISTERED));
}

struct BadRegistration {
  const char* name;
  Qnn_ErrorHandle_t code;
  std::function<void(Descriptor&)> spoil;
  std::initializer_list<std::string> words = {};
};

// feature: C9 (C API)
TEST(Mem, BadRegistrationsAreRefused) {
  Setting setting;
  const MemoryFile file(8192);
  uint32_t huge[] = {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
  uint32_t too_many[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  const auto shared = [&](Descriptor& d, uint64_t size, uint64_t offset) {
    d.htp(QNN_HTP_MEM_SHARED_BUFFER, file.fd(), size, offset);
  };
  const BadRegistration cases[] = {
      {"closed descriptor", QNN_MEM_ERROR_MAPPING, [](Descriptor& d) { d.ion(100000); }, {"100000"}},
      {"no descriptor", QNN_MEM_ERROR_MAPPING, [](Descriptor& d) { d.ion(QNN_MEM_INVALID_FD); }},
      {"no dimensions", QNN_MEM_ERROR_INVALID_SHAPE, [](Descriptor& d) { d.value.memShape.numDim = 0; }},
      {"nine dimensions", QNN_MEM_ERROR_INVALID_SHAPE,
       [&](Descriptor& d) {
         d.value.memShape = {9, too_many, nullptr};
       }},
      {"null dimensions", QNN_MEM_ERROR_INVALID_ARGUMENT,
       [](Descriptor& d) { d.value.memShape.dimSize = nullptr; }},
      {"larger than any memory", QNN_MEM_ERROR_INVALID_SHAPE,
       [&](Descriptor& d) {
         d.value.memShape = {3, huge, nullptr};
       }},
      {"larger than the buffer",
       QNN_MEM_ERROR_INVALID_SHAPE,
       [&](Descriptor& d) { d.dims[0] = 100000; },
       {"8192"}},
      {"no data type",
       QNN_MEM_ERROR_INVALID_ARGUMENT,
       [](Descriptor& d) { d.value.dataType = static_cast<Qnn_DataType_t>(4242); },
       {"4242"}},
      {"compressed image", QNN_MEM_ERROR_NOT_SUPPORTED,
       [](Descriptor& d) { d.value.memShape.shapeConfig = SHAPE_CONFIG_DATA_FORMAT_UBWC_NV12; }},
      {"size beyond the buffer", QNN_MEM_ERROR_MAPPING, [&](Descriptor& d) { shared(d, 9000, 0); }, {"9000"}},
      {"offset at the end", QNN_MEM_ERROR_INVALID_ARGUMENT, [&](Descriptor& d) { shared(d, 8192, 8192); }},
      {"offset near the end", QNN_MEM_ERROR_INVALID_SHAPE, [&](Descriptor& d) { shared(d, 8192, 8191); }},
      {"offset that wraps", QNN_MEM_ERROR_INVALID_ARGUMENT,
       [&](Descriptor& d) { shared(d, 8192, UINT64_MAX); }},
      {"null custom info", QNN_MEM_ERROR_INVALID_ARGUMENT,
       [&](Descriptor& d) {
         shared(d, 8192, 0);
         d.value.customInfo = nullptr;
       }},
      {"DSP address", QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE,
       [&](Descriptor& d) { d.htp(QNN_HTP_MEM_QURT, file.fd(), 8192); }},
      {"unknown HTP type",
       QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE,
       [&](Descriptor& d) { d.htp(static_cast<QnnHtpMem_Type_t>(77), file.fd(), 8192); },
       {"77"}},
      {"dma-buf", QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE,
       [&](Descriptor& d) {
         d.value.memType = QNN_MEM_TYPE_DMA_BUF;
         d.value.dmaBufInfo = {file.fd(), file.data()};
       }},
      {"Direct3D", QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE,
       [](Descriptor& d) { d.value.memType = QNN_MEM_TYPE_DX12; }},
      {"unknown kind", QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE,
       [](Descriptor& d) { d.value.memType = QNN_MEM_TYPE_UNDEFINED; }},
  };
  for (const BadRegistration& bad : cases) {
    SCOPED_TRACE(bad.name);
    Descriptor descriptor(setting.input);
    descriptor.ion(file.fd());
    bad.spoil(descriptor);
    Qnn_MemHandle_t handle = nullptr;
    EXPECT_TRUE(refused(setting.api, register_one(setting.api, setting.context, descriptor, &handle),
                        bad.code, bad.words));
    EXPECT_EQ(handle, nullptr);
  }
  // And afterwards the buffer is free to register.
  EXPECT_NE(registered(setting.api, setting.context, setting.of(setting.input).ion(file.fd())).get(),
            nullptr);
}

// feature: C9 (C API)
TEST(Mem, AReadOnlyDescriptorIsRefusedThoughItsFileIsMapped) {
  Setting setting;
  const MemoryFile file(8192);
  const Owned memory = registered(setting.api, setting.context, setting.of(setting.input).ion(file.fd()));
  const Owned other = setting.session.context();
  const int read_only = open(("/proc/self/fd/" + std::to_string(file.fd())).c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(read_only, 0);
  Qnn_MemHandle_t handle = nullptr;
  EXPECT_TRUE(refused(setting.api,
                      register_one(setting.api, other, setting.of(setting.input).ion(read_only), &handle),
                      QNN_MEM_ERROR_MAPPING, {"reading and writing"}));
  close(read_only);
}

// feature: C9 (C API)
TEST(Mem, AllOfACallOrNothing) {
  Setting setting;
  const MemoryFile first(setting.input.bytes());
  Descriptor good(setting.input), bad(setting.output);
  const Qnn_MemDescriptor_t list[] = {good.ion(first.fd()).value, bad.ion(-1).value};
  Qnn_MemHandle_t handles[2] = {};
  EXPECT_TRUE(refused(setting.api, setting.api.memRegister(setting.context, list, 2, handles),
                      QNN_MEM_ERROR_MAPPING, {"descriptor 1"}));
  EXPECT_EQ(handles[0], nullptr);
  const Owned memory = registered(setting.api, setting.context, good);  // its place was given back

  Qnn_MemHandle_t mixed[] = {memory.get(), setting.context.get()};
  EXPECT_TRUE(refused(setting.api, setting.api.memDeRegister(mixed, 2), QNN_MEM_ERROR_INVALID_HANDLE));
  Qnn_MemHandle_t twice[] = {memory.get(), memory.get()};
  EXPECT_TRUE(
      refused(setting.api, setting.api.memDeRegister(twice, 2), QNN_MEM_ERROR_INVALID_HANDLE, {"twice"}));
  IoTensors io(setting.graph.model, setting.sample.inputs);
  use_memory(io.inputs[0], memory);
  EXPECT_EQ(setting.graph.execute(io), QNN_SUCCESS) << "the good handle is still registered";
}

// feature: C9 (C API)
TEST(Mem, BadArguments) {
  Setting setting;
  const Api& api = setting.api;
  const MemoryFile file(8192);
  Descriptor descriptor(setting.input);
  descriptor.ion(file.fd());
  Qnn_MemHandle_t handle = nullptr;
  for (void* bad : {static_cast<void*>(nullptr), setting.session.backend.get(), setting.graph.handle})
    EXPECT_TRUE(
        refused(api, api.memRegister(bad, &descriptor.value, 1, &handle), QNN_MEM_ERROR_INVALID_HANDLE));
  EXPECT_TRUE(
      refused(api, api.memRegister(setting.context, nullptr, 1, &handle), QNN_MEM_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(api, api.memRegister(setting.context, &descriptor.value, 1, nullptr),
                      QNN_MEM_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(api, api.memRegister(setting.context, &descriptor.value, 0, &handle),
                      QNN_MEM_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(api, api.memDeRegister(nullptr, 1), QNN_MEM_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(api, api.memDeRegister(&handle, 0), QNN_MEM_ERROR_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(api, api.memDeRegister(&handle, 1), QNN_MEM_ERROR_INVALID_HANDLE, {"null"}));
  check(api, register_one(api, setting.context, descriptor, &handle), "memRegister");
  EXPECT_EQ(api.memDeRegister(&handle, 1), QNN_SUCCESS);
  EXPECT_TRUE(refused(api, api.memDeRegister(&handle, 1), QNN_MEM_ERROR_INVALID_HANDLE));
}

// Out of order: the context goes first. Its registrations can still be ended.
// feature: C9 (C API)
TEST(Mem, DeregisteringAfterTheContextWasFreed) {
  Setting setting;
  const MemoryFile file(8192);
  Owned context = setting.session.context();
  Owned memory = registered(setting.api, context, setting.of(setting.input).ion(file.fd()));
  EXPECT_EQ(context.free(), QNN_SUCCESS);
  EXPECT_EQ(memory.free(), QNN_SUCCESS);
}

// feature: C9 (C API)
TEST(Mem, ManyRegistrationsShareOneMapping) {
  Setting setting;
  const MemoryFile file(64 * 4096);
  std::vector<Owned> handles;
  for (uint64_t i = 0; i < 64; ++i) {
    Descriptor descriptor(setting.input);
    descriptor.htp(QNN_HTP_MEM_SHARED_BUFFER, file.fd(), file.bytes(), i * 4096);
    handles.push_back(registered(setting.api, setting.context, descriptor));
  }
  // The client's own view and one of the backend's.
  const std::string maps = [] {
    FILE* stream = std::fopen("/proc/self/maps", "r");
    std::string text;
    char line[512];
    while (std::fgets(line, sizeof line, stream)) text += line;
    std::fclose(stream);
    return text;
  }();
  size_t views = 0;
  for (size_t at = maps.find("memfd:client"); at != std::string::npos; at = maps.find("memfd:client", at + 1))
    ++views;
  EXPECT_EQ(views, 2U) << maps;
}

}  // namespace
}  // namespace conformance
