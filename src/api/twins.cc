// SPDX-License-Identifier: BSD-3-Clause
#include "api/twins.h"

#include <elf.h>
#include <link.h>

#include <atomic>
#include <cstring>

#include "base/text.h"

namespace openqnn::api {
namespace {

constexpr size_t padded(size_t bytes) { return (bytes + 3) / 4 * 4; }

// Whether a segment of notes holds one of ours with this library's name.
bool has_our_note(const std::byte* notes, size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const size_t size = sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
    if (size > bytes) return false;
    if (size == sizeof kBackendNote && std::memcmp(notes, &kBackendNote, sizeof kBackendNote) == 0)
      return true;
    notes += size;
    bytes -= size;
  }
  return false;
}

bool is_copy_of_this_library(const dl_phdr_info& object) {
  for (size_t i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const std::byte*>(object.dlpi_addr + segment.p_vaddr);  // NOLINT
    if (has_our_note(notes, segment.p_memsz)) return true;
  }
  return false;
}

// What the loader had loaded and unloaded when the list was last read, and what it held.
struct LastLook {
  std::atomic<uint64_t> loads{0}, unloads{0};
  std::atomic<uint32_t> copies{1};
};
LastLook g_last_look;

struct Look {
  uint32_t copies = 0;
  bool known = false;  // nothing has changed: the last look stands
  uint64_t loads = 0, unloads = 0;
};

int look_at(dl_phdr_info* object, size_t /*size*/, void* data) {
  Look& look = *static_cast<Look*>(data);
  if (look.loads == 0) {  // the first object; every process has loaded something
    look.loads = object->dlpi_adds;
    look.unloads = object->dlpi_subs;
    look.known = g_last_look.loads.load(std::memory_order_relaxed) == look.loads &&
                 g_last_look.unloads.load(std::memory_order_relaxed) == look.unloads;
    if (look.known) return 1;
  }
  look.copies += is_copy_of_this_library(*object) ? 1 : 0;
  return 0;
}

// How many copies of this library the process holds, itself included.
uint32_t copies_loaded() {
  Look look;
  dl_iterate_phdr(look_at, &look);  // one call at a time: the loader holds its lock
  if (look.known) return g_last_look.copies.load(std::memory_order_relaxed);
  g_last_look.copies.store(look.copies, std::memory_order_relaxed);
  g_last_look.loads.store(look.loads, std::memory_order_relaxed);
  g_last_look.unloads.store(look.unloads, std::memory_order_relaxed);
  return look.copies;
}

}  // namespace

Outcome<> refuse_twins() {
  const uint32_t copies = copies_loaded();
  if (copies <= 1) return {};
  return ApiError(QNN_COMMON_ERROR_LOADING_BINARIES,
                  invalid("library-twice", concat(copies, " copies of this backend library are loaded"))
                      .fix_by("open one library per process: the same file, under the same path"));
}

}  // namespace openqnn::api
