// SPDX-License-Identifier: BSD-3-Clause
#include "profile/execution_log.h"

#include <array>
#include <utility>

#include "profile/events.h"
#include "profile/log_file.h"
#include "profile/op_trace.h"
#include "profile/schematic.h"

namespace openqnn::profile {
namespace {

void add_events(const std::vector<ProfileEvent>& events, uint32_t depth, std::vector<LogEvent>& list) {
  for (const ProfileEvent& event : events) {
    LogEvent& logged = list.emplace_back();
    logged.depth = depth;
    logged.type = event.type;
    logged.unit = static_cast<uint32_t>(event.unit);
    logged.bits = event.value;
    logged.identifier = event.name;
    if (event.object) {
      logged.kind = LogValueKind::kObject;
      logged.object = *event.object;
      logged.text = event.file;
    }
    add_events(event.children, depth + 1, list);
  }
}

LogRecord record_of(uint32_t method, const std::string& graph, const std::vector<ProfileEvent>& events) {
  LogRecord record;
  record.method = method;
  record.graph = graph;
  add_events(events, 0, record.events);
  return record;
}

}  // namespace

std::vector<std::byte> execution_log(const program::Program& program, const sim::Timeline& timeline,
                                     LogHead head) {
  const std::array<const program::Program*, 1> programs = {&program};
  const std::vector<ProfileEvent> finalize = {object_event(
      "Schematic", write_schematic(program.graph, programs), schematic_file_name(program.graph))};
  std::vector<ProfileEvent> execute = execute_events(program, timeline, Level::kDetailed);
  execute.push_back(object_event("Optrace", write_op_trace({0, fingerprint_of(program), timeline}),
                                 file_name_of(program.graph, "_optrace.bin")));
  return log_bytes(std::move(head), {record_of(kFinalizeMethod, program.graph, finalize),
                                     record_of(kExecuteMethod, program.graph, execute)});
}

}  // namespace openqnn::profile
