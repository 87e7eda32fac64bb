// SPDX-License-Identifier: BSD-3-Clause
// The vendor's basic text, with the clock of every line said.
#include <string_view>

#include "base/text.h"
#include "profile/report.h"
#include "profile/text_table.h"

namespace openqnn::profile {
namespace {

// The block of the text in which the vendor's viewer shows a type. HTP types come in thousands by call.
std::string_view block_of(uint32_t type) {
  if (type == event_type::kInit || (type > 1000 && type < 2000)) return "Init Stats:";
  if (type == event_type::kFinalize || (type > 2000 && type < 3000)) return "Finalize Stats:";
  if ((type >= 400 && type < 500) || (type > 3000 && type < 4000)) return "Execute Stats:";
  if (type > 5000 && type < 9000) return "Execute Stats:";  // nodes, critical path, HVX threads
  if (type == event_type::kDeinit || (type > 4000 && type < 5000)) return "De-Init Stats:";
  return "Other Stats:";
}

std::string_view unit_text(ProfileEvent::Unit unit) {
  switch (unit) {
    case ProfileEvent::Unit::kMicroseconds:
      return "us";
    case ProfileEvent::Unit::kCycles:
      return "cycles";
    case ProfileEvent::Unit::kCount:
      return "count";
    case ProfileEvent::Unit::kBytes:
      return "bytes";
    case ProfileEvent::Unit::kNone:
    case ProfileEvent::Unit::kObject:
      return "";
  }
  return "";
}

std::string value_text(const ProfileEvent& event) {
  if (!event.has_value) return "unavailable, because host times are dropped for deterministic output";
  if (event.unit == ProfileEvent::Unit::kObject)
    return concat(event.object ? event.object->size() : 0, " bytes for file '", one_line(event.file), "'");
  if (event.unit == ProfileEvent::Unit::kNone) return std::to_string(event.value);
  return concat(event.value, " ", unit_text(event.unit));
}

void append(std::string& out, const ProfileEvent& event, size_t depth) {
  const std::string name = one_line(event.name);
  out.append(4 * (depth + 1), ' ');
  out += depth == 0 ? concat("Backend (", name, ")") : name;
  out += concat(": ", value_text(event), event.clock == Clock::kDevice ? " (simulated)" : " (host)", "\n");
  for (const ProfileEvent& child : event.children) append(out, child, depth + 1);
}

}  // namespace

std::string basic_text(const std::vector<ProfileEvent>& events) {
  std::string out =
      "Times on the device's clock are simulated by a model of the NPU and marked (simulated).\n"
      "Times of this machine are measured and marked (host).\n";
  std::string_view block;
  for (const ProfileEvent& event : events) {
    if (const std::string_view next = block_of(event.type); next != block) {
      block = next;
      out += concat("\n", heading(block));
    }
    append(out, event, 0);
  }
  return out;
}

}  // namespace openqnn::profile
