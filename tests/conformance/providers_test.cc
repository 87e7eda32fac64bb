// SPDX-License-Identifier: BSD-3-Clause
// Loading: providers, versions, tables without holes, exported symbols.
#include <gmock/gmock.h>

#include <cstring>
#include <sstream>

#include "HTP/QnnHtpCommon.h"
#include "client.h"

namespace conformance {
namespace {

// The exported function of each slot, in the table's order; the last three have no public name.
constexpr const char* kCoreFunctions[] = {
    "QnnProperty_hasCapability",
    "QnnBackend_create",
    "QnnBackend_setConfig",
    "QnnBackend_getApiVersion",
    "QnnBackend_getBuildId",
    "QnnBackend_registerOpPackage",
    "QnnBackend_getSupportedOperations",
    "QnnBackend_validateOpConfig",
    "QnnBackend_free",
    "QnnContext_create",
    "QnnContext_setConfig",
    "QnnContext_getBinarySize",
    "QnnContext_getBinary",
    "QnnContext_createFromBinary",
    "QnnContext_free",
    "QnnGraph_create",
    "QnnGraph_createSubgraph",
    "QnnGraph_setConfig",
    "QnnGraph_addNode",
    "QnnGraph_finalize",
    "QnnGraph_retrieve",
    "QnnGraph_execute",
    "QnnGraph_executeAsync",
    "QnnTensor_createContextTensor",
    "QnnTensor_createGraphTensor",
    "QnnLog_create",
    "QnnLog_setLogLevel",
    "QnnLog_free",
    "QnnProfile_create",
    "QnnProfile_setConfig",
    "QnnProfile_getEvents",
    "QnnProfile_getSubEvents",
    "QnnProfile_getEventData",
    "QnnProfile_getExtendedEventData",
    "QnnProfile_free",
    "QnnMem_register",
    "QnnMem_deRegister",
    "QnnDevice_getPlatformInfo",
    "QnnDevice_freePlatformInfo",
    "QnnDevice_getInfrastructure",
    "QnnDevice_create",
    "QnnDevice_setConfig",
    "QnnDevice_getInfo",
    "QnnDevice_free",
    "QnnSignal_create",
    "QnnSignal_setConfig",
    "QnnSignal_trigger",
    "QnnSignal_free",
    "QnnError_getMessage",
    "QnnError_getVerboseMessage",
    "QnnError_freeVerboseMessage",
    "QnnGraph_prepareExecutionEnvironment",
    "QnnGraph_releaseExecutionEnvironment",
    "QnnGraph_getProperty",
    "QnnContext_validateBinary",
    "QnnContext_createFromBinaryWithSignal",
    "QnnContext_createFromBinaryListAsync",
    "QnnTensor_updateGraphTensors",
    "QnnTensor_updateContextTensors",
    "QnnContext_getBinarySectionSize",
    "QnnContext_getBinarySection",
    "QnnContext_applyBinarySection",
    "QnnBackend_getProperty",
    "QnnContext_getProperty",
    "QnnContext_getIncrementalBinary",
    "QnnContext_releaseIncrementalBinary",
    "QnnContext_finalize",
    "QnnGlobalConfig_Set",
    "QnnContext_createFromBinaryWithCallback",
    "QnnContext_getBinarySectionUpdate",
    "QnnContext_freeBinarySectionUpdate",
    "QnnContext_addToDlc",
};

// Likewise of the System table; its slots from 27 on have no public name.
constexpr const char* kSystemFunctions[] = {
    "QnnSystemContext_create",
    "QnnSystemContext_getBinaryInfo",
    "QnnSystemContext_getMetadata",
    "QnnSystemContext_free",
    "QnnSystemTensor_getMemoryFootprint",
    "QnnSystemLog_create",
    "QnnSystemLog_setLogLevel",
    "QnnSystemLog_free",
    "QnnSystemDlc_createFromFile",
    "QnnSystemDlc_createFromBinary",
    "QnnSystemDlc_composeGraphs",
    "QnnSystemDlc_getOpMappings",
    "QnnSystemDlc_free",
    "QnnSystemProfile_createSerializationTarget",
    "QnnSystemProfile_serializeEventData",
    "QnnSystemProfile_freeSerializationTarget",
    "QnnSystemDlc_getRecordByName",
    "QnnSystemDlc_getRecordsByType",
    "QnnSystemDlc_getRecordDataSize",
    "QnnSystemDlc_readRecordDataMemoryMapped",
    "QnnSystemDlc_freeRecord",
    "QnnSystemDlc_save",
    "QnnSystemDlc_createFromFileWithDestinationDir",
    "QnnSystemDlc_createFromBinaryWithDestinationDir",
    "QnnSystemDlc_getBinarySize",
    "QnnSystemDlc_getBinary",
    "QnnSystemDlc_createWithDestinationDir",
};

// A table as an array of pointers.
template <class Table>
std::vector<const void*> slots(const Table& table) {
  static_assert(sizeof(Table) % sizeof(void*) == 0);
  std::vector<const void*> pointers(sizeof(Table) / sizeof(void*));
  std::memcpy(pointers.data(), &table, sizeof table);
  return pointers;
}

// The rule by which clients take a provider: the same major version, and a minor that is not older.
bool client_takes(const Qnn_Version_t& offered, uint32_t major, uint32_t minor) {
  return offered.major == major && offered.minor >= minor;
}

// feature: B1 (C API)
TEST(Providers, BackendIsHtpOfCoreApi239) {
  const BackendLibrary library;
  EXPECT_EQ(library.provider.backendId, QNN_BACKEND_ID_HTP);
  EXPECT_EQ(library.provider.backendId, 6U);
  EXPECT_STREQ(library.provider.providerName, QNN_HTP_INTERFACE_PROVIDER_NAME);
  const Qnn_Version_t& core = library.provider.apiVersion.coreApiVersion;
  EXPECT_EQ(core.major, 2U);
  EXPECT_EQ(core.minor, 39U);
  for (uint32_t minor = 18; minor <= 39; ++minor) EXPECT_TRUE(client_takes(core, 2, minor)) << minor;
}

// feature: B1 (C API)
TEST(Providers, HtpApiIs5390) {
  const BackendLibrary library;
  const auto is_5_39_0 = [](const Qnn_Version_t& version) {
    return version.major == 5 && version.minor == 39 && version.patch == 0;
  };
  EXPECT_TRUE(is_5_39_0(library.provider.apiVersion.backendApiVersion));

  Qnn_ApiVersion_t version = QNN_API_VERSION_INIT;
  ASSERT_EQ(library.api().backendGetApiVersion(&version), QNN_SUCCESS);
  EXPECT_TRUE(is_5_39_0(version.backendApiVersion));
  EXPECT_EQ(version.coreApiVersion.minor, library.provider.apiVersion.coreApiVersion.minor);
  EXPECT_TRUE(refused(library.api(), library.api().backendGetApiVersion(nullptr),
                      QNN_BACKEND_ERROR_INVALID_ARGUMENT));
}

// feature: B1 (C API)
TEST(Providers, SystemIsOfApi114) {
  const SystemLibrary library;
  EXPECT_STREQ(library.provider.providerName, QNN_SYSTEM_INTERFACE_PROVIDER_NAME);
  // Recent clients want 1.7 or newer.
  for (const uint32_t minor : {7U, 12U, 14U})
    EXPECT_TRUE(client_takes(library.provider.systemApiVersion, 1, minor)) << minor;
}

// feature: B1 (C API)
TEST(Providers, NoSlotIsNull) {
  const BackendLibrary backend;
  const auto core = slots(backend.api());
  EXPECT_EQ(core.size(), 75U);
  for (size_t i = 0; i < core.size(); ++i) EXPECT_NE(core[i], nullptr) << "core slot " << i;

  const SystemLibrary system;
  const auto functions = slots(system.api());
  EXPECT_EQ(functions.size(), 89U);
  for (size_t i = 0; i < functions.size(); ++i) EXPECT_NE(functions[i], nullptr) << "System slot " << i;
}

// feature: B1 (C API)
TEST(Providers, EveryFunctionIsAlsoASymbol) {
  static_assert(std::size(kCoreFunctions) == 72 && std::size(kSystemFunctions) == 27);
  const BackendLibrary backend;
  for (const char* name : kCoreFunctions) EXPECT_NE(backend.object.find(name), nullptr) << name;
  const SystemLibrary system;
  for (const char* name : kSystemFunctions) EXPECT_NE(system.object.find(name), nullptr) << name;
}

// feature: B1 (C API)
TEST(Providers, SymbolAndSlotAreTheSameFunction) {
  const BackendLibrary library;
  const auto create =
      reinterpret_cast<decltype(&QnnBackend_create)>(library.object.symbol("QnnBackend_create"));
  Qnn_BackendHandle_t backend = nullptr;
  ASSERT_EQ(create(nullptr, nullptr, &backend), QNN_SUCCESS);
  EXPECT_EQ(library.api().backendFree(backend), QNN_SUCCESS);
}

// feature: B1 (C API)
TEST(Providers, GetProvidersAnswersTheSameListEveryTime) {
  const BackendLibrary library;
  const auto get = reinterpret_cast<decltype(&QnnInterface_getProviders)>(
      library.object.symbol("QnnInterface_getProviders"));
  const QnnInterface_t** first = nullptr;
  const QnnInterface_t** second = nullptr;
  uint32_t count = 0;
  ASSERT_EQ(get(&first, &count), QNN_SUCCESS);
  ASSERT_EQ(get(&second, &count), QNN_SUCCESS);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(first[0], second[0]);
  EXPECT_EQ(get(nullptr, &count), Qnn_ErrorHandle_t{QNN_INTERFACE_ERROR_INVALID_PARAMETER});
  EXPECT_EQ(get(&first, nullptr), Qnn_ErrorHandle_t{QNN_INTERFACE_ERROR_INVALID_PARAMETER});

  const SystemLibrary system;
  const auto get_system = reinterpret_cast<decltype(&QnnSystemInterface_getProviders)>(
      system.object.symbol("QnnSystemInterface_getProviders"));
  const QnnSystemInterface_t** list = nullptr;
  EXPECT_EQ(get_system(nullptr, &count), Qnn_ErrorHandle_t{QNN_SYSTEM_INTERFACE_ERROR_INVALID_PARAMETER});
  EXPECT_EQ(get_system(&list, nullptr), Qnn_ErrorHandle_t{QNN_SYSTEM_INTERFACE_ERROR_INVALID_PARAMETER});
}

// feature: B1 (C API)
TEST(Providers, BuildIdHasTheFourPartsThatClientsSplit) {
  const BackendLibrary library;
  const char* id = nullptr;
  ASSERT_EQ(library.api().backendGetBuildId(&id), QNN_SUCCESS);
  ASSERT_NE(id, nullptr);
  EXPECT_THAT(id, ::testing::StartsWith("v"));
  std::vector<std::string> parts;
  std::istringstream text(id + 1);
  for (std::string part; std::getline(text, part, '.');) parts.push_back(part);
  ASSERT_EQ(parts.size(), 4U) << id;
  for (const std::string& part : parts) EXPECT_THAT(part, ::testing::ContainsRegex("^[0-9]+")) << id;
  EXPECT_TRUE(
      refused(library.api(), library.api().backendGetBuildId(nullptr), QNN_BACKEND_ERROR_INVALID_ARGUMENT));
}

// feature: B1 (C API)
TEST(Providers, CapabilitiesAreAnswered) {
  const BackendLibrary library;
  const auto has = library.api().propertyHasCapability;
  for (const uint32_t key :
       {QNN_PROPERTY_GROUP_CORE, QNN_PROPERTY_GROUP_BACKEND, QNN_PROPERTY_GROUP_CONTEXT,
        QNN_PROPERTY_CONTEXT_SUPPORT_CACHING, QNN_PROPERTY_GROUP_GRAPH, QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE,
        QNN_PROPERTY_GROUP_TENSOR, QNN_PROPERTY_GROUP_LOG, QNN_PROPERTY_GROUP_PROFILE,
        QNN_PROPERTY_GROUP_DEVICE, QNN_PROPERTY_ERROR_GET_VERBOSE_MESSAGE})
    EXPECT_EQ(has(key), Qnn_ErrorHandle_t{QNN_PROPERTY_SUPPORTED}) << key;
  for (const uint32_t key :
       {QNN_PROPERTY_GRAPH_SUPPORT_SUBGRAPH, QNN_PROPERTY_GRAPH_SUPPORT_CONTINUOUS_PROFILING,
        QNN_PROPERTY_TENSOR_SUPPORT_DYNAMIC_DIMENSIONS})
    EXPECT_EQ(has(key), Qnn_ErrorHandle_t{QNN_PROPERTY_NOT_SUPPORTED}) << key;
  EXPECT_TRUE(refused(library.api(), has(77777), QNN_PROPERTY_ERROR_UNKNOWN_KEY, {"77777"}));
}

// feature: B1 (C API)
TEST(Providers, OperationsAreListedWithTheirPackage) {
  const BackendLibrary library;
  const Owned backend = create_backend(library.api());
  uint32_t count = 0;
  const QnnBackend_OperationName_t* operations = nullptr;
  ASSERT_EQ(library.api().backendGetSupportedOperations(backend, &count, &operations), QNN_SUCCESS);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < count; ++i) {
    EXPECT_STREQ(operations[i].packageName, QNN_OP_PACKAGE_NAME_QTI_AISW);
    names.emplace_back(operations[i].name);
  }
  for (const char* name : {"Conv2d", "ElementWiseAdd", "Relu", "PoolMax2d", "MatMul", "Softmax"})
    EXPECT_THAT(names, ::testing::Contains(name));
}

}  // namespace
}  // namespace conformance
