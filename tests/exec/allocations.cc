// SPDX-License-Identifier: BSD-3-Clause
// The C library's allocator, with a counter before it: a definition in the program takes the library's place
// for every caller, operator new among them.
#include "exec/allocations.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" {
// Under these names the C library keeps its own.
void* __libc_malloc(size_t size);                     // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(size_t count, size_t size);       // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* memory, size_t size);      // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(size_t boundary, size_t size);  // NOLINT(bugprone-reserved-identifier)
}

namespace {

std::atomic<uint64_t> g_count{0};

void count() { g_count.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

uint64_t openqnn::test::allocations() { return g_count.load(); }

extern "C" {

void* malloc(size_t size) noexcept {
  count();
  return __libc_malloc(size);
}

void* calloc(size_t items, size_t size) noexcept {
  count();
  return __libc_calloc(items, size);
}

void* realloc(void* memory, size_t size) noexcept {
  count();
  return __libc_realloc(memory, size);
}

void* memalign(size_t boundary, size_t size) noexcept {
  count();
  return __libc_memalign(boundary, size);
}

void* aligned_alloc(size_t boundary, size_t size) noexcept { return memalign(boundary, size); }

int posix_memalign(void** memory, size_t boundary, size_t size) noexcept {
  *memory = memalign(boundary, size);
  return *memory ? 0 : ENOMEM;
}
}
