// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profile_viewer/request.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/units.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/program_options.h"

namespace openqnn::tools {

Status visit_log(const std::string& path, const ReaderRequest& request, profile::LogVisitor& visitor) {
  OPENQNN_TRY(expect_kind(path, {FileKind::kProfileLog}));
  OPENQNN_ASSIGN(const auto file, MappedFile::open(path));
  constexpr uint64_t kHeld = 16 * kMiB;  // so much of a log stays in memory behind what is read
  std::span<const std::byte> behind = file->bytes().first(0);
  const auto passed = [&](std::span<const std::byte> block) {
    behind = {behind.data(), block.data() + block.size()};
    if (behind.size() < kHeld) return;
    file->release(behind);
    behind = behind.last(0);
  };
  auto extent = profile::visit_profile_log(file->bytes(), visitor, passed);
  if (!extent) {
    Diagnostic failure = std::move(extent).error();
    if (failure.where.empty()) failure.where = {path};
    return failure;
  }
  if (extent->cut_at) request.warn(concat(path, ": ", profile::cut_text(*extent->cut_at)));
  return {};
}

Status visit_logs(const ReaderRequest& request, profile::LogVisitor& visitor) {
  for (const std::string& path : request.logs) OPENQNN_TRY(visit_log(path, request, visitor));
  return {};
}

Status LabelledText::on_record(size_t session, profile::LogRecord record) {
  if (profile::is_execution(record) && !is_labelled_) {
    is_labelled_ = true;
    OPENQNN_TRY(print_(profile::is_simulated(record)
                           ? "Times and cycles are simulated by a model of the NPU.\n\n"
                           : "All times were measured on the host; none is of the NPU.\n\n"));
  }
  return HtpText::on_record(session, std::move(record));
}

namespace {

constexpr std::string_view kGzipEnding = ".gz";

// Compresses what is added and hands it on. The same bytes give the same file: it has no name and no time in
// it.
class Gzip {
 public:
  explicit Gzip(WritePiece piece) : piece_(std::move(piece)), buffer_(64 * 1024) {
    constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for gzip
    constexpr int kMemory = 9;            // the most; the file gets smaller
    // The best there is: a trace is written once, and a tenth smaller than with the default.
    state_ = deflateInit2(&zlib_, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY);
  }
  ~Gzip() { deflateEnd(&zlib_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Status add(std::span<const std::byte> bytes) {
    constexpr size_t kMost = size_t{1} << 30;  // zlib counts in 32 bits
    while (!bytes.empty()) {
      const auto part = bytes.first(std::min(bytes.size(), kMost));
      OPENQNN_TRY(run(part, Z_NO_FLUSH));
      bytes = bytes.subspan(part.size());
    }
    return {};
  }
  Status finish() { return run({}, Z_FINISH); }

 private:
  Status run(std::span<const std::byte> bytes, int flush) {
    zlib_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));  // NOLINT: zlib's type
    zlib_.avail_in = static_cast<uInt>(bytes.size());
    do {
      if (state_ != Z_OK && state_ != Z_BUF_ERROR)
        return system_failure("gzip", concat("zlib cannot compress: error ", state_))
            .fix_by("write the file without compression");
      zlib_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      zlib_.avail_out = static_cast<uInt>(buffer_.size());
      state_ = deflate(&zlib_, flush);
      OPENQNN_TRY(piece_(std::span(buffer_).first(buffer_.size() - zlib_.avail_out)));
    } while (zlib_.avail_out == 0 || (flush == Z_FINISH && state_ != Z_STREAM_END));
    return {};
  }

  WritePiece piece_;
  std::vector<std::byte> buffer_;
  z_stream zlib_ = {};
  int state_ = Z_OK;  // of the last call
};

// Whether a file of this name is compressed: it was asked for, or the name ends so.
bool wants_gzip(const ReaderRequest& request, const std::string& path) {
  return request.gzip || path.ends_with(kGzipEnding);
}

}  // namespace

std::string file_name(const ReaderRequest& request, const std::string& path) {
  return wants_gzip(request, path) && !path.ends_with(kGzipEnding) ? concat(path, kGzipEnding) : path;
}

Status write_output(const ReaderRequest& request, const std::string& path,
                    const std::function<Status(const profile::Print&)>& produce) {
  const std::string name = file_name(request, path);
  std::vector<std::string> inputs = request.logs;
  for (const std::string& other : {request.schematic, request.dlc, request.config}) inputs.push_back(other);
  OPENQNN_TRY(refuse_own_input(name, inputs));
  const std::string_view verb = written_verb(name);
  const bool is_compressed = wants_gzip(request, path);
  const auto write = [&](const WritePiece& piece) -> Status {
    if (!is_compressed)
      return produce([&](std::string_view text) { return piece(std::as_bytes(std::span(text))); });
    Gzip gzip(piece);
    OPENQNN_TRY(produce([&](std::string_view text) { return gzip.add(std::as_bytes(std::span(text))); }));
    return gzip.finish();
  };
  OPENQNN_TRY(write_file(name, write));
  request.info(concat(verb, " ", shown(name)));
  return {};
}

Status write_output(const ReaderRequest& request, const std::string& path, std::string_view text) {
  return write_output(request, path, [&](const profile::Print& print) { return print(text); });
}

}  // namespace openqnn::tools
