// SPDX-License-Identifier: BSD-3-Clause
// What a library keeps between calls, until it is unloaded.
#pragma once

#include <atomic>

namespace openqnn {

// The one T of the library, made when it is first asked for. Static objects of clients, which exit() may
// destroy after ours, can still call us: nothing is kept any more then.
template <class T>
class UntilExit {
 public:
  // Null at exit.
  static T* get() {
    if (gone_) return nullptr;
    static UntilExit instance;
    return &instance.kept_;
  }
  UntilExit(const UntilExit&) = delete;
  UntilExit& operator=(const UntilExit&) = delete;

 private:
  UntilExit() = default;
  ~UntilExit() { gone_ = true; }

  static constinit inline std::atomic<bool> gone_{false};
  T kept_;
};

}  // namespace openqnn
