// SPDX-License-Identifier: BSD-3-Clause
#include "ops/operand_names.h"

#include <charconv>
#include <optional>
#include <string>

#include "base/text.h"

namespace openqnn::ops {
namespace {

// "input 1 (weight)" at the beginning of a text.
struct Label {
  std::string_view side;
  size_t index = 0;
  std::string_view operand;
  size_t length = 0;
};

std::optional<Label> label_at(std::string_view text) {
  Label label;
  for (const std::string_view side : {"input", "output"})
    if (text.starts_with(side)) label.side = side;
  if (label.side.empty()) return std::nullopt;
  std::string_view rest = text.substr(label.side.size());
  if (!rest.starts_with(' ')) return std::nullopt;
  rest.remove_prefix(1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), label.index);
  if (error != std::errc()) return std::nullopt;
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  const size_t close = rest.find(')');
  if (!rest.starts_with(" (") || close == rest.npos) return std::nullopt;
  label.operand = rest.substr(2, close - 2);
  label.length = static_cast<size_t>(rest.data() + close + 1 - text.data());
  return label;
}

std::string_view name_of(const Label& label, const OperandNames& names) {
  const auto& side = label.side == "input" ? names.inputs : names.outputs;
  return label.index < side.size() ? side[label.index] : std::string_view();
}

}  // namespace

OperandNames names_of(const ir::Graph& graph, const ir::Node& node) {
  const auto of = [&](const std::vector<ir::TensorIndex>& tensors) {
    std::vector<std::string_view> names;
    for (const ir::TensorIndex tensor : tensors)
      names.push_back(tensor == ir::kNoTensor ? std::string_view() : graph.tensors()[tensor].name);
    return names;
  };
  return {of(node.inputs), of(node.outputs)};
}

Diagnostic with_names(Diagnostic refusal, const OperandNames& names) {
  const std::string_view text = refusal.message;
  std::string named;
  for (size_t at = 0; at < text.size();) {
    const bool begins_word = at == 0 || text[at - 1] == ' ';
    const std::optional<Label> label = begins_word ? label_at(text.substr(at)) : std::nullopt;
    const std::string_view name = label ? name_of(*label, names) : std::string_view();
    if (name.empty()) {
      named += text[at++];
      continue;
    }
    named += concat("'", name, "' (", label->side, " ", label->index, ", ", label->operand, ")");
    at += label->length;
  }
  refusal.message = std::move(named);
  return refusal;
}

}  // namespace openqnn::ops
