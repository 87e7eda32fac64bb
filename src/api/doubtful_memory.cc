// SPDX-License-Identifier: BSD-3-Clause
#include "api/doubtful_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace openqnn::api {
namespace {

constexpr size_t kMostCustomBytes = 64;

}  // namespace

bool read_doubtful(const void* address, void* to, size_t bytes) {
  iovec from{const_cast<void*>(address), bytes};  // NOLINT: iovec serves both ways
  iovec into{to, bytes};
  const ssize_t read = process_vm_readv(getpid(), &into, 1, &from, 1, 0);
  if (read < 0 && errno != EFAULT) {  // a process that must not look at itself this way has to trust
    std::memcpy(to, address, bytes);
    return true;
  }
  return read == static_cast<ssize_t>(bytes);
}

Outcome<> check_custom_config(const void* config, Qnn_ErrorHandle_t code, size_t bytes) {
  if (!config) return null_argument(code, "customConfig");
  std::array<std::byte, kMostCustomBytes> copy{};
  if (read_doubtful(config, copy.data(), std::min(bytes, copy.size()))) return {};
  return ApiError(code,
                  invalid("custom-config", "customConfig points to no memory")
                      .fix_by("set the option to CUSTOM, and customConfig to the address of the HTP struct"));
}

// In pieces that no page boundary divides: what lies beyond the text need not be memory.
std::optional<std::string> doubtful_text(const char* address, size_t most) {
  constexpr size_t kPiece = 64;
  std::string text;
  while (text.size() < most) {
    // As a number: the address may be anything, and a pointer must not be moved beyond what it points into.
    const uintptr_t place = reinterpret_cast<uintptr_t>(address) + text.size();
    const size_t bytes = std::min(kPiece - place % kPiece, most - text.size());
    std::array<char, kPiece> piece{};
    if (!read_doubtful(reinterpret_cast<const void*>(place), piece.data(), bytes))  // NOLINT
      return std::nullopt;
    const size_t length = strnlen(piece.data(), bytes);
    text.append(piece.data(), length);
    if (length < bytes) break;
  }
  return text;
}

}  // namespace openqnn::api
