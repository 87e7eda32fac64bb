// SPDX-License-Identifier: BSD-3-Clause
// What an op is. Everything the product knows about one op stands in one OpDef, in the file of its family;
// the list of ops is op_list.inc. validateOpConfig, prepare, exec and sim all read the same OpDef.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/graph.h"
#include "ops/schema.h"
#include "ops/work.h"
#include "soc/target.h"

namespace openqnn::ops {

// What prepare may fold into the end of an op. The tensor in between is then never rounded to. A quantized
// output is clipped by the range of its own encoding and by nothing else: as documented, folding is right
// only where that encoding tells the range after the activation. Those after kClamp are for half alone.
//
// kTimesInput is for functions of one element: the result, rounded as the tensor in between would be, times
// the element itself, so that a sigmoid becomes a swish. It changes no bit.
enum class Activation : uint8_t { kNone, kRelu, kClamp, kSigmoid, kTanh, kGelu, kTimesInput };
struct Epilogue {
  Activation activation = Activation::kNone;
  float low = 0.0F;  // of kClamp
  float high = 0.0F;
  bool is_clamp() const { return activation == Activation::kRelu || activation == Activation::kClamp; }
  // Of kTimesInput, in the same place: the encoding in between, where results are fixed-point.
  static Epilogue times_input(const ir::ScaleOffset& between) {
    return {Activation::kTimesInput, between.scale, static_cast<float>(between.offset)};
  }
  ir::ScaleOffset between() const { return {low, static_cast<int32_t>(high)}; }
};

// An op and its arguments, described but without values.
struct OpCall {
  std::string_view node;                      // for messages
  const ir::Params* params = nullptr;         // never null in a call that is validated or run
  std::vector<const ir::TensorDesc*> inputs;  // nullptr where an optional input is absent
  std::vector<const ir::TensorDesc*> outputs;
  Epilogue epilogue;
  soc::HalfAccumulation half_accumulation = soc::HalfAccumulation::kSequential;
  bool fast_sigmoid = false;  // in half: every step of it is rounded

  const ir::TensorDesc& in(size_t i) const { return *inputs[i]; }
  const ir::TensorDesc& out(size_t i = 0) const { return *outputs[i]; }
  bool has_input(size_t i) const { return i < inputs.size() && inputs[i] != nullptr; }
  bool has_output(size_t i) const { return i < outputs.size() && outputs[i] != nullptr; }
};

// The arguments of a client's node, or of an op of a Program. `desc_of` finds the description of a tensor,
// which the call points to.
template <class Node, class DescOf>
OpCall call_with(const Node& node, const DescOf& desc_of) {
  OpCall call{.node = node.name, .params = &node.params};
  const auto add = [&](const auto& tensors, std::vector<const ir::TensorDesc*>& descs) {
    descs.reserve(tensors.size());
    for (const ir::TensorIndex tensor : tensors)
      descs.push_back(tensor == ir::kNoTensor ? nullptr : &desc_of(tensor));
  };
  add(node.inputs, call.inputs);
  add(node.outputs, call.outputs);
  return call;
}
OpCall call_of(const ir::Graph& graph, const ir::Node& node);

// ---- Tiles: how an op may be cut ----

// An output dimension that tiles may divide, in multiples of `granularity`. The order in a list is the order
// in which the tiler tries them.
struct SplitAxis {
  uint32_t axis;
  uint32_t granularity;
};

// The part of an input that a box of the output depends on, in the input's coordinates.
struct NeededPart {
  size_t input;
  ir::Box box;  // not empty
};
using InputBox = ir::Box (*)(const OpCall& call, size_t index, const ir::Box& output);
// The parts of all inputs, by their order, for one box after the other. Of one call, which outlives it, and
// for one thread: it may remember where the last box was.
using NeededParts = std::function<std::vector<NeededPart>(const ir::Box& output)>;

// ---- Constants ----

// A static input as the context binary keeps it.
struct StoredOperand {
  ir::TensorDesc desc;  // type, encoding and layout may differ from the client's
  ir::Blob data;
};

// ---- Kernels ----

// What a kernel works out once, from a call and its constants, for all executions: Kernel::plan.
struct KernelPlan {
  virtual ~KernelPlan() = default;
};

struct KernelArgs {
  const OpCall& call;
  std::span<const std::byte* const> inputs;  // nullptr where absent
  std::span<std::byte* const> outputs;
  // What the op keeps from one execution to the next, as the last one left it: OpDef::state_bytes.
  std::span<std::byte> state = {};
  const KernelPlan* plan = nullptr;
  // Kernel::scratch_bytes, aligned to 64, for this region alone; what is in it means nothing.
  std::span<std::byte> scratch = {};
};

// Computes the part of output 0 inside `region`; single-threaded, touches nothing else of the output. An op
// that is not divided (split_axes below) gets the whole of output 0 and writes all its outputs.
using KernelFn = void (*)(const KernelArgs& args, const ir::Box& region);

struct Kernel {
  std::string_view name;
  // Why this kernel cannot serve the call, or nothing when it can.
  std::optional<std::string> (*declines)(const OpCall& call);
  KernelFn run;
  // Null: there is nothing to work out. Only the constants among the inputs may be looked at; others are
  // nullptr. An answer of nullptr says that with these constants only the reference kernel serves.
  std::unique_ptr<const KernelPlan> (*plan)(const KernelArgs& args) = nullptr;
  // Null: none is needed. A kernel that would need very much is not chosen.
  uint64_t (*scratch_bytes)(const OpCall& call) = nullptr;
  // About `wanted` regions that cover the output and take this kernel about equally long. Null: any will do.
  std::vector<ir::Box> (*divide)(const OpCall& call, size_t wanted) = nullptr;
};

// ---- The op ----

struct OpDef {
  std::string_view type;  // "Conv2d": what find_schema knows it by
  // Type rows beside those of the schema, in the same notation: no table lists them; decided by us, and
  // marked so in the docs.
  std::vector<std::string_view> our_rows = {};
  // Rows of the schema that the kernels do not compute, each refused with the reason.
  struct RefusedRow {
    std::string_view row;
    std::string_view why;
  };
  std::vector<RefusedRow> refused_rows = {};
  // Rows that only `store` makes, so that they are legal in a Program but not from a client.
  std::vector<std::string_view> stored_rows = {};
  // Inputs whose encoding `check` judges (weights by channel, biases in accumulator units). Every other
  // quantized operand must have one encoding with a scale above 0.
  std::vector<size_t> own_encodings = {};
  bool ignores_encodings = false;  // of every operand: it may have any, or none
  bool takes_scalars = false;      // operands of rank 0
  // The one operand that is sparse: operand 0 of a side. All others are dense.
  enum class SparseOperand : uint8_t { kNone, kInput, kOutput };
  SparseOperand sparse_operand = SparseOperand::kNone;

  // Everything the schema cannot say: shapes, ranges of parameters, encodings.
  Status (*check)(const OpCall& call);
  // The part of input `index` that `output` depends on, in the input's coordinates. Null: all of it.
  InputBox input_box = nullptr;
  // The same for all inputs at once, for ops where one place follows from another, or a tile needs few of
  // many: joining n tensors would otherwise add up n sizes for each tile. Null: input_box, one by one.
  NeededParts (*parts)(const OpCall& call) = nullptr;
  // How the output may be divided. Null: not at all; the op is computed in one piece, as every op with
  // several outputs is.
  std::vector<SplitAxis> (*split_axes)(const OpCall& call) = nullptr;
  Work (*work)(const OpCall& call, const ir::Box& output);

  // Bytes that the op keeps from one execution of its graph to the next; they are zero before the first.
  // Null: it keeps none. An op that does is not divided, and executions of its graph take turns.
  uint64_t (*state_bytes)(const OpCall& call) = nullptr;
  // The input that, when true, empties the state before anything else; it does so too in an execution that
  // cannot run the op because another input was withheld from it.
  size_t reset_input = SIZE_MAX;
  // Whether an execution that left this state gives no output: what depends on it is not computed either.
  // Null: it always gives one.
  bool (*withholds)(const OpCall& call, std::span<const std::byte> state) = nullptr;

  // The form in which prepare stores a static input (weights in matrix-unit blocks, biases in accumulator
  // units); nothing when the input stays as it is. Null when the op never asks for one.
  // `call` has the computed types: half where the client says float.
  std::optional<StoredOperand> (*store)(const OpCall& call, size_t index, const ir::Blob& data) = nullptr;
  // The one input that may be in a matrix-unit layout, when there is one, and the bytes of the blocks there
  // that a box of it touches. For calls that passed `check`.
  size_t packed_input = SIZE_MAX;
  uint64_t (*packed_bytes)(const OpCall& call, const ir::Box& box) = nullptr;
  bool fuses = false;                // can end in an activation
  bool gates = false;                // can end in kTimesInput
  bool clamps_as_it_writes = false;  // the device does, for nothing, what an op that clamps does behind it
  // Of an op that stands for many: the one that is the chosen one alone; empty where there is none. What it
  // costs and what it may be folded into are that one's. Null: it stands for itself.
  std::string_view (*alone)(const ir::Params& params) = nullptr;
  // What this op becomes at the end of its producer, when that one fuses. Null: it never does.
  std::optional<Epilogue> (*folds_as)(const OpCall& call) = nullptr;

  std::vector<Kernel> kernels;  // in order of preference, the reference kernel last
};

// The functions of an op, or what it means to have none.
ir::Box input_box(const OpDef& op, const OpCall& call, size_t index, const ir::Box& output);
NeededParts parts_of(const OpDef& op, const OpCall& call);
std::vector<NeededPart> needed_parts(const OpDef& op, const OpCall& call, const ir::Box& output);
std::vector<NeededPart> needed_parts(InputBox input_box, const OpCall& call, const ir::Box& output);
std::vector<SplitAxis> split_axes(const OpDef& op, const OpCall& call);
// "ElementWiseAdd", also where ElementWiseBinary says it.
std::string_view type_alone(const OpDef& op, const ir::Params& params);
// The same of any type; one that is no op of ours, as of packages, stands for itself.
std::string_view type_alone(std::string_view type, const ir::Params& params);
// Whether the op does nothing but keep values within bounds.
bool clamps(const OpDef& op, const OpCall& call);
// What OpDef::work says, and the vectors by kind.
Work work_of(const OpDef& op, const OpCall& call, const ir::Box& output);
// For those who know which parts `output` needs.
Work work_of(const OpDef& op, const OpCall& call, const ir::Box& output,
             const std::vector<NeededPart>& parts);
// How many times the device is told to start something for an op: the quantized form of some is several.
uint32_t launches_of(const OpDef& op, const OpCall& call);

// The rows a client may use: the schema's without the refused ones, and ours.
std::vector<const TypeRow*> offered_rows(const OpDef& op);
// Those of them that a client's call fits.
std::vector<const TypeRow*> fitting_rows(const OpDef& op, const OpCall& call);

// Every op that is computed, in the order of op_list.inc.
std::span<const OpDef> all_ops();
const OpDef* find_op(std::string_view type);
// Makes the ops, their schemas and their rows now; the first use would otherwise. For those who start threads
// that may still use them when the process ends.
void make_tables();

// Schema and semantic checks together: what validateOpConfig and addNode answer.
Status validate(std::string_view type, const OpCall& call);

// Ops of packages, of which nobody here knows more, take dense operands alone.
Status check_all_dense(const OpCall& call);
DiagnosticBuilder refuse_sparse(const std::string& operand);  // "input 1"

// The same for an op of a Program, which may come from a hostile file: computed types (half, never float32),
// stored operands (packed weights, biases in accumulator units), and the epilogue. After it, `input_box`,
// `work`, `stored_bytes` and the kernels are safe for every box inside the output.
Status validate_prepared(const OpDef& op, const OpCall& call);

// The bytes that input `index` has in its own layout; 0 when it is absent. For calls that passed
// validate_prepared. Two ops may share a stored tensor only if they agree on this.
uint64_t stored_bytes(const OpDef& op, const OpCall& call, size_t index);

// The first kernel that does not decline; `reasons` receives why the others did.
const Kernel& choose_kernel(const OpDef& op, const OpCall& call, std::vector<std::string>* reasons = nullptr);

// Runs a kernel of an op on one region, with a plan and memory made for it: for those who run an op once.
void run_alone(const OpDef& op, const Kernel& kernel, KernelArgs args, const ir::Box& region);

}  // namespace openqnn::ops
