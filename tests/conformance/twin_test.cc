// SPDX-License-Identifier: BSD-3-Clause
// Two copies of one backend library in a process: five functions answer LOADING_BINARIES until one is closed.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>

#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;

// The backend's file again, under its own name in another folder.
class Copy {
 public:
  Copy() {
    std::string pattern = (fs::temp_directory_path() / "openqnn_copy_XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    path_ = folder_ / fs::path(backend_path()).filename();
    fs::copy_file(backend_path(), path_);
  }
  ~Copy() { fs::remove_all(folder_); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  std::string path() const { return path_.string(); }

 private:
  fs::path folder_, path_;
};

// What one library answers to the five calls, with objects it made before there were two.
struct FiveCalls {
  explicit FiveCalls(const Api& table) : api(table) {}

  std::vector<std::pair<const char*, Qnn_ErrorHandle_t>> answers() {
    Scratch scratch;
    const Model& model = sample.model;
    void* device = nullptr;
    void* made = nullptr;
    std::vector<std::pair<const char*, Qnn_ErrorHandle_t>> all;
    all.emplace_back("registerOpPackage",
                     api.backendRegisterOpPackage(backend, "/nowhere/libPackage.so", "provider", nullptr));
    all.emplace_back("validateOpConfig",
                     api.backendValidateOpConfig(backend, describe(model, model.nodes.front(), scratch)));
    all.emplace_back("deviceCreate", api.deviceCreate(nullptr, nullptr, &device));
    if (device) api.deviceFree(device);
    all.emplace_back("contextCreate", api.contextCreate(backend, nullptr, nullptr, &made));
    if (made) api.contextFree(made, nullptr);
    const std::string name = "graph" + std::to_string(++graphs);
    all.emplace_back("graphCreate", api.graphCreate(context, name.c_str(), nullptr, &made));
    return all;
  }

  const Api& api;
  Owned backend = create_backend(api);
  Owned context = create_context(api, backend);
  Sample sample = add(Kind::kQuantized);
  int graphs = 0;
};

constexpr Qnn_ErrorHandle_t kTwice = QNN_COMMON_ERROR_LOADING_BINARIES;

void expect_all_work(FiveCalls& calls) {
  for (const auto& [name, answer] : calls.answers())
    if (name == std::string("registerOpPackage")) {
      EXPECT_NE(answer, kTwice) << name;  // there is no such package, but that is another error
    } else {
      EXPECT_EQ(answer, QNN_SUCCESS) << name;
    }
}

class TwoCopies : public ::testing::TestWithParam<int> {};

// feature: B10 (C API)
TEST_P(TwoCopies, FiveFunctionsRefuseUntilOneIsClosed) {
  const Copy file;
  const BackendLibrary first(backend_path(), GetParam());
  FiveCalls calls(first.api());
  expect_all_work(calls);
  for (int round = 0; round < 2; ++round) {
    {
      const BackendLibrary second(file.path(), GetParam());
      for (const auto& [name, answer] : calls.answers()) {
        SCOPED_TRACE(name);
        EXPECT_TRUE(refused(first.api(), answer, kTwice, {"2 copies", "one library per process"}));
      }
      // The copy says the same about itself.
      void* out = nullptr;
      EXPECT_TRUE(refused(second.api(), second.api().deviceCreate(nullptr, nullptr, &out), kTwice));
      const Owned backend = create_backend(second.api());
      EXPECT_TRUE(refused(second.api(), second.api().contextCreate(backend, nullptr, nullptr, &out), kTwice));
    }
    expect_all_work(calls);
  }
}

INSTANTIATE_TEST_SUITE_P(Flags, TwoCopies, ::testing::Values(RTLD_NOW | RTLD_LOCAL, RTLD_NOW | RTLD_GLOBAL),
                         [](const ::testing::TestParamInfo<int>& flags) {
                           return flags.param & RTLD_GLOBAL ? "Global" : "Local";
                         });

// What was made before goes on working: only new objects are refused.
// feature: B10 (C API)
TEST(Twins, GraphsThatRunGoOnRunning) {
  const Session session;
  const Owned context = session.context();
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(session.api, context, sample.model);
  const Buffers before = graph.run(sample.inputs);
  const Copy file;
  const BackendLibrary second(file.path());
  EXPECT_EQ(graph.run(sample.inputs), before);
}

// feature: B10 (C API)
TEST(Twins, TheSameFileTwiceIsOneLibrary) {
  const BackendLibrary first, again;
  FiveCalls calls(again.api());
  expect_all_work(calls);
}

// feature: B10 (C API)
TEST(Twins, OtherLibrariesAreNoTwins) {
  const BackendLibrary backend;
  const SystemLibrary system;
  FiveCalls calls(backend.api());
  expect_all_work(calls);
  if (twin_path().empty()) GTEST_SKIP() << "OPENQNN_TWIN_LIB names no other backend";
  const BackendLibrary other(twin_path());  // the same objects under another provider's name
  expect_all_work(calls);
  FiveCalls others(other.api());
  expect_all_work(others);
}

// Asking costs nothing that a client would notice: clients validate thousands of ops.
// feature: B10 (C API)
TEST(Twins, AskingIsCheap) {
  const BackendLibrary library;
  const Owned backend = create_backend(library.api());
  constexpr int kCalls = 20000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) {
    Qnn_GraphHandle_t none = nullptr;
    library.api().graphCreate(nullptr, "x", nullptr, &none);  // refused for its handle, after the look
  }
  const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
  // Generous: a full walk over the loader's list alone would take longer in a program of some size.
  EXPECT_LT(elapsed.count() / kCalls, 100) << "microseconds a call";
}

}  // namespace
}  // namespace conformance
