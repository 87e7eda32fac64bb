// SPDX-License-Identifier: BSD-3-Clause
#include "json/text.h"

#include <cstring>

namespace openqnn::json {
namespace {

// On the heap the length stands before the bytes.
char* block_of(const char* bytes) {
  char* block = nullptr;
  std::memcpy(&block, bytes, sizeof block);
  return block;
}

}  // namespace

Text& Text::operator=(const Text& other) {
  if (this != &other) *this = Text(other);
  return *this;
}

void Text::assign(std::string_view text) {
  if (text.size() <= kInline) {
    if (!text.empty()) std::memcpy(bytes_, text.data(), text.size());
    bytes_[kInline] = static_cast<char>(text.size());
    return;
  }
  const size_t length = text.size();
  char* const block = new char[sizeof length + length];  // NOLINT: owned; release_heap() gives it back
  std::memcpy(block, &length, sizeof length);
  std::memcpy(block + sizeof length, text.data(), length);
  std::memcpy(bytes_, &block, sizeof block);
  bytes_[kInline] = static_cast<char>(kOnHeap);
}

std::string_view Text::heap_view() const {
  const char* const block = block_of(bytes_);
  size_t length = 0;
  std::memcpy(&length, block, sizeof length);
  return {block + sizeof length, length};
}

void Text::release_heap() { delete[] block_of(bytes_); }

}  // namespace openqnn::json
