// SPDX-License-Identifier: BSD-3-Clause
#include "base/zero_pages.h"

#include <sys/mman.h>

#include <algorithm>

namespace openqnn {

std::shared_ptr<ZeroPages> ZeroPages::of(size_t size) {
  const size_t mapped = std::max<size_t>(size, 1);
  void* const address =
      ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  return std::shared_ptr<ZeroPages>(new ZeroPages({static_cast<std::byte*>(address), size}));
}

ZeroPages::~ZeroPages() { ::munmap(bytes_.data(), std::max<size_t>(bytes_.size(), 1)); }

}  // namespace openqnn
