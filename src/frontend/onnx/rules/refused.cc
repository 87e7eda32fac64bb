// SPDX-License-Identifier: BSD-3-Clause
// Ops of ONNX that nothing here computes, each with the reason: so that a user learns it from one sentence.
#include <string_view>

#include "frontend/onnx/rule.h"

namespace openqnn::frontend::onnx {
namespace {

struct Reason {
  std::string_view type;
  std::string_view why;
  std::string_view fix;
};

constexpr std::string_view kSequence =
    "the backend has tensors alone, no sequences of them and no optional ones";
constexpr std::string_view kUseTensors =
    "export the model so that it works on tensors (Concat, Split, Gather)";
constexpr std::string_view kText = "the backend has numbers alone, no texts";
constexpr std::string_view kPrepare = "cut the model behind it, and prepare its input outside";
constexpr std::string_view kTrains = "it trains a model, which the backend does not";
constexpr std::string_view kInfer = "export the model for inference";

constexpr Reason kReasons[] = {
    {"ConcatFromSequence", kSequence, kUseTensors},
    {"Optional", kSequence, kUseTensors},
    {"OptionalGetElement", kSequence, kUseTensors},
    {"OptionalHasElement", kSequence, kUseTensors},
    {"SequenceAt", kSequence, kUseTensors},
    {"SequenceConstruct", kSequence, kUseTensors},
    {"SequenceEmpty", kSequence, kUseTensors},
    {"SequenceErase", kSequence, kUseTensors},
    {"SequenceInsert", kSequence, kUseTensors},
    {"SequenceLength", kSequence, kUseTensors},
    {"SequenceMap", kSequence, kUseTensors},
    {"SplitToSequence", kSequence, kUseTensors},
    {"RegexFullMatch", kText, kPrepare},
    {"StringConcat", kText, kPrepare},
    {"StringNormalizer", kText, kPrepare},
    {"StringSplit", kText, kPrepare},
    {"TfIdfVectorizer", "the backend counts no n-grams", kPrepare},
    {"ai.onnx.preview.training.Adagrad", kTrains, kInfer},
    {"ai.onnx.preview.training.Adam", kTrains, kInfer},
    {"ai.onnx.preview.training.Gradient", kTrains, kInfer},
    {"ai.onnx.preview.training.Momentum", kTrains, kInfer},
    {"Det", "the backend has no determinants", "compute it outside the model"},
};

Status refuse(Inference& node) {
  for (const Reason& reason : kReasons)
    if (reason.type == node.node().type)
      return node.not_offered(std::string(reason.why)).fix_by(std::string(reason.fix));
  return node.not_offered("the backend has nothing like it");
}

}  // namespace

std::span<const Rule> refused_rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<Rule> rules;
    for (const Reason& reason : kReasons) rules.push_back(refused_rule(reason.type, refuse));
    return rules;
  }();
  return kRules;
}

}  // namespace openqnn::frontend::onnx
