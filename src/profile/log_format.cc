// SPDX-License-Identifier: BSD-3-Clause
#include "profile/log_format.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "program/container.h"

namespace openqnn::profile {
namespace {

using program::ByteReader;
using program::checksum_of;
using program::kMajorAt;
using program::kMinorAt;
using program::load_at;
using program::store_at;

// The line feed at the end shows a transfer that rewrites line ends.
constexpr std::string_view kMagic = "OQNNPRF\n";

DiagnosticBuilder damaged(std::string message) {
  return corrupt("profile-log-damaged", std::move(message)).fix_by("copy the file again, or write it again");
}

// A block whose size and checksum hold.
struct Block {
  BlockKind kind;
  uint32_t flags;
  uint64_t offset;  // in the file
  std::span<const std::byte> contents;

  uint64_t end() const { return offset + kBlockHeadBytes + contents.size() + kChecksumBytes; }
};

// Nothing where the file ends inside the block.
Result<std::optional<Block>> block_at(std::span<const std::byte> bytes, uint64_t offset) {
  const uint64_t left = bytes.size() - offset;
  if (left < kBlockHeadBytes + kChecksumBytes) return std::optional<Block>();
  const auto size = load_at<uint64_t>(bytes, offset + 8);
  if (size > left - kBlockHeadBytes - kChecksumBytes) return std::optional<Block>();
  const auto sealed = bytes.subspan(offset, kBlockHeadBytes + size);
  if (checksum_of(sealed) != load_at<uint64_t>(bytes, offset + sealed.size()))
    return damaged(
        concat("the checksum of the block at offset ", offset, " does not match its ", size, " bytes"));
  return std::optional(Block{static_cast<BlockKind>(load_at<uint32_t>(bytes, offset)),
                             load_at<uint32_t>(bytes, offset + 4), offset, sealed.subspan(kBlockHeadBytes)});
}

std::string name_of(const Block& block) {
  switch (block.kind) {
    case BlockKind::kSession:
      return "session";
    case BlockKind::kRecords:
      return "records";
    case BlockKind::kLeftOut:
      return "left out";
  }
  return concat("kind ", static_cast<uint32_t>(block.kind));
}

// Reads the contents of a block into fields, all of it.
template <class... Fields>
Status read_contents(const Block& block, Fields&... fields) {
  ByteReader reader(block.contents, name_of(block), block.offset + kBlockHeadBytes);
  reader(fields...);
  if (std::string problem = reader.finish_in_words(); !problem.empty()) return damaged(std::move(problem));
  return {};
}

// Each event is at most one deeper than the one before it.
Status check_depths(const LogRecord& record, const Block& block) {
  uint32_t deepest = 0;
  for (const LogEvent& event : record.events) {
    if (event.depth > deepest)
      return damaged(concat("the block at offset ", block.offset, " has an event of depth ", event.depth,
                            " where ", deepest, " is the most"));
    deepest = std::min(event.depth + 1, kMaxEventLevels - 1);
  }
  return {};
}

// Hands the contents of blocks to a visitor.
class BlockReader {
 public:
  explicit BlockReader(LogVisitor& visitor) : visitor_(visitor) {}

  Status read(const Block& block) {
    switch (block.kind) {
      case BlockKind::kSession:
        return read_session(block);
      case BlockKind::kRecords:
        return read_records(block);
      case BlockKind::kLeftOut:
        return read_left_out(block);
    }
    if ((block.flags & kBlockRequired) == 0) return {};  // of a newer minor version
    return unsupported("profile-log-block",
                       concat("the block at offset ", block.offset, " is of the unknown kind ",
                              static_cast<uint32_t>(block.kind), ", which the file requires"))
        .fix_by("update openqnn");
  }

 private:
  Status read_session(const Block& block) {
    LogHead head;
    OPENQNN_TRY(read_contents(block, head));
    const size_t number = session_at_.size();
    session_at_[block.offset] = number;
    return visitor_.on_session(number, head);
  }

  Status read_records(const Block& block) {
    uint64_t session_offset = 0;
    std::vector<LogRecord> records;
    OPENQNN_TRY(read_contents(block, session_offset, records));
    OPENQNN_ASSIGN(const size_t session, find(session_offset, block));
    for (LogRecord& record : records) {
      OPENQNN_TRY(check_depths(record, block));
      OPENQNN_TRY(visitor_.on_record(session, std::move(record)));
    }
    return {};
  }

  Status read_left_out(const Block& block) {
    uint64_t session_offset = 0;
    uint64_t count = 0;
    OPENQNN_TRY(read_contents(block, session_offset, count));
    OPENQNN_ASSIGN(const size_t session, find(session_offset, block));
    return visitor_.on_left_out(session, count);
  }

  Result<size_t> find(uint64_t session_offset, const Block& block) {
    const auto found = session_at_.find(session_offset);
    if (found != session_at_.end()) return found->second;
    return damaged(concat("the block at offset ", block.offset, " belongs to a session at offset ",
                          session_offset, ", where there is none"));
  }

  LogVisitor& visitor_;
  std::map<uint64_t, size_t> session_at_;  // its number, by the offset of its block
};

// Keeps all that a log holds.
class Collector : public LogVisitor {
 public:
  explicit Collector(ProfileLog& log) : log_(log) {}

  Status on_session(size_t /*session*/, const LogHead& head) override {
    log_.sessions.emplace_back().head = head;
    return {};
  }
  Status on_record(size_t session, LogRecord record) override {
    log_.sessions[session].records.push_back(std::move(record));
    return {};
  }
  Status on_left_out(size_t session, uint64_t count) override {
    log_.sessions[session].left_out = count;
    return {};
  }

 private:
  ProfileLog& log_;
};

}  // namespace

bool is_profile_log(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()), kMagic.size()) == kMagic;
}

std::vector<std::byte> log_head() {
  std::vector<std::byte> head(kLogHeadBytes);
  std::ranges::copy(std::as_bytes(std::span(kMagic)), head.begin());
  store_at(head, kMajorAt, kLogMajor);
  store_at(head, kMinorAt, kLogMinor);
  return head;
}

Status check_log_head(std::span<const std::byte> bytes) {
  if (!is_profile_log(bytes))
    return unsupported("profile-log-foreign",
                       "this is not a profile log of openqnn; the vendor's logs have another format, which "
                       "is not public")
        .fix_by("pass a log that openqnn's libQnnSystem.so wrote");
  if (bytes.size() < kLogHeadBytes)
    return damaged(concat("the file ends at offset ", bytes.size(), ", inside its head"));
  const auto major = load_at<uint32_t>(bytes, kMajorAt);
  if (major == kLogMajor) return {};
  return unsupported("profile-log-version",
                     concat("the profile log has format ", major, ".", load_at<uint32_t>(bytes, kMinorAt),
                            "; this version reads and continues format ", kLogMajor))
      .fix_by("use the version of openqnn that wrote it");
}

std::vector<std::byte> make_block(BlockKind kind, std::span<const std::byte> contents) {
  const size_t sealed = kBlockHeadBytes + contents.size();
  std::vector<std::byte> block(sealed + kChecksumBytes);
  store_at(block, 0, static_cast<uint32_t>(kind));
  store_at(block, 4, kBlockRequired);
  store_at(block, 8, uint64_t{contents.size()});
  std::ranges::copy(contents, block.begin() + kBlockHeadBytes);
  store_at(block, sealed, checksum_of(std::span(block).first(sealed)));
  return block;
}

void seal_log(std::span<std::byte> bytes) {
  uint64_t offset = kLogHeadBytes;
  while (offset + kBlockHeadBytes + kChecksumBytes <= bytes.size()) {
    const auto size = load_at<uint64_t>(bytes, offset + 8);
    if (size > bytes.size() - offset - kBlockHeadBytes - kChecksumBytes) return;
    const uint64_t sealed = kBlockHeadBytes + size;
    store_at(bytes, offset + sealed, checksum_of(bytes.subspan(offset, sealed)));
    offset += sealed + kChecksumBytes;
  }
}

Result<LogExtent> visit_profile_log(std::span<const std::byte> bytes, LogVisitor& visitor,
                                    const std::function<void(std::span<const std::byte>)>& passed) {
  OPENQNN_TRY(check_log_head(bytes));
  LogExtent extent{load_at<uint32_t>(bytes, kMajorAt), load_at<uint32_t>(bytes, kMinorAt), std::nullopt};
  BlockReader reader(visitor);
  for (uint64_t offset = kLogHeadBytes; offset < bytes.size();) {
    OPENQNN_ASSIGN(const std::optional<Block> block, block_at(bytes, offset));
    if (!block) {
      extent.cut_at = offset;
      return extent;
    }
    OPENQNN_TRY(reader.read(*block));
    if (passed) passed(bytes.subspan(offset, block->end() - offset));
    offset = block->end();
  }
  return extent;
}

Result<ProfileLog> read_profile_log(std::span<const std::byte> bytes) {
  ProfileLog log;
  Collector collector(log);
  OPENQNN_ASSIGN(log.extent, visit_profile_log(bytes, collector));
  return log;
}

std::string cut_text(uint64_t cut_at) {
  return concat("the file ends inside the block at offset ", cut_at,
                ", so the run that wrote it was killed or the copy is not whole; all before it is read");
}

}  // namespace openqnn::profile
