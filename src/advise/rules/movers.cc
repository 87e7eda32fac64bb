// SPDX-License-Identifier: BSD-3-Clause
// Ops that compute nothing.
#include <algorithm>
#include <array>

#include "advise/rewrite.h"
#include "advise/rule.h"
#include "base/text.h"

namespace openqnn::advise {
namespace {

constexpr double kMuchMoving = 0.25;
constexpr double kFirstMover = 0.02;
constexpr double kPermutes = 0.05;

void movers(const Subject& subject, Report& report) {
  const std::vector<size_t> found =
      subject.ops_where([&](size_t op) { return is_mover(subject.op(op).type); });
  if (found.empty() || subject.share(found) < kMuchMoving) return;
  report.add(
      concat(counted(found.size(), "op that computes nothing takes ", "ops that compute nothing take "),
             percent(subject.share(found)), " of the simulated cycles"),
      found);
}

void input_layout(const Subject& subject, Report& report) {
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    const std::string& type = subject.op(op).type;
    return (type == "Reshape" || type == "Transpose") &&
           subject.input(op, 0).role == ir::TensorRole::kInput && subject.share(op) >= kFirstMover;
  });
  if (found.empty()) return;
  const program::Op& first = subject.op(found[0]);
  Finding& finding = report.add(concat("the model begins with ", first.type, " '", first.name, "' of input '",
                                       subject.input(found[0], 0).name, "': ", percent(subject.share(found)),
                                       " of the simulated cycles"),
                                found);
  report.try_nodes(finding, "the client passes the input as it is needed", found, with_inputs_behind);
}

bool has_order(const program::Op& op, const std::array<uint32_t, 4>& order) {
  if (op.type != "Transpose" || op.params.count("perm") != order.size()) return false;
  for (size_t i = 0; i < order.size(); ++i)
    if (op.params.u32_at("perm", i, UINT32_MAX) != order[i]) return false;
  return true;
}

// Transposes to channels first before a Reshape, and back behind one: the model was made for that order.
void permuted_reshape(const Subject& subject, Report& report) {
  constexpr std::array<uint32_t, 4> kToChannelsFirst = {0, 3, 1, 2};
  constexpr std::array<uint32_t, 4> kToChannelsLast = {0, 2, 3, 1};
  const auto is_reshape = [&](size_t op) { return subject.op(op).type == "Reshape"; };
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    if (has_order(subject.op(op), kToChannelsFirst)) {
      const std::vector<size_t> readers = subject.readers(subject.op(op).outputs[0]);
      return std::ranges::any_of(readers, is_reshape);
    }
    if (!has_order(subject.op(op), kToChannelsLast)) return false;
    const auto before = subject.producer(subject.op(op).inputs[0]);
    return before && is_reshape(*before);
  });
  if (found.empty() || subject.share(found) < kPermutes) return;
  report.add(concat(counted(found.size(), "Transpose", "Transposes"), " around Reshape take",
                    found.size() == 1 ? "s " : " ", percent(subject.share(found)),
                    " of the simulated cycles: the shapes were meant for channels first"),
             found);
}

constexpr RuleDef kMoverRules[] = {
    {.id = "ADV-MOVERS",
     .level = Level::kNote,
     .title = "Much of the time only moves data.",
     .why = "Reshape, Transpose, Concat, DepthToSpace, SpaceToDepth and their like are slow, and cost as "
            "much on 16 bits as in half precision.",
     .when = "a quarter of the simulated cycles and more (ours)",
     .instead = "choose shapes that need no rearranging; let neighbouring ops cancel each other out",
     .bad = "Conv -> Transpose -> Concat -> Transpose -> Conv",
     .good = "Conv -> Concat -> Conv",
     .source = "network-design pages: data movers",
     .find = movers},
    {.id = "ADV-INPUT-LAYOUT",
     .level = Level::kNote,
     .title = "The model begins with a Reshape or Transpose of an input.",
     .why = "Nothing can run beside the first op; such a Reshape takes 5 to 10 % of models.",
     .when = "2 % of the simulated cycles and more (ours)",
     .instead = "have the client pass the input in the shape and order that the next op wants",
     .bad = "input [1, 32, 112, 112] -> Transpose -> Conv",
     .good = "input [1, 112, 112, 32] -> Conv",
     .source = "network-design pages: Reshape as first node",
     .effect = "the graph without it",
     .find = input_layout},
    {.id = "ADV-TRANSPOSE",
     .level = Level::kNote,
     .title = "A Reshape is wrapped in Transposes to channels first.",
     .why = "The model was designed with channels first and runs with channels last; its Reshapes keep their "
            "meaning only between two permutations, which take about 10 % of such models.",
     .when = "5 % of the simulated cycles and more (ours)",
     .instead = "write the Reshape for channels last, or replace it by Split, Concat or a convolution",
     .bad = "Conv -> Transpose (0, 3, 1, 2) -> Reshape -> Transpose (0, 2, 3, 1)",
     .good = "Conv -> Reshape that splits the last dimension",
     .source = "network-design pages: permutes around Reshape",
     .find = permuted_reshape},
};

}  // namespace

std::span<const RuleDef> mover_rules() { return kMoverRules; }

}  // namespace openqnn::advise
