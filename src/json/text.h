// SPDX-License-Identifier: BSD-3-Clause
// The text of a key, a string or a number.
#pragma once

#include <compare>
#include <concepts>
#include <cstring>
#include <string>
#include <string_view>

namespace openqnn::json {

// Half as large as a std::string and as roomy for short texts, which nearly all keys and numbers are: a large
// file becomes very many of them, and what does not fit a cache is what reading it costs (bench/README.md).
class Text {
 public:
  Text() = default;
  Text(std::string_view text) { assign(text); }             // NOLINT: meant to convert
  Text(const std::string& text) { assign(text); }           // NOLINT
  Text(const char* text) : Text(std::string_view(text)) {}  // NOLINT
  // The first `length` bytes of `source`, which is faster the further it goes on behind them.
  Text(std::string_view source, size_t length) {
    if (length <= kInline && source.size() >= kSize) {
      std::memcpy(bytes_, source.data(), kSize);  // of a fixed size: two moves instead of a call
      bytes_[kInline] = static_cast<char>(length);
    } else {
      assign(source.substr(0, length));
    }
  }
  Text(const Text& other) { assign(other.view()); }
  Text(Text&& other) noexcept { take(other); }
  Text& operator=(const Text& other);
  Text& operator=(Text&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~Text() { release(); }

  std::string_view view() const { return on_heap() ? heap_view() : std::string_view(bytes_, last()); }
  operator std::string_view() const { return view(); }  // NOLINT: meant to convert
  std::string str() const { return std::string(view()); }
  size_t size() const { return view().size(); }
  bool empty() const { return last() == 0; }

  template <std::convertible_to<std::string_view> Other>
  friend bool operator==(const Text& a, const Other& b) {
    return a.view() == std::string_view(b);
  }
  friend auto operator<=>(const Text& a, const Text& b) { return a.view() <=> b.view(); }

 private:
  static constexpr size_t kSize = 16;
  static constexpr size_t kInline = kSize - 1;
  static constexpr unsigned char kOnHeap = 0xff;

  // The last byte counts the inline bytes before it, or says that the first eight point to the heap.
  unsigned char last() const { return static_cast<unsigned char>(bytes_[kInline]); }
  bool on_heap() const { return last() == kOnHeap; }
  void assign(std::string_view text);  // into what holds nothing on the heap
  void take(Text& other) noexcept {    // likewise; leaves the other empty
    std::memcpy(bytes_, other.bytes_, kSize);
    other.bytes_[kInline] = 0;
  }
  std::string_view heap_view() const;
  void release() {
    if (on_heap()) release_heap();
  }
  void release_heap();

  alignas(void*) char bytes_[kSize] = {};
};

}  // namespace openqnn::json
