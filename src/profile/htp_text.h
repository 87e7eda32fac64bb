// SPDX-License-Identifier: BSD-3-Clause
// The text of libQnnHtpProfilingReader.so: every execution of a log, then their average, in the layout of the
// linting reports that the backend's public page prints.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profile/event_tallies.h"
#include "profile/events.h"

namespace openqnn::profile {

// Takes text piece by piece.
using Print = std::function<Status(std::string_view)>;

// One block, e.g. of "Execute Stats (Average):". The order of events in the log does not show: ops are in the
// order of their numbers between Input and Output; names of background ops keep their order, and are the
// first ten, and none under OpId_0 and Output.
std::string execution_text(std::string_view title, uint64_t netrun_us, std::vector<EventNode> events);

// The block of one simulated execution, as the linting level has it. `cost`: what the power state added.
std::string linting_text(const program::Program& program, const sim::Timeline& timeline,
                         const sim::ExecuteCost& cost = {});

// How long a run took as its client sees it: the simulated time of the executions in a record; of one without
// any, what the client measured.
uint64_t netrun_microseconds(const LogRecord& record);

// Whether a record is of an execution (QnnSystemProfile_MethodType_t).
bool is_execution(const LogRecord& record);

// Whether it has times of the modelled device. An execution has none where the client alone was profiled, or
// where all ops are of op packages: what it took was measured on the host.
bool is_simulated(const LogRecord& record);

// Whose times the executions of a log are, as they come.
class ExecutionClocks {
 public:
  void add(const LogRecord& record);
  // A line for people about the executions so far, without a newline.
  std::string_view text() const;

 private:
  bool any_simulated_ = false;
  bool any_measured_ = false;
};

class HtpText : public LogVisitor {
 public:
  // `runs`: whether each execution is printed, or the average alone.
  enum class Runs : uint8_t { kEach, kAverageAlone };
  HtpText(Print print, Runs runs) : print_(std::move(print)), runs_(runs) {}

  Status on_session(size_t session, const LogHead& head) override;
  Status on_record(size_t session, LogRecord record) override;
  Status on_left_out(size_t session, uint64_t count) override;
  // What the executions have in common; to be called once, at the end.
  Status finish();

 private:
  struct Graph {
    std::string name;
    Tally netrun;
    EventTallies events;
  };
  Graph& graph_named(const std::string& name);

  Print print_;
  Runs runs_;
  std::vector<Graph> graphs_;  // in the order of their first execution
  std::map<std::string, size_t> number_of_;
};

}  // namespace openqnn::profile
