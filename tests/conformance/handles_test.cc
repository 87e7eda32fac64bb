// SPDX-License-Identifier: BSD-3-Clause
// What outlives what, and handles from other times and places. Bad handles as such: misuse_test.cc.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "misuse.h"

namespace conformance {
namespace {

// feature: B1 (C API)
TEST(Handles, GraphsGoWithTheirContext) {
  const BackendLibrary library;
  CoreObjects all(library.api());
  Owned context = create_context(all.api, all.backend, all.device);
  const Graph built = Graph::built(all.api, context, all.sample.model);
  Model open_model = all.sample.model;
  open_model.name = "open";
  const Graph open(all.api, context, open_model);
  EXPECT_EQ(context.free(), QNN_SUCCESS);
  expect_refused(all, HandleKind::kGraph, built.handle, "a graph of a freed context");
  expect_refused(all, HandleKind::kGraph, open.handle, "an open graph of a freed context");
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
TEST(Handles, ARefusedFreeFreesNothing) {
  const Session session;
  Owned context = session.context();
  const auto bad = reinterpret_cast<void*>(uintptr_t{0x1234});
  EXPECT_TRUE(refused(session.api, session.api.contextFree(context, bad), QNN_CONTEXT_ERROR_SET_PROFILE));
  EXPECT_EQ(context.free(), QNN_SUCCESS);
}

// A copy of the library file is another library: its handles mean nothing here.
// feature: B1 (C API)
TEST(Handles, ThoseOfACopyAreForeign) {
  std::string path = (std::filesystem::temp_directory_path() / "libQnnHtp_copy_XXXXXX").string();
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  close(file);
  std::filesystem::copy_file(backend_path(), path, std::filesystem::copy_options::overwrite_existing);
  const BackendLibrary library;
  CoreObjects all(library.api());
  void *log = nullptr, *backend = nullptr, *profile = nullptr;  // nobody frees them: they go with the copy
  {
    const BackendLibrary copy(path);
    const Api& api = copy.api();
    check(api, api.logCreate(nullptr, QNN_LOG_LEVEL_ERROR, &log), "logCreate");
    check(api, api.backendCreate(nullptr, nullptr, &backend), "backendCreate");
    check(api, api.profileCreate(backend, QNN_PROFILE_LEVEL_BASIC, &profile), "profileCreate");
    EXPECT_TRUE(refused(api, api.backendFree(all.backend), QNN_BACKEND_ERROR_INVALID_HANDLE));
    EXPECT_TRUE(refused(api, api.logFree(all.log), QNN_LOG_ERROR_INVALID_HANDLE));
  }  // two copies at once are refused elsewhere (twin_test.cc)
  expect_refused(all, HandleKind::kLog, log, "the copy's log");
  expect_refused(all, HandleKind::kBackend, backend, "the copy's backend");
  expect_refused(all, HandleKind::kProfile, profile, "the copy's profile");
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
