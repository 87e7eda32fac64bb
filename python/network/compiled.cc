// SPDX-License-Identifier: BSD-3-Clause
#include "network/compiled.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "api/model_facts.h"
#include "base/files.h"
#include "base/text.h"
#include "config/check.h"
#include "config/read.h"
#include "config/soc_details.h"
#include "network/log_warnings.h"
#include "program/context_binary.h"
#include "tools/console.h"
#include "tools/qnn/client.h"

namespace openqnn::python {
namespace {

namespace fs = std::filesystem;
using tools::IoTensor;
using tools::RunnableGraph;

Status check_graph_names(const BackendOptions& options, const std::vector<RunnableGraph>& graphs) {
  const std::vector<std::string> known = tools::names_of(graphs);
  for (const std::string& name : options.graph_names()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return invalid("config-graph",
                   concat("a graph config is for '", name, "', but no model has such a graph"))
        .at("graph_custom_configs")
        .fix_by(concat("the graphs are: ", tools::joined(known)));
  }
  return {};
}

Status compose_each(const std::vector<std::shared_ptr<const Network>>& networks,
                    const tools::Session& session, const tools::ComposeWatch& watch,
                    const BackendOptions* options) {
  for (const auto& network : networks) {
    for (size_t i = 0; i < network->graphs().size(); ++i) {
      OPENQNN_ASSIGN(const frontend::DlcGraph graph, network->own_graph(i));
      const QnnGraph_Config_t** const configs =
          options == nullptr ? nullptr : options->graph_configs(graph.graph.name());
      OPENQNN_TRY(tools::compose({watch.table(), session.backend(), session.context(), configs}, graph.graph,
                                 api::facts_of(graph)));
    }
  }
  return {};
}

// Tells all graphs to the backend; answers them in order, with their handles.
Result<std::vector<RunnableGraph>> compose_all(const std::vector<std::shared_ptr<const Network>>& networks,
                                               const tools::Session& session,
                                               const tools::ComposeWishes& wishes,
                                               const BackendOptions* options) {
  const tools::ComposeWatch watch(session.api(), wishes);
  return watch.finish(compose_each(networks, session, watch, options));
}

// A binary has the names of its tensors alone; the models know what their files call them.
void take_sources(const std::vector<std::shared_ptr<const Network>>& networks,
                  std::vector<RunnableGraph>& graphs) {
  std::map<std::pair<std::string, std::string>, std::string> sources;  // by graph and tensor
  for (const auto& network : networks)
    for (const frontend::DlcGraph& graph : network->graphs())
      for (const frontend::Trace::Tensor& tensor : graph.trace.tensors)
        sources[{graph.graph.name(), tensor.name}] = tensor.source;
  for (RunnableGraph& graph : graphs)
    for (std::vector<IoTensor>* const tensors : {&graph.inputs, &graph.outputs})
      for (IoTensor& io : *tensors)
        if (const auto found = sources.find({graph.name, io.tensor.name}); found != sources.end())
          io.source = found->second;
}

// What the data-format file asks for, checked for the part that is compiled for.
Result<tools::FormatWishes> wished_formats(const CompileSettings& settings, Told& told) {
  config::Part part;
  part.soc = config::soc_of_model(settings.device.soc_model);
  if (!settings.extensions_file.empty()) {
    const config::Document options = config::read_file(settings.extensions_file, config::Kind::kHtp);
    if (options.config) {
      const config::Part named = config::Subject({&*options.config}, {}).part;
      if (named.soc != nullptr) part = named;
    }
  }
  return tools::read_data_formats(
      settings.data_formats_file, part, [&](Severity severity, const std::string& line) {
        (severity == Severity::kWarning ? told.warnings : told.notes).push_back(line);
      });
}

Status register_packages(const tools::Session& session, const std::vector<config::OpPackage>& packages) {
  for (const config::OpPackage& package : packages)
    OPENQNN_TRY(session.library().check(
        session.api().backendRegisterOpPackage(session.backend(), package.path.c_str(),
                                               package.provider.c_str(),
                                               package.target.empty() ? nullptr : package.target.c_str()),
        concat("QnnBackend_registerOpPackage for '", config::to_string(package), "'")));
  return {};
}

Status describe_tensors(const std::vector<IoTensor>& tensors,
                        std::vector<tools::DescribedTensor>& described) {
  described.resize(tensors.size());  // at once: they must not move
  for (size_t i = 0; i < tensors.size(); ++i) {
    OPENQNN_TRY(tools::describe(tensors[i].tensor, described[i]));
    described[i].tensor.v1.id = tensors[i].id;
    if (ir::plain_bytes(tensors[i].tensor.desc) > std::numeric_limits<uint32_t>::max())
      return unsupported("tensor-size", "it has 4 GiB or more, which the C API cannot count")
          .at(concat("tensor '", tensors[i].tensor.name, "'"));
  }
  return {};
}

// The C API says only that it is none.
Diagnostic why_no_binary(std::span<const std::byte> bytes, const fs::path& path, const Diagnostic& answered) {
  const auto read = program::read_context_binary(bytes, nullptr, program::DataCheck::kUnused);
  Diagnostic reason = read ? answered : read.error();
  if (reason.where.empty()) reason.where = {path.string()};
  return reason;
}

// The tensors of an execute, with the memory of this one.
template <class Bytes>
Result<std::vector<Qnn_Tensor_t>> with_memory(const std::vector<tools::DescribedTensor>& described,
                                              const std::vector<IoTensor>& tensors,
                                              std::span<const Bytes> memory) {
  if (memory.size() != described.size())
    return internal("run-tensors", "there are more or fewer buffers than tensors");
  std::vector<Qnn_Tensor_t> made;
  for (size_t i = 0; i < described.size(); ++i) {
    if (memory[i].size() != ir::plain_bytes(tensors[i].tensor.desc))
      return internal("run-buffer", "a buffer is not as large as its tensor")
          .at(concat("tensor '", tensors[i].tensor.name, "'"));
    Qnn_Tensor_t tensor = described[i].tensor;
    tensor.v1.memType = QNN_TENSORMEMTYPE_RAW;
    tensor.v1.clientBuf = {const_cast<std::byte*>(memory[i].data()), static_cast<uint32_t>(memory[i].size())};
    made.push_back(tensor);
  }
  return made;
}

}  // namespace

Result<std::shared_ptr<const CompiledNetwork>> CompiledNetwork::compile(
    const std::vector<std::shared_ptr<const Network>>& networks, const CompileSettings& settings) {
  OPENQNN_ASSIGN(auto library, open_backend());
  std::shared_ptr<CompiledNetwork> made(new CompiledNetwork);
  const LogWarnings heard;
  tools::SessionOptions session_options{.device = settings.device};
  // The log has no place of its own where nobody asked for it: its warnings are kept.
  if (settings.log_level != 0) session_options.log_level = settings.log_level;
  session_options.log = settings.log_level == 0 ? LogWarnings::keep : LogWarnings::keep_and_print;
  if (!settings.extensions_file.empty()) {
    OPENQNN_ASSIGN(made->options_, BackendOptions::read(*library, settings.extensions_file));
    session_options.backend_configs = made->options_->backend_configs();
    session_options.device_configs = made->options_->device_configs();
    made->told_.warnings = made->options_->warnings();
  }
  tools::ComposeWishes wishes = settings.wishes;
  if (!settings.data_formats_file.empty()) {
    OPENQNN_ASSIGN(wishes.formats, wished_formats(settings, made->told_));
  }
  const BackendOptions* const options = made->options_.get();
  OPENQNN_ASSIGN(made->session_, tools::Session::open(library, session_options));
  tools::Session& session = *made->session_;
  OPENQNN_TRY(register_packages(session, settings.op_packages));
  OPENQNN_TRY(session.create_context(options == nullptr ? nullptr : options->context_configs()));
  OPENQNN_ASSIGN(const std::vector<RunnableGraph> graphs, compose_all(networks, session, wishes, options));
  if (options != nullptr) OPENQNN_TRY(check_graph_names(*options, graphs));
  for (const RunnableGraph& graph : graphs)
    OPENQNN_TRY(session.library().check(session.api().graphFinalize(graph.handle, nullptr, nullptr),
                                        concat("QnnGraph_finalize for '", graph.name, "'")));
  OPENQNN_ASSIGN(std::vector<std::byte> binary, session.binary());
  session.free_context();
  OPENQNN_TRY(made->start(Blob::of(std::move(binary))));
  take_sources(networks, made->graphs_);
  std::vector<std::string>& warnings = made->told_.warnings;
  warnings.insert(warnings.end(), heard.lines().begin(), heard.lines().end());
  return std::shared_ptr<const CompiledNetwork>(std::move(made));
}

Result<std::shared_ptr<const CompiledNetwork>> CompiledNetwork::load(const fs::path& path) {
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  OPENQNN_ASSIGN(auto library, open_backend());
  tools::SessionOptions options;
  {
    const auto info = tools::BinaryInfo::read(*library, file->bytes());
    if (!info) return why_no_binary(file->bytes(), path, info.error());
    options.device = tools::part_to_play(*info);
  }
  std::shared_ptr<CompiledNetwork> made(new CompiledNetwork);
  OPENQNN_ASSIGN(made->session_, tools::Session::open(library, options));
  OPENQNN_TRY(made->start(Blob::in_file(file->bytes(), file)));
  return std::shared_ptr<const CompiledNetwork>(std::move(made));
}

Status CompiledNetwork::start(Blob binary) {
  binary_ = std::move(binary);
  OPENQNN_TRY(session_->load_context(binary_.bytes()));
  OPENQNN_TRY(describe_graphs());
  tensors_.resize(graphs_.size());
  for (size_t i = 0; i < graphs_.size(); ++i) {
    OPENQNN_ASSIGN(graphs_[i].handle, session_->retrieve(graphs_[i].name));
    OPENQNN_TRY(describe_tensors(graphs_[i].inputs, tensors_[i].inputs));
    OPENQNN_TRY(describe_tensors(graphs_[i].outputs, tensors_[i].outputs));
  }
  return {};
}

Status CompiledNetwork::describe_graphs() {
  OPENQNN_ASSIGN(const tools::BinaryInfo info, tools::BinaryInfo::read(session_->library(), binary_.bytes()));
  OPENQNN_ASSIGN(graphs_, tools::graphs_in(info));
  return {};
}

Status CompiledNetwork::save(const fs::path& path) const { return write_file(path, binary_.bytes()); }

Status CompiledNetwork::execute(size_t graph, std::span<const std::span<const std::byte>> inputs,
                                std::span<const std::span<std::byte>> outputs) const {
  const RunnableGraph& runnable = graphs_.at(graph);
  OPENQNN_ASSIGN(const std::vector<Qnn_Tensor_t> given,
                 with_memory(tensors_[graph].inputs, runnable.inputs, inputs));
  OPENQNN_ASSIGN(std::vector<Qnn_Tensor_t> wanted,
                 with_memory(tensors_[graph].outputs, runnable.outputs, outputs));
  return session_->execute(runnable.handle, given, wanted);
}

}  // namespace openqnn::python
