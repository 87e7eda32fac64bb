// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace openqnn::ops {

// A client's buffer need not be aligned to its elements. A packed struct says so to every compiler; an
// attribute on a type is lost in templates, and clang ignores it in an alias. Its functions are always
// inlined: files for one instruction set use them, and must leave nothing that others might link
// (matrix/fast/tile.h).
template <class T>
struct __attribute__((packed, may_alias)) Unaligned {
  T value;

  __attribute__((always_inline)) operator T() const { return value; }  // NOLINT(google-explicit-constructor)
  __attribute__((always_inline)) Unaligned& operator=(T given) {
    value = given;
    return *this;
  }
};

using Unaligned16 = Unaligned<uint16_t>;
static_assert(alignof(Unaligned16) == 1 && sizeof(Unaligned16) == sizeof(uint16_t));

}  // namespace openqnn::ops
