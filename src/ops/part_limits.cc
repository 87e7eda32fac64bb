// SPDX-License-Identifier: BSD-3-Clause
#include "ops/part_limits.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "soc/part_name.h"

namespace openqnn::ops {
namespace {

// The op definitions name the architectures for these (16-bit weights: all but FullyConnected and Batchnorm,
// which the HTP page lists with the others).
constexpr uint32_t kFirstArchWithWideWeights = 73;
constexpr uint32_t kFirstArchWithExpansion = 79;
constexpr std::array<std::string_view, 7> kOpsWithWideWeights = {
    "Conv2d", "DepthWiseConv2d", "TransposeConv2d", "FullyConnected", "MatMul", "Batchnorm", "LayerNorm"};
constexpr size_t kWeight = 1;

bool is_float(const ir::TensorDesc* desc) {
  return desc && (desc->type == ir::DataType::kFloat32 || desc->type == ir::DataType::kFloat16);
}

// Whether a row belongs to the integer configurations, which every part has. Quantize takes a float there.
bool is_of_integer_configuration(const TypeRow* row) {
  return row->configuration == "INT8" || row->configuration == "INT16" || row->configuration == "OTHERS";
}

bool needs_half(const OpDef& op, const OpCall& call) {
  if (std::ranges::none_of(call.inputs, is_float) && std::ranges::none_of(call.outputs, is_float))
    return false;
  return std::ranges::none_of(fitting_rows(op, call), is_of_integer_configuration);
}

bool has_wide_weights(std::string_view type, const OpCall& call) {
  return std::ranges::count(kOpsWithWideWeights, type) > 0 && call.has_input(kWeight) &&
         ir::is_quantized(call.in(kWeight).type) && ir::byte_size(call.in(kWeight).type) == 2;
}

bool has_expansion(const OpCall& call) {
  return std::ranges::any_of(
      call.inputs, [](const ir::TensorDesc* input) { return input && input->quantization.expanded; });
}

}  // namespace

Status check_part(std::string_view type, const OpCall& call, const soc::Target& part) {
  const OpDef* op = find_op(type);
  if (part.assumed || !op) return {};
  const auto refuse = [&](const char* code, std::string_view why, std::string_view instead) {
    return unsupported(code, concat(part_and_arch(part), why))
        .at(concat("node '", call.node, "' (", type, ")"))
        .fix_by(std::string(instead));
  };
  if (part.runs_half == false && needs_half(*op, call))
    return refuse("part-half", " has no half precision, in which the HTP computes floats",
                  "quantize the model to 8 or 16 bits, or prepare it for a part with HTP float, e.g. SM8550");
  if (part.arch < kFirstArchWithWideWeights && has_wide_weights(type, call))
    return refuse("part-weights-16",
                  concat(" takes no 16-bit weights; parts from v", kFirstArchWithWideWeights, " on do"),
                  "use 8-bit weights, or prepare the model for a newer part, e.g. SM8550 (v73)");
  if (part.arch < kFirstArchWithExpansion && has_expansion(call))
    return refuse(
        "part-expansion",
        concat(" takes no block-wise expansion encodings; parts from v", kFirstArchWithExpansion, " on do"),
        "use an encoding per channel, or prepare the model for a newer part, e.g. SM8750 (v79)");
  return {};
}

}  // namespace openqnn::ops
