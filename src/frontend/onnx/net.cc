// SPDX-License-Identifier: BSD-3-Clause
#include "frontend/onnx/net.h"

#include <algorithm>

namespace openqnn::frontend::onnx {
namespace {

// An attribute of the front end's own making. Its texts must live as long as it does, so that they are kept
// beside it.
struct OwnedAttribute {
  std::string name;
  std::string text;
  Attribute attribute;
};

}  // namespace

const Attribute* Attributes::find(std::string_view name) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const auto& attribute) { return attribute->name == name; });
  return found != all_.end() ? found->get() : nullptr;
}

int64_t Attributes::integer(std::string_view name, int64_t fallback) const {
  const Attribute* found = find(name);
  return found != nullptr && found->type == Attribute::Type::kInt ? found->i : fallback;
}

double Attributes::real(std::string_view name, double fallback) const {
  const Attribute* found = find(name);
  return found != nullptr && found->type == Attribute::Type::kFloat ? static_cast<double>(found->f)
                                                                    : fallback;
}

std::string_view Attributes::text(std::string_view name, std::string_view fallback) const {
  const Attribute* found = find(name);
  return found != nullptr && found->type == Attribute::Type::kString ? found->s : fallback;
}

std::vector<int64_t> Attributes::integers(std::string_view name, const std::vector<int64_t>& fallback) const {
  const Attribute* found = find(name);
  return found != nullptr && found->type == Attribute::Type::kInts ? found->ints : fallback;
}

std::vector<double> Attributes::reals(std::string_view name, std::vector<double> fallback) const {
  const Attribute* found = find(name);
  if (found == nullptr || found->type != Attribute::Type::kFloats) return fallback;
  return {found->floats.begin(), found->floats.end()};
}

Attributes& Attributes::add_own(std::string_view name, Attribute attribute, std::string_view text) {
  const auto owned = std::make_shared<OwnedAttribute>(
      OwnedAttribute{std::string(name), std::string(text), std::move(attribute)});
  owned->attribute.name = owned->name;
  owned->attribute.s = owned->text;
  add({owned, &owned->attribute});
  return *this;
}

Attributes& Attributes::set(std::string_view name, int64_t value) {
  return add_own(name, {.type = Attribute::Type::kInt, .i = value});
}

Attributes& Attributes::set(std::string_view name, double value) {
  return add_own(name, {.type = Attribute::Type::kFloat, .f = static_cast<float>(value)});
}

Attributes& Attributes::set(std::string_view name, std::vector<int64_t> values) {
  return add_own(name, {.type = Attribute::Type::kInts, .ints = std::move(values)});
}

Attributes& Attributes::set(std::string_view name, std::string_view text) {
  return add_own(name, {.type = Attribute::Type::kString}, text);
}

ValueId Net::add_constant(std::string_view called, const std::shared_ptr<const Constant>& value) {
  return add({.name = std::string(called),
              .type = value->type(),
              .dims = value->dims(),
              .constant = value,
              .encoding = nullptr});
}

Uses::Uses(const Net& net)
    : producer(net.values.size(), kNoNode),
      consumers(net.values.size()),
      is_output(net.values.size(), false) {
  for (uint32_t n = 0; n < net.nodes.size(); ++n) {
    for (const ValueId value : net.nodes[n].outputs)
      if (value != kNoValue) producer[value] = n;
    for (const ValueId value : net.nodes[n].inputs)
      if (value != kNoValue) consumers[value].push_back(n);
  }
  for (const NetOutput& output : net.outputs) is_output[output.value] = true;
}

void prune(Net& net) {
  std::vector<bool> needed(net.values.size(), false);
  for (const NetOutput& output : net.outputs) needed[output.value] = true;
  for (const ValueId value : net.refused_inputs) needed[value] = true;
  std::vector<bool> keep(net.nodes.size(), false);
  for (size_t n = net.nodes.size(); n-- > 0;) {
    const NetNode& node = net.nodes[n];
    keep[n] = std::any_of(node.outputs.begin(), node.outputs.end(),
                          [&](ValueId value) { return value != kNoValue && needed[value]; });
    if (!keep[n]) continue;
    for (const ValueId value : node.inputs)
      if (value != kNoValue) needed[value] = true;
  }
  std::vector<NetNode> kept;
  for (size_t n = 0; n < net.nodes.size(); ++n)
    if (keep[n]) kept.push_back(std::move(net.nodes[n]));
  net.nodes = std::move(kept);
}

}  // namespace openqnn::frontend::onnx
