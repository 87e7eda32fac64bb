// SPDX-License-Identifier: BSD-3-Clause
#include "onnx/onnx_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "exec/executor.h"
#include "frontend/onnx/constant.h"
#include "frontend/onnx/convert.h"
#include "frontend/onnx/graph_draft.h"
#include "prepare/prepare.h"

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
};

Result<Given> read_given(const fs::path& path) {
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  OPENQNN_ASSIGN(const onnx::Tensor tensor, onnx::read_tensor(file->bytes(), path.string()));
  onnx::ExternalFiles none("");
  OPENQNN_ASSIGN(onnx::TensorValues values, onnx::values_of(tensor, none));
  const onnx::Constant constant(tensor.type, tensor.dims, std::move(values));
  return Given{constant.to_backend(), onnx::backend_type(tensor.type), tensor.dims};
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

bool alike(double got, double want, double largest, bool real) {
  if (!real) return got == want;
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  if (std::abs(want) > 65504.0) return std::isinf(got) || std::abs(got) > 65000.0;  // beyond half
  return std::abs(got - want) <= 0.004 * std::abs(want) + 0.001 * largest + 1e-6;
}

// Empty when all is well.
std::string difference(const std::vector<std::byte>& got, const program::Tensor& tensor, const Given& want) {
  const uint64_t count = onnx::count_of(want.dims);
  if (tensor.desc.shape.elements() != count)
    return concat("'", tensor.name, "' is ", tensor.desc.shape.to_string(), ", not ",
                  onnx::text_of(want.dims));
  const bool real = want.type == ir::DataType::kFloat32;
  double largest = 0;
  for (uint64_t i = 0; i < count && real; ++i)
    if (const double value = std::abs(element(want.bytes, want.type, i)); std::isfinite(value))
      largest = std::max(largest, value);
  for (uint64_t i = 0; i < count; ++i) {
    const double g = element(got, tensor.client_type, i);
    const double w = element(want.bytes, want.type, i);
    if (!alike(g, w, largest, real))
      return concat("'", tensor.name, "' [", i, "] of ", count, " is ", g, ", not ", w);
  }
  return "";
}

// Inputs of the model that are no longer the graph's have files too.
size_t next_input(const onnx::Model& model, std::string_view name, size_t from) {
  for (size_t i = from; i < model.graph->inputs.size(); ++i)
    if (onnx::identifier(model.graph->inputs[i].name) == name) return i;
  return from;
}

Outcome run_data_set(const onnx::Model& model, const program::ProgramSet& set, const fs::path& folder) {
  const program::Program& program = *set.programs[0];
  std::vector<std::vector<std::byte>> memory(program.tensors.size());
  std::vector<std::byte*> buffers(program.tensors.size(), nullptr);
  size_t inputs = 0;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const program::Tensor& tensor = program.tensors[i];
    const uint64_t bytes = tensor.desc.shape.elements() * ir::byte_size(tensor.client_type);
    if (tensor.role == ir::TensorRole::kInput) {
      inputs = next_input(model, tensor.name, inputs);
      const auto given = read_given(folder / concat("input_", inputs++, ".pb"));
      if (!given) return failed(given.error().message);
      memory[i] = given->bytes;
      if (memory[i].size() != bytes) return failed(concat("input '", tensor.name, "' has another size"));
    } else if (tensor.role == ir::TensorRole::kOutput) {
      memory[i].resize(bytes);
    }
    buffers[i] = memory[i].data();
  }
  exec::Executor(set, 0, exec::Mode::kWhole, Logger()).run(buffers);
  size_t outputs = 0;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    if (program.tensors[i].role != ir::TensorRole::kOutput) continue;
    const auto want = read_given(folder / concat("output_", outputs++, ".pb"));
    if (!want) return failed(want.error().message);
    if (std::string why = difference(memory[i], program.tensors[i], *want); !why.empty()) return failed(why);
  }
  return {};
}

// The node tests pass everything as an input, also what models have as constants: shapes, axes, bounds. So
// all but the first input become constants when they are integers or short.
onnx::ConvertOptions freeze_parameters(const onnx::Model& model, const fs::path& data_set) {
  onnx::ConvertOptions options;
  for (size_t i = 1; i < model.graph->inputs.size(); ++i) {
    const auto file = MappedFile::open(data_set / concat("input_", i, ".pb"));
    if (!file) continue;
    const auto tensor = onnx::read_tensor((*file)->bytes(), "");
    if (!tensor) continue;
    onnx::ExternalFiles none("");
    const auto values = onnx::values_of(*tensor, none);
    if (!values || tensor->dims.size() > 1) continue;
    auto owned = std::make_shared<const std::vector<std::byte>>(values->bytes().begin(), values->bytes().end());
    options.import.frozen.emplace(model.graph->inputs[i].name,
                                  std::make_shared<const onnx::Constant>(tensor->type, tensor->dims,
                                                                         onnx::TensorValues(*owned, owned)));
  }
  return options;
}

Result<onnx::Conversion> convert_case(const onnx::Model& model, const fs::path& folder) {
  onnx::ExternalFiles files(folder);
  auto plain = onnx::convert(model, files, "test", {});
  if (plain && plain->refusals.empty()) return plain;
  const onnx::ConvertOptions options = freeze_parameters(model, folder / "test_data_set_0");
  if (options.import.frozen.empty()) return plain;
  return onnx::convert(model, files, "test", options);
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
    if (Outcome outcome = run_data_set(*model, *set, entry.path()); outcome.verdict != Verdict::kPassed)
      return outcome;
  }
  return {};
}

}  // namespace openqnn::test
