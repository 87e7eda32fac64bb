// SPDX-License-Identifier: BSD-3-Clause
// What qnn-profile-viewer and its readers make of a log: texts for people, and tables for programs, which are
// written record by record.
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

// What one graph's executions, or steps of another kind, took in all records of a log.
struct StepTally {
  std::string name;
  Tally netrun;
  EventTallies events;

  void add(const LogRecord& record);
};
// By name, in the order in which they were first seen.
class StepTallies {
 public:
  StepTally& of(const std::string& name);
  const std::vector<StepTally>& all() const { return all_; }

 private:
  std::vector<StepTally> all_;
  std::map<std::string, size_t> number_of_;
};

// The text of libQnnHtpProfilingReader.so: every execution of a log, then their average, in the layout of the
// linting reports that the backend's public page prints.
class HtpText : public LogVisitor {
 public:
  // `runs`: whether each execution is printed, or the average alone.
  enum class Runs : uint8_t { kEach, kAverageAlone };
  HtpText(Print print, Runs runs) : print_(std::move(print)), runs_(runs) {}

  Status on_record(size_t session, LogRecord record) override;
  Status on_left_out(size_t session, uint64_t count) override;
  // What the executions have in common; to be called once, at the end.
  Status finish();

 private:
  Print print_;
  Runs runs_;
  StepTallies graphs_;
};

// What qnn-profile-viewer shows of a whole log without a reader: times of each step, and of executions their
// average, least and most.
class LogStatistics : public LogVisitor {
 public:
  Status on_session(size_t session, const LogHead& head) override;
  Status on_record(size_t session, LogRecord record) override;
  Status on_left_out(size_t session, uint64_t count) override;

  // Without the lines above the title, which are the viewer's.
  std::string text() const;
  const std::vector<LogHead>& heads() const { return heads_; }
  const ExecutionClocks& clocks() const { return clocks_; }

  // What a step is, by QnnSystemProfile_MethodType_t.
  enum Kind : uint8_t { kInit, kCompose, kFinalize, kDeinit, kExecute, kApplySection, kOther, kKinds };
  static Kind kind_of(const LogRecord& record);

 private:
  std::string block_text(Kind kind, std::string_view title, Statistic statistic) const;
  std::string overall_text() const;

  std::vector<LogHead> heads_;
  ExecutionClocks clocks_;
  StepTallies blocks_[kKinds];  // by graph; other steps by their method
  uint64_t executions_ = 0;
  uint64_t first_start_ = UINT64_MAX;  // of executions, on the client's clock
  uint64_t last_stop_ = 0;
  uint64_t left_out_ = 0;
};

// The viewer's public CSV: one row per event, after five lines of head. Fields with commas, quotes or line
// ends are quoted (ours). How many records were left out has no place in it.
class LogCsv : public LogVisitor {
 public:
  LogCsv(Print print, std::string log_path, std::string viewer_version)
      : print_(std::move(print)),
        log_path_(std::move(log_path)),
        viewer_version_(std::move(viewer_version)) {}

  Status on_session(size_t session, const LogHead& head) override;
  Status on_record(size_t session, LogRecord record) override;

 private:
  Print print_;
  std::string log_path_;
  std::string viewer_version_;
  bool has_head_ = false;
  std::map<std::string, size_t> number_of_;  // of graphs
};

// JSON lines with all that a log holds. Sessions are counted through all logs.
class LogJsonLines : public LogVisitor {
 public:
  explicit LogJsonLines(Print print) : print_(std::move(print)) {}

  Status on_session(size_t session, const LogHead& head) override;
  Status on_record(size_t session, LogRecord record) override;
  Status on_left_out(size_t session, uint64_t count) override;

 private:
  Print print_;
  size_t sessions_ = 0;
  size_t before_ = 0;  // sessions of the logs before this one
};

// Averaged linting events of a graph as trace-event JSON: the main thread with its waits, and below it what
// ran beside it. Detailed events, which tell no more than each op's cycles, give the main thread alone. Time
// is in cycles: one microsecond of the viewer is one cycle. Nothing where the events tell of no op.
std::string linting_chrometrace(const std::string& graph, const std::vector<EventNode>& events);

}  // namespace openqnn::profile
