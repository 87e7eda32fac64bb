// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/client.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <utility>

#include "base/text.h"
#include "config/op_packages.h"
#include "tools/qnn/tool.h"
#include "tools/session.h"

namespace openqnn::tools {
namespace {

// Lines of the backend carry its mark: "QnnDsp <E> text".
void print_backend_line(const char* format, QnnLog_Level_t level, uint64_t /*timestamp*/, va_list arguments) {
  std::array<char, 4096> text = {};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  constexpr std::string_view kMarks = "?EWIVD";
  const auto at = static_cast<size_t>(level);
  log_line(level, concat("QnnDsp <", kMarks[at < kMarks.size() ? at : 0], "> ", text.data()));
}

// An error of the backend is the answer of a call, too, and told as that: twice is for those who ask for a
// log.
void print_backend_warning(const char* format, QnnLog_Level_t level, uint64_t timestamp, va_list arguments) {
  if (level != QNN_LOG_LEVEL_ERROR) print_backend_line(format, level, timestamp, arguments);
}

Result<RunnableGraph> graph_from(const QnnSystemContext_GraphInfo_t& info) {
  const QnnSystemContext_GraphInfoV1_t& graph = info.graphInfoV1;  // what all versions begin with
  RunnableGraph made;
  made.name = graph.graphName;
  for (uint32_t i = 0; i < graph.numGraphInputs; ++i) {
    OPENQNN_ASSIGN(made.inputs.emplace_back(), io_tensor(graph.graphInputs[i]));
  }
  for (uint32_t i = 0; i < graph.numGraphOutputs; ++i) {
    OPENQNN_ASSIGN(made.outputs.emplace_back(), io_tensor(graph.graphOutputs[i]));
  }
  return made;
}

}  // namespace

std::vector<OptionSpec> backend_options() {
  return {
      {"--backend", "FILE",
       "the backend library, e.g. libQnnHtp.so: a path, or a name that is looked for in\n"
       "LD_LIBRARY_PATH and beside this program (required)"},
      {"--op_packages", "PATH:PROVIDER[:TARGET],...", "op packages to register; TARGET is CPU or HTP"},
  };
}

Result<ClientOptions> client_options(const Args& args) {
  if (!args.has("--backend"))
    return invalid("option-missing", "--backend is required").fix_by("name the backend, e.g. libQnnHtp.so");
  ClientOptions options;
  options.backend = args.get("--backend");
  options.op_packages = args.get("--op_packages");
  OPENQNN_ASSIGN(options.log_level, log_level_of(args));
  return options;
}

Result<std::unique_ptr<Client>> Client::open(const ClientOptions& options,
                                             std::span<const std::byte> binary) {
  OPENQNN_ASSIGN(auto library, BackendLibrary::open(options.backend));
  if (options.extension != nullptr) OPENQNN_TRY(options.extension->check_backend(*library));
  std::unique_ptr<Client> client(new Client(std::move(library)));
  OPENQNN_TRY(client->start(options, binary));
  return client;
}

Status Client::start(const ClientOptions& options, std::span<const std::byte> binary) {
  OPENQNN_TRY(check(api().logCreate(options.log_level ? print_backend_line : print_backend_warning,
                                    options.log_level.value_or(QNN_LOG_LEVEL_WARN), &log_),
                    "QnnLog_create"));
  const QnnBackend_Config_t** const configs =
      options.extension == nullptr ? nullptr : options.extension->backend_configs();
  OPENQNN_TRY(check(api().backendCreate(log_, configs, &backend_), "QnnBackend_create"));
  OPENQNN_TRY(register_op_packages(options.op_packages));
  return create_device(options.extension, binary);
}

Status Client::create_device(const Extension* extension, std::span<const std::byte> binary) {
  DeviceChoice choice;
  if (!binary.empty()) {
    const auto info = BinaryInfo::read(*library_, binary);  // a bad binary is told when it is loaded
    if (info) choice = part_to_play(*info);
  }
  HtpDeviceOptions options;
  add_choice(choice, options);
  if (extension != nullptr) options.append(extension->device_configs());
  return check(api().deviceCreate(log_, options.list(), &device_), "QnnDevice_create");
}

Status Client::register_op_packages(const std::string& given) {
  if (given.empty()) return {};
  OPENQNN_ASSIGN(const auto packages, config::parse_op_packages(given));
  for (const config::OpPackage& package : packages)
    OPENQNN_TRY(
        check(api().backendRegisterOpPackage(backend_, package.path.c_str(), package.provider.c_str(),
                                             package.target.empty() ? nullptr : package.target.c_str()),
              concat("QnnBackend_registerOpPackage for '", config::to_string(package), "'")));
  return {};
}

Client::~Client() {
  if (context_ != nullptr) api().contextFree(context_, nullptr);
  if (device_ != nullptr) api().deviceFree(device_);
  if (backend_ != nullptr) api().backendFree(backend_);
  if (log_ != nullptr) api().logFree(log_);
}

Status Client::create_context(const QnnContext_Config_t** configs) {
  return check(api().contextCreate(backend_, device_, configs, &context_), "QnnContext_create");
}

Status Client::validate_binary(const QnnContext_Config_t** configs, std::span<const std::byte> binary) {
  return check(api().contextValidateBinary(backend_, device_, configs, binary.data(), binary.size()),
               "QnnContext_validateBinary");
}

Status Client::load_context(const QnnContext_Config_t** configs, std::span<const std::byte> binary,
                            Qnn_ProfileHandle_t profile) {
  return check(api().contextCreateFromBinary(backend_, device_, configs, binary.data(), binary.size(),
                                             &context_, profile),
               "QnnContext_createFromBinary");
}

Status Client::free_context(Qnn_ProfileHandle_t profile) {
  if (context_ == nullptr) return {};
  return check(api().contextFree(std::exchange(context_, nullptr), profile), "QnnContext_free");
}

Result<std::vector<RunnableGraph>> Client::graphs_of(std::span<const std::byte> binary) const {
  OPENQNN_ASSIGN(const BinaryInfo info, BinaryInfo::read(*library_, binary));
  return graphs_in(info);
}

Result<Qnn_GraphHandle_t> Client::retrieve(const std::string& graph) const {
  Qnn_GraphHandle_t handle = nullptr;
  OPENQNN_TRY(check(api().graphRetrieve(context_, graph.c_str(), &handle),
                    concat("QnnGraph_retrieve for '", graph, "'")));
  return handle;
}

Result<std::vector<RunnableGraph>> graphs_in(const BinaryInfo& binary) {
  std::vector<RunnableGraph> graphs;
  for (const QnnSystemContext_GraphInfo_t& graph : binary.graphs()) {
    OPENQNN_ASSIGN(graphs.emplace_back(), graph_from(graph));
  }
  return graphs;
}

}  // namespace openqnn::tools
