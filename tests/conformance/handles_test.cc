// SPDX-License-Identifier: BSD-3-Clause
// Handles that are null, stale, foreign or of another kind: each call answers its documented code.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;

// A call that takes the handle under test, and the code that a bad one gets.
struct Use {
  const char* name;
  Qnn_ErrorHandle_t code;
  std::function<Qnn_ErrorHandle_t(void*)> call;
};

// Everything that a call needs beside the handle under test.
struct Everything {
  explicit Everything(const Session& live)
      : session(live),
        context(live.context()),
        profile(live.profile()),
        sample(add(Kind::kQuantized)),
        graph(Graph::built(live.api, context, sample.model)),
        io(graph.model, sample.inputs),
        binary(binary_of(live.api, context)) {}

  const Session& session;
  Owned context;
  Owned profile;
  Sample sample;
  Graph graph;
  IoTensors io;
  Bytes binary;
};

std::vector<Use> uses_of_log(Everything& all) {
  const Api& api = all.session.api;
  return {{"logSetLogLevel", QNN_LOG_ERROR_INVALID_HANDLE,
           [&api](void* log) { return api.logSetLogLevel(log, QNN_LOG_LEVEL_WARN); }},
          {"logFree", QNN_LOG_ERROR_INVALID_HANDLE, [&api](void* log) { return api.logFree(log); }}};
}

std::vector<Use> uses_of_backend(Everything& all) {
  const Api& api = all.session.api;
  static uint32_t count;
  static const QnnBackend_OperationName_t* operations;
  static void* out;
  return {
      {"backendSetConfig", QNN_BACKEND_ERROR_INVALID_HANDLE,
       [&api](void* backend) {
         const QnnBackend_Config_t* none[] = {nullptr};
         return api.backendSetConfig(backend, none);
       }},
      {"backendGetSupportedOperations", QNN_BACKEND_ERROR_INVALID_HANDLE,
       [&api](void* backend) { return api.backendGetSupportedOperations(backend, &count, &operations); }},
      {"backendValidateOpConfig", QNN_BACKEND_ERROR_INVALID_HANDLE,
       [&all](void* backend) {
         Scratch scratch;
         return all.session.api.backendValidateOpConfig(
             backend, describe(all.sample.model, all.sample.model.nodes.front(), scratch));
       }},
      {"contextCreate", QNN_CONTEXT_ERROR_INVALID_HANDLE,
       [&all](void* backend) {
         return all.session.api.contextCreate(backend, all.session.device, nullptr, &out);
       }},
      {"contextCreateFromBinary", QNN_CONTEXT_ERROR_INVALID_HANDLE,
       [&all](void* backend) {
         return all.session.api.contextCreateFromBinary(backend, all.session.device, nullptr,
                                                        all.binary.data(), all.binary.size(), &out, nullptr);
       }},
      {"contextValidateBinary", QNN_CONTEXT_ERROR_INVALID_HANDLE,
       [&all](void* backend) {
         return all.session.api.contextValidateBinary(backend, all.session.device, nullptr, all.binary.data(),
                                                      all.binary.size());
       }},
      {"profileCreate", QNN_PROFILE_ERROR_INVALID_ARGUMENT,
       [&api](void* backend) { return api.profileCreate(backend, QNN_PROFILE_LEVEL_BASIC, &out); }},
      {"backendFree", QNN_BACKEND_ERROR_INVALID_HANDLE,
       [&api](void* backend) { return api.backendFree(backend); }},
  };
}

std::vector<Use> uses_of_device(Everything& all) {
  const Api& api = all.session.api;
  static const QnnDevice_PlatformInfo_t* info;
  return {{"deviceGetInfo", QNN_DEVICE_ERROR_INVALID_HANDLE,
           [&api](void* device) { return api.deviceGetInfo(device, &info); }},
          {"deviceFree", QNN_DEVICE_ERROR_INVALID_HANDLE,
           [&api](void* device) { return api.deviceFree(device); }}};
}

std::vector<Use> uses_of_context(Everything& all) {
  const Api& api = all.session.api;
  static Qnn_ContextBinarySize_t size;
  static void* out;
  return {
      {"contextSetConfig", QNN_CONTEXT_ERROR_INVALID_HANDLE,
       [&api](void* context) {
         const QnnContext_Config_t* none[] = {nullptr};
         return api.contextSetConfig(context, none);
       }},
      {"contextGetBinarySize", QNN_CONTEXT_ERROR_INVALID_HANDLE,
       [&api](void* context) { return api.contextGetBinarySize(context, &size); }},
      {"contextGetBinary", QNN_CONTEXT_ERROR_INVALID_HANDLE,
       [&all](void* context) {
         return all.session.api.contextGetBinary(context, all.binary.data(), all.binary.size(), &size);
       }},
      {"graphCreate", QNN_GRAPH_ERROR_INVALID_CONTEXT,
       [&api](void* context) { return api.graphCreate(context, "new", nullptr, &out); }},
      {"graphRetrieve", QNN_GRAPH_ERROR_INVALID_CONTEXT,
       [&all](void* context) {
         return all.session.api.graphRetrieve(context, all.sample.model.name.c_str(), &out);
       }},
      {"contextFree", QNN_CONTEXT_ERROR_INVALID_HANDLE,
       [&api](void* context) { return api.contextFree(context, nullptr); }},
  };
}

std::vector<Use> uses_of_graph(Everything& all) {
  const Api& api = all.session.api;
  return {
      {"graphSetConfig", QNN_GRAPH_ERROR_INVALID_HANDLE,
       [&api](void* graph) {
         const QnnGraph_Config_t* none[] = {nullptr};
         return api.graphSetConfig(graph, none);
       }},
      {"tensorCreateGraphTensor", QNN_TENSOR_ERROR_INVALID_HANDLE,
       [&all](void* graph) {
         Scratch scratch;
         Qnn_Tensor_t tensor = describe(all.sample.model.tensors.front(), scratch);
         return all.session.api.tensorCreateGraphTensor(graph, &tensor);
       }},
      {"graphAddNode", QNN_GRAPH_ERROR_INVALID_HANDLE,
       [&all](void* graph) {
         Scratch scratch;
         return all.session.api.graphAddNode(
             graph, describe(all.graph.model, all.graph.model.nodes.front(), scratch));
       }},
      {"graphFinalize", QNN_GRAPH_ERROR_INVALID_HANDLE,
       [&api](void* graph) { return api.graphFinalize(graph, nullptr, nullptr); }},
      {"graphExecute", QNN_GRAPH_ERROR_INVALID_HANDLE,
       [&all](void* graph) {
         return all.session.api.graphExecute(graph, all.io.inputs.data(), 2, all.io.outputs.data(), 1,
                                             nullptr, nullptr);
       }},
  };
}

std::vector<Use> uses_of_profile(Everything& all) {
  const Api& api = all.session.api;
  static const QnnProfile_EventId_t* ids;
  static uint32_t count;
  return {
      {"profileSetConfig", QNN_PROFILE_ERROR_INVALID_HANDLE,
       [&api](void* profile) {
         const QnnProfile_Config_t* none[] = {nullptr};
         return api.profileSetConfig(profile, none);
       }},
      {"profileGetEvents", QNN_PROFILE_ERROR_INVALID_HANDLE,
       [&api](void* profile) { return api.profileGetEvents(profile, &ids, &count); }},
      {"profileFree", QNN_PROFILE_ERROR_INVALID_HANDLE,
       [&api](void* profile) { return api.profileFree(profile); }},
  };
}

// A kind of handle with its uses.
struct HandleKind {
  const char* name;
  std::vector<Use> uses;
  std::function<void*()> live;  // one that is in use
};

std::vector<HandleKind> kinds(Everything& all) {
  return {{"log", uses_of_log(all), [&all] { return all.session.log.get(); }},
          {"backend", uses_of_backend(all), [&all] { return all.session.backend.get(); }},
          {"device", uses_of_device(all), [&all] { return all.session.device.get(); }},
          {"context", uses_of_context(all), [&all] { return all.context.get(); }},
          {"graph", uses_of_graph(all), [&all] { return all.graph.handle; }},
          {"profile", uses_of_profile(all), [&all] { return all.profile.get(); }}};
}

void expect_all_refuse(const Session& session, const HandleKind& kind, void* bad, const std::string& what) {
  for (const Use& use : kind.uses)
    EXPECT_TRUE(refused(session.api, use.call(bad), use.code)) << use.name << " with " << what;
}

// feature: B1 (C API)
TEST(Handles, NullAndMadeUpOnesAreRefused) {
  const Session session;
  Everything all(session);
  int on_the_stack = 0;
  for (const HandleKind& kind : kinds(all)) {
    expect_all_refuse(session, kind, nullptr, "null");
    for (const uint64_t number :
         {uint64_t{1}, uint64_t{0xDEADBEEF}, uint64_t{0x7FFFFFFFFFFFFFFF}, ~uint64_t{0}})
      expect_all_refuse(session, kind, reinterpret_cast<void*>(number), "number " + std::to_string(number));
    expect_all_refuse(session, kind, &on_the_stack, "an address");
  }
}

// feature: B1 (C API)
TEST(Handles, HandlesOfAnotherKindAreRefused) {
  const Session session;
  Everything all(session);
  const std::vector<HandleKind> every = kinds(all);
  for (const HandleKind& kind : every)
    for (const HandleKind& other : every)
      if (&kind != &other) expect_all_refuse(session, kind, other.live(), std::string("a ") + other.name);
  EXPECT_EQ(all.graph.run(all.sample.inputs).size(), 1U) << "nothing was harmed";
}

// feature: B1 (C API)
TEST(Handles, EveryFlippedBitIsNoticed) {
  const Session session;
  Everything all(session);
  for (const HandleKind& kind : kinds(all))
    for (int bit = 0; bit < 64; ++bit) {
      const auto number = reinterpret_cast<uintptr_t>(kind.live()) ^ (uintptr_t{1} << bit);
      const Use& first = kind.uses.front();
      EXPECT_TRUE(refused(session.api, first.call(reinterpret_cast<void*>(number)), first.code))
          << kind.name << ", bit " << bit;
    }
}

// feature: B1 (C API)
TEST(Handles, StaleOnesAreRefused) {
  const Session session;
  Everything all(session);
  const Api& api = session.api;
  Owned log = create_log(api);
  Owned backend = create_backend(api);
  Owned device = create_device(api);
  Owned context = session.context();
  Owned profile = session.profile();
  const Graph graph = Graph::built(api, context, all.sample.model);
  void* const stale[] = {log, backend, device, context, graph.handle, profile};
  for (Owned* owned : {&log, &backend, &device, &context, &profile}) EXPECT_EQ(owned->free(), QNN_SUCCESS);

  const std::vector<HandleKind> every = kinds(all);
  for (size_t i = 0; i < every.size(); ++i) {
    expect_all_refuse(session, every[i], stale[i], "a freed one");
    expect_all_refuse(session, every[i], stale[i], "a freed one, asked again");
  }
  // New objects in the old places are not mistaken for the old ones.
  const Owned new_log = create_log(api);
  const Owned new_backend = create_backend(api);
  const Owned new_device = create_device(api);
  const Owned new_context = session.context();
  const Owned new_profile = session.profile();
  const Graph new_graph(api, new_context, all.sample.model);
  for (size_t i = 0; i < every.size(); ++i)
    expect_all_refuse(session, every[i], stale[i], "a freed one, its place taken");
}

// feature: B1 (C API)
TEST(Handles, GraphsGoWithTheirContext) {
  const Session session;
  Everything all(session);
  Owned context = session.context();
  Graph built = Graph::built(session.api, context, all.sample.model);
  Model open_model = all.sample.model;
  open_model.name = "open";
  Graph open(session.api, context, open_model);
  EXPECT_EQ(context.free(), QNN_SUCCESS);
  for (const Use& use : uses_of_graph(all)) {
    EXPECT_TRUE(refused(session.api, use.call(built.handle), use.code)) << use.name;
    EXPECT_TRUE(refused(session.api, use.call(open.handle), use.code)) << use.name;
  }
}

// feature: B1 (C API)
TEST(Handles, ContextsOutliveTheirBackend) {
  const BackendLibrary library;
  const Api& api = library.api();
  const Sample sample = add(Kind::kFloat);
  Owned backend = create_backend(api);
  Qnn_ContextHandle_t context = nullptr;
  check(api, api.contextCreate(backend, nullptr, nullptr, &context), "contextCreate");
  const Graph graph = Graph::built(api, context, sample.model);
  EXPECT_EQ(backend.free(), QNN_SUCCESS);
  IoTensors io(graph.model, sample.inputs);
  check(api, graph.execute(io), "graphExecute");
  check(api, api.contextFree(context, nullptr), "contextFree");
  EXPECT_TRUE(refused(api, graph.execute(io), QNN_GRAPH_ERROR_INVALID_HANDLE));
}

// feature: B1 (C API)
TEST(Handles, ADeviceInUseStays) {
  const BackendLibrary library;
  const Api& api = library.api();
  const Owned backend = create_backend(api);
  Owned device = create_device(api);
  Owned first = create_context(api, backend, device);
  Owned second = create_context(api, backend, device);
  EXPECT_TRUE(refused(api, api.deviceFree(device), QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT));
  EXPECT_EQ(first.free(), QNN_SUCCESS);
  EXPECT_TRUE(refused(api, api.deviceFree(device), QNN_DEVICE_ERROR_ASSOCIATED_TO_CONTEXT));

  const Sample sample = add(Kind::kFloat);
  EXPECT_EQ(Graph::built(api, second, sample.model).run(sample.inputs).size(), 1U) << "still usable";
  EXPECT_EQ(second.free(), QNN_SUCCESS);
  EXPECT_EQ(device.free(), QNN_SUCCESS);
}

// feature: B1 (C API)
TEST(Handles, BadCompanionsAreRefused) {
  const Session session;
  Everything all(session);
  const Api& api = session.api;
  const auto bad = reinterpret_cast<void*>(uintptr_t{0x1234});
  void* out = nullptr;
  EXPECT_TRUE(
      refused(api, api.contextCreate(session.backend, bad, nullptr, &out), QNN_CONTEXT_ERROR_INVALID_HANDLE));
  EXPECT_TRUE(refused(api,
                      api.contextCreateFromBinary(session.backend, session.device, nullptr, all.binary.data(),
                                                  all.binary.size(), &out, bad),
                      QNN_CONTEXT_ERROR_SET_PROFILE));
  EXPECT_TRUE(refused(api, all.graph.execute(all.io, bad), QNN_GRAPH_ERROR_SET_PROFILE));
  Model model = all.sample.model;
  model.name = "other";
  Graph other(api, all.context, model);
  other.compose();
  EXPECT_TRUE(refused(api, other.finalize(bad), QNN_GRAPH_ERROR_SET_PROFILE));
  EXPECT_THAT(api.backendCreate(bad, nullptr, &out),
              AnyOf(Eq(QNN_BACKEND_ERROR_INVALID_ARGUMENT), Eq(QNN_BACKEND_ERROR_INVALID_HANDLE)));
  EXPECT_THAT(api.deviceCreate(bad, nullptr, &out),
              AnyOf(Eq(QNN_DEVICE_ERROR_INVALID_ARGUMENT), Eq(QNN_DEVICE_ERROR_INVALID_HANDLE)));
  Owned context = session.context();
  EXPECT_TRUE(refused(api, api.contextFree(context, bad), QNN_CONTEXT_ERROR_SET_PROFILE));
  EXPECT_EQ(context.free(), QNN_SUCCESS) << "a refused free frees nothing";
}

// A copy of the library file is another library: its handles mean nothing here.
// feature: B1 (C API)
TEST(Handles, ThoseOfACopyAreForeign) {
  std::string path = (std::filesystem::temp_directory_path() / "libQnnHtp_copy_XXXXXX").string();
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  close(file);
  std::filesystem::copy_file(backend_path(), path, std::filesystem::copy_options::overwrite_existing);
  const Session session;
  Everything all(session);
  const std::vector<HandleKind> every = kinds(all);
  void *log = nullptr, *backend = nullptr, *profile = nullptr;  // nobody frees them: they go with the copy
  {
    const BackendLibrary copy(path);
    const Api& api = copy.api();
    check(api, api.logCreate(nullptr, QNN_LOG_LEVEL_ERROR, &log), "logCreate");
    check(api, api.backendCreate(nullptr, nullptr, &backend), "backendCreate");
    check(api, api.profileCreate(backend, QNN_PROFILE_LEVEL_BASIC, &profile), "profileCreate");
    EXPECT_TRUE(refused(api, api.backendFree(session.backend), QNN_BACKEND_ERROR_INVALID_HANDLE));
    EXPECT_TRUE(refused(api, api.logFree(session.log), QNN_LOG_ERROR_INVALID_HANDLE));
  }  // two copies at once are refused elsewhere (twin_test.cc)
  expect_all_refuse(session, every[0], log, "the copy's log");
  expect_all_refuse(session, every[1], backend, "the copy's backend");
  expect_all_refuse(session, every[5], profile, "the copy's profile");
  std::remove(path.c_str());
}

// feature: B1 (C API)
TEST(Handles, ThoseOfAnEarlierLoadAreForeign) {
  void* old_backend = nullptr;
  {
    const BackendLibrary library;
    check(library.api(), library.api().backendCreate(nullptr, nullptr, &old_backend), "backendCreate");
  }
  const BackendLibrary library;
  const Owned backend = create_backend(library.api());
  EXPECT_TRUE(
      refused(library.api(), library.api().backendFree(old_backend), QNN_BACKEND_ERROR_INVALID_HANDLE));
}

}  // namespace
}  // namespace conformance
