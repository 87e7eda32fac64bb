// SPDX-License-Identifier: BSD-3-Clause
// What a client may or may not have put where a pointer points: an option whose number is wrong leaves
// another option's bits where the pointer should be. Looking there must not crash.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>

#include "api/answer.h"

namespace openqnn::api {

// Copies from `address`; false, and nothing copied, when not all of it is memory.
bool read_doubtful(const void* address, void* to, size_t bytes);

template <class T>
std::optional<T> doubtful(const void* address) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  return read_doubtful(address, &value, sizeof value) ? std::optional<T>(value) : std::nullopt;
}

// A custom option as a client points to it: `code` when there is none. Every struct of custom options begins
// with its number and is at least this large.
inline constexpr size_t kLeastCustomBytes = 8;
Outcome<> check_custom_config(const void* config, Qnn_ErrorHandle_t code, size_t bytes = kLeastCustomBytes);

inline constexpr size_t kShortText = 32;
// The text at `address`, at most so many characters of it. Nothing when there is no memory.
std::optional<std::string> doubtful_text(const char* address, size_t most = kShortText);

}  // namespace openqnn::api
