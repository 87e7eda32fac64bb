// SPDX-License-Identifier: BSD-3-Clause
// What reading a file finds (read.cc, follow.cc): the texts and examples of its codes.
#include "config/rule.h"

namespace openqnn::config {
namespace {

constexpr std::string_view kGoodFile = R"({"graphs": [{"graph_names": ["g"], "O": 3}]})";
constexpr std::string_view kOuterFileOfReading = R"({
  "backend_extensions": {
    "shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "htp.json"
  }
})";
constexpr std::string_view kOurJson =
    "RFC 8259; what else we accept is our own choice, so that hand-made files load.";

constexpr RuleDef kReadingRules[] = {
    {
        .code = "json-syntax",
        .severity = Severity::kError,
        .title = "The text is not JSON.",
        .why = "No tool reads the file; the vendor's tools may go on without it.",
        .instead = "Mend the place that the message points at. A missing comma is mended by `openqnn fix`.",
        .source = "RFC 8259.",
        .bad = {.text = "{\"graphs\": [{\"graph_names\": [\"g\"]\n  \"O\": 3}]}"},
        .good = {.text = kGoodFile},
    },
    {
        .code = "json-utf8",
        .severity = Severity::kError,
        .title = "The text is not UTF-8.",
        .why = "JSON is UTF-8; names in other encodings never match those of the model.",
        .instead = "Save the file as UTF-8.",
        .source = "RFC 8259.",
        .bad = {.text = "{\"graphs\": [{\"graph_names\": [\"caf\xe9\"]}]}"},
        .good = {.text = "{\"graphs\": [{\"graph_names\": [\"caf\xc3\xa9\"]}]}"},
    },
    {
        .code = "json-depth",
        .severity = Severity::kError,
        .title = "Brackets are nested too deeply.",
        .why = "No configuration needs more than a few levels; a file with more is a mistake or an attack.",
        .instead = "Look for a bracket that is not closed where it should be.",
        .source = "Our own limit: 64 levels.",
        .bad = {.text =
                    "{\"graphs\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["},
        .good = {.text = kGoodFile},
    },
    {
        .code = "json-size",
        .severity = Severity::kError,
        .title = "The file is too large.",
        .why = "Configuration files have kilobytes; a file beyond 64 MB is something else.",
        .instead = "Check that the path names the configuration and not a model or a log.",
        .source = "Our own limit: 64 MB.",
        .bad = {},  // takes more than a short text
        .good = {.text = kGoodFile},
    },
    {
        .code = "json-duplicate-key",
        .severity = Severity::kError,
        .title = "An object has the same key twice.",
        .why = "Which of the two counts depends on the reader.",
        .instead = "Keep one of them.",
        .source = "RFC 8259: names should be unique, and behaviour is unpredictable otherwise.",
        .bad = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 2, "O": 3}]})"},
        .good = {.text = R"({"graphs": [{"graph_names": ["g"], "O": 2}, {"graph_names": ["h"], "O": 3}]})"},
    },
    {
        .code = "file-unreadable",
        .severity = Severity::kError,
        .title = "The file cannot be read.",
        .why = "It is missing, a directory, or not open to you; the vendor's tools often go on without it.",
        .instead = "Check the path and the permissions.",
        .source = "Users' reports: a configuration that is silently not used.",
        .bad = {},  // takes more than a short text
        .good = {.text = kGoodFile},
    },
    {
        .code = "empty-file",
        .severity = Severity::kError,
        .title = "The file is empty.",
        .why = "An empty text is not JSON; often the disk was full or a template was not filled in.",
        .instead = "Write at least {}; `openqnn new` makes a file to start from.",
        .source = "RFC 8259.",
        .bad = {.text = "\n"},
        .good = {.text = "{}\n"},
    },
    {
        .code = "not-an-object",
        .severity = Severity::kError,
        .title = "The file is JSON, but no object.",
        .why = "Every configuration is an object of sections; a list or a string has none.",
        .instead = "Put the sections into { }.",
        .source = "HTP backend page: the schema of the file is an object.",
        .bad = {.text = R"([{"graph_names": ["g"], "O": 3}])"},
        .good = {.text = kGoodFile},
    },
    {
        .code = "unknown-kind",
        .severity = Severity::kError,
        .title = "No key of the file belongs to a configuration of a QNN tool.",
        .why = "It is another program's file, and QNN's tools read nothing from it.",
        .instead = "Check the path; `openqnn new` makes a file to start from.",
        .source = "Public files: one for another reader handed to this one.",
        .bad = {.text = R"({"scripts": {"build": "make"}})"},
        .good = {.text = R"({"memory": {"mem_type": "shared_buffer"}})"},
    },
    {
        .code = "wrong-kind",
        .severity = Severity::kError,
        .title = "The file is a configuration, but of another kind than belongs here.",
        .why = "--config_file takes the tool file, which names the backend's file. The backend's file in its "
               "place is silently ignored by one release and refused by a later one.",
        .instead = "Pass the tool file to the tool, and name the backend's file in its config_file_path.",
        .source = "Tool documentation and public files: inner and outer file exchanged.",
        .bad = {.text = kGoodFile, .flags = "--tool qnn-context-binary-generator"},
        .good = {.text = kOuterFileOfReading,
                 .inner = kGoodFile,
                 .flags = "--tool qnn-context-binary-generator"},
    },
    {
        .code = "inner-file-missing",
        .severity = Severity::kError,
        .title = "The file that a relative config_file_path or backendConfig names is not there.",
        .why = "The vendor's tools report an invalid configuration, or go on without the backend's options.",
        .instead = "Correct the path. A relative path starts in the directory in which the tool runs.",
        .source = "Users' reports: paths that are wrong are reported as an invalid configuration.",
        .bad = {.text = R"({
  "backend_extensions": {
    "shared_library_path": "libQnnHtpNetRunExtensions.so", "config_file_path": "hpt.json"
  }
})"},
        .good = {.text = kOuterFileOfReading, .inner = kGoodFile},
    },
    {
        .code = "inner-file-elsewhere",
        .title = "The named file is beside this one, but not in the working directory.",
        .why = "The vendor's tools look for relative paths in the directory in which they run.",
        .instead = "Run the tool in the folder of the file, or write an absolute path.",
        .source = "Users' reports: library and configuration paths that are not found.",
        .bad = {.text = kOuterFileOfReading},
        .good = {.text = kOuterFileOfReading, .inner = kGoodFile},
    },
    {
        .code = "input-list",
        .severity = Severity::kError,
        .title = "An input list has not the form that the tools read.",
        .why = "A line that is misread feeds the wrong tensor, or the run stops at it.",
        .instead = "Write one line per inference: the bare path of a single input, or name:=path for each of "
                   "several.",
        .source = "Tool documentation: the form of input lists.",
    },
    {
        .code = "input-file-missing",
        .severity = Severity::kError,
        .title = "An input list names a file that is not there.",
        .why = "The run stops at the first such line, perhaps after hours.",
        .instead = "Run the tool in the directory that the paths start from, or write absolute paths.",
        .source = "Users' reports: relative paths in input lists start at the working directory.",
    },
    {
        .code = "byte-order-mark",
        .severity = Severity::kError,
        .title = "The file starts with a byte order mark.",
        .why = "Strict JSON readers refuse it. It is let pass unless --strict is given.",
        .instead = "Save the file without it, or let `openqnn fix` remove it.",
        .source = kOurJson,
        .bad = {.text = "\xef\xbb\xbf{\"graphs\": []}", .flags = "--strict"},
        .good = {.text = "\xef\xbb\xbf{\"graphs\": []}"},
    },
    {
        .code = "comment",
        .severity = Severity::kError,
        .title = "The file has comments.",
        .why = "The documents show them, but strict JSON readers refuse them. They are let pass unless "
               "--strict is given.",
        .instead =
            "Use a key that begins with an underscore, such as \"_comment\", where a tool refuses comments.",
        .source = kOurJson,
        .bad = {.text = "{\"graphs\": []  // none yet\n}", .flags = "--strict"},
        .good = {.text = R"({"_comment": "none yet", "graphs": []})", .flags = "--strict"},
    },
    {
        .code = "trailing-comma",
        .severity = Severity::kError,
        .title = "A comma stands before a closing bracket.",
        .why =
            "Strict JSON readers refuse it, though the documents' own samples have it. It is let pass unless "
            "--strict is given.",
        .instead = "Remove it, or let `openqnn fix` do so.",
        .source = kOurJson,
        .bad = {.text = R"({"lpai_graph": {"execute": {"fps": 1,}}})", .flags = "--strict"},
        .good = {.text = R"({"lpai_graph": {"execute": {"fps": 1,}}})"},
    },
    {
        .code = "pasted-schema",
        .severity = Severity::kError,
        .title = "A piece of a JSON Schema stands where a value belongs.",
        .why = "The documents print schemas that look like files; copied, they set nothing.",
        .instead = "Write values: 1 instead of {\"type\": \"integer\"}.",
        .source = "HTP backend page and LPAI configuration page, which print both schema and samples.",
        .bad = {.text = R"({"lpai_graph": {"execute": {"fps": {"type": "integer"}}}})"},
        .good = {.text = R"({"lpai_graph": {"execute": {"fps": 1}}})"},
    },
    {
        .code = "too-many-graphs",
        .severity = Severity::kError,
        .title = "The file has more than a million graph entries.",
        .why = "No tool takes that many; it is a mistake of a script or an attack.",
        .instead = "List several names in one entry's graph_names.",
        .source = "Our own limit.",
        .bad = {},  // takes more than a short text
        .good = {.text = kGoodFile},
    },
};

}  // namespace

std::span<const RuleDef> reading_rules() { return kReadingRules; }

}  // namespace openqnn::config
