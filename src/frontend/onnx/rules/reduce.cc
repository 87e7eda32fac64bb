// SPDX-License-Identifier: BSD-3-Clause
// Reductions: many elements become one, along some dimensions.
#include <cmath>
#include <limits>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/fold.h"

namespace openqnn::frontend::onnx {
namespace {

constexpr size_t kMostReduced = 5;  // dimensions that the backend's reductions take

// ---- Which dimensions ----

// The axes are an attribute in older opsets and an input in newer ones. All dimensions are meant when none is
// named, unless the node says that none is.
Result<std::vector<size_t>> axes_of(const NodeView& node) {
  const Constant* input = node.constant(1);
  const auto named = input != nullptr ? input->integers() : node.attributes().integers("axes");
  if (!named.empty()) return node.axes(named, node.rank(0));
  const bool none = node.attributes().integer("noop_with_empty_axes", 0) != 0;
  return plain_numbers<size_t>(none ? 0 : node.rank(0));
}

Status infer_reduce(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  if (node.has(1)) OPENQNN_TRY(node.need_integers(1, "the list of axes"));
  OPENQNN_ASSIGN(const auto axes, axes_of(node));
  Dims dims;
  for (size_t i = 0; i < node.rank(0); ++i) {
    if (!contains(axes, i))
      dims.push_back(node.dims(0)[i]);
    else if (keeps_dims(node.attributes()))
      dims.push_back(1);
  }
  return node.set(0, node.type(0), std::move(dims));
}

// ---- Folding ----

// How a value is taken up, and what becomes of all of them.
struct Fold {
  double first;
  double (*take)(double sum, double value);
  double (*end)(double sum, uint64_t count);
};

// Calls visit(index, place in the result) for each element of the operand, in their order.
template <class Visit>
void for_each_pair(const Dims& dims, const std::vector<size_t>& axes, Visit&& visit) {
  Dims kept = dims;
  for (const size_t axis : axes) kept[axis] = 1;
  walk(dims, {stretched(kept, dims)},
       [&](uint64_t from, const std::vector<int64_t>& to) { visit(from, static_cast<uint64_t>(to[0])); });
}

Status fold_reals(Inference& node, const Fold& fold) {
  OPENQNN_ASSIGN(const auto axes, axes_of(node));
  const Constant& from = *node.constant(0);
  std::vector<double> sums(count_of(node.out_dims(0)), fold.first);
  for_each_pair(from.dims(), axes,
                [&](uint64_t at, uint64_t to) { sums[to] = fold.take(sums[to], from.real(at)); });
  const uint64_t each = sums.empty() ? 0 : from.count() / sums.size();
  ConstantBuilder out(node.type(0), node.out_dims(0));
  for (uint64_t i = 0; i < sums.size(); ++i) out.put(i, fold.end(sums[i], each));
  return node.set(0, out.take());
}

// Integers are exact: sums and products wrap around, as they do in any fixed width.
struct IntegerFold {
  int64_t first;
  uint64_t (*take)(uint64_t sum, uint64_t value);
};

Status fold_integers(Inference& node, const IntegerFold& fold, bool mean) {
  OPENQNN_ASSIGN(const auto axes, axes_of(node));
  const Constant& from = *node.constant(0);
  std::vector<uint64_t> sums(count_of(node.out_dims(0)), static_cast<uint64_t>(fold.first));
  for_each_pair(from.dims(), axes, [&](uint64_t at, uint64_t to) {
    sums[to] = fold.take(sums[to], static_cast<uint64_t>(from.integer(at)));
  });
  const auto each = static_cast<int64_t>(sums.empty() ? 0 : from.count() / sums.size());
  ConstantBuilder out(node.type(0), node.out_dims(0));
  for (uint64_t i = 0; i < sums.size(); ++i) {
    const auto sum = static_cast<int64_t>(sums[i]);
    out.put(i, wrapped(node.type(0), mean && each > 0 ? sum / each : sum));
  }
  return node.set(0, out.take());
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
double add(double sum, double value) { return sum + value; }
double same(double sum, uint64_t) { return sum; }
uint64_t add_integers(uint64_t sum, uint64_t value) { return sum + value; }
uint64_t magnitude(uint64_t value) { return static_cast<int64_t>(value) < 0 ? 0 - value : value; }

// ---- Lowering ----

// The operand, with as few dimensions as the reduction needs: those that lie together and meet the same fate
// are one.
struct Reshaped {
  TensorRef tensor;
  std::vector<uint32_t> axes;
};

Reshaped few_dimensions(Lowering& node, TensorRef tensor, const std::vector<bool>& reduced) {
  const Dims dims = node.lies_as(tensor);
  Reshaped operand{tensor, {}};
  if (dims.size() <= kMostReduced) {
    for (uint32_t i = 0; i < reduced.size(); ++i)
      if (reduced[i]) operand.axes.push_back(i);
    return operand;
  }
  Dims merged;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0 && reduced[i] == reduced[i - 1]) {
      merged.back() *= dims[i];
      continue;
    }
    if (reduced[i]) operand.axes.push_back(static_cast<uint32_t>(merged.size()));
    merged.push_back(dims[i]);
  }
  operand.tensor = node.reshape(tensor, merged);
  return operand;
}

// One reduction of the node, which may need several.
class Reducer {
 public:
  explicit Reducer(Lowering& node) : node_(node), axes_(axes_of(node).value()), order_(order_of(node, 0)) {
    std::vector<bool> reduced(order_.size());
    for (size_t i = 0; i < order_.size(); ++i) reduced[i] = contains(axes_, order_[i]);
    operand_ = few_dimensions(node, node.input(0, order_), reduced);
  }

  TensorRef operand() const { return operand_.tensor; }
  bool nothing_to_do() const { return axes_.empty(); }
  // With the reduced dimensions kept as 1, so that the result fits the operand.
  TensorRef reduce(std::string_view type, TensorRef x) {
    Dims dims = node_.lies_as(x);
    for (const uint32_t axis : operand_.axes)
      if (axis < dims.size()) dims[axis] = 1;
    return node_.emit(type, {x}, Params().u32s("axes", operand_.axes).boolean("keep_dims", true),
                      node_.desc(x).type, dims);
  }
  Status result(TensorRef y) {
    const Order order = keeps_dims(node_.attributes()) ? order_ : without(order_, axes_);
    return node_.result(node_.reshape(y, in_order(node_.out().dims, order)), order);
  }

 private:
  Lowering& node_;
  std::vector<size_t> axes_;
  Order order_;
  Reshaped operand_;
};

// The elements as a function of the operand gives them, reduced, and a function of that. Null: none.
struct Plan {
  const char* before;
  const char* reduction;
  const char* after;
};

// Bytes go through real numbers, which hold them exactly.
bool is_small_integer(ElementType type) {
  return type == ElementType::kInt8 || type == ElementType::kUint8 || type == ElementType::kBool;
}

Status lower_plan(Lowering& node, const Plan& plan) {
  Reducer reducer(node);
  TensorRef x = reducer.operand();
  const bool small = is_small_integer(node.in(0).type);
  if (small) x = node.cast(x, ir::DataType::kFloat32);
  if (plan.before != nullptr) x = node.unary(plan.before, x);
  if (!reducer.nothing_to_do()) x = reducer.reduce(plan.reduction, x);
  if (reducer.nothing_to_do() && std::string_view(plan.reduction) == "ReduceSumSquare")
    x = node.binary("ElementWiseMultiply", x, x);
  if (plan.after != nullptr) x = node.unary(plan.after, x);
  if (small) x = node.cast(x, node.out_type());
  return reducer.result(x);
}

// log(sum(exp(x))), with the maximum taken out so that nothing overflows.
Status lower_log_sum_exp(Lowering& node) {
  Reducer reducer(node);
  const TensorRef x = reducer.operand();
  if (reducer.nothing_to_do()) return reducer.result(x);
  const TensorRef largest = reducer.reduce("ReduceMax", x);
  const TensorRef powers = node.unary("ElementWiseExp", node.binary("ElementWiseSubtract", x, largest));
  const TensorRef sum = node.unary("ElementWiseLog", reducer.reduce("ReduceSum", powers));
  return reducer.result(node.binary("ElementWiseAdd", sum, largest));
}

// ---- The ops ----

template <const Fold& reals, const IntegerFold& integers, bool mean = false>
Status fold_either(Inference& node) {
  return is_real(node.type(0)) ? fold_reals(node, reals) : fold_integers(node, integers, mean);
}
template <const Fold& reals>
Status fold_real(Inference& node) {
  return fold_reals(node, reals);
}
template <const Plan& plan>
Status lower_as(Lowering& node) {
  return lower_plan(node, plan);
}

constexpr Fold kSum{0, add, same};
constexpr Fold kMean{0, add, [](double sum, uint64_t count) { return sum / static_cast<double>(count); }};
constexpr Fold kMax{-kInfinity, [](double sum, double value) { return value > sum ? value : sum; }, same};
constexpr Fold kMin{kInfinity, [](double sum, double value) { return value < sum ? value : sum; }, same};
constexpr Fold kProd{1, [](double sum, double value) { return sum * value; }, same};
constexpr Fold kL1{0, [](double sum, double value) { return sum + std::abs(value); }, same};
constexpr Fold kSumSquare{0, [](double sum, double value) { return sum + value * value; }, same};
constexpr Fold kL2{0, [](double sum, double value) { return sum + value * value; },
                   [](double sum, uint64_t) { return std::sqrt(sum); }};
constexpr Fold kLogSum{0, add, [](double sum, uint64_t) { return std::log(sum); }};

constexpr IntegerFold kIntegerSum{0, add_integers};
constexpr IntegerFold kIntegerMax{std::numeric_limits<int64_t>::min(), [](uint64_t sum, uint64_t value) {
                                    return static_cast<int64_t>(value) > static_cast<int64_t>(sum) ? value
                                                                                                   : sum;
                                  }};
constexpr IntegerFold kIntegerMin{std::numeric_limits<int64_t>::max(), [](uint64_t sum, uint64_t value) {
                                    return static_cast<int64_t>(value) < static_cast<int64_t>(sum) ? value
                                                                                                   : sum;
                                  }};
constexpr IntegerFold kIntegerProd{1, [](uint64_t sum, uint64_t value) { return sum * value; }};
constexpr IntegerFold kIntegerL1{0, [](uint64_t sum, uint64_t value) { return sum + magnitude(value); }};
constexpr IntegerFold kIntegerSumSquare{0, [](uint64_t sum, uint64_t value) { return sum + value * value; }};

constexpr Plan kPlanSum{nullptr, "ReduceSum", nullptr};
constexpr Plan kPlanMean{nullptr, "ReduceMean", nullptr};
constexpr Plan kPlanMax{nullptr, "ReduceMax", nullptr};
constexpr Plan kPlanMin{nullptr, "ReduceMin", nullptr};
constexpr Plan kPlanProd{nullptr, "ReduceProd", nullptr};
constexpr Plan kPlanL1{"ElementWiseAbs", "ReduceSum", nullptr};
constexpr Plan kPlanL2{nullptr, "ReduceSumSquare", "ElementWiseSquareRoot"};
constexpr Plan kPlanSumSquare{nullptr, "ReduceSumSquare", nullptr};
constexpr Plan kPlanLogSum{nullptr, "ReduceSum", "ElementWiseLog"};

}  // namespace

std::span<const Rule> reduce_rules() {
  static const Rule kRules[] = {
      {"ReduceSum", infer_reduce, fold_either<kSum, kIntegerSum>, lower_as<kPlanSum>},
      {"ReduceMean", infer_reduce, fold_either<kMean, kIntegerSum, true>, lower_as<kPlanMean>},
      {"ReduceMax", infer_reduce, fold_either<kMax, kIntegerMax>, lower_as<kPlanMax>},
      {"ReduceMin", infer_reduce, fold_either<kMin, kIntegerMin>, lower_as<kPlanMin>},
      {"ReduceProd", infer_reduce, fold_either<kProd, kIntegerProd>, lower_as<kPlanProd>},
      {"ReduceL1", infer_reduce, fold_either<kL1, kIntegerL1>, lower_as<kPlanL1>},
      {"ReduceL2", infer_reduce, fold_real<kL2>, lower_as<kPlanL2>},
      {"ReduceSumSquare", infer_reduce, fold_either<kSumSquare, kIntegerSumSquare>, lower_as<kPlanSumSquare>},
      {"ReduceLogSum", infer_reduce, fold_real<kLogSum>, lower_as<kPlanLogSum>},
      {"ReduceLogSumExp", infer_reduce, nullptr, lower_log_sum_exp},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
