// SPDX-License-Identifier: BSD-3-Clause
// Finalizing and executing: now or later, with signals, profiles, batches and any kind of memory.
#include "api/fuzz/steps.h"

namespace openqnn::api::fuzz {
namespace {

// Whether clients may let executes overlap in one registered buffer: a race of their own making.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kMayRaceInMemory = false;
#else
constexpr bool kMayRaceInMemory = true;
#endif
#else
constexpr bool kMayRaceInMemory = true;
#endif

void* profile_or_null(Session& session) {
  return session.profiles.empty() ? nullptr : session.pick_or_null(session.profiles);
}
void* signal_or_null(Session& session) {
  return session.signals.empty() || session.dice.one_in(2) ? nullptr : session.pick(session.signals);
}

void give_buffer(Session& session, Call& call, const OwnTensor& own, uint32_t batches, Qnn_Tensor_t& tensor) {
  if (kMayRaceInMemory && !session.memories.empty() && session.dice.one_in(4)) {
    tensor.v1.memType = QNN_TENSORMEMTYPE_MEMHANDLE;
    tensor.v1.memHandle = session.pick(session.memories);
    return;
  }
  std::vector<std::byte>& buffer = call.buffers.emplace_back(own.bytes() * batches);
  session.dice.fill(std::span(buffer).first(std::min<size_t>(buffer.size(), 8)));
  if (session.dice.one_in(64) && !buffer.empty()) buffer.pop_back();
  tensor.v1.memType = QNN_TENSORMEMTYPE_RAW;
  tensor.v1.clientBuf = {buffer.data(), static_cast<uint32_t>(buffer.size())};
}

std::unique_ptr<Call> make_call(Session& session, const OwnGraph& graph) {
  Dice& dice = session.dice;
  auto call = std::make_unique<Call>();
  const uint32_t batches = dice.one_in(4) ? 1 + dice.below(3) : 1;
  for (const auto& own : graph.tensors) {
    if (!own->is_input() && !own->is_output()) continue;
    if (dice.one_in(32)) continue;
    Qnn_Tensor_t tensor = own->tensor;
    if (batches > 1 && !own->dims.empty()) {
      std::vector<uint32_t>& dims = call->dims.emplace_back(own->dims);
      dims[0] *= batches;
      tensor.v1.dimensions = dims.data();
    }
    give_buffer(session, *call, *own, batches, tensor);
    (own->is_input() ? call->inputs : call->outputs).push_back(tensor);
    call->tensors.push_back(own);
  }
  return call;
}

uint32_t count(const std::vector<Qnn_Tensor_t>& tensors) { return static_cast<uint32_t>(tensors.size()); }

}  // namespace

void finalize(Session& session) {
  const OwnGraph* graph = session.graph();
  if (!graph) return;
  QnnGraph_finalize(graph->handle, profile_or_null(session),
                    session.dice.one_in(8) ? signal_or_null(session) : nullptr);
}

void execute(Session& session) {
  const OwnGraph* graph = session.graph();
  if (!graph) return;
  const auto call = make_call(session, *graph);
  QnnGraph_execute(graph->handle, call->inputs.data(), count(call->inputs), call->outputs.data(),
                   count(call->outputs), profile_or_null(session), signal_or_null(session));
}

void execute_async(Session& session) {
  const OwnGraph* graph = session.graph();
  if (!graph) return;
  auto made = make_call(session, *graph);
  Call& call = *made;
  void* profile = profile_or_null(session);
  void* signal = signal_or_null(session);
  void* pending = session.async.begin(std::move(made));
  if (QnnGraph_executeAsync(graph->handle, call.inputs.data(), count(call.inputs), call.outputs.data(),
                            count(call.outputs), profile, signal, AsyncCalls::notify, pending) != QNN_SUCCESS)
    session.async.refuse(pending);
  if (session.dice.one_in(4)) session.async.wait_for_all();
}

}  // namespace openqnn::api::fuzz
