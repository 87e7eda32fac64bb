// SPDX-License-Identifier: BSD-3-Clause
#include "base/crc32.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "base/split_mix.h"

namespace openqnn {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Crc32, IsTheOneOfZip) {
  EXPECT_EQ(crc32_of(bytes_of("123456789")), 0xCBF43926U);
  EXPECT_EQ(crc32_of(bytes_of("6789"), crc32_of(bytes_of("12345"))), 0xCBF43926U);
  EXPECT_EQ(crc32_of({}), 0U);
}

TEST(Crc32, IsTheSameOnEveryIsa) {
  std::vector<std::byte> bytes(1000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(split_mix(i));
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const auto some = std::span(bytes).first(size);
    const auto former = static_cast<uint32_t>(split_mix(~size));
    EXPECT_EQ(crc32_of(some, former), crc32_of(some, former, Isa::kPortable)) << size;
  }
}

}  // namespace
}  // namespace openqnn
