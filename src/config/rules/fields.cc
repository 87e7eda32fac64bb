// SPDX-License-Identifier: BSD-3-Clause
// What is found in each field by itself (fields.cc): the texts and examples of its codes.
#include "config/rule.h"

namespace openqnn::config {
namespace {

constexpr RuleDef kFieldRules[] = {
    {
        .code = "unknown-key",
        .title = "A section has a key that no option is called.",
        .why = "The vendor's tools ignore it without a word, so a typing error looks like an option without "
               "effect.",
        .instead =
            "Correct the spelling; `openqnn fix` does when only one name comes near. Keys that begin with an "
            "underscore are left alone.",
        .source = "Public files: momory_limit_hint and others.",
        .bad = {.text = R"({"context_configs": {"momory_limit_hint": 0}})"},
        .good = {.text = R"({"context_configs": {"memory_limit_hint": 0, "_comment": "off"}})"},
    },
    {
        .code = "misplaced-key",
        .title = "An option stands in a section that does not have it.",
        .why = "The key is right and the place is wrong; the tools ignore it without a word.",
        .instead = "Move it to the section that the message names.",
        .source =
            "Public files: extended_udma under memory, features in the tool file or without its wrapper.",
        .bad = {.text = R"({"memory": {"mem_type": "shared_buffer", "extended_udma": true}})"},
        .good = {.text = R"({"memory": {"mem_type": "shared_buffer"}, "context": {"extended_udma": true}})"},
    },
    {
        .code = "foreign-key",
        .title = "A key is the name that another runtime has for an option.",
        .why = "ONNX Runtime, the TFLite delegate and the SNPE tools have names of their own; QNN's tools "
               "ignore them.",
        .instead = "Use the name that the message gives.",
        .source = "Public files: htp_arch for dsp_arch.",
        .bad = {.text = R"({"devices": [{"htp_arch": "73"}]})"},
        .good = {.text = R"({"devices": [{"dsp_arch": "v73"}]})"},
    },
    {
        .code = "unknown-section",
        .title = "The top of the file has a key that no section is called.",
        .why = "The vendor's tools drop the whole section without a word.",
        .instead = "Correct the name, or move the options to a section that exists.",
        .source = "Public files: invented sections, silently dropped.",
        .bad = {.text = R"({"graphs": [], "quantization_overrides": {}})"},
        .good = {.text = R"({"graphs": [], "_note": {}})"},
    },
    {
        .code = "wrong-type",
        .severity = Severity::kError,
        .title = "A value has another type than the option takes.",
        .why = "The tools refuse the value or ignore the key. Switches written 0 and 1 are common and "
               "understood: a warning, and an error with --strict.",
        .instead = "Write a value of the type that the message names.",
        .source = "The tables of options, made from the documents' schemas.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "O": "three"}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 3.0}]})"},
    },
    {
        .code = "wrong-shape",
        .title = "A list is written as an object, or the reverse.",
        .why = "Some releases read both, others only the documented form.",
        .instead = "Put brackets around the object, or take them away; `openqnn fix` adds them.",
        .source = "HTP backend page: devices is a list. Public files and Python write other forms.",
        .bad = {.text = R"({"devices": {"soc_model": 57}})"},
        .good = {.text =
                     R"({"context": [{"weight_sharing_enabled": false}], "graphs": {"graph_names": ["g"]}})"},
    },
    {
        .code = "number-as-string",
        .title = "A number is written as a string.",
        .why = "Files made from other runtimes' option maps have them; a tool that asks for a number ignores "
               "them.",
        .instead = "Remove the quotes, or let `openqnn fix` do so.",
        .source = "Public files: \"soc_model\": \"60\".",
        .bad = {.text = R"({"devices": [{"soc_model": "60"}]})"},
        .good = {.text = R"({"devices": [{"soc_model": 60}]})"},
    },
    {
        .code = "out-of-range",
        .severity = Severity::kError,
        .title = "A number is smaller or larger than the option takes.",
        .why = "The tools refuse it or cut it off. RPC polling, for instance, goes to 9999 in files, "
               "although the C API takes 10000.",
        .instead = "Use a value within the limits that the message names.",
        .source = "The tables of options, made from the documents.",
        .bad = {.text = R"({"devices": [{"cores": [{"rpc_polling_time": 10000}]}]})"},
        .good = {.text = R"({"devices": [{"cores": [{"rpc_polling_time": 9999}]}]})"},
    },
    {
        .code = "unknown-choice",
        .severity = Severity::kError,
        .title = "A text is none of the values that the option knows.",
        .why = "The tools refuse the file or fall back to a default.",
        .instead = "Use one of the values that the message lists; `openqnn fix` mends small typing errors.",
        .source = "Public files: \"pd_session\": \"unisgned\".",
        .bad = {.text = R"({"devices": [{"pd_session": "unisgned"}]})"},
        .good = {.text = R"({"devices": [{"pd_session": "unsigned"}]})"},
    },
    {
        .code = "repeated-option",
        .title = "An option is given twice, in two spellings.",
        .why = "Files and Python have different names for some options; with both, the later one counts "
               "here, and other readers may choose otherwise.",
        .instead = "Keep the name that files use.",
        .source = "HTP backend extensions guide: O and vtcm_mb are aliases of Python's names.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 3, "optimization_type": 2}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "optimization_type": 2}]})"},
    },
    {
        .code = "misspelt-in-documents",
        .title = "A key is spelt as a slip of the documents has it.",
        .why = "The text of a page says graphs_retention_order, its sample graph_retention_order; the tools "
               "know the second.",
        .instead = "Use the name of the sample, or let `openqnn fix` rename it.",
        .source = "HTP backend page, on switching between several graphs.",
        .bad = {.text = R"({
  "context_configs": {"is_persistent_binary": true, "memory_limit_hint": 1, "graphs_retention_order": ["a"]}
})"},
        .good = {.text = R"({
  "context_configs": {"is_persistent_binary": true, "memory_limit_hint": 1, "graph_retention_order": ["a"]}
})"},
    },
    {
        .code = "placeholder",
        .severity = Severity::kError,
        .title = "A placeholder was not filled in.",
        .why = "A template was copied or a script did not expand its variables; the tools take the text as "
               "it is.",
        .instead = "Put the real value in its place.",
        .source = "Public files: $dsp_arch, {SOC_ID}, <GRAPH_NAME>, <TODO>.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["<GRAPH_NAME>"], "O": 3}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["a<b"], "O": 3}]})"},
    },
    {
        .code = "missing-key",
        .severity = Severity::kError,
        .title = "A key is missing without which the entry means nothing.",
        .why = "The tool refuses the entry.",
        .instead = "Add the key that the message names.",
        .source = "Tool documentation: keys marked as required.",
        .bad = {.text = R"({"graph_configs": [{"graph_priority": "high"}]})"},
        .good = {.text = R"({"graph_configs": [{"graph_name": "g", "graph_priority": "high"}]})"},
    },
    {
        .code = "legacy-flat-file",
        .title = "The options stand at the top of the file, without sections.",
        .why = "An old form of the file; current tools ignore keys that are in no section.",
        .instead = "Move each key into graphs, devices or cores.",
        .source = "Public files: {\"vtcm_mb\": 8, \"dsp_arch\": \"v69\"}.",
        .bad = {.text = R"({"vtcm_mb": 8, "dsp_arch": "v69"})"},
        .good =
            {.text =
                 R"({"graphs": [{"graph_names": ["g"], "vtcm_mb": 8}], "devices": [{"dsp_arch": "v69"}]})"},
    },
    {
        .code = "huge-number",
        .severity = Severity::kError,
        .title = "A number does not fit into 64 bits.",
        .why = "Readers turn it into something else, each in its own way.",
        .instead = "Write a number that can be meant.",
        .source = "Our own limit: 64 bits.",
        .bad = {.text = R"({"context_configs": {"async_execute_queue_depth": 100000000000000000000}})"},
        .good = {.text = R"({"context_configs": {"async_execute_queue_depth": 300}})"},
    },
    {
        .code = "newer-name",
        .title = "An option or value is newer than the SDK you named.",
        .why = "An older SDK ignores the key or refuses the value.",
        .instead = "Use a newer SDK, or do without it.",
        .source = "Newer HTP page and public files: names that came after 2.39.",
        .bad = {.text =
                    R"({"devices": [{"dsp_arch": "v79", "cores": [{"perf_profile": "llm_decode_burst"}]}]})",
                .flags = "--sdk 2.39"},
        .good = {.text =
                     R"({"devices": [{"dsp_arch": "v79", "cores": [{"perf_profile": "llm_decode_burst"}]}]})",
                 .flags = "--sdk 2.48"},
    },
    {
        .code = "unconfirmed-name",
        .severity = Severity::kNote,
        .title = "A key is in public files but in no document.",
        .why = "It may work with some SDK; nobody promises it. Said only with --strict.",
        .instead = "Make sure that your SDK reads it.",
        .source = "Public files, each name seen once.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "share_io_buffer": true}]})",
                .flags = "--strict"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "share_io_buffer": true}]})"},
    },
};

}  // namespace

std::span<const RuleDef> field_rules() { return kFieldRules; }

}  // namespace openqnn::config
