// SPDX-License-Identifier: BSD-3-Clause
// Branches and loops. The backend has none, so that they must be decided before the model runs: a branch by a
// constant condition, a loop by a constant number of rounds.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/inference.h"

namespace openqnn::frontend::onnx {
namespace {

const Graph* body_of(const NetNode& node, std::string_view attribute) {
  const Attribute* found = node.attributes.find(attribute);
  return found != nullptr && found->graphs.size() == 1 ? &found->graphs[0] : nullptr;
}

// A loop of more is no unrolled graph that anybody runs; ours.
constexpr int64_t kMostRounds = 4096;

// Names of nodes tell the round.
Surroundings inside_round(const Surroundings& around, int64_t round) {
  Surroundings inside = around;
  inside.prefix = concat(around.prefix, round, "/");
  return inside;
}

// Along which axes a Scan goes, and in which direction (1: from the end).
struct ScanLists {
  std::vector<int64_t> input_axes;
  std::vector<int64_t> input_backwards;
  std::vector<int64_t> output_axes;
  std::vector<int64_t> output_backwards;
};

std::optional<ScanLists> scan_lists(const NetNode& node, size_t inputs, size_t outputs) {
  auto list = [&](std::string_view name, size_t count) {
    return node.attributes.integers(name, std::vector<int64_t>(count, 0));
  };
  ScanLists lists{list("scan_input_axes", inputs), list("scan_input_directions", inputs),
                  list("scan_output_axes", outputs), list("scan_output_directions", outputs)};
  const bool fit = lists.input_axes.size() == inputs && lists.input_backwards.size() == inputs &&
                   lists.output_axes.size() == outputs && lists.output_backwards.size() == outputs;
  return fit ? std::optional(std::move(lists)) : std::nullopt;
}

}  // namespace

Importer::Values Importer::import_body(const Graph& body, const std::vector<ValueId>& arguments,
                                       const Scope& outer, const Surroundings& around) {
  Scope scope(&outer);
  OPENQNN_TRY(import_initializers(body, scope));
  for (size_t i = 0; i < body.inputs.size() && i < arguments.size(); ++i)
    scope.define(body.inputs[i].name, arguments[i]);
  Surroundings inside = around;
  inside.graph = &body;
  OPENQNN_TRY(import_nodes(body.nodes, scope, inside));
  std::vector<ValueId> values;
  for (const ValueInfo& output : body.outputs) {
    const auto found = scope.find(output.name);
    if (!found || *found == kNoValue)
      return invalid("onnx-output", concat("no node of the body makes '", output.name, "'"));
    values.push_back(*found);
  }
  return values;
}

Importer::Values Importer::import_if(const NetNode& node, const Scope& scope, const Surroundings& around) {
  const Constant* condition = node.inputs.size() == 1 ? result_.net.constant(node.inputs[0]) : nullptr;
  if (condition == nullptr || condition->count() != 1) {
    return not_offered_node(node,
                            "its condition is known only when the model runs, and the backend cannot branch")
        .fix_by("export the model with the condition decided");
  }
  const Graph* branch = body_of(node, condition->integer(0) != 0 ? "then_branch" : "else_branch");
  if (branch == nullptr) return wrong_node(node, "a branch is missing");
  return import_body(*branch, {}, scope, around);
}

// ---- Loops ----

// What the rounds of a loop give for one of its outputs, side by side along a new dimension.
Importer::Values Importer::stack_rounds(const NetNode& node, const std::vector<std::vector<ValueId>>& rounds,
                                        const std::vector<int64_t>& axes, const Surroundings& around) {
  std::vector<ValueId> stacked;
  for (size_t i = 0; i < rounds.size(); ++i) {
    std::vector<ValueId> parts;
    for (const ValueId value : rounds[i]) {
      const Value& one = result_.net.values[value];
      if (!one.known()) return not_offered_node(node, "a node of its body is not computed");
      Dims dims = one.dims;
      const int64_t axis = axes[i] < 0 ? axes[i] + static_cast<int64_t>(dims.size()) + 1 : axes[i];
      if (axis < 0 || axis > static_cast<int64_t>(dims.size()))
        return wrong_node(node, concat("output axis ", axes[i], " does not exist"));
      dims.insert(dims.begin() + axis, 1);
      const Constant shape =
          Constant::of_integers(ElementType::kInt64, {static_cast<int64_t>(dims.size())}, dims);
      parts.push_back(make_node("Reshape", node, {value, new_constant(node.name + "_shape", shape)},
                                Attributes().set("allowzero", int64_t{1}), around));
    }
    if (parts.empty())
      return not_offered_node(node, "it has no rounds, so that nothing says which dimensions its output has");
    stacked.push_back(
        parts.size() == 1 ? parts[0] : make_node("Concat", node, std::move(parts), along(axes[i]), around));
  }
  return stacked;
}

// A single number that is known before the model runs.
std::optional<int64_t> Importer::known_number(ValueId value) const {
  const Constant* constant = result_.net.constant(value);
  if (constant == nullptr || constant->count() != 1) return std::nullopt;
  return constant->integer(0);
}

Importer::Values Importer::import_loop(const NetNode& node, const Scope& scope, const Surroundings& around) {
  const Graph* body = body_of(node, "body");
  const size_t states = node.inputs.size() > 2 ? node.inputs.size() - 2 : 0;
  if (body == nullptr || body->inputs.size() != states + 2 || body->outputs.size() < states + 1)
    return wrong_node(node, "its body is missing, or does not fit its inputs");
  const auto most =
      node.input(0) == kNoValue ? std::optional<int64_t>(kMostRounds + 1) : known_number(node.input(0));
  if (!most) {
    return not_offered_node(
               node, "how often it runs is known only when the model runs, and the backend has no loops")
        .fix_by("export the model with a constant number of rounds");
  }
  std::vector<ValueId> carried(states);
  for (size_t i = 0; i < states; ++i) {
    carried[i] = node.input(i + 2);
    if (carried[i] == kNoValue) return wrong_node(node, concat("input ", i + 2, " is absent"));
  }
  ValueId condition = node.input(1);
  std::vector<std::vector<ValueId>> rounds(body->outputs.size() - 1 - states);
  for (int64_t round = 0; round < *most; ++round) {
    const auto goes_on = condition == kNoValue ? std::optional<int64_t>(1) : known_number(condition);
    if (!goes_on) {
      return not_offered_node(
                 node, "whether it goes on is known only when the model runs, and the backend has no loops")
          .fix_by("export the model with a constant number of rounds");
    }
    if (*goes_on == 0) break;
    if (round >= kMostRounds)
      return not_offered_node(node, concat("more than ", kMostRounds, " rounds are not unrolled"));
    OPENQNN_TRY(count_step(around));
    std::vector<ValueId> arguments{
        new_constant(node.name + "_round", Constant::of_integers(ElementType::kInt64, {}, {round})),
        condition != kNoValue
            ? condition
            : new_constant(node.name + "_goes_on", Constant::of_integers(ElementType::kBool, {}, {1}))};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    OPENQNN_ASSIGN(const auto values, import_body(*body, arguments, scope, inside_round(around, round)));
    condition = values[0];
    for (size_t i = 0; i < states; ++i) carried[i] = values[1 + i];
    for (size_t i = 0; i < rounds.size(); ++i) rounds[i].push_back(values[1 + states + i]);
  }
  OPENQNN_ASSIGN(const auto stacked,
                 stack_rounds(node, rounds, std::vector<int64_t>(rounds.size(), 0), around));
  carried.insert(carried.end(), stacked.begin(), stacked.end());
  return carried;
}

// One element of an input along an axis, without that dimension.
ValueId Importer::element_of(const NetNode& node, ValueId value, int64_t axis, int64_t index,
                             const Surroundings& around) {
  const ValueId at =
      new_constant(node.name + "_index", Constant::of_integers(ElementType::kInt64, {}, {index}));
  return make_node("Gather", node, {value, at}, along(axis), around);
}

Importer::Values Importer::import_scan(const NetNode& node, const Scope& scope, const Surroundings& around) {
  if (node.opset < 9)
    return not_offered_node(node, "the Scan of opset 8 is not unrolled")
        .fix_by("export with opset 9 or newer");
  const Graph* body = body_of(node, "body");
  const int64_t scanned = node.attributes.integer("num_scan_inputs", 0);
  const auto inputs = static_cast<int64_t>(node.inputs.size());
  if (body == nullptr || scanned < 1 || scanned > inputs || body->inputs.size() != node.inputs.size())
    return wrong_node(node, "its body is missing, or does not fit its inputs");
  const auto states = static_cast<size_t>(inputs - scanned);
  if (body->outputs.size() < states) return wrong_node(node, "its body gives fewer states than it takes");
  const auto lists = scan_lists(node, static_cast<size_t>(scanned), body->outputs.size() - states);
  if (!lists) return wrong_node(node, "its lists of axes and directions do not fit its inputs and outputs");

  for (size_t i = 0; i < states; ++i)
    if (node.inputs[i] == kNoValue) return wrong_node(node, concat("input ", i, " is absent"));
  std::optional<int64_t> length;
  std::vector<int64_t> axes = lists->input_axes;
  for (size_t i = 0; i < axes.size(); ++i) {
    const ValueId value = node.inputs[states + i];
    if (value == kNoValue || !result_.net.values[value].known())
      return not_offered_node(node, "what it scans is not known");
    const Dims& dims = result_.net.values[value].dims;
    if (axes[i] < 0) axes[i] += static_cast<int64_t>(dims.size());
    if (axes[i] < 0 || axes[i] >= static_cast<int64_t>(dims.size()))
      return wrong_node(node, concat("input axis ", axes[i], " does not exist in ", text_of(dims)));
    const int64_t extent = dims[static_cast<size_t>(axes[i])];
    if (length && *length != extent) return wrong_node(node, "what it scans has different lengths");
    length = extent;
  }
  if (*length > kMostRounds)
    return not_offered_node(node, concat("more than ", kMostRounds, " rounds are not unrolled"));
  std::vector<ValueId> carried(node.inputs.begin(),
                               node.inputs.begin() + static_cast<std::ptrdiff_t>(states));
  std::vector<std::vector<ValueId>> rounds(body->outputs.size() - states);
  for (int64_t round = 0; round < *length; ++round) {
    OPENQNN_TRY(count_step(around));
    std::vector<ValueId> arguments = carried;
    for (size_t i = 0; i < axes.size(); ++i) {
      const int64_t index = lists->input_backwards[i] != 0 ? *length - 1 - round : round;
      arguments.push_back(element_of(node, node.inputs[states + i], axes[i], index, around));
    }
    OPENQNN_ASSIGN(const auto values, import_body(*body, arguments, scope, inside_round(around, round)));
    for (size_t i = 0; i < states; ++i) carried[i] = values[i];
    for (size_t i = 0; i < rounds.size(); ++i) rounds[i].push_back(values[states + i]);
  }
  for (size_t i = 0; i < rounds.size(); ++i)
    if (lists->output_backwards[i] != 0) std::reverse(rounds[i].begin(), rounds[i].end());
  OPENQNN_ASSIGN(const auto stacked, stack_rounds(node, rounds, lists->output_axes, around));
  carried.insert(carried.end(), stacked.begin(), stacked.end());
  return carried;
}

}  // namespace openqnn::frontend::onnx
