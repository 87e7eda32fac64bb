// SPDX-License-Identifier: BSD-3-Clause
// What a library keeps between calls, until it is unloaded.
#pragma once

#include <atomic>
#include <new>
#include <utility>

namespace openqnn {

// Whether dlclose ends this library. At exit() it is false while static objects are destroyed.
bool is_unloading();

// A static T that dlclose destroys, and exit() does not: threads of a client may still be in our calls then,
// and what they use goes with the process.
template <class T>
class KeptAtExit {
 public:
  template <class... Arguments>
  explicit KeptAtExit(Arguments&&... arguments) {
    new (&kept_) T(std::forward<Arguments>(arguments)...);
  }
  ~KeptAtExit() {
    if (is_unloading()) kept_.~T();
  }
  KeptAtExit(const KeptAtExit&) = delete;
  KeptAtExit& operator=(const KeptAtExit&) = delete;

  T& operator*() { return kept_; }

 private:
  union {
    T kept_;
  };
};

// The one T of the library, made when it is first asked for. Static objects of clients, which exit() may
// destroy after ours, can still call us: nothing is told of it any more then.
template <class T>
class UntilExit {
 public:
  // Null at exit.
  static T* get() {
    if (gone_) return nullptr;
    static UntilExit instance;
    return &*instance.kept_;
  }
  UntilExit(const UntilExit&) = delete;
  UntilExit& operator=(const UntilExit&) = delete;

 private:
  UntilExit() = default;
  ~UntilExit() { gone_ = true; }

  static constinit inline std::atomic<bool> gone_{false};
  KeptAtExit<T> kept_;
};

}  // namespace openqnn
