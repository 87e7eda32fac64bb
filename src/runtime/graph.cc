// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/graph.h"

#include <algorithm>
#include <chrono>

#include "QnnGraph.h"
#include "QnnTensor.h"
#include "base/text.h"
#include "ops/op.h"
#include "program/context_binary.h"
#include "runtime/environment.h"

namespace openqnn::runtime {
namespace {

// ir::Graph knows no QNN codes; two of its reasons have one of their own.
Qnn_ErrorHandle_t code_of_refused_node(const Diagnostic& reason) {
  if (reason.code == "node-order") return QNN_GRAPH_ERROR_UNCONNECTED_NODE;
  if (reason.code == "node-name-taken") return QNN_GRAPH_ERROR_INVALID_NAME;
  return QNN_GRAPH_ERROR_INVALID_OP_CONFIG;
}

uint64_t client_bytes(const program::Tensor& tensor) {
  return tensor.desc.shape.elements() * ir::byte_size(tensor.client_type);
}

}  // namespace

Status LoadedBinary::verify_once() {
  if (verified_) return {};
  std::call_once(once_, [this] { status_ = program::verify_data(bytes_); });
  return status_;
}

Graph::Graph(std::string name, Logger log, std::shared_ptr<DeviceState> device, prepare::Options options)
    : name_(std::move(name)),
      log_(std::move(log)),
      device_(std::move(device)),
      options_(options),
      composing_(std::make_unique<ir::Graph>(name_)) {}

Graph::Graph(program::ProgramSet set, size_t index, std::shared_ptr<LoadedBinary> binary, Logger log,
             std::shared_ptr<DeviceState> device)
    : name_(set.programs[index]->graph),
      log_(std::move(log)),
      device_(std::move(device)),
      binary_(std::move(binary)) {
  publish(std::move(set), index);
}

void Graph::publish(program::ProgramSet set, size_t index) {
  const program::Program& program = *set.programs[index];
  for (ir::TensorIndex i = 0; i < program.tensors.size(); ++i) {
    const ir::TensorRole role = program.tensors[i].role;
    if (role != ir::TensorRole::kInput && role != ir::TensorRole::kOutput) continue;
    tensor_of_id_[program.tensors[i].id] = i;
    io_.push_back(i);
  }
  set_ = {{set.programs[index]}, set.constants, set.owner};
  owned_executor_ = std::make_unique<exec::Executor>(set_, 0, exec::mode_from_environment(log_), log_);
  published_.store(owned_executor_.get(), std::memory_order_release);
}

prepare::Options Graph::options() const {
  const std::lock_guard lock(mutex_);
  return options_;
}

Outcome<> Graph::set_options(const prepare::Options& options) {
  const std::lock_guard lock(mutex_);
  if (!composing_)
    return ApiError(
        QNN_GRAPH_ERROR_GRAPH_FINALIZED,
        invalid("graph-finalized", "preparation options cannot change after finalize").at(where()));
  options_ = options;
  return {};
}

Outcome<uint32_t> Graph::add_tensor(ir::Tensor tensor) {
  const std::lock_guard lock(mutex_);
  if (!composing_)
    return ApiError(QNN_GRAPH_ERROR_GRAPH_FINALIZED,
                    invalid("graph-finalized", "a finalized graph takes no more tensors").at(where()));
  OPENQNN_ASSIGN_AS(const ir::TensorIndex index, QNN_TENSOR_ERROR_INVALID_TENSOR_PARAM,
                    composing_->add_tensor(std::move(tensor)));
  return index + 1;
}

Outcome<> Graph::add_node(ir::Node node, std::span<const TensorRef> inputs,
                          std::span<const TensorRef> outputs) {
  const std::lock_guard lock(mutex_);
  const std::string node_where = concat(where(), ", node '", node.name, "'");
  if (!composing_)
    return ApiError(QNN_GRAPH_ERROR_GRAPH_FINALIZED,
                    invalid("graph-finalized", "a finalized graph takes no more nodes").at(node_where));
  const auto index_of = [&](const TensorRef& ref) -> Outcome<ir::TensorIndex> {
    if (ref.id == 0 || ref.id > composing_->tensors().size())
      return ApiError(QNN_GRAPH_ERROR_INVALID_TENSOR,
                      invalid("node-tensor", concat("tensor '", ref.name, "' (id ", ref.id,
                                                    ") was not created in this graph"))
                          .at(node_where)
                          .fix_by("create the tensor first and pass on the id it received"));
    return ref.id - 1;
  };
  ops::OpCall call{.node = node.name, .params = &node.params};
  for (const TensorRef& input : inputs) {
    if (input.id == ir::kNoTensor) {
      node.inputs.push_back(ir::kNoTensor);
      call.inputs.push_back(nullptr);
      continue;
    }
    OPENQNN_ASSIGN(const ir::TensorIndex index, index_of(input));
    node.inputs.push_back(index);
    call.inputs.push_back(&composing_->tensors()[index].desc);
  }
  for (const TensorRef& output : outputs) {
    OPENQNN_ASSIGN(const ir::TensorIndex index, index_of(output));
    node.outputs.push_back(index);
    call.outputs.push_back(&composing_->tensors()[index].desc);
  }
  OPENQNN_TRY_AS(QNN_GRAPH_ERROR_INVALID_OP_CONFIG, ops::validate(node.type, call));
  if (Status status = composing_->add_node(std::move(node)); !status) {
    const Qnn_ErrorHandle_t code = code_of_refused_node(status.error());
    return ApiError(code, std::move(status).error());
  }
  return {};
}

Outcome<> Graph::finalize(Profile* profile) {
  const std::lock_guard lock(mutex_);
  if (!composing_)
    return ApiError(QNN_GRAPH_ERROR_GRAPH_FINALIZED,
                    invalid("graph-finalized", "the graph is finalized already").at(where()));
  const auto start = std::chrono::steady_clock::now();
  auto prepared = prepare::prepare(*composing_, device_->target, options_, log_);
  if (!prepared) {
    const bool exhausted = prepared.error().failure == Failure::kExhausted;
    return ApiError(exhausted ? QNN_GRAPH_ERROR_MEM_ALLOC : QNN_GRAPH_ERROR_FINALIZE_FAILED,
                    std::move(prepared).error());
  }
  publish(*std::move(prepared), 0);
  composing_.reset();
  if (profile) {
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - start;
    profile->add(profile::finalize_events({static_cast<uint64_t>(elapsed.count())}, host_times()),
                 host_now());
  }
  return {};
}

Status Graph::check_binding(const Binding& binding, const program::Tensor& tensor) const {
  const std::string at = concat(where(), ", tensor '", tensor.name, "'");
  if (binding.type != ir::DataType::kUndefined && binding.type != tensor.client_type)
    return invalid("execute-type", concat("it is passed as ", ir::name(binding.type),
                                          ", but the graph has it as ", ir::name(tensor.client_type)))
        .at(at);
  if (binding.shape && *binding.shape != tensor.desc.shape)
    return invalid("execute-shape", concat("it is passed with shape ", binding.shape->to_string(),
                                           ", but the graph has it as ", tensor.desc.shape.to_string()))
        .at(at)
        .fix_by("other shapes, larger batches included, need a graph of their own");
  const uint64_t needed = client_bytes(tensor);
  if (!binding.data || binding.bytes < needed)
    return invalid("execute-buffer", concat("the client buffer has ", binding.data ? binding.bytes : 0,
                                            " bytes where the tensor needs ", needed))
        .at(at);
  return {};
}

Outcome<> Graph::bind(std::span<const Binding> bindings, ir::TensorRole role,
                      std::span<std::byte*> buffers) const {
  const std::vector<program::Tensor>& tensors = set_.programs[0]->tensors;
  for (const Binding& binding : bindings) {
    const auto known = tensor_of_id_.find(binding.id);
    if (known == tensor_of_id_.end() || tensors[known->second].role != role) continue;
    OPENQNN_TRY_AS(QNN_GRAPH_ERROR_INVALID_TENSOR, check_binding(binding, tensors[known->second]));
    std::byte*& buffer = buffers[known->second];
    if (buffer)
      return ApiError(
          QNN_GRAPH_ERROR_INVALID_TENSOR,
          invalid("execute-twice", concat("tensor id ", binding.id, " is passed twice")).at(where()));
    buffer = binding.data;
  }
  for (const ir::TensorIndex i : io_)
    if (tensors[i].role == role && !buffers[i])
      return ApiError(QNN_GRAPH_ERROR_INVALID_TENSOR,
                      invalid("execute-missing-tensor", "no buffer was passed for this tensor")
                          .at(concat(where(), ", tensor '", tensors[i].name, "' (id ", tensors[i].id, ")"))
                          .fix_by("pass every input and output of the graph; they are matched by id"));
  return {};
}

Outcome<> Graph::check_apart(std::span<std::byte* const> buffers) const {
  const std::vector<program::Tensor>& tensors = set_.programs[0]->tensors;
  for (const ir::TensorIndex i : io_) {
    if (tensors[i].role != ir::TensorRole::kOutput) continue;
    for (const ir::TensorIndex j : io_) {
      if (i == j) continue;
      const bool apart = buffers[i] + client_bytes(tensors[i]) <= buffers[j] ||
                         buffers[j] + client_bytes(tensors[j]) <= buffers[i];
      if (!apart)
        return ApiError(QNN_GRAPH_ERROR_INVALID_TENSOR,
                        invalid("execute-overlap", concat("the client buffers of output '", tensors[i].name,
                                                          "' and of '", tensors[j].name, "' overlap"))
                            .at(where())
                            .fix_by("give every output memory of its own"));
    }
  }
  return {};
}

Outcome<> Graph::execute(std::span<const Binding> inputs, std::span<const Binding> outputs,
                         Profile* profile) {
  exec::Executor* executor = this->executor();
  if (!executor)
    return ApiError(QNN_GRAPH_ERROR_GRAPH_NOT_FINALIZED,
                    invalid("graph-not-finalized", "the graph was not finalized")
                        .at(where())
                        .fix_by("finalize it first"));
  OPENQNN_TRY_AS(QNN_GRAPH_ERROR_GENERAL, verify_constants());
  std::vector<std::byte*> buffers(executor->program().tensors.size(), nullptr);
  OPENQNN_TRY(bind(inputs, ir::TensorRole::kInput, buffers));
  OPENQNN_TRY(bind(outputs, ir::TensorRole::kOutput, buffers));
  OPENQNN_TRY(check_apart(buffers));
  executor->run(buffers);
  if (profile) {
    const sim::Timeline& modelled = timeline();
    const Nanos start = device_->clock.advance(modelled.client);
    profile->add(profile::execute_events(executor->program(), modelled, profile->level()), start);
  }
  return {};
}

const sim::Timeline& Graph::timeline() {
  const std::lock_guard lock(mutex_);
  if (!timeline_) {
    const soc::Target& target = device_->target;
    timeline_ = std::make_unique<const sim::Timeline>(
        sim::simulate(set_.programs[0]->schedule, target, sim::PowerState::of(target)));
    simulations_.fetch_add(1, std::memory_order_relaxed);
  }
  return *timeline_;
}

}  // namespace openqnn::runtime
