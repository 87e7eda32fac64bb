// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profile_viewer/request.h"

#include "base/files.h"
#include "base/text.h"
#include "base/units.h"
#include "tools/console.h"
#include "tools/file_kind.h"
#include "tools/profile_viewer/gzip.h"
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

}  // namespace

bool wants_gzip(const ReaderRequest& request, const std::string& path) {
  return request.gzip || path.ends_with(kGzipEnding);
}

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
