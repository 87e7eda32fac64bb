// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/input_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "tools/console.h"
#include "tools/integer_files.h"
#include "tools/qnn/compose_watch.h"
#include "tools/qnn/tool.h"
#include "tools/value_types.h"

namespace openqnn::tools {
namespace {

constexpr std::string_view kSkipped = "__";

Result<config::InputList> read_list(const std::string& path) {
  OPENQNN_ASSIGN(const std::string text, read_text_file(path));
  OPENQNN_ASSIGN(config::InputList list, config::parse_input_list(text, path));
  if (!list.output_layers.empty() || !list.output_tensors.empty())
    return unsupported("input-list-outputs",
                       "lines with # or % choose outputs, which this program takes by an option")
        .at(path)
        .fix_by("take them out, and use --set_output_tensors");
  return list;
}

Result<std::shared_ptr<const MappedFile>> open_input(const std::string& path, const Where& where) {
  auto file = MappedFile::open(path);
  if (file) return *std::move(file);
  return system_failure("input-file", concat("'", path, "': ", file.error().message))
      .at(where)
      .fix_by("paths in a list are relative to the folder in which the program runs");
}

// Of a file that may be read; not opened, because a list may have thousands.
Result<uint64_t> input_size(const std::string& path, const Where& where) {
  std::error_code error;
  if (const uint64_t size = std::filesystem::file_size(path, error); !error) return size;
  OPENQNN_ASSIGN(const auto file, open_input(path, where));  // which says what is wrong
  return uint64_t{file->bytes().size()};
}

}  // namespace

std::vector<OptionSpec> input_options() {
  return {
      {"--input_list", "FILE[,FILE]",
       "inputs: one list per graph, one inference a line; __ in place of a list skips its graph (required)"},
      {"--use_native_input_files", "", "input files hold values in the tensors' own types, not float32"},
      {"--native_input_tensor_names", "GRAPH:TENSOR,...;...", "the same for these inputs alone"},
      {"--input_data_type", "TYPE", "the old form of --use_native_input_files", false, "float native"},
  };
}

Result<NativeInputs> native_inputs_of(const Args& args) {
  OPENQNN_TRY(exclude(args, "--use_native_input_files", "--native_input_tensor_names"));
  OPENQNN_TRY(exclude(args, "--input_data_type", "--native_input_tensor_names"));
  NativeInputs native;
  if (args.has("--use_native_input_files") && args.get("--input_data_type") == "float")
    return invalid("option-conflict",
                   "--use_native_input_files and --input_data_type float contradict each other")
        .fix_by("give one");
  native.all = args.has("--use_native_input_files") || args.get("--input_data_type") == "native";
  if (args.has("--native_input_tensor_names")) {
    OPENQNN_ASSIGN(native.by_graph, parse_names_by_graph(args.get("--native_input_tensor_names"),
                                                         "--native_input_tensor_names"));
  }
  return native;
}

Result<std::vector<std::optional<config::InputList>>> read_input_lists(const std::vector<std::string>& paths,
                                                                       const std::vector<std::string>& graphs,
                                                                       std::string_view given_by) {
  if (paths.size() != graphs.size())
    return invalid("input-lists", concat(paths.size(), " lists are given for ", graphs.size(), " graphs"))
        .at(std::string(given_by))
        .fix_by(concat("give one list per graph, or __ to skip one; the graphs: ", joined(graphs)));
  std::vector<std::optional<config::InputList>> lists;
  for (const std::string& path : paths) {
    std::optional<config::InputList>& list = lists.emplace_back();
    if (path == kSkipped) continue;
    OPENQNN_ASSIGN(list, read_list(path));
  }
  return lists;
}

Result<ListedInputs> ListedInputs::open(const RunnableGraph& graph, config::InputList list, std::string path,
                                        uint32_t batches, const NativeInputs& native) {
  ListedInputs files(graph, std::move(list), std::move(path));
  for (config::Inference& inference : files.list_.inferences) OPENQNN_TRY(files.match(inference));
  OPENQNN_TRY(files.choose_native(native));
  OPENQNN_TRY(files.find_lines(batches));
  OPENQNN_TRY(files.check_sizes());
  OPENQNN_TRY(files.check_integers());
  files.tell_incomplete_batch();
  return files;
}

Status ListedInputs::choose_native(const NativeInputs& native) {
  native_option_ = native.option;
  std::vector<std::string> named;
  for (const std::string& key : {graph_->name, std::string()})
    if (const auto found = native.by_graph.find(key); found != native.by_graph.end())
      named.insert(named.end(), found->second.begin(), found->second.end());
  const std::vector<std::string> inputs = names_of(graph_->inputs);
  for (const std::string& name : named)
    if (std::ranges::find(inputs, name) == inputs.end())
      return invalid("native-input", concat("graph '", graph_->name, "' has no input '", name, "'"))
          .at("--native_input_tensor_names")
          .fix_by(concat("its inputs: ", joined(inputs)));
  for (const IoTensor& input : graph_->inputs) {
    const bool is_native = native.all || std::ranges::find(named, input.tensor.name) != named.end();
    if (!is_native && input.native_only)
      return unsupported("input-encoding",
                         "its encoding is not one scale and offset, so that float32 values "
                         "cannot be converted")
          .at(concat("input '", input.tensor.name, "'"))
          .fix_by(concat("give the file in the tensor's own type, with ", native_option_));
    native_.push_back(is_native);
  }
  return {};
}

// Puts the files of a line into the order of the graph's inputs.
Status ListedInputs::match(config::Inference& inference) const {
  std::vector<config::InputFile>& files = inference.files;
  const std::vector<std::string> inputs = names_of(graph_->inputs);
  const std::string all = concat("write name:=path for each of: ", joined(inputs));
  for (const config::InputFile& file : files) {
    if (file.name.empty() || std::ranges::find(inputs, file.name) != inputs.end()) continue;
    const std::vector<std::string_view> known(inputs.begin(), inputs.end());
    const std::string_view meant = closest(file.name, known);
    return invalid("input-name", concat("graph '", graph_->name, "' has no input '", file.name, "'"))
        .at(place(inference))
        .fix_by(meant.empty() ? all : concat("did you mean '", meant, "'?"));
  }
  if (files.size() != inputs.size())
    return invalid("input-count", concat("the line gives ", files.size(),
                                         files.size() == 1 ? " file" : " files", "; graph '", graph_->name,
                                         "' has ", inputs.size(), inputs.size() == 1 ? " input" : " inputs"))
        .at(place(inference))
        .fix_by(all);
  if (files.size() == 1) return {};  // whether it has a name or not
  std::vector<config::InputFile> ordered;
  for (const std::string& input : inputs) {
    const auto found = std::ranges::find(files, input, &config::InputFile::name);
    if (found == files.end())
      return invalid("input-name", concat("the line has no file for input '", input, "'"))
          .at(place(inference))
          .fix_by(all);
    ordered.push_back(std::move(*found));
  }
  files = std::move(ordered);
  return {};
}

uint64_t ListedInputs::file_bytes(size_t tensor, uint32_t batches) const {
  const ir::TensorDesc& desc = graph_->inputs[tensor].tensor.desc;
  const uint64_t native = ir::plain_bytes(desc) * batches;
  return native_[tensor] ? native : native / ir::byte_size(desc.type) * sizeof(float);
}

// A file that holds a whole part of the batch is joined with those of the lines that follow.
Status ListedInputs::find_lines(uint32_t batches) {
  const config::Inference& first = list_.inferences.front();
  for (size_t i = 0; i < graph_->inputs.size(); ++i) {
    const IoTensor& input = graph_->inputs[i];
    const std::string& path = first.files[i].path;
    OPENQNN_ASSIGN(const uint64_t has, input_size(path, place(first)));
    const uint64_t needs = file_bytes(i, batches);
    const ir::Shape& shape = input.tensor.desc.shape;
    const uint64_t whole_batch = batches * (shape.rank() > 0 ? shape[0] : 1);
    const bool fits = has > 0 && needs % has == 0 && whole_batch % (needs / has) == 0;
    const uint64_t lines = fits ? needs / has : 0;
    if (!fits || (i > 0 && lines != lines_)) {
      const std::string_view type = native_[i] ? ir::name(input.tensor.desc.type) : "float32";
      return invalid("input-size", concat("'", path, "' has ", has, " bytes; input '", input.tensor.name,
                                          "' ", shape.to_string(), " takes ", needs, " bytes of ", type))
          .at(place(first))
          .fix_by(size_remedy(i, has, batches));
    }
    lines_ = lines;
    line_bytes_.push_back(has);
  }
  return {};
}

std::string ListedInputs::size_remedy(size_t tensor, uint64_t has, uint32_t batches) const {
  const ir::TensorDesc& desc = graph_->inputs[tensor].tensor.desc;
  const uint64_t native = ir::plain_bytes(desc) * batches;
  const uint64_t floats = native / ir::byte_size(desc.type) * sizeof(float);
  const uint64_t needs = file_bytes(tensor, batches);
  if (native_[tensor] && has == floats)
    return concat("it has the size of float32 values: leave ", native_option_, " out for it");
  if (!native_[tensor] && has == native)
    return concat("it has the size of ", ir::name(desc.type), " values: say ", native_option_);
  std::string other_type = remedy_of_other_type(native_[tensor] ? desc.type : ir::DataType::kFloat32,
                                                native / ir::byte_size(desc.type), has);
  if (needs > 0 && has > needs && has % needs == 0)
    return concat(other_type, other_type.empty() ? "" : "; or ", "it has the elements of ", has / needs,
                  " executions: give each a file of its own, or say --batch_multiplier ",
                  has / needs * batches);
  if (!other_type.empty()) return other_type;
  return native_[tensor] ? std::string("write the tensor's elements one after another, without a header")
                         : concat("write float32 values, or say ", native_option_);
}

Diagnostic ListedInputs::wrong_size(size_t tensor, const config::Inference& inference, uint64_t has) const {
  return invalid("input-size",
                 concat("'", inference.files[tensor].path, "' has ", has, " bytes, ", line_bytes_[tensor],
                        " are needed for input '", graph_->inputs[tensor].tensor.name, "'"))
      .at(place(inference))
      .fix_by("all lines of a list must have files of the same size");
}

Status ListedInputs::check_sizes() const {
  for (const config::Inference& inference : list_.inferences)
    for (size_t i = 0; i < graph_->inputs.size(); ++i) {
      OPENQNN_ASSIGN(const uint64_t has, input_size(inference.files[i].path, place(inference)));
      if (has != line_bytes_[i]) return wrong_size(i, inference, has);
    }
  return {};
}

// Integers are read as float32 numbers, too, unless a user says otherwise: said, because a file of 32-bit
// integers has the same size. One that was certainly meant as the other is refused, for reals as well.
Status ListedInputs::check_integers() const {
  for (size_t i = 0; i < graph_->inputs.size(); ++i) {
    const ir::Tensor& input = graph_->inputs[i].tensor;
    const std::string_view type = ir::name(input.desc.type);
    const bool integer = is_integer(input.desc.type);
    if (integer && !native_[i])
      log_info(concat("input '", input.name, "' holds ", type, "; its files are read as float32 (",
                      native_option_, ": as ", type, ")"));
    const std::string remedy = native_[i] ? concat("leave ", native_option_, " out for it, or write ", type)
                                          : concat("say ", native_option_, ", or write float32");
    for (const config::Inference& inference : list_.inferences) {
      const std::string& path = inference.files[i].path;
      OPENQNN_ASSIGN(const auto file, open_input(path, place(inference)));
      OPENQNN_TRY(refuse_other_kind({path, input, native_[i], place(inference), remedy}, file->bytes()));
      if (!integer) break;  // who writes integers for reals does so in the first file, too
    }
  }
  return {};
}

void ListedInputs::tell_incomplete_batch() const {
  const size_t rest = list_.inferences.size() % lines_;
  if (rest == 0) return;
  log_warning(concat(path_, ": an execution takes ", lines_, " lines, and the last one has ", rest,
                     ": what is missing is 0, and the last result has ", lines_ - rest,
                     lines_ - rest == 1 ? " part" : " parts", " of no input"));
}

Status ListedInputs::fill(size_t tensor, size_t index, std::span<std::byte> buffer) const {
  const ir::TensorDesc& desc = graph_->inputs[tensor].tensor.desc;
  const size_t part = buffer.size() / lines_;
  for (size_t line = 0; line < lines_; ++line) {
    const std::span<std::byte> into = buffer.subspan(line * part, part);
    const size_t number = index * lines_ + line;
    if (number >= list_.inferences.size()) {
      std::ranges::fill(into, std::byte{0});  // ours: as the vendor's older tool fills an incomplete batch
      continue;
    }
    const config::Inference& inference = list_.inferences[number];
    OPENQNN_ASSIGN(const auto file, open_input(inference.files[tensor].path, place(inference)));
    const std::span<const std::byte> bytes = file->bytes();
    if (bytes.size() != line_bytes_[tensor]) return wrong_size(tensor, inference, bytes.size());
    if (native_[tensor] || desc.type == ir::DataType::kFloat32) {
      std::ranges::copy(bytes, into.begin());
      continue;
    }
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    std::ranges::copy(native_of(desc, values), into.begin());
  }
  return {};
}

}  // namespace openqnn::tools
