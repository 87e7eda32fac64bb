// SPDX-License-Identifier: BSD-3-Clause
// What could be part of the op before it.
#include <algorithm>
#include <array>

#include "advise/rewrite.h"
#include "advise/rule.h"
#include "base/text.h"
#include "ops/op.h"

namespace openqnn::advise {
namespace {

constexpr double kWorthwhileShare = 0.02;

// Activations that the documents list as fused into a convolution; a plain Relu is, whoever else reads.
bool could_be_fused(const Subject& subject, size_t op) {
  const program::Op& node = subject.op(op);
  if (is_plain_relu(node.type, node.params)) return false;
  constexpr std::array<std::string_view, 3> kAlways = {"ReluMinMax", "Relu1", "Relu6"};
  constexpr std::array<std::string_view, 5> kSome = {"HardSwish", "Prelu", "Sigmoid", "Tanh", "Gelu"};
  if (std::ranges::find(kAlways, node.type) != kAlways.end()) return true;
  const bool half = subject.output(op).desc.type == ir::DataType::kFloat16;
  const auto some = std::ranges::find(kSome, node.type);
  if (some == kSome.end()) return false;
  constexpr ptrdiff_t kOfIntegers = 2;  // the first two; the others are fused in half alone
  return half || some - kSome.begin() < kOfIntegers;
}

std::optional<size_t> convolution_before(const Subject& subject, size_t op) {
  const auto producer = subject.producer(subject.op(op).inputs[0]);
  if (!producer) return std::nullopt;
  const std::string& type = subject.op(*producer).type;
  return type == "Conv2d" || type == "DepthWiseConv2d" ? producer : std::nullopt;
}

// Who else reads what the activation reads; empty when nobody does.
std::string other_user(const Subject& subject, size_t op) {
  const ir::TensorIndex tensor = subject.op(op).inputs[0];
  for (const size_t reader : subject.readers(tensor))
    if (reader != op) return concat("'", subject.op(reader).name, "'");
  return subject.program().tensors[tensor].role == ir::TensorRole::kOutput ? "the client" : "";
}

void missed_activation(const Subject& subject, Report& report) {
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    return could_be_fused(subject, op) && convolution_before(subject, op) && !other_user(subject, op).empty();
  });
  if (found.empty() || subject.share(found) < kWorthwhileShare) return;
  const size_t first = found[0];
  Finding& finding = report.add(
      concat(counted(found.size(), "activation is", "activations are"),
             " not part of the convolution before, because its output is read a second time: '",
             subject.op(first).name, "' behind '", subject.op(*convolution_before(subject, first)).name,
             "', which ", other_user(subject, first), " reads, too; ", percent(subject.share(found)),
             " of the simulated cycles"),
      found);
  report.try_nodes(finding, "the other reader takes the activated tensor", found, with_one_reader);
}

constexpr RuleDef kFusionRules[] = {
    {.id = "ADV-ACTIVATION",
     .level = Level::kNote,
     .title = "An activation cannot be part of its convolution, because somebody else reads between them.",
     .why = "A fused activation costs nothing. It is fused only where the convolution's output has no other "
            "user; a plain Relu is exempt.",
     .when = "2 % of the simulated cycles and more (ours)",
     .instead = "let the other reader take the activated tensor, or compute the convolution's output for it "
                "elsewhere",
     .bad = "c = Conv(x); y = Add(Conv(Clip(c)), c)",
     .good = "a = Clip(Conv(x)); y = Add(Conv(a), a)",
     .source = "network-design pages: activation fusion",
     .effect = "the other readers behind the activation",
     .find = missed_activation},
};

}  // namespace

std::span<const RuleDef> fusion_rules() { return kFusionRules; }

}  // namespace openqnn::advise
