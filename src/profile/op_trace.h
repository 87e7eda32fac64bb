// SPDX-License-Identifier: BSD-3-Clause
// The op trace of one execution: its Timeline as bytes, which a profile with optrace holds as an object and a
// log keeps. docs/profile_log.md describes them. What a Timeline gains is to be taken in here, in
// op_trace.cc, and nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "profile/events.h"
#include "profile/sealed_bytes.h"
#include "program/program.h"
#include "sim/sim.h"

namespace openqnn::profile {

extern const SealedKind kOpTraceKind;

struct OpTrace {
  uint32_t program = 0;      // which of the graph's Programs ran
  uint64_t fingerprint = 0;  // of that Program
  sim::Timeline timeline;
};

std::vector<std::byte> write_op_trace(const OpTrace& trace);
// For a profile, with the name of its file.
ProfileEvent op_trace_event(uint32_t index, const program::Program& program, const sim::Timeline& timeline);
Result<OpTrace> read_op_trace(std::span<const std::byte> bytes);
// Whether a trace is of a Program: refused when it is of another, or names tasks that this one has not.
Status check_belongs(const OpTrace& trace, const program::Program& program);

}  // namespace openqnn::profile
