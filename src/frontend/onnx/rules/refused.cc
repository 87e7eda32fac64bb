// SPDX-License-Identifier: BSD-3-Clause
// Ops of ONNX that nothing here computes, each with the reason: so that a user learns it from one sentence.
#include <algorithm>
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
constexpr std::string_view kRandom = "it draws at random: no result could be compared with a device's";
constexpr std::string_view kPassNumbers = "pass the random numbers to the model as an input";
constexpr std::string_view kIntegerSums =
    "sums of integer products do not fit the backend's 16-bit reals, and it gives out no others";
constexpr std::string_view kQuantizeInstead =
    "quantize the model with QuantizeLinear and DequantizeLinear, or convert the float model";

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
    {"DFT", "the backend has Fourier transforms of frames alone", "use STFT"},
    {"MaxUnpool", "the backend has no max unpool",
     "replace it by a Resize or a ConvTranspose and train again"},
    {"NonMaxSuppression",
     "how many boxes are left is known only when the model runs, and shapes must be known before",
     "cut the model before it, and select the boxes after the run"},
    {"Bernoulli", kRandom, kPassNumbers},
    {"Multinomial", kRandom, kPassNumbers},
    {"RandomNormal", kRandom, kPassNumbers},
    {"RandomNormalLike", kRandom, kPassNumbers},
    {"RandomUniform", kRandom, kPassNumbers},
    {"RandomUniformLike", kRandom, kPassNumbers},
    {"DynamicQuantizeLinear", "scales that are measured while the model runs are not computed",
     "quantize the model statically, or convert the float model"},
    {"ConvInteger", kIntegerSums, kQuantizeInstead},
    {"MatMulInteger", kIntegerSums, kQuantizeInstead},
};

Status refuse(Inference& node) {
  const Reason& reason = *std::ranges::find(kReasons, node.node().type, &Reason::type);
  return node.not_offered(std::string(reason.why)).fix_by(std::string(reason.fix));
}

}  // namespace

std::span<const Rule> refused_rules() {
  static const std::vector<Rule> kRules = [] {
    std::vector<Rule> rules;
    for (const Reason& reason : kReasons)
      rules.push_back({.type = reason.type, .infer = refuse, .refuses_type = true});
    return rules;
  }();
  return kRules;
}

}  // namespace openqnn::frontend::onnx
