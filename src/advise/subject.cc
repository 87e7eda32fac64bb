// SPDX-License-Identifier: BSD-3-Clause
#include "advise/subject.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ops/op.h"
#include "profile/figures.h"
#include "profile/text_table.h"

namespace openqnn::advise {
namespace {

bool is_among(std::string_view type, std::span<const std::string_view> types) {
  return std::ranges::find(types, type) != types.end();
}

// Below it nothing that a model does is seen in its time (ours).
constexpr double kLeastWork = 0.02;

// The part of the time in which the rate of a unit or the bytes of DDR decide.
double work_share(const sim::Timeline& timeline) {
  if (timeline.total.value == 0) return 0;
  const profile::BoundCycles cycles = profile::bound_cycles(timeline);
  Cycles work;
  for (const sim::Bound bound : {sim::Bound::kHmx, sim::Bound::kHvx, sim::Bound::kDdr})
    work += cycles[static_cast<size_t>(bound)];
  return static_cast<double>(work.value) / static_cast<double>(timeline.total.value);
}

}  // namespace

std::string percent(double share) {
  constexpr double kWhole = 1e6;
  return profile::percent_text(static_cast<uint64_t>(std::llround(std::max(share, 0.0) * kWhole)),
                               static_cast<uint64_t>(kWhole));
}

std::string micros(double us) {
  const auto tenths = static_cast<uint64_t>(std::llround(std::max(us, 0.0) * 10));
  return concat(tenths / 10, ".", tenths % 10);
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return concat(count, " ", count == 1 ? one : many);
}

Subject::Subject(const Given& given)
    : given_(given),
      totals_(profile::op_totals(given.timed.program(), given.timed.timeline)),
      is_all_overhead_(work_share(given.timed.timeline) < kLeastWork),
      readers_(program().tensors.size()),
      producers_(program().tensors.size()) {
  for (size_t i = 0; i < op_count(); ++i) {
    for (const ir::TensorIndex tensor : op(i).inputs)
      if (tensor != ir::kNoTensor) readers_[tensor].push_back(i);
    for (const ir::TensorIndex tensor : op(i).outputs)
      if (tensor != ir::kNoTensor) producers_[tensor] = i;
  }
}

double Subject::accelerator_us() const { return in_micros(timeline().accelerator); }
double Subject::client_us() const { return in_micros(timeline().client); }

double Subject::share(size_t index) const { return is_all_overhead_ ? 0 : part_of_cycles(index); }

double Subject::part_of_cycles(size_t index) const {
  const auto total = static_cast<double>(timeline().total.value);
  return total > 0 ? static_cast<double>(totals_[index].dominant.value) / total : 0;
}

double Subject::share(const std::vector<size_t>& ops) const {
  double sum = 0;
  for (const size_t index : ops) sum += share(index);
  return sum;
}

bool Subject::has_input(size_t op, size_t input) const {
  const std::vector<ir::TensorIndex>& inputs = this->op(op).inputs;
  return input < inputs.size() && inputs[input] != ir::kNoTensor;
}

const program::Tensor& Subject::input(size_t op, size_t input) const {
  return program().tensors[this->op(op).inputs[input]];
}

const program::Tensor& Subject::output(size_t op) const { return program().tensors[this->op(op).outputs[0]]; }

std::vector<size_t> Subject::readers(ir::TensorIndex tensor) const { return readers_[tensor]; }
std::optional<size_t> Subject::producer(ir::TensorIndex tensor) const { return producers_[tensor]; }

OpEvidence Subject::evidence(size_t index) const {
  OpEvidence made{.op = op(index).name, .type = op(index).type, .nodes = {}, .share = part_of_cycles(index)};
  for (const uint32_t node : op(index).source_nodes) {
    const std::string& name = program().source_nodes[node];
    const auto traced = given_.traceback.find(name);
    const std::vector<std::string> sources =
        traced == given_.traceback.end() || traced->second.empty() ? std::vector{name} : traced->second;
    for (const std::string& source : sources)
      if (std::ranges::find(made.nodes, source) == made.nodes.end()) made.nodes.push_back(source);
  }
  return made;
}

std::vector<uint32_t> Subject::nodes_of(const std::vector<size_t>& ops) const {
  std::vector<uint32_t> nodes;
  for (const size_t index : ops)
    nodes.insert(nodes.end(), op(index).source_nodes.begin(), op(index).source_nodes.end());
  std::ranges::sort(nodes);
  return nodes;
}

bool is_divide(std::string_view type, const ir::Params& params) {
  return ops::type_alone(type, params) == "ElementWiseDivide";
}

bool is_subtract(std::string_view type, const ir::Params& params) {
  return ops::type_alone(type, params) == "ElementWiseSubtract";
}

bool is_plain_relu(std::string_view type, const ir::Params& params) {
  return ops::type_alone(type, params) == "Relu";
}

bool has_weights(std::string_view type) {
  constexpr std::array<std::string_view, 10> kTypes = {
      "Conv2d", "DepthWiseConv2d", "TransposeConv2d", "Conv3d",         "TransposeConv3d",
      "Conv1d", "DepthWiseConv1d", "TransposeConv1d", "FullyConnected", "MatMul"};
  return is_among(type, kTypes);
}

bool is_mover(std::string_view type) {
  constexpr std::array<std::string_view, 15> kTypes = {
      "Reshape",      "ExpandDims",   "Squeeze",      "Transpose",    "Tile",
      "Concat",       "Pack",         "Split",        "UnPack",       "StridedSlice",
      "DepthToSpace", "SpaceToDepth", "BatchToSpace", "SpaceToBatch", "ChannelShuffle"};
  return is_among(type, kTypes);
}

}  // namespace openqnn::advise
