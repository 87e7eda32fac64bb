// SPDX-License-Identifier: BSD-3-Clause
// openqnn run: a model from its file to outputs, a context binary and a report.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "base/text.h"
#include "openqnn/report.h"
#include "soc/part_name.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/device_commands.h"
#include "tools/file_kind.h"
#include "tools/integer_files.h"
#include "tools/interrupt.h"
#include "tools/products.h"
#include "tools/qnn/power.h"
#include "tools/run_job.h"
#include "tools/simulate_report.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDefaultTopOps = "10";

// ---- Where results go ----

Result<RunPaths> choose_paths(const Args& args) {
  const std::string stem = fs::path(args.positional(0)).stem().string();
  RunPaths paths;
  paths.folder = args.get("--output_dir", "output");
  paths.dlc = paths.folder / (stem + ".dlc");
  paths.binary = paths.folder / (stem + ".bin");
  paths.trace = paths.folder / (stem + "_trace.json");
  // Made only when there is something to put into it.
  OPENQNN_TRY(check_output_folder(paths.folder));
  if (!args.has("--input_list")) paths.input_list = paths.folder / "input_list.txt";
  std::vector<fs::path> all = {paths.dlc, paths.binary, paths.trace, paths.folder / kPowerHistoryFile};
  if (paths.input_list) all.push_back(*paths.input_list);
  OPENQNN_TRY(check_products(args, {all, {"--output_dir"}}));
  if (paths.input_list) all.push_back(paths.made_inputs());
  std::error_code error;
  paths.replaces = std::ranges::any_of(all, [&](const fs::path& path) { return fs::exists(path, error); });
  if (args.has("--overwrite")) return paths;
  for (const uint64_t number : results_in(paths.folder)) all.push_back(paths.result(number));
  for (const fs::path& path : all)
    if (fs::exists(path, error))
      return invalid("output-exists", "this is there already")
          .at(path.string())
          .fix_by("choose another --output_dir, or give --overwrite");
  return paths;
}

// ---- The end ----

// "outputs, raw float32; y raw i32": integers are left as they are.
std::string outputs_text(const ir::Graph& graph) {
  bool has_reals = false;
  std::string integers;
  for (const ir::Tensor& tensor : graph.tensors()) {
    if (tensor.role != ir::TensorRole::kOutput) continue;
    if (is_integer(tensor.desc.type))
      integers += concat(integers.empty() ? "" : "; ", tensor.name, " raw ", ir::name(tensor.desc.type));
    else
      has_reals = true;
  }
  return concat("outputs, ", has_reals ? "raw float32" : "", has_reals && !integers.empty() ? "; " : "",
                integers);
}

void print_files(const RunPaths& paths, const ir::Graph& graph) {
  const auto line = [](const fs::path& path, std::string_view what) {
    print(concat("  ", shown(path.string()), what, "\n"));
  };
  const char* const title = paths.replaces ? "Files left, in place of those that were there" : "Files left";
  print(concat("\n", bold(title), "\n"));
  line(paths.dlc, "  the model, ready to compile");
  line(paths.binary, "  the context binary");
  line(paths.trace, "  the simulated timeline, for https://ui.perfetto.dev");
  if (paths.power) line(*paths.power, "  what power votes did, for `openqnn power`");
  line(paths.result(0), concat(" ...  ", shown(outputs_text(graph))));
  if (paths.input_list)
    line(*paths.input_list,
         paths.list_begins_in_folder()
             ? "  the random inputs, one inference a line; its paths begin in that folder, "
               "because a blank ends a path"
             : "  the random inputs, one inference a line");
}

void print_summary(const RunJob& job, const SimulatedResult& result) {
  print(concat("\n", bold("Summary"), "\n  ",
               shown(job.candidate.file.empty() ? job.computed_as : job.candidate.precision.name), " on ",
               shown(part_name(job.target)), ", ",
               samples_text(job.samples.size(), !job.args.has("--input_list")), "\n  simulated latency ",
               latency_text(result), "; accelerator ", fixed(result.simulation.times().accelerator_us, 1),
               " us\n"));
  for (const OutputReport& output : job.reports)
    print(concat("  ", text_of(output), decisions_text(output), "\n"));
}

// What no number says must not look like success.
int exit_code(const RunJob& job) {
  for (const OutputReport& output : job.reports) {
    if (output.distance.not_finite == 0) continue;
    const char* const fix = job.candidate.precision.floating
                                ? "half precision ends at 65504: quantize the model, or scale its values down"
                                : "`openqnn compare` shows the first layer where it happens";
    return fail("the outputs are not float's",
                invalid("run-not-finite", concat("'", output.name,
                                                 "' is not finite where float's is, or the "
                                                 "reverse"))
                    .fix_by(fix));
  }
  return kOk;
}

// --soc goes before the file's part, and a default may stand for none.
bool config_names_part(const RunJob& job) {
  const config::Part& named = job.configs.to_compile.part();
  return soc::part_name(named.soc ? named.soc->chipset : "", named.arch.value_or(0)) == part_name(job.target);
}

DeviceJob device_job(const RunJob& job) {
  DeviceJob device{.args = job.args,
                   .target = job.target,
                   .candidate = job.candidate,
                   .graph = job.prepared.graph.name(),
                   .stem = job.paths.binary.stem().string(),
                   .made_list = job.paths.input_list ? job.paths.input_list->string() : "",
                   .made_inputs = job.paths.list_begins_in_folder() ? job.paths.made_inputs().string() : "",
                   .config_is_outer = job.configs.to_compile.is_outer(),
                   .config_names_part = config_names_part(job)};
  for (const ir::Tensor& tensor : job.model.graph.graph.tensors()) {
    if (tensor.role != ir::TensorRole::kInput) continue;
    if (is_integer(tensor.desc.type))
      device.integer_inputs.push_back(tensor.name);
    else
      device.has_other_inputs = true;
  }
  return device;
}

// `top`: how many ops are printed.
Result<int> run_job(RunJob& job, size_t top) {
  OPENQNN_TRY(convert_model(job));
  OPENQNN_TRY(quantize_model(job));
  OPENQNN_ASSIGN(const auto session, open_session(job));
  OPENQNN_TRY(compile_model(job, *session));
  OPENQNN_TRY(execute_samples(job, *session));
  OPENQNN_TRY(compare_with_float(job));

  const auto binary = ContextBinary::open(job.paths.binary);
  if (!binary) return fail("cannot read the binary", binary.error());
  auto simulation = simulate(*binary, {});
  if (!simulation) return fail("cannot simulate", simulation.error());
  const SimulatedResult result = result_of(*std::move(simulation), {kNormalPriority});
  print(concat("\n", bold("Where the time goes"), "\n", busiest_ops(result.simulation, top),
               "`openqnn simulate ", shell_word(shown(job.paths.binary.string())),
               " --explain` shows every op.\n"));
  if (const auto status = write_chrometrace(result.simulation, job.paths.trace); !status)
    return fail("cannot write the trace", status.error());
  print_files(job.paths, job.prepared.graph);
  if (fs::path(job.source).extension() == ".onnx")
    print(concat("\n", bold("The same for a device, with the vendor's tools"), "\n",
                 device_commands(device_job(job))));
  print_summary(job, result);
  return exit_code(job);
}

// Before anything is said of outputs: which files there are does not matter to a user who named a wrong one.
Status check_inputs(const Args& args, const Candidate& candidate) {
  const fs::path model = args.positional(0);
  OPENQNN_TRY(check_model_file(model));
  if (!may_be_model(model)) OPENQNN_TRY(expect_known_kind(model, {FileKind::kOnnx, FileKind::kDlc}));
  OPENQNN_TRY(check_listed_inputs(args));
  return check_candidate_file(candidate);
}

int run_run(const Args& args) {
  if (args.has("--quiet")) set_quiet();
  RunConfigs configs;
  Status read = read_config_to_compile(args, configs.to_compile);
  if (read) read = read_config_to_run(args, configs.to_run);
  if (!read) return fail("cannot run", read.error());
  auto request = run_request_from(args, configs);
  if (!request) return fail("cannot run", request.error());
  const auto top = integer_from(args.get("--top", kDefaultTopOps), "--top");
  if (!top) return fail("cannot run", top.error());
  if (const Status fine = check_inputs(args, request->candidate); !fine)
    return fail("cannot run", fine.error());
  auto paths = choose_paths(args);
  if (!paths) return fail("cannot run", paths.error());
  catch_interrupts();
  print(concat(bold(shown(args.positional(0))), " on ", shown(part_name(request->target)), "\n"));
  RunJob job{.args = args,
             .source = args.positional(0),
             .configs = configs,
             .paths = *std::move(paths),
             .target = std::move(request->target),
             .candidate = std::move(request->candidate)};
  const auto code = run_job(job, static_cast<size_t>(*top));
  return code ? *code : fail("cannot run", code.error());
}

}  // namespace

Command run_command() {
  return {
      .spec = {.name = "run",
               .summary = "Convert, quantize, compile and run a model, and compare it with float",
               .details = R"(
The whole way of MODEL (ONNX, or a float .dlc of openqnn): it is converted, quantized, compiled to
a context binary, run from that binary through the C API with the NPU's numbers, and compared
with single precision. Device times are simulated. Without --input_list the inputs are random,
which shows that the model works but not how accurate it is.)",
               .positionals = {{"MODEL", "an ONNX model or a .dlc"}},
               .options =
                   joined_options({part_options(),
                                   {{"--output_dir", "DIR", "where the files go (default: output)"},
                                    {"--overwrite", "", "replace files that are there already"},
                                    {"--top", "N", "print so many ops, those that take longest (default 10)"},
                                    {"--quiet", "", "print warnings and errors only"}},
                                   session_options(),
                                   model_options(),
                                   candidate_options()}),
               .examples = {"openqnn run model.onnx --soc SM8650",
                            "openqnn run model.onnx --precision w8a16 --input_list inputs.txt",
                            "openqnn run model.onnx --quantized model_quantized.dlc"},
               .usage =
                   "openqnn run MODEL [--soc NAME] [--precision NAME] [--quantized FILE] [--input_list FILE] "
                   "[--output_dir DIR] [OPTION]..."},
      .run = run_run};
}

}  // namespace openqnn::tools
