// SPDX-License-Identifier: BSD-3-Clause
// LSTM, GRU and RNN. The backend has a step of an LSTM and a whole GRU; sequences of the others are unrolled.
#include <algorithm>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/movement.h"

namespace openqnn::frontend::onnx {
namespace {

// A longer sequence would be a graph of more nodes than anybody runs.
constexpr int64_t kLongestUnrolled = 4096;

enum : size_t { kX, kW, kR, kBias, kLengths, kInitialH, kInitialC, kPeepholes };

// ---- What the three have in common ----

struct Sizes {
  int64_t steps;
  int64_t batch;
  int64_t inputs;
  int64_t hidden;
  int64_t directions;
};

// With layout 1 the batch goes before time, in states too.
bool batch_first(const Attributes& attributes) { return attributes.integer("layout", 0) != 0; }

Sizes sizes_of(const Attributes& attributes, const Dims& x, const Dims& r) {
  const bool swapped = batch_first(attributes);
  return {x[swapped ? 1 : 0], x[swapped ? 0 : 1], x[2], r[2], r[0]};
}

Sizes sizes_of(const Lowering& node) { return sizes_of(node.attributes(), node.dims(kX), node.dims(kR)); }

Dims state_dims(const Attributes& attributes, const Sizes& s) {
  return batch_first(attributes) ? Dims{s.batch, s.directions, s.hidden}
                                 : Dims{s.directions, s.batch, s.hidden};
}

Status check_dims(Inference& node, size_t input, const Dims& wanted) {
  if (!node.has(input) || node.dims(input) == wanted) return {};
  return node.wrong(concat("input ", input, " is ", text_of(node.dims(input)), ", not ", text_of(wanted)));
}

Status check_direction(const Inference& node, int64_t directions) {
  const std::string_view direction = node.attributes().text("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return node.wrong(concat("its direction is '", direction, "'"));
  if ((direction == "bidirectional" ? 2 : 1) != directions)
    return node.wrong(concat("weights of ", directions, " directions do not fit '", direction, "'"));
  return {};
}

Status check_lengths(const Inference& node, int64_t steps) {
  if (!node.has(kLengths)) return {};
  const Constant* lengths = node.constant(kLengths);
  bool full = lengths != nullptr;
  for (uint64_t i = 0; full && i < lengths->count(); ++i) full = lengths->integer(i) == steps;
  if (full) return {};
  return node.not_offered("sequences of different lengths (sequence_lens) are not computed")
      .fix_by("pad all sequences to one length and export without sequence_lens");
}

// The names of the activations of every direction; the defaults where none are given.
Status check_activations(const Inference& node, const std::vector<std::string_view>& wanted) {
  const Attribute* given = node.attributes().find("activations");
  if (given == nullptr) return {};
  for (size_t i = 0; i < given->strings.size(); ++i)
    if (given->strings[i] != wanted[i % wanted.size()])
      return node.not_offered(
          concat("activation ", given->strings[i], " is not computed by the backend's op"));
  return {};
}

// `gates`: how many blocks of rows the weights have.
Status infer_recurrent(Inference& node, int64_t gates, bool has_cell) {
  OPENQNN_TRY(node.need_inputs(3));
  if (node.rank(kX) != 3 || node.rank(kW) != 3 || node.rank(kR) != 3)
    return node.wrong("X, W and R must have three dimensions");
  const Sizes s = sizes_of(node.attributes(), node.dims(kX), node.dims(kR));
  if (s.hidden < 1 || s.steps < 1 || s.hidden > INT32_MAX || s.inputs > INT32_MAX)
    return node.wrong("it has an empty sequence or no hidden units");
  OPENQNN_TRY(check_direction(node, s.directions));
  OPENQNN_TRY(check_dims(node, kW, {s.directions, gates * s.hidden, s.inputs}));
  OPENQNN_TRY(check_dims(node, kR, {s.directions, gates * s.hidden, s.hidden}));
  OPENQNN_TRY(check_dims(node, kBias, {s.directions, 2 * gates * s.hidden}));
  OPENQNN_TRY(check_dims(node, kInitialH, state_dims(node.attributes(), s)));
  OPENQNN_TRY(check_lengths(node, s.steps));
  if (node.attributes().has("clip")) return node.not_offered("clipped gates (clip) are not computed");
  const bool swapped = batch_first(node.attributes());
  OPENQNN_TRY(node.set(0, node.type(kX),
                       swapped ? Dims{s.batch, s.steps, s.directions, s.hidden}
                               : Dims{s.steps, s.directions, s.batch, s.hidden}));
  OPENQNN_TRY(node.set(1, node.type(kX), state_dims(node.attributes(), s)));
  if (has_cell) OPENQNN_TRY(node.set(2, node.type(kX), state_dims(node.attributes(), s)));
  return {};
}

// Parts of an input that lies [direction, rows, ...]: cut out before the model runs where it is a constant.
class Part {
 public:
  Part(Lowering& node, size_t input) : node_(node), input_(input) {}

  // Rows [first, first + count) of one direction, without that dimension.
  TensorRef rows(int64_t direction, int64_t first, int64_t count) const {
    const Dims& dims = node_.dims(input_);
    Dims out(dims.begin() + 1, dims.end());
    out[0] = count;
    if (const Constant* values = node_.constant(input_)) {
      const auto row = static_cast<uint64_t>(extent_between(dims, 2, dims.size()));
      const auto from = static_cast<uint64_t>(direction * dims[1] + first) * row;
      ConstantBuilder part(values->type(), out);
      for (uint64_t i = 0; i < static_cast<uint64_t>(count) * row; ++i) part.put(i, values->real(from + i));
      return node_.constant(part.take());
    }
    std::vector<Range> ranges{{direction, 1, 1}, {first, 1, count}};
    for (size_t d = 2; d < dims.size(); ++d) ranges.push_back(whole(dims[d]));
    return node_.reshape(slice(node_, node_.input(input_), ranges), out);
  }

 private:
  Lowering& node_;
  size_t input_;
};

TensorRef zeros(Lowering& node, const Dims& dims) {
  if (!node.make_room(dims)) return kNoTensorRef;
  return node.reals(dims, std::vector<double>(count_of(dims), 0));
}

// A state at the beginning: [batch, hidden] of one direction.
TensorRef initial_state(Lowering& node, size_t input, int64_t direction, const Sizes& s) {
  if (!node.has(input)) return zeros(node, {s.batch, s.hidden});
  const Order order = batch_first(node.attributes()) ? Order{1, 0, 2} : Order{0, 1, 2};
  const TensorRef all = node.input(input, order);
  const TensorRef part = slice(node, all, {{direction, 1, 1}, whole(s.batch), whole(s.hidden)});
  return node.reshape(part, {s.batch, s.hidden});
}

// X as [time, batch, inputs].
TensorRef sequence(Lowering& node) {
  return node.input(kX, batch_first(node.attributes()) ? Order{1, 0, 2} : Order{0, 1, 2});
}

// One step of it: [batch, inputs] each.
std::vector<TensorRef> unrolled(Lowering& node, const Sizes& s) {
  const TensorRef x = sequence(node);
  if (s.steps == 1) return {node.reshape(x, {s.batch, s.inputs})};
  const Lowering::OutputSpec step{node.desc(x).type, {s.batch, s.inputs}};
  return node.emit("UnPack", {x}, Params().u32("axis", 0),
                   std::vector<Lowering::OutputSpec>(static_cast<size_t>(s.steps), step));
}

bool runs_backwards(const Lowering& node, int64_t direction) {
  return direction == 1 || node.attributes().text("direction", "forward") == "reverse";
}

TensorRef concat_along(Lowering& node, const std::vector<TensorRef>& parts, uint32_t axis, Dims dims) {
  if (parts.size() == 1) return parts[0];
  dims[axis] *= static_cast<int64_t>(parts.size());
  return node.emit("Concat", parts, Params().u32("axis", axis), node.desc(parts[0]).type, dims);
}

// What one direction gives: all steps [time, 1, batch, hidden], and the states at its end [1, batch, hidden].
struct Outputs {
  std::vector<TensorRef> sequences;
  std::vector<TensorRef> hidden;
  std::vector<TensorRef> cell;
};

void give(Lowering& node, const Sizes& s, const Outputs& outputs) {
  const bool swapped = batch_first(node.attributes());
  const TensorRef y = concat_along(node, outputs.sequences, 1, {s.steps, 1, s.batch, s.hidden});
  node.result(0, y, swapped ? Order{1, 2, 0, 3} : Order{0, 1, 2, 3});
  const Order order = swapped ? Order{1, 0, 2} : Order{0, 1, 2};
  const Dims state{1, s.batch, s.hidden};
  node.result(1, concat_along(node, outputs.hidden, 0, state), order);
  if (!outputs.cell.empty()) node.result(2, concat_along(node, outputs.cell, 0, state), order);
}

// Steps in the order in which they were computed become a sequence in the order of time.
TensorRef packed(Lowering& node, const Sizes& s, std::vector<TensorRef> steps, bool backwards) {
  if (node.refusal()) return kNoTensorRef;  // not all steps are there
  if (backwards) std::reverse(steps.begin(), steps.end());
  const Dims dims{s.steps, s.batch, s.hidden};
  const TensorRef all =
      steps.size() == 1 ? steps[0]
                        : node.emit("Pack", steps, Params().u32("axis", 0), node.desc(steps[0]).type, dims);
  return node.reshape(all, {s.steps, 1, s.batch, s.hidden});
}

// The sum of the two biases of a gate, or zeros.
TensorRef gate_bias(Lowering& node, int64_t direction, int64_t gate, int64_t gates, int64_t hidden) {
  if (!node.has(kBias)) return zeros(node, {hidden});
  const Part bias(node, kBias);
  if (const Constant* values = node.constant(kBias)) {
    std::vector<double> sums;
    for (int64_t i = 0; i < hidden; ++i) {
      const int64_t at = direction * 2 * gates * hidden + gate * hidden + i;
      sums.push_back(values->real(static_cast<uint64_t>(at)) +
                     values->real(static_cast<uint64_t>(at + gates * hidden)));
    }
    return node.reals({hidden}, sums);
  }
  return node.binary("ElementWiseAdd", bias.rows(direction, gate * hidden, hidden),
                     bias.rows(direction, (gates + gate) * hidden, hidden));
}

Status check_length(const Lowering& node, int64_t steps) {
  if (steps <= kLongestUnrolled) return {};
  return node.not_offered(
      concat("a sequence of ", steps, " steps is not unrolled; ", kLongestUnrolled, " are"));
}

// ---- LSTM ----

Status infer_lstm(Inference& node) {
  OPENQNN_TRY(infer_recurrent(node, 4, true));
  const Sizes s = sizes_of(node.attributes(), node.dims(kX), node.dims(kR));
  OPENQNN_TRY(check_dims(node, kInitialC, state_dims(node.attributes(), s)));
  OPENQNN_TRY(check_dims(node, kPeepholes, {s.directions, 3 * s.hidden}));
  OPENQNN_TRY(check_activations(node, {"Sigmoid", "Tanh", "Tanh"}));
  if (node.attributes().integer("input_forget", 0) != 0)
    return node.not_offered("coupled input and forget gates (input_forget) are not computed");
  return {};
}

// ONNX's order of the gates in W, R and B, and of the peepholes in P.
enum : int64_t { kGateI, kGateO, kGateF, kGateC };
enum : int64_t { kPeepholeI, kPeepholeO, kPeepholeF };

// The operands of the backend's step, but for x and the states.
std::vector<TensorRef> lstm_weights(Lowering& node, int64_t direction, int64_t hidden) {
  constexpr TensorRef kNone = kNoTensorRef;
  auto w = [&](int64_t gate) { return Part(node, kW).rows(direction, gate * hidden, hidden); };
  auto r = [&](int64_t gate) { return Part(node, kR).rows(direction, gate * hidden, hidden); };
  auto b = [&](int64_t gate) { return gate_bias(node, direction, gate, 4, hidden); };
  auto p = [&](int64_t gate) {
    return node.has(kPeepholes) ? Part(node, kPeepholes).rows(direction, gate * hidden, hidden) : kNone;
  };
  return {kNone,     w(kGateF), w(kGateC),     w(kGateO),     r(kGateF),     r(kGateC), r(kGateO), b(kGateF),
          b(kGateC), b(kGateO), kNone,         kNone,         kNone,         kNone,     kNone,     kNone,
          w(kGateI), r(kGateI), p(kPeepholeI), p(kPeepholeF), p(kPeepholeO), b(kGateI)};
}

Status lower_lstm(Lowering& node) {
  const Sizes s = sizes_of(node);
  OPENQNN_TRY(check_length(node, s.steps));
  const Dims state{s.batch, s.hidden};
  const ir::DataType type = backend_type(node.in(kX).type);
  const std::vector<TensorRef> steps = unrolled(node, s);
  Outputs outputs;
  for (int64_t direction = 0; direction < s.directions && !node.refusal(); ++direction) {
    std::vector<TensorRef> operands = lstm_weights(node, direction, s.hidden);
    TensorRef h = initial_state(node, kInitialH, direction, s);
    TensorRef c = initial_state(node, kInitialC, direction, s);
    const bool backwards = runs_backwards(node, direction);
    std::vector<TensorRef> sequence_of_h;
    for (int64_t t = 0; t < s.steps && !node.refusal(); ++t) {
      operands[0] = steps[static_cast<size_t>(backwards ? s.steps - 1 - t : t)];
      operands[10] = h;
      operands[11] = c;
      const auto made = node.emit("Lstm", operands, {}, {{type, state}, {type, state}, {type, state}});
      c = made[1];
      h = made[2];
      sequence_of_h.push_back(made[0]);
    }
    outputs.sequences.push_back(packed(node, s, std::move(sequence_of_h), backwards));
    outputs.hidden.push_back(node.reshape(h, {1, s.batch, s.hidden}));
    outputs.cell.push_back(node.reshape(c, {1, s.batch, s.hidden}));
  }
  if (!node.refusal()) give(node, s, outputs);
  return {};
}

// ---- GRU ----

Status infer_gru(Inference& node) {
  OPENQNN_TRY(infer_recurrent(node, 3, false));
  return check_activations(node, {"Sigmoid", "Tanh"});
}

// ONNX has the gates in the backend's order: update, reset, new.
Status lower_gru(Lowering& node) {
  const Sizes s = sizes_of(node);
  const TensorRef x = sequence(node);
  Outputs outputs;
  for (int64_t direction = 0; direction < s.directions && !node.refusal(); ++direction) {
    std::vector<TensorRef> operands{x};
    for (const size_t weights : {kW, kR})
      for (int64_t gate = 0; gate < 3; ++gate)
        operands.push_back(Part(node, weights).rows(direction, gate * s.hidden, s.hidden));
    for (int64_t bias = 0; bias < 6; ++bias)
      operands.push_back(node.has(kBias) ? Part(node, kBias).rows(direction, bias * s.hidden, s.hidden)
                                         : kNoTensorRef);
    operands.push_back(node.reshape(initial_state(node, kInitialH, direction, s), {1, s.batch, s.hidden}));
    Params params;
    params.u32("direction", runs_backwards(node, direction) ? 1 : 0);
    params.u32("linear_before_reset", node.attributes().integer("linear_before_reset", 0) != 0 ? 1 : 0);
    const ir::DataType type = backend_type(node.in(kX).type);
    const auto made = node.emit("Gru", operands, params,
                                {{type, {s.steps, s.batch, s.hidden}}, {type, {1, s.batch, s.hidden}}});
    outputs.sequences.push_back(node.reshape(made[0], {s.steps, 1, s.batch, s.hidden}));
    outputs.hidden.push_back(made[1]);
  }
  if (!node.refusal()) give(node, s, outputs);
  return {};
}

// ---- RNN ----

// Which op of the backend an activation is.
std::string_view activation_op(std::string_view name) {
  if (name == "Tanh" || name == "Relu" || name == "Sigmoid") return name;
  return "";
}

std::string_view activation_of(const Attributes& attributes, int64_t direction) {
  const Attribute* given = attributes.find("activations");
  const auto at = static_cast<size_t>(direction);
  return given != nullptr && at < given->strings.size() ? given->strings[at] : "Tanh";
}

Status infer_rnn(Inference& node) {
  OPENQNN_TRY(infer_recurrent(node, 1, false));
  for (int64_t direction = 0; direction < node.dims(kR)[0]; ++direction)
    if (const auto name = activation_of(node.attributes(), direction); activation_op(name).empty())
      return node.not_offered(concat("activation ", name, " is not computed; Tanh, Relu and Sigmoid are"));
  return {};
}

// h = f(x W^T + h R^T + b).
Status lower_rnn(Lowering& node) {
  const Sizes s = sizes_of(node);
  OPENQNN_TRY(check_length(node, s.steps));
  const Dims state{s.batch, s.hidden};
  const ir::DataType type = backend_type(node.in(kX).type);
  const std::vector<TensorRef> steps = unrolled(node, s);
  Outputs outputs;
  for (int64_t direction = 0; direction < s.directions && !node.refusal(); ++direction) {
    const TensorRef w = Part(node, kW).rows(direction, 0, s.hidden);
    const TensorRef r = Part(node, kR).rows(direction, 0, s.hidden);
    const TensorRef bias = gate_bias(node, direction, 0, 1, s.hidden);
    const std::string_view activation = activation_op(activation_of(node.attributes(), direction));
    TensorRef h = initial_state(node, kInitialH, direction, s);
    const bool backwards = runs_backwards(node, direction);
    std::vector<TensorRef> sequence_of_h;
    for (int64_t t = 0; t < s.steps && !node.refusal(); ++t) {
      const TensorRef x = steps[static_cast<size_t>(backwards ? s.steps - 1 - t : t)];
      const TensorRef from_x = node.emit("FullyConnected", {x, w, bias}, {}, type, state);
      const TensorRef from_h = node.emit("FullyConnected", {h, r}, {}, type, state);
      h = node.unary(activation, node.binary("ElementWiseAdd", from_x, from_h));
      sequence_of_h.push_back(h);
    }
    outputs.sequences.push_back(packed(node, s, std::move(sequence_of_h), backwards));
    outputs.hidden.push_back(node.reshape(h, {1, s.batch, s.hidden}));
  }
  if (!node.refusal()) give(node, s, outputs);
  return {};
}

}  // namespace

std::span<const Rule> recurrent_rules() {
  static const Rule kRules[] = {
      {"LSTM", infer_lstm, nullptr, lower_lstm},
      {"GRU", infer_gru, nullptr, lower_gru},
      {"RNN", infer_rnn, nullptr, lower_rnn},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
