// SPDX-License-Identifier: BSD-3-Clause
#include "api/model_facts.h"

#include "base/text.h"
#include "json/json.h"

namespace openqnn::api {
namespace {

constexpr std::string_view kNodes = "framework_nodes";
constexpr std::string_view kShare = "activation_share";

}  // namespace

prepare::ModelFacts facts_of(const frontend::DlcGraph& graph) {
  prepare::ModelFacts facts;
  for (const frontend::Trace::Node& node : graph.trace.nodes)
    if (!node.sources.empty()) facts.framework_nodes[node.name] = node.sources;
  facts.activation_share = graph.activation_share;
  return facts;
}

std::string text_of(const prepare::ModelFacts& facts) {
  json::Writer out;
  out.begin_object();
  out.key(kNodes).begin_object();
  for (const auto& [node, names] : facts.framework_nodes) {
    out.key(node).begin_array(json::Writer::Style::kInline);
    for (const std::string& name : names) out.string(name);
    out.end_array();
  }
  out.end_object();
  if (facts.activation_share) out.key(kShare).number(*facts.activation_share);
  out.end_object();
  return out.take();
}

Result<prepare::ModelFacts> facts_from(std::string_view text) {
  OPENQNN_ASSIGN(const json::Value read, json::parse(text, "model facts"));
  prepare::ModelFacts facts;
  if (const json::Value* const nodes = read.find(kNodes); nodes != nullptr)
    for (const json::Member& node : nodes->as_object())
      for (const json::Value& name : node.value.as_array())
        facts.framework_nodes[std::string(node.key)].emplace_back(name.as_string());
  const json::Value* const share = read.find(kShare);
  if (share == nullptr) return facts;
  facts.activation_share = share->as_double();
  if (!facts.activation_share || !(*facts.activation_share >= 0 && *facts.activation_share <= 1))
    return invalid("model-facts", concat(kShare, " is no number from 0 to 1"));
  return facts;
}

}  // namespace openqnn::api
