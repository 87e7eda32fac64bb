// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/old_opsets.h"

#include "base/text.h"
#include "frontend/onnx/inference.h"

namespace openqnn::frontend::onnx {
namespace {

using SaysItTheOldWay = bool (*)(const NetNode& node, const Net& net);

bool always(const NetNode& /*node*/, const Net& /*net*/) { return true; }

// The second operand was stretched to the right of `axis`; today dimensions are counted from the last one.
// The two are the same where it reaches the end.
bool stretches_along_axis(const NetNode& node, const Net& net) {
  if (node.inputs.size() != 2 || !node.attributes.has("axis")) return false;
  for (const ValueId input : node.inputs)
    if (input == kNoValue || !net.values[input].known()) return false;
  const auto rank = static_cast<int64_t>(net.values[node.inputs[0]].dims.size());
  const auto stretched = static_cast<int64_t>(net.values[node.inputs[1]].dims.size());
  const int64_t axis = node.attributes.integer("axis", 0);
  return stretched != 0 && (axis < 0 ? axis + rank : axis) + stretched != rank;
}

bool trains(const NetNode& node, const Net& /*net*/) { return node.attributes.integer("is_test", 0) == 0; }
bool implies_axis(const NetNode& node, const Net& /*net*/) { return !node.attributes.has("axis"); }
bool has_real_power(const NetNode& node, const Net& /*net*/) { return node.attributes.has("p"); }

struct OldForm {
  std::string_view type;
  int64_t until;  // the opset that gave it today's form
  SaysItTheOldWay is_met;
  std::string_view what;
};

constexpr std::string_view kAxis = "it stretches its second input along an axis";

// Of all versions of ops in opsets 1 to 7, those that changed what is said or how. The others changed the
// types, or lost attributes without effect (consumed_inputs, output_sequence).
constexpr OldForm kOldForms[] = {
    {"Add", 7, stretches_along_axis, kAxis},
    {"And", 7, stretches_along_axis, kAxis},
    {"BatchNormalization", 7, trains, "it is in training mode (is_test = 0)"},
    {"Cast", 6, always, "it names its type by a text"},
    {"Concat", 4, implies_axis, "it leaves its axis out"},
    {"Div", 7, stretches_along_axis, kAxis},
    {"Equal", 7, stretches_along_axis, kAxis},
    {"GlobalLpPool", 2, has_real_power, "its power is a real number"},
    {"Greater", 7, stretches_along_axis, kAxis},
    {"Less", 7, stretches_along_axis, kAxis},
    {"LpPool", 2, has_real_power, "its power is a real number"},
    {"Mul", 7, stretches_along_axis, kAxis},
    {"Or", 7, stretches_along_axis, kAxis},
    {"Pad", 2, always, "its widths are called paddings"},
    {"Pow", 7, stretches_along_axis, kAxis},
    {"Reshape", 5, always, "its shape is an attribute"},
    {"Sub", 7, stretches_along_axis, kAxis},
    {"Tile", 6, always, "it repeats along one axis"},
    {"Upsample", 7, always, "its scales are two attributes"},
    {"Xor", 7, stretches_along_axis, kAxis},
};

}  // namespace

Status refuse_old_form(const NetNode& node, const Net& net) {
  if (node.opset <= 0 || node.opset >= kOldestOpset) return {};
  for (const OldForm& form : kOldForms) {
    if (form.type != node.type || node.opset >= form.until || !form.is_met(node, net)) continue;
    return not_offered_node(node, concat(form.what, ", as ops of opset ", node.opset,
                                         " do; the oldest opset that is read whole is ", kOldestOpset))
        .fix_by("bring the model to a newer opset first (Python: onnx.version_converter.convert_version)");
  }
  return {};
}

}  // namespace openqnn::frontend::onnx
