// SPDX-License-Identifier: BSD-3-Clause
// Two copies of one backend library in a process are answered with LOADING_BINARIES (1009).
//
// Every backend library carries an ELF note with its provider's name. Notes are seen through the loader's
// list of objects, so copies find each other whatever flags they were opened with, and one that is closed is
// gone from the list at once. Backends with other names are no twins.
#pragma once

#include <cstdint>

#include "api/answer.h"

namespace openqnn::api {

// An ELF note, as the file holds it. Each library defines its own (interface.cc).
struct BackendNote {
  static constexpr uint32_t kType = 1;
  static constexpr char kOwner[8] = "openqnn";

  uint32_t owner_bytes = sizeof kOwner;
  uint32_t name_bytes = sizeof name;
  uint32_t type = kType;
  char owner[sizeof kOwner] = {'o', 'p', 'e', 'n', 'q', 'n', 'n', '\0'};
  char name[32] = {};  // the provider's, filled up with zeros
};

// The alignment is that of notes: a compiler would choose a larger one. Clang's sanitizer would put a red
// zone behind the note, into the section.
#ifdef __clang__
#define OPENQNN_NOTE __attribute__((section(".note.openqnn"), aligned(4), used, no_sanitize("address")))
#else
#define OPENQNN_NOTE __attribute__((section(".note.openqnn"), aligned(4), used))
#endif
extern const BackendNote kBackendNote;

// Fails while another copy of this library is loaded. Costs a few loads as long as nothing was loaded or
// unloaded since the last call.
Outcome<> refuse_twins();

}  // namespace openqnn::api
