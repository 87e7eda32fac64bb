// SPDX-License-Identifier: BSD-3-Clause
#include "base/until_exit.h"

namespace openqnn {
namespace {

constinit bool unloading = false;

// dlclose calls this before it destroys the first static object; exit() after the last one.
[[gnu::destructor]] void note_unloading() { unloading = true; }

}  // namespace

bool is_unloading() { return unloading; }

}  // namespace openqnn
