// SPDX-License-Identifier: BSD-3-Clause
#include "tools/extensions/htp_lowering.h"

#include <charconv>

#include "HTP/QnnHtpProfile.h"
#include "base/text.h"

namespace openqnn::tools {
namespace {

using config::kContextSection;
using config::kCoreSection;
using config::kDeviceSection;
using config::kGraphSection;
using config::kGroupContextSection;
using config::kMemorySection;

// ---- Graphs ----

template <QnnHtpGraph_ConfigOption_t option, bool QnnHtpGraph_CustomConfig_t::*member>
void graph_flag(const Setting& setting, const HtpSink& sink) {
  sink.graph->add(option).*member = setting.flag();
}

template <QnnHtpGraph_ConfigOption_t option, uint32_t QnnHtpGraph_CustomConfig_t::*member>
void graph_number(const Setting& setting, const HtpSink& sink) {
  sink.graph->add(option).*member = setting.uint32();
}

template <QnnHtpGraph_OptimizationType_t type>
void graph_optimization(const Setting& setting, const HtpSink& sink) {
  sink.graph->add(QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION).optimizationOption = {
      type, static_cast<float>(setting.number())};
}

void graph_hvx_threads(const Setting& setting, const HtpSink& sink) {
  if (setting.integer() == 0) return;  // the same as an absent key
  sink.graph->add(QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS).numHvxThreads =
      static_cast<uint64_t>(setting.integer());
}

void graph_precision(const Setting& setting, const HtpSink& sink) {
  sink.graph->add(QNN_HTP_GRAPH_CONFIG_OPTION_PRECISION).precision =
      setting.flag() ? QNN_PRECISION_FLOAT16 : QNN_PRECISION_FLOAT32;
}

// {"P": 3}: one option for every name. Values that are no integers are for the backend to refuse.
void graph_finalize_config(const Setting& setting, const HtpSink& sink) {
  for (const json::Member& member : setting.record.find(setting.option)->value.as_object()) {
    QnnHtpGraph_CustomConfig_t& custom = sink.graph->add(QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG);
    custom.finalizeConfig.key = sink.options.texts.emplace_back(std::string_view(member.key)).c_str();
    Qnn_Scalar_t& value = custom.finalizeConfig.value;
    if (const auto integer = member.value.as_int64()) {
      value.dataType = QNN_DATATYPE_INT_32;
      value.int32Value = static_cast<int32_t>(*integer);
    } else {
      value.dataType = QNN_DATATYPE_FLOAT_32;
      value.floatValue = static_cast<float>(member.value.as_double().value_or(0));
    }
  }
}

// ---- Contexts ----

template <QnnHtpContext_ConfigOption_t option, bool QnnHtpContext_CustomConfig_t::*member>
void context_flag(const Setting& setting, const HtpSink& sink) {
  sink.options.context.add(option).*member = setting.flag();
}

template <QnnHtpContext_ConfigOption_t option, uint64_t QnnHtpContext_CustomConfig_t::*member>
void context_number(const Setting& setting, const HtpSink& sink) {
  sink.options.context.add(option).*member = static_cast<uint64_t>(setting.integer());
}

// One context founds a group; others would have to name it, and a program makes one.
void context_group(const Setting& setting, const HtpSink& sink) {
  if (setting.integer() == 0) return;  // not set
  const auto group = setting.record.integer("group_id");
  if (!group || *group != 0) {
    sink.options.warnings.push_back(
        concat(setting.option, " has no effect without group_id 0: with it the context founds a group, and ",
               "this program makes no other that could join one"));
    return;
  }
  sink.options.context.add(QNN_HTP_CONTEXT_CONFIG_OPTION_REGISTER_MULTI_CONTEXTS).groupRegistration = {
      nullptr, static_cast<uint64_t>(setting.integer())};
}

void shared_buffers(const Setting& setting, const HtpSink& sink) {
  sink.options.shared_buffers = setting.text() == "shared_buffer";
}

// ---- Devices ----

uint32_t device_of(const Setting& setting) { return Setting{setting.record, "device_id"}.uint32(); }

void device_soc(const Setting& setting, const HtpSink& sink) {
  if (setting.integer() == 0) return;  // not set
  if (setting.option == "soc_id" && setting.record.integer("soc_model").or_else(0) != 0) return;
  sink.options.device.add(QNN_HTP_DEVICE_CONFIG_OPTION_SOC).socModel = setting.uint32();
}

// "v75" is 75; "NONE" leaves it to the SoC.
void device_arch(const Setting& setting, const HtpSink& sink) {
  const std::string_view text = setting.text();
  if (!text.starts_with('v')) return;
  uint32_t arch = 0;
  std::from_chars(text.data() + 1, text.data() + text.size(), arch);
  sink.options.device.add(QNN_HTP_DEVICE_CONFIG_OPTION_ARCH).arch = {device_of(setting),
                                                                     static_cast<QnnHtpDevice_Arch_t>(arch)};
}

void device_domain(const Setting& setting, const HtpSink& sink) {
  sink.options.device.add(QNN_HTP_DEVICE_CONFIG_OPTION_SIGNEDPD).useSignedProcessDomain = {
      device_of(setting), setting.text() == "signed"};
}

void device_profiling(const Setting& setting, const HtpSink& sink) {
  if (setting.text() == "linting") sink.options.profile_level = QNN_HTP_PROFILE_LEVEL_LINTING;
}

// ---- Cores ----

void core_number(const Setting& setting, const HtpSink& sink) { sink.core->core = setting.uint32(); }

void core_profile(const Setting& setting, const HtpSink& sink) { sink.core->profile = setting.text(); }

template <std::optional<uint32_t> CoreVotes::*member>
void core_amount(const Setting& setting, const HtpSink& sink) {
  sink.core->*member = setting.uint32();
}

// ---- The table ----

constexpr std::string_view kOneCore = "one core of one kind is modelled";
constexpr std::string_view kUndescribed = "no document says what it does";

constexpr HtpLowering read_with(const config::SectionDef& section, std::string_view option,
                                std::string_view other) {
  return {.section = &section, .option = option, .read_with = other};
}
constexpr HtpLowering without_effect(const config::SectionDef& section, std::string_view option,
                                     std::string_view why) {
  return {.section = &section, .option = option, .no_effect = why};
}

constexpr HtpLowering kHtpLowerings[] = {
    read_with(kGraphSection, "graph_names", "every other option of its entry"),
    {&kGraphSection, "vtcm_mb",
     graph_number<QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB, &QnnHtpGraph_CustomConfig_t::vtcmSizeInMB>},
    {&kGraphSection, "vtcm_size",
     graph_number<QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_BYTES,
                  &QnnHtpGraph_CustomConfig_t::vtcmSizeInBytes>},
    {&kGraphSection, "hvx_threads", graph_hvx_threads},
    {&kGraphSection, "O", graph_optimization<QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG>},
    {&kGraphSection, "dlbc", graph_optimization<QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC>},
    {&kGraphSection, "dlbc_weights", graph_optimization<QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC_WEIGHTS>},
    {&kGraphSection, "sparse_weights_compression",
     graph_optimization<QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SPARSE_WEIGHTS_COMPRESSION>},
    {&kGraphSection, "slc_alloc_enable",
     graph_optimization<QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_SLC_ALLOCATOR>},
    {&kGraphSection, "weights_packing",
     graph_flag<QNN_HTP_GRAPH_CONFIG_OPTION_WEIGHTS_PACKING, &QnnHtpGraph_CustomConfig_t::weightsPacking>},
    {&kGraphSection, "num_cores",
     graph_number<QNN_HTP_GRAPH_CONFIG_OPTION_NUM_CORES, &QnnHtpGraph_CustomConfig_t::numCores>},
    {&kGraphSection, "short_depth_conv_on_hmx_off",
     graph_flag<QNN_HTP_GRAPH_CONFIG_OPTION_SHORT_DEPTH_CONV_ON_HMX_OFF,
                &QnnHtpGraph_CustomConfig_t::shortDepthConvOnHmxOff>},
    {&kGraphSection, "fold_relu_activation_into_conv_off",
     graph_flag<QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF,
                &QnnHtpGraph_CustomConfig_t::foldReluActivationIntoConvOff>},
    {&kGraphSection, "advanced_activation_fusion",
     graph_flag<QNN_HTP_GRAPH_CONFIG_OPTION_ADVANCED_ACTIVATION_FUSION,
                &QnnHtpGraph_CustomConfig_t::advancedActivationFusion>},
    {&kGraphSection, "use_high_precision_fp16_sigmoid",
     graph_flag<QNN_HTP_GRAPH_CONFIG_OPTION_HIGH_PRECISION_SIGMOID,
                &QnnHtpGraph_CustomConfig_t::highPrecisionSigmoid>},
    {&kGraphSection, "monolithic_lstm",
     graph_flag<QNN_HTP_GRAPH_CONFIG_OPTION_MONOLITHIC_LSTM, &QnnHtpGraph_CustomConfig_t::monolithicLstm>},
    {&kGraphSection, "assume_same_quant",
     graph_flag<QNN_HTP_GRAPH_CONFIG_OPTION_ASSUME_SAME_QUANT, &QnnHtpGraph_CustomConfig_t::assumeSameQuant>},
    {&kGraphSection, "share_io_buffer",
     graph_flag<QNN_HTP_GRAPH_CONFIG_OPTION_SHARE_IO_BUFFER, &QnnHtpGraph_CustomConfig_t::shareIOBuffer>},
    {&kGraphSection, "finalize_config", graph_finalize_config},
    {&kGraphSection, "fp16_relaxed_precision", graph_precision},

    read_with(kDeviceSection, "device_id", "dsp_arch, pd_session and cores"),
    without_effect(kDeviceSection, "core_id", kOneCore),
    without_effect(kDeviceSection, "core_type", kOneCore),
    {&kDeviceSection, "soc_id", device_soc},
    {&kDeviceSection, "soc_model", device_soc},
    {&kDeviceSection, "dsp_arch", device_arch},
    {&kDeviceSection, "pd_session", device_domain},
    {&kDeviceSection, "profiling_level", device_profiling},
    without_effect(kDeviceSection, "use_client_context", "it is for DSPs before v68, which have no HTP"),

    {&kCoreSection, "core_id", core_number},
    {&kCoreSection, "perf_profile", core_profile},
    {&kCoreSection, "rpc_control_latency", core_amount<&CoreVotes::rpc_control_latency_us>},
    {&kCoreSection, "rpc_polling_time", core_amount<&CoreVotes::rpc_polling_us>},
    {&kCoreSection, "hmx_timeout_us", core_amount<&CoreVotes::hmx_timeout_us>},
    {&kCoreSection, "adaptive_polling_time", core_amount<&CoreVotes::adaptive_polling_us>},
    without_effect(kCoreSection, "custom", kUndescribed),
    {&kCoreSection, "ddr_perf_mode", core_amount<&CoreVotes::ddr_performance>},

    {&kContextSection, "weight_sharing_enabled",
     context_flag<QNN_HTP_CONTEXT_CONFIG_OPTION_WEIGHT_SHARING_ENABLED,
                  &QnnHtpContext_CustomConfig_t::weightSharingEnabled>},
    {&kContextSection, "max_spill_fill_buffer_for_group", context_group},
    read_with(kContextSection, "group_id", "max_spill_fill_buffer_for_group"),
    {&kContextSection, "file_read_memory_budget_in_mb",
     context_number<QNN_HTP_CONTEXT_CONFIG_OPTION_FILE_READ_MEMORY_BUDGET,
                    &QnnHtpContext_CustomConfig_t::fileReadMemoryBudgetInMb>},
    {&kContextSection, "io_memory_estimation",
     context_flag<QNN_HTP_CONTEXT_CONFIG_OPTION_IO_MEM_ESTIMATION,
                  &QnnHtpContext_CustomConfig_t::ioMemEstimation>},
    {&kContextSection, "init_acceleration",
     context_flag<QNN_HTP_CONTEXT_CONFIG_OPTION_INIT_ACCELERATION,
                  &QnnHtpContext_CustomConfig_t::initAcceleration>},
    {&kContextSection, "lora_weight_sharing",
     context_flag<QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_ENABLED,
                  &QnnHtpContext_CustomConfig_t::loraWeightSharingEnabled>},
    {&kContextSection, "lora_weight_sharing_ram_preload",
     context_flag<QNN_HTP_CONTEXT_CONFIG_OPTION_LORA_WEIGHT_SHARING_RAM_PRELOAD_ENABLED,
                  &QnnHtpContext_CustomConfig_t::loraWeightSharingRamPreloadEnabled>},
    {&kContextSection, "extended_udma",
     context_flag<QNN_HTP_CONTEXT_CONFIG_OPTION_USE_EXTENDED_UDMA,
                  &QnnHtpContext_CustomConfig_t::useExtendedUdma>},
    {&kContextSection, "reused_io_limit_mb",
     context_number<QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT,
                    &QnnHtpContext_CustomConfig_t::reusedIoLimitMb>},
    without_effect(kContextSection, "concurrent_deserialization_patch",
                   "a binary is used where it lies, at once, so that there is nothing to measure or patch"),
    {&kContextSection, "skip_validation_on_binary_section",
     context_flag<QNN_HTP_CONTEXT_CONFIG_OPTION_SKIP_VALIDATION_ON_BINARY_SECTION,
                  &QnnHtpContext_CustomConfig_t::skipValidationOnBinarySection>},
    without_effect(kContextSection, "detachable_buffers_enabled", kUndescribed),

    // Ours: a buffer for each tensor, as --shared_buffer makes them.
    {&kMemorySection, "mem_type", shared_buffers},

    {&kGroupContextSection, "share_resources",
     context_flag<QNN_HTP_CONTEXT_CONFIG_OPTION_SHARE_RESOURCES,
                  &QnnHtpContext_CustomConfig_t::shareResources>},
    {&kGroupContextSection, "reused_io_limit_mb",
     context_number<QNN_HTP_CONTEXT_CONFIG_OPTION_REUSED_IO_LIMIT,
                    &QnnHtpContext_CustomConfig_t::reusedIoLimitMb>},
};

const HtpLowering* find_lowering(const Setting& setting) {
  for (const HtpLowering& lowering : kHtpLowerings)
    if (lowering.section == &setting.record.section() && lowering.option == setting.option) return &lowering;
  return nullptr;
}

// ---- The walk ----

void lower_record(const config::Record& record, const ExtensionRun& run, const HtpSink& sink) {
  for_each_setting(record, run, [&](const Setting& setting) {
    const HtpLowering* const lowering = find_lowering(setting);
    if (lowering == nullptr) return;  // a test makes sure that there is none
    if (lowering->lower != nullptr) lowering->lower(setting, sink);
    if (!lowering->no_effect.empty())
      sink.options.warnings.push_back(
          concat(record.path().to_string(setting.option), " has no effect here: ", lowering->no_effect));
  });
}

void lower_cores(const config::Record& device, const ExtensionRun& run, HtpOptions& out) {
  const config::OptionDef* const cores = config::find_option(kDeviceSection, "cores");
  if (!acts_in(*cores, run)) return;
  for (const config::Record& record : device.records("cores")) {
    CoreVotes& core = out.cores.emplace_back();
    core.device = Setting{device, "device_id"}.uint32();
    // What a file does not say, by the documents.
    core.profile = "high_performance";
    core.rpc_control_latency_us = 100;
    lower_record(record, run, {out, nullptr, &core});
  }
}

void lower_file(const config::Config& file, const ExtensionRun& run, HtpOptions& out) {
  const auto acts = [&](std::string_view section) {
    return acts_in(*config::find_option(config::kHtpFile, section), run);
  };
  if (acts("graphs"))
    for (const config::Record& graph : file.records(kGraphSection))
      for (const std::string_view name : graph.texts("graph_names").or_else({}))
        lower_record(graph, run, {out, &out.graphs[std::string(name)], nullptr});
  if (acts("devices"))
    for (const config::Record& device : file.records(kDeviceSection)) {
      lower_record(device, run, {out});
      lower_cores(device, run, out);
    }
  const auto lower_all = [&](const config::SectionDef& section) {
    for (const config::Record& record : file.records(section)) lower_record(record, run, {out});
  };
  lower_all(kContextSection);
  if (acts("memory")) lower_all(kMemorySection);
  if (acts("groupContext")) lower_all(kGroupContextSection);
}

}  // namespace

std::span<const HtpLowering> htp_lowerings() { return kHtpLowerings; }

Status lower_htp(const config::Config* file, const ExtensionRun& run, HtpOptions& out) {
  if (file != nullptr) lower_file(*file, run, out);
  if (!run.perf_profile.empty()) {
    if (out.cores.empty()) out.cores.emplace_back();
    for (CoreVotes& core : out.cores) core.profile = run.perf_profile;
  }
  for (const CoreVotes& core : out.cores) OPENQNN_TRY(power_configs(core));
  return {};
}

}  // namespace openqnn::tools
