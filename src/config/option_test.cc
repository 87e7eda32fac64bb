// SPDX-License-Identifier: BSD-3-Clause
#include "config/option.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <thread>

#include "base/text.h"
#include "json/json.h"

namespace openqnn::config {
namespace {

using Visit = std::function<void(const PlacedSection&, const OptionDef&)>;

void for_each_option(const Visit& visit) {
  for (const KindDef& kind : kinds())
    for (const PlacedSection& section : sections_of(kind.kind))
      for (const OptionDef& option : section.section->options) visit(section, option);
}

std::string where(const PlacedSection& section, const OptionDef& option) {
  return concat(section.path, ".", option.name);
}

bool is_sentence(std::string_view text) {
  return text.size() > 1 && text.ends_with('.') && (text[0] < 'a' || text[0] > 'z') &&
         text.find("..") == text.npos;
}

bool is_choice(const OptionDef& option, std::string_view value) {
  for (const Choice& choice : option.choices)
    if (choice.value == value) return true;
  return false;
}

bool in_range(const OptionDef& option, const json::Value& value) {
  const auto number = value.as_double();
  return number && *number >= static_cast<double>(option.min) &&
         (option.max == kNoLimit || *number <= static_cast<double>(option.max));
}

bool is_legal(const OptionDef& option, const json::Value& value) {
  using Kind = json::Value::Kind;
  switch (option.type) {
    case Type::kBool:
      return value.kind() == Kind::kBool;
    case Type::kInteger:
      if (!option.choices.empty()) return is_choice(option, value.number_text());
      return value.as_int64() && in_range(option, value);
    case Type::kNumber:
      return in_range(option, value) && (!option.whole || value.as_int64());
    case Type::kString:
      return value.kind() == Kind::kString &&
             (option.choices.empty() || is_choice(option, value.as_string()));
    case Type::kIntegers:
      for (const json::Value& item : value.as_array())
        if (!item.as_int64() || !in_range(option, item)) return false;
      return value.kind() == Kind::kArray;
    default:
      return false;  // no other type has a default in JSON
  }
}

// ---- The tables are sound ----

TEST(OptionTables, SpellingsAreUniqueInTheirSection) {
  for (const KindDef& kind : kinds()) {
    for (const PlacedSection& section : sections_of(kind.kind)) {
      std::set<std::string_view> seen;
      for (const OptionDef& option : section.section->options) {
        ASSERT_FALSE(option.name.empty()) << section.path;
        for (const std::string_view spelling : option.spellings())
          EXPECT_TRUE(seen.insert(spelling).second) << where(section, option);
      }
    }
  }
}

TEST(OptionTables, DefaultsAreLegal) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    for (const std::string_view text : {option.default_json, option.python_default_json}) {
      if (text.empty() || text == "null") continue;
      const auto value = json::parse(text, "default");
      ASSERT_TRUE(value) << where(section, option) << ": " << text;
      EXPECT_TRUE(is_legal(option, *value)) << where(section, option) << ": " << text;
    }
    EXPECT_TRUE(option.python_default_json != "null" || option.python_optional) << where(section, option);
  });
}

TEST(OptionTables, EveryOptionSaysWhatHappensWithoutIt) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    if (option.is_container()) return;
    EXPECT_NE(option.required, !option.default_json.empty() || !option.default_words.empty())
        << where(section, option);
  });
}

TEST(OptionTables, TextsAreSentences) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    EXPECT_TRUE(is_sentence(option.summary)) << where(section, option) << ": " << option.summary;
    EXPECT_TRUE(option.help.empty() || option.help.ends_with('.'))
        << where(section, option) << ": " << option.help;
    EXPECT_FALSE(option.applies.ends_with('.')) << where(section, option);  // `explain` adds the full stop
    EXPECT_FALSE(option.without_effect.ends_with('.')) << where(section, option);
  });
  for (const KindDef& kind : kinds())
    for (const PlacedSection& section : sections_of(kind.kind))
      EXPECT_TRUE(is_sentence(section.section->summary)) << kind.name << " " << section.path;
}

TEST(OptionTables, DisagreementsSayWhichReadingApplies) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    EXPECT_EQ(option.readings[0].who.empty(), option.applies.empty()) << where(section, option);
    for (const Reading& reading : option.readings)
      EXPECT_EQ(reading.who.empty(), reading.says.empty()) << where(section, option);
  });
}

TEST(OptionTables, ContainersHaveSectionsAndOthersNone) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    EXPECT_EQ(option.is_container(), option.section != nullptr) << where(section, option);
    const bool is_number = option.type == Type::kInteger || option.type == Type::kNumber;
    EXPECT_TRUE(is_number || !(option.also_bool || option.whole || option.on_from_one))
        << where(section, option);
  });
}

// The schema lists required keys by name alone.
TEST(OptionTables, RequiredKeysHaveOneSpelling) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    EXPECT_TRUE(!option.required || option.spellings().size() == 1) << where(section, option);
  });
}

TEST(OptionTables, UnconfirmedNamesAreNewer) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    EXPECT_TRUE(!option.unconfirmed || option.is_newer()) << where(section, option);
  });
}

// ---- Finding ----

TEST(FindOption, EverySpellingFindsItsOption) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    for (const std::string_view spelling : option.spellings())
      EXPECT_EQ(find_option(*section.section, spelling), &option) << where(section, option);
  });
}

TEST(FindOption, OtherKeysFindNothing) {
  EXPECT_EQ(find_option(kGraphSection, ""), nullptr);
  EXPECT_EQ(find_option(kGraphSection, "VTCM_MB"), nullptr);
  EXPECT_EQ(find_option(kGraphSection, "soc_model"), nullptr);
  EXPECT_EQ(find_option(kDeviceSection, "vtcm_mb"), nullptr);
  EXPECT_EQ(find_option(kGraphSection, std::string(100'000, 'x')), nullptr);
}

TEST(FindOption, TheSameKeyMeansAnotherOptionElsewhere) {
  const OptionDef* on_device = find_option(kDeviceSection, "core_id");
  const OptionDef* in_core = find_option(kCoreSection, "core_id");
  ASSERT_TRUE(on_device != nullptr && in_core != nullptr);
  EXPECT_EQ(on_device->type, Type::kIntegers);
  EXPECT_EQ(in_core->type, Type::kInteger);
  EXPECT_EQ(find_option(kDeviceSection, "id")->name, "device_id");
  EXPECT_EQ(find_option(kCoreSection, "id")->name, "core_id");
}

TEST(FindOption, TagsLeadBack) {
  for_each_option([](const PlacedSection& section, const OptionDef& option) {
    const uint16_t tag = tag_of(*section.section, &option);
    EXPECT_NE(tag, 0) << where(section, option);
    EXPECT_EQ(option_of_tag(*section.section, tag), &option);
  });
  EXPECT_EQ(tag_of(kGraphSection, nullptr), 0);
  EXPECT_EQ(option_of_tag(kGraphSection, 0), nullptr);
  EXPECT_EQ(option_of_tag(kGraphSection, 60'000), nullptr);
}

// Sections are found by a table of fixed size; half empty, it stays fast.
TEST(FindOption, TheIndexHasRoom) {
  size_t spellings = 0;
  for_each_option(
      [&](const PlacedSection&, const OptionDef& option) { spellings += option.spellings().size(); });
  EXPECT_LT(spellings, 512u);
}

TEST(FindOption, ThreadsMayAskFirst) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] { EXPECT_NE(find_option(kGraphSection, "vtcm_size_in_mb"), nullptr); });
  for (std::thread& thread : threads) thread.join();
}

TEST(Kinds, AreFoundByName) {
  for (const KindDef& kind : kinds()) {
    EXPECT_EQ(find_kind(kind.name), &kind);
    EXPECT_EQ(&kind_def(kind.kind), &kind);
  }
  EXPECT_EQ(find_kind("snpe"), nullptr);
  EXPECT_EQ(kinds().back().kind, Kind::kCompile);
}

TEST(Kinds, SectionsComeParentsFirst) {
  std::vector<std::string> paths;
  for (const PlacedSection& section : sections_of(Kind::kHtp)) paths.push_back(section.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"", "graphs[]", "devices[]", "devices[].cores[]", "context[]",
                                             "memory", "groupContext"}));
  EXPECT_EQ(sections_of(Kind::kLpai)[2].path, "lpai_graph");
  EXPECT_EQ(sections_of(Kind::kLpai)[4].path, "lpai_graph.execute");
}

TEST(TypeText, SaysWhatAValueMayBe) {
  EXPECT_EQ(type_text(*find_option(kCoreSection, "rpc_polling_time")), "integer, 0 to 9999 µs");
  EXPECT_EQ(type_text(*find_option(kGraphSection, "weights_packing")), "true or false");
  EXPECT_EQ(type_text(*find_option(kDeviceSection, "pd_session")), "one of unsigned, signed");
  EXPECT_EQ(type_text(*find_option(kGraphSection, "O")), "integer, 1 to 3");
  EXPECT_EQ(type_text(*find_option(kGraphSection, "graph_names")), "list of strings, or one string");
  EXPECT_EQ(type_text(*find_option(kGraphSection, "dlbc_weights")),
            "0 for off, or a number of at least 1 for on");
  EXPECT_EQ(type_text(*find_option(kHtpFile, "graphs")), "object or list of objects");
  EXPECT_EQ(type_text(*find_option(kGraphSection, "fp16_relaxed_precision")),
            "integer, 0 to 1, or true or false");
}

TEST(Names, OfToolsStagesAndVersions) {
  EXPECT_EQ(tool_name(Tool::kThroughputNetRun), "qnn-throughput-net-run");
  EXPECT_EQ(stage_name(Stage::kOffline), "offline prepare");
  EXPECT_EQ((Sdk{2, 39}).to_string(), "2.39");
  EXPECT_LT((Sdk{2, 9}), (Sdk{2, 10}));
}

// ---- The tables are complete: written down a second time, from the documents ----

struct PythonField {
  const SectionDef* section;
  std::string_view field;
  std::string_view default_json;  // "required" where there is none
};

const PythonField kPythonFields[] = {
    {&kContextSection, "extended_udma", "false"},
    {&kContextSection, "file_read_memory_budget_in_mb", "0"},
    {&kContextSection, "group_id", "0"},
    {&kContextSection, "init_acceleration", "false"},
    {&kContextSection, "io_memory_estimation", "false"},
    {&kContextSection, "lora_weight_sharing", "false"},
    {&kContextSection, "lora_weight_sharing_ram_preload", "false"},
    {&kContextSection, "max_spill_fill_buffer_for_group", "0"},
    {&kContextSection, "weight_sharing_enabled", "false"},
    {&kDeviceSection, "core_ids", "null"},
    {&kDeviceSection, "core_type", "0"},
    {&kDeviceSection, "cores", ""},
    {&kDeviceSection, "dsp_arch", "null"},
    {&kDeviceSection, "id", "0"},
    {&kDeviceSection, "pd_session", "\"unsigned\""},
    {&kDeviceSection, "profiling_level", "\"linting\""},
    {&kDeviceSection, "soc_id", "0"},
    {&kDeviceSection, "soc_model", "0"},
    {&kCoreSection, "adaptive_polling_time", "0"},
    {&kCoreSection, "hmx_timeout_us", "300000"},
    {&kCoreSection, "id", "0"},
    {&kCoreSection, "perf_profile", "\"burst\""},
    {&kCoreSection, "rpc_control_latency", "100"},
    {&kCoreSection, "rpc_polling_time", "9999"},
    {&kGraphSection, "advanced_activation_fusion", "true"},
    {&kGraphSection, "assume_same_quant", "false"},
    {&kGraphSection, "dlbc", "0"},
    {&kGraphSection, "dlbc_weights", "0"},
    {&kGraphSection, "finalize_config", "null"},
    {&kGraphSection, "fold_relu_activation_into_conv_off", "false"},
    {&kGraphSection, "fp16_relaxed_precision", "0"},
    {&kGraphSection, "hvx_threads", "0"},
    {&kGraphSection, "monolithic_lstm", "false"},
    {&kGraphSection, "name", "required"},
    {&kGraphSection, "num_cores", "null"},
    {&kGraphSection, "optimization_type", "2"},
    {&kGraphSection, "short_depth_conv_on_hmx_off", "false"},
    {&kGraphSection, "use_high_precision_fp16_sigmoid", "false"},
    {&kGraphSection, "vtcm_size", "0"},
    {&kGraphSection, "vtcm_size_in_mb", "0"},
    {&kGraphSection, "weights_packing", "false"},
    {&kGroupContextSection, "share_resources", "false"},
    {&kMemorySection, "mem_type", "\"shared_buffer\""},
};

// feature: A2 (inside)
TEST(OptionTables, HaveEveryFieldOfThePythonClasses) {
  for (const PythonField& expected : kPythonFields) {
    const OptionDef* option = find_option(*expected.section, expected.field);
    ASSERT_NE(option, nullptr) << expected.field;
    EXPECT_EQ(option->python_name(), expected.field);
    EXPECT_TRUE(option->in_python) << expected.field;
    if (expected.default_json == "required") {
      EXPECT_TRUE(option->python_required) << expected.field;
      continue;
    }
    const std::string_view given =
        option->python_default_json.empty() ? option->default_json : option->python_default_json;
    EXPECT_EQ(given, expected.default_json) << expected.field;
  }
}

TEST(OptionTables, HaveNoOtherPythonFields) {
  std::set<std::pair<const SectionDef*, std::string_view>> known;
  for (const PythonField& expected : kPythonFields) known.insert({expected.section, expected.field});
  for (const SectionDef* section : {&kContextSection, &kDeviceSection, &kCoreSection, &kGraphSection,
                                    &kGroupContextSection, &kMemorySection}) {
    for (const OptionDef& option : section->options)
      EXPECT_EQ(option.in_python, known.contains({section, option.python_name()})) << option.name;
  }
}

struct FileKeys {
  const SectionDef* section;
  std::vector<std::string_view> keys;
};

// feature: A2 (inside)
TEST(OptionTables, HaveEveryKeyOfTheDocumentedFiles) {
  const FileKeys documented[] = {
      {&kGraphSection,
       {"graph_names", "vtcm_mb", "hvx_threads", "O", "dlbc", "weights_packing", "num_cores",
        "short_depth_conv_on_hmx_off", "fold_relu_activation_into_conv_off", "dlbc_weights", "vtcm_size",
        "slc_alloc_enable", "fp16_relaxed_precision", "sparse_weights_compression", "finalize_config"}},
      {&kDeviceSection,
       {"device_id", "core_id", "core_type", "soc_id", "soc_model", "dsp_arch", "pd_session",
        "profiling_level", "use_client_context", "cores"}},
      {&kCoreSection,
       {"core_id", "perf_profile", "rpc_control_latency", "rpc_polling_time", "hmx_timeout_us",
        "adaptive_polling_time"}},
      {&kContextSection,
       {"weight_sharing_enabled", "max_spill_fill_buffer_for_group", "group_id",
        "file_read_memory_budget_in_mb", "io_memory_estimation", "init_acceleration", "lora_weight_sharing",
        "extended_udma", "reused_io_limit_mb", "concurrent_deserialization_patch"}},
      {&kGroupContextSection, {"share_resources", "reused_io_limit_mb"}},
      {&kMemorySection, {"mem_type"}},
      {&kHtpFile, {"graphs", "devices", "context", "groupContext", "memory"}},
      {&kToolFile,
       {"backend_extensions", "context_configs", "graph_configs", "profile_configs",
        "async_graph_execution_config"}},
      {&kLpaiFile, {"lpai_backend", "lpai_graph", "lpai_profile", "lpai_debug"}},
      {&kOptraceFile, {"features"}},
      {&kDataFormatFile, {"graphs"}},
      {&kThroughputFile, {"backends", "models", "contexts", "testCase"}},
      {&kCompileConfig,
       {"backend", "backend_binary_path", "compiler_custom_configs", "context_custom_configs",
        "data_format_config", "debug", "device_custom_configs", "enable_intermediate_outputs",
        "graph_custom_configs", "group_context_config", "io_tensor_mem_type", "log_level",
        "memory_custom_config", "op_packages", "set_output_tensors", "soc_details"}},
  };
  for (const FileKeys& expected : documented)
    for (const std::string_view key : expected.keys) {
      const OptionDef* option = find_option(*expected.section, key);
      ASSERT_NE(option, nullptr) << key;
      EXPECT_EQ(option->name, key);
    }
}

// Files that several tools are given: each option says which of them read it, or is one of a few of which no
// document tells.
// feature: A11 (inside)
TEST(OptionTables, SayWhoReadsAnOptionOfASharedFile) {
  const std::set<std::string> read_by_all = {"htp.context",  // its options say it one by one
                                             "htp.context[].extended_udma",
                                             "htp.context[].reused_io_limit_mb",
                                             "htp.context[].detachable_buffers_enabled"};
  std::set<std::string> silent;
  for (const Kind kind : {Kind::kHtp, Kind::kTool, Kind::kLpai})
    for (const PlacedSection& section : sections_of(kind))
      for (const OptionDef& option : section.section->options)
        if (option.tools.empty())
          silent.insert(
              concat(kind_def(kind).name, ".", section.path, section.path.empty() ? "" : ".", option.name));
  EXPECT_EQ(silent, read_by_all);
}

// An option is read by no tool that does not read the section it stands in.
TEST(OptionTables, SectionsAreReadByWhoeverReadsTheirOptions) {
  for_each_option([](const PlacedSection& placed, const OptionDef& container) {
    if (!container.is_container() || container.tools.empty()) return;
    for (const OptionDef& option : container.section->options)
      EXPECT_EQ(option.tools.bits & ~container.tools.bits, 0u)
          << where(placed, container) << "." << option.name;
  });
}

// Who reads what, as the comments of the documented schema say.
// feature: A11 (inside)
TEST(OptionTables, KnowWhoReadsAnOption) {
  const auto reads = [](const SectionDef& section, std::string_view key, Tool tool) {
    return find_option(section, key)->tools.has(tool);
  };
  EXPECT_TRUE(reads(kGraphSection, "vtcm_mb", Tool::kNetRun));
  EXPECT_FALSE(reads(kGraphSection, "num_cores", Tool::kNetRun));
  EXPECT_TRUE(reads(kGraphSection, "num_cores", Tool::kContextBinaryGenerator));
  EXPECT_FALSE(reads(kCoreSection, "perf_profile", Tool::kContextBinaryGenerator));
  EXPECT_TRUE(reads(kContextSection, "init_acceleration", Tool::kThroughputNetRun));
  EXPECT_FALSE(reads(kContextSection, "weight_sharing_enabled", Tool::kNetRun));
  EXPECT_TRUE(find_option(kGraphSection, "O")->stages.has(Stage::kOnline));
  EXPECT_FALSE(find_option(kGraphSection, "O")->stages.has(Stage::kLoad));
}

}  // namespace
}  // namespace openqnn::config
