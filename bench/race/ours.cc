// SPDX-License-Identifier: BSD-3-Clause
// Our side, through the public C API as any client calls it.
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "frontend/dlc/dlc.h"
#include "race/contestant.h"
#include "tools/compose.h"
#include "tools/session.h"

namespace openqnn::bench {
namespace {

namespace fs = std::filesystem;
using tools::Session;

// The graph of a `.dlc`, and a session to work in.
struct Opened {
  ir::Graph graph{""};
  std::unique_ptr<Session> session;
};

Result<Opened> open_model(const std::string& dlc, const RaceOptions& options) {
  Opened opened;
  OPENQNN_ASSIGN(frontend::Dlc file, frontend::read_dlc(fs::path(dlc)));
  if (file.graphs.size() != 1) return invalid("race-graphs", "a model of one graph is wanted").at(dlc);
  opened.graph = std::move(file.graphs[0].graph);
  OPENQNN_ASSIGN(auto library, tools::BackendLibrary::open(options.backend));
  OPENQNN_ASSIGN(opened.session, Session::open(std::move(library), {.device = {}}));
  return opened;
}

fs::path binary_path(const std::string& dlc) { return fs::path(dlc).replace_extension(".bin"); }

// The context binary, made by the library that is being measured, never an older one.
Status write_binary(Opened& opened, const std::string& dlc) {
  OPENQNN_TRY(opened.session->create_context());
  OPENQNN_ASSIGN(const tools::ComposedGraph graph, tools::compose(*opened.session, opened.graph));
  OPENQNN_TRY(opened.session->finalize(graph.handle));
  OPENQNN_ASSIGN(const std::vector<std::byte> binary, opened.session->binary());
  opened.session->free_context();
  return write_file(binary_path(dlc), std::span(binary));
}

const ir::Tensor* only_tensor(const ir::Graph& graph, ir::TensorRole role) {
  const ir::Tensor* found = nullptr;
  for (const ir::Tensor& tensor : graph.tensors()) {
    if (tensor.role != role) continue;
    if (found != nullptr) return nullptr;
    found = &tensor;
  }
  return found != nullptr && found->desc.type == ir::DataType::kFloat32 ? found : nullptr;
}

class Execution : public Contestant {
 public:
  static Result<ContestantPtr> make(const std::string& dlc, const RaceOptions& options) {
    std::unique_ptr<Execution> made(new Execution);
    OPENQNN_ASSIGN(made->model_, open_model(dlc, options));
    OPENQNN_TRY(write_binary(made->model_, dlc));
    OPENQNN_ASSIGN(made->file_, MappedFile::open(binary_path(dlc)));
    Session& session = *made->model_.session;
    const auto bytes = made->file_->bytes();
    OPENQNN_ASSIGN(const tools::BinarySummary summary, session.summarize({bytes.begin(), bytes.end()}));
    OPENQNN_TRY(session.load_context(bytes));
    OPENQNN_ASSIGN(made->graph_, session.retrieve(summary.graphs.at(0).name));
    const ir::Tensor* const input = only_tensor(made->model_.graph, ir::TensorRole::kInput);
    const ir::Tensor* const output = only_tensor(made->model_.graph, ir::TensorRole::kOutput);
    if (input == nullptr || output == nullptr)
      return invalid("race-tensors", "one float32 input and one float32 output are wanted").at(dlc);
    made->in_values_ = pixels(ir::plain_bytes(input->desc) / sizeof(float));
    made->out_values_.resize(ir::plain_bytes(output->desc) / sizeof(float));
    OPENQNN_TRY(bind(*input, summary.graphs[0].input_ids.at(0), made->in_values_, made->in_));
    OPENQNN_TRY(bind(*output, summary.graphs[0].output_ids.at(0), made->out_values_, made->out_));
    return ContestantPtr(std::move(made));
  }

  Status work() override {
    return model_.session->execute(graph_, std::span(&in_.tensor, 1), std::span(&out_.tensor, 1));
  }
  std::vector<float> output() const override { return out_values_; }

 private:
  Execution() = default;

  static Status bind(const ir::Tensor& tensor, uint32_t id, std::vector<float>& values,
                     tools::DescribedTensor& described) {
    OPENQNN_TRY(tools::describe(tensor, described));
    described.tensor.v1.id = id;
    described.tensor.v1.clientBuf = {values.data(), static_cast<uint32_t>(values.size() * sizeof(float))};
    return {};
  }

  std::shared_ptr<const MappedFile> file_;  // outlives the context that reads it
  Opened model_;
  Qnn_GraphHandle_t graph_ = nullptr;
  std::vector<float> in_values_;
  std::vector<float> out_values_;
  tools::DescribedTensor in_;
  tools::DescribedTensor out_;
};

// A graph is finalized once: what is around that belongs to the work, but not to the time.
class Finalize : public Contestant {
 public:
  explicit Finalize(Opened model) : model_(std::move(model)) {}
  Status prepare() override {
    OPENQNN_TRY(model_.session->create_context());
    OPENQNN_ASSIGN(graph_, tools::compose(*model_.session, model_.graph));
    return {};
  }
  Status work() override {
    OPENQNN_TRY(model_.session->finalize(graph_.handle));
    return {};
  }

 private:
  Opened model_;
  tools::ComposedGraph graph_;
};

class Load : public Contestant {
 public:
  Load(Opened model, fs::path path) : model_(std::move(model)), path_(std::move(path)) {}
  ~Load() override { model_.session->free_context(); }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  Status prepare() override {
    model_.session->free_context();
    file_.reset();
    return {};
  }
  Status work() override {
    OPENQNN_ASSIGN(file_, MappedFile::open(path_));
    OPENQNN_TRY(model_.session->load_context(file_->bytes()));
    OPENQNN_TRY(model_.session->retrieve(model_.graph.name()));
    return {};
  }

 private:
  Opened model_;
  fs::path path_;
  std::shared_ptr<const MappedFile> file_;
};

class Mapping : public Contestant {
 public:
  explicit Mapping(fs::path path) : path_(std::move(path)) {}
  Status work() override {
    OPENQNN_ASSIGN(const auto file, MappedFile::open(path_));
    const auto bytes = file->bytes();
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes.size(); i += kPage) sum += static_cast<uint64_t>(bytes[i]);
    sum_ = sum;
    return {};
  }

 private:
  static constexpr size_t kPage = 4096;
  fs::path path_;
  volatile uint64_t sum_ = 0;  // so that the pages are looked at
};

}  // namespace

Result<ContestantPtr> our_execute(const std::string& dlc, const RaceOptions& options) {
  return Execution::make(dlc, options);
}

Result<ContestantPtr> our_finalize(const std::string& dlc, const RaceOptions& options) {
  OPENQNN_ASSIGN(Opened model, open_model(dlc, options));
  return ContestantPtr(std::make_unique<Finalize>(std::move(model)));
}

Result<ContestantPtr> our_load(const std::string& dlc, const RaceOptions& options) {
  OPENQNN_ASSIGN(Opened model, open_model(dlc, options));
  OPENQNN_TRY(write_binary(model, dlc));
  return ContestantPtr(std::make_unique<Load>(std::move(model), binary_path(dlc)));
}

Result<ContestantPtr> mapping(const std::string& dlc, const RaceOptions& options) {
  OPENQNN_ASSIGN(Opened model, open_model(dlc, options));
  OPENQNN_TRY(write_binary(model, dlc));
  return ContestantPtr(std::make_unique<Mapping>(binary_path(dlc)));
}

}  // namespace openqnn::bench
