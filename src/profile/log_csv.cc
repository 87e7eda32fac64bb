// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "base/text.h"
#include "json/json.h"
#include "profile/viewer_reports.h"

namespace openqnn::profile {
namespace {

void append_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

std::string message_of(const LogRecord& record) {
  static constexpr std::array<const char*, LogStatistics::kOther> kNames = {
      "INIT", "COMPOSE GRAPHS", "FINALIZE", "DE-INIT", "EXECUTE", "APPLY BINARY SECTION"};  // by their kind
  constexpr uint32_t kLoadLibrary = 10;
  if (record.method == kLoadLibrary) return "LIB LOAD";
  if (const auto kind = LogStatistics::kind_of(record); kind != LogStatistics::kOther) return kNames.at(kind);
  std::string name = method_name(record.method);
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return name;
}

std::string unit_of(uint32_t unit) {
  constexpr std::string_view kNames[] = {"NONE", "US", "BYTES", "CYCLES", "COUNT", "OBJECT", "NONE"};
  return unit < std::size(kNames) ? std::string(kNames[unit]) : concat("UNIT ", unit);
}

// What a row says of an event that has no whole number: its text, or how many bytes it has.
std::string value_of(const LogEvent& event) {
  if (const auto value = whole_number(event)) return std::to_string(*value);
  if (event.kind == LogValueKind::kText) return event.text;
  if (event.kind == LogValueKind::kObject) return std::to_string(event.object.size());
  return concat("bits ", event.bits);
}

void append_row(std::string& out, const std::string& begin, const LogEvent& event) {
  out += begin;
  append_field(out, value_of(event));
  out += concat(",", unit_of(event.unit), event.depth == 0 ? ",BACKEND,ROOT," : ",BACKEND,SUB-EVENT,");
  append_field(out, event.identifier.empty() ? "null" : std::string_view(event.identifier));
  out += '\n';
}

}  // namespace

Status LogCsv::on_session(size_t /*session*/, const LogHead& head) {
  if (has_head_) return {};  // the format has room for one
  has_head_ = true;
  std::string out = "input log file location, ";
  append_field(out, log_path_);
  out += concat("\nqnn-profile-viewer version, ", viewer_version_, "\n");
  append_field(out, concat(head.application.empty() ? "application" : head.application, " version"));
  out += ", ";
  append_field(out, head.application_version);
  out += "\nBackend version, ";
  append_field(out, concat(head.backend_version, " (openqnn ", head.producer,
                           "; times of EXECUTE with an RPC time are simulated)"));
  out +=
      "\nMsg Timestamp, Message, Time, Unit of Measurement, Timing Source, Event Level, Event Identifier\n";
  return print_(out);
}

Status LogCsv::on_record(size_t /*session*/, LogRecord record) {
  std::string begin = concat(record.stop_time, ",");
  append_field(begin, message_of(record));
  begin += ',';
  std::string out = concat(begin, netrun_microseconds(record), ",US,NETRUN,ROOT,");
  if (record.graph.empty()) {
    out += "null";
  } else {
    const size_t number = number_of_.try_emplace(record.graph, number_of_.size()).first->second;
    append_field(out, concat("Graph ", number, ": ", record.graph));
  }
  out += '\n';
  for (const LogEvent& event : record.events) append_row(out, begin, event);
  return print_(out);
}

Status LogJsonLines::on_session(size_t session, const LogHead& head) {
  if (session == 0) before_ = sessions_;
  ++sessions_;
  return print_(session_json_line(head, before_ + session));
}

Status LogJsonLines::on_record(size_t session, LogRecord record) {
  return print_(record_json_line(record, before_ + session));
}

Status LogJsonLines::on_left_out(size_t session, uint64_t count) {
  json::Writer out;
  out.begin_object(json::Writer::Style::kInline).key("kind").string("left out");
  out.key("session").unsigned_integer(before_ + session).key("records").unsigned_integer(count);
  return print_(out.take());
}

}  // namespace openqnn::profile
