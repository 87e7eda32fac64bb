// SPDX-License-Identifier: BSD-3-Clause
// The schematic of a graph: its Programs without their constants, which is what a trace of its execution
// refers to. A file of its own, NAME_schematic.bin; docs/profile_log.md describes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/events.h"
#include "profile/sealed_bytes.h"
#include "program/program.h"

namespace openqnn::profile {

extern const SealedKind kSchematicKind;

struct Schematic {
  std::string producer;  // the version of openqnn that wrote it
  std::string graph;
  std::vector<program::Program> programs;  // in the order in which an execution runs them
};

// Deterministic: the same Programs give the same bytes.
std::vector<std::byte> write_schematic(const std::string& graph,
                                       std::span<const program::Program* const> programs);
// For a profile, with the name of its file.
ProfileEvent schematic_event(const std::string& graph, std::span<const program::Program* const> programs);
// What it answers can be reported on: every index in it is in range. Nothing is proved about its ops, which
// are not for executing.
Result<Schematic> read_schematic(std::span<const std::byte> bytes);
// "net_schematic.bin"; characters that do not belong into a file's name become '_'.
std::string schematic_file_name(const std::string& graph);
// The same for another ending.
std::string file_name_of(const std::string& graph, std::string_view ending);
// What an object of a log is called as a file. The log may be a stranger's: no folder, not hidden, a .bin.
std::string object_file_name(const std::string& given);

// Which tasks a Program has, as a number: a trace belongs to a schematic when theirs are equal.
uint64_t fingerprint_of(const program::Program& program);

}  // namespace openqnn::profile
