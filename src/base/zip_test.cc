// SPDX-License-Identifier: BSD-3-Clause
#include "base/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crc32.h"
#include "base/files.h"

namespace openqnn {
namespace {

std::span<const std::byte> bytes_in(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
Blob blob_of(std::string_view text) { return Blob::of({bytes_in(text).begin(), bytes_in(text).end()}); }
std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ZipTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".zip");
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::filesystem::path path_;
};

TEST_F(ZipTest, GivesBackWhatWasWritten) {
  ASSERT_TRUE(write_zip(path_, {{"a.txt", {blob_of("hello "), blob_of("world")}}, {"empty", {}}}).ok());
  const auto file = MappedFile::open(path_);
  ASSERT_TRUE(file.ok());
  const auto zip = ZipReader::open((*file)->bytes(), "test");
  ASSERT_TRUE(zip.ok()) << zip.error().to_string();
  ASSERT_EQ(zip->entries().size(), 2U);
  const ZipReader::Entry* entry = zip->find("a.txt");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(text_of(entry->bytes), "hello world");
  EXPECT_EQ(entry->crc, crc32_of(entry->bytes));
  EXPECT_EQ((entry->bytes.data() - (*file)->bytes().data()) % 64, 0);
  EXPECT_EQ(zip->find("b.txt"), nullptr);
}

TEST_F(ZipTest, IsTheSameInMemory) {
  const std::vector<ZipEntry> entries = {{"a.txt", {blob_of("hello")}}, {"empty", {}}};
  ASSERT_TRUE(write_zip(path_, entries).ok());
  EXPECT_EQ(text_of(zip_bytes(entries)), *read_text_file(path_));
}

TEST_F(ZipTest, EveryCutAndEveryFlippedByteIsRefusedOrHarmless) {
  ASSERT_TRUE(write_zip(path_, {{"a", {blob_of("content")}}}).ok());
  const std::string whole = *read_text_file(path_);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(ZipReader::open(bytes_in(whole.substr(0, size)), "cut").ok()) << size;
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0xFF);
    const auto zip = ZipReader::open(bytes_in(changed), "changed");
    if (!zip) continue;
    for (const ZipReader::Entry& entry : zip->entries()) crc32_of(entry.bytes);  // stays inside
  }
}

TEST_F(ZipTest, NothingIsWrittenWhereTheFolderIsMissing) {
  const Status status = write_zip(path_ / "none" / "x.zip", {{"a", {}}});
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().fix, testing::HasSubstr("folder"));
}

}  // namespace
}  // namespace openqnn
