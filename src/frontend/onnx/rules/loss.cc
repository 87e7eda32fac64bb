// SPDX-License-Identifier: BSD-3-Clause
// Losses: how far log-probabilities are from class numbers. Trained models rarely keep them; they are
// composed of ops that the backend has.
#include "base/text.h"
#include "frontend/onnx/rule.h"

namespace openqnn::frontend::onnx {
namespace {

enum : size_t { kScores, kClasses, kWeights };

std::string_view reduction_of(const Attributes& attributes) { return attributes.text("reduction", "mean"); }

Status infer_loss(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const Dims& scores = node.dims(kScores);
  Dims wanted = scores;
  if (scores.size() >= 2) wanted.erase(wanted.begin() + 1);
  if (scores.size() < 2 || node.dims(kClasses) != wanted)
    return node.wrong(concat("classes ", text_of(node.dims(kClasses)), " do not fit ", text_of(scores)));
  if (node.has(kWeights) && node.dims(kWeights) != Dims{scores[1]})
    return node.wrong(concat("weights ", text_of(node.dims(kWeights)), " are not one per class"));
  if (node.has(kWeights) && node.constant(kWeights) == nullptr)
    return node.not_offered("weights that are computed by the model are not composed");
  const std::string_view reduction = reduction_of(node.attributes());
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return node.wrong(concat("its reduction is '", reduction, "'"));
  OPENQNN_TRY(node.set(1, node.type(0), scores));  // SoftmaxCrossEntropyLoss may give the log-probabilities
  return node.set(0, node.type(0), reduction == "none" ? wanted : Dims{});
}

// One per class; that of the class to be ignored is 0.
std::vector<double> class_weights(const Lowering& node, int64_t classes) {
  std::vector<double> weights(static_cast<size_t>(classes), 1);
  if (const Constant* given = node.constant(kWeights)) weights = given->reals();
  const int64_t ignored = node.attributes().integer("ignore_index", -1);
  if (node.attributes().has("ignore_index") && ignored >= 0 && ignored < classes)
    weights[static_cast<size_t>(ignored)] = 0;
  return weights;
}

TensorRef sum_of_rows(Lowering& node, TensorRef x, int64_t samples) {
  return node.emit("ReduceSum", {x}, Params().u32s("axes", {1}), node.desc(x).type, {samples});
}

TensorRef sum_of_all(Lowering& node, TensorRef x) {
  return node.emit("ReduceSum", {x}, Params().u32s("axes", {0}), node.desc(x).type, {1});
}

// `log_probabilities` lie as [samples, classes]; the classes as numbers are compared with all there are. One
// that is not among them, as an ignored one may be, has weight 0.
Status give_loss(Lowering& node, TensorRef log_probabilities, int64_t samples, int64_t classes) {
  if (!node.make_room({2, classes})) return {};  // their numbers and weights
  const auto numbers = plain_numbers<int64_t>(static_cast<size_t>(classes));
  const TensorRef wanted = node.reshape(node.input(kClasses), {samples, 1});
  const TensorRef is_class =
      node.binary("ElementWiseEqual", wanted, node.integers({1, classes}, numbers), ir::DataType::kBool8);
  const Dims dims{samples, classes};
  const TensorRef zero = node.reals({1, 1}, {0});
  const TensorRef weights = node.reals({1, classes}, class_weights(node, classes));
  // An impossible class has minus infinity, which no multiplication by 0 makes 0.
  const TensorRef chosen = node.emit("ElementWiseSelect", {is_class, log_probabilities, zero}, {},
                                     node.desc(log_probabilities).type, dims);
  const TensorRef weighted = sum_of_rows(node, node.binary("ElementWiseMultiply", chosen, weights), samples);
  TensorRef loss = node.unary("ElementWiseNeg", weighted);
  const std::string_view reduction = reduction_of(node.attributes());
  if (reduction == "none") return node.result(node.reshape(loss, node.out().dims));
  loss = sum_of_all(node, loss);
  if (reduction == "mean") {
    const TensorRef each =
        node.emit("ElementWiseSelect", {is_class, weights, zero}, {}, node.desc(zero).type, dims);
    loss = node.binary("ElementWiseDivide", loss, sum_of_all(node, sum_of_rows(node, each, samples)));
  }
  return node.result(loss, {});
}

Status lower_loss(Lowering& node) {
  const Dims& dims = node.dims(kScores);
  // Samples lie as the class numbers do.
  const Order last = channels_last(dims.size());
  const int64_t classes = dims[1];
  const auto samples = static_cast<int64_t>(count_of(node.dims(kClasses)));
  TensorRef x = node.reshape(node.input(kScores, last), {samples, classes});
  if (node.node().type == "SoftmaxCrossEntropyLoss") {
    x = node.emit("LogSoftmax", {x}, Params().u32("axis", 1), node.desc(x).type, {samples, classes});
    node.result(1, node.reshape(x, in_order(dims, last)), last);
  }
  return node.refusal() || !node.wants(0) ? Status() : give_loss(node, x, samples, classes);
}

}  // namespace

std::span<const Rule> loss_rules() {
  static const Rule kRules[] = {
      {"NegativeLogLikelihoodLoss", infer_loss, nullptr, lower_loss},
      {"SoftmaxCrossEntropyLoss", infer_loss, nullptr, lower_loss},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
