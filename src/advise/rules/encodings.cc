// SPDX-License-Identifier: BSD-3-Clause
// How activations are encoded.
#include <cmath>

#include "advise/rule.h"
#include "base/text.h"

namespace openqnn::advise {
namespace {

constexpr int32_t kSteps = 256;  // of 16 bits in one of 8
constexpr double kRelativeTolerance = 1e-4;

// ---- Conversions ----

std::optional<ir::ScaleOffset> encoding_of(const ir::TensorDesc& desc, ir::DataType type) {
  if (desc.type != type || desc.quantization.kind != ir::Quantization::Kind::kPerTensor) return std::nullopt;
  return desc.quantization.at(0);
}

// The two sides of a conversion between 8 and 16 bits.
struct Widths {
  ir::ScaleOffset narrow;
  ir::ScaleOffset wide;
};
std::optional<Widths> widths_of(const ir::TensorDesc& in, const ir::TensorDesc& out) {
  for (const auto& [narrow, wide] : {std::pair{&in, &out}, std::pair{&out, &in}}) {
    const auto of_narrow = encoding_of(*narrow, ir::DataType::kUfixed8);
    const auto of_wide = encoding_of(*wide, ir::DataType::kUfixed16);
    if (of_narrow && of_wide) return Widths{*of_narrow, *of_wide};
  }
  return std::nullopt;
}

bool is_cheap(const Widths& widths) {
  const double ratio = static_cast<double>(widths.narrow.scale) / static_cast<double>(widths.wide.scale);
  return std::abs(ratio / kSteps - 1) < kRelativeTolerance &&
         widths.wide.offset == kSteps * widths.narrow.offset;
}

void odd_conversions(const Subject& subject, Report& report) {
  if (subject.given().assumed_ranges) return;
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    if (subject.op(op).type != "Convert") return false;
    const auto widths = widths_of(subject.input(op, 0).desc, subject.output(op).desc);
    return widths && !is_cheap(*widths);
  });
  if (found.empty()) return;
  const auto widths = widths_of(subject.input(found[0], 0).desc, subject.output(found[0]).desc);
  report.add(concat(counted(found.size(), "conversion", "conversions"),
                    " between 8 and 16 bits whose steps and offsets do not differ by exactly 256: '",
                    subject.op(found[0]).name, "' has steps ", widths->narrow.scale, " and ",
                    widths->wide.scale, ", offsets ", widths->narrow.offset, " and ", widths->wide.offset),
             found);
}

// ---- QAT ----

// Whose outputs have the encoding of their inputs, so that nobody has to state it.
bool keeps_encoding(std::string_view type) {
  return is_mover(type) || type == "PoolMax2d" || type == "Gather" || type == "Pad" || type == "ReduceMax" ||
         type == "ReduceMin" || type == "ResizeNearestNeighbor";
}

// Of each tensor, whether it goes into one clamp and nowhere else: then it is merged into that.
std::vector<bool> only_clamped(const ir::Graph& graph) {
  std::vector<size_t> readers(graph.tensors().size(), 0);
  std::vector<bool> clamped(graph.tensors().size(), false);
  for (const ir::Node& node : graph.nodes())
    for (const ir::TensorIndex input : node.inputs) {
      if (input == ir::kNoTensor) continue;
      clamped[input] = ++readers[input] == 1 && (is_plain_relu(node.type, node.params) ||
                                                 node.type == "ReluMinMax" || node.type == "Relu6");
    }
  return clamped;
}

void qat_coverage(const Subject& subject, Report& report) {
  const ir::Graph* graph = subject.given().float_graph;
  if (graph == nullptr || subject.given().encoded.empty()) return;
  const std::vector<bool> clamped = only_clamped(*graph);
  size_t activations = 0;
  size_t missing = 0;
  std::string first;
  for (ir::TensorIndex i = 0; i < graph->tensors().size(); ++i) {
    const ir::Tensor& tensor = graph->tensors()[i];
    if (tensor.role == ir::TensorRole::kStatic || !ir::is_float(tensor.desc.type) || clamped[i]) continue;
    const auto producer = graph->producer(i);
    if (producer && keeps_encoding(graph->nodes()[*producer].type)) continue;
    ++activations;
    if (subject.given().encoded.contains(tensor.name)) continue;
    ++missing;
    if (first.empty())
      first = producer ? concat("'", tensor.name, "' of ", graph->nodes()[*producer].type, " '",
                                graph->nodes()[*producer].name, "'")
                       : concat("input '", tensor.name, "'");
  }
  if (missing == 0) return;
  report.add(concat(missing, " of ", activations,
                    " activations of this quantized model have no encoding of their own; the first is ",
                    first));
}

constexpr RuleDef kEncodingRules[] = {
    {.id = "ADV-QAT",
     .level = Level::kWarning,
     .title = "A model that was trained with quantization leaves activations out.",
     .why =
         "Quantization-aware training helps where every layer has its fake-quantization node; what has none "
         "gets a range from calibration, or stays in float.",
     .when = "one activation without an encoding, unless it is merged into the Relu behind it or has its "
             "input's",
     .instead = "put QuantizeLinear and DequantizeLinear behind every layer before training, and compare the "
                "outputs with those of the float model",
     .bad = "DQ -> Conv -> Sigmoid -> Q: nothing behind Conv",
     .good = "DQ -> Conv -> Q -> DQ -> Sigmoid -> Q",
     .source = "HTP backend page, recommendations for network design: fakequant nodes for all layers",
     .find = qat_coverage},
    {.id = "ADV-CONVERT",
     .level = Level::kNote,
     .title = "A conversion between 8 and 16 bits is not the cheap one.",
     .why = "It is cheapest where step and offset differ by exactly 256: then it is a shift. The simulation "
            "does not tell the two kinds apart.",
     .when = "one such Convert, where the encodings are the model's own",
     .instead = "choose the 16-bit encoding as scale / 256 and offset * 256 of the 8-bit one",
     .bad = "ufixed8 (0.02, -100) -> ufixed16 (0.0001, -25600)",
     .good = "ufixed8 (0.02, -100) -> ufixed16 (0.000078125, -25600)",
     .source = "network-design pages: conversions between 8 and 16 bits",
     .find = odd_conversions},
};

}  // namespace

std::span<const RuleDef> encoding_rules() { return kEncodingRules; }

}  // namespace openqnn::advise
