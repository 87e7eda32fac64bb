// SPDX-License-Identifier: BSD-3-Clause
// Memory that is zero, and takes none until somebody writes to it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace openqnn {

class ZeroPages {
 public:
  // Null when there is no such stretch of addresses.
  static std::shared_ptr<ZeroPages> of(size_t size);
  ~ZeroPages();
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  explicit ZeroPages(std::span<std::byte> bytes) : bytes_(bytes) {}
  std::span<std::byte> bytes_;
};

}  // namespace openqnn
