// SPDX-License-Identifier: BSD-3-Clause
// QnnInterface.h: the table through which clients reach everything else.
#include "HTP/QnnHtpCommon.h"
#include "QnnInterface.h"
#include "api/answer.h"
#include "api/twins.h"

// A second backend built from the same objects names itself differently (tests/conformance).
#ifndef OPENQNN_PROVIDER_NAME
#define OPENQNN_PROVIDER_NAME QNN_HTP_INTERFACE_PROVIDER_NAME
#endif

OPENQNN_NOTE const openqnn::api::BackendNote openqnn::api::kBackendNote = {.name = OPENQNN_PROVIDER_NAME};

namespace {

// Slots of newer tables whose signatures are not public.
Qnn_ErrorHandle_t reserved() {
  return openqnn::api::not_supported("a reserved function of the interface table");
}

constexpr QnnInterface_t kProvider = {
    QNN_BACKEND_ID_HTP,
    OPENQNN_PROVIDER_NAME,
    QNN_HTP_API_VERSION_INIT,
    {{
        .propertyHasCapability = QnnProperty_hasCapability,
        .backendCreate = QnnBackend_create,
        .backendSetConfig = QnnBackend_setConfig,
        .backendGetApiVersion = QnnBackend_getApiVersion,
        .backendGetBuildId = QnnBackend_getBuildId,
        .backendRegisterOpPackage = QnnBackend_registerOpPackage,
        .backendGetSupportedOperations = QnnBackend_getSupportedOperations,
        .backendValidateOpConfig = QnnBackend_validateOpConfig,
        .backendFree = QnnBackend_free,
        .contextCreate = QnnContext_create,
        .contextSetConfig = QnnContext_setConfig,
        .contextGetBinarySize = QnnContext_getBinarySize,
        .contextGetBinary = QnnContext_getBinary,
        .contextCreateFromBinary = QnnContext_createFromBinary,
        .contextFree = QnnContext_free,
        .graphCreate = QnnGraph_create,
        .graphCreateSubgraph = QnnGraph_createSubgraph,
        .graphSetConfig = QnnGraph_setConfig,
        .graphAddNode = QnnGraph_addNode,
        .graphFinalize = QnnGraph_finalize,
        .graphRetrieve = QnnGraph_retrieve,
        .graphExecute = QnnGraph_execute,
        .graphExecuteAsync = QnnGraph_executeAsync,
        .tensorCreateContextTensor = QnnTensor_createContextTensor,
        .tensorCreateGraphTensor = QnnTensor_createGraphTensor,
        .logCreate = QnnLog_create,
        .logSetLogLevel = QnnLog_setLogLevel,
        .logFree = QnnLog_free,
        .profileCreate = QnnProfile_create,
        .profileSetConfig = QnnProfile_setConfig,
        .profileGetEvents = QnnProfile_getEvents,
        .profileGetSubEvents = QnnProfile_getSubEvents,
        .profileGetEventData = QnnProfile_getEventData,
        .profileGetExtendedEventData = QnnProfile_getExtendedEventData,
        .profileFree = QnnProfile_free,
        .memRegister = QnnMem_register,
        .memDeRegister = QnnMem_deRegister,
        .deviceGetPlatformInfo = QnnDevice_getPlatformInfo,
        .deviceFreePlatformInfo = QnnDevice_freePlatformInfo,
        .deviceGetInfrastructure = QnnDevice_getInfrastructure,
        .deviceCreate = QnnDevice_create,
        .deviceSetConfig = QnnDevice_setConfig,
        .deviceGetInfo = QnnDevice_getInfo,
        .deviceFree = QnnDevice_free,
        .signalCreate = QnnSignal_create,
        .signalSetConfig = QnnSignal_setConfig,
        .signalTrigger = QnnSignal_trigger,
        .signalFree = QnnSignal_free,
        .errorGetMessage = QnnError_getMessage,
        .errorGetVerboseMessage = QnnError_getVerboseMessage,
        .errorFreeVerboseMessage = QnnError_freeVerboseMessage,
        .graphPrepareExecutionEnvironment = QnnGraph_prepareExecutionEnvironment,
        .graphReleaseExecutionEnvironment = QnnGraph_releaseExecutionEnvironment,
        .graphGetProperty = QnnGraph_getProperty,
        .contextValidateBinary = QnnContext_validateBinary,
        .contextCreateFromBinaryWithSignal = QnnContext_createFromBinaryWithSignal,
        .contextCreateFromBinaryListAsync = QnnContext_createFromBinaryListAsync,
        .tensorUpdateGraphTensors = QnnTensor_updateGraphTensors,
        .tensorUpdateContextTensors = QnnTensor_updateContextTensors,
        .contextGetBinarySectionSize = QnnContext_getBinarySectionSize,
        .contextGetBinarySection = QnnContext_getBinarySection,
        .contextApplyBinarySection = QnnContext_applyBinarySection,
        .backendGetProperty = QnnBackend_getProperty,
        .contextGetProperty = QnnContext_getProperty,
        .contextGetIncrementalBinary = QnnContext_getIncrementalBinary,
        .contextReleaseIncrementalBinary = QnnContext_releaseIncrementalBinary,
        .contextFinalize = QnnContext_finalize,
        .globalConfigSet = QnnGlobalConfig_Set,
        .contextCreateFromBinaryWithCallback = QnnContext_createFromBinaryWithCallback,
        .contextGetBinarySectionUpdate = QnnContext_getBinarySectionUpdate,
        .contextFreeBinarySectionUpdate = QnnContext_freeBinarySectionUpdate,
        .contextAddToDlc = QnnContext_addToDlc,
        .graphValidate = reserved,
        .graphFreeValidationResult = reserved,
        .backendRegisterOpPackageFromBinary = reserved,
    }}};

}  // namespace

Qnn_ErrorHandle_t QnnInterface_getProviders(const QnnInterface_t*** providerList, uint32_t* numProviders) {
  using namespace openqnn::api;  // NOLINT
  return answer("QnnInterface_getProviders", [&]() -> Outcome<> {
    if (!providerList) return null_argument(QNN_INTERFACE_ERROR_INVALID_PARAMETER, "providerList");
    if (!numProviders) return null_argument(QNN_INTERFACE_ERROR_INVALID_PARAMETER, "numProviders");
    static const QnnInterface_t* providers[] = {&kProvider};
    *providerList = providers;
    *numProviders = 1;
    return {};
  });
}
