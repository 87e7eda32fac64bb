// SPDX-License-Identifier: BSD-3-Clause
// A reader of profile logs that knows nothing but docs/profile_log.md. Every failure throws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model.h"

namespace conformance {

struct LoggedEvent {
  uint32_t depth = 0;
  uint32_t type = 0;
  uint32_t unit = 0;
  uint8_t kind = 0;
  uint32_t data_type = 0;
  uint64_t bits = 0;
  std::string text;
  Bytes object;
  uint64_t timestamp = 0;
  std::string identifier;
};

struct LoggedRecord {
  uint64_t start_time = 0;
  uint64_t stop_time = 0;
  uint64_t start_memory = 0;
  uint64_t stop_memory = 0;
  uint32_t method = 0;
  uint32_t visibility = 0;
  std::string graph;
  std::vector<LoggedEvent> events;
};

struct LoggedSession {
  uint64_t offset = 0;
  std::string application, application_version, backend_version, producer;
  std::vector<LoggedRecord> records;
  uint64_t left_out = 0;
};

std::vector<LoggedSession> read_profile_log(const std::string& path);

}  // namespace conformance
