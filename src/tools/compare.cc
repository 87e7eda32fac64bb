// SPDX-License-Identifier: BSD-3-Clause
// openqnn compare: how far each layer of a model is from float, in half precision and quantized.
#include "quant/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "json/json.h"
#include "quant/encoding.h"
#include "quant/float_graph.h"
#include "tools/candidate.h"
#include "tools/commands.h"
#include "tools/compare_page.h"
#include "tools/console.h"
#include "tools/interrupt.h"
#include "tools/model_job.h"
#include "tools/products.h"
#include "tools/program_options.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr double kDefaultThreshold = 20.0;
constexpr std::string_view kReference = "--reference";

Result<double> number_from(const std::string& text, std::string_view option) {
  const auto value = json::Value::of_number_text(text).as_double();
  if (!value) return wrong_option(option, concat("'", text, "' is no number"));
  return *value;
}

std::vector<std::string> sources_of(const FloatModel& model, const std::string& node) {
  for (const frontend::Trace::Node& traced : model.graph.trace.nodes)
    if (traced.name == node) return traced.sources;
  return {};
}

bool is_output(const FloatModel& model, const std::string& tensor) {
  const auto& tensors = model.graph.graph.tensors();
  const auto found = std::ranges::find(tensors, tensor, &ir::Tensor::name);
  return found != tensors.end() && found->role == ir::TensorRole::kOutput;
}

bool has_numbers(const quant::Distance& distance) {
  return distance.count == 0 || distance.never_finite < distance.count;
}

// What is asked for; all of it is read before the work begins.
struct CompareRequest {
  size_t top = 0;
  double threshold = 0.0;
  std::vector<Candidate> candidates;
};

Result<CompareRequest> compare_request_from(const Args& args) {
  CompareRequest request;
  OPENQNN_ASSIGN(const int64_t top, integer_from(args.get("--top", "20"), "--top"));
  request.top = static_cast<size_t>(top);
  OPENQNN_ASSIGN(request.threshold,
                 number_from(args.get("--threshold", concat(kDefaultThreshold)), "--threshold"));
  OPENQNN_ASSIGN(request.candidates, candidates_from(args, "fp16,w8a8"));
  OPENQNN_TRY(check_model_options(args));
  if (args.get("--json") == kStandardOutput && args.get("--html") == kStandardOutput)
    return wrong_option("--html", "only one of --json and --html can go to the standard output")
        .fix_by("name a file");
  return request;
}

// That a product cannot be written is told before the work.
Status check_reports(const Args& args) {
  const Products products = products_of(args, {"--json", "--html"});
  for (const fs::path& file : products.files) OPENQNN_TRY(check_output_file(file));
  return check_products(args, products);
}

// One more column.
void add_results(CompareReport& report, const FloatModel& model, const quant::Comparison& comparison) {
  const size_t column = report.precisions.size() - 1;
  for (const quant::Layer& layer : comparison.layers()) {
    auto row = std::ranges::find(report.rows, layer.tensor, &CompareReport::Row::tensor);
    if (row == report.rows.end() && column == 0)
      row = report.rows.insert(row, {layer.tensor,
                                     layer.node,
                                     layer.type,
                                     is_output(model, layer.tensor),
                                     sources_of(model, layer.node),
                                     {}});
    if (row == report.rows.end()) continue;
    row->results.resize(column + 1);
    row->results[column] = {layer.computed_as,         layer.distance.sqnr(),       layer.distance.largest,
                            layer.distance.not_finite, has_numbers(layer.distance), layer.decisions};
  }
  for (CompareReport::Row& row : report.rows) row.results.resize(column + 1);
}

Status measure(const Candidate& candidate, const FloatModel& model, const std::vector<Sample>& samples,
               CompareReport& report) {
  OPENQNN_ASSIGN(const Judged one, judged(candidate, model, samples));
  quant::Comparison comparison(one.reference, one.prepared.graph);
  Progress progress(concat("compare ", candidate.precision.name), samples.size());
  for (const Sample& sample : samples) {
    OPENQNN_TRY(go_on());
    OPENQNN_TRY(comparison.add(sample.inputs()));
    progress.step();
  }
  report.precisions.push_back(candidate.precision.name);
  report.computed_as.push_back(one.computed_as);
  add_results(report, model, comparison);
  return {};
}

// Random inputs stay within what the measured graph's inputs can hold: its calibration knew nothing of them.
void round_to_inputs(const ir::Graph& measured, const ir::Graph& floats, std::vector<Sample>& samples) {
  for (Sample& sample : samples) {
    for (auto& [index, values] : sample.values) {
      const auto found =
          std::ranges::find(measured.tensors(), floats.tensors()[index].name, &ir::Tensor::name);
      if (found == measured.tensors().end() || !ir::is_quantized(found->desc.type)) continue;
      const std::vector<float> rounded = quant::reals_of(
          found->desc, quant::stored(found->desc, {reinterpret_cast<const float*>(values.data()),
                                                   values.size() / sizeof(float)}));
      std::memcpy(values.data(), rounded.data(), values.size());
    }
  }
}

// ---- What is measured, against what ----

struct Subject {
  FloatModel model;
  std::vector<Sample> samples;
  std::vector<Candidate> candidates;
};

Result<Subject> subject_of_quantized(const Args& args, frontend::DlcGraph quantized) {
  OPENQNN_TRY(refuse_options(args,
                             names_of(joined_options({candidate_options(), {{"--precision", "LIST", ""}}})),
                             "the model in this file is quantized already, and measured as it is",
                             "leave it out, or give the float model"));
  Subject subject;
  Candidate& candidate =
      subject.candidates.emplace_back(candidate_of(args.positional(0), args.positional(0)));
  candidate.against_itself = !args.has(kReference);
  if (candidate.against_itself) {
    OPENQNN_ASSIGN(subject.model.graph.graph, quant::float_graph_of(quantized.graph));
    subject.model.graph.trace = std::move(quantized.trace);
  } else {
    OPENQNN_ASSIGN(subject.model, load_judged_model(args.get(kReference), args));
  }
  OPENQNN_ASSIGN(subject.samples, load_samples(subject.model.graph, args));
  if (!args.has("--input_list")) round_to_inputs(quantized.graph, subject.model.graph.graph, subject.samples);
  return subject;
}

Result<Subject> subject_of(const Args& args, const CompareRequest& request) {
  OPENQNN_ASSIGN(auto quantized, quantized_graph(args.positional(0)));
  if (quantized) return subject_of_quantized(args, *std::move(quantized));
  if (args.has(kReference))
    return wrong_option(kReference, "it is for a quantized .dlc, and this model is float itself")
        .fix_by("leave it out, or give the quantized .dlc in place of MODEL");
  Subject subject;
  subject.candidates = request.candidates;
  OPENQNN_ASSIGN(subject.model, load_judged_model(args.positional(0), args));
  OPENQNN_ASSIGN(subject.samples, load_samples(subject.model.graph, args));
  return subject;
}

Result<CompareReport> measure_all(const Args& args, const CompareRequest& request) {
  OPENQNN_TRY(check_reports(args));
  CompareReport report;
  report.model = args.positional(0);
  report.threshold = request.threshold;
  OPENQNN_ASSIGN(const Subject subject, subject_of(args, request));
  report.samples = subject.samples.size();
  report.random = !args.has("--input_list");
  report.own_encodings = subject.model.graph.encodings.size();
  for (const Candidate& candidate : subject.candidates)
    OPENQNN_TRY(measure(candidate, subject.model, subject.samples, report));
  return report;
}

std::string decibels(const std::optional<CompareReport::Cell>& cell) {
  return cell ? ratio_text(*cell) : "-";
}

std::string row_text(const CompareReport& report, const CompareReport::Row& row, size_t width) {
  std::string out = concat("  ", padded(shown(row.tensor), width), "  ", padded(shown(row.type), 20));
  for (size_t i = 0; i < report.precisions.size(); ++i) {
    const std::string value = decibels(row.results[i]);
    out += concat("  ", std::string(std::max<size_t>(10, value.size()) - value.size(), ' '), value);
  }
  return out + "\n";
}

std::string text_of(const CompareReport& report, size_t most) {
  std::vector<const CompareReport::Row*> rows = report.worst_first();
  const size_t shown_rows = std::min(most, rows.size());
  size_t width = 6;
  for (size_t i = 0; i < shown_rows; ++i) width = std::max(width, shown(rows[i]->tensor).size());
  std::string out = concat(shown(report.model), ": ", report.rows.size(),
                           report.rows.size() == 1 ? " layer against float, " : " layers against float, ",
                           samples_text(report.samples, report.random), "; SQNR in dB, worst first\n\n");
  out += concat("  ", padded("tensor", width), "  ", padded("made by", 20));
  for (const std::string& precision : report.precisions)
    out +=
        concat("  ", std::string(std::max<size_t>(10, precision.size()) - precision.size(), ' '), precision);
  out += "\n";
  for (size_t i = 0; i < shown_rows; ++i) out += row_text(report, *rows[i], width);
  if (shown_rows < rows.size()) out += concat("  ... and ", rows.size() - shown_rows, " more (--top)\n");
  out += "\n";
  for (size_t i = 0; i < report.precisions.size(); ++i) {
    out += concat(report.precisions[i], ": ", shown(report.summary(i)), "\n");
    if (report.computed_as[i] != report.precisions[i])
      out += concat("  computed with ", report.computed_as[i], "\n");
    for (const std::string& sentence : report.decisions(i)) out += concat("  ", shown(sentence), "\n");
  }
  return out;
}

// To the standard output even with --quiet: it was asked for.
Status write_and_tell(const std::string& path, const std::string& text) {
  if (path == kStandardOutput) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
  }
  const std::string_view verb = written_verb(path);
  OPENQNN_TRY(write_file(path, text));
  print(concat(verb, " ", shown(path), "\n"));
  return {};
}

Diagnostic no_numbers() {
  return invalid("not-finite", "no output has a finite value, neither in float")
      .fix_by("look for the first layer without numbers; its weights or inputs are the cause");
}

int run_compare(const Args& args) {
  if (args.has("--quiet")) set_quiet();
  const auto request = compare_request_from(args);
  if (!request) return fail("cannot compare", request.error());
  if (args.get("--json") == kStandardOutput || args.get("--html") == kStandardOutput)
    set_quiet();  // for programs
  catch_interrupts();
  const auto report = measure_all(args, *request);
  if (!report) return fail("cannot compare", report.error());
  print(text_of(*report, request->top));
  if (args.has("--json")) {
    if (const Status status = write_and_tell(args.get("--json"), json_of(*report)); !status)
      return fail("cannot write the report", status.error());
  }
  if (args.has("--html")) {
    if (const Status status = write_and_tell(args.get("--html"), page_of(*report)); !status)
      return fail("cannot write the page", status.error());
  }
  return report->no_output_has_numbers() ? fail("nothing was compared", no_numbers()) : kOk;
}

}  // namespace

Command compare_command() {
  return {
      .spec =
          {.name = "compare",
           .summary = "Measure each layer of a model against float: fp16 and quantized",
           .details = R"(
Runs MODEL (ONNX, or a .dlc of openqnn) in single precision and in each precision asked
for, with the NPU's numbers, and prints the ratio of signal to error of every layer, the worst
first. Without --input_list the inputs are random, which finds broken layers but says little
about accuracy on real data. A .dlc that is quantized already is measured as it is: against the
float model of --reference, or against its own graph in float, with the weights that it stores.)",
           .positionals = {{"MODEL", "an ONNX model or a .dlc"}},
           .options = joined_options(
               {{{"--precision", "LIST",
                  "with commas between: fp16 (or float) w8a8 w8a16 w16a16 w4a16 (default fp16,w8a8); "
                  "quantizer:\n"
                  "what qairt-quantizer makes with its options below, the default where some are given"},
                 {kReference, "FILE",
                  "of a quantized .dlc: the float model it was made from (ONNX or .dlc), so that what\n"
                  "weights lost counts, too"},
                 {"--threshold", "DB", "tell the first layer below this (default 20)"},
                 {"--top", "N", "print so many layers (default 20)"},
                 {"--json", "FILE", "write everything as JSON (- for the standard output)"},
                 {"--html", "FILE", "write everything as a page (- for the standard output)"},
                 {"--quiet", "", "print warnings and errors only"}},
                model_options(),
                candidate_options()}),
           .examples = {"openqnn compare model.onnx",
                        "openqnn compare model.onnx --precision w8a8,w8a16 --html layers.html",
                        "openqnn compare model.dlc --quantized model_quantized.dlc --input_list inputs.txt",
                        "openqnn compare model_quantized.dlc --reference model.dlc"},
           .usage =
               "openqnn compare MODEL [--precision LIST] [--quantized FILE] [--input_list FILE] [OPTION]..."},
      .run = run_compare};
}

}  // namespace openqnn::tools
