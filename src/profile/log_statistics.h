// SPDX-License-Identifier: BSD-3-Clause
// What qnn-profile-viewer shows of a whole log without a reader: times of each step, and of executions their
// average, least and most.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "profile/event_tallies.h"
#include "profile/htp_text.h"

namespace openqnn::profile {

class LogStatistics : public LogVisitor {
 public:
  Status on_session(size_t session, const LogHead& head) override;
  Status on_record(size_t session, LogRecord record) override;
  Status on_left_out(size_t session, uint64_t count) override;

  // Without the lines above the title, which are the viewer's.
  std::string text() const;
  const std::vector<LogHead>& heads() const { return heads_; }
  const ExecutionClocks& clocks() const { return clocks_; }

 private:
  struct Step {
    std::string graph;
    Tally netrun;
    EventTallies events;
  };
  // Steps of one kind by graph, in the order in which they were first seen.
  struct Block {
    std::vector<Step> steps;
    std::map<std::string, size_t> number_of;
    Step& of(const std::string& graph);
  };
  enum Kind : uint8_t { kInit, kCompose, kFinalize, kDeinit, kExecute, kApplySection, kOther, kKinds };
  static Kind kind_of(const LogRecord& record);
  std::string block_text(Kind kind, std::string_view title, Statistic statistic) const;
  std::string overall_text() const;

  std::vector<LogHead> heads_;
  ExecutionClocks clocks_;
  Block blocks_[kKinds];
  uint64_t executions_ = 0;
  uint64_t first_start_ = UINT64_MAX;  // of executions, on the client's clock
  uint64_t last_stop_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace openqnn::profile
