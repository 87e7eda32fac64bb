// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iomanip>

#include "base/text.h"
#include "profile/text_table.h"
#include "profile/viewer_reports.h"

namespace openqnn::profile {
namespace {

// As users' logs have them, which is not the length of the words above.
constexpr size_t kTitleDashes = 60;
constexpr size_t kComposeDashes = 14;

void append_events(std::string& out, const std::vector<EventNode>& events, size_t depth) {
  for (const EventNode& event : events) {
    const std::string name = one_line(event.identifier);
    const std::string unit = unit_name(event.unit);
    out.append(4 * (depth + 1), ' ');
    out += depth == 0 ? concat("Backend (", name, "): ") : concat(name, ": ");
    out += concat(event.value, unit.empty() ? "" : " ", unit, "\n");
    append_events(out, event.children, depth + 1);
  }
}

}  // namespace

void StepTally::add(const LogRecord& record) {
  netrun.add(netrun_microseconds(record));
  events.add(record);
}

StepTally& StepTallies::of(const std::string& name) {
  const auto [place, is_new] = number_of_.try_emplace(name, all_.size());
  if (is_new) all_.push_back({name, {}, {}});
  return all_[place->second];
}

LogStatistics::Kind LogStatistics::kind_of(const LogRecord& record) {
  if (is_execution(record)) return kExecute;
  switch (record.method) {
    case 4:   // create from binary
    case 6:   // create context
    case 10:  // load backend library
      return kInit;
    case 7:
      return kCompose;
    case 2:
    case 12:  // finalize context
      return kFinalize;
    case 5:
      return kDeinit;
    case 11:
      return kApplySection;
    default:
      return kOther;
  }
}

Status LogStatistics::on_session(size_t /*session*/, const LogHead& head) {
  heads_.push_back(head);
  return {};
}

Status LogStatistics::on_left_out(size_t /*session*/, uint64_t count) {
  left_out_ += count;
  return {};
}

Status LogStatistics::on_record(size_t /*session*/, LogRecord record) {
  const Kind kind = kind_of(record);
  clocks_.add(record);
  blocks_[kind].of(kind == kOther ? method_name(record.method) : record.graph).add(record);
  if (kind != kExecute) return {};
  ++executions_;
  first_start_ = std::min(first_start_, record.start_time);
  last_stop_ = std::max(last_stop_, record.stop_time);
  return {};
}

std::string LogStatistics::block_text(Kind kind, std::string_view title, Statistic statistic) const {
  const std::vector<StepTally>& steps = blocks_[kind].all();
  if (steps.empty()) return "";
  std::string out = heading(title, kind == kCompose ? kComposeDashes : 0);
  if (kind == kExecute) out += heading("Total Inference Time:");
  for (size_t i = 0; i < steps.size(); ++i) {
    const StepTally& step = steps[i];
    if (kind == kOther)
      out += concat(step.name, ":\n");
    else if (!step.name.empty())
      out += concat("Graph ", i, " (", one_line(step.name), "):\n");
    out += concat("    NetRun:  ", step.netrun.get(statistic), " us\n");
    append_events(out, step.events.tree(statistic), 0);
  }
  return out + "\n";
}

std::string LogStatistics::overall_text() const {
  if (executions_ == 0 || last_stop_ <= first_start_) return "";
  const double seconds = static_cast<double>(last_stop_ - first_start_) * 1e-6;
  return heading("Execute Stats (Overall):") +
         concat("    NetRun IPS (includes IO and misc. time): ", std::fixed, std::setprecision(4),
                static_cast<double>(executions_) / seconds, " inf/sec, measured on the host\n");
}

std::string LogStatistics::text() const {
  std::string out = heading("Qnn Init/Prepare/Finalize/De-Init/Execute/Lib-Load Statistics:", kTitleDashes);
  out += block_text(kInit, "Init Stats:", Statistic::kAverage);
  out += block_text(kCompose, "Compose Graphs Stats:", Statistic::kAverage);
  out += block_text(kFinalize, "Finalize Stats:", Statistic::kAverage);
  out += block_text(kDeinit, "De-Init Stats:", Statistic::kAverage);
  out += block_text(kApplySection, "ApplyBinarySection Stats (Average):", Statistic::kAverage);
  out += block_text(kOther, "Other Stats:", Statistic::kAverage);
  out += block_text(kExecute, "Execute Stats (Average):", Statistic::kAverage);
  out += block_text(kExecute, "Execute Stats (Min):", Statistic::kMin);
  out += block_text(kExecute, "Execute Stats (Max):", Statistic::kMax);
  out += overall_text();
  if (left_out_ != 0)
    out += concat("\n", left_out_, " more records were left out, as the target's maxNumMessages says\n");
  return out;
}

}  // namespace openqnn::profile
