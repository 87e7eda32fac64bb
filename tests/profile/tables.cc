// SPDX-License-Identifier: BSD-3-Clause
#include "tables.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/text.h"

namespace openqnn::profile {
namespace {

std::string read(const std::string& file) {
  auto text = read_text_file(concat(OPENQNN_LINTING_DIR, "/", file));
  EXPECT_TRUE(text.ok()) << (text ? "" : text.error().to_string());
  return text ? *std::move(text) : "";
}

uint64_t number(std::string_view text) { return std::stoull(std::string(text)); }

}  // namespace

LogEvent number_event(uint32_t depth, uint32_t type, uint32_t unit, uint64_t value, std::string identifier) {
  LogEvent event;
  event.depth = depth;
  event.type = type;
  event.unit = unit;
  event.bits = value;
  event.identifier = std::move(identifier);
  return event;
}

LogRecord execution(std::string graph, uint64_t start, uint64_t stop, std::vector<LogEvent> events) {
  LogRecord record;
  record.method = 1;
  record.start_time = start;
  record.stop_time = stop;
  record.graph = std::move(graph);
  record.events = std::move(events);
  return record;
}

LogRecord linting_table(const std::string& name) {
  LogRecord record = execution(name, 0, 0, {});
  const std::string text = read(name + ".csv");
  const auto lines = split(text, "\n");
  for (size_t i = 1; i < lines.size(); ++i) {  // behind the head
    if (lines[i].empty()) continue;
    const auto cells = split(lines[i], ",");
    EXPECT_EQ(cells.size(), 5U) << lines[i];
    if (cells[0] == "netrun")
      record.stop_time = number(cells[3]);
    else
      record.events.push_back(
          number_event(static_cast<uint32_t>(number(cells[0])), static_cast<uint32_t>(number(cells[1])),
                       static_cast<uint32_t>(number(cells[2])), number(cells[3]), std::string(cells[4])));
  }
  return record;
}

std::string linting_report(const std::string& name) { return read(name + ".txt"); }

}  // namespace openqnn::profile
