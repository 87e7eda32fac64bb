// SPDX-License-Identifier: BSD-3-Clause
#include "base/blob.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/files.h"

namespace openqnn {
namespace {

std::vector<std::byte> bytes_of(size_t count, int value) {
  return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

uint64_t resident_pages() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident;
}

TEST(Blob, CopiesShareTheirBytes) {
  const Blob one = Blob::of(bytes_of(3, 7));
  const Blob other = one;  // NOLINT(performance-unnecessary-copy-initialization): the copy is what is tested
  EXPECT_EQ(one.identity(), other.identity());
  EXPECT_EQ(one.data(), other.data());
  EXPECT_NE(one.identity(), Blob::of(bytes_of(3, 7)).identity());
  EXPECT_FALSE(Blob());
}

TEST(Blob, MakesItsBytesWhenAskedAndAgainAfterARelease) {
  int made = 0;
  const Blob blob = Blob::made_by(4, [&] {
    ++made;
    return bytes_of(4, 9);
  });
  EXPECT_EQ(blob.size(), 4U);
  EXPECT_EQ(made, 0) << "the size needs no bytes";
  EXPECT_EQ(blob.bytes()[3], std::byte{9});
  EXPECT_EQ(blob.bytes()[0], std::byte{9});
  EXPECT_EQ(made, 1);
  blob.release();
  EXPECT_EQ(blob.bytes()[1], std::byte{9});
  EXPECT_EQ(made, 2);
}

TEST(Blob, OfAFileGivesItsPagesBackAndReadsThemAgain) {
  const auto path =
      std::filesystem::temp_directory_path() / ("openqnn_blob_" + std::to_string(::getpid()) + ".bin");
  constexpr size_t kBytes = 16 << 20;
  ASSERT_TRUE(write_file(path, bytes_of(kBytes, 5)));
  auto file = MappedFile::open(path);
  ASSERT_TRUE(file);
  const Blob blob = Blob::in_file((*file)->bytes().subspan(100, kBytes - 200), *file);
  const auto all_five = [&] {
    return std::all_of(blob.bytes().begin(), blob.bytes().end(),
                       [](std::byte b) { return b == std::byte{5}; });
  };
  EXPECT_TRUE(all_five());
  const uint64_t looked_at = resident_pages();
  blob.release();
  EXPECT_LT(resident_pages() + (kBytes / 2) / static_cast<uint64_t>(::getpagesize()), looked_at);
  EXPECT_TRUE(all_five());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace openqnn
