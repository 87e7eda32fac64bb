// SPDX-License-Identifier: BSD-3-Clause
#include "onnx/onnx_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "exec/executor.h"
#include "frontend/onnx/constant.h"
#include "frontend/onnx/convert.h"
#include "frontend/onnx/graph_draft.h"
#include "prepare/prepare.h"
#include "quant/reference_run.h"

namespace openqnn::test {
namespace {

namespace fs = std::filesystem;
namespace onnx = frontend::onnx;

Outcome refused(const Diagnostic& why) {
  return {Verdict::kRefused, why.fix.empty() ? why.message : concat(why.message, " (", why.fix, ")")};
}
Outcome failed(std::string why) { return {Verdict::kFailed, std::move(why)}; }

// A tensor file as the backend takes it.
struct Given {
  std::vector<std::byte> bytes;
  ir::DataType type = ir::DataType::kUndefined;
  onnx::Dims dims;
  std::vector<double> reals;  // as the file has them: doubles may be beyond what the bytes hold
};

// The test sets store bfloat16 as the 16-bit integers of its bits: `declared` is what the model says it is.
Result<Given> read_given(const fs::path& path, onnx::ElementType declared) {
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  OPENQNN_ASSIGN(onnx::Tensor tensor, onnx::read_tensor(file->bytes(), path.string()));
  if (declared == onnx::ElementType::kBfloat16) tensor.type = declared;
  onnx::ExternalFiles none("");
  OPENQNN_ASSIGN(onnx::TensorValues values, onnx::values_of(tensor, none));
  const onnx::Constant constant(tensor.type, tensor.dims, std::move(values));
  Given given{constant.to_backend(), onnx::backend_type(tensor.type), tensor.dims, {}};
  if (onnx::is_real(tensor.type)) given.reals = constant.reals();
  return given;
}

double element(const std::vector<std::byte>& bytes, ir::DataType type, uint64_t index) {
  auto load = [&](auto value) {
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return static_cast<double>(value);
  };
  switch (type) {
    case ir::DataType::kFloat32:
      return load(float{});
    case ir::DataType::kInt32:
      return load(int32_t{});
    case ir::DataType::kUint32:
      return load(uint32_t{});
    case ir::DataType::kInt16:
      return load(int16_t{});
    case ir::DataType::kUint16:
    case ir::DataType::kUfixed16:
      return load(uint16_t{});
    case ir::DataType::kInt8:
    case ir::DataType::kSfixed8:
      return load(int8_t{});
    default:
      return load(uint8_t{});
  }
}

constexpr double kLargestSingle = std::numeric_limits<float>::max();

enum class Computed : uint8_t { kInHalf, kInSingle };

// Within what reals may differ by; `largest` is that of the tensor. Infinity for a number is a difference,
// but in single precision for a double that no single holds.
bool alike(double got, double want, double largest, Computed how) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  if (how == Computed::kInSingle && std::isinf(got) && std::abs(want) > kLargestSingle)
    return std::signbit(got) == std::signbit(want);
  return std::abs(got - want) <= 0.004 * std::abs(want) + 0.001 * largest + 1e-6;
}

// Empty when all is well.
std::string difference(const std::vector<std::byte>& got, const std::string& name, const ir::Shape& shape,
                       ir::DataType type, const Given& want, Computed how) {
  const uint64_t count = onnx::count_of(want.dims);
  if (shape.elements() != count)
    return concat("'", name, "' is ", shape.to_string(), ", not ", onnx::text_of(want.dims));
  double largest = 0;
  for (const double value : want.reals)
    if (std::abs(value) <= kLargestSingle) largest = std::max(largest, std::abs(value));
  for (uint64_t i = 0; i < count; ++i) {
    const double g = element(got, type, i);
    const double w = want.reals.empty() ? element(want.bytes, want.type, i) : want.reals[i];
    if (want.reals.empty() ? g != w : !alike(g, w, largest, how))
      return concat("'", name, "' [", i, "] of ", count, " is ", g, ", not ", w);
  }
  return "";
}

// A case's files: inputs of the model that are no longer the graph's have files too.
class DataSet {
 public:
  DataSet(const onnx::Model& model, fs::path folder) : graph_(*model.graph), folder_(std::move(folder)) {}

  Result<Given> input(std::string_view name) const {
    for (size_t i = 0; i < graph_.inputs.size(); ++i)
      if (onnx::identifier(graph_.inputs[i].name) == name)
        return read_given(folder_ / concat("input_", i, ".pb"), graph_.inputs[i].type);
    return invalid("onnx-case", concat("the model has no input '", name, "'"));
  }
  Result<Given> output(size_t index) const {
    return read_given(folder_ / concat("output_", index, ".pb"), graph_.outputs.at(index).type);
  }

 private:
  const onnx::Graph& graph_;
  fs::path folder_;
};

bool is_read(const program::Program& program, size_t tensor) {
  return std::any_of(program.ops.begin(), program.ops.end(), [&](const program::Op& op) {
    return std::find(op.inputs.begin(), op.inputs.end(), tensor) != op.inputs.end();
  });
}

// On the backend, in half.
Outcome run_on_backend(const DataSet& data, const program::ProgramSet& set) {
  const program::Program& program = *set.programs[0];
  std::vector<std::vector<std::byte>> memory(program.tensors.size());
  std::vector<std::byte*> buffers(program.tensors.size(), nullptr);
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const program::Tensor& tensor = program.tensors[i];
    const uint64_t bytes = tensor.desc.shape.elements() * ir::byte_size(tensor.client_type);
    if (tensor.role == ir::TensorRole::kInput) {
      const auto given = data.input(tensor.name);
      if (!given) return failed(given.error().message);
      memory[i] = given->bytes;
      if (!is_read(program, i))
        memory[i].resize(bytes);  // CastLike's second input has other dimensions in its file
      if (memory[i].size() != bytes) return failed(concat("input '", tensor.name, "' has another size"));
    } else if (tensor.role == ir::TensorRole::kOutput) {
      memory[i].resize(bytes);
    }
    buffers[i] = memory[i].data();
  }
  exec::Executor(set, exec::Mode::kWhole, Logger()).run(buffers);
  size_t outputs = 0;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const program::Tensor& tensor = program.tensors[i];
    if (tensor.role != ir::TensorRole::kOutput) continue;
    const auto want = data.output(outputs++);
    if (!want) return failed(want.error().message);
    const std::string why =
        difference(memory[i], tensor.name, tensor.desc.shape, tensor.client_type, *want, Computed::kInHalf);
    if (!why.empty()) return failed(why);
  }
  return {};
}

// The same graph in single precision: whether the conversion is right.
bool is_right_in_single(const DataSet& data, const ir::Graph& graph) {
  std::map<ir::TensorIndex, std::vector<std::byte>> inputs;
  std::vector<ir::TensorIndex> outputs;
  for (ir::TensorIndex i = 0; i < graph.tensors().size(); ++i) {
    const ir::Tensor& tensor = graph.tensors()[i];
    if (tensor.role == ir::TensorRole::kInput) inputs[i] = data.input(tensor.name).value().bytes;
    if (tensor.role == ir::TensorRole::kOutput) outputs.push_back(i);
  }
  bool right = true;
  quant::ReferenceRun run(graph, quant::FloatsAs::kSingle);
  const auto check = [&](ir::TensorIndex tensor, std::span<const std::byte> values) {
    const auto found = std::find(outputs.begin(), outputs.end(), tensor);
    if (found == outputs.end()) return;
    const auto want = data.output(static_cast<size_t>(found - outputs.begin()));
    const ir::TensorDesc& desc = graph.tensors()[tensor].desc;
    right &= want &&
             difference({values.begin(), values.end()}, "", desc.shape, desc.type, *want, Computed::kInSingle)
                 .empty();
  };
  const bool ran = run.run({inputs.begin(), inputs.end()}, check).ok();
  return ran && right;
}

// The node tests pass everything as an input, also what models have as constants: shapes, axes, bounds. Those
// become constants: inputs from `first` on that are short lists.
onnx::ConvertOptions freeze_parameters(const onnx::Model& model, const fs::path& data_set, size_t first) {
  onnx::ConvertOptions options;
  for (size_t i = first; i < model.graph->inputs.size(); ++i) {
    const auto file = MappedFile::open(data_set / concat("input_", i, ".pb"));
    if (!file) continue;
    const auto tensor = onnx::read_tensor((*file)->bytes(), "");
    if (!tensor) continue;
    onnx::ExternalFiles none("");
    const auto values = onnx::values_of(*tensor, none);
    if (!values || tensor->dims.size() > 1 || (i == 0 && !onnx::is_integer(tensor->type))) continue;
    auto owned =
        std::make_shared<const std::vector<std::byte>>(values->bytes().begin(), values->bytes().end());
    options.import.frozen.emplace(model.graph->inputs[i].name,
                                  std::make_shared<const onnx::Constant>(tensor->type, tensor->dims,
                                                                         onnx::TensorValues(*owned, owned)));
  }
  return options;
}

// As it is; else with the parameters known; else, when the first input is one, with that known too.
Result<onnx::Conversion> convert_case(const onnx::Model& model, const fs::path& folder) {
  onnx::ExternalFiles files(folder);
  auto plain = onnx::convert(model, files, "test", {});
  if (plain && plain->refusals.empty()) return plain;
  for (const size_t first : {size_t{1}, size_t{0}}) {
    const onnx::ConvertOptions options = freeze_parameters(model, folder / "test_data_set_0", first);
    if (options.import.frozen.empty()) continue;
    auto frozen = onnx::convert(model, files, "test", options);
    if (frozen && frozen->refusals.empty()) return frozen;
    if (frozen && first == 1) plain = std::move(frozen);
  }
  return plain;
}

}  // namespace

Outcome run_onnx_case(const fs::path& folder) {
  const auto file = MappedFile::open(folder / "model.onnx");
  if (!file) return failed(file.error().message);
  const auto model = onnx::read_model((*file)->bytes(), folder.string());
  if (!model) return refused(model.error());
  auto converted = convert_case(*model, folder);
  if (!converted) return refused(converted.error());
  if (!converted->refusals.empty()) return refused(converted->refusals.front().why);
  auto target = soc::default_target();
  if (!target) return failed(target.error().message);
  auto set = prepare::prepare(*converted->graph, *target, {}, Logger());
  if (!set) return failed(concat("prepare: ", set.error().message));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory() || !entry.path().filename().string().starts_with("test_data_set_")) continue;
    const DataSet data(*model, entry.path());
    Outcome outcome = run_on_backend(data, *set);
    if (outcome.verdict == Verdict::kFailed && is_right_in_single(data, *converted->graph))
      outcome.verdict = Verdict::kBeyondHalf;
    if (outcome.verdict != Verdict::kPassed) return outcome;
  }
  return {};
}

}  // namespace openqnn::test
