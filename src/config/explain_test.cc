// SPDX-License-Identifier: BSD-3-Clause
#include "config/explain.h"

#include <gtest/gtest.h>

#include <set>

namespace openqnn::config {
namespace {

std::vector<std::string> paths(const OptionSearch& search) {
  std::vector<std::string> out;
  for (const Explained& one : search.found)
    out.push_back(std::string(one.kind->name) + ":" + option_path(*one.section, *one.option));
  return out;
}

using Paths = std::vector<std::string>;

TEST(FindOptions, ByNameInEitherSpelling) {
  EXPECT_EQ(paths(find_options("vtcm_mb")), Paths{"htp:graphs[].vtcm_mb"});
  EXPECT_EQ(paths(find_options("vtcm_size_in_mb")), Paths{"htp:graphs[].vtcm_mb"});
  EXPECT_EQ(paths(find_options("graphs_retention_order")),
            Paths{"tool:context_configs.graph_retention_order"});
}

TEST(FindOptions, ByAsMuchOfThePlaceAsIsNeeded) {
  EXPECT_EQ(paths(find_options("core_id")),
            (Paths{"htp:devices[].core_id", "htp:devices[].cores[].core_id"}));
  EXPECT_EQ(paths(find_options("cores.core_id")), Paths{"htp:devices[].cores[].core_id"});
  EXPECT_EQ(paths(find_options("graphs[3].vtcm_mb")), Paths{"htp:graphs[].vtcm_mb"});
  EXPECT_EQ(paths(find_options("lpai.lpai_graph.execute.fps")), Paths{"lpai:lpai_graph.execute.fps"});
  EXPECT_EQ(paths(find_options("tool.graph_configs.graph_name")), Paths{"tool:graph_configs[].graph_name"});
  EXPECT_EQ(paths(find_options("compile.debug")), Paths{"compile:debug"});
}

TEST(FindOptions, TypingErrorsFindTheNearest) {
  const OptionSearch search = find_options("vtmc_mb");
  EXPECT_EQ(search.likeness, Likeness::kSlip);
  EXPECT_EQ(paths(search), Paths{"htp:graphs[].vtcm_mb"});
  EXPECT_EQ(paths(find_options("momory_limit_hint")), Paths{"tool:context_configs.memory_limit_hint"});
  EXPECT_TRUE(find_options("something else entirely").found.empty());
  EXPECT_TRUE(find_options("").found.empty());
  EXPECT_TRUE(find_options("[]").found.empty());
}

TEST(FindOptions, PartsOfNamesFindAllThatHaveThem) {
  const OptionSearch search = find_options("profiling");
  EXPECT_EQ(search.likeness, Likeness::kPart);
  EXPECT_EQ(paths(search).front(), "htp:devices[].profiling_level");  // begins with it
  EXPECT_EQ(paths(find_options("dlbc_wei")), Paths{"htp:graphs[].dlbc_weights"});
  EXPECT_EQ(paths(find_options("VTCM-MB")), Paths{"htp:graphs[].vtcm_mb"});
}

TEST(FindOptions, TheOptionOfTheCApiFindsItsOption) {
  const OptionSearch search = find_options("QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB");
  EXPECT_EQ(search.likeness, Likeness::kName);
  EXPECT_EQ(paths(search), Paths{"htp:graphs[].vtcm_mb"});
}

TEST(NamesWith, BeginningsComeFirst) {
  EXPECT_EQ(names_with("SOC_ID", {"a-soc-id", "soc-id-deprecated", "soc"}),
            (std::vector<std::string_view>{"soc-id-deprecated", "a-soc-id"}));
}

std::string explained(std::string_view name) {
  const OptionSearch search = find_options(name);
  if (search.found.empty()) return "";
  const Explained& one = search.found.front();
  return explain_option(*one.kind, *one.section, *one.option);
}

void expect_says(std::string_view text, std::string_view words) {
  EXPECT_NE(text.find(words), std::string_view::npos) << "missing: " << words << "\nin:\n" << text;
}

TEST(ExplainOption, SaysEverythingThatIsKnown) {
  const std::string text = explained("vtcm_mb");
  expect_says(text, "graphs[].vtcm_mb  (HTP backend file)\n");
  expect_says(text, "type          integer, at least 0 MB\n");
  expect_says(text, "default       4; in Python 0\n");
  expect_says(text, "Python        HtpGraphConfig.vtcm_size_in_mb\n");
  expect_says(text, "read by       qnn-net-run and qnn-context-binary-generator");
  expect_says(text, "C API         QNN_HTP_GRAPH_CONFIG_OPTION_VTCM_SIZE_IN_MB\n");
}

// feature: A12 (inside)
TEST(ExplainOption, ShowsBothReadingsAndTheOneThatApplies) {
  const std::string text = explained("perf_profile");
  expect_says(text, "The documents disagree:\n");
  expect_says(text, "HTP backend page  default high_performance\n");
  expect_says(text, "Python reference  default burst\n");
  expect_says(text, "Here: files: high_performance; Python objects: burst.\n");
  EXPECT_EQ(explained("weights_packing").find("disagree"), std::string::npos);
}

struct Dispute {
  std::string_view option;
  std::string_view here;  // which reading applies, on which surface
};

// Written down a second time: a table that forgets one, or changes its mind, is noticed.
const Dispute kDisputes[] = {
    {"htp.graphs", "both forms are read; lists are written"},
    {"htp.context", "both forms are read; an object stays an object, Python writes a list"},
    {"graphs.vtcm_mb",
     "a file without the key gets 4 MB; a Python object writes the field only when it was set"},
    {"graphs.vtcm_size",
     "the key is in bytes everywhere and becomes …_VTCM_SIZE_IN_BYTES; the C name stays in MB"},
    {"graphs.hvx_threads", "0 and an absent key both mean: 4 offline, the part's maximum online"},
    {"graphs.O", "1 to 3 are accepted; 1 is noted for SDKs newer than 2.39"},
    {"graphs.dlbc", "files take whole numbers from 0, Python 0 or 1; it acts offline only"},
    {"graphs.dlbc_weights", "a switch on its own: 1 and more is on, between 0 and 1 is refused"},
    {"graphs.num_cores", "None and an absent key both mean one core"},
    {"devices.core_id", "both places are read: the list selects cores, the number names one"},
    {"devices.profiling_level",
     "files: not set; Python objects show linting and write it only when it was set"},
    {"cores.core_id", "read in both places: here a number, on the device a list"},
    {"cores.perf_profile", "files: high_performance; Python objects: burst"},
    {"cores.rpc_control_latency", "files and Python: 100; a client of the C API that votes nothing: 0"},
    {"cores.rpc_polling_time", "files: by profile, at most 9999; Python objects: 9999"},
    {"context.max_spill_fill_buffer_for_group",
     "it acts when those tools load a binary, since neither prepares offline; 0 is not set"},
    {"context.group_id", "files: not set; Python objects: 0; it acts when a binary is loaded"},
    {"memory.mem_type", "files: not set; Python objects: shared_buffer"},
    {"groupContext.share_resources",
     "it acts when a list of binaries is loaded; in a file for preparing it is kept and has no effect"},
    {"tool.backend_extensions",
     "this file is for the first two; qnn-throughput-net-run reads the same HTP file through backendConfig"},
    {"tool.context_configs.graph_retention_order",
     "graph_retention_order; the plural is read with a warning"},
    {"lpai.lpai_graph.execute.ftrt_ratio", "a factor in tenths on the base clock"},
    {"lpai.lpai_graph.execute.core_selection",
     "the mask: 1 selects core 0, so 1 is noted as a possible mix-up"},
    {"data-format.graphs.graph_name", "both are read"},
    {"throughput.backends.backendExtensions",
     "they are loaded; the HTP page's own schema names this tool as well"},
};

// Lines are broken to fit; the sentence is not.
std::string in_one_line(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != '\n' && c != ' ')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  return out;
}

// feature: A12 (inside)
TEST(ExplainOption, TellsOfEveryDisagreementWhatAppliesHere) {
  for (const Dispute& dispute : kDisputes) {
    const std::string text = in_one_line(explained(dispute.option));
    expect_says(text, "The documents disagree:");
    expect_says(text, "Here: " + std::string(dispute.here) + ".");
  }
  std::set<const OptionDef*> disputed;  // the Python fields are those of files a second time
  for (const KindDef& kind : kinds())
    for (const PlacedSection& section : sections_of(kind.kind))
      for (const OptionDef& option : section.section->options)
        if (!option.applies.empty()) disputed.insert(&option);
  EXPECT_EQ(disputed.size(), std::size(kDisputes)) << "each has its row above";
}

TEST(ExplainOption, ShowsLimits) {
  expect_says(explained("extended_udma"), "parts         v81 and later\n");
  expect_says(explained("use_client_context"), "parts         before v68\n");
  expect_says(explained("soc_id"), "status        deprecated; instead: soc_model\n");
  expect_says(explained("fp16_relaxed_precision"), "deprecated from SDK 2.35");
  expect_says(explained("monolithic_lstm"), "SDK           newer than SDK 2.39\n");
  expect_says(explained("ddr_perf_mode"), "in public files, in no document");
  expect_says(explained("perf_profile"), "llm_decode_burst");
  expect_says(explained("graph_retention_order"), "also read as  graphs_retention_order\n");
}

TEST(ExplainOption, ListsWhatASectionHolds) {
  expect_says(explained("htp.devices.cores"), "  Holds:\n    core_id");
}

TEST(ExplainOption, LinesFitATerminal) {
  for (const KindDef& kind : kinds())
    for (const PlacedSection& section : sections_of(kind.kind))
      for (const OptionDef& option : section.section->options) {
        const std::string text = explain_option(kind, section, option);
        size_t column = 0;
        for (const char c : text) {
          const bool continues = (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;  // of a UTF-8 character
          column = c == '\n' ? 0 : column + (continues ? 0 : 1);
          ASSERT_LE(column, 120u) << text;
        }
      }
}

TEST(ExplainRule, SaysWhyAndWhatInstead) {
  const RuleDef rule = {.code = "a-rule",
                        .severity = Severity::kError,
                        .title = "Two things that exclude each other.",
                        .why = "Both want the same memory.",
                        .instead = "Choose one.",
                        .source = "HTP backend page: they exclude each other",
                        .bad = {.text = "{\n  \"a\": 1\n}", .flags = "--soc SM8650"},
                        .good = {.text = "{}"}};
  EXPECT_EQ(explain_rule(rule),
            "a-rule  (rule of `openqnn check`, error)\n"
            "  Two things that exclude each other.\n"
            "\n"
            "  why           Both want the same memory.\n"
            "  instead       Choose one.\n"
            "  source        HTP backend page: they exclude each other\n"
            "\n"
            "  Found with --soc SM8650:\n"
            "    {\n"
            "      \"a\": 1\n"
            "    }\n"
            "\n"
            "  Not found:\n"
            "    {}\n");
}

// ---- The reference page ----

TEST(OptionsPage, EveryLinkLeadsToAnAnchor) {
  const std::string page = options_page();
  std::set<std::string> anchors;
  for (size_t at = page.find("<a id=\""); at != page.npos; at = page.find("<a id=\"", at + 1)) {
    const size_t begin = at + 7;
    EXPECT_TRUE(anchors.insert(page.substr(begin, page.find('"', begin) - begin)).second)
        << "twice: " << page.substr(at, 60);
  }
  size_t links = 0;
  for (size_t at = page.find("](#"); at != page.npos; at = page.find("](#", at + 1)) {
    const std::string target = page.substr(at + 3, page.find(')', at) - at - 3);
    EXPECT_TRUE(anchors.contains(target)) << target;
    ++links;
  }
  EXPECT_GT(links, 150u);
}

TEST(OptionsPage, HasEveryOption) {
  const std::string page = options_page();
  for (const KindDef& kind : kinds())
    for (const PlacedSection& section : sections_of(kind.kind))
      for (const OptionDef& option : section.section->options)
        expect_says(page, option.summary.substr(0, option.summary.find_first_of("|<*")));
}

}  // namespace
}  // namespace openqnn::config
