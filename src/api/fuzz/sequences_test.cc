// SPDX-License-Identifier: BSD-3-Clause
// The sequences of calls that the fuzzer has kept, one test each: in every build, and under ThreadSanitizer,
// which a fuzzer's counters would disturb.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace openqnn::api::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> kept_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& file : fs::directory_iterator(OPENQNN_SEQUENCES))
    names.push_back(file.path().filename().string());
  std::ranges::sort(names);
  return names;
}

class Sequences : public testing::TestWithParam<std::string> {};

TEST_P(Sequences, EndWell) {
  std::ifstream file(fs::path(OPENQNN_SEQUENCES) / GetParam(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()), 0);
}

INSTANTIATE_TEST_SUITE_P(Kept, Sequences, testing::ValuesIn(kept_names()),
                         [](const auto& kept) { return kept.param; });

}  // namespace
}  // namespace openqnn::api::fuzz
