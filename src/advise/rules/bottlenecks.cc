// SPDX-License-Identifier: BSD-3-Clause
// Ops that take long on vectors while the matrix unit waits.
#include <algorithm>

#include "advise/rewrite.h"
#include "advise/rule.h"
#include "base/text.h"
#include "profile/linting.h"

namespace openqnn::advise {
namespace {

constexpr double kBottleneck = 0.05;
constexpr double kLargePart = 0.25;
constexpr double kLowOverlap = 0.25;

// What of `ops` a graph is there for.
NodeList own_nodes(const Subject& subject, const std::vector<size_t>& ops, auto&& is_it) {
  NodeList nodes;
  for (const uint32_t node : subject.nodes_of(ops))
    if (is_it(subject.given().graph->nodes()[node])) nodes.push_back(node);
  return nodes;
}

void division(const Subject& subject, Report& report) {
  const std::vector<size_t> all =
      subject.ops_where([&](size_t op) { return is_divide(subject.op(op).type, subject.op(op).params); });
  if (all.empty() || subject.share(all) < kBottleneck) return;
  const auto by_constant = [&](size_t op) { return subject.input(op, 1).role == ir::TensorRole::kStatic; };
  const auto constants = static_cast<size_t>(std::ranges::count_if(all, by_constant));
  Finding& finding = report.add(
      concat(counted(all.size(), "division takes ", "divisions take "), percent(subject.share(all)),
             " of the simulated cycles; ", constants == 0 ? "none" : concat(constants),
             constants == 1 ? " is" : " are", " by a constant"),
      all);
  const ir::Graph* graph = subject.given().graph;
  if (constants == 0 || graph == nullptr) return;
  const NodeList nodes = own_nodes(subject, all, [&](const ir::Node& node) {
    return is_divide(node.type, node.params) &&
           graph->tensors()[node.inputs[1]].role == ir::TensorRole::kStatic;
  });
  report.try_graph(finding, "multiply by the reciprocal of the constant", with_reciprocals(*graph, nodes));
}

void difference(const Subject& subject, Report& report) {
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    return is_subtract(subject.op(op).type, subject.op(op).params) &&
           subject.input(op, 0).role != ir::TensorRole::kStatic &&
           subject.input(op, 1).role != ir::TensorRole::kStatic;
  });
  if (found.empty() || subject.share(found) < kBottleneck) return;
  Finding& finding =
      report.add(concat(counted(found.size(), "subtraction", "subtractions"),
                        " of two branches: ", percent(subject.share(found)), " of the simulated cycles"),
                 found);
  const ir::Graph* graph = subject.given().graph;
  if (graph == nullptr) return;
  const NodeList nodes =
      own_nodes(subject, found, [](const ir::Node& node) { return is_subtract(node.type, node.params); });
  report.try_graph(finding, "a convolution with weights 1 and -1", with_convolved_differences(*graph, nodes));
}

void prelu(const Subject& subject, Report& report) {
  const std::vector<size_t> found =
      subject.ops_where([&](size_t op) { return subject.op(op).type == "Prelu"; });
  if (found.empty() || subject.share(found) < kBottleneck) return;
  Finding& finding = report.add(concat(counted(found.size(), "Prelu takes ", "Prelus take "),
                                       percent(subject.share(found)), " of the simulated cycles"),
                                found);
  const ir::Graph* graph = subject.given().graph;
  if (graph == nullptr) return;
  const NodeList nodes = own_nodes(subject, found, [](const ir::Node& node) { return node.type == "Prelu"; });
  report.try_graph(finding, "Relu in their place", with_plain_relu(*graph, nodes));
}

// What an op adds to the critical path, and how much of that has company.
struct OnPath {
  uint64_t cycles = 0;
  uint64_t overlap = 0;
};

std::vector<OnPath> on_path(const Subject& subject) {
  std::vector<OnPath> ops(subject.op_count());
  for (const profile::ProfileEvent& event : profile::linting_events(subject.program(), subject.timeline())) {
    if (event.type != profile::event_type::kExecuteCriticalCycles) continue;
    constexpr size_t kBeforeOps = 2;  // Input and the system's own; the ops follow in their order
    for (size_t i = 0; i < ops.size() && i + kBeforeOps < event.children.size(); ++i) {
      const profile::ProfileEvent& row = event.children[i + kBeforeOps];
      ops[i].cycles = row.value;
      for (const profile::ProfileEvent& child : row.children)
        if (child.type == profile::event_type::kNodeOverlap) ops[i].overlap = child.value;
    }
  }
  return ops;
}

void low_overlap(const Subject& subject, Report& report) {
  if (subject.is_all_overhead()) return;
  const std::vector<OnPath> path = on_path(subject);
  const auto total = static_cast<double>(subject.timeline().total.value);
  const std::vector<size_t> found = subject.ops_where([&](size_t op) {
    return !subject.totals(op).hmx && static_cast<double>(path[op].cycles) >= kLargePart * total &&
           static_cast<double>(path[op].overlap) < kLowOverlap * static_cast<double>(path[op].cycles);
  });
  for (const size_t op : found)
    report.add(concat("'", subject.op(op).name, "' is ", path[op].cycles, " cycles of the critical path (",
                      percent(static_cast<double>(path[op].cycles) / total), "), and other ops run beside ",
                      percent(static_cast<double>(path[op].overlap) / static_cast<double>(path[op].cycles)),
                      " of them only"),
               {op});
}

constexpr RuleDef kBottleneckRules[] = {
    {.id = "ADV-DIV",
     .level = Level::kWarning,
     .title = "Division is a bottleneck.",
     .why = "There is no instruction for it: a division takes several times as long as a multiplication, on "
            "vectors, while the matrix unit waits.",
     .when = "5 % of the simulated cycles and more (ours)",
     .instead =
         "multiply by the reciprocal: fold it into a constant, or let an earlier, smaller tensor hold it",
     .bad = "y = Div(x, 3.0)",
     .good = "y = Mul(x, 0.3333)",
     .source =
         "HTP backend page, showcase model 2: 17.7 ms before, 14.1 ms after; network-design pages: Divide",
     .effect = "divisions by constants as multiplications",
     .find = division},
    {.id = "ADV-SUB",
     .level = Level::kWarning,
     .title = "The difference of two branches is a bottleneck.",
     .why = "It runs on vectors and reads both tensors, while the matrix unit waits for its result.",
     .when = "5 % of the simulated cycles and more (ours)",
     .instead =
         "merge the two branches, and let a convolution with weights 1 and -1 subtract; or fold the sign "
         "into the weights of one branch",
     .bad = "y = Sub(Relu(Conv_a(x)), Relu(Conv_b(x)))",
     .good = "y = Conv_1x1[1, -1](Relu(Conv_ab(x)))",
     .source = "HTP backend page, showcase model 1: 15.2 ms before, 10.5 ms after",
     .effect = "a 1x1 convolution over both branches; convolutions of one tensor before it are joined",
     .find = difference},
    {.id = "ADV-PRELU",
     .level = Level::kWarning,
     .title = "Prelu is a bottleneck.",
     .why =
         "It runs on vectors in the background of other ops and keeps them waiting, where a Relu is part of "
         "the convolution before it.",
     .when = "5 % of the simulated cycles and more (ours)",
     .instead = "train with Relu in place of Prelu",
     .bad = "y = PRelu(Conv(x))",
     .good = "y = Relu(Conv(x))",
     .source = "HTP backend page, showcase model 3: 13.9 ms before, 10.5 ms after",
     .effect = "Relu in place of each",
     .find = prelu},
    {.id = "ADV-OVERLAP",
     .level = Level::kNote,
     .title = "A long op on vectors runs alone.",
     .why = "Time is well used where ops run beside each other. A long op of the critical path with little "
            "beside it is the first to optimize.",
     .when = "a quarter of the critical path and more, other ops beside less than a quarter of it (ours; the "
             "document calls 21.5 % not significant)",
     .instead = "shorten this op, give it less data, or move it to where the matrix unit has other work; "
                "`openqnn profile explain` says what bounds it",
     .bad = "Conv -> Div over the whole image -> Conv",
     .good = "Conv -> Mul -> Conv",
     .source = "HTP backend page, showcase models: overlap time",
     .find = low_overlap},
};

}  // namespace

std::span<const RuleDef> bottleneck_rules() { return kBottleneckRules; }

}  // namespace openqnn::advise
