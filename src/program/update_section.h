// SPDX-License-Identifier: BSD-3-Clause
// The updatable section of a context binary: what may change after a graph was prepared, as bytes of its own
// (an adapter). It holds each graph's Program, because new encodings may change how ops store their constants
// and how they are scheduled, and the constants that updates can reach. The others stay in the context
// binary; their checksum says which ones the section was made for. The format is documented in
// docs/context_binary.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "program/context_binary.h"
#include "program/program.h"

namespace openqnn::program {

// Whether a client may replace data or encodings of the graph.
bool has_updateable_tensors(const Program& program);

// Of the constants of set.programs[0] that no update reaches, in their order.
uint64_t fixed_constants_checksum(const ProgramSet& set);

// A graph as the section has it.
struct GraphUpdate {
  uint64_t fixed_constants = 0;  // fixed_constants_checksum of what it was made for
  Program program;               // constants that updates reach lie in the section's data, the others nowhere
};

// Deterministic: the same sets give the same bytes. Each set has one Program; `fixed_constants` are their
// checksums.
std::vector<std::byte> write_update_section(std::span<const ProgramSet> sets,
                                            std::span<const uint64_t> fixed_constants);

struct UpdateSection {
  std::vector<GraphUpdate> graphs;  // not verified: apply_update does that
  std::span<const std::byte> data;  // in the bytes that were read
};

enum class SectionCheck : uint8_t {
  kChecksum,  // of the whole section
  kNone,      // the client vouches for the bytes; what they say is checked all the same
};
Result<UpdateSection> read_update_section(std::span<const std::byte> bytes, SectionCheck check);

// The set with one graph's update in place of the Program it has. `data` is an aligned copy of the section's,
// and `fixed_constants` the checksum of `base`. The new Program has passed verify_ops and verify_schedule.
Result<ProgramSet> apply_update(const ProgramSet& base, uint64_t fixed_constants, const GraphUpdate& update,
                                const OwnedBytes& data);

// Writes the checksum anew. The last step of writing; tests and the fuzzer use it to get damaged bytes past
// the checksum.
void seal_update_section(std::span<std::byte> bytes);

}  // namespace openqnn::program
