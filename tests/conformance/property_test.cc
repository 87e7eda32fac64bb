// SPDX-License-Identifier: BSD-3-Clause
// Capabilities: what is answered "yes" works, what is answered "no" is refused as not supported.
#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "HTP/QnnHtpProperty.h"
#include "client.h"
#include "samples.h"

namespace conformance {
namespace {

constexpr Qnn_ErrorHandle_t kNo = QNN_PROPERTY_NOT_SUPPORTED;

// Everything that a probe may need.
struct Everything {
  Session session;
  const Api& api = session.api;
  Owned context = session.context();
  Sample sample = add(Kind::kQuantized);
  Graph graph = Graph::built(api, context, sample.model);
  Bytes binary = binary_of(api, context);
  void* out = nullptr;
  Qnn_ContextBinarySize_t size = 0;

  // Creates a tensor in a graph of its own.
  Qnn_ErrorHandle_t create_tensor(const std::function<void(Qnn_Tensor_t&)>& change) {
    static int graphs = 0;
    Qnn_GraphHandle_t fresh = nullptr;
    const std::string name = "probe" + std::to_string(++graphs);
    check(api, api.graphCreate(context, name.c_str(), nullptr, &fresh), "graphCreate");
    static const Bytes data(64, std::byte{1});
    static uint32_t dims[] = {8, 8};
    Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
    tensor.v1.name = "tensor";
    tensor.v1.type = QNN_TENSOR_TYPE_STATIC;
    tensor.v1.dataType = QNN_DATATYPE_SFIXED_POINT_8;
    tensor.v1.rank = 2;
    tensor.v1.dimensions = dims;
    tensor.v1.clientBuf = {const_cast<std::byte*>(data.data()), 64};
    change(tensor);
    return api.tensorCreateGraphTensor(fresh, &tensor);
  }
  Qnn_ErrorHandle_t create_encoded(const std::function<void(Qnn_QuantizeParams_t&)>& encode) {
    return create_tensor([&](Qnn_Tensor_t& tensor) {
      tensor.v1.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
      encode(tensor.v1.quantizeParams);
    });
  }
  Qnn_ErrorHandle_t create_of_type(Qnn_TensorType_t type) {
    return create_tensor([type](Qnn_Tensor_t& tensor) {
      tensor.v1.type = type;
      tensor.v1.quantizeParams.encodingDefinition = QNN_DEFINITION_DEFINED;
      tensor.v1.quantizeParams.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
      tensor.v1.quantizeParams.scaleOffsetEncoding = {0.1F, 0};
      if (type != QNN_TENSOR_TYPE_UPDATEABLE_STATIC) tensor.v1.clientBuf = {nullptr, 0};
    });
  }
  // Executes a graph with an optional tensor, and leaves that out.
  Qnn_ErrorHandle_t execute_without(const char* tensor, Qnn_TensorType_t type) {
    Sample optional = add(Kind::kQuantized);
    optional.model.tensor(tensor).role = type;
    const Owned other = session.context();
    const Graph with_optional = Graph::built(api, other, optional.model);
    IoTensors io(with_optional.model, optional.inputs);  // has the plain inputs and outputs alone
    return with_optional.execute(io) == QNN_SUCCESS ? Qnn_ErrorHandle_t{QNN_SUCCESS} : kNo;
  }
  Qnn_ErrorHandle_t context_with(const std::function<void(QnnContext_Config_t&)>& choose) {
    QnnContext_Config_t config = QNN_CONTEXT_CONFIG_INIT;
    choose(config);
    const QnnContext_Config_t* list[] = {&config, nullptr};
    void* made = nullptr;
    const Qnn_ErrorHandle_t answer = api.contextCreateFromBinary(
        session.backend, session.device, list, binary.data(), binary.size(), &made, nullptr);
    if (made) api.contextFree(made, nullptr);
    return answer;
  }
  Qnn_ErrorHandle_t signal_of(QnnSignal_ConfigOption_t option) {
    QnnSignal_Config_t config = QNN_SIGNAL_CONFIG_INIT;
    config.option = option;
    config.timeoutDurationUs = 1'000'000;
    const QnnSignal_Config_t* list[] = {&config, nullptr};
    return api.signalCreate(session.backend, list, &out);
  }
};

using Probe = std::function<Qnn_ErrorHandle_t(Everything&)>;

// A key, and a call that needs what it stands for. What the call answers is "not supported" exactly when the
// key is answered so; a call with too little in it may fail in another way, which counts as offered.
struct Capability {
  uint32_t key;
  Probe probe;
};

Qnn_ErrorHandle_t works(Everything& /*all*/) { return QNN_SUCCESS; }

// Refusals that have a code of their own, where nothing but the missing feature can be the reason.
Qnn_ErrorHandle_t offered_if_taken(Qnn_ErrorHandle_t answer) { return answer == QNN_SUCCESS ? answer : kNo; }

std::vector<Capability> capabilities() {
  static QnnBackend_Property_t* no_backend_properties[] = {nullptr};
  static QnnContext_Property_t* no_context_properties[] = {nullptr};
  static QnnGraph_Property_t* no_graph_properties[] = {nullptr};
  static QnnGraph_ExecuteEnvironment_t* no_environments[] = {nullptr};
  static const QnnContext_Params_t* no_params[] = {nullptr};
  static QnnContext_Buffer_t buffer = {QNN_CONTEXT_BUFFER_VERSION_1, {}};
  static Qnn_ContextBinaryCallback_t callback = {QNN_CONTEXT_CALLBACK_UNDEFINED, {}};
  static Qnn_Tensor_t tensor = QNN_TENSOR_INIT;
  static const void* piece;
  static Qnn_ScaleOffset_t scales[8] = {{0.1F, 0}, {0.1F, 0}, {0.1F, 0}, {0.1F, 0},
                                        {0.1F, 0}, {0.1F, 0}, {0.1F, 0}, {0.1F, 0}};
  static float float_scales[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  static uint32_t block[] = {4, 4};
  const auto update_section = [](QnnContext_SectionType_t type, bool of_graph = true) {
    return [type, of_graph](Everything& all) {
      return all.api.contextApplyBinarySection(all.context, of_graph ? all.graph.handle : nullptr, type,
                                               &buffer, nullptr, nullptr);
    };
  };
  const auto graph_option = [](QnnGraph_ConfigOption_t option) {
    return [option](Everything& all) {
      QnnGraph_Config_t config = QNN_GRAPH_CONFIG_INIT;
      config.option = option;
      config.numProfilingExecutions = 1;
      const QnnGraph_Config_t* list[] = {&config, nullptr};
      return all.api.graphSetConfig(all.graph.handle, list);
    };
  };
  const auto of_type = [](Qnn_TensorType_t type) {
    return [type](Everything& all) { return all.create_of_type(type); };
  };
  const auto of_format = [](Qnn_TensorDataFormat_t format) {
    return [format](Everything& all) {
      return offered_if_taken(
          all.create_tensor([format](Qnn_Tensor_t& made) { made.v1.dataFormat = format; }));
    };
  };
  const auto profile_option = [](QnnProfile_ConfigOption_t option) {
    return [option](Everything& all) {
      const Owned profile = all.session.profile(QNN_PROFILE_LEVEL_DETAILED);
      QnnProfile_Config_t config = QNN_PROFILE_CONFIG_INIT;
      config.option = option;
      config.numMaxEvents = 10;
      const QnnProfile_Config_t* list[] = {&config, nullptr};
      return all.api.profileSetConfig(profile, list);
    };
  };
  const auto register_as = [](Qnn_MemType_t type) {
    return [type](Everything& all) -> Qnn_ErrorHandle_t {
      Qnn_MemDescriptor_t memory = QNN_MEM_DESCRIPTOR_INIT;
      memory.memType = type;
      memory.customInfo = nullptr;
      const Qnn_ErrorHandle_t answer = all.api.memRegister(all.context, &memory, 1, &all.out);
      return answer == QNN_MEM_ERROR_UNSUPPORTED_MEMTYPE ? kNo : answer;  // its way of saying so
    };
  };
  return {
      {QNN_PROPERTY_GROUP_CORE, works},
      {QNN_PROPERTY_GROUP_BACKEND, works},
      {QNN_PROPERTY_BACKEND_SUPPORT_OP_PACKAGE,
       [](Everything& all) {
         return all.api.backendRegisterOpPackage(all.session.backend, "/nowhere.so", "none", nullptr);
       }},
      {QNN_PROPERTY_BACKEND_SUPPORT_PLATFORM_OPTIONS,
       [](Everything& all) -> Qnn_ErrorHandle_t {
         QnnBackend_Config_t config = QNN_BACKEND_CONFIG_INIT;
         config.option = QNN_BACKEND_CONFIG_OPTION_PLATFORM;
         config.platformOption = "key:value";
         const QnnBackend_Config_t* list[] = {&config, nullptr};
         const Qnn_ErrorHandle_t answer = all.api.backendSetConfig(all.session.backend, list);
         return answer == QNN_BACKEND_ERROR_NOT_SUPPORTED ? kNo : answer;
       }},
      {QNN_PROPERTY_BACKEND_SUPPORT_COMPOSITION, works},
      {QNN_PROPERTY_BACKEND_SUPPORT_CUSTOM_PROPERTY,
       [](Everything& all) {
         return all.api.backendGetProperty(all.session.backend, no_backend_properties);
       }},
      {QNN_PROPERTY_GROUP_CONTEXT, works},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CACHING,
       [](Everything& all) { return all.api.contextGetBinarySize(all.context, &all.size); }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CONFIGURATION, works},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_ENABLE_GRAPHS,
       [](Everything& all) {
         const char* names[] = {all.sample.model.name.c_str(), nullptr};
         return all.context_with([&](QnnContext_Config_t& config) {
           config.option = QNN_CONTEXT_CONFIG_ENABLE_GRAPHS;
           config.enableGraphs = names;
         });
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_MEMORY_LIMIT_HINT,
       [](Everything& all) {
         return all.context_with([](QnnContext_Config_t& config) {
           config.option = QNN_CONTEXT_CONFIG_MEMORY_LIMIT_HINT;
           config.memoryLimitHint = 100;
         });
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_PERSISTENT_BINARY,
       [](Everything& all) {
         return all.context_with([](QnnContext_Config_t& config) {
           config.option = QNN_CONTEXT_CONFIG_PERSISTENT_BINARY;
           config.isPersistentBinary = 1;
         });
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CONFIG_BINARY_COMPATIBILITY_TYPE,
       [](Everything& all) {
         return all.context_with([](QnnContext_Config_t& config) {
           config.option = QNN_CONTEXT_CONFIG_BINARY_COMPATIBILITY;
           config.binaryCompatibilityType = QNN_CONTEXT_BINARY_COMPATIBILITY_PERMISSIVE;
         });
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_VALIDATE_BINARY,
       [](Everything& all) {
         return all.api.contextValidateBinary(all.session.backend, all.session.device, nullptr,
                                              all.binary.data(), all.binary.size());
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_SIGNALS,
       [](Everything& all) {
         void* made = nullptr;
         const Qnn_ErrorHandle_t answer = all.api.contextCreateFromBinaryWithSignal(
             all.session.backend, all.session.device, nullptr, all.binary.data(), all.binary.size(), &made,
             nullptr, nullptr);
         if (made) all.api.contextFree(made, nullptr);
         return answer;
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_LIST_ASYNC,
       [](Everything& all) {
         return all.api.contextCreateFromBinaryListAsync(all.session.backend, all.session.device, no_params,
                                                         nullptr, nullptr);
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_UPDATES, update_section(QNN_CONTEXT_SECTION_UPDATABLE)},
      {QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_SECTION_FULL_CONTEXT,
       update_section(QNN_CONTEXT_SECTION_UPDATABLE, /*of_graph=*/false)},
      {QNN_PROPERTY_CONTEXT_SUPPORT_DEFERRED_GRAPH_INIT,
       [](Everything& all) {
         return all.context_with([](QnnContext_Config_t& config) {
           config.option = QNN_CONTEXT_CONFIG_OPTION_DEFER_GRAPH_INIT;
           config.isGraphInitDeferred = 1;
         });
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_GRAPH_RETENTION_ORDER,
       [](Everything& all) {
         const char* names[] = {all.sample.model.name.c_str(), nullptr};
         return all.context_with([&](QnnContext_Config_t& config) {
           config.option = QNN_CONTEXT_CONFIG_GRAPH_RETENTION_ORDER;
           config.graphRetentionOrder = names;
         });
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CUSTOM_PROPERTY,
       [](Everything& all) { return all.api.contextGetProperty(all.context, no_context_properties); }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_INCREMENTAL_BINARY,
       [](Everything& all) {
         return all.api.contextGetIncrementalBinary(all.context, &piece, &all.size, &all.size);
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_WEIGHT_ONLY_UPDATES,
       update_section(QNN_CONTEXT_SECTION_UPDATABLE_WEIGHTS)},
      {QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_QUANT_ONLY_UPDATES,
       update_section(QNN_CONTEXT_SECTION_UPDATABLE_QUANT_PARAMS)},
      {QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_WITH_CALLBACK,
       [](Everything& all) {
         return all.api.contextCreateFromBinaryWithCallback(all.session.backend, all.session.device, nullptr,
                                                            &callback, all.binary.data(), all.binary.size(),
                                                            &all.out, nullptr, nullptr);
       }},
      {QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_SECTION_UPDATES,
       [](Everything& all) {
         const Qnn_Tensor_t* tensors[] = {&tensor};
         return all.api.contextGetBinarySectionUpdate(&buffer, &buffer, tensors, 1, 0, nullptr, nullptr,
                                                      nullptr, &buffer);
       }},
      {QNN_PROPERTY_GROUP_GRAPH, works},
      {QNN_PROPERTY_GRAPH_SUPPORT_CONFIG, works},
      {QNN_PROPERTY_GRAPH_SUPPORT_SIGNALS, works},
      {QNN_PROPERTY_GRAPH_SUPPORT_ASYNC_EXECUTION,
       [](Everything& all) {
         return all.api.graphExecuteAsync(all.graph.handle, nullptr, 0, nullptr, 0, nullptr, nullptr, nullptr,
                                          nullptr);
       }},
      {QNN_PROPERTY_GRAPH_SUPPORT_NULL_INPUTS,
       [](Everything& all) -> Qnn_ErrorHandle_t {
         IoTensors io(all.graph.model, all.sample.inputs);
         io.inputs[0].v1.clientBuf = {nullptr, 0};
         return offered_if_taken(all.graph.execute(io));
       }},
      {QNN_PROPERTY_GRAPH_SUPPORT_PRIORITY_CONTROL,
       [](Everything& all) {
         QnnGraph_Config_t config = QNN_GRAPH_CONFIG_INIT;
         config.option = QNN_GRAPH_CONFIG_OPTION_PRIORITY;
         config.priority = QNN_PRIORITY_HIGH;
         const QnnGraph_Config_t* list[] = {&config, nullptr};
         return all.api.graphCreate(all.context, "with_priority", list, &all.out);
       }},
      {QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_SIGNAL,
       [](Everything& all) {
         check(all.api, all.signal_of(QNN_SIGNAL_CONFIG_OPTION_ABORT), "signalCreate");
         const Owned signal(all.out, all.api.signalFree);
         Graph open(all.api, all.context, conv_relu_pool(Kind::kQuantized).model);
         open.compose();
         return all.api.graphFinalize(open.handle, nullptr, signal);
       }},
      {QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_SIGNAL, works},
      {QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_ASYNC_SIGNAL, works},
      {QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE, works},
      {QNN_PROPERTY_GRAPH_SUPPORT_BATCH_MULTIPLE, works},
      {QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_PER_API_PROFILING, works},
      {QNN_PROPERTY_GRAPH_SUPPORT_CONTINUOUS_PROFILING, graph_option(QNN_GRAPH_CONFIG_OPTION_PROFILE_HANDLE)},
      {QNN_PROPERTY_GRAPH_SUPPORT_PROFILING_STATE, graph_option(QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_STATE)},
      {QNN_PROPERTY_GRAPH_SUPPORT_SET_PROFILING_NUM_EXECUTIONS,
       graph_option(QNN_GRAPH_CONFIG_OPTION_SET_PROFILING_NUM_EXECUTIONS)},
      {QNN_PROPERTY_GRAPH_SUPPORT_UPDATABLE_WEIGHTS_BINARY_SECTION_CREATION,
       graph_option(QNN_GRAPH_CONFIG_OPTION_ENABLE_BINARY_SECTION_WEIGHTS_UPDATES)},
      {QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_DESERIALIZED_GRAPH,
       [](Everything& all) {
         const Owned loaded = all.session.load(all.binary);
         return offered_if_taken(Graph::retrieved(all.api, loaded, all.graph.model).finalize());
       }},
      {QNN_PROPERTY_GRAPH_SUPPORT_SUBGRAPH,
       [](Everything& all) { return all.api.graphCreateSubgraph(all.graph.handle, "sub", &all.out); }},
      {QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_BIND_MEM_HANDLES,
       [](Everything& all) {
         return all.api.graphPrepareExecutionEnvironment(all.graph.handle, no_environments, 0);
       }},
      {QNN_PROPERTY_GRAPH_SUPPORT_ENV_OPTION_POPULATE_CLIENT_BUFS,
       [](Everything& all) {
         return all.api.graphPrepareExecutionEnvironment(all.graph.handle, no_environments, 0);
       }},
      {QNN_PROPERTY_GRAPH_SUPPORT_CUSTOM_PROPERTY,
       [](Everything& all) { return all.api.graphGetProperty(all.graph.handle, no_graph_properties); }},
      {QNN_PROPERTY_GRAPH_SUPPORT_ONLINE_PREPARE, works},
      {QNN_PROPERTY_GROUP_OP_PACKAGE, works},
      {QNN_PROPERTY_OP_PACKAGE_SUPPORTS_VALIDATION, works},
      {QNN_PROPERTY_OP_PACKAGE_SUPPORTS_OP_IMPLS, works},
      {QNN_PROPERTY_GROUP_TENSOR, works},
      {QNN_PROPERTY_TENSOR_SUPPORT_MEMHANDLE_TYPE, works},
      {QNN_PROPERTY_TENSOR_SUPPORT_CONTEXT_TENSORS,
       [](Everything& all) { return all.api.tensorCreateContextTensor(all.context, &tensor); }},
      {QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_STATIC_TENSORS, of_type(QNN_TENSOR_TYPE_UPDATEABLE_STATIC)},
      {QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_NATIVE_TENSORS, of_type(QNN_TENSOR_TYPE_UPDATEABLE_NATIVE)},
      {QNN_PROPERTY_TENSOR_SUPPORT_UPDATEABLE_APP_TENSORS, of_type(QNN_TENSOR_TYPE_UPDATEABLE_APP_WRITE)},
      {QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_WRITE,
       [](Everything& all) { return all.execute_without("right", QNN_TENSOR_TYPE_OPTIONAL_APP_WRITE); }},
      {QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READ,
       [](Everything& all) { return all.execute_without("sum", QNN_TENSOR_TYPE_OPTIONAL_APP_READ); }},
      {QNN_PROPERTY_TENSOR_SUPPORT_OPTIONAL_APP_READWRITE,
       [](Everything& all) {
         return offered_if_taken(all.create_of_type(QNN_TENSOR_TYPE_OPTIONAL_APP_READWRITE));
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_RETRIEVE_RAW,
       [](Everything& all) {
         return offered_if_taken(
             all.create_tensor([](Qnn_Tensor_t& made) { made.v1.memType = QNN_TENSORMEMTYPE_RETRIEVE_RAW; }));
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_SPARSITY,
       [](Everything& all) {
         return offered_if_taken(all.create_tensor([](Qnn_Tensor_t& made) {
           const Qnn_TensorV1_t common = made.v1;
           made.version = QNN_TENSOR_VERSION_2;
           made.v2 = QNN_TENSOR_V2_INIT;
           made.v1 = common;
           made.v2.type = QNN_TENSOR_TYPE_NATIVE;
           made.v2.dataFormat = QNN_TENSOR_DATA_FORMAT_SPARSE;
           made.v2.sparseParams.type = QNN_SPARSE_LAYOUT_HYBRID_COO;
           made.v2.sparseParams.hybridCoo = {1, 1};
         }));
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_MX_DATA_FORMAT, of_format(QNN_TENSOR_DATA_FORMAT_MX)},
      {QNN_PROPERTY_TENSOR_SUPPORT_DYNAMIC_DIMENSIONS,
       [](Everything& all) {
         static uint8_t dynamic[] = {1, 0};
         return offered_if_taken(all.create_tensor([](Qnn_Tensor_t& made) {
           const Qnn_TensorV1_t common = made.v1;
           made.version = QNN_TENSOR_VERSION_2;
           made.v2 = QNN_TENSOR_V2_INIT;
           made.v1 = common;
           made.v2.isDynamicDimensions = dynamic;
         }));
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION,
       [](Everything& all) {
         static uint8_t block_scales[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
         Qnn_BlockwiseExpansion_t expansion = QNN_BLOCKWISE_EXPANSION_INIT;
         expansion.axis = 1;
         expansion.scaleOffsets = scales;
         expansion.numBlocksPerAxis = 2;
         expansion.blockScaleBitwidth = 4;
         expansion.blockScaleStorageType = QNN_BLOCKWISE_EXPANSION_BITWIDTH_SCALE_STORAGE_8;
         expansion.blocksScale8 = block_scales;
         return all.create_encoded([&](Qnn_QuantizeParams_t& params) {
           params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION;
           params.blockwiseExpansion = &expansion;
         });
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_VECTOR,
       [](Everything& all) {
         Qnn_VectorEncoding_t vector = QNN_VECTOR_ENCODING_INIT;
         return offered_if_taken(all.create_encoded([&](Qnn_QuantizeParams_t& params) {
           params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_VECTOR;
           params.vectorEncoding = &vector;
         }));
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_SCALE_OFFSET,
       [](Everything& all) {
         return all.create_encoded([](Qnn_QuantizeParams_t& params) {
           params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_SCALE_OFFSET;
           params.scaleOffsetEncoding = {0.1F, 0};
         });
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET,
       [](Everything& all) {
         return all.create_encoded([](Qnn_QuantizeParams_t& params) {
           params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET;
           params.axisScaleOffsetEncoding = {1, 8, scales};
         });
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_SCALE_OFFSET,
       [](Everything& all) {
         return all.create_encoded([](Qnn_QuantizeParams_t& params) {
           params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET;
           params.bwScaleOffsetEncoding = {4, 0.1F, 0};
         });
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET,
       [](Everything& all) {
         return all.create_encoded([](Qnn_QuantizeParams_t& params) {
           params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET;
           params.bwAxisScaleOffsetEncoding = {4, 1, 8, float_scales, nullptr};
         });
       }},
      {QNN_PROPERTY_TENSOR_SUPPORT_QUANTIZATION_ENCODING_BLOCK,
       [](Everything& all) {
         return all.create_encoded([](Qnn_QuantizeParams_t& params) {
           params.quantizationEncoding = QNN_QUANTIZATION_ENCODING_BLOCK;
           params.blockEncoding = {block, scales};
         });
       }},
      {QNN_PROPERTY_GROUP_ERROR, works},
      {QNN_PROPERTY_ERROR_GET_VERBOSE_MESSAGE, works},
      {QNN_PROPERTY_GROUP_MEMORY, works},
      {QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_ION, register_as(QNN_MEM_TYPE_ION)},
      {QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_CUSTOM, register_as(QNN_MEM_TYPE_CUSTOM)},
      {QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_DMA_BUF, register_as(QNN_MEM_TYPE_DMA_BUF)},
      {QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_DX12, register_as(QNN_MEM_TYPE_DX12)},
      {QNN_PROPERTY_GROUP_SIGNAL, works},
      {QNN_PROPERTY_SIGNAL_SUPPORT_ABORT,
       [](Everything& all) { return all.signal_of(QNN_SIGNAL_CONFIG_OPTION_ABORT); }},
      {QNN_PROPERTY_SIGNAL_SUPPORT_TIMEOUT,
       [](Everything& all) { return all.signal_of(QNN_SIGNAL_CONFIG_OPTION_TIMEOUT); }},
      {QNN_PROPERTY_GROUP_LOG, works},
      {QNN_PROPERTY_LOG_SUPPORTS_DEFAULT_STREAM,
       [](Everything& all) { return all.api.logCreate(nullptr, QNN_LOG_LEVEL_ERROR, &all.out); }},
      {QNN_PROPERTY_GROUP_PROFILE, works},
      {QNN_PROPERTY_PROFILE_SUPPORT_CUSTOM_CONFIG, profile_option(QNN_PROFILE_CONFIG_OPTION_CUSTOM)},
      {QNN_PROPERTY_PROFILE_SUPPORT_MAX_EVENTS_CONFIG, profile_option(QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS)},
      {QNN_PROPERTY_PROFILE_SUPPORTS_EXTENDED_EVENT, works},
      {QNN_PROPERTY_PROFILE_SUPPORT_OPTRACE_CONFIG, profile_option(QNN_PROFILE_CONFIG_OPTION_ENABLE_OPTRACE)},
      {QNN_PROPERTY_GROUP_DEVICE, works},
      {QNN_PROPERTY_DEVICE_SUPPORT_INFRASTRUCTURE,
       [](Everything& all) {
         QnnDevice_Infrastructure_t infrastructure = nullptr;
         return all.api.deviceGetInfrastructure(&infrastructure);
       }},
      {QNN_PROPERTY_GROUP_CUSTOM, works},
      {QNN_PROPERTY_CUSTOM_HTP_UNSIGNED_PD_SUPPORT, works},
  };
}

// Keys whose feature has no call of its own: an op of a package ends a graph early, or two packages have ops
// of one name. They are only asked for.
const std::set<uint32_t> kNotProbed = {
    QNN_PROPERTY_GRAPH_SUPPORT_EARLY_TERMINATION,
    QNN_PROPERTY_OP_PACKAGE_SUPPORTS_DUPLICATE_NAMES,
};

bool is_newer_tensor_format(uint32_t key) {
  return key >= QNN_PROPERTY_TENSOR_SUPPORT_UBWC_RGBA8888 &&
         key <= QNN_PROPERTY_TENSOR_SUPPORT_UBWC_BAYER16_16BPS_4X4;
}

// feature: B1 (C API)
TEST(Property, AnswersAndCallsAgree) {
  Everything all;
  for (const Capability& capability : capabilities()) {
    SCOPED_TRACE(capability.key);
    const Qnn_ErrorHandle_t answer = all.api.propertyHasCapability(capability.key);
    ASSERT_THAT(answer, ::testing::AnyOf(Qnn_ErrorHandle_t{QNN_PROPERTY_SUPPORTED}, kNo));
    const Qnn_ErrorHandle_t called = capability.probe(all);
    EXPECT_EQ(called == QNN_COMMON_ERROR_NOT_SUPPORTED, answer == kNo)
        << "the call answers " << called << ": " << verbose_message(all.api, called);
  }
}

// Every number is a key with an answer, or no key at all.
// feature: B1 (C API)
TEST(Property, EveryKeyIsKnownAndNoOther) {
  const BackendLibrary library;
  std::set<uint32_t> probed;
  for (const Capability& capability : capabilities()) probed.insert(capability.key);
  for (uint32_t key = 0; key < 3000; ++key) {
    const bool known = probed.contains(key) || kNotProbed.contains(key) || is_newer_tensor_format(key);
    const Qnn_ErrorHandle_t answer = library.api().propertyHasCapability(key);
    EXPECT_EQ(answer != QNN_PROPERTY_ERROR_UNKNOWN_KEY, known) << key << " is answered " << answer;
  }
  EXPECT_EQ(library.api().propertyHasCapability(UINT32_MAX),
            Qnn_ErrorHandle_t{QNN_PROPERTY_ERROR_UNKNOWN_KEY});
}

// What the vendor's HTP is known to answer, and where we differ.
// feature: B1 (C API)
TEST(Property, DocumentedAnswers) {
  const BackendLibrary library;
  const auto answer = [&](uint32_t key) { return library.api().propertyHasCapability(key); };
  for (const uint32_t yes : {QNN_PROPERTY_BACKEND_SUPPORT_OP_PACKAGE,
                             QNN_PROPERTY_BACKEND_SUPPORT_COMPOSITION,
                             QNN_PROPERTY_BACKEND_SUPPORT_PLATFORM_OPTIONS,
                             QNN_PROPERTY_CONTEXT_SUPPORT_CACHING,
                             QNN_PROPERTY_CONTEXT_SUPPORT_VALIDATE_BINARY,
                             QNN_PROPERTY_CONTEXT_SUPPORT_BINARY_UPDATES,
                             QNN_PROPERTY_CONTEXT_SUPPORT_CREATE_FROM_BINARY_LIST_ASYNC,
                             QNN_PROPERTY_GRAPH_SUPPORT_PRIORITY_CONTROL,
                             QNN_PROPERTY_GRAPH_SUPPORT_BATCH_MULTIPLE,
                             QNN_PROPERTY_GRAPH_SUPPORT_EXECUTE_SIGNAL,
                             QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_ION,
                             QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_CUSTOM,
                             QNN_PROPERTY_SIGNAL_SUPPORT_ABORT,
                             QNN_PROPERTY_SIGNAL_SUPPORT_TIMEOUT,
                             QNN_PROPERTY_GROUP_LOG,
                             QNN_PROPERTY_PROFILE_SUPPORTS_EXTENDED_EVENT,
                             QNN_PROPERTY_GROUP_DEVICE,
                             QNN_PROPERTY_DEVICE_SUPPORT_INFRASTRUCTURE,
                             QNN_PROPERTY_GROUP_CUSTOM,
                             QNN_PROPERTY_ERROR_GET_VERBOSE_MESSAGE /* ours alone */})
    EXPECT_EQ(answer(yes), Qnn_ErrorHandle_t{QNN_PROPERTY_SUPPORTED}) << yes;
  for (const uint32_t no :
       {QNN_PROPERTY_GRAPH_SUPPORT_CONTINUOUS_PROFILING, QNN_PROPERTY_GRAPH_SUPPORT_SUBGRAPH,
        QNN_PROPERTY_GRAPH_SUPPORT_NULL_INPUTS, QNN_PROPERTY_TENSOR_SUPPORT_CONTEXT_TENSORS,
        QNN_PROPERTY_TENSOR_SUPPORT_DYNAMIC_DIMENSIONS, QNN_PROPERTY_GRAPH_SUPPORT_FINALIZE_SIGNAL,
        QNN_PROPERTY_MEMORY_SUPPORT_MEM_TYPE_DMA_BUF})
    EXPECT_EQ(answer(no), kNo) << no;
}

}  // namespace
}  // namespace conformance
