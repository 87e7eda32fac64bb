// SPDX-License-Identifier: BSD-3-Clause
// The heap of the modelled DSP: what the contexts of this process hold there. (Ours: the bytes of the
// binaries that were loaded; what the device's own software takes is not modelled.)
#pragma once

#include <atomic>
#include <cstdint>

namespace openqnn::runtime {

class DspHeap {
 public:
  static DspHeap& instance() {
    static DspHeap heap;
    return heap;
  }

  uint64_t bytes() const { return bytes_.load(); }
  bool has_contexts() const { return contexts_.load() != 0; }

  // Bytes that are held as long as it lives.
  class Share {
   public:
    explicit Share(uint64_t bytes) : bytes_(bytes) { instance().bytes_ += bytes_; }
    ~Share() { instance().bytes_ -= bytes_; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    const uint64_t bytes_;
  };

  // A context, from its creation until it is freed.
  class Tenant {
   public:
    Tenant() { ++instance().contexts_; }
    ~Tenant() { --instance().contexts_; }
    Tenant(const Tenant&) = delete;
    Tenant& operator=(const Tenant&) = delete;
  };

 private:
  std::atomic<uint64_t> bytes_{0};
  std::atomic<uint64_t> contexts_{0};
};

}  // namespace openqnn::runtime
