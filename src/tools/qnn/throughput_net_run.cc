// SPDX-License-Identifier: BSD-3-Clause
// qnn-throughput-net-run: several models at the same time, each on a thread of its own.
#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <system_error>
#include <thread>

#include "base/files.h"
#include "base/text.h"
#include "json/json.h"
#include "tools/console.h"
#include "tools/interrupt.h"
#include "tools/products.h"
#include "tools/program_options.h"
#include "tools/qnn/throughput_plan.h"
#include "tools/qnn/throughput_thread.h"
#include "tools/qnn/tool.h"

namespace openqnn::tools {
namespace {

using Threads = std::vector<std::unique_ptr<ThroughputThread>>;

struct Outcome {
  uint64_t iterations = 0;
  uint64_t total_us = 0;
  std::vector<ThreadResults> threads;

  uint64_t inferences() const {
    uint64_t count = 0;
    for (const ThreadResults& thread : threads) count += thread.executions.count;
    return count;
  }
  double per_second() const {
    return total_us == 0 ? 0 : static_cast<double>(inferences()) * 1e6 / static_cast<double>(total_us);
  }
};

double average(const ExecutionTimes& times) {
  return times.count == 0 ? 0 : static_cast<double>(times.total_us) / static_cast<double>(times.count);
}
uint64_t shortest(const ExecutionTimes& times) { return times.count == 0 ? 0 : times.shortest_us; }

// ---- Running ----

Status run_guarded(ThroughputThread& thread) {
  try {
    return thread.run(interrupted());
  } catch (const std::bad_alloc&) {
    return system_failure("throughput-memory", "there is not enough memory for its inputs and outputs");
  } catch (const std::exception& error) {
    return internal("throughput-thread", error.what());
  }
}

// All threads at once. When one fails the others end after the execution that is under way.
Status run_iteration(const Threads& threads) {
  std::atomic<bool> failed = false;
  std::vector<Status> answers(threads.size());
  const auto run_one = [&](size_t i) {
    answers[i] = run_guarded(*threads[i]);
    if (answers[i]) return;
    failed = true;
    interrupted() = true;
  };
  {
    std::vector<std::jthread> running;  // joined at the end of the block
    try {
      for (size_t i = 0; i < threads.size(); ++i) running.emplace_back(run_one, i);
    } catch (const std::system_error& error) {
      interrupted() = true;  // those that run end after their execution
      return system_failure("throughput-threads", concat("the system starts ", running.size(), " of ",
                                                         threads.size(), " threads: ", error.what()))
          .fix_by("plan fewer threads, or raise the limit of processes");
    }
  }
  if (!failed) return {};
  for (size_t i = 0; i < threads.size(); ++i) {
    if (answers[i]) continue;
    Diagnostic why = answers[i].error();
    why.message = concat("thread '", threads[i]->plan().name, "': ", why.message);
    return why;
  }
  return {};
}

Result<Outcome> run_all(const ThroughputPlan& plan, const Threads& threads) {
  Outcome outcome;
  const uint64_t begun = host_microseconds();
  while (!interrupted() &&
         (plan.iterations < 0 || static_cast<int64_t>(outcome.iterations) < plan.iterations)) {
    OPENQNN_TRY(run_iteration(threads));
    ++outcome.iterations;
  }
  outcome.total_us = host_microseconds() - begun;
  for (const auto& thread : threads) {
    OPENQNN_ASSIGN(outcome.threads.emplace_back(), thread->finish());
  }
  return outcome;
}

// ---- Telling ----

void print_outcome(const Threads& threads, const Outcome& outcome) {
  print(concat("TotalTime: ", outcome.total_us, " us\n"));
  for (size_t i = 0; i < threads.size(); ++i) {
    const ExecutionTimes& times = outcome.threads[i].executions;
    print(concat(shown(threads[i]->plan().name), ":graphExecute: ", times.count, " executions, average ",
                 fixed(average(times), 1), " us, shortest ", shortest(times), " us, longest ",
                 times.longest_us, " us\n"));
    for (const auto& entry : outcome.threads[i].judgements)
      print(concat(shown(threads[i]->plan().name), ":", shown(entry.first), ": ", entry.second.compared,
                   " outputs compared with the first, largest mean square error ", entry.second.worst, "\n"));
  }
  print(concat("inferences per second: ", fixed(outcome.per_second(), 1), "\n"));
}

json::Value number(uint64_t value) { return json::Value::of(static_cast<int64_t>(value)); }

void set(json::Object& object, std::string_view key, json::Value value) {
  json::Member member;
  member.key = json::Text(key);
  member.value = std::move(value);
  object.push_back(std::move(member));
}

json::Value thread_json(const PlannedThread& plan, const ThreadResults& results) {
  const ExecutionTimes& times = results.executions;
  json::Object executions;
  set(executions, "count", number(times.count));
  set(executions, "totalUs", number(times.total_us));
  set(executions, "averageUs", json::Value::of(average(times)));
  set(executions, "shortestUs", number(shortest(times)));
  set(executions, "longestUs", number(times.longest_us));
  json::Array errors;
  for (const auto& judged : results.judgements) {
    json::Object entry;
    set(entry, "graphName", json::Value::of(judged.first));
    set(entry, "outputsCompared", number(judged.second.compared));
    set(entry, "largestMse", json::Value::of(judged.second.worst));
    errors.push_back(json::Value::of(std::move(entry)));
  }
  json::Object thread;
  set(thread, "threadName", json::Value::of(plan.name));
  set(thread, "backend", json::Value::of(plan.backend->name));
  set(thread, "context", json::Value::of(plan.context->name));
  set(thread, "model", json::Value::of(plan.model->name));
  set(thread, "modelInitializations", number(results.models_made));
  set(thread, "graphExecute", json::Value::of(std::move(executions)));
  set(thread, "postProcessor", json::Value::of(std::move(errors)));
  return json::Value::of(std::move(thread));
}

Status write_outcome(const std::string& path, const Threads& threads, const Outcome& outcome) {
  json::Array entries;
  for (size_t i = 0; i < threads.size(); ++i)
    entries.push_back(thread_json(threads[i]->plan(), outcome.threads[i]));
  json::Object root;
  set(root, "iterations", number(outcome.iterations));
  set(root, "totalTimeUs", number(outcome.total_us));
  set(root, "inferences", number(outcome.inferences()));
  set(root, "inferencesPerSecond", json::Value::of(outcome.per_second()));
  set(root, "threads", json::Value::of(std::move(entries)));
  const std::string_view verb = written_verb(path);
  OPENQNN_TRY(write_file(path, json::write(json::Value::of(std::move(root))) + "\n"));
  log_info(concat(verb, " ", path));
  return {};
}

// ---- The program ----

// All that the test is made from.
std::vector<std::string> files_of(const std::string& config, const ThroughputPlan& plan) {
  std::vector<std::string> files = {config};
  for (const PlannedModel& model : plan.models) {
    files.push_back(model.path);
    files.insert(files.end(), model.input_lists.begin(), model.input_lists.end());
    for (std::string& input : files_of_lists(model.input_lists)) files.push_back(std::move(input));
  }
  for (const PlannedThread& thread : plan.threads) files.push_back(thread.backend_config);
  return files;
}

Status run(const Args& args) {
  if (!args.has("--config"))
    return invalid("option-missing", "--config is required")
        .fix_by("`openqnn new --kind throughput` writes a file to start from");
  ThroughputPlan plan;
  OPENQNN_TRY(read_throughput_plan(args.get("--config"), log_finding, plan));
  if (args.has("--output")) {
    OPENQNN_TRY(check_output_file(args.get("--output")));
    OPENQNN_TRY(refuse_own_input(args.get("--output"), files_of(args.get("--config"), plan)));
  }
  OPENQNN_ASSIGN(auto level, log_level_of(args));
  if (!level && plan.log_level) {
    level = plan.log_level;
    set_log_level(*level);
  }
  catch_interrupts();
  Threads threads;
  for (const PlannedThread& planned : plan.threads) {
    OPENQNN_ASSIGN(threads.emplace_back(), ThroughputThread::open(planned, level, log_finding));
  }
  OPENQNN_ASSIGN(const Outcome outcome, run_all(plan, threads));
  print_outcome(threads, outcome);
  if (!args.has("--output")) return {};
  return write_outcome(args.get("--output"), threads, outcome);
}

}  // namespace

Program this_program() {
  return {.spec = {.name = "qnn-throughput-net-run",
                   .summary = "Execute several models at the same time and measure them",
                   .details = R"(
The file has backends, models, contexts and a testCase whose threads combine them;
`openqnn schema throughput` tells every key. SIGINT ends a test with its results.)",
                   .options = {{"--config", "FILE", "what is run, JSON (required)"},
                               {"--output", "FILE", "where the results go, JSON"}},
                   .examples = {"qnn-throughput-net-run --config test.json --output results.json"},
                   .usage = "qnn-throughput-net-run --config FILE [--output FILE] [OPTION]..."},
          .run = run,
          .ends_by_signal = true};
}

}  // namespace openqnn::tools
