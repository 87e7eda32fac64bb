// SPDX-License-Identifier: BSD-3-Clause
#include "profile/log_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "profile/events.h"
#include "profile/log_format.h"
#include "profile/op_trace.h"
#include "profile/schematic.h"

namespace openqnn::profile {
namespace {

using program::ByteWriter;

// What is there may be continued: nothing, or a log that this version can read.
Status check_continuable(const AppendableFile& file) {
  std::vector<std::byte> head(std::min<uint64_t>(file.size(), kLogHeadBytes));
  OPENQNN_TRY(file.read(0, head));
  return check_log_head(head);
}

constexpr uint64_t kAroundContents = kBlockHeadBytes + kChecksumBytes;

// Whether what lies `left` bytes before the file's end looks like the head of a block that fits.
bool could_be_block(std::span<const std::byte> head, uint64_t left) {
  const auto kind = static_cast<BlockKind>(program::load_at<uint32_t>(head, 0));
  const bool known =
      kind == BlockKind::kSession || kind == BlockKind::kRecords || kind == BlockKind::kLeftOut;
  return known && left >= kAroundContents && program::load_at<uint64_t>(head, 8) <= left - kAroundContents;
}

// Looks for a whole block anywhere behind `from`. Where the bytes are such that looking would take long, one
// is taken to be there.
Result<bool> has_block_behind(const AppendableFile& file, uint64_t from) {
  constexpr size_t kWindow = 1 << 20;
  uint64_t most_checked = 16 * file.size();
  std::vector<std::byte> window;
  std::vector<std::byte> block;
  for (; file.size() - from >= kAroundContents; from += window.size() - kBlockHeadBytes + 1) {
    window.resize(std::min<uint64_t>(file.size() - from, kWindow));
    OPENQNN_TRY(file.read(from, window));
    for (size_t at = 0; at + kBlockHeadBytes <= window.size(); ++at) {
      const auto head = std::span(window).subspan(at);
      if (!could_be_block(head, file.size() - from - at)) continue;
      block.resize(program::load_at<uint64_t>(head, 8) + kAroundContents);
      if (block.size() > most_checked) return true;
      most_checked -= block.size();
      OPENQNN_TRY(file.read(from + at, block));
      const size_t sealed = block.size() - kChecksumBytes;
      if (program::checksum_of(std::span(block).first(sealed)) == program::load_at<uint64_t>(block, sealed))
        return true;
    }
  }
  return false;
}

// Cuts off what a writer left that was killed inside a block: the next one would lie inside it. The blocks
// up to `end` are known to be whole.
Status drop_torn_block(AppendableFile& file, uint64_t end) {
  while (file.size() - end >= kAroundContents) {
    std::array<std::byte, kBlockHeadBytes> head;
    OPENQNN_TRY(file.read(end, head));
    const auto size = program::load_at<uint64_t>(head, 8);
    if (size > file.size() - end - kAroundContents) break;
    end += kAroundContents + size;
  }
  if (end == file.size()) return {};
  OPENQNN_ASSIGN(const bool more_follows, has_block_behind(file, end + 1));
  if (!more_follows) return file.cut(end);
  return corrupt("profile-log-damaged", concat("the block at offset ", end,
                                               " does not end inside the profile log, but others follow it"))
      .fix_by("move the file away, or name another");
}

template <class... Fields>
std::vector<std::byte> block_of(BlockKind kind, const Fields&... fields) {
  ByteWriter writer;
  writer(fields...);
  return make_block(kind, writer.bytes());
}

// Adds the path to a failure that does not name one yet.
Diagnostic in_file(Diagnostic diagnostic, const std::filesystem::path& path) {
  if (diagnostic.where.empty()) diagnostic.where.object = path.string();
  return diagnostic;
}

// ---- A log of events that no client serialized

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

// A whole log of one session.
std::vector<std::byte> log_bytes(LogHead head, const std::vector<LogRecord>& records) {
  head.producer = OPENQNN_VERSION;
  std::vector<std::byte> bytes = log_head();
  const auto session_at = static_cast<uint64_t>(bytes.size());
  for (const std::vector<std::byte>& block :
       {block_of(BlockKind::kSession, head), block_of(BlockKind::kRecords, session_at, records)})
    bytes.insert(bytes.end(), block.begin(), block.end());
  return bytes;
}

}  // namespace

Result<LogWriter> LogWriter::begin(std::filesystem::path path, LogHead head) {
  head.producer = OPENQNN_VERSION;
  OPENQNN_ASSIGN(AppendableFile file, AppendableFile::open(path, AppendableFile::IfMissing::kCreate));
  std::vector<std::byte> added;
  if (file.size() == 0) {
    added = log_head();
  } else {
    Status status = check_continuable(file);
    if (status) status = drop_torn_block(file, kLogHeadBytes);
    if (!status) return in_file(std::move(status).error(), path);
  }
  const std::vector<std::byte> block = block_of(BlockKind::kSession, head);
  const uint64_t offset = file.size() + added.size();
  added.insert(added.end(), block.begin(), block.end());
  OPENQNN_TRY(file.append(added));
  return LogWriter(std::move(path), offset, std::make_unique<LastBlock>(block, offset + block.size()));
}

Status LogWriter::add(const std::vector<LogRecord>& records) const {
  return append(block_of(BlockKind::kRecords, session_, records));
}

Status LogWriter::add_left_out(uint64_t count) const {
  return append(block_of(BlockKind::kLeftOut, session_, count));
}

LogWriter::LastBlock::LastBlock(std::span<const std::byte> block, uint64_t its_end) { set(block, its_end); }

void LogWriter::LastBlock::set(std::span<const std::byte> block, uint64_t its_end) {
  end = its_end;
  checksum.assign(block.end() - kChecksumBytes, block.end());
}

Result<bool> LogWriter::LastBlock::is_in(const AppendableFile& file) const {
  if (file.size() < end) return false;
  std::vector<std::byte> there(kChecksumBytes);
  OPENQNN_TRY(file.read(end - kChecksumBytes, there));
  return there == checksum;
}

Status LogWriter::append(std::span<const std::byte> block) const {
  const std::lock_guard lock(last_->mutex);
  OPENQNN_ASSIGN(AppendableFile file, AppendableFile::open(path_, AppendableFile::IfMissing::kFail));
  OPENQNN_ASSIGN(const bool is_same_file, last_->is_in(file));
  if (!is_same_file)
    return invalid("profile-log-replaced",
                   "the profile log was emptied or replaced since the target was created")
        .at(path_.string())
        .fix_by("create the target after the file was emptied");
  if (Status status = drop_torn_block(file, last_->end); !status)
    return in_file(std::move(status).error(), path_);
  OPENQNN_TRY(file.append(block));
  last_->set(block, file.size());
  return {};
}

std::vector<std::byte> execution_log(const program::Program& program, const sim::Timeline& timeline,
                                     LogHead head) {
  const std::array<const program::Program*, 1> programs = {&program};
  std::vector<ProfileEvent> execute = execute_events(program, timeline, Level::kDetailed);
  execute.push_back(op_trace_event(0, program, timeline));
  return log_bytes(std::move(head),
                   {record_of(kFinalizeMethod, program.graph, {schematic_event(program.graph, programs)}),
                    record_of(kExecuteMethod, program.graph, execute)});
}

}  // namespace openqnn::profile
