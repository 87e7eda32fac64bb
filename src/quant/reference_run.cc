// SPDX-License-Identifier: BSD-3-Clause
#include "quant/reference_run.h"

#include <algorithm>

#include "base/half.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "ops/elements.h"
#include "ops/share.h"
#include "quant/encoding.h"

namespace openqnn::quant {
namespace {

std::vector<std::byte> to_halves(std::span<const std::byte> floats) {
  std::vector<std::byte> halves(floats.size() / sizeof(float) * sizeof(Half));
  floats_to_halves(floats.data(), halves.data(), floats.size() / sizeof(float));
  return halves;
}

}  // namespace

ReferenceRun::ReferenceRun(const ir::Graph& graph, FloatsAs floats)
    : graph_(graph), constants_(graph.tensors().size()), values_(graph.tensors().size()) {
  for (size_t i = 0; i < graph.tensors().size(); ++i) {
    const ir::Tensor& tensor = graph.tensors()[i];
    descs_.push_back(tensor.desc);
    if (floats == FloatsAs::kSingle || tensor.desc.type != ir::DataType::kFloat32) continue;
    descs_.back().type = ir::DataType::kFloat16;
    if (tensor.data) constants_[i] = to_halves(tensor.data.bytes());
  }
  for (const ir::Node& node : graph.nodes()) {
    if (ops::find_op(node.type) == nullptr) {
      unknown_ = &node;
      return;
    }
    add_step(node);
  }
  find_last_uses();
}

void ReferenceRun::add_step(const ir::Node& node) {
  Step step;
  step.def = ops::find_op(node.type);
  step.call = ops::call_with(
      node, [&](ir::TensorIndex tensor) -> auto& { return descs_[tensor]; });
  step.pieces =
      ops::pieces_of(*step.def, step.def->kernels.back(), step.call, ThreadPool::shared().threads());
  if (step.def->state_bytes != nullptr) step.state.resize(step.def->state_bytes(step.call));
  steps_.push_back(std::move(step));
}

void ReferenceRun::find_last_uses() {
  std::vector<size_t> last(graph_.tensors().size(), 0);
  for (size_t n = 0; n < graph_.nodes().size(); ++n)
    for (const auto* operands : {&graph_.nodes()[n].inputs, &graph_.nodes()[n].outputs})
      for (const ir::TensorIndex tensor : *operands)
        if (tensor != ir::kNoTensor) last[tensor] = n;
  for (ir::TensorIndex i = 0; i < last.size(); ++i)
    if (graph_.tensors()[i].role != ir::TensorRole::kStatic && !steps_.empty())
      steps_[last[i]].last_uses.push_back(i);
}

Status ReferenceRun::take_inputs(const Inputs& inputs, const Observer& observe) {
  for (ir::TensorIndex i = 0; i < graph_.tensors().size(); ++i) {
    const ir::Tensor& tensor = graph_.tensors()[i];
    if (tensor.role != ir::TensorRole::kInput) continue;
    const auto found = inputs.find(i);
    if (found == inputs.end()) return invalid("run-input", concat("input '", tensor.name, "' has no values"));
    if (const uint64_t needs = ir::plain_bytes(tensor.desc); found->second.size() != needs) {
      return invalid("run-input", concat("input '", tensor.name, "' has ", found->second.size(),
                                         " bytes of values where ", needs, " are needed"));
    }
    values_[i] = desc(i).type == tensor.desc.type
                     ? std::vector<std::byte>(found->second.begin(), found->second.end())
                     : to_halves(found->second);
    observe(i, values_[i]);
  }
  return {};
}

void ReferenceRun::run_step(size_t index) {
  Step& step = steps_[index];
  const ir::Node& node = graph_.nodes()[index];
  std::vector<const std::byte*> inputs;
  std::vector<std::byte*> outputs;
  for (const ir::TensorIndex input : node.inputs) {
    if (input == ir::kNoTensor)
      inputs.push_back(nullptr);
    else if (!constants_[input].empty())
      inputs.push_back(constants_[input].data());
    else
      inputs.push_back(graph_.tensors()[input].data ? graph_.tensors()[input].data.data()
                                                    : values_[input].data());
  }
  for (const ir::TensorIndex output : node.outputs) {
    if (output == ir::kNoTensor) {
      outputs.push_back(nullptr);
      continue;
    }
    values_[output].assign(ir::plain_bytes(descs_[output]), std::byte{0});
    outputs.push_back(values_[output].data());
  }
  const ops::KernelArgs args{.call = step.call, .inputs = inputs, .outputs = outputs, .state = step.state};
  const ops::KernelFn kernel = step.def->kernels.back().run;
  ThreadPool::shared().parallel_for(step.pieces.size(), [&](size_t i) { kernel(args, step.pieces[i]); });
}

Status ReferenceRun::run(const Inputs& inputs, const Observer& observe) {
  if (unknown_ != nullptr)
    return unsupported("run-op", concat("nothing here computes ops of type '", unknown_->type, "'"))
        .at(concat("node '", unknown_->name, "'"));
  OPENQNN_TRY(take_inputs(inputs, observe));
  for (size_t i = 0; i < steps_.size(); ++i) {
    run_step(i);
    for (const ir::TensorIndex output : graph_.nodes()[i].outputs)
      if (output != ir::kNoTensor) observe(output, values_[output]);
    for (const ir::TensorIndex tensor : steps_[i].last_uses) values_[tensor] = {};
  }
  return {};
}

Result<StoredInputs> stored_inputs(const Inputs& inputs, const ir::Graph& from, const ir::Graph& to) {
  StoredInputs made;
  for (const auto& [index, values] : inputs) {
    const ir::Tensor& given = from.tensors()[index];
    const auto found = std::ranges::find(to.tensors(), given.name, &ir::Tensor::name);
    if (found == to.tensors().end())
      return internal("run-input", concat("no input '", given.name, "' takes the values"));
    const bool is_other_real =
        given.desc.type == ir::DataType::kFloat32 && found->desc.type != given.desc.type;
    std::vector<std::byte>& own = made[static_cast<ir::TensorIndex>(found - to.tensors().begin())];
    if (is_other_real)
      own =
          stored(found->desc, {reinterpret_cast<const float*>(values.data()), values.size() / sizeof(float)});
    else
      own.assign(values.begin(), values.end());
  }
  return made;
}

std::vector<float> reals_of(const ir::TensorDesc& desc, std::span<const std::byte> values) {
  const ops::ElementReader read(desc, values.data());
  std::vector<float> reals(values.size() / ir::byte_size(desc.type));
  for (uint64_t i = 0; i < reals.size(); ++i) reals[i] = static_cast<float>(read(i));
  return reals;
}

}  // namespace openqnn::quant
