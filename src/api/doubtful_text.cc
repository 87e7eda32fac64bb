// SPDX-License-Identifier: BSD-3-Clause
#include "api/doubtful_text.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace openqnn::api {

std::optional<std::string> doubtful_text(const char* address) {
  constexpr size_t kMost = 32;
  std::array<char, kMost> copy{};
  std::array<iovec, kMost> from{};  // one a character: what lies beyond the text need not be readable
  // As numbers: the address may be anything, and a pointer must not be moved beyond what it points into.
  const auto place = reinterpret_cast<uintptr_t>(address);
  for (size_t i = 0; i < kMost; ++i) from[i] = {reinterpret_cast<void*>(place + i), 1};  // NOLINT
  iovec to{copy.data(), kMost};
  const ssize_t read = process_vm_readv(getpid(), &to, 1, from.data(), kMost, 0);
  if (read < 0 && errno != EFAULT) return std::string(address, strnlen(address, kMost));  // not allowed here
  if (read <= 0) return std::nullopt;
  const auto end = std::find(copy.begin(), copy.begin() + read, '\0');
  return std::string(copy.begin(), end);
}

}  // namespace openqnn::api
