// SPDX-License-Identifier: BSD-3-Clause
// Extension libraries: every option of their files has a place in the C API, or a reason why not.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "HTP/QnnHtpCommon.h"
#include "HTP/QnnHtpProfile.h"
#include "LPAI/QnnLpaiCommon.h"
#include "base/text.h"
#include "tools/extensions/htp_lowering.h"
#include "tools/extensions/lpai_lowering.h"

namespace openqnn::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// ---- The tables ----

// feature: D2 (inside)
TEST(HtpLowerings, EveryOptionOfTheFileHasOne) {
  for (const config::PlacedSection& placed : config::sections_of(config::Kind::kHtp))
    for (const config::OptionDef& option : placed.section->options) {
      if (option.is_container()) continue;
      const auto count = std::ranges::count_if(htp_lowerings(), [&](const HtpLowering& lowering) {
        return lowering.section == placed.section && lowering.option == option.name;
      });
      EXPECT_EQ(count, 1) << placed.path << "." << option.name;
    }
}

TEST(HtpLowerings, EachIsAboutAnOptionAndSaysOneThing) {
  for (const HtpLowering& lowering : htp_lowerings()) {
    const config::OptionDef* const option = config::find_option(*lowering.section, lowering.option);
    ASSERT_NE(option, nullptr) << lowering.option;
    EXPECT_EQ(option->name, lowering.option) << "spelt as in the option table";
    const int said = (lowering.lower != nullptr) + !lowering.read_with.empty() + !lowering.no_effect.empty();
    EXPECT_EQ(said, 1) << lowering.option;
  }
}

// feature: D2 (inside)
TEST(LpaiLowerings, EveryOptionOfTheFileHasOne) {
  size_t options = 0;
  for (const config::PlacedSection& placed : config::sections_of(config::Kind::kLpai))
    for (const config::OptionDef& option : placed.section->options) {
      if (option.is_container()) continue;
      ++options;
      const auto count = std::ranges::count_if(lpai_lowerings(), [&](const LpaiLowering& lowering) {
        return lowering.section == placed.section->name && lowering.option == option.name &&
               (lowering.lower != nullptr) != !lowering.no_effect.empty();
      });
      EXPECT_EQ(count, 1) << placed.path << "." << option.name;
    }
  EXPECT_EQ(lpai_lowerings().size(), options);
}

// ---- HTP ----

struct Lowered {
  config::Document document;
  HtpOptions options;
  Status status;
};

std::unique_ptr<Lowered> lower(const std::string& text, config::Stage stage = config::Stage::kOffline,
                               std::optional<config::Tool> tool = std::nullopt,
                               const std::string& profile = "") {
  auto lowered = std::make_unique<Lowered>();
  lowered->document = config::read("htp.json", text, config::Kind::kHtp);
  lowered->status = lower_htp(&*lowered->document.config, {tool, stage, profile}, lowered->options);
  return lowered;
}

// The C API's numbers of the options of graph `g`.
std::vector<uint32_t> graph_numbers(Lowered& lowered) {
  std::vector<uint32_t> numbers;
  for (const QnnHtpGraph_CustomConfig_t& custom : lowered.options.graphs["g"].customs())
    numbers.push_back(custom.option);
  return numbers;
}

TEST(LowerHtp, GraphOptionsKeepTheirValues) {
  const auto lowered = lower(
      R"({"graphs": [{"graph_names": ["g", "h"], "vtcm_mb": 8, "hvx_threads": 6, "O": 3.0, "dlbc": 1,
                      "fold_relu_activation_into_conv_off": true, "finalize_config": {"P": 5}}]})");
  ASSERT_TRUE(lowered->status);
  EXPECT_THAT(
      graph_numbers(*lowered),
      ElementsAre(QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB, QNN_HTP_GRAPH_CONFIG_OPTION_NUM_HVX_THREADS,
                  QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION, QNN_HTP_GRAPH_CONFIG_OPTION_OPTIMIZATION,
                  QNN_HTP_GRAPH_CONFIG_OPTION_FOLD_RELU_ACTIVATION_INTO_CONV_OFF,
                  QNN_HTP_GRAPH_CONFIG_OPTION_FINALIZE_CONFIG));
  const auto& options = lowered->options.graphs["g"].customs();
  EXPECT_EQ(options[0].vtcmSizeInMB, 8u);
  EXPECT_EQ(options[1].numHvxThreads, 6u);
  EXPECT_EQ(options[2].optimizationOption.type, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_FINALIZE_OPTIMIZATION_FLAG);
  EXPECT_EQ(options[2].optimizationOption.floatValue, 3.0F);
  EXPECT_EQ(options[3].optimizationOption.type, QNN_HTP_GRAPH_OPTIMIZATION_TYPE_ENABLE_DLBC);
  EXPECT_TRUE(options[4].foldReluActivationIntoConvOff);
  EXPECT_STREQ(options[5].finalizeConfig.key, "P");
  EXPECT_EQ(options[5].finalizeConfig.value.int32Value, 5);
  EXPECT_EQ(lowered->options.graphs.at("h").size(), options.size());
}

TEST(LowerHtp, NoThreadsAndNoNamesAreNoOptions) {
  EXPECT_THAT(graph_numbers(*lower(R"({"graphs": [{"graph_names": ["g"], "hvx_threads": 0}]})")), IsEmpty());
  EXPECT_THAT(lower(R"({"graphs": [{"vtcm_mb": 8}]})")->options.graphs, IsEmpty());
}

TEST(LowerHtp, GraphOptionsAreLeftOutOfABinaryThatIsFinished) {
  const auto lowered = lower(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}]})", config::Stage::kLoad);
  EXPECT_THAT(lowered->options.graphs, IsEmpty());
}

TEST(LowerHtp, TheSocModelWinsOverItsOldName) {
  const auto lowered = lower(R"({"devices": [{"soc_model": 57, "soc_id": 43, "dsp_arch": "v75",
                                              "pd_session": "signed"}]})");
  const auto& device = lowered->options.device.customs();
  ASSERT_EQ(device.size(), 3u);
  EXPECT_EQ(device[0].option, QNN_HTP_DEVICE_CONFIG_OPTION_SOC);
  EXPECT_EQ(device[0].socModel, 57u);
  EXPECT_EQ(device[1].arch.arch, QNN_HTP_DEVICE_ARCH_V75);
  EXPECT_TRUE(device[2].useSignedProcessDomain.useSignedProcessDomain);
}

TEST(LowerHtp, ANumberThatIsTooLargeBecomesNoOther) {
  const auto lowered = lower(R"({"devices": [{"soc_model": 4294967353}]})");  // 57 in 32 bits
  EXPECT_EQ(lowered->options.device.customs()[0].socModel, UINT32_MAX);
}

TEST(LowerHtp, AContextFoundsAGroupWithId0Alone) {
  const auto founds =
      lower(R"({"context": {"max_spill_fill_buffer_for_group": 4096, "group_id": 0}})", config::Stage::kLoad);
  ASSERT_EQ(founds->options.context.size(), 1u);
  EXPECT_EQ(founds->options.context.customs()[0].groupRegistration.maxSpillFillBuffer, 4096u);
  const auto joins = lower(R"({"context": {"max_spill_fill_buffer_for_group": 4096}})", config::Stage::kLoad);
  EXPECT_EQ(joins->options.context.size(), 0u);
  EXPECT_THAT(joins->options.warnings, ElementsAre(HasSubstr("has no effect without group_id 0")));
}

TEST(LowerHtp, AnOptionWithoutEffectIsTold) {
  const auto lowered = lower(R"({"devices": [{"core_type": 1}]})", config::Stage::kOnline);
  EXPECT_THAT(lowered->options.warnings,
              ElementsAre("devices[0].core_type has no effect here: one core of one kind is modelled"));
}

constexpr const char* kCore =
    R"({"devices": [{"cores": [{"core_id": 0, "perf_profile": "balanced", "rpc_polling_time": 50,
                                "hmx_timeout_us": 7}]}]})";

TEST(LowerHtp, CoresVoteTheirProfileAndTheDocumentedDefaults) {
  const auto lowered = lower(kCore, config::Stage::kOnline, config::Tool::kNetRun);
  ASSERT_EQ(lowered->options.cores.size(), 1u);
  EXPECT_EQ(lowered->options.cores[0].profile, "balanced");
  const auto votes = power_configs(lowered->options.cores[0]);
  ASSERT_TRUE(votes);
  ASSERT_EQ(votes->size(), 4u);
  EXPECT_EQ(votes->at(0).dcvsV3Config.coreVoltageCornerTarget, DCVS_VOLTAGE_VCORNER_NOM_PLUS);
  EXPECT_EQ(votes->at(1).option, QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_RPC_POLLING_TIME);
  EXPECT_EQ(votes->at(1).rpcPollingTimeConfig, 50u);
  EXPECT_EQ(votes->at(2).rpcControlLatencyConfig, 100u) << "the files' default";
  EXPECT_EQ(votes->at(3).hmxTimeoutIntervalUsConfig, 7u);
}

TEST(LowerHtp, TheCommandLinesProfileWins) {
  const auto lowered = lower(kCore, config::Stage::kOnline, config::Tool::kNetRun, "burst");
  EXPECT_EQ(lowered->options.cores[0].profile, "burst");
  EXPECT_EQ(lowered->options.cores[0].rpc_polling_us, 50u) << "what else the file says stays";
}

TEST(LowerHtp, AGeneratorVotesNothing) {
  EXPECT_THAT(lower(kCore, config::Stage::kOffline, config::Tool::kContextBinaryGenerator)->options.cores,
              IsEmpty());
}

TEST(LowerHtp, TheCustomProfileIsRefused) {
  const auto lowered = lower(R"({"devices": [{"cores": [{"perf_profile": "custom"}]}]})",
                             config::Stage::kOnline, config::Tool::kNetRun);
  ASSERT_FALSE(lowered->status);
  EXPECT_THAT(lowered->status.error().message, HasSubstr("no document describes"));
}

// Every cell of the documents' table, as the backend gets it.
// feature: B7 (inside)
TEST(PowerConfigs, TheNineProfilesVoteTheDocumentedTable) {
  struct Row {
    const char* profile;
    uint32_t sleep_us, polling_us, corner;  // DCVS is off, and all six corners are alike
  };
  const Row rows[] = {{"burst", 40, 9999, DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER},
                      {"sustained_high_performance", 100, 9999, DCVS_VOLTAGE_VCORNER_TURBO},
                      {"high_performance", 100, 9999, DCVS_VOLTAGE_VCORNER_TURBO},
                      {"balanced", 1000, 0, DCVS_VOLTAGE_VCORNER_NOM_PLUS},
                      {"low_balanced", 1000, 0, DCVS_VOLTAGE_VCORNER_NOM},
                      {"high_power_saver", 1000, 0, DCVS_VOLTAGE_VCORNER_SVS_PLUS},
                      {"power_saver", 1000, 0, DCVS_VOLTAGE_VCORNER_SVS},
                      {"low_power_saver", 1000, 0, DCVS_VOLTAGE_VCORNER_SVS2},
                      {"extreme_power_saver", 1000, 0, DCVS_VOLTAGE_CORNER_DISABLE}};
  for (const Row& row : rows) {
    CoreVotes core;
    core.profile = row.profile;
    const auto votes = power_configs(core);
    ASSERT_TRUE(votes) << row.profile;
    ASSERT_EQ(votes->size(), row.polling_us > 0 ? 2U : 1U) << row.profile;
    const QnnHtpPerfInfrastructure_DcvsV3_t& vote = votes->at(0).dcvsV3Config;
    EXPECT_TRUE(vote.setDcvsEnable && vote.setSleepLatency && vote.setBusParams && vote.setCoreParams)
        << row.profile;
    EXPECT_EQ(vote.dcvsEnable, 0U) << row.profile;
    EXPECT_EQ(vote.sleepLatency, row.sleep_us) << row.profile;
    for (const uint32_t corner :
         {vote.busVoltageCornerMin, vote.busVoltageCornerTarget, vote.busVoltageCornerMax,
          vote.coreVoltageCornerMin, vote.coreVoltageCornerTarget, vote.coreVoltageCornerMax})
      EXPECT_EQ(corner, row.corner) << row.profile;
    if (row.polling_us > 0) {
      EXPECT_EQ(votes->at(1).rpcPollingTimeConfig, row.polling_us) << row.profile;
    }
  }
  CoreVotes none;
  none.profile = "system_settings";
  EXPECT_TRUE(power_configs(none)->empty());
}

TEST(PowerConfigs, BetweenStagesTheyFallToTheStateOfTheProfile) {
  struct Row {
    const char* profile;
    uint32_t core;  // 0: nothing is cast
    uint32_t sleep_us;
    bool held;
  };
  const Row rows[] = {{"burst", DCVS_VOLTAGE_VCORNER_SVS, 2000, true},
                      {"sustained_high_performance", DCVS_VOLTAGE_VCORNER_SVS, 2000, true},
                      {"high_performance", DCVS_VOLTAGE_VCORNER_SVS, 2000, false},
                      {"balanced", DCVS_VOLTAGE_VCORNER_SVS, 2000, false},
                      {"low_balanced", DCVS_VOLTAGE_VCORNER_SVS, 2000, false},
                      {"high_power_saver", DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER, 65535, false},
                      {"power_saver", DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER, 65535, false},
                      {"low_power_saver", DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER, 65535, false},
                      {"extreme_power_saver", DCVS_VOLTAGE_VCORNER_MIN_VOLTAGE_CORNER, 65535, false},
                      {"system_settings", 0, 0, false},
                      {"llm_decode_balanced", 0, 0, false},
                      {"", 0, 0, false}};
  for (const Row& row : rows) {
    CoreVotes core;
    core.profile = row.profile;
    const auto votes = lowered_power_configs(core);
    ASSERT_TRUE(votes) << row.profile;
    EXPECT_EQ(votes->empty(), row.core == 0) << row.profile;
    EXPECT_EQ(*hold_time_us(core) > 0, row.held) << row.profile;
    if (votes->empty()) continue;
    const auto& clocks = votes->at(0).dcvsV3Config;
    EXPECT_EQ(clocks.coreVoltageCornerTarget, row.core) << row.profile;
    EXPECT_EQ(clocks.sleepLatency, row.sleep_us) << row.profile;
    EXPECT_EQ(clocks.dcvsEnable, 1U) << row.profile;
  }
}

TEST(PowerConfigs, WhatNeedsTheHigherVotesIsTakenBackWithThem) {
  CoreVotes core;
  core.profile = "burst";
  core.adaptive_polling_us = 1000;
  core.ddr_performance = 1;
  const auto votes = lowered_power_configs(core);
  ASSERT_TRUE(votes);
  ASSERT_EQ(votes->size(), 4U);
  for (size_t i = 1; i < votes->size(); ++i) EXPECT_EQ(votes->at(i).rpcPollingTimeConfig, 0U) << i;
}

TEST(PowerConfigs, InternalStatesCannotBeChosen) {
  CoreVotes core;
  core.profile = "released";
  const auto votes = power_configs(core);
  ASSERT_FALSE(votes);
  EXPECT_NE(votes.error().message.find("cannot be chosen"), std::string::npos);
}

TEST(PowerConfigs, EveryProfileThatCanBeChosenHasVotesTheHeadersKnow) {
  for (const config::OptionDef& option : config::kCoreSection.options) {
    if (option.name != "perf_profile") continue;
    for (const config::Choice& choice : option.choices) {
      if (choice.value == "custom") continue;
      CoreVotes core;
      core.profile = choice.value;
      const auto votes = power_configs(core);
      ASSERT_TRUE(votes) << choice.value;
      for (const PowerConfig& vote : *votes) {
        if (vote.option == QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_DCVS_V3) {
          EXPECT_NE(vote.dcvsV3Config.coreVoltageCornerTarget, DCVS_VOLTAGE_VCORNER_UNKNOWN) << choice.value;
          EXPECT_NE(vote.dcvsV3Config.busVoltageCornerMax, DCVS_VOLTAGE_VCORNER_UNKNOWN) << choice.value;
        }
        if (vote.option == QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_HMX_V2) {
          EXPECT_NE(vote.hmxV2Config.hmxVoltageCornerTarget, DCVS_EXP_VCORNER_UNKNOWN) << choice.value;
        }
        if (vote.option == QNN_HTP_PERF_INFRASTRUCTURE_POWER_CONFIGOPTION_CENG) {
          EXPECT_NE(vote.cengConfig.cengVoltageCornerTarget, DCVS_VOLTAGE_VCORNER_UNKNOWN) << choice.value;
        }
      }
    }
  }
}

// ---- The libraries ----

class Library {
 public:
  explicit Library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {}
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  const OpenQnnExtension_Interface_t* interface(uint32_t version = OPENQNN_EXTENSION_VERSION) const {
    void* const symbol = handle_ == nullptr ? nullptr : dlsym(handle_, OPENQNN_EXTENSION_ENTRY);
    return symbol == nullptr ? nullptr : reinterpret_cast<OpenQnnExtension_GetInterfaceFn_t>(symbol)(version);
  }

 private:
  void* handle_;
};

class File {
 public:
  explicit File(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / concat("extensions_test_", getpid(), ".json"))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

struct Told {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  static void hear(void* listener, QnnLog_Level_t level, const char* line) {
    Told& told = *static_cast<Told*>(listener);
    (level == QNN_LOG_LEVEL_ERROR ? told.errors : told.warnings).emplace_back(line);
  }
};

OpenQnnExtension_Request_t request(const char* file, const char* tool, OpenQnnExtension_Stage_t stage,
                                   Told& told) {
  return {file, tool, stage, nullptr, Told::hear, &told};
}

TEST(Libraries, TellTheirBackendAndKnowOneVersion) {
  const Library htp(OPENQNN_HTP_EXTENSIONS);
  ASSERT_NE(htp.interface(), nullptr);
  EXPECT_EQ(htp.interface()->backendId, static_cast<uint32_t>(QNN_BACKEND_ID_HTP));
  EXPECT_EQ(htp.interface(OPENQNN_EXTENSION_VERSION + 1), nullptr);
  const Library lpai(OPENQNN_LPAI_EXTENSIONS);
  ASSERT_NE(lpai.interface(), nullptr);
  EXPECT_EQ(lpai.interface()->backendId, static_cast<uint32_t>(QNN_BACKEND_ID_LPAI));
}

TEST(Libraries, HtpGivesListsThatEndWithNull) {
  const Library library(OPENQNN_HTP_EXTENSIONS);
  const OpenQnnExtension_Interface_t& htp = *library.interface();
  const File file(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}], "devices": [{"soc_model": 57}],
                      "context": {"weight_sharing_enabled": true}})");
  Told told;
  const auto asked =
      request(file.path(), "qnn-context-binary-generator", OPENQNN_EXTENSION_STAGE_OFFLINE, told);
  const OpenQnnExtension_Handle_t handle = htp.open(&asked);
  ASSERT_NE(handle, nullptr);
  EXPECT_THAT(told.errors, IsEmpty());
  EXPECT_EQ(htp.backendConfigs(handle)[0], nullptr);
  ASSERT_NE(htp.deviceConfigs(handle)[0], nullptr);
  EXPECT_EQ(htp.deviceConfigs(handle)[1], nullptr);
  ASSERT_NE(htp.contextConfigs(handle)[0], nullptr);
  EXPECT_STREQ(htp.graphNames(handle)[0], "g");
  EXPECT_EQ(htp.graphNames(handle)[1], nullptr);
  const auto* const custom =
      static_cast<const QnnHtpGraph_CustomConfig_t*>(htp.graphConfigs(handle, "g")[0]->customConfig);
  EXPECT_EQ(custom->vtcmSizeInMB, 8u);
  EXPECT_EQ(htp.graphConfigs(handle, "other")[0], nullptr);
  EXPECT_EQ(htp.profileLevel(handle), 0u);
  EXPECT_EQ(htp.sharedBuffers(handle), 0u);
  htp.close(handle);
}

TEST(Libraries, AFileWithErrorsIsRefusedWithAllOfThem) {
  const Library library(OPENQNN_HTP_EXTENSIONS);
  const File file(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": -1, "O": "three"}]})");
  Told told;
  const auto asked = request(file.path(), "qnn-net-run", OPENQNN_EXTENSION_STAGE_ONLINE, told);
  EXPECT_EQ(library.interface()->open(&asked), nullptr);
  EXPECT_THAT(told.errors, ElementsAre(HasSubstr(".json:1:47: "), HasSubstr(".json:1:56: ")));
}

// The interface is C: what a listener throws (it may run out of memory, as the library may) ends there.
TEST(Libraries, NoExceptionCrossesTheInterface) {
  const Library library(OPENQNN_HTP_EXTENSIONS);
  const File file(R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": -1}]})");
  int calls = 0;
  const OpenQnnExtension_Request_t asked = {
      file.path(),
      "qnn-net-run",
      OPENQNN_EXTENSION_STAGE_ONLINE,
      nullptr,
      [](void* listener, QnnLog_Level_t /*level*/, const char* /*line*/) {
        ++*static_cast<int*>(listener);
        throw std::bad_alloc();
      },
      &calls};
  OpenQnnExtension_Handle_t handle = nullptr;
  EXPECT_NO_THROW(handle = library.interface()->open(&asked));
  EXPECT_EQ(handle, nullptr);
  EXPECT_EQ(calls, 2) << "the error of the file, then why it was not told";
}

TEST(Libraries, ADifferentKindOfFileIsRefused) {
  const Library library(OPENQNN_HTP_EXTENSIONS);
  const File file(R"({"lpai_backend": {"target_env": "x86"}})");
  Told told;
  const auto asked = request(file.path(), "qnn-net-run", OPENQNN_EXTENSION_STAGE_ONLINE, told);
  EXPECT_EQ(library.interface()->open(&asked), nullptr);
  EXPECT_THAT(told.errors, ElementsAre(HasSubstr("LPAI")));
}

// feature: D2 (inside)
TEST(Libraries, LpaiLowersHardwareAndRate) {
  const Library library(OPENQNN_LPAI_EXTENSIONS);
  const OpenQnnExtension_Interface_t& lpai = *library.interface();
  const File file(R"({"lpai_backend": {"target_env": "x86", "enable_hw_ver": "v5"},
                      "lpai_graph": {"execute": {"fps": 30, "client_type": "non_real_time", "affinity": "hard",
                                                 "core_selection": 2}}, "lpai_debug": {"force_nhwc": true}})");
  Told told;
  auto asked = request(file.path(), "qnn-context-binary-generator", OPENQNN_EXTENSION_STAGE_OFFLINE, told);
  OpenQnnExtension_Handle_t handle = lpai.open(&asked);
  ASSERT_NE(handle, nullptr);
  const auto& backend =
      *static_cast<const QnnLpaiBackend_CustomConfig_t*>(lpai.backendConfigs(handle)[0]->customConfig);
  const auto& hardware = *static_cast<const QnnLpaiBackend_CustomConfigHwInfo_t*>(backend.config);
  EXPECT_EQ(hardware.lpaiTarget, QNN_LPAI_BACKEND_TARGET_X86);
  EXPECT_EQ(hardware.hwVersion, QNN_LPAI_BACKEND_HW_VERSION_V5);
  EXPECT_EQ(lpai.graphConfigs(handle, "any")[0], nullptr) << "the rate counts while executing";
  EXPECT_THAT(told.warnings, ElementsAre(HasSubstr("lpai_debug.force_nhwc has no effect here")));
  lpai.close(handle);

  asked = request(file.path(), "qnn-net-run", OPENQNN_EXTENSION_STAGE_LOAD, told);
  handle = lpai.open(&asked);
  ASSERT_NE(handle, nullptr);
  EXPECT_EQ(lpai.backendConfigs(handle)[0], nullptr);
  const auto* const* const graph = lpai.graphConfigs(handle, "any");
  const auto& rate = *static_cast<const QnnLpaiGraph_CustomConfig_t*>(graph[0]->customConfig);
  EXPECT_EQ(static_cast<const QnnLpaiGraph_PerfCfg_t*>(rate.config)->fps, 30u);
  const auto& core = *static_cast<const QnnLpaiGraph_CustomConfig_t*>(graph[1]->customConfig);
  EXPECT_EQ(static_cast<const QnnLpaiGraph_CoreAffinity_t*>(core.config)->coreSelection, 2u);
  lpai.close(handle);
}

}  // namespace
}  // namespace openqnn::tools
