// SPDX-License-Identifier: BSD-3-Clause
// A profile log as text and as JSON.
#include <array>
#include <bit>
#include <string_view>

#include "base/half.h"
#include "base/text.h"
#include "ir/types.h"
#include "json/json.h"
#include "profile/log.h"

namespace openqnn::profile {
namespace {

using json::Writer;

constexpr std::array<std::string_view, kNamedMethods> kMethods = {
    "none",
    "execute",
    "finalize",
    "execute asynchronously",
    "create from binary",
    "deinit",
    "create context (application)",
    "compose graphs (application)",
    "executes a second (application)",
    "graph component",
    "load backend library (application)",
    "apply binary section",
    "finalize context",
    "get binary size",
    "get binary",
    "get binary section size",
    "finalize tensor updates",
    "update binary section",
};

// The integer in the low bits, with the sign of its width.
int64_t signed_value(uint64_t bits, size_t bytes) {
  const auto unused = static_cast<unsigned>(64 - 8 * bytes);
  return static_cast<int64_t>(bits << unused) >> unused;
}

// A number of any scalar type, as JSON writes numbers; a type without one here as its bits.
void write_scalar(Writer& out, uint32_t data_type, uint64_t bits) {
  const auto type = ir::data_type_from(data_type).value_or(ir::DataType::kUndefined);
  switch (type) {
    case ir::DataType::kFloat16:
      out.number(to_float(Half{static_cast<uint16_t>(bits)}));
      return;
    case ir::DataType::kFloat32:
      out.number(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      return;
    case ir::DataType::kFloat64:
      out.number(std::bit_cast<double>(bits));
      return;
    case ir::DataType::kInt8:
    case ir::DataType::kInt16:
    case ir::DataType::kInt32:
    case ir::DataType::kInt64:
    case ir::DataType::kSfixed8:
    case ir::DataType::kSfixed16:
    case ir::DataType::kSfixed32:
      out.integer(signed_value(bits, ir::byte_size(type)));
      return;
    default:
      out.unsigned_integer(bits);
  }
}

void write_value(Writer& out, const LogEvent& event) {
  switch (event.kind) {
    case LogValueKind::kNumber:
      out.unsigned_integer(event.bits);
      return;
    case LogValueKind::kScalar:
      write_scalar(out, event.data_type, event.bits);
      return;
    case LogValueKind::kText:
      out.string(event.text);
      return;
    case LogValueKind::kObject:
      out.begin_object(Writer::Style::kInline).key("bytes").unsigned_integer(event.object.size());
      out.key("file").string(event.text).end_object();
      return;
  }
}

std::string value_text(const LogEvent& event) {
  if (event.kind == LogValueKind::kText) return one_line(event.text);
  if (event.kind == LogValueKind::kObject)
    return concat(event.object.size(), " bytes for file '", one_line(event.text), "'");
  Writer number;
  write_value(number, event);
  std::string text = number.take();
  text.pop_back();  // the newline
  const std::string unit = unit_name(event.unit);
  return unit.empty() ? text : concat(text, " ", unit);
}

std::string event_line(const LogEvent& event) {
  const std::string identifier =
      event.identifier.empty() ? concat("(type ", event.type, ")") : one_line(event.identifier);
  std::string line = std::string(4 + 2 * size_t{event.depth}, ' ') + identifier + ": " + value_text(event);
  if (event.timestamp != 0) line += concat("  at ", event.timestamp);
  return line + "\n";
}

std::string record_text(const LogRecord& record) {
  std::string out = concat("  ", method_name(record.method));
  if (!record.graph.empty()) out += concat(" of graph '", one_line(record.graph), "'");
  out += concat(", ", record.start_time, " to ", record.stop_time);
  if (record.visibility != 0) out += ", private";
  out += "\n";
  for (const LogEvent& event : record.events) out += event_line(event);
  return out;
}

void write_event(Writer& out, const LogEvent& event, Writer::Style style) {
  out.begin_object(style).key("identifier").string(event.identifier);
  out.key("type").unsigned_integer(event.type).key("unit").unsigned_integer(event.unit);
  out.key("unit_name").string(unit_name(event.unit)).key("value");
  write_value(out, event);
  if (event.kind == LogValueKind::kScalar) out.key("data_type").unsigned_integer(event.data_type);
  if (event.kind != LogValueKind::kNumber) out.key("timestamp").unsigned_integer(event.timestamp);
}

// The events below an event stand in its "events". Without recursion: a depth is how many lists are open.
void write_events(Writer& out, const std::vector<LogEvent>& events, Writer::Style style) {
  out.key("events").begin_array(style);
  uint32_t open = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    for (; open > events[i].depth; --open) out.end_array().end_object();
    write_event(out, events[i], style);
    if (i + 1 < events.size() && events[i + 1].depth > events[i].depth) {
      out.key("events").begin_array(style);
      ++open;
    } else {
      out.end_object();
    }
  }
  for (; open > 0; --open) out.end_array().end_object();
  out.end_array();
}

// Into an object that is open.
void write_record(Writer& out, const LogRecord& record, Writer::Style style) {
  out.key("method").string(method_name(record.method));
  out.key("method_type").unsigned_integer(record.method).key("graph").string(record.graph);
  out.key("start_time").unsigned_integer(record.start_time);
  out.key("stop_time").unsigned_integer(record.stop_time);
  out.key("start_memory").unsigned_integer(record.start_memory);
  out.key("stop_memory").unsigned_integer(record.stop_memory);
  out.key("visibility").unsigned_integer(record.visibility);
  write_events(out, record.events, style);
}

void write_head(Writer& out, const LogHead& head) {
  out.key("application").string(head.application);
  out.key("application_version").string(head.application_version);
  out.key("backend_version").string(head.backend_version);
  out.key("producer").string(head.producer);
}

void write_session(Writer& out, const LogSession& session) {
  out.begin_object();
  write_head(out, session.head);
  out.key("left_out").unsigned_integer(session.left_out).key("records").begin_array();
  for (const LogRecord& record : session.records) {
    out.begin_object();
    write_record(out, record, Writer::Style::kBlock);
    out.end_object();
  }
  out.end_array().end_object();
}

std::string session_text(const LogSession& session) {
  const LogHead& head = session.head;
  const auto or_unnamed = [](const std::string& text) {
    return text.empty() ? "(not said)" : one_line(text);
  };
  std::string out = concat("\nSession of ", or_unnamed(head.application), " ",
                           one_line(head.application_version), ", backend ", or_unnamed(head.backend_version),
                           ", written by openqnn ", one_line(head.producer), "\n");
  for (const LogRecord& record : session.records) out += record_text(record);
  if (session.left_out != 0)
    out +=
        concat("  ", session.left_out, " more records were left out, as the target's maxNumMessages says\n");
  return out;
}

}  // namespace

std::string method_name(uint32_t method) {
  return method < kMethods.size() ? std::string(kMethods[method]) : concat("method ", method);
}

std::string unit_name(uint32_t unit) {
  constexpr std::array<std::string_view, 7> kUnits = {"", "us", "bytes", "cycles", "count", "object", ""};
  return unit < kUnits.size() ? std::string(kUnits[unit]) : concat("unit ", unit);
}

std::string session_json_line(const LogHead& head, size_t session) {
  Writer out;
  out.begin_object(Writer::Style::kInline).key("kind").string("session");
  out.key("session").unsigned_integer(session);
  write_head(out, head);
  return out.take();
}

std::string record_json_line(const LogRecord& record, size_t session) {
  Writer out;
  out.begin_object(Writer::Style::kInline).key("kind").string("record");
  out.key("session").unsigned_integer(session);
  write_record(out, record, Writer::Style::kInline);
  return out.take();
}

std::string log_text(const ProfileLog& log, std::string_view title) {
  std::string out = concat(title, ": profile log of openqnn, format ", log.extent.format_major, ".",
                           log.extent.format_minor, ", ", log.sessions.size(),
                           log.sessions.size() == 1 ? " session\n" : " sessions\n");
  for (const LogSession& session : log.sessions) out += session_text(session);
  if (log.extent.cut_at) out += concat("\nnote: ", cut_text(*log.extent.cut_at), "\n");
  return out;
}

std::string log_json(const ProfileLog& log, std::string_view title) {
  Writer out;
  out.begin_object().key("file").string(title).key("format").begin_object(Writer::Style::kInline);
  out.key("major").unsigned_integer(log.extent.format_major);
  out.key("minor").unsigned_integer(log.extent.format_minor).end_object();
  if (log.extent.cut_at) out.key("cut_at").unsigned_integer(*log.extent.cut_at);
  out.key("sessions").begin_array();
  for (const LogSession& session : log.sessions) write_session(out, session);
  out.end_array().end_object();
  return out.take();
}

}  // namespace openqnn::profile
