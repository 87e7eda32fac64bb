// SPDX-License-Identifier: BSD-3-Clause
// openqnn new: a configuration file to start from.
#include <algorithm>
#include <array>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "config/create.h"
#include "tools/commands.h"
#include "tools/config_args.h"
#include "tools/console.h"
#include "tools/products.h"

namespace openqnn::tools {
namespace {

constexpr std::string_view kCannotMake = "cannot make the file";

// Files that name the graphs of a model.
constexpr std::array kKindsWithGraphs = {config::Kind::kHtp, config::Kind::kDataFormat,
                                         config::Kind::kThroughput};

Result<config::Purpose> purpose_argument(const std::string& name) {
  if (const auto purpose = config::find_purpose(name)) return *purpose;
  std::string known;
  for (size_t i = 0; i < config::kPurposeCount; ++i)
    known += concat(i == 0 ? "" : ", ", purpose_name(static_cast<config::Purpose>(i)));
  return invalid("option-value", concat("there is no purpose '", name, "'"))
      .fix_by(concat("--purpose takes ", known));
}

Result<config::CreateOptions> create_options(const Args& args) {
  config::CreateOptions options;
  OPENQNN_ASSIGN(options.kind, kind_argument(args.get("--kind", "htp")));
  OPENQNN_ASSIGN(options.purpose, purpose_argument(args.get("--purpose", "latency")));
  config::CircumstanceNames names;
  names.soc = args.get("--soc");
  names.sdk = args.get("--sdk");
  OPENQNN_ASSIGN(const config::Circumstances circumstances, config::circumstances_of(names));
  options.soc = circumstances.soc;
  options.sdk = circumstances.sdk;
  options.graphs = args.all("--graph");
  options.comments = !args.has("--no-comments");
  const bool has_graphs = std::ranges::find(kKindsWithGraphs, options.kind) != kKindsWithGraphs.end();
  if (args.has("--graph") && !has_graphs)
    return wrong_option("--graph", concat("it has no effect on the ", config::kind_def(options.kind).title))
        .fix_by("leave it out");
  return options;
}

Status write_new(const std::string& path, const std::string& text, bool force) {
  std::error_code ignored;
  if (!force && std::filesystem::exists(path, ignored))
    return invalid("file-exists", "the file exists already")
        .at(path)
        .fix_by("choose another name, or add --force");
  return write_file(path, text);
}

int run_new(const Args& args) {
  const auto options = create_options(args);
  if (!options) return wrong_value(options.error());
  const std::string path = args.get("--out");
  if (args.has("--out")) {
    if (const Status writable = check_output_file(path); !writable)
      return fail(kCannotMake, writable.error());
  }
  const auto text = config::create(*options);
  if (!text) return fail(kCannotMake, text.error());
  if (!args.has("--out")) {
    print(*text);
    return kOk;
  }
  const auto written = write_new(path, *text, args.has("--force"));
  if (!written) return fail(kCannotMake, written.error());
  print(concat(shown(path), ": ", config::kind_def(options->kind).title, "; check it with: openqnn check ",
               shell_word(shown(path)), "\n"));
  return kOk;
}

}  // namespace

Command new_command() {
  return {
      .spec = {.name = "new",
               .summary = "Make a valid, commented configuration file for a part and a purpose",
               .details = R"(
Every key has a comment that says what it does and why it is there. The values are a start, not
a measurement: openqnn show tells what they amount to, openqnn explain what else there is.)",
               .options = {{"--soc", "NAME",
                            "the part: SM8650, its QNN number 57, or \"Snapdragon 8 Gen 3\""},
                           {"--purpose", "NAME",
                            "latency (default), throughput, power, memory, llm, lora or debug", false,
                            "latency throughput power memory llm lora debug"},
                           {"--graph", "NAME",
                            "a graph of the model; once for each (htp, data-format, throughput)", true},
                           {"--kind", "NAME", "htp (default), tool, lpai, data-format, optrace or throughput",
                            false, "htp tool lpai data-format optrace throughput"},
                           {"--out", "FILE", "write a file instead of printing it"},
                           {"--force", "", "let --out replace a file"},
                           {"--sdk", "VERSION", "the SDK of the tools, e.g. 2.36"},
                           {"--no-comments", "", "strict JSON, for programs that take nothing else"}},
               .examples =
                   {"openqnn new --soc SM8650 --graph encoder --out htp.json",
                    "openqnn new --kind tool --out run.json",
                    "openqnn new --soc \"Snapdragon 8 Elite\" --purpose llm --graph prompt --graph token"}},
      .run = run_new};
}

}  // namespace openqnn::tools
