// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a file whose kind is asked for, and as the .bin of a model, with the sums of its headers put
// right.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tools/convert/model_source.h"
#include "tools/file_kind.h"

namespace {

constexpr size_t kBlock = 512;
constexpr size_t kSumAt = 148;
constexpr size_t kSumBytes = 8;

// Of every block: those that are contents are changed as well, which nobody reads.
void put_sums_right(std::vector<uint8_t>& bytes) {
  for (size_t at = 0; at + kBlock <= bytes.size(); at += kBlock) {
    uint8_t* const header = bytes.data() + at;
    if (header[0] == 0) continue;
    std::memset(header + kSumAt, ' ', kSumBytes);
    unsigned sum = 0;
    for (size_t i = 0; i < kBlock; ++i) sum += header[i];
    char digits[kSumBytes];
    std::snprintf(digits, sizeof digits, "%06o", sum);
    std::memcpy(header + kSumAt, digits, sizeof digits - 1);
  }
}

void read_as_file(const std::vector<uint8_t>& bytes) {
  const int file = memfd_create("fuzz", 0);
  if (file < 0) return;
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
    (void)openqnn::tools::kind_of_file(path);
    (void)openqnn::tools::convert::files_in_model_bin(path).ok();
  }
  close(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes(data, data + size);
  read_as_file(bytes);
  put_sums_right(bytes);
  read_as_file(bytes);
  return 0;
}
