// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "base/text.h"
#include "tools/qnn/throughput_thread.h"

namespace openqnn::tools {
namespace {

bool is_signed(ir::DataType type) {
  return type == ir::DataType::kInt8 || type == ir::DataType::kInt16 || type == ir::DataType::kSfixed8 ||
         type == ir::DataType::kSfixed16;
}

float integer_at(std::span<const std::byte> values, size_t index, size_t width, bool with_sign) {
  uint16_t bits = 0;
  std::memcpy(&bits, values.data() + index * width, width);
  if (!with_sign) return static_cast<float>(bits);
  return width == 1 ? static_cast<float>(static_cast<int8_t>(bits))
                    : static_cast<float>(static_cast<int16_t>(bits));
}

}  // namespace

Status RandomInputs::fill(size_t tensor, size_t /*index*/, std::span<std::byte> buffer) const {
  const IoTensor& input = graph_.inputs[tensor];
  std::mt19937 random(static_cast<uint32_t>(tensor) + 1);
  if (input.native_only) {  // no scale to quantize with: any byte is a value
    std::ranges::generate(buffer, [&] { return static_cast<std::byte>(random() & 0xFF); });
    return {};
  }
  std::vector<float> values(buffer.size() / ir::byte_size(input.tensor.desc.type));
  for (float& value : values) value = static_cast<float>(random() >> 8) * 0x1p-24F;
  const std::vector<std::byte> bytes = native_of(input.tensor.desc, values);
  std::memcpy(buffer.data(), bytes.data(), std::min(bytes.size(), buffer.size()));
  return {};
}

Result<std::unique_ptr<KeptInputs>> KeptInputs::read(const RunnableGraph& graph, const InputSource& source) {
  auto kept = std::make_unique<KeptInputs>();
  for (size_t i = 0; i < source.executions(); ++i) {
    auto& execution = kept->values_.emplace_back();
    for (size_t tensor = 0; tensor < graph.inputs.size(); ++tensor) {
      auto& values = execution.emplace_back(ir::plain_bytes(graph.inputs[tensor].tensor.desc));
      OPENQNN_TRY(source.fill(tensor, i, values));
    }
  }
  return kept;
}

Status KeptInputs::fill(size_t tensor, size_t index, std::span<std::byte> buffer) const {
  const std::vector<std::byte>& values = values_[index][tensor];
  std::memcpy(buffer.data(), values.data(), std::min(values.size(), buffer.size()));
  return {};
}

Result<std::unique_ptr<JudgedOutputs>> JudgedOutputs::open(const RunnableGraph& graph, size_t inputs,
                                                           PostProcessor post_processor, Judgement* judgement,
                                                           SaveOutput save,
                                                           std::unique_ptr<OutputFiles> files) {
  const size_t width = post_processor == PostProcessor::kMseInt8    ? 1
                       : post_processor == PostProcessor::kMseInt16 ? 2
                                                                    : 0;
  for (const IoTensor& output : graph.outputs) {
    const auto refuse = [&](std::string_view why) {
      return invalid("throughput-post-processor",
                     concat("output '", output.tensor.name, "' of graph '", graph.name, "' ", why))
          .at("postProcessor")
          .fix_by("MSE compares the values that the numbers stand for, whatever their type");
    };
    const bool whole = !ir::is_float(output.tensor.desc.type);
    if (width != 0 && (!whole || ir::byte_size(output.tensor.desc.type) != width))
      return refuse(concat("has no elements of ", width * 8, " bits"));
    if (post_processor == PostProcessor::kMse && output.native_only)
      return refuse("has an encoding that is not one scale and offset");
  }
  std::unique_ptr<JudgedOutputs> made(new JudgedOutputs(graph));
  made->inputs_ = inputs;
  made->post_processor_ = post_processor;
  made->judgement_ = judgement;
  made->save_ = save;
  made->files_ = std::move(files);
  return made;
}

Status JudgedOutputs::take(size_t execution, size_t tensor, std::span<const std::byte> values) {
  if (judgement_ != nullptr) compare(execution % inputs_, tensor, values);
  if (save_ == SaveOutput::kAll) return files_->write(execution, tensor, values);
  if (save_ == SaveOutput::kLast) {
    last_[tensor].assign(values.begin(), values.end());
    last_execution_ = execution;
  }
  return {};
}

Status JudgedOutputs::finish() const {
  for (const auto& [tensor, values] : last_) OPENQNN_TRY(files_->write(last_execution_, tensor, values));
  return {};
}

void JudgedOutputs::compare(size_t input, size_t tensor, std::span<const std::byte> values) {
  std::vector<float> result = numbers_of(tensor, values);
  const auto place = judgement_->references.find({input, tensor});
  if (place == judgement_->references.end()) {
    judgement_->references.emplace(std::pair(input, tensor), std::move(result));
    return;
  }
  double sum = 0;
  for (size_t i = 0; i < result.size(); ++i) {
    const double difference = static_cast<double>(result[i]) - place->second[i];
    sum += difference * difference;
  }
  const double mean = result.empty() ? 0 : sum / static_cast<double>(result.size());
  // What is no number is worse than any error, and stays so.
  if (std::isnan(mean) || mean > judgement_->worst) judgement_->worst = mean;
  ++judgement_->compared;
}

std::vector<float> JudgedOutputs::numbers_of(size_t tensor, std::span<const std::byte> values) const {
  const ir::TensorDesc& desc = graph_.outputs[tensor].tensor.desc;
  if (post_processor_ == PostProcessor::kMse) return floats_of(desc, values);
  const size_t width = post_processor_ == PostProcessor::kMseInt8 ? 1 : 2;
  std::vector<float> numbers(values.size() / width);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = integer_at(values, i, width, is_signed(desc.type));
  return numbers;
}

}  // namespace openqnn::tools
