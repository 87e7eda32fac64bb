// SPDX-License-Identifier: BSD-3-Clause

#include "base/text.h"
#include "json/json.h"
#include "profile/power_report.h"
#include "profile/text_table.h"

namespace openqnn::profile {
namespace {

using Kind = sim::PowerEvent::Kind;
using Align = TextTable::Align;

constexpr uint32_t kBarWidth = 20;

std::string bar(uint32_t permille) {
  const uint32_t filled = (permille * kBarWidth + 999) / 1000;
  return concat("|", std::string(filled, '#'), std::string(kBarWidth - filled, ' '), "|");
}

// Rows up to a limit, and how many were left out.
class Rows {
 public:
  Rows(TextTable& table, size_t limit) : table_(table), limit_(limit) {}
  void add(std::vector<std::string> cells) {
    if (limit_ == 0 || added_ < limit_)
      table_.row(std::move(cells));
    else
      ++left_out_;
    ++added_;
  }
  std::string rest() const {
    return left_out_ == 0 ? "" : concat("... and ", left_out_, " more; --limit 0 shows all\n");
  }

 private:
  TextTable& table_;
  size_t limit_;
  size_t added_ = 0;
  size_t left_out_ = 0;
};

std::string history_table(const sim::PowerHistory& history, const sim::PowerTimeline& timeline,
                          const soc::PowerModel& model, size_t limit) {
  TextTable table(
      {Align::kRight, Align::kRight, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  table.row({"At us", "For us", "What", "Core", "HMX", "Bus", "Core clock, or what else is voted"});
  Rows rows(table, limit);
  for (PowerRow& row : power_rows(history, timeline, model))
    rows.add({micros_text(row.at), row.lasts ? micros_text(*row.lasts) : "", std::move(row.what),
              std::move(row.core), std::move(row.hmx), std::move(row.bus),
              row.lasts ? bar(row.core_permille) : std::move(row.details)});
  return table.text() + rows.rest();
}

std::vector<std::string> execute_names(const sim::PowerHistory& history) {
  std::vector<std::string> names;
  for (const sim::PowerEvent& event : history.events)
    if (event.kind == Kind::kExecute) names.push_back(event.label.empty() ? "-" : one_line(event.label));
  return names;
}

std::string execute_table(const sim::PowerHistory& history, const sim::PowerTimeline& timeline,
                          const soc::PowerModel& model, size_t limit) {
  TextTable table({Align::kRight, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight,
                   Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.row({"At us", "Graph", "Core", "Wake-up", "Power-up", "Accelerator", "Call", "CPU wake-up",
             "Total us", "CPU polls us"});
  Rows rows(table, limit);
  const std::vector<std::string> names = execute_names(history);
  for (size_t i = 0; i < timeline.executes.size(); ++i) {
    const sim::ExecuteCost& cost = timeline.executes[i];
    rows.add({micros_text(cost.start), names[i], model.corners[cost.clocks.core].name,
              micros_text(cost.wake_up), micros_text(cost.power_up), micros_text(cost.accelerator),
              micros_text(cost.call), micros_text(cost.cpu_wake_up), micros_text(cost.total()),
              micros_text(cost.polled)});
  }
  return table.text() + rows.rest();
}

void write_clocks(json::Writer& out, const sim::PowerHistory& history, const sim::Clocks& clocks,
                  const soc::PowerModel& model) {
  out.key("core").string(model.corners[clocks.core].name);
  out.key("core_permille").unsigned_integer(clocks.core_permille);
  out.key("core_hz").unsigned_integer(core_hz(history, clocks));
  out.key("hmx_permille").unsigned_integer(clocks.hmx_permille);
  out.key("bus_permille").unsigned_integer(clocks.bus_permille);
}

}  // namespace

std::string power_text(const sim::PowerHistory& history, const soc::PowerModel& model, size_t limit) {
  const sim::PowerTimeline timeline = sim::power_timeline(model, history);
  std::string out = concat("Power of ", history.soc.empty() ? "a device" : one_line(history.soc));
  if (history.arch != 0) out += concat(" (v", history.arch, ")");
  if (history.clock_hz != 0) out += concat(", ", history.clock_hz / kHzPerMhz, " MHz under burst");
  out += concat(", ", micros_text(timeline.end), " us simulated\n\n",
                history_table(history, timeline, model, limit), "\n");
  if (timeline.executes.empty())
    out += "No execute was timed: only those with a profile handle are.\n";
  else
    out += concat("Executes\n", execute_table(history, timeline, model, limit));
  if (history.left_out != 0)
    out += concat("The device kept ", history.events.size(), " events; ", history.left_out,
                  " more are left out.\n");
  return out + "\n" + std::string(kPowerNote);
}

std::string power_json(const sim::PowerHistory& history, const soc::PowerModel& model) {
  const sim::PowerTimeline timeline = sim::power_timeline(model, history);
  const std::vector<std::string> names = execute_names(history);
  using Style = json::Writer::Style;
  json::Writer out;
  out.begin_object().key("clock").string("simulated");
  out.key("soc").string(history.soc).key("arch").unsigned_integer(history.arch);
  out.key("burst_clock_hz").unsigned_integer(history.clock_hz);
  out.key("end_ns").unsigned_integer(timeline.end.value);
  out.key("events_left_out").unsigned_integer(history.left_out);
  out.key("intervals").begin_array();
  for (const sim::PowerInterval& interval : timeline.intervals) {
    out.begin_object(Style::kInline).key("start_ns").unsigned_integer(interval.start.value);
    out.key("end_ns").unsigned_integer(interval.end.value);
    out.key("activity").string(activity_name(interval.activity));
    out.key("clients").unsigned_integer(interval.clients);
    write_clocks(out, history, interval.clocks, model);
    out.end_object();
  }
  out.end_array().key("executes").begin_array();
  for (size_t i = 0; i < timeline.executes.size(); ++i) {
    const sim::ExecuteCost& cost = timeline.executes[i];
    out.begin_object(Style::kInline).key("graph").string(names[i]);
    out.key("start_ns").unsigned_integer(cost.start.value);
    out.key("wake_up_ns").unsigned_integer(cost.wake_up.value);
    out.key("power_up_ns").unsigned_integer(cost.power_up.value);
    out.key("accelerator_ns").unsigned_integer(cost.accelerator.value);
    out.key("call_ns").unsigned_integer(cost.call.value);
    out.key("cpu_wake_up_ns").unsigned_integer(cost.cpu_wake_up.value);
    out.key("total_ns").unsigned_integer(cost.total().value);
    out.key("cpu_polling_ns").unsigned_integer(cost.polled.value);
    write_clocks(out, history, cost.clocks, model);
    out.end_object();
  }
  out.end_array().end_object();
  return out.take();
}

}  // namespace openqnn::profile
