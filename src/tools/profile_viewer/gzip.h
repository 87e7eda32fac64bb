// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/files.h"

namespace openqnn::tools {

// Compresses what is added and hands it on. The same bytes give the same file: it has no name and no time in
// it.
class Gzip {
 public:
  explicit Gzip(WritePiece piece);
  ~Gzip();
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Status add(std::span<const std::byte> bytes);
  Status finish();

 private:
  struct Stream;  // zlib's
  Status run(std::span<const std::byte> bytes, int flush);

  WritePiece piece_;
  std::unique_ptr<Stream> stream_;
  std::vector<std::byte> buffer_;
};

}  // namespace openqnn::tools
