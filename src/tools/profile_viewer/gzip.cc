// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profile_viewer/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "base/text.h"

namespace openqnn::tools {

struct Gzip::Stream {
  z_stream zlib = {};
  int state = Z_OK;  // of the last call
};

Gzip::Gzip(WritePiece piece)
    : piece_(std::move(piece)), stream_(std::make_unique<Stream>()), buffer_(64 * 1024) {
  constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for gzip
  constexpr int kMemory = 9;            // the most; the file gets smaller
  // The best there is: a trace is written once, and a tenth smaller than with the default.
  stream_->state =
      deflateInit2(&stream_->zlib, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY);
}

Gzip::~Gzip() { deflateEnd(&stream_->zlib); }

Status Gzip::run(std::span<const std::byte> bytes, int flush) {
  z_stream& zlib = stream_->zlib;
  zlib.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));  // NOLINT: zlib's type
  zlib.avail_in = static_cast<uInt>(bytes.size());
  do {
    if (stream_->state != Z_OK && stream_->state != Z_BUF_ERROR)
      return system_failure("gzip", concat("zlib cannot compress: error ", stream_->state))
          .fix_by("write the file without compression");
    zlib.next_out = reinterpret_cast<Bytef*>(buffer_.data());
    zlib.avail_out = static_cast<uInt>(buffer_.size());
    stream_->state = deflate(&zlib, flush);
    OPENQNN_TRY(piece_(std::span(buffer_).first(buffer_.size() - zlib.avail_out)));
  } while (zlib.avail_out == 0 || (flush == Z_FINISH && stream_->state != Z_STREAM_END));
  return {};
}

Status Gzip::add(std::span<const std::byte> bytes) {
  constexpr size_t kMost = size_t{1} << 30;  // zlib counts in 32 bits
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), kMost));
    OPENQNN_TRY(run(part, Z_NO_FLUSH));
    bytes = bytes.subspan(part.size());
  }
  return {};
}

Status Gzip::finish() { return run({}, Z_FINISH); }

}  // namespace openqnn::tools
