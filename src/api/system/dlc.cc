// SPDX-License-Identifier: BSD-3-Clause
// System/QnnSystemDlc.h: .dlc files of openqnn. Their records are not offered one by one (unsupported.cc).
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "System/QnnSystemDlc.h"
#include "api/answer.h"
#include "api/model_facts.h"
#include "api/system/dlc_info.h"
#include "base/files.h"
#include "base/text.h"

namespace openqnn::api {
namespace {

constexpr Qnn_ErrorHandle_t kBadArgument = QNN_SYSTEM_DLC_ERROR_INVALID_ARGUMENT;
constexpr Qnn_ErrorHandle_t kFailed = QNN_SYSTEM_DLC_ERROR_OPERATION_FAILED;
constexpr Qnn_ErrorHandle_t kMalformed = QNN_SYSTEM_DLC_ERROR_MALFORMED_BINARY;

// What it tells lives as long as its handle.
class SystemDlc : public runtime::Object {
 public:
  static constexpr runtime::Kind kKind = runtime::Kind::kSystemDlc;
  static constexpr const char* kName = "DLC";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_SYSTEM_DLC_ERROR_INVALID_HANDLE;

  SystemDlc(Blob bytes, frontend::Dlc dlc)
      : bytes_(std::move(bytes)), dlc_(std::move(dlc)), mappings_(dlc_) {}

  std::span<const std::byte> bytes() const { return bytes_.bytes(); }
  const frontend::Dlc& dlc() const { return dlc_; }
  const std::vector<Qnn_OpMapping_t>& mappings() const { return mappings_.all(); }

  void keep(std::unique_ptr<const ComposedInfo> info) {
    const std::lock_guard lock(mutex_);
    infos_.push_back(std::move(info));
  }

 private:
  const Blob bytes_;
  const frontend::Dlc dlc_;
  const OpMappings mappings_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<const ComposedInfo>> infos_;
};

// ---- Opening ----

// No temporary files are made, so that a destination directory changes nothing: the format is used in place.
Outcome<> open_file(Qnn_LogHandle_t logger, const char* path, QnnSystemDlc_Handle_t* handle) {
  OPENQNN_TRY(find_optional<runtime::Log>(logger, kBadArgument));
  if (!path) return null_argument(kBadArgument, "dlcPath");
  if (!handle) return null_argument(kBadArgument, "dlcHandle");
  OPENQNN_ASSIGN_AS(auto file, kFailed, MappedFile::open(path));
  OPENQNN_ASSIGN_AS(frontend::Dlc dlc, kMalformed, frontend::read_dlc(std::filesystem::path(path)));
  OPENQNN_ASSIGN(*handle,
                 publish(std::make_unique<SystemDlc>(Blob::in_file(file->bytes(), file), std::move(dlc))));
  return {};
}

// The client's buffer may go when this returns: it is copied.
Outcome<> open_buffer(Qnn_LogHandle_t logger, const uint8_t* buffer, uint64_t size,
                      QnnSystemDlc_Handle_t* handle) {
  OPENQNN_TRY(find_optional<runtime::Log>(logger, kBadArgument));
  if (!buffer) return null_argument(kBadArgument, "buffer");
  if (!handle) return null_argument(kBadArgument, "dlcHandle");
  const auto* const bytes = reinterpret_cast<const std::byte*>(buffer);
  OPENQNN_ASSIGN_AS(frontend::Dlc dlc, kMalformed, frontend::read_dlc(std::span(bytes, size), "the buffer"));
  OPENQNN_ASSIGN(*handle, publish(std::make_unique<SystemDlc>(
                              Blob::of(std::vector<std::byte>(bytes, bytes + size)), std::move(dlc))));
  return {};
}

// ---- Composing ----

ApiError wrong(std::string message, std::string fix) {
  return {kBadArgument, invalid("dlc-argument", std::move(message)).fix_by(std::move(fix))};
}

// The options of each graph as the C API takes them: a list that ends with null.
using ConfigLists = std::map<std::string, std::vector<const QnnGraph_Config_t*>, std::less<>>;

Outcome<> take_configs(const QnnSystemDlc_GraphConfigInfo_t& info, const frontend::Dlc& dlc,
                       ConfigLists& lists) {
  if (number_of(info.version) != QNN_SYSTEM_DLC_GRAPH_CONFIG_INFO_VERSION_1)
    return wrong(concat("a graph config info has the version ", number_of(info.version)), "use version 1");
  if (!info.v1.graphName) return null_argument(kBadArgument, "graphName");
  if (!info.v1.graphConfigs && info.v1.numConfigs != 0) return null_argument(kBadArgument, "graphConfigs");
  const std::string name = info.v1.graphName;
  if (std::none_of(dlc.graphs.begin(), dlc.graphs.end(),
                   [&](const frontend::DlcGraph& graph) { return graph.graph.name() == name; }))
    return wrong(concat("a graph config info is for '", name, "', which the DLC does not have"),
                 "name one of its graphs");
  if (lists.contains(name))
    return wrong(concat("two graph config infos are for '", name, "'"), "give one with all options");
  std::vector<const QnnGraph_Config_t*>& list = lists[name];
  for (uint32_t i = 0; i < info.v1.numConfigs; ++i) {
    if (!info.v1.graphConfigs[i]) return null_argument(kBadArgument, "graphConfigs[i]");
    list.push_back(info.v1.graphConfigs[i]);
  }
  list.push_back(nullptr);
  return {};
}

Outcome<ConfigLists> configs_from(const QnnSystemDlc_GraphConfigInfo_t** infos, uint32_t count,
                                  const frontend::Dlc& dlc) {
  if (!infos && count != 0) return null_argument(kBadArgument, "graphConfigs");
  ConfigLists lists;
  for (uint32_t i = 0; i < count; ++i) {
    if (!infos[i]) return null_argument(kBadArgument, "graphConfigs[i]");
    OPENQNN_TRY(take_configs(*infos[i], dlc, lists));
  }
  return lists;
}

Outcome<> check_table(const QnnInterface_t& backend) {
  if (backend.apiVersion.coreApiVersion.major != QNN_API_VERSION_MAJOR)
    return wrong(concat("backendInterface is of version ", backend.apiVersion.coreApiVersion.major),
                 concat("pass a provider of version ", QNN_API_VERSION_MAJOR));
  const QnnInterface_ImplementationV2_39_t& api =
      backend.v2_39;  // older tables begin with the same functions
  if (!api.graphCreate || !api.tensorCreateGraphTensor || !api.backendValidateOpConfig || !api.graphAddNode)
    return wrong("backendInterface lacks functions that make graphs",
                 "pass the provider as the backend gives it");
  return {};
}

Outcome<std::unique_ptr<const ComposedInfo>> compose_graphs(const SystemDlc& dlc, ComposeTarget target,
                                                            ConfigLists& configs, uint32_t version) {
  auto info = std::make_unique<ComposedInfo>(InfoFormat::of(client_sdk()));
  for (const frontend::DlcGraph& graph : dlc.dlc().graphs) {
    const auto own = configs.find(graph.graph.name());
    target.configs = own == configs.end() ? nullptr : own->second.data();
    OPENQNN_ASSIGN_AS(const ComposedGraph composed, kFailed, compose(target, graph.graph, facts_of(graph)));
    OPENQNN_TRY_AS(kFailed, info->add(graph.graph, composed, version));
  }
  return std::unique_ptr<const ComposedInfo>(std::move(info));
}

}  // namespace
}  // namespace openqnn::api

using namespace openqnn;       // NOLINT: the C API has no namespace of its own
using namespace openqnn::api;  // NOLINT

Qnn_ErrorHandle_t QnnSystemDlc_createFromFile(Qnn_LogHandle_t logger, const char* dlcPath,
                                              QnnSystemDlc_Handle_t* dlcHandle) {
  return answer("QnnSystemDlc_createFromFile", [&] { return open_file(logger, dlcPath, dlcHandle); });
}

Qnn_ErrorHandle_t QnnSystemDlc_createFromFileWithDestinationDir(Qnn_LogHandle_t logger, const char* dlcPath,
                                                                const char* /*destinationDirectoryHint*/,
                                                                QnnSystemDlc_Handle_t* dlcHandle) {
  return answer("QnnSystemDlc_createFromFileWithDestinationDir",
                [&] { return open_file(logger, dlcPath, dlcHandle); });
}

Qnn_ErrorHandle_t QnnSystemDlc_createFromBinary(Qnn_LogHandle_t logger, const uint8_t* buffer,
                                                const Qnn_ContextBinarySize_t bufferSize,
                                                QnnSystemDlc_Handle_t* dlcHandle) {
  return answer("QnnSystemDlc_createFromBinary",
                [&] { return open_buffer(logger, buffer, bufferSize, dlcHandle); });
}

Qnn_ErrorHandle_t QnnSystemDlc_createFromBinaryWithDestinationDir(Qnn_LogHandle_t logger,
                                                                  const uint8_t* buffer,
                                                                  const Qnn_ContextBinarySize_t bufferSize,
                                                                  const char* /*destinationDirectoryHint*/,
                                                                  QnnSystemDlc_Handle_t* dlcHandle) {
  return answer("QnnSystemDlc_createFromBinaryWithDestinationDir",
                [&] { return open_buffer(logger, buffer, bufferSize, dlcHandle); });
}

Qnn_ErrorHandle_t QnnSystemDlc_composeGraphs(QnnSystemDlc_Handle_t dlcHandle,
                                             const QnnSystemDlc_GraphConfigInfo_t** graphConfigs,
                                             const uint32_t numGraphConfigs, Qnn_BackendHandle_t backend,
                                             Qnn_ContextHandle_t context, QnnInterface_t backendInterface,
                                             QnnSystemContext_GraphInfoVersion_t graphVersion,
                                             QnnSystemContext_GraphInfo_t** graphs, uint32_t* numGraphs) {
  return answer("QnnSystemDlc_composeGraphs", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto dlc, find<SystemDlc>(dlcHandle));
    if (!graphs) return null_argument(kBadArgument, "graphs");
    if (!numGraphs) return null_argument(kBadArgument, "numGraphs");
    const uint32_t version = number_of(graphVersion);
    if (version < QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_1 ||
        version > QNN_SYSTEM_CONTEXT_GRAPH_INFO_VERSION_3)
      return wrong(concat("graphVersion is ", version), "versions 1 to 3 are known");
    OPENQNN_ASSIGN(ConfigLists configs, configs_from(graphConfigs, numGraphConfigs, dlc->dlc()));
    OPENQNN_TRY(check_table(backendInterface));
    OPENQNN_ASSIGN(auto info,
                   compose_graphs(*dlc, {backendInterface.v2_39, backend, context}, configs, version));
    QnnSystemContext_GraphInfo_t* const list = info->list();
    if (!list) throw std::bad_alloc();
    *graphs = list;
    *numGraphs = info->count();
    dlc->keep(std::move(info));
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemDlc_getOpMappings(QnnSystemDlc_Handle_t dlcHandle,
                                             const Qnn_OpMapping_t** opMappings, uint32_t* numOpMappings) {
  return answer("QnnSystemDlc_getOpMappings", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto dlc, find<SystemDlc>(dlcHandle));
    if (!opMappings) return null_argument(kBadArgument, "opMappings");
    if (!numOpMappings) return null_argument(kBadArgument, "numOpMappings");
    *opMappings = dlc->mappings().data();
    *numOpMappings = static_cast<uint32_t>(dlc->mappings().size());
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemDlc_save(QnnSystemDlc_Handle_t dlcHandle, const char* path) {
  return answer("QnnSystemDlc_save", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto dlc, find<SystemDlc>(dlcHandle));
    if (!path) return null_argument(kBadArgument, "path");
    OPENQNN_TRY_AS(kFailed, write_file(path, dlc->bytes()));
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemDlc_getBinarySize(QnnSystemDlc_Handle_t dlcHandle,
                                             Qnn_SystemDlcBinarySize_t* binaryBufferSize) {
  return answer("QnnSystemDlc_getBinarySize", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto dlc, find<SystemDlc>(dlcHandle));
    if (!binaryBufferSize) return null_argument(kBadArgument, "binaryBufferSize");
    *binaryBufferSize = dlc->bytes().size();
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemDlc_getBinary(QnnSystemDlc_Handle_t dlcHandle, uint8_t* binaryBuffer,
                                         Qnn_SystemDlcBinarySize_t binaryBufferSize,
                                         Qnn_SystemDlcBinarySize_t* writtenBufferSize) {
  return answer("QnnSystemDlc_getBinary", [&]() -> Outcome<> {
    OPENQNN_ASSIGN(const auto dlc, find<SystemDlc>(dlcHandle));
    if (!binaryBuffer) return null_argument(kBadArgument, "binaryBuffer");
    if (!writtenBufferSize) return null_argument(kBadArgument, "writtenBufferSize");
    const auto bytes = dlc->bytes();
    if (binaryBufferSize < bytes.size())
      return wrong(concat("the buffer has ", binaryBufferSize, " bytes; the DLC has ", bytes.size()),
                   "ask QnnSystemDlc_getBinarySize");
    std::memcpy(binaryBuffer, bytes.data(), bytes.size());
    *writtenBufferSize = bytes.size();
    return {};
  });
}

Qnn_ErrorHandle_t QnnSystemDlc_free(QnnSystemDlc_Handle_t dlcHandle) {
  return answer("QnnSystemDlc_free", [&] { return free_handle<SystemDlc>(dlcHandle); });
}
