// SPDX-License-Identifier: BSD-3-Clause
// libQnnChrometraceProfilingReader.so: the average of all runs, as text and as a trace.
#include <map>

#include "base/text.h"
#include "profile/viewer_reports.h"
#include "tools/profile_viewer/request.h"

namespace openqnn::tools {
namespace {

// The events of the first graph that a log executes, and how many others there are.
class FirstGraph : public profile::LogVisitor {
 public:
  Status on_record(size_t /*session*/, profile::LogRecord record) override {
    if (!profile::is_execution(record)) return {};
    if (runs_.empty()) name_ = record.graph;
    ++runs_[record.graph];
    if (record.graph == name_) events_.add(record);
    return {};
  }
  const std::string& name() const { return name_; }
  size_t graphs() const { return runs_.size(); }
  std::vector<profile::EventNode> average() const { return events_.tree(profile::Statistic::kAverage); }

 private:
  std::string name_;
  std::map<std::string, uint64_t> runs_;
  profile::EventTallies events_;
};

Status write_trace(const ReaderRequest& request) {
  FirstGraph graph;
  OPENQNN_TRY(visit_logs(request, graph));
  const std::string trace = profile::linting_chrometrace(graph.name(), graph.average());
  if (trace.empty())
    return invalid("reader-level", "the log has no cycles of ops, so there is nothing to trace")
        .at(request.logs[0])
        .fix_by("run with --profiling_level backend and linting in the backend's own file, or with detailed");
  if (graph.graphs() > 1)
    request.warn(concat("the trace is of graph '", graph.name(), "', the first of ", graph.graphs()));
  return write_output(request, request.output, trace);
}

Status read(const ReaderRequest& request) {
  LabelledText text(request.print, profile::HtpText::Runs::kAverageAlone);
  OPENQNN_TRY(visit_logs(request, text));
  OPENQNN_TRY(text.finish());
  return request.output.empty() ? Status() : write_trace(request);
}

}  // namespace

Reader this_reader() {
  return {"the average of all runs as text, and as a chrometrace", "--output --gzip", read};
}

}  // namespace openqnn::tools
