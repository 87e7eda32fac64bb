// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/executions.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/text.h"
#include "tools/console.h"
#include "tools/interrupt.h"

namespace openqnn::tools {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

namespace {

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
  std::optional<uint64_t> holds;  // the number of the values that its inputs have
  uint64_t begun_us = 0;
  uint64_t ended_us = 0;
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

bool is_ended(const ExecutionOptions& options) { return options.interruptible && interrupted(); }

// How long those that are queued will take, as far as the finished ones tell.
double seconds_of_queue(const Executions& executions, double elapsed) {
  const uint64_t done = executions.times().count;
  if (done == 0) return 0;
  return elapsed / static_cast<double>(done) * static_cast<double>(executions.under_way());
}

bool goes_on(const ExecutionOptions& options, size_t in_list, uint64_t begun, const Executions& executions,
             Clock::time_point start) {
  if (is_ended(options)) return false;
  if (!options.seconds) return begun < options.inferences.value_or(in_list);
  const double elapsed = seconds_since(start);
  return begun == 0 || elapsed + seconds_of_queue(executions, elapsed) < *options.seconds;
}

// In naps, so that a signal is heard.
void keep_pace(const ExecutionOptions& options, uint64_t begun, Clock::time_point start) {
  constexpr double kLongestNap = 0.02;
  if (!options.per_second) return;
  const double due = static_cast<double>(begun) / *options.per_second;
  for (double left = due - seconds_since(start); left > 0 && !is_ended(options);
       left = due - seconds_since(start))
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kLongestNap)));
}

// 0 where only time tells the end.
uint64_t planned(const ExecutionOptions& options, size_t in_list) {
  return options.seconds ? 0 : options.inferences.value_or(in_list);
}

}  // namespace

void ExecutionTimes::add(uint64_t microseconds) {
  ++count;
  total_us += microseconds;
  shortest_us = std::min(shortest_us, microseconds);
  longest_us = std::max(longest_us, microseconds);
}

void ExecutionTimes::add_all(const ExecutionTimes& more) {
  count += more.count;
  total_us += more.total_us;
  shortest_us = std::min(shortest_us, more.shortest_us);
  longest_us = std::max(longest_us, more.longest_us);
}

class Executions::Runner {
 public:
  Runner(const Client& client, const RunnableGraph& graph, const InputSource& inputs, OutputSink& outputs,
         const ExecutionOptions& options, Profiling* profiling)
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

  Status begin(uint64_t execution) {
    if (options_.timeout_us && limit_.handle() == nullptr) OPENQNN_TRY(limit_.set(*options_.timeout_us));
    OPENQNN_ASSIGN(std::unique_ptr<Slot> slot, free_slot());
    slot->execution = execution;
    OPENQNN_TRY(fill(*slot));
    slot->begun_us = host_microseconds();
    if (options_.power != nullptr) OPENQNN_TRY(options_.power->begin_stage());
    if (options_.queue <= 1) {
      OPENQNN_TRY(execute(*slot));
      if (options_.power != nullptr) OPENQNN_TRY(options_.power->end_stage());
      return finish(std::move(slot));
    }
    OPENQNN_TRY(queue(std::move(slot)));
    while (under_way_.size() >= options_.queue) OPENQNN_TRY(end_oldest());
    return {};
  }

  Status end_all() {
    while (!under_way_.empty()) OPENQNN_TRY(end_oldest());
    // Those that overlap are one stage.
    return options_.power != nullptr ? options_.power->end_stage() : Status();
  }

  const ExecutionTimes& times() const { return times_; }
  uint64_t under_way() const { return under_way_.size(); }

 private:
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

  // Those of a short list stay in the buffers of before.
  Status fill(Slot& slot) {
    const uint64_t index = slot.execution % inputs_.executions();
    if (slot.holds == index && !options_.rereads_inputs) return {};
    slot.holds.reset();
    for (size_t i = 0; i < graph_.inputs.size(); ++i)
      OPENQNN_TRY(inputs_.fill(i, index, slot.inputs->bytes(i)));
    slot.holds = index;
    return {};
  }

  Status execute(Slot& slot) {
    Qnn_ProfileHandle_t profile = nullptr;
    if (profiling_ != nullptr) {
      OPENQNN_ASSIGN(profile, profiling_->handle());
    }
    const std::vector<Qnn_Tensor_t>& in = slot.inputs->tensors();
    std::vector<Qnn_Tensor_t>& out = slot.outputs->tensors();
    OPENQNN_TRY(checked(
        client_.api().graphExecute(graph_.handle, in.data(), static_cast<uint32_t>(in.size()), out.data(),
                                   static_cast<uint32_t>(out.size()), profile, limit_.handle()),
        slot));
    slot.ended_us = host_microseconds();
    if (profiling_ == nullptr) return {};
    return profiling_->record(QNN_SYSTEM_PROFILE_METHOD_TYPE_BACKEND_EXECUTE, graph_.name, slot.begun_us);
  }

  Status queue(std::unique_ptr<Slot> slot) {
    const auto notify = [](void* given, Qnn_NotifyStatus_t status) {
      Slot& answered = *static_cast<Slot*>(given);
      answered.ended_us = host_microseconds();
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
    times_.add(slot->ended_us - slot->begun_us);
    if (slot->execution < options_.kept)
      for (size_t i = 0; i < graph_.outputs.size(); ++i)
        OPENQNN_TRY(outputs_.take(slot->execution, i, slot->outputs->bytes(i)));
    free_.push_back(std::move(slot));
    return {};
  }

  const Client& client_;
  const RunnableGraph& graph_;
  const InputSource& inputs_;
  OutputSink& outputs_;
  const ExecutionOptions& options_;
  Profiling* profiling_;  // null: nothing is profiled
  TimeLimit limit_;
  Answers answers_;
  std::vector<std::unique_ptr<Slot>> free_;
  std::deque<std::unique_ptr<Slot>> under_way_;  // the oldest first
  ExecutionTimes times_;
};

Executions::Executions(const Client& client, const RunnableGraph& graph, const InputSource& inputs,
                       OutputSink& outputs, const ExecutionOptions& options, Profiling* profiling)
    : runner_(std::make_unique<Runner>(client, graph, inputs, outputs, options, profiling)) {}

Executions::~Executions() = default;
Status Executions::begin(uint64_t execution) { return runner_->begin(execution); }
Status Executions::end_all() { return runner_->end_all(); }
const ExecutionTimes& Executions::times() const { return runner_->times(); }
uint64_t Executions::under_way() const { return runner_->under_way(); }

Result<uint64_t> execute_all(const Client& client, const RunnableGraph& graph, const InputSource& inputs,
                             OutputSink& outputs, const ExecutionOptions& options, Profiling& profiling) {
  Executions executions(client, graph, inputs, outputs, options, &profiling);
  Progress progress(concat("execute '", shown(graph.name), "'"), planned(options, inputs.executions()));
  const Clock::time_point start = Clock::now();
  uint64_t begun = 0;
  while (goes_on(options, inputs.executions(), begun, executions, start)) {
    keep_pace(options, begun, start);
    if (begun > 0 && is_ended(options)) break;
    // Without a profile the device's clock stands still, and there is nothing to pace.
    if (options.power != nullptr && options.per_second && profiling.on())
      OPENQNN_TRY(options.power->idle_until(static_cast<double>(begun) / *options.per_second));
    OPENQNN_TRY(executions.begin(begun));
    ++begun;
    progress.step();
  }
  OPENQNN_TRY(executions.end_all());
  return begun;
}

}  // namespace openqnn::tools
