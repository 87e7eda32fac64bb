// SPDX-License-Identifier: BSD-3-Clause
// Any bytes: reading them must end in an error or in a set whose Programs may be used without looking. A file
// is read as it is and with its checksums put right, because no random change gets past those; bytes that do
// not begin like a file are read as the contents of its one Program section, too, so that lists may grow and
// shrink.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "program/bytes_io.h"
#include "program/container.h"
#include "program/context_binary.h"
#include "program/use_program.h"

namespace openqnn::program {
namespace {

void read(std::span<const std::byte> bytes) {
  const Result<OwnedBytes> file = aligned_copy(bytes);
  require(file.ok());
  (void)outline(file->bytes);
  const Result<ProgramSet> deferred = read_context_binary(file->bytes, file->owner, DataCheck::kDeferred);
  const Result<ProgramSet> now = read_context_binary(file->bytes, file->owner, DataCheck::kNow);
  // kNow is kDeferred and verify_data.
  require(now.ok() == (deferred.ok() && verify_data(file->bytes).ok()));
  if (!deferred) return;
  use(*deferred);
  // What was read can be written, and reads again.
  const Result<OwnedBytes> again = aligned_copy(write_context_binary(*deferred));
  require(again.ok() && read_context_binary(again->bytes, again->owner, DataCheck::kNow).ok());
}

std::vector<std::byte> file_around(std::span<const std::byte> program) {
  const std::vector<std::byte> constants(4 * kKiB, std::byte{1});
  ByteWriter header;
  header(uint32_t{1}, uint64_t{constants.size()});
  const Contents contents[] = {{SectionKind::kSet, 0, header.bytes()}, {SectionKind::kProgram, 0, program}};
  return build_container(contents, constants);
}

void read_in_all_ways(std::span<const uint8_t> input) {
  std::vector<std::byte> bytes(input.size());
  std::ranges::transform(input, bytes.begin(), [](uint8_t byte) { return std::byte{byte}; });
  read(bytes);
  if (!bytes.empty() && bytes[0] == std::byte{'O'}) {
    seal(bytes);
    read(bytes);
  } else {
    read(file_around(bytes));
  }
}

}  // namespace
}  // namespace openqnn::program

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  openqnn::program::read_in_all_ways({data, size});
  return 0;
}
