// SPDX-License-Identifier: BSD-3-Clause
// The clocks over time as one HTML file without anything from outside.

#include "base/text.h"
#include "profile/page/page.h"
#include "profile/power_report.h"
#include "profile/text_table.h"

namespace openqnn::profile {
namespace {

constexpr uint64_t kWidth = 1000;
constexpr uint64_t kHeight = 220;

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
:root{color-scheme:light dark;--line:#8884;--core:#2e86de;--hmx:#e67e22;--bus:#27ae60}
body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}
svg{width:100%;height:auto;border:1px solid var(--line)}path{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}
.idle{fill:#8881}.asleep{fill:#8883}.waking{fill:#e74c3c55}.executing{fill:#2e86de22}.call{fill:#8882}
.core{stroke:var(--core)}.hmx{stroke:var(--hmx);stroke-dasharray:6 4}.bus{stroke:var(--bus);stroke-dasharray:2 4}
b.core{color:var(--core)}b.hmx{color:var(--hmx)}b.bus{color:var(--bus)}
table{border-collapse:collapse;width:100%}th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right}
th:nth-child(2),td:nth-child(2){text-align:left}
</style>
)";

// The first word of its name: "waking" of "waking up".
std::string_view class_of(sim::Activity activity) {
  const std::string_view name = activity_name(activity);
  return name.substr(0, name.find(' '));
}

// Thousandths of a unit of the chart's width, which stay exact in integers.
std::string place(uint64_t time, uint64_t end) {
  const uint64_t scaled =
      end == 0 ? 0 : static_cast<uint64_t>(static_cast<__uint128_t>(time) * kWidth * 1000 / end);
  const std::string rest = concat(scaled % 1000);
  return concat(scaled / 1000, ".", std::string(3 - rest.size(), '0'), rest);
}

std::string step_line(const sim::PowerTimeline& timeline, const char* name, uint32_t sim::Clocks::*clock) {
  std::string path;
  for (const sim::PowerInterval& interval : timeline.intervals) {
    const uint64_t y = kHeight - (interval.clocks.*clock) * (kHeight - 20) / 1000;
    path += concat(path.empty() ? "M" : "L", place(interval.start.value, timeline.end.value), " ", y, "L",
                   place(interval.end.value, timeline.end.value), " ", y);
  }
  return concat("<path class=\"", name, "\" d=\"", path, "\"/>\n");
}

std::string chart(const sim::PowerHistory& history, const sim::PowerTimeline& timeline,
                  const soc::PowerModel& model) {
  std::string out = concat("<svg role=\"img\" aria-label=\"Clocks over simulated time\" viewBox=\"0 0 ",
                           kWidth, " ", kHeight, "\" preserveAspectRatio=\"none\">\n");
  for (const sim::PowerInterval& interval : timeline.intervals) {
    const uint64_t length = (interval.end - interval.start).value;
    out += concat("<rect class=\"", class_of(interval.activity), "\" x=\"",
                  place(interval.start.value, timeline.end.value), "\" y=\"0\" width=\"",
                  place(length, timeline.end.value), "\" height=\"", kHeight, "\"><title>",
                  activity_name(interval.activity), " for ", micros_text({length}), " us, core at ",
                  model.corners[interval.clocks.core].name, ", ",
                  core_hz(history, interval.clocks) / 1'000'000, " MHz</title></rect>\n");
  }
  out += step_line(timeline, "bus", &sim::Clocks::bus_permille);
  out += step_line(timeline, "hmx", &sim::Clocks::hmx_permille);
  out += step_line(timeline, "core", &sim::Clocks::core_permille);
  return out + "</svg>\n";
}

std::string execute_rows(const sim::PowerHistory& history, const sim::PowerTimeline& timeline) {
  std::string out =
      "<table><thead><tr><th>At us</th><th>Graph</th><th>Wake-up</th><th>Power-up</th><th>Accelerator</th>"
      "<th>Call</th><th>CPU wake-up</th><th>Total us</th></tr></thead><tbody>\n";
  size_t next = 0;
  for (const sim::PowerEvent& event : history.events) {
    if (event.kind != sim::PowerEvent::Kind::kExecute) continue;
    const sim::ExecuteCost& cost = timeline.executes[next++];
    out += concat("<tr><td>", micros_text(cost.start), "</td><td>", escaped_html(one_line(event.label)),
                  "</td>");
    for (const Nanos part :
         {cost.wake_up, cost.power_up, cost.accelerator, cost.call, cost.cpu_wake_up, cost.total()})
      out += concat("<td>", micros_text(part), "</td>");
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

}  // namespace

std::string power_page(const sim::PowerHistory& history, const soc::PowerModel& model) {
  const sim::PowerTimeline timeline = sim::power_timeline(model, history);
  const std::string title = concat(
      "Power of ", history.soc.empty() ? "a device" : escaped_html(one_line(history.soc)), " (simulated)");
  return concat(
      kHead, "<title>", title, "</title></head><body><h1>", title, "</h1>\n<p>", micros_text(timeline.end),
      " us from left to right; clocks from 0 below to burst above: <b class=\"core\">core and HVX</b>, "
      "<b class=\"hmx\">HMX</b>, <b class=\"bus\">bus</b>. Grey: idle, darker: asleep; red: waking up; "
      "blue: executing.</p>\n",
      chart(history, timeline, model), "<h2>Executes</h2>\n", execute_rows(history, timeline), "<p>",
      escaped_html(kPowerNote), "</p>\n</body></html>\n");
}

}  // namespace openqnn::profile
