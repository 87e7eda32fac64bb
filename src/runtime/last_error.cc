// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/last_error.h"

#include <algorithm>
#include <cstring>

namespace openqnn::runtime {
namespace {

// Plain bytes: a thread_local with a destructor would keep the library from being unloaded while threads
// live.
struct Remembered {
  uint64_t code;
  uint64_t used;  // when; 0 for an entry never used
  uint32_t length;
  char text[1004];
};
constexpr size_t kRemembered = 4;
thread_local Remembered g_recent[kRemembered];
thread_local uint64_t g_clock;

Remembered* find(uint64_t code) {
  for (Remembered& entry : g_recent)
    if (entry.code == code && entry.length) return &entry;
  return nullptr;
}

}  // namespace

void remember_error(uint64_t code, std::string_view sentence) {
  Remembered* entry = find(code);
  if (!entry)
    entry = std::min_element(g_recent, g_recent + kRemembered,
                             [](const Remembered& a, const Remembered& b) { return a.used < b.used; });
  entry->code = code;
  entry->used = ++g_clock;
  size_t length = std::min(sentence.size(), sizeof entry->text);
  // Never half of a character: a byte 10xxxxxx continues one.
  while (length > 0 && length < sentence.size() && (static_cast<uint8_t>(sentence[length]) & 0xC0) == 0x80)
    --length;
  entry->length = static_cast<uint32_t>(length);
  std::memcpy(entry->text, sentence.data(), length);
}

std::string_view last_error(uint64_t code) {
  const Remembered* entry = find(code);
  return entry ? std::string_view(entry->text, entry->length) : std::string_view();
}

}  // namespace openqnn::runtime
