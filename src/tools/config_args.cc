// SPDX-License-Identifier: BSD-3-Clause
#include "tools/config_args.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "config/render.h"
#include "tools/console.h"
#include "tools/file_kind.h"

namespace openqnn::tools {
namespace {

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    if (comma > begin) names.emplace_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return names;
}

}  // namespace

std::vector<OptionSpec> circumstance_options(std::vector<OptionSpec> more, std::string_view kinds) {
  std::vector<OptionSpec> options = {
      {"--tool", "NAME",
       "who reads the file: qnn-net-run, qnn-context-binary-generator,\n"
       "qnn-throughput-net-run or qnn-profile-viewer",
       false, "qnn-net-run qnn-context-binary-generator qnn-throughput-net-run qnn-profile-viewer"},
      {"--stage", "WHEN",
       "offline or online prepare, binary (a finished context binary is\nrun), execute or report", false,
       "offline online binary execute report"},
      {"--soc", "NAME", "the part: SM8650, its QNN number 57, or \"Snapdragon 8 Gen 3\""},
      {"--platform", "NAME", "where the tool runs: x86_64-linux, aarch64-android, aarch64-windows, …", false,
       "x86_64-linux x86_64-windows aarch64-android aarch64-windows aarch64-linux aarch64-qnx"},
      {"--sdk", "VERSION", "the SDK of the tools, e.g. 2.36"},
      {"--graphs", "A,B", "the graphs of the model, to find names that match none"},
      {"--kind", "NAME", "what the file is meant to be: htp, tool, lpai, data-format, optrace, throughput",
       false, kinds},
      {"--strict", "", "refuse what is not strictly legal: comments, 1 for true, …"},
  };
  std::move(more.begin(), more.end(), std::back_inserter(options));
  return options;
}

Result<config::Kind> kind_argument(std::string_view name) {
  const config::KindDef* def = config::find_kind(name);
  if (def != nullptr && def->kind != config::Kind::kCompile) return def->kind;
  std::string known;
  for (const config::KindDef& each : config::kinds()) {
    if (each.kind != config::Kind::kCompile) append_item(known, each.name);
  }
  return invalid("option-value", concat("there is no kind of file '", name, "'"))
      .fix_by(concat("--kind takes ", known));
}

Result<config::CheckOptions> check_options(const Args& args) {
  config::CircumstanceNames names;
  names.tool = args.get("--tool");
  names.stage = args.get("--stage");
  names.soc = args.get("--soc");
  names.platform = args.get("--platform");
  names.sdk = args.get("--sdk");
  if (args.has("--graphs")) names.graphs = split_names(args.get("--graphs"));
  names.strict = args.has("--strict");
  config::CheckOptions options;
  OPENQNN_ASSIGN(options.circumstances, config::circumstances_of(names));
  if (args.has("--kind")) {
    OPENQNN_ASSIGN(options.kind, kind_argument(args.get("--kind")));
  }
  return options;
}

void print_findings(const config::Document& document, const config::CheckOptions& options, bool json) {
  const std::string text =
      config::render_text(config::check_document(document, options), {.colour = !json && wants_colour()});
  json ? print_error(text) : print(text);
}

Status expect_configuration(const std::string& path) {
  if (path == "-" || kind_of_file(path) == FileKind::kEmpty) return {};  // the check tells of an empty one
  return expect_kind(path, {FileKind::kJson});
}

Status expect_configurations(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) OPENQNN_TRY(expect_configuration(path));
  return {};
}

int wrong_value(const Diagnostic& diagnostic) {
  fail("wrong value of an option", diagnostic);
  return kUsage;
}

}  // namespace openqnn::tools
