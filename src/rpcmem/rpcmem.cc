// SPDX-License-Identifier: BSD-3-Clause
#include "rpcmem/rpcmem.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <new>

namespace {

// Memory behind a file of its own.
class Allocation {
 public:
  // Empty when the system has none to give.
  static std::unique_ptr<Allocation> make(size_t bytes) {
    const int fd = memfd_create("rpcmem", MFD_CLOEXEC);
    if (fd < 0) return nullptr;
    if (ftruncate(fd, static_cast<off_t>(bytes)) == 0) {
      void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (address != MAP_FAILED) return std::make_unique<Allocation>(fd, address, bytes);
    }
    close(fd);
    return nullptr;
  }

  Allocation(int fd, void* address, size_t bytes) : fd_(fd), address_(address), bytes_(bytes) {}
  ~Allocation() {
    munmap(address_, bytes_);
    close(fd_);
  }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  int fd() const { return fd_; }
  void* address() const { return address_; }

 private:
  const int fd_;
  void* const address_;
  const size_t bytes_;
};

// What was allocated and not yet freed. It is given back when the library is unloaded.
struct Allocations {
  ~Allocations() { gone = true; }

  // A client's static object may still call after this.
  static constinit inline std::atomic<bool> gone{false};
  std::mutex mutex;
  std::map<void*, std::unique_ptr<Allocation>> by_address;
};

Allocations& allocations() {
  static Allocations instance;
  return instance;
}

void* allocate(size_t bytes) noexcept {
  if (bytes == 0 || bytes > static_cast<size_t>(PTRDIFF_MAX) || Allocations::gone) return nullptr;
  try {
    std::unique_ptr<Allocation> allocation = Allocation::make(bytes);
    if (!allocation) return nullptr;
    void* const address = allocation->address();
    const std::lock_guard lock(allocations().mutex);
    allocations().by_address.emplace(address, std::move(allocation));
    return address;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void rpcmem_init() {}
void rpcmem_deinit() {}

void* rpcmem_alloc(int /*heap_id*/, uint32_t /*flags*/, int size) {
  return size > 0 ? allocate(static_cast<size_t>(size)) : nullptr;
}

void* rpcmem_alloc2(int /*heap_id*/, uint32_t /*flags*/, size_t size) { return allocate(size); }

void rpcmem_free(void* address) {
  if (Allocations::gone) return;
  const std::lock_guard lock(allocations().mutex);
  allocations().by_address.erase(address);
}

int rpcmem_to_fd(void* address) {
  if (Allocations::gone) return -1;
  const std::lock_guard lock(allocations().mutex);
  const auto found = allocations().by_address.find(address);
  return found == allocations().by_address.end() ? -1 : found->second->fd();
}
