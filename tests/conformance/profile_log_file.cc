// SPDX-License-Identifier: BSD-3-Clause
#include "profile_log_file.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace conformance {
namespace {

// Bytes of the file, taken from the front.
class Cursor {
 public:
  explicit Cursor(const std::string& bytes, size_t at = 0) : bytes_(bytes), at_(at) {}

  size_t at() const { return at_; }
  bool at_end() const { return at_ == bytes_.size(); }

  uint64_t number(size_t width) {
    uint64_t value = 0;
    const std::string digits = take(width);
    for (size_t i = 0; i < width; ++i) value |= uint64_t{static_cast<uint8_t>(digits[i])} << (8 * i);
    return value;
  }
  uint32_t u32() { return static_cast<uint32_t>(number(4)); }
  uint64_t u64() { return number(8); }
  std::string text() { return take(u32()); }
  std::string take(size_t count) {
    if (count > bytes_.size() - at_) throw std::runtime_error("the log ends inside a field");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

 private:
  const std::string& bytes_;
  size_t at_;
};

LoggedEvent read_event(Cursor& in) {
  LoggedEvent event;
  event.depth = in.u32();
  event.type = in.u32();
  event.unit = in.u32();
  event.kind = static_cast<uint8_t>(in.number(1));
  event.data_type = in.u32();
  event.bits = in.u64();
  event.text = in.text();
  for (const char byte : in.text()) event.object.push_back(static_cast<std::byte>(byte));
  event.timestamp = in.u64();
  event.identifier = in.text();
  return event;
}

LoggedRecord read_record(Cursor& in) {
  LoggedRecord record;
  record.start_time = in.u64();
  record.stop_time = in.u64();
  record.start_memory = in.u64();
  record.stop_memory = in.u64();
  record.method = in.u32();
  record.visibility = in.u32();
  record.graph = in.text();
  for (uint32_t count = in.u32(); count > 0; --count) record.events.push_back(read_event(in));
  return record;
}

LoggedSession& session_at(std::vector<LoggedSession>& sessions, uint64_t offset) {
  for (LoggedSession& session : sessions)
    if (session.offset == offset) return session;
  throw std::runtime_error("a block of no session");
}

void read_block(Cursor& in, std::vector<LoggedSession>& sessions) {
  const size_t offset = in.at();
  const uint32_t kind = in.u32();
  if (in.u32() != 1) throw std::runtime_error("flags of a block");
  const uint64_t size = in.u64();
  const size_t contents = in.at();
  if (kind == 1) {
    sessions.push_back({offset, in.text(), in.text(), in.text(), in.text(), {}, 0});
  } else if (kind == 2) {
    LoggedSession& session = session_at(sessions, in.u64());
    for (uint32_t count = in.u32(); count > 0; --count) session.records.push_back(read_record(in));
  } else if (kind == 3) {
    LoggedSession& session = session_at(sessions, in.u64());
    session.left_out = in.u64();
  } else {
    throw std::runtime_error("kind of a block");
  }
  if (in.at() != contents + size) throw std::runtime_error("size of a block");
  in.u64();  // the checksum; src/profile proves that it is looked at
}

}  // namespace

std::vector<LoggedSession> read_profile_log(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no file " + path);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  Cursor in(bytes);
  if (in.take(8) != "OQNNPRF\n" || in.u32() != 1 || in.u32() != 0)
    throw std::runtime_error("head of the log");
  std::vector<LoggedSession> sessions;
  while (!in.at_end()) read_block(in, sessions);
  return sessions;
}

}  // namespace conformance
