// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a binary section, for the sample Programs: reading and applying them must end in an error or
// in Programs that may be used without looking. Bytes that do not begin like a section are read as the
// Programs of one, too, so that lists may grow and shrink.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "program/sample_programs.h"
#include "program/update_section.h"
#include "program/use_program.h"

namespace openqnn::program {
namespace {

// Sample Programs with updateable tensors, each in a set of its own.
std::vector<ProgramSet> bases() {
  const ProgramSet all = sample_set();
  return {{{std::make_shared<Program>(sample_updateable())}, all.constants, all.owner},
          {{all.programs[2]}, all.constants, all.owner}};
}

void apply_section(std::span<const std::byte> bytes, SectionCheck check) {
  const Result<UpdateSection> section = read_update_section(bytes, check);
  if (!section) return;
  const Result<OwnedBytes> data = aligned_copy(section->data);
  require(data.ok());
  static const std::vector<ProgramSet> kBases = bases();
  for (GraphUpdate update : section->graphs)
    for (const ProgramSet& base : kBases) {
      if (base.programs[0]->graph != update.program.graph) continue;
      update.fixed_constants = fixed_constants_checksum(base);  // no random change finds it
      const Result<ProgramSet> updated = apply_update(base, update.fixed_constants, update, *data);
      if (!updated) continue;
      use(*updated);
      // What was applied can be written as a section, and is applied again.
      const std::vector<std::byte> again = write_update_section({&*updated, 1}, {&update.fixed_constants, 1});
      require(read_update_section(again, SectionCheck::kChecksum).ok());
    }
}

// A section with these bytes as its Programs, and some data.
std::vector<std::byte> section_around(std::span<const std::byte> programs) {
  std::vector<std::byte> bytes = write_update_section({}, {});
  bytes.resize(64);
  bytes.insert(bytes.end(), programs.begin(), programs.end());
  bytes.resize(round_up(bytes.size(), 64) + 4 * kKiB, std::byte{0});
  const auto put = [&](size_t at, uint64_t value) {
    for (size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
  };
  put(16, bytes.size());
  put(24, programs.size());
  return bytes;
}

void apply_in_all_ways(std::span<const uint8_t> input) {
  std::vector<std::byte> bytes(input.size());
  std::ranges::transform(input, bytes.begin(), [](uint8_t byte) { return std::byte{byte}; });
  apply_section(bytes, SectionCheck::kChecksum);
  apply_section(bytes, SectionCheck::kNone);
  if (bytes.empty() || bytes[0] != std::byte{'O'}) apply_section(section_around(bytes), SectionCheck::kNone);
}

}  // namespace
}  // namespace openqnn::program

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  openqnn::program::apply_in_all_ways({data, size});
  return 0;
}
