// SPDX-License-Identifier: BSD-3-Clause
// ONNX Runtime's side: its C library, opened when it is needed, so that the benchmarks build without it.
#include <dlfcn.h>

#include <cstdint>

#include "base/text.h"
#include "race/contestant.h"

namespace openqnn::bench {
namespace {

// The C API is a table of functions whose order never changes: newer versions only add at its end. Here are
// the places of those that are used, and what they are like; handles are pointers to what nobody looks into.
using Handle = void*;
using Answer = Handle;  // null, or a status that says what is wrong
constexpr uint32_t kApiVersion = 17;
constexpr int kAllOptimisations = 99;
constexpr int kFloat = 1;
constexpr int kErrorsOnly = 3;
constexpr int kArenaAllocator = 1;
constexpr int kDefaultMemory = 0;
enum Place : size_t {
  kGetErrorMessage = 2,
  kCreateEnv = 3,
  kCreateSession = 7,
  kRun = 9,
  kCreateSessionOptions = 10,
  kSetOptimizedModelFilePath = 11,
  kSetGraphOptimizationLevel = 23,
  kSetIntraOpNumThreads = 24,
  kSetInterOpNumThreads = 25,
  kSessionGetInputName = 36,
  kSessionGetOutputName = 37,
  kCreateTensorWithData = 49,
  kGetTensorMutableData = 51,
  kGetTensorShapeElementCount = 64,
  kGetTensorTypeAndShape = 65,
  kCreateCpuMemoryInfo = 69,
  kAllocatorFree = 76,
  kGetAllocatorWithDefaultOptions = 78,
  kReleaseEnv = 92,
  kReleaseStatus = 93,
  kReleaseMemoryInfo = 94,
  kReleaseSession = 95,
  kReleaseValue = 96,
  kReleaseShape = 99,
  kReleaseSessionOptions = 100,
  kAddSessionConfigEntry = 130,
};

class Library {
 public:
  static Result<std::shared_ptr<const Library>> open(const std::string& path) {
    const std::shared_ptr<Library> made(new Library);
    // Never closed: its threads end with the process.
    void* const opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) return system_failure("race-library", dlerror()).at(path);
    struct Base {
      void* const* (*api)(uint32_t version);
      const char* (*version)();
    };
    using GetBase = const Base* (*)();
    const auto get_base = reinterpret_cast<GetBase>(dlsym(opened, "OrtGetApiBase"));
    if (get_base == nullptr) return invalid("race-library", "it is not ONNX Runtime").at(path);
    made->functions_ = get_base()->api(kApiVersion);
    if (made->functions_ == nullptr)
      return unsupported("race-library", concat("ONNX Runtime ", get_base()->version(), " is too old"))
          .at(path);
    OPENQNN_TRY(made->call(kCreateEnv, kErrorsOnly, static_cast<const char*>("race"), &made->environment_));
    return std::shared_ptr<const Library>(made);
  }
  ~Library() { release(kReleaseEnv, environment_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  Handle environment() const { return environment_; }

  template <class... Arguments>
  Status call(Place place, Arguments... arguments) const {
    const auto function = reinterpret_cast<Answer (*)(Arguments...)>(functions_[place]);
    const Answer answer = function(arguments...);
    if (answer == nullptr) return {};
    const auto message = reinterpret_cast<const char* (*)(Answer)>(functions_[kGetErrorMessage]);
    std::string text = message(answer);
    release(kReleaseStatus, answer);
    return invalid("race-onnxruntime", std::move(text));
  }
  void release(Place place, Handle handle) const {
    if (handle != nullptr) reinterpret_cast<void (*)(Handle)>(functions_[place])(handle);
  }

 private:
  Library() = default;
  void* const* functions_ = nullptr;
  Handle environment_ = nullptr;
};

// A handle that is released at its end.
class Owned {
 public:
  Owned(std::shared_ptr<const Library> library, Place release)
      : library_(std::move(library)), release_(release) {}
  ~Owned() { reset(); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  void reset() {
    library_->release(release_, handle);
    handle = nullptr;
  }
  Handle handle = nullptr;

 private:
  std::shared_ptr<const Library> library_;
  Place release_;
};

Status create_session(const std::shared_ptr<const Library>& library, const std::string& model,
                      uint32_t threads, const std::string& optimized, Handle& session) {
  Owned options(library, kReleaseSessionOptions);
  OPENQNN_TRY(library->call(kCreateSessionOptions, &options.handle));
  OPENQNN_TRY(library->call(kSetGraphOptimizationLevel, options.handle, kAllOptimisations));
  OPENQNN_TRY(library->call(kSetIntraOpNumThreads, options.handle, static_cast<int>(threads)));
  OPENQNN_TRY(library->call(kSetInterOpNumThreads, options.handle, 1));
  // Threads wait actively within a run, where that pays, but not into our turn.
  OPENQNN_TRY(library->call(kAddSessionConfigEntry, options.handle,
                            static_cast<const char*>("session.force_spinning_stop"),
                            static_cast<const char*>("1")));
  if (!optimized.empty())
    OPENQNN_TRY(library->call(kSetOptimizedModelFilePath, options.handle, optimized.c_str()));
  return library->call(kCreateSession, library->environment(), model.c_str(), options.handle, &session);
}

class OrtRun : public Contestant {
 public:
  static Result<ContestantPtr> make(const std::string& model, const RaceOptions& options) {
    OPENQNN_ASSIGN(auto library, Library::open(options.onnxruntime));
    std::unique_ptr<OrtRun> made(new OrtRun(std::move(library)));
    if (!options.optimized.empty()) OPENQNN_TRY(made->save_optimized(model, options));
    OPENQNN_TRY(create_session(made->library_, model, options.threads, "", made->session_.handle));
    OPENQNN_ASSIGN(made->input_name_, made->name_of(kSessionGetInputName));
    OPENQNN_ASSIGN(made->output_name_, made->name_of(kSessionGetOutputName));
    OPENQNN_TRY(
        made->library_->call(kCreateCpuMemoryInfo, kArenaAllocator, kDefaultMemory, &made->memory_.handle));
    OPENQNN_TRY(made->library_->call(kCreateTensorWithData, made->memory_.handle,
                                     static_cast<void*>(made->pixels_.data()),
                                     made->pixels_.size() * sizeof(float), made->shape_.data(),
                                     made->shape_.size(), kFloat, &made->input_.handle));
    return ContestantPtr(std::move(made));
  }

  Status prepare() override {
    output_.reset();
    return {};
  }
  Status work() override {
    output_.reset();
    const char* const inputs[] = {input_name_.c_str()};
    const char* const outputs[] = {output_name_.c_str()};
    const Handle values[] = {input_.handle};
    return library_->call(kRun, session_.handle, Handle{nullptr}, &inputs[0], &values[0], size_t{1},
                          &outputs[0], size_t{1}, &output_.handle);
  }
  std::vector<float> output() const override {
    Owned shape(library_, kReleaseShape);
    size_t count = 0;
    float* data = nullptr;
    const bool ok = library_->call(kGetTensorTypeAndShape, output_.handle, &shape.handle) &&
                    library_->call(kGetTensorShapeElementCount, shape.handle, &count) &&
                    library_->call(kGetTensorMutableData, output_.handle, &data);
    return ok ? std::vector<float>(data, data + count) : std::vector<float>();
  }

 private:
  explicit OrtRun(std::shared_ptr<const Library> library)
      : library_(std::move(library)),
        session_(library_, kReleaseSession),
        memory_(library_, kReleaseMemoryInfo),
        input_(library_, kReleaseValue),
        output_(library_, kReleaseValue) {}

  // By a session of its own: one that is saved keeps more than one that only runs.
  Status save_optimized(const std::string& model, const RaceOptions& options) const {
    Owned session(library_, kReleaseSession);
    return create_session(library_, model, options.threads, options.optimized, session.handle);
  }

  Result<std::string> name_of(Place place) const {
    Handle allocator = nullptr;  // the library's own, not to be released
    OPENQNN_TRY(library_->call(kGetAllocatorWithDefaultOptions, &allocator));
    char* name = nullptr;
    OPENQNN_TRY(library_->call(place, session_.handle, size_t{0}, allocator, &name));
    std::string kept = name;
    OPENQNN_TRY(library_->call(kAllocatorFree, allocator, static_cast<void*>(name)));
    return kept;
  }

  std::shared_ptr<const Library> library_;
  Owned session_;
  Owned memory_;
  std::vector<int64_t> shape_ = {1, 3, 224, 224};  // what all models of the race take
  std::vector<float> pixels_ = pixels(size_t{3} * 224 * 224);
  Owned input_;
  Owned output_;
  std::string input_name_;
  std::string output_name_;
};

class OrtCreate : public Contestant {
 public:
  OrtCreate(std::shared_ptr<const Library> library, std::string model, uint32_t threads)
      : library_(std::move(library)),
        session_(library_, kReleaseSession),
        model_(std::move(model)),
        threads_(threads) {}
  Status prepare() override {
    session_.reset();
    return {};
  }
  Status work() override { return create_session(library_, model_, threads_, "", session_.handle); }

 private:
  std::shared_ptr<const Library> library_;
  Owned session_;
  std::string model_;
  uint32_t threads_;
};

}  // namespace

Result<ContestantPtr> ort_run(const std::string& model, const RaceOptions& options) {
  return OrtRun::make(model, options);
}

Result<ContestantPtr> ort_create(const std::string& model, const RaceOptions& options) {
  OPENQNN_ASSIGN(auto library, Library::open(options.onnxruntime));
  return ContestantPtr(std::make_unique<OrtCreate>(std::move(library), model, options.threads));
}

}  // namespace openqnn::bench
