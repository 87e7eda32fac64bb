// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/output_files.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "base/text.h"
#include "json/json.h"
#include "tools/api_names.h"
#include "tools/products.h"
#include "tools/program_options.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFloats = ".raw";
constexpr const char* kNative = "_native.raw";

// Sorted; a folder that is not there has none.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

bool is_in(const WrittenResults& written, uint64_t number) {
  return number >= written.first && number - written.first < written.count;
}

fs::path result_folder(const fs::path& folder, uint64_t execution) {
  return folder / concat(kResult, execution);
}

// A JSON string is a YAML string, too.
void append_tensors(std::string& out, std::string_view key, const std::vector<IoTensor>& tensors) {
  out += concat("    ", key, ":", tensors.empty() ? " []" : "", "\n");
  for (const IoTensor& tensor : tensors) {
    std::string dimensions;
    for (const uint32_t dimension : tensor.tensor.desc.shape.dims()) append_item(dimensions, dimension);
    out += concat("      - name: ", json::quoted(tensor.tensor.name),
                  "\n        data_type: ", data_type_name(static_cast<uint32_t>(tensor.tensor.desc.type)),
                  "\n        dimensions: [", dimensions, "]\n");
  }
}

}  // namespace

std::vector<OptionSpec> output_options() {
  return {
      {"--output_dir", "DIR",
       "where results go (default ./output); those of an earlier run are replaced or left, which is told"},
      {"--use_native_output_files", "", "write outputs in the tensors' own types: <tensor>_native.raw"},
      {"--output_data_type", "TYPE", "the old form of --use_native_output_files", false,
       "float_only native_only float_and_native"},
  };
}

Result<OutputForms> output_forms_of(const Args& args) {
  OPENQNN_TRY(exclude(args, "--use_native_output_files", "--output_data_type"));
  const std::string type = args.get("--output_data_type");
  if (args.has("--use_native_output_files") || type == "native_only") return OutputForms{false, true};
  return OutputForms{true, type == "float_and_native"};
}

std::string file_name_of(const std::string& tensor) {
  std::string name = tensor;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-' && c != '.') c = '_';
  if (name.empty() || name[0] == '.') name.insert(name.begin(), '_');  // neither hidden nor a folder
  return name;
}

Status check_folders_of(const std::vector<std::string>& graphs) {
  std::set<std::string> folders;
  for (const std::string& graph : graphs)
    if (!folders.insert(file_name_of(graph)).second)
      return invalid("output-name",
                     concat("the results of two graphs would be written to '", file_name_of(graph), "'"))
          .at(concat("graph '", graph, "'"))
          .fix_by("give the graphs names that differ in letters and digits, or skip one with __");
  return {};
}

Result<OutputFiles> OutputFiles::open(const RunnableGraph& graph, fs::path folder, OutputForms forms) {
  std::set<std::string> names;
  for (const IoTensor& output : graph.outputs) {
    if (forms.floats && output.native_only)
      return unsupported("output-encoding",
                         "its encoding is not one scale and offset, so that it cannot be "
                         "written as float32")
          .at(concat("output '", output.tensor.name, "'"))
          .fix_by("--use_native_output_files");
    if (!names.insert(file_name_of(output.tensor.name)).second)
      return invalid("output-name",
                     concat("two outputs would be written to '", file_name_of(output.tensor.name), ".raw'"))
          .at(concat("output '", output.tensor.name, "'"))
          .fix_by("give the model's outputs names that differ in letters and digits");
  }
  return OutputFiles(graph, std::move(folder), forms);
}

Status OutputFiles::write(size_t execution, size_t tensor, std::span<const std::byte> values) const {
  const fs::path folder = result_folder(folder_, execution);
  const ir::Tensor& output = graph_->outputs[tensor].tensor;
  const std::string name = file_name_of(output.name);
  if (forms_.native) OPENQNN_TRY(write_result(folder / (name + kNative), values));
  if (!forms_.floats) return {};
  if (output.desc.type == ir::DataType::kFloat32) return write_result(folder / (name + kFloats), values);
  const std::vector<float> floats = floats_of(output.desc, values);
  return write_result(folder / (name + kFloats), std::as_bytes(std::span(floats)));
}

std::vector<std::string> OutputFiles::file_names() const {
  std::vector<std::string> names;
  for (const IoTensor& output : graph_->outputs) {
    const std::string name = file_name_of(output.tensor.name);
    if (forms_.floats) names.push_back(name + kFloats);
    if (forms_.native) names.push_back(name + kNative);
  }
  return names;
}

OlderResults::OlderResults(fs::path folder, std::vector<std::string> file_names)
    : folder_(std::move(folder)), file_names_(std::move(file_names)) {
  for (const uint64_t number : results_in(folder_)) {
    Result& result = results_.emplace_back();
    result.number = number;
    for (std::string& file : names_in(result_folder(folder_, number)))
      if (std::ranges::find(file_names_, file) == file_names_.end()) result.foreign = std::move(file);
  }
}

void OlderResults::tell(const WrittenResults& written, std::string_view folder_given_by) const {
  const auto replaced =
      std::ranges::count_if(results_, [&](const Result& result) { return is_in(written, result.number); });
  if (replaced > 0)
    log_info(concat("replaced ", counted(static_cast<uint64_t>(replaced), "result"), " of an earlier run in ",
                    folder_.string()));
  tell_foreign(written);
  tell_left(written, folder_given_by);
}

void OlderResults::tell_left(const WrittenResults& written, std::string_view folder_given_by) const {
  const auto is_left = [&](const Result& result) { return !is_in(written, result.number); };
  const auto first = std::ranges::find_if(results_, is_left);
  const auto count = std::ranges::count_if(results_, is_left);
  if (count == 0) return;
  log_warning(concat(result_folder(folder_, first->number).string(),
                     count == 1 ? "" : concat(" and ", count - 1, " more"), count == 1 ? " is" : " are",
                     " of an earlier run and left; this run wrote ", counted(written.count, "result"),
                     "; remove ", count == 1 ? "it" : "them", ", or choose another ", folder_given_by));
}

// Beside this run's files, in the same folder.
void OlderResults::tell_foreign(const WrittenResults& written) const {
  const auto is_mixed = [&](const Result& result) {
    return is_in(written, result.number) && !result.foreign.empty();
  };
  const auto first = std::ranges::find_if(results_, is_mixed);
  if (first == results_.end()) return;
  const auto count = std::ranges::count_if(results_, is_mixed);
  log_warning(concat((result_folder(folder_, first->number) / first->foreign).string(),
                     " is not of this run and left",
                     count == 1 ? "" : concat("; ", count - 1, " more of its folders have such files"),
                     "; remove what you do not need"));
}

Status write_metadata(const fs::path& folder, const std::vector<GraphRun>& runs) {
  std::string out = "graphs:\n";
  for (const GraphRun& run : runs) {
    out += concat("  - graph_name: ", json::quoted(run.graph->name),
                  "\n    inferences_completed: ", run.inferences, "\n");
    append_tensors(out, "input_tensors", run.graph->inputs);
    append_tensors(out, "output_tensors", run.graph->outputs);
  }
  return write_result(folder / "execution_metadata.yaml", std::as_bytes(std::span(out)));
}

}  // namespace openqnn::tools
