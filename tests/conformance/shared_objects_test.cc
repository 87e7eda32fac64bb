// SPDX-License-Identifier: BSD-3-Clause
// Good neighbours: what the libraries need and export, two of them side by side, loading and unloading.
#include <elf.h>
#include <gmock/gmock.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "client.h"
#include "elf_file.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr int kGlobal = RTLD_NOW | RTLD_GLOBAL;

// feature: B1 (C API)
TEST(SharedObjects, NeedOnlyTheSystem) {
  if (built_with_sanitizer()) GTEST_SKIP() << "a sanitizer adds its runtime";
  for (const std::string& path : {backend_path(), system_path()})
    for (const std::string& needed : read_elf(path).needed)
      EXPECT_THAT(needed, ::testing::MatchesRegex(
                              "(libc|libm|libstdc\\+\\+|libgcc_s|libpthread|ld-linux.*)\\.so\\.[0-9]+"))
          << path;
}

// feature: B1 (C API)
TEST(SharedObjects, ExportOnlyTheApi) {
  for (const std::string& path : {backend_path(), system_path()}) {
    const ElfFile file = read_elf(path);
    EXPECT_FALSE(file.exported.empty());
    for (const ElfSymbol& symbol : file.exported) {
      EXPECT_THAT(symbol.name, ::testing::StartsWith("Qnn")) << path;
      EXPECT_NE(symbol.binding, STB_GNU_UNIQUE) << symbol.name << " would pin " << path;
    }
    EXPECT_THAT(file.missing, ::testing::Each(::testing::Not(::testing::StartsWith("Qnn"))))
        << path << " takes functions of the API from whoever offers them first";
  }
}

void run_session(const BackendLibrary& library) {
  const Owned backend = create_backend(library.api());
  const Owned context = create_context(library.api(), backend);
  const Sample sample = add(Kind::kQuantized);
  const Graph graph = Graph::built(library.api(), context, sample.model);
  EXPECT_EQ(graph.run(sample.inputs).size(), 1U);
}

// feature: B1 (C API)
TEST(SharedObjects, BackendAndSystemInEitherOrder) {
  for (const bool backend_first : {true, false}) {
    SharedObject first(backend_first ? backend_path() : system_path(), kGlobal);
    SharedObject second(backend_first ? system_path() : backend_path(), kGlobal);
    const BackendLibrary backend(backend_path(), kGlobal);
    const SystemLibrary system(system_path(), kGlobal);
    run_session(backend);
    const Session session{BackendLibrary(backend_path(), kGlobal)};
    const Owned context = session.context();
    const Graph graph = Graph::built(session.api, context, add(Kind::kFloat).model);
    const Bytes binary = binary_of(session.api, context);
    QnnSystemContext_Handle_t handle = nullptr;
    ASSERT_EQ(system.api().systemContextCreate(&handle), QNN_SUCCESS);
    const QnnSystemContext_BinaryInfo_t* info = nullptr;
    EXPECT_EQ(system.api().systemContextGetMetaData(handle, binary.data(), binary.size(), &info),
              QNN_SUCCESS);
    EXPECT_EQ(system.api().systemContextFree(handle), QNN_SUCCESS);
    // A handle of one is foreign to the other.
    EXPECT_EQ(system.api().systemContextFree(context),
              Qnn_ErrorHandle_t{QNN_SYSTEM_CONTEXT_ERROR_INVALID_HANDLE});
  }
}

// Two backends built from the same sources: without care, the second would call functions of the first.
class TwinTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (twin_path().empty()) GTEST_SKIP() << "OPENQNN_TWIN_LIB names no second backend";
    // Opened here in the order under test; the members below only count references.
    first_ = std::make_unique<SharedObject>(GetParam() ? backend_path() : twin_path(), kGlobal);
    second_ = std::make_unique<SharedObject>(GetParam() ? twin_path() : backend_path(), kGlobal);
    htp_ = std::make_unique<BackendLibrary>(backend_path(), kGlobal);
    twin_ = std::make_unique<BackendLibrary>(twin_path(), kGlobal);
  }

  std::unique_ptr<SharedObject> first_, second_;
  std::unique_ptr<BackendLibrary> htp_, twin_;
};

// feature: B1 (C API)
TEST_P(TwinTest, EachAnswersWithItsOwnName) {
  EXPECT_STREQ(htp_->provider.providerName, "HTP_QTI_AISW");
  EXPECT_STREQ(twin_->provider.providerName, "TWIN_TEST");
  // Again through the symbol, and through a second look at the table. (Not through RTLD_DEFAULT: glibc pins a
  // library in which the main program found a symbol that way.)
  for (const BackendLibrary* library : {htp_.get(), twin_.get()}) {
    const auto get = reinterpret_cast<decltype(&QnnInterface_getProviders)>(
        library->object.symbol("QnnInterface_getProviders"));
    const QnnInterface_t** list = nullptr;
    uint32_t count = 0;
    ASSERT_EQ(get(&list, &count), QNN_SUCCESS);
    EXPECT_STREQ(list[0]->providerName, library->provider.providerName);
    EXPECT_EQ(list[0]->QNN_INTERFACE_VER_NAME.backendCreate, library->api().backendCreate);
  }
}

// feature: B1 (C API)
TEST_P(TwinTest, TheTablesAreDifferentFunctions) {
  EXPECT_NE(htp_->api().backendCreate, twin_->api().backendCreate);
  EXPECT_NE(htp_->api().graphExecute, twin_->api().graphExecute);
  EXPECT_NE(htp_->object.symbol("QnnBackend_create"), twin_->object.symbol("QnnBackend_create"));
}

// feature: B1 (C API)
TEST_P(TwinTest, HandlesOfOneAreForeignToTheOther) {
  const Sample sample = add(Kind::kQuantized);
  for (const bool from_htp : {true, false}) {
    const Api& mine = from_htp ? htp_->api() : twin_->api();
    const Api& other = from_htp ? twin_->api() : htp_->api();
    const Owned log = create_log(mine);
    const Owned backend = create_backend(mine, log);
    const Owned device = create_device(mine, log);
    const Owned context = create_context(mine, backend, device);
    const Owned profile = create_profile(mine, backend);
    const Graph graph = Graph::built(mine, context, sample.model);
    IoTensors io(graph.model, sample.inputs);
    const QnnProfile_EventId_t* ids = nullptr;
    uint32_t count = 0;
    EXPECT_TRUE(refused(other, other.logFree(log), QNN_LOG_ERROR_INVALID_HANDLE));
    EXPECT_TRUE(refused(other, other.backendFree(backend), QNN_BACKEND_ERROR_INVALID_HANDLE));
    EXPECT_TRUE(refused(other, other.deviceFree(device), QNN_DEVICE_ERROR_INVALID_HANDLE));
    EXPECT_TRUE(refused(other, other.contextFree(context, nullptr), QNN_CONTEXT_ERROR_INVALID_HANDLE));
    EXPECT_TRUE(
        refused(other, other.profileGetEvents(profile, &ids, &count), QNN_PROFILE_ERROR_INVALID_HANDLE));
    EXPECT_TRUE(refused(
        other, other.graphExecute(graph.handle, io.inputs.data(), 2, io.outputs.data(), 1, nullptr, nullptr),
        QNN_GRAPH_ERROR_INVALID_HANDLE));
    EXPECT_EQ(graph.run(sample.inputs, profile).size(), 1U) << "and still mine";
  }
}

// feature: B1 (C API)
TEST_P(TwinTest, SentencesStayWithTheirLibrary) {
  const Api& htp = htp_->api();
  const Api& twin = twin_->api();
  const Owned backend = create_backend(htp);
  const Owned context = create_context(htp, backend);
  Qnn_GraphHandle_t graph = nullptr;
  const Qnn_ErrorHandle_t answer = htp.graphRetrieve(context, "only_in_htp", &graph);
  EXPECT_THAT(verbose_message(htp, answer), ::testing::HasSubstr("only_in_htp"));
  EXPECT_THAT(verbose_message(twin, answer), ::testing::Not(::testing::HasSubstr("only_in_htp")));
  const char* message = nullptr;
  check(htp, htp.errorGetVerboseMessage(answer, &message), "errorGetVerboseMessage");
  EXPECT_EQ(twin.errorFreeVerboseMessage(message), Qnn_ErrorHandle_t{QNN_ERROR_INVALID_ARGUMENT});
  EXPECT_EQ(htp.errorFreeVerboseMessage(message), QNN_SUCCESS);
}

// feature: B1, C1 (C API)
TEST_P(TwinTest, BothWorkSideBySide) {
  run_session(*htp_);
  run_session(*twin_);
}

// feature: B1 (C API)
TEST_P(TwinTest, OneGoesAndTheOtherStays) {
  htp_.reset();
  (GetParam() ? first_ : second_).reset();
  EXPECT_FALSE(is_mapped(backend_path()));
  run_session(*twin_);
}

INSTANTIATE_TEST_SUITE_P(Order, TwinTest, ::testing::Bool(), [](const ::testing::TestParamInfo<bool>& order) {
  return order.param ? "HtpFirst" : "TwinFirst";
});

// Threads that live longer than the library: each does a round of work when told to and then waits.
class Crew {
 public:
  explicit Crew(size_t size) {
    for (size_t i = 0; i < size; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~Crew() {
    {
      const std::lock_guard lock(mutex_);
      work_ = nullptr;
      ++round_;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // Every thread does the work once; returns when all are done, with what the last failure said.
  std::string do_round(std::function<void()> work) {
    std::unique_lock lock(mutex_);
    work_ = std::move(work);
    busy_ = threads_.size();
    failure_.clear();
    ++round_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return busy_ == 0; });
    return failure_;
  }

 private:
  void serve() {
    uint64_t seen = 0;
    for (;;) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return round_ != seen; });
        seen = round_;
        work = work_;
      }
      if (!work) return;
      std::string failure;
      try {
        work();
      } catch (const std::exception& thrown) {
        failure = thrown.what();
      }
      work = nullptr;
      const std::lock_guard lock(mutex_);
      if (!failure.empty()) failure_ = failure;
      if (--busy_ == 0) changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
  uint64_t round_ = 0;
  size_t busy_ = 0;
  std::string failure_;
  std::vector<std::thread> threads_;
};

// feature: B1 (C API)
TEST(SharedObjects, OpenAndCloseAHundredTimesWithThreadsAlive) {
  Crew crew(4);
  const Sample sample = conv_relu_pool(Kind::kQuantized);
  for (int round = 0; round < 100; ++round) {
    {
      const Session session;
      const std::string failure = crew.do_round([&] {
        // A failure, so that the thread owns a sentence, and an execute, so that the workers have run.
        Qnn_GraphHandle_t none = nullptr;
        const Owned context = session.context();
        const Qnn_ErrorHandle_t answer = session.api.graphRetrieve(context, "nobody", &none);
        if (verbose_message(session.api, answer).find("nobody") == std::string::npos)
          throw std::runtime_error("the thread has lost its sentence");
        Graph::built(session.api, context, sample.model).run(sample.inputs);
      });
      ASSERT_EQ(failure, "") << "round " << round;
    }
    ASSERT_FALSE(is_mapped(backend_path())) << "round " << round;
    ASSERT_EQ(dlopen(backend_path().c_str(), RTLD_LAZY | RTLD_NOLOAD), nullptr) << "round " << round;
  }
}

// Objects that nobody freed go with the library.
// feature: B1 (C API)
TEST(SharedObjects, UnloadingFreesWhatTheClientForgot) {
  const Sample sample = add(Kind::kQuantized);
  for (int round = 0; round < 3; ++round) {
    {
      const BackendLibrary library;
      const Api& api = library.api();
      void* forgotten = nullptr;
      check(api, api.logCreate(nullptr, QNN_LOG_LEVEL_ERROR, &forgotten), "logCreate");
      check(api, api.backendCreate(forgotten, nullptr, &forgotten), "backendCreate");
      check(api, api.contextCreate(forgotten, nullptr, nullptr, &forgotten), "contextCreate");
      Graph::built(api, forgotten, sample.model).run(sample.inputs);
    }
    EXPECT_FALSE(is_mapped(backend_path()));
  }
}

// feature: B1 (C API)
TEST(SharedObjects, SystemIsUnloadedToo) {
  for (int round = 0; round < 20; ++round) {
    {
      const SystemLibrary library;
      QnnSystemContext_Handle_t forgotten = nullptr;
      EXPECT_EQ(library.api().systemContextCreate(&forgotten), QNN_SUCCESS);
    }
    ASSERT_FALSE(is_mapped(system_path())) << "round " << round;
  }
}

}  // namespace
}  // namespace conformance
