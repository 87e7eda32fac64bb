// SPDX-License-Identifier: BSD-3-Clause
// The parts of a 64-bit ELF file that say what it needs and what it offers.
#pragma once

#include <string>
#include <vector>

namespace conformance {

struct ElfSymbol {
  std::string name;
  unsigned char binding;  // STB_*
};

struct ElfFile {
  std::vector<std::string> needed;   // DT_NEEDED
  std::vector<ElfSymbol> exported;   // defined in .dynsym for others to use
  std::vector<std::string> missing;  // undefined in .dynsym: what it takes from others
};

// Throws std::runtime_error when the file is not one.
ElfFile read_elf(const std::string& path);

}  // namespace conformance
