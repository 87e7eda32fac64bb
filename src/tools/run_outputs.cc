// SPDX-License-Identifier: BSD-3-Clause
// The outputs of `openqnn run`: executed from the binary, written, and compared with float.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/files.h"
#include "quant/compare.h"
#include "tools/compose.h"
#include "tools/console.h"
#include "tools/interrupt.h"
#include "tools/products.h"
#include "tools/program_options.h"
#include "tools/qnn/output_files.h"
#include "tools/qnn/power.h"
#include "tools/run_job.h"
#include "tools/steps.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

// ---- Execution, from the file as a program on a device would ----

struct Buffers {
  std::vector<DescribedTensor> described;
  std::vector<Qnn_Tensor_t> tensors;
  std::vector<std::vector<std::byte>> memory;
};

Status make_buffers(const ir::Graph& graph, ir::TensorRole role, const std::vector<uint32_t>& ids,
                    Buffers& out) {
  const std::vector<const ir::Tensor*> tensors = graph.tensors_with(role);
  if (tensors.size() != ids.size())
    return internal("run-tensors", "the binary has other inputs or outputs than its graph");
  out.described.resize(tensors.size());
  out.memory.resize(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    OPENQNN_TRY(describe(*tensors[i], out.described[i]));
    out.memory[i].resize(ir::plain_bytes(tensors[i]->desc));
    Qnn_Tensor_t tensor = out.described[i].tensor;
    tensor.v1.id = ids[i];
    tensor.v1.clientBuf = {out.memory[i].data(), static_cast<uint32_t>(out.memory[i].size())};
    out.tensors.push_back(tensor);
  }
  return {};
}

// The sample's values in the types that the prepared graph's inputs have.
Status fill_inputs(const RunJob& job, const Sample& sample, Buffers& inputs) {
  const ir::Graph& graph = job.prepared.graph;
  OPENQNN_ASSIGN(const quant::StoredInputs values,
                 quant::stored_inputs(sample.inputs(), job.model.graph.graph, graph));
  size_t place = 0;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) {
    if (graph.tensors()[i].role != ir::TensorRole::kInput) continue;
    if (const auto found = values.find(i); found != values.end())
      std::ranges::copy(found->second, inputs.memory[place].begin());
    ++place;
  }
  return {};
}

std::vector<const ir::Tensor*> outputs_of(const ir::Graph& graph) {
  return graph.tensors_with(ir::TensorRole::kOutput);
}

std::string result_name(const ir::Tensor& output) { return file_name_of(output.name) + ".raw"; }

// A .dlc names its tensors as it likes: as names of files they stay in their folder, and must stay apart.
Status check_file_names(const ir::Graph& graph, ir::TensorRole role) {
  std::set<std::string> names;
  for (const ir::Tensor& tensor : graph.tensors()) {
    if (tensor.role != role || names.insert(file_name_of(tensor.name)).second) continue;
    return invalid("tensor-file",
                   concat("the values of two tensors would be written to '", file_name_of(tensor.name), "'"))
        .at(concat("tensor '", tensor.name, "'"))
        .fix_by("give the model's inputs and outputs names that differ in letters and digits");
  }
  return {};
}

Status check_inputs_stay(const RunJob& job) {
  std::vector<std::string> names;
  for (const ir::Tensor* const output : outputs_of(job.prepared.graph)) names.push_back(result_name(*output));
  const std::vector<std::string> inputs = files_of_lists(job.args.all("--input_list"));
  return refuse_results_as_inputs(job.paths.folder, names, job.samples.size(), inputs);
}

Status write_outputs(RunJob& job, size_t sample, const Buffers& outputs) {
  const fs::path folder = job.paths.result(sample);
  std::error_code error;
  if (fs::exists(folder, error)) job.paths.replaces = true;
  OPENQNN_TRY(make_folder(folder));
  const auto tensors = outputs_of(job.prepared.graph);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const bool real = ir::is_float(tensors[i]->desc.type) || ir::is_quantized(tensors[i]->desc.type);
    const fs::path path = folder / result_name(*tensors[i]);
    if (!real) {
      OPENQNN_TRY(write_file(path, std::span<const std::byte>(outputs.memory[i])));
      continue;
    }
    const std::vector<float> values = quant::reals_of(tensors[i]->desc, outputs.memory[i]);
    OPENQNN_TRY(write_file(path, std::as_bytes(std::span(values))));
  }
  return {};
}

// What the model was calibrated and run on, so that the same can be given to other programs.
Status write_made_inputs(const RunJob& job) {
  if (!job.paths.input_list) return {};
  const fs::path folder = job.paths.made_inputs();
  OPENQNN_TRY(make_folder(folder));
  std::string list;
  for (const Sample& sample : job.samples) {
    std::string line;
    for (const auto& [index, values] : sample.values) {
      const std::string& name = job.model.graph.graph.tensors()[index].name;
      const fs::path path = folder / concat(file_name_of(name), "_", sample.name, ".raw");
      OPENQNN_TRY(write_file(path, std::span<const std::byte>(values)));
      const fs::path listed =
          job.paths.list_begins_in_folder() ? path.lexically_relative(job.paths.folder) : path;
      line += concat(line.empty() ? "" : " ", name, ":=", listed.string());
    }
    list += concat(line, "\n");
  }
  return write_file(*job.paths.input_list, list);
}

// Where somebody votes, executes are timed on the device's clock: the votes' history is to show what they do.
bool votes(const RunJob& job) { return job.configs.to_run.extension() != nullptr; }

Status execute_sample(const RunJob& job, Session& session, PowerVotes& power, Qnn_GraphHandle_t graph,
                      std::span<const Qnn_Tensor_t> inputs, std::span<Qnn_Tensor_t> outputs) {
  std::vector<Event> events;
  OPENQNN_TRY(power.begin_stage());
  OPENQNN_TRY(session.execute(graph, inputs, outputs, votes(job) ? &events : nullptr));
  return power.end_stage();
}

Status write_history(RunJob& job, const PowerVotes& power) {
  if (!votes(job)) return {};
  OPENQNN_ASSIGN(const std::optional<std::string> history, power.history());
  if (!history) return {};
  job.paths.power = job.paths.folder / kPowerHistoryFile;
  return write_file(*job.paths.power, *history);
}

// With --overwrite, results beyond this run's are a user's: left, but not to be taken for this run's.
void tell_older_results(const RunJob& job) {
  const std::vector<uint64_t> there = results_in(job.paths.folder);
  const auto first = std::ranges::lower_bound(there, job.samples.size());
  const auto left = there.end() - first;
  if (left == 0) return;
  warn(concat(job.paths.result(*first).string(), left == 1 ? " is" : concat(" and ", left - 1, " more are"),
              " of an earlier run and left; remove ", left == 1 ? "it" : "them",
              ", or choose another --output_dir"));
}

}  // namespace

Status execute_samples(RunJob& job, Session& session) {
  OPENQNN_TRY(check_file_names(job.prepared.graph, ir::TensorRole::kOutput));
  OPENQNN_TRY(check_inputs_stay(job));
  if (job.paths.input_list) OPENQNN_TRY(check_file_names(job.prepared.graph, ir::TensorRole::kInput));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(job.paths.binary));
  const auto bytes = file->bytes();
  OPENQNN_ASSIGN(const BinarySummary summary, session.summarize({bytes.begin(), bytes.end()}));
  OPENQNN_ASSIGN(const auto power,
                 PowerVotes::open(session.library(), job.configs.to_run.extension(), /*profile=*/""));
  OPENQNN_TRY(power->begin_stage());
  OPENQNN_TRY(session.load_context(bytes, job.configs.to_run.loading_configs()));
  OPENQNN_TRY(power->end_stage());
  OPENQNN_ASSIGN(auto working, WorkingBuffers::make(session.library(), session.context(),
                                                    job.configs.to_run.working_buffers()));
  OPENQNN_ASSIGN(const Qnn_GraphHandle_t graph, session.retrieve(job.prepared.graph.name()));
  Buffers inputs;
  Buffers outputs;
  OPENQNN_TRY(
      make_buffers(job.prepared.graph, ir::TensorRole::kInput, summary.graphs.at(0).input_ids, inputs));
  OPENQNN_TRY(
      make_buffers(job.prepared.graph, ir::TensorRole::kOutput, summary.graphs.at(0).output_ids, outputs));
  const Stopwatch time;
  for (size_t i = 0; i < job.samples.size(); ++i) {
    OPENQNN_TRY(go_on());
    OPENQNN_TRY(fill_inputs(job, job.samples[i], inputs));
    OPENQNN_TRY(execute_sample(job, session, *power, graph, inputs.tensors, outputs.tensors));
    OPENQNN_TRY(write_outputs(job, i, outputs));
    job.outputs.push_back(outputs.memory);
  }
  OPENQNN_TRY(write_made_inputs(job));
  OPENQNN_TRY(power->begin_stage());
  working.reset();
  session.free_context();  // before the mapping goes
  OPENQNN_TRY(power->lower());
  power->withdraw();
  OPENQNN_TRY(write_history(job, *power));
  step("run",
       concat(job.samples.size(), job.samples.size() == 1 ? " inference" : " inferences", time.text()));
  tell_older_results(job);
  return {};
}

// ---- Against float ----

namespace {

std::string ratio_text(const quant::Distance& distance) {
  const double sqnr = distance.sqnr();
  if (std::isinf(sqnr)) return sqnr > 0 ? "equal to float" : "float is zero everywhere";
  return concat("SQNR ", fixed(sqnr, 1), " dB against float");
}

}  // namespace

std::string text_of(const OutputReport& output) {
  const quant::Distance& distance = output.distance;
  std::string text = concat(shown(output.name), ": ");
  if (distance.not_finite != 0)
    text += concat("not finite: ", distance.not_finite, " of ", distance.count,
                   " elements are infinite or no number in one of the two alone; the others: ");
  text += ratio_text(distance);
  if (distance.never_finite != 0)
    text += concat(", without ", distance.never_finite, " of ", distance.count,
                   " elements that are infinite or no number in float, too");
  return text;
}

std::string decisions_text(const OutputReport& output) {
  const quant::Decisions& decisions = output.decisions;
  if (decisions.count == 0) return "";
  return concat(", the largest element is where float has it in ", decisions.same, " of ", decisions.count,
                decisions.count == 1 ? " row" : " rows");
}

Status compare_with_float(RunJob& job) {
  const ir::Graph& graph = job.model.graph.graph;
  const auto wanted = outputs_of(graph);
  const auto got = outputs_of(job.prepared.graph);
  std::vector<size_t> places;  // in `got`, by name: a .dlc may have them in another order
  for (const ir::Tensor* const output : wanted) {
    job.reports.push_back({output->name, {}, {}});
    const auto same_name = [&](const ir::Tensor* one) { return one->name == output->name; };
    places.push_back(static_cast<size_t>(std::ranges::find_if(got, same_name) - got.begin()));
  }
  quant::ReferenceRun run(graph, quant::FloatsAs::kSingle);
  for (size_t s = 0; s < job.samples.size(); ++s) {
    const auto add = [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
      for (size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] != &graph.tensors()[tensor]) continue;
        const std::vector<float> reference = quant::reals_of(run.desc(tensor), values);
        const std::vector<float> measured = quant::reals_of(got[places[i]]->desc, job.outputs[s][places[i]]);
        job.reports[i].distance.add(reference, measured);
        if (const size_t row = quant::decision_row(*wanted[i]); row != 0)
          job.reports[i].decisions.add(reference, measured, row);
      }
    };
    OPENQNN_TRY(run.run(job.samples[s].inputs(), add));
  }
  for (const OutputReport& output : job.reports) {
    const std::string text =
        concat(text_of(output), ", largest difference ", fixed(output.distance.largest, 6));
    if (output.distance.not_finite == 0)
      step("compare", text);
    else
      failed_step("compare", text);
  }
  return {};
}

}  // namespace openqnn::tools
