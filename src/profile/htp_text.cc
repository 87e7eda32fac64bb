// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "base/text.h"
#include "profile/linting.h"
#include "profile/text_table.h"
#include "profile/viewer_reports.h"

namespace openqnn::profile {
namespace {

// "16242  us": two blanks, as printed.
std::string value_text(const EventNode& event) {
  const std::string unit = unit_name(event.unit);
  return unit.empty() ? std::to_string(event.value) : concat(event.value, "  ", unit);
}

// ---- Order

// The place of a type in a list; behind all of them when it is not there.
template <size_t n>
size_t place_in(const std::array<uint32_t, n>& order, uint32_t type) {
  return static_cast<size_t>(std::ranges::find(order, type) - order.begin());
}

void sort_top(std::vector<EventNode>& events) {
  constexpr std::array kOrder = {event_type::kHvxThreads,
                                 event_type::kExecuteRpc,
                                 event_type::kExecuteQnnAccelerator,
                                 event_type::kExecuteYields,
                                 event_type::kExecuteVtcmAcquire,
                                 event_type::kExecutePowerUp,
                                 event_type::kExecuteCriticalCycles,
                                 event_type::kExecuteAcceleratorCycles,
                                 event_type::kExecuteAccelerator,
                                 event_type::kExecuteAcceleratorWithoutWait};
  std::ranges::stable_sort(events, {}, [&](const EventNode& event) { return place_in(kOrder, event.type); });
}

// The number in "conv:OpId_21 (cycles)"; the largest there is where there is none.
uint64_t number_in(std::string_view identifier) {
  constexpr std::string_view kMark = "OpId_";
  const size_t at = identifier.rfind(kMark);
  uint64_t number = UINT64_MAX;
  if (at == identifier.npos) return number;
  const char* const first = identifier.data() + at + kMark.size();
  if (std::from_chars(first, identifier.data() + identifier.size(), number).ec != std::errc())
    return UINT64_MAX;
  return number;
}

// "Output" of "Output OpId_3 (cycles)": an event that is no op of the graph. An op of that name has a colon.
bool is_named(const EventNode& op, std::string_view name) {
  return op.identifier == name || std::string_view(op.identifier) == concat(name, " (cycles)");
}

// Input, OpId_0, ops by their numbers, Output.
void sort_ops(std::vector<EventNode>& ops) {
  using Place = std::tuple<int, uint64_t>;
  std::vector<std::pair<Place, EventNode>> keyed;
  keyed.reserve(ops.size());
  for (EventNode& op : ops) {
    const int part = is_named(op, kInputName)    ? 0
                     : is_named(op, kSystemName) ? 1
                     : is_named(op, kOutputName) ? 3
                                                 : 2;
    keyed.emplace_back(Place{part, number_in(op.identifier)}, std::move(op));
  }
  std::ranges::stable_sort(keyed, {}, &std::pair<Place, EventNode>::first);
  for (size_t i = 0; i < ops.size(); ++i) ops[i] = std::move(keyed[i].second);
}

// ---- An op's entries

std::string resources_text(const EventNode& mask) {
  std::string names;
  for (const auto& [bit, name] : kResources)
    if ((mask.value & bit) != 0) names += concat(names.empty() ? " " : ", ", name);
  return names;
}

void append_entry(std::string& out, const EventNode& entry, bool has_names) {
  out += concat("            ", one_line(entry.identifier), ": ", value_text(entry), "\n");
  if (!has_names) return;
  const size_t shown = std::min(entry.children.size(), kMostBackgroundNames);
  for (size_t i = 0; i < shown; ++i)
    out += concat("               ", one_line(entry.children[i].identifier), "\n");
}

void append_op(std::string& out, const EventNode& op) {
  out += concat("      ", one_line(op.identifier), ": ", value_text(op), "\n");
  const bool has_names = !is_named(op, kSystemName) && !is_named(op, kOutputName);
  for (const uint32_t type : {event_type::kNodeWait, event_type::kNodeOverlap, event_type::kNodeWaitOverlap})
    if (const EventNode* const entry = find_event(op.children, type)) append_entry(out, *entry, has_names);
  if (const EventNode* const mask = find_event(op.children, event_type::kNodeResources))
    out += concat("            Resources:", resources_text(*mask), "\n");
}

// Events that no log holds as those of a log.
std::vector<EventNode> nodes_of(const std::vector<ProfileEvent>& events) {
  std::vector<EventNode> nodes;
  for (const ProfileEvent& event : events)
    nodes.push_back(
        {event.type, static_cast<uint32_t>(event.unit), event.name, event.value, nodes_of(event.children)});
  return nodes;
}

}  // namespace

std::string linting_text(const program::Program& program, const sim::Timeline& timeline,
                         const sim::ExecuteCost& cost) {
  return execution_text("Execute Stats (Average):", whole_microseconds(timeline.client),
                        nodes_of(linting_events(program, timeline, cost)));
}

std::string execution_text(std::string_view title, uint64_t netrun_us, std::vector<EventNode> events) {
  std::string out = heading(title) + heading("Total Inference Time:");
  out += concat("   NetRun:  ", netrun_us, " us\n");
  sort_top(events);
  for (EventNode& event : events) {
    if (event.type == event_type::kExecute) continue;  // said as NetRun
    out += concat("   Backend (", one_line(event.identifier), "): ", value_text(event), "\n");
    sort_ops(event.children);
    for (const EventNode& op : event.children) append_op(out, op);
  }
  return out;
}

bool is_execution(const LogRecord& record) {
  return record.method == kExecuteMethod || record.method == kExecuteAsyncMethod;
}

bool is_simulated(const LogRecord& record) {
  return is_execution(record) && std::ranges::any_of(record.events, [](const LogEvent& event) {
           return event.type == event_type::kExecuteRpc;  // at every level of the backend
         });
}

void ExecutionClocks::add(const LogRecord& record) {
  if (is_execution(record)) (is_simulated(record) ? any_simulated_ : any_measured_) = true;
}

std::string_view ExecutionClocks::text() const {
  if (!any_measured_)
    return "Times of executions are simulated by a model of the NPU; others were measured on the host.";
  if (!any_simulated_) return "All times were measured on the host; none is of the NPU.";
  return "Times of executions that have an RPC time are simulated by a model of the NPU; others were "
         "measured "
         "on the host.";
}

uint64_t netrun_microseconds(const LogRecord& record) {
  uint64_t simulated = 0;
  bool is_simulated = false;
  for (const LogEvent& event : record.events) {
    if (event.depth != 0 || event.type != event_type::kExecute) continue;
    simulated += whole_number(event).value_or(0);
    is_simulated = true;
  }
  if (is_simulated && is_execution(record)) return simulated;
  return record.stop_time - std::min(record.start_time, record.stop_time);
}

Status HtpText::on_left_out(size_t /*session*/, uint64_t count) {
  return print_(concat(count, " more records were left out, as the target's maxNumMessages says\n\n"));
}

Status HtpText::on_record(size_t /*session*/, LogRecord record) {
  if (!is_execution(record)) return {};
  StepTally& graph = graphs_.of(record.graph);
  if (runs_ == Runs::kEach) {
    const std::string title =
        concat("Execute Stats (Run ", graph.netrun.count(), " of graph '", one_line(graph.name), "'):");
    OPENQNN_TRY(print_(execution_text(title, netrun_microseconds(record), event_tree(record)) + "\n"));
  }
  graph.add(record);
  return {};
}

Status HtpText::finish() {
  const std::vector<StepTally>& graphs = graphs_.all();
  if (graphs.empty()) return print_("The log has no execution.\n");
  for (size_t i = 0; i < graphs.size(); ++i) {
    const StepTally& graph = graphs[i];
    std::string text = graphs.size() > 1 ? concat("Graph ", i, " (", one_line(graph.name), "):\n") : "";
    text += execution_text("Execute Stats (Average):", graph.netrun.get(Statistic::kAverage),
                           graph.events.tree(Statistic::kAverage));
    OPENQNN_TRY(print_(text));
  }
  return {};
}

}  // namespace openqnn::profile
