// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/executions.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/text.h"

namespace openqnn::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Where the backend's thread leaves its answers. One for all slots, because it must outlive each of them.
class Answers {
 public:
  void give(std::optional<Qnn_ErrorHandle_t>& place, Qnn_ErrorHandle_t answer) {
    const std::lock_guard lock(mutex_);
    place = answer;
    given_.notify_one();
  }
  Qnn_ErrorHandle_t wait_for(const std::optional<Qnn_ErrorHandle_t>& place) {
    std::unique_lock lock(mutex_);
    given_.wait(lock, [&] { return place.has_value(); });
    return *place;
  }

 private:
  std::mutex mutex_;
  std::condition_variable given_;
};

// The buffers of one execution that is under way.
struct Slot {
  std::unique_ptr<IoBuffers> inputs;
  std::unique_ptr<IoBuffers> outputs;
  uint64_t execution = 0;
  Answers* answers = nullptr;
  std::optional<Qnn_ErrorHandle_t> answer;
};

// A time limit for executions; none when it was not asked for.
class TimeLimit {
 public:
  explicit TimeLimit(const Client& client) : client_(client) {}
  ~TimeLimit() {
    if (signal_ != nullptr) client_.api().signalFree(signal_);
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  Status set(uint64_t microseconds) {
    QnnSignal_Config_t config = QNN_SIGNAL_CONFIG_INIT;
    config.option = QNN_SIGNAL_CONFIG_OPTION_TIMEOUT;
    config.timeoutDurationUs = microseconds;
    const QnnSignal_Config_t* configs[] = {&config, nullptr};
    return client_.check(client_.api().signalCreate(client_.backend(), configs, &signal_),
                         "QnnSignal_create");
  }
  Qnn_SignalHandle_t handle() const { return signal_; }

 private:
  const Client& client_;
  Qnn_SignalHandle_t signal_ = nullptr;
};

class Runner {
 public:
  Runner(const Client& client, const RunnableGraph& graph, const InputFiles& inputs,
         const OutputFiles& outputs, const ExecutionOptions& options, Profiling& profiling)
      : client_(client),
        graph_(graph),
        inputs_(inputs),
        outputs_(outputs),
        options_(options),
        profiling_(profiling),
        limit_(client) {}

  ~Runner() {
    // The backend writes into the buffers until it has answered.
    for (const std::unique_ptr<Slot>& slot : under_way_) answers_.wait_for(slot->answer);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Result<uint64_t> run() {
    if (options_.timeout_us) OPENQNN_TRY(limit_.set(*options_.timeout_us));
    const Clock::time_point start = Clock::now();
    uint64_t begun = 0;
    for (; goes_on(begun, start); ++begun) {
      keep_pace(begun, start);
      OPENQNN_TRY(begin(begun));
      while (under_way_.size() >= options_.queue) OPENQNN_TRY(end_oldest());
    }
    while (!under_way_.empty()) OPENQNN_TRY(end_oldest());
    return begun;
  }

 private:
  bool goes_on(uint64_t begun, Clock::time_point start) const {
    if (options_.seconds)
      return begun == 0 || std::chrono::duration<double>(Clock::now() - start).count() < *options_.seconds;
    return begun < options_.inferences.value_or(inputs_.executions());
  }

  void keep_pace(uint64_t begun, Clock::time_point start) const {
    if (!options_.per_second) return;
    const std::chrono::duration<double> due(static_cast<double>(begun) / *options_.per_second);
    std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(due));
  }

  Result<std::unique_ptr<Slot>> free_slot() {
    if (!free_.empty()) {
      std::unique_ptr<Slot> slot = std::move(free_.back());
      free_.pop_back();
      slot->answer.reset();
      return slot;
    }
    auto slot = std::make_unique<Slot>();
    slot->answers = &answers_;
    OPENQNN_ASSIGN(slot->inputs, IoBuffers::make(client_, graph_.inputs, options_.batches, options_.shared));
    OPENQNN_ASSIGN(slot->outputs,
                   IoBuffers::make(client_, graph_.outputs, options_.batches, options_.shared));
    return slot;
  }

  Status begin(uint64_t execution) {
    OPENQNN_ASSIGN(std::unique_ptr<Slot> slot, free_slot());
    slot->execution = execution;
    for (size_t i = 0; i < graph_.inputs.size(); ++i)
      OPENQNN_TRY(inputs_.fill(i, execution % inputs_.executions(), slot->inputs->bytes(i)));
    if (options_.queue > 1) return queue(std::move(slot));
    OPENQNN_TRY(execute(*slot));
    return finish(std::move(slot));
  }

  Status execute(Slot& slot) {
    const uint64_t begun = host_microseconds();
    OPENQNN_ASSIGN(const Qnn_ProfileHandle_t profile, profiling_.handle());
    const std::vector<Qnn_Tensor_t>& in = slot.inputs->tensors();
    std::vector<Qnn_Tensor_t>& out = slot.outputs->tensors();
    OPENQNN_TRY(checked(
        client_.api().graphExecute(graph_.handle, in.data(), static_cast<uint32_t>(in.size()), out.data(),
                                   static_cast<uint32_t>(out.size()), profile, limit_.handle()),
        slot));
    return profiling_.record(QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE, graph_.name, begun);
  }

  Status queue(std::unique_ptr<Slot> slot) {
    const auto notify = [](void* given, Qnn_NotifyStatus_t status) {
      Slot& answered = *static_cast<Slot*>(given);
      answered.answers->give(answered.answer, status.error);
    };
    const std::vector<Qnn_Tensor_t>& in = slot->inputs->tensors();
    std::vector<Qnn_Tensor_t>& out = slot->outputs->tensors();
    OPENQNN_TRY(checked(client_.api().graphExecuteAsync(
                            graph_.handle, in.data(), static_cast<uint32_t>(in.size()), out.data(),
                            static_cast<uint32_t>(out.size()), nullptr, nullptr, notify, slot.get()),
                        *slot));
    under_way_.push_back(std::move(slot));
    return {};
  }

  Status end_oldest() {
    std::unique_ptr<Slot> slot = std::move(under_way_.front());
    under_way_.pop_front();
    OPENQNN_TRY(checked(answers_.wait_for(slot->answer), *slot));
    return finish(std::move(slot));
  }

  Status checked(Qnn_ErrorHandle_t code, const Slot& slot) const {
    return client_.check(code, concat("execution ", slot.execution, " of graph '", graph_.name, "'"));
  }

  Status finish(std::unique_ptr<Slot> slot) {
    if (slot->execution < options_.kept)
      for (size_t i = 0; i < graph_.outputs.size(); ++i)
        OPENQNN_TRY(outputs_.write(slot->execution, i, slot->outputs->bytes(i)));
    free_.push_back(std::move(slot));
    return {};
  }

  const Client& client_;
  const RunnableGraph& graph_;
  const InputFiles& inputs_;
  const OutputFiles& outputs_;
  const ExecutionOptions& options_;
  Profiling& profiling_;
  TimeLimit limit_;
  Answers answers_;
  std::vector<std::unique_ptr<Slot>> free_;
  std::deque<std::unique_ptr<Slot>> under_way_;  // the oldest first
};

}  // namespace

Result<uint64_t> execute_all(const Client& client, const RunnableGraph& graph, const InputFiles& inputs,
                             const OutputFiles& outputs, const ExecutionOptions& options,
                             Profiling& profiling) {
  return Runner(client, graph, inputs, outputs, options, profiling).run();
}

}  // namespace openqnn::tools
