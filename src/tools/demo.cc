// SPDX-License-Identifier: BSD-3-Clause
// openqnn demo: one model through everything, from the C API to a trace.
#include "tools/demo.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "QnnProfile.h"
#include "base/files.h"
#include "base/text.h"
#include "openqnn/report.h"
#include "openqnn/version.h"
#include "runtime/persona.h"
#include "soc/target.h"
#include "tools/commands.h"
#include "tools/console.h"
#include "tools/model_job.h"
#include "tools/products.h"
#include "tools/program_options.h"
#include "tools/run_job.h"
#include "tools/simulation/model_simulation.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kPictures = 8;
// Limits, ours. Quantized: the oracle rounds like the backend must, so they differ by a tie at most; against
// the unrounded oracle, 8 bits leave at least this ratio. Float: half precision, 11 bits, through eight ops.
constexpr double kMostSteps = 1.0;
constexpr double kLeastSqnrQuantized = 25.0;
constexpr double kMostRelative = 0.004;
constexpr double kLeastSqnrFloat = 50.0;
constexpr double kSmallest = 1e-3;  // of probabilities whose relative error means something

// One form of the model, from graph to numbers.
struct Variant {
  std::string type;  // "ufixed8" or "float"
  TypedModel typed;
  GraphHandle graph;
  std::vector<std::vector<std::byte>> inputs;
  std::vector<std::vector<std::byte>> outputs;
  std::vector<Event> finalize_events;
  std::vector<Event> execute_events;
};

// ---- Accuracy ----

Status check_accuracy(const Model& model, const std::vector<Values>& pictures, const Variant& variant) {
  Values expected;  // without rounding
  Values actual;
  double most_steps = 0;
  double most_relative = 0;
  uint32_t same_class = 0;
  for (uint32_t i = 0; i < kPictures; ++i) {
    const Values exact = run_oracle(model, pictures[i])[model.output];
    const Values got = variant.typed.values(model.output, variant.outputs[i]);
    const auto best = [](const Values& v) { return std::max_element(v.begin(), v.end()) - v.begin(); };
    same_class += best(exact) == best(got) ? 1 : 0;
    for (size_t j = 0; j < exact.size(); ++j)
      if (exact[j] >= kSmallest)
        most_relative = std::max(most_relative, std::abs(got[j] - exact[j]) / exact[j]);
    if (variant.typed.quantized()) {
      const double scale = variant.typed.encodings[model.output].channels[0].scale;
      const Values rounded = run_oracle(model, pictures[i], variant.typed.encodings)[model.output];
      for (size_t j = 0; j < rounded.size(); ++j)
        most_steps = std::max(most_steps, std::abs(got[j] - rounded[j]) / scale);
    }
    expected.insert(expected.end(), exact.begin(), exact.end());
    actual.insert(actual.end(), got.begin(), got.end());
  }
  const double sqnr = sqnr_db(expected, actual);
  const bool quantized = variant.typed.quantized();
  const std::string figures = concat(
      quantized ? concat("worst error ", fixed(most_steps, 2), " steps of the output (limit ",
                         fixed(kMostSteps, 0), ")")
                : concat("worst relative error ", fixed(100 * most_relative, 3), " % (limit ",
                         fixed(100 * kMostRelative, 1), " %)"),
      ", SQNR ", fixed(sqnr, 1), " dB (limit ", fixed(quantized ? kLeastSqnrQuantized : kLeastSqnrFloat, 0),
      "), ", same_class, " of ", kPictures, " classes as the oracle");
  // Written so that a NaN fails.
  const bool good = quantized ? most_steps <= kMostSteps && sqnr >= kLeastSqnrQuantized
                              : most_relative <= kMostRelative && sqnr >= kLeastSqnrFloat;
  if (!good) {
    failed_step("accuracy", figures);
    return internal("demo-accuracy",
                    concat("the results of the ", variant.type, " model are beyond tolerance: ", figures))
        .fix_by("this is a bug of openqnn: please report it");
  }
  step("accuracy", figures);
  return {};
}

// ---- Steps ----

Status run_variant(Session& session, const Model& model, const std::vector<Values>& pictures,
                   Variant& variant) {
  print(concat("\n", bold(variant.type), "\n"));
  OPENQNN_ASSIGN(variant.graph, build(session, "demo_" + variant.type, variant.typed));
  step("graph", concat("'", variant.graph.name, "', ", model.tensors.size(), " tensors and ",
                       model.nodes.size(), " nodes through the C API"));

  const Stopwatch prepare_time;
  OPENQNN_ASSIGN(variant.finalize_events, session.finalize(variant.graph.handle));
  step("prepare", concat("fused, tiled, scheduled", prepare_time.text()));

  const Stopwatch run_time;
  for (uint32_t i = 0; i < kPictures; ++i) {
    variant.inputs.push_back(variant.typed.stored(model.input, pictures[i]));
    OPENQNN_ASSIGN(std::vector<std::byte> output,
                   execute(session, variant.graph, variant.typed, variant.inputs[i],
                           i + 1 == kPictures ? &variant.execute_events : nullptr));
    variant.outputs.push_back(std::move(output));
  }
  step("run", concat(kPictures, " pictures", run_time.text()));
  OPENQNN_TRY(check_accuracy(model, pictures, variant));

  print("    profile of finalize and of one execute:\n");
  print_events(variant.finalize_events, Clock::kHost);
  print_events(variant.execute_events, Clock::kSimulated);
  return {};
}

// From the file, as a program on a device would: mapped, and used in place.
Status reload(Session& session, const fs::path& path, const std::vector<Variant>& variants,
              const BinarySummary& summary) {
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  OPENQNN_TRY(session.load_context(file->bytes()));
  size_t compared = 0;
  for (const Variant& variant : variants) {
    const auto found = std::ranges::find(summary.graphs, variant.graph.name, &BinarySummary::Graph::name);
    if (found == summary.graphs.end())
      return internal("demo-reload",
                      concat("the saved binary does not list graph '", variant.graph.name, "'"));
    OPENQNN_ASSIGN(const GraphHandle graph, retrieve(session, {.name = found->name,
                                                               .input_id = found->input_ids.at(0),
                                                               .output_id = found->output_ids.at(0)}));
    for (uint32_t i = 0; i < kPictures; ++i) {
      OPENQNN_ASSIGN(const std::vector<std::byte> output,
                     execute(session, graph, variant.typed, variant.inputs[i]));
      if (output != variant.outputs[i])
        return internal("demo-reload",
                        concat("graph '", variant.graph.name, "' gives other bytes after saving and loading"))
            .fix_by("this is a bug of openqnn: please report it");
      ++compared;
    }
  }
  step("reload", concat(compared, " of ", compared, " outputs bit-equal, from the mapped file"));
  session.free_context();  // before the mapping goes
  return {};
}

// ---- Files ----

// The demo replaces its own files only: what bears their name but was not written by openqnn stays.
Status check_replaceable(const fs::path& path, std::string_view mark) {
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  std::ifstream in(path, std::ios::binary);
  std::string start(512, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(in.gcount()));
  if (start.find(mark) != std::string::npos) return {};
  return invalid("demo-foreign-file", "a file of this name is there already and is not the demo's")
      .at(path.string())
      .fix_by("move it away, or choose another folder with --out");
}

fs::path trace_path(const fs::path& folder, const Variant& variant, bool first) {
  return folder / (first ? "demo_chrometrace.json" : concat("demo_", variant.type, "_chrometrace.json"));
}

// Before anything is computed: whether the files can go there.
Status check_folder(const fs::path& folder, const std::vector<Variant>& variants) {
  OPENQNN_TRY(check_output_folder(folder));
  OPENQNN_TRY(check_replaceable(folder / "demo.bin", "OQNNCTX"));
  for (size_t i = 0; i < variants.size(); ++i)
    OPENQNN_TRY(check_replaceable(trace_path(folder, variants[i], i == 0), "\"openqnn\""));
  return {};
}

// ---- The whole ----

// Who names a type gets it, or the backend's reason why the part does not take it.
Result<std::vector<Variant>> choose_variants(const std::string& type, const soc::Target& target,
                                             const Model& model, const std::vector<Values>& pictures) {
  std::vector<Variant> variants;
  if (type.empty() || type == "ufixed8")
    variants.push_back({.type = "ufixed8", .typed = {&model, calibrate(model, pictures)}});
  const bool takes_float = target.runs_half != false;
  if ((type.empty() && takes_float) || type == "float")
    variants.push_back({.type = "float", .typed = {&model, {}}});
  if (variants.empty())
    return invalid("option-value", concat("there is no type '", type, "'"))
        .fix_by("--type takes ufixed8 or float");
  return variants;
}

Status run_models(const Args& args, const soc::Target& target, const Model& model,
                  const std::vector<Values>& pictures, std::vector<Variant>& variants,
                  const fs::path& folder) {
  OPENQNN_ASSIGN(auto library, BackendLibrary::open(args.get("--backend")));
  SessionOptions options{.device = {target.soc_model, target.arch}};
  if (args.has("--verbose")) options.tell_all();
  OPENQNN_ASSIGN(const auto session, Session::open(library, options));
  OPENQNN_ASSIGN(const std::string build, library->build_id());
  const Qnn_Version_t& core = library->api_version().coreApiVersion;
  step("backend",
       concat(shown(library->path()), ", core API ", core.major, ".", core.minor, ", build ", build));
  OPENQNN_TRY(session->create_context());
  for (Variant& variant : variants) OPENQNN_TRY(run_variant(*session, model, pictures, variant));

  print(concat("\n", bold("context binary"), "\n"));
  OPENQNN_ASSIGN(const std::vector<std::byte> binary, session->binary());
  OPENQNN_TRY(make_folder(folder));
  OPENQNN_TRY(write_file(folder / "demo.bin", std::span(binary)));
  step("save", concat(shown((folder / "demo.bin").string()), ", ", bytes_text(binary.size())));
  OPENQNN_ASSIGN(const BinarySummary summary, session->summarize(binary));
  step("system", concat("libQnnSystem.so sees ", summary.graphs.size(),
                        summary.graphs.size() == 1 ? " graph" : " graphs", ", SoC model ", summary.soc_model,
                        ", build ", shown(summary.build_id)));
  return reload(*session, folder / "demo.bin", variants, summary);
}

// Through the C++ API, as any program that links libopenqnn would.
int report(const std::vector<Variant>& variants, const fs::path& folder) {
  const auto binary = ContextBinary::open(folder / "demo.bin");
  if (!binary) return fail("cannot read the saved binary", binary.error());
  if (const auto status = binary->validate(); !status)
    return fail("the saved binary is not valid", status.error());
  step("validate", concat("all checksums of ", binary->sections().size(), " sections match"));
  std::string left = concat("  ", shown((folder / "demo.bin").string()), "\n");
  for (size_t i = 0; i < variants.size(); ++i) {
    const auto simulation = simulate(*binary, {.graph = variants[i].graph.name});
    if (!simulation) return fail("cannot simulate", simulation.error());
    print(concat("\n", bold(concat("where the time goes: ", variants[i].type)), "\n", op_table(*simulation)));
    const fs::path trace = trace_path(folder, variants[i], i == 0);
    if (const auto status = write_chrometrace(*simulation, trace); !status)
      return fail("cannot write the trace", status.error());
    left += concat("  ", shown(trace.string()), "\n");
  }
  print(concat(
      "\n", bold("Files left"), "\n", left,
      "Open a trace in https://ui.perfetto.dev or chrome://tracing. More of the binary:\n  openqnn inspect ",
      shell_word(shown((folder / "demo.bin").string())), "\n"));
  return kOk;
}

// Makes the backend play the persona that --target names; answers the part it plays, or nothing when it names
// none.
Result<std::optional<std::string>> play_persona(const Args& args) {
  if (!args.has("--target")) return std::optional<std::string>();
  const std::string text(args.get("--target"));
  OPENQNN_ASSIGN(const runtime::Persona persona, runtime::parse_persona(text, "--target"));
  setenv("OPENQNN_TARGET", text.c_str(), 1);  // read by the library when a backend is created
  return persona.target ? std::optional(persona.target->soc) : std::nullopt;
}

int run_demo(const Args& args) {
  constexpr std::string_view kWhat = "the demo failed";
  const auto played = play_persona(args);
  if (!played) return fail("cannot play this target", played.error());
  const auto target = part_named(args.get("--soc", played->value_or(std::string(kDefaultPart))));
  if (!target) return fail("cannot choose the part", target.error());
  const Model model = image_classifier();
  std::vector<Values> pictures;
  for (uint32_t i = 0; i < kPictures; ++i) pictures.push_back(picture(i));
  auto variants = choose_variants(args.get("--type"), *target, model, pictures);
  if (!variants) return fail("cannot choose the type", variants.error());
  const fs::path folder = args.get("--out", "openqnn-demo");
  if (const Status status = check_folder(folder, *variants); !status)
    return fail("cannot use the folder", status.error());

  print(concat(
      bold(concat("openqnn ", version(), " demo")), ": a small image classifier on the modelled NPU of ",
      target->soc, " (Hexagon v", target->arch, ")\n",
      dim("Device times are simulated; nothing here ran on a device."), "\n",
      target->runs_half == false ? "This part has no half precision: float models are for others.\n" : "",
      "\n"));
  if (const Status status = run_models(args, *target, model, pictures, *variants, folder); !status)
    return fail(kWhat, status.error());
  return report(*variants, folder);
}

}  // namespace

Command demo_command() {
  return {.spec = {.name = "demo",
                   .summary = "Build, prepare, run, check, save, reload and time a small model",
                   .details = R"(
Builds an image classifier (Conv2d, Relu, PoolMax2d, ElementWiseAdd, MatMul, Softmax) through the QNN C API of
libQnnHtp.so, prepares it for the part, runs it, and compares the results with a double-precision oracle.
Saves demo.bin, loads it again and compares bit for bit, then shows where the simulated time goes and writes
a trace. Fails with exit status 1 when a result is beyond tolerance.)",
                   .options =
                       {{"--soc", "NAME", "the part to prepare for (openqnn soc); SM8650 when not given"},
                        {"--target", "PLATFORM[:NAME]",
                         "whom the backend plays, e.g. android:SM8650 for that device; host when not given.\n"
                         "Replaces OPENQNN_TARGET"},
                        {"--type", "TYPE",
                         "ufixed8 or float; both, as far as the part takes them, when not given", false,
                         "ufixed8 float"},
                        {"--out", "DIR",
                         "where demo.bin and the traces go; ./openqnn-demo when not given.\n"
                         "Only the demo's own files are replaced"},
                        {"--backend", "PATH",
                         "libQnnHtp.so or its folder; the one beside this program when not given"},
                        {"--verbose", "", "show the backend's whole log on stderr, not its warnings alone"}},
                   .examples = {"openqnn demo", "openqnn demo --soc SM8750 --type float --out results"}},
          .run = run_demo};
}

}  // namespace openqnn::tools
