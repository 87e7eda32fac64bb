// SPDX-License-Identifier: BSD-3-Clause
#include "elf_file.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace conformance {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    header_ = at<Elf64_Ehdr>(0);
    if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 || header_.e_ident[EI_CLASS] != ELFCLASS64)
      throw std::runtime_error(path + " is no 64-bit ELF file");
  }

  Elf64_Shdr section(size_t index) const {
    return at<Elf64_Shdr>(header_.e_shoff + index * header_.e_shentsize);
  }

  // Calls visit(entry, strings) for every entry of every section of a type; `strings` is its string table.
  template <class Entry, class Visit>
  void for_each(Elf64_Word type, const Visit& visit) const {
    for (size_t i = 0; i < header_.e_shnum; ++i) {
      const Elf64_Shdr table = section(i);
      if (table.sh_type != type) continue;
      const Elf64_Shdr strings = section(table.sh_link);
      for (size_t offset = 0; offset + sizeof(Entry) <= table.sh_size; offset += sizeof(Entry))
        visit(at<Entry>(table.sh_offset + offset), strings.sh_offset);
    }
  }

  std::string text(size_t offset) const {
    if (offset >= bytes_.size()) throw std::runtime_error("a string lies outside the file");
    return bytes_.c_str() + offset;
  }

 private:
  template <class T>
  T at(size_t offset) const {
    if (offset + sizeof(T) > bytes_.size()) throw std::runtime_error("a table lies outside the file");
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string bytes_;
  Elf64_Ehdr header_;
};

}  // namespace

ElfFile read_elf(const std::string& path) {
  const Reader reader(path);
  ElfFile file;
  reader.for_each<Elf64_Dyn>(SHT_DYNAMIC, [&](const Elf64_Dyn& entry, size_t strings) {
    if (entry.d_tag == DT_NEEDED) file.needed.push_back(reader.text(strings + entry.d_un.d_val));
  });
  reader.for_each<Elf64_Sym>(SHT_DYNSYM, [&](const Elf64_Sym& symbol, size_t strings) {
    const unsigned char binding = ELF64_ST_BIND(symbol.st_info);
    if (binding == STB_LOCAL) return;
    const std::string name = reader.text(strings + symbol.st_name);
    if (symbol.st_shndx == SHN_UNDEF)
      file.missing.push_back(name);
    else if (symbol.st_shndx != SHN_ABS)  // names of symbol versions
      file.exported.push_back({name, binding});
  });
  return file;
}

}  // namespace conformance
