// SPDX-License-Identifier: BSD-3-Clause
// Fields to bytes and back. A struct is described once, by a function template describe(archive, struct) that
// hands its fields to the archive in order; ByteWriter and ByteReader are the two archives. Integers are
// little-endian and of fixed width, floats their IEEE bits, texts and lists a u32 count and their elements.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace openqnn::program {

// Names longer than this are refused, here and by the verifier.
inline constexpr size_t kMaxText = 65535;

template <std::unsigned_integral T>
T load_little_endian(const std::byte* from) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(value | static_cast<T>(static_cast<T>(from[i]) << (8 * i)));
  return value;
}

template <std::unsigned_integral T>
void store_little_endian(std::byte* to, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) to[i] = static_cast<std::byte>(value >> (8 * i));
}

// The same at a place in bytes that have it.
template <std::unsigned_integral T>
T load_at(std::span<const std::byte> bytes, size_t at) {
  return load_little_endian<T>(bytes.data() + at);
}

template <std::unsigned_integral T>
void store_at(std::span<std::byte> bytes, size_t at, T value) {
  store_little_endian(bytes.data() + at, value);
}

// As reserved bytes and padding must be.
inline bool all_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

// XXH3-64. It finds damage and is no signature. A seed chains the checksums of several pieces.
uint64_t checksum_of(std::span<const std::byte> bytes, uint64_t seed = 0);

// The fields that describe() names are const when they are written.
template <class Archive, class T>
using Field = std::conditional_t<Archive::kReads, T, const T>;

class ByteWriter {
 public:
  static constexpr bool kReads = false;

  template <class... Fields>
  void operator()(const Fields&... fields) {
    (write(fields), ...);
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  template <class T>
  void write(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      put<uint8_t>(value ? 1 : 0);
    } else if constexpr (std::is_integral_v<T>) {
      put(static_cast<std::make_unsigned_t<T>>(value));
    } else if constexpr (std::is_same_v<T, std::byte>) {
      bytes_.push_back(value);
    } else if constexpr (std::is_same_v<T, float>) {
      put(std::bit_cast<uint32_t>(value));
    } else {
      describe(*this, value);
    }
  }

  void write(const std::string& text) {
    put(static_cast<uint32_t>(text.size()));
    const std::byte* data = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), data, data + text.size());
  }

  template <class T>
  void write(const std::vector<T>& list) {
    put(static_cast<uint32_t>(list.size()));
    for (const T& element : list) write(element);
  }

  void write(const std::vector<std::byte>& list) {
    put(static_cast<uint32_t>(list.size()));
    bytes_.insert(bytes_.end(), list.begin(), list.end());
  }

  template <class T>
  void put(T value) {
    std::array<std::byte, sizeof(T)> little;
    store_little_endian(little.data(), value);
    bytes_.insert(bytes_.end(), little.begin(), little.end());
  }

  std::vector<std::byte> bytes_;
};

// The bytes of an element with nothing in its lists and texts: no element of T takes fewer.
template <class T>
size_t fewest_bytes() {
  static const size_t kBytes = [] {
    ByteWriter writer;
    writer(T{});
    return writer.bytes().size();
  }();
  return kBytes;
}

// Reads what ByteWriter wrote. The first failure sticks: later fields read as zero and empty, so describe()
// needs no checks; the caller asks finish() once.
class ByteReader {
 public:
  static constexpr bool kReads = true;

  // `file_offset` is where `bytes` begin in the file, for messages.
  ByteReader(std::span<const std::byte> bytes, std::string section, uint64_t file_offset)
      : bytes_(bytes), section_(std::move(section)), file_offset_(file_offset) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (read(fields), ...);
  }

  void fail(std::string problem) {
    if (!problem_.empty()) return;
    problem_ = std::move(problem);
    failed_at_ = at_;
  }
  bool failed() const { return !problem_.empty(); }

  // The failure in words, or that bytes are left over; empty when everything was read.
  std::string finish_in_words() {
    if (!failed() && at_ != bytes_.size())
      fail(concat(bytes_.size() - at_, " bytes are left after the last field"));
    if (!failed()) return "";
    return concat("section '", section_, "': ", problem_, " at file offset ", file_offset_ + failed_at_);
  }
  // The same as a failure of a context binary.
  Status finish() {
    std::string words = finish_in_words();
    if (words.empty()) return {};
    return corrupt("context-section", std::move(words))
        .fix_by("prepare the model again, or copy the file again");
  }

 private:
  template <class T>
  void read(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      const auto stored = get<uint8_t>();
      if (stored > 1) fail(concat("a truth value is ", +stored));
      value = stored == 1;
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(get<std::make_unsigned_t<T>>());
    } else if constexpr (std::is_same_v<T, std::byte>) {
      value = static_cast<std::byte>(get<uint8_t>());
    } else if constexpr (std::is_same_v<T, float>) {
      value = std::bit_cast<float>(get<uint32_t>());
    } else {
      describe(*this, value);
    }
  }

  void read(std::string& text) {
    const auto size = get<uint32_t>();
    if (size > kMaxText) fail(concat("a text of ", size, " bytes is longer than ", kMaxText));
    const std::span<const std::byte> bytes = take(size);
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  template <class T>
  void read(std::vector<T>& list) {
    list.clear();
    const auto count = get<uint32_t>();
    // Before anything is allocated: a count is believed only as far as the bytes that follow can bear it out.
    if (count > left() / fewest_bytes<T>()) {
      fail(concat("a list of ", count, " elements does not fit in the ", left(), " bytes that remain"));
      return;
    }
    list.resize(count);
    for (T& element : list) {
      if (failed()) return;
      read(element);
    }
  }

  void read(std::vector<std::byte>& list) {
    const std::span<const std::byte> bytes = take(get<uint32_t>());
    list.assign(bytes.begin(), bytes.end());
  }

  template <class T>
  T get() {
    const std::span<const std::byte> bytes = take(sizeof(T));
    return bytes.empty() ? T{0} : load_little_endian<T>(bytes.data());
  }

  // The next `size` bytes, or none after a failure.
  std::span<const std::byte> take(size_t size) {
    if (!failed() && size > left()) fail(concat("it ends inside a field of ", size, " bytes"));
    if (failed()) return {};
    const std::span<const std::byte> taken = bytes_.subspan(at_, size);
    at_ += size;
    return taken;
  }

  size_t left() const { return bytes_.size() - at_; }

  std::span<const std::byte> bytes_;
  std::string section_;
  uint64_t file_offset_;
  size_t at_ = 0;
  std::string problem_;
  size_t failed_at_ = 0;
};

}  // namespace openqnn::program
