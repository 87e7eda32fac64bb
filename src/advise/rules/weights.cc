// SPDX-License-Identifier: BSD-3-Clause
// How weights are stored.
#include <algorithm>
#include <array>

#include "advise/rewrite.h"
#include "advise/rule.h"
#include "base/text.h"
#include "base/units.h"
#include "ops/elements.h"

namespace openqnn::advise {
namespace {

constexpr size_t kWeight = 1;
constexpr int64_t kLargestWord = 0x7F7F;
constexpr std::array<std::string_view, 7> kWideWeightOps = {
    "Conv2d", "DepthWiseConv2d", "TransposeConv2d", "FullyConnected", "MatMul", "Batchnorm", "LayerNorm"};
constexpr double kFourBitShare = 0.25;
constexpr uint64_t kFourBitBytes = 256 * kKiB;
constexpr uint32_t kFourBitOutputs = 32;

// A weight as the client states it; of a binary, as it is stored.
struct Weight {
  const ir::TensorDesc* desc = nullptr;
  std::string name;
  std::span<const std::byte> bytes;  // empty where the values are not there
};

std::optional<Weight> weight_of(const Subject& subject, size_t op) {
  if (!has_weights(subject.op(op).type) || !subject.has_input(op, kWeight)) return std::nullopt;
  const program::Tensor& stored = subject.input(op, kWeight);
  if (stored.role != ir::TensorRole::kStatic) return std::nullopt;
  const ir::Graph* graph = subject.given().graph;
  if (graph != nullptr) {
    const ir::Node& node = graph->nodes()[subject.op(op).source_nodes.front()];
    if (node.inputs.size() > kWeight && node.inputs[kWeight] != ir::kNoTensor) {
      const ir::Tensor& tensor = graph->tensors()[node.inputs[kWeight]];
      if (tensor.data) return Weight{&tensor.desc, tensor.name, tensor.data.bytes()};
    }
  }
  const program::ProgramSet& set = subject.given().timed.set;
  const bool has_bytes = stored.storage == program::Storage::kConstant && !set.constants.empty();
  return Weight{&stored.desc, stored.name, has_bytes ? set.bytes_of(stored) : std::span<const std::byte>()};
}

// The offset that puts 0 in the middle of the integers.
int32_t symmetric_offset(ir::DataType type) {
  if (type == ir::DataType::kUfixed8) return -0x80;
  if (type == ir::DataType::kUfixed16) return -0x8000;
  if (type == ir::DataType::kUfixed4) return -8;
  return 0;
}

std::optional<ir::ScaleOffset> asymmetric_encoding(const ir::TensorDesc& desc) {
  if (!ir::is_quantized(desc.type)) return std::nullopt;
  for (const ir::ScaleOffset& encoding : desc.quantization.encodings)
    if (encoding.offset != symmetric_offset(desc.type)) return encoding;
  return std::nullopt;
}

void asymmetric_weights(const Subject& subject, Report& report) {
  std::string first;
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    const auto weight = weight_of(subject, op);
    const auto encoding = weight ? asymmetric_encoding(*weight->desc) : std::nullopt;
    if (encoding && first.empty()) first = concat("'", weight->name, "' has offset ", encoding->offset);
    return encoding.has_value();
  });
  if (found.empty()) return;
  report.add(concat("the weights of ", counted(found.size(), "op are", "ops are"),
                    " quantized asymmetrically: ", first),
             found);
}

void wide_weights_elsewhere(const Subject& subject, Report& report) {
  const auto is_wide = [&](size_t op) {
    const auto weight = weight_of(subject, op);
    return weight && is_word(weight->desc->type);
  };
  if (subject.ops_where(is_wide).empty()) return;
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    return weight_of(subject, op) && !is_wide(op) &&
           std::ranges::find(kWideWeightOps, subject.op(op).type) == kWideWeightOps.end();
  });
  if (found.empty()) return;
  report.add(concat("16-bit weights are in use, and ", counted(found.size(), "op", "ops"),
                    " with weights cannot have them"),
             found);
}

void wide_range(const Subject& subject, Report& report) {
  std::string first;
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    const auto weight = weight_of(subject, op);
    if (!weight || !is_word(weight->desc->type)) return false;
    const int64_t middle = symmetric_offset(weight->desc->type);
    int64_t largest = 0;
    for (uint64_t i = 0; i < weight->bytes.size() / sizeof(int16_t); ++i)
      largest = std::max(largest, ops::load_integer(weight->desc->type, weight->bytes.data(), i) + middle);
    if (largest > kLargestWord && first.empty())
      first = concat("'", weight->name, "' goes to ", largest, ", ", kLargestWord, " (0x7F7F) is the most");
    return largest > kLargestWord;
  });
  if (found.empty()) return;
  report.add(concat("16-bit weights of ", counted(found.size(), "op", "ops"),
                    " leave the range of the hardware: ", first),
             found);
}

// ---- 4 bits ----

bool has_unit_window(const Subject& subject, size_t op) {
  const program::Op& node = subject.op(op);
  if (node.type != "Conv2d") return node.type == "FullyConnected" || node.type == "MatMul";
  const ir::TensorDesc& weight = subject.input(op, kWeight).desc;
  return weight.shape.rank() == 4 && weight.shape[0] == 1 && weight.shape[1] == 1 &&
         node.params.u32_at("stride", 0, 1) == 1 && node.params.u32_at("stride", 1, 1) == 1 &&
         node.params.u32("group", 1) == 1;
}

bool gains_by_four_bits(const Subject& subject, size_t op) {
  const auto weight = weight_of(subject, op);
  if (!weight || weight->desc->type != ir::DataType::kSfixed8 || weight->desc->quantization.bits != 0)
    return false;
  const profile::OpTotals& totals = subject.totals(op);
  const bool waits_for_weights = totals.bound == sim::Bound::kDdr || totals.bound == sim::Bound::kDma;
  return waits_for_weights && has_unit_window(subject, op) &&
         subject.output(op).desc.shape.from_end(0) > kFourBitOutputs &&
         subject.input(op, kWeight).bytes >= kFourBitBytes;
}

void four_bit_candidates(const Subject& subject, Report& report) {
  const std::vector<size_t> found =
      subject.ops_where([&](size_t op) { return gains_by_four_bits(subject, op); });
  if (found.empty() || subject.share(found) < kFourBitShare) return;
  uint64_t bytes = 0;
  for (const size_t op : found) bytes += subject.input(op, kWeight).bytes;
  Finding& finding = report.add(concat("loading 8-bit weights bounds ", counted(found.size(), "op", "ops"),
                                       " that can have 4-bit ones: ", bytes / kKiB, " KiB, ",
                                       percent(subject.share(found)), " of the simulated cycles"),
                                found);
  report.try_nodes(finding, "4-bit weights for these", found, with_four_bit_weights);
}

constexpr RuleDef kWeightRules[] = {
    {.id = "ADV-WEIGHTS-ASYMMETRIC",
     .level = Level::kWarning,
     .title = "Weights are quantized asymmetrically.",
     .why = "Symmetric weights give the best accuracy on these targets, and an offset has to be taken out of "
            "every product again.",
     .when = "one weight tensor with another offset than the middle of its integers",
     .instead = "quantize weights symmetrically, activations asymmetrically: `qairt-quantizer "
                "--param_quantizer_schema symmetric`",
     .bad = "qairt-quantizer ... --param_quantizer_schema asymmetric",
     .good = "qairt-quantizer ... --param_quantizer_schema symmetric",
     .source = "HTP backend page, recommendations for network design: always symmetric weights, asymmetric "
               "activations",
     .find = asymmetric_weights},
    {.id = "ADV-A16W16-OP",
     .level = Level::kNote,
     .title = "16-bit weights are used, and some op with weights is not offered with them.",
     .why = "Only Conv2d, DepthWiseConv2d, TransposeConv2d, FullyConnected, MatMul, Batchnorm and LayerNorm "
            "have 16-bit weights. The others stay in 8 bits or in half precision, with conversions around "
            "them, and bound the accuracy of the whole.",
     .when = "one such op in a model with 16-bit weights",
     .instead = "express the op by one of the list, or give up 16-bit weights where they bring nothing",
     .bad = "w16a16 with Conv2d -> Conv3d -> Conv2d",
     .good = "w16a16 with Conv2d -> Conv2d",
     .source = "HTP backend page, A16W16: the list of operations",
     .find = wide_weights_elsewhere},
    {.id = "ADV-A16W16-RANGE",
     .level = Level::kWarning,
     .title = "16-bit weights lie above 0x7F7F.",
     .why = "The hardware takes 16-bit weights from -0x8000 to 0x7F7F only.",
     .when = "one weight above",
     .instead = "quantize with `--restrict_quantization_steps \"-0x8000 0x7F7F\"`",
     .bad = "16-bit weights from -0x8000 to 0x7FFF",
     .good = "16-bit weights from -0x8000 to 0x7F7F",
     .source = "HTP backend page, A16W16: limitation",
     .find = wide_range},
    {.id = "ADV-INT4",
     .level = Level::kInfo,
     .title = "Ops wait for 8-bit weights that could have 4 bits.",
     .why =
         "4-bit weights are half the bytes. They gain for 1x1 convolutions of stride 1, FullyConnected and "
         "MatMul with constant weights and more than 32 outputs.",
     .when = "ops that DDR or DMA bound, with 256 KiB of weights and more each, together a quarter of the "
             "simulated cycles (ours)",
     .instead = "quantize these weights to 4 bits, and measure the accuracy",
     .bad = "MatMul [1, 1024] x [1024, 4096], 8-bit weights: 4 MB to load",
     .good = "the same with 4-bit weights: 2 MB",
     .source = "network-design pages: INT4 weights",
     .effect = "4-bit weights for these ops",
     .find = four_bit_candidates},
};

}  // namespace

std::span<const RuleDef> weight_rules() { return kWeightRules; }

}  // namespace openqnn::advise
