// SPDX-License-Identifier: BSD-3-Clause
#include "profile/schematic.h"

#include <algorithm>

#include "base/text.h"
#include "program/bytes_io.h"
#include "program/context_binary.h"
#include "program/describe.h"
#include "program/verify.h"

namespace openqnn::profile {

using program::Program;

// Programs are laid out as in context binaries, so their version is a part of this one.
const SealedKind kSchematicKind = {"OQNNSCH\n", 1000 + program::kFormatMajor, program::kFormatMinor,
                                   "schematic", "schematic"};

namespace {

DiagnosticBuilder damaged_schematic(std::string what) {
  return corrupt("schematic-damaged", std::move(what))
      .fix_by("prepare the graph again, with --profiling_option optrace");
}

// The first number of a list that is not below a limit.
template <class Numbers>
const uint32_t* first_beyond(const Numbers& numbers, size_t limit) {
  const auto found = std::ranges::find_if(numbers, [&](uint32_t number) { return number >= limit; });
  return found == numbers.end() ? nullptr : &*found;
}

Status check_ops(const Program& program) {
  if (!program.framework_nodes.empty() && program.framework_nodes.size() != program.source_nodes.size())
    return damaged_schematic(concat("nodes of the model's file are told for ", program.framework_nodes.size(),
                                    " of ", program.source_nodes.size(), " nodes"));
  for (const program::Op& op : program.ops) {
    for (const auto* const list : {&op.inputs, &op.outputs})
      for (const ir::TensorIndex tensor : *list)
        if (tensor != ir::kNoTensor && tensor >= program.tensors.size())
          return damaged_schematic(
              concat("op '", op.name, "' refers to tensor ", tensor, " of ", program.tensors.size()));
    if (const uint32_t* const node = first_beyond(op.source_nodes, program.source_nodes.size()))
      return damaged_schematic(
          concat("op '", op.name, "' refers to node ", *node, " of ", program.source_nodes.size()));
  }
  return {};
}

Status check_schedule(const Program& program) {
  const std::vector<program::Task>& tasks = program.schedule.tasks;
  if (program.schedule.hvx_threads > program::kMaxHvxThreads || program.schedule.cores > program::kMaxCores)
    return damaged_schematic(concat(program.schedule.cores, " cores of ", program.schedule.hvx_threads,
                                    " HVX threads have no sense"));
  if (program.schedule.vtcm_bytes > program::kMaxBytes)
    return damaged_schematic(concat("VTCM of ", program.schedule.vtcm_bytes, " bytes has no sense"));
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].op >= program.ops.size() || tasks[i].tensor >= program.tensors.size())
      return damaged_schematic(concat("task ", i, " refers to op ", tasks[i].op, " of ", program.ops.size(),
                                      " and tensor ", tasks[i].tensor, " of ", program.tensors.size()));
    if (std::max(tasks[i].bytes, tasks[i].work.vtcm_bytes) > program::kMaxBytes)
      return damaged_schematic(concat("task ", i, " moves ",
                                      std::max(tasks[i].bytes, tasks[i].work.vtcm_bytes),
                                      " bytes, which has no sense"));
    if (tasks[i].saved_bytes > tasks[i].bytes)
      return damaged_schematic(
          concat("task ", i, " saves ", tasks[i].saved_bytes, " of ", tasks[i].bytes, " bytes"));
    if (const uint32_t* const other = first_beyond(tasks[i].after, i))
      return damaged_schematic(
          concat("task ", i, " waits for task ", *other, ", which does not come before it"));
  }
  for (const program::VtcmBlock& block : program.schedule.blocks) {
    if (block.tensor >= program.tensors.size())
      return damaged_schematic(
          concat("a block refers to tensor ", block.tensor, " of ", program.tensors.size()));
    if (const uint32_t* const user = first_beyond(block.users, tasks.size()))
      return damaged_schematic(concat("a block refers to task ", *user, " of ", tasks.size()));
    if (block.bytes > program.schedule.vtcm_bytes)
      return damaged_schematic(concat("a block of ", block.bytes, " bytes is larger than VTCM"));
  }
  return {};
}

}  // namespace

std::vector<std::byte> write_schematic(const std::string& graph, std::span<const Program* const> programs) {
  program::ByteWriter writer;
  writer(std::string(OPENQNN_VERSION), graph, static_cast<uint32_t>(programs.size()));
  for (const Program* const each : programs) writer(*each);
  return seal(kSchematicKind, writer.bytes());
}

ProfileEvent schematic_event(const std::string& graph, std::span<const Program* const> programs) {
  return object_event("Schematic", write_schematic(graph, programs), schematic_file_name(graph));
}

Result<Schematic> read_schematic(std::span<const std::byte> bytes) {
  OPENQNN_ASSIGN(const std::span<const std::byte> contents, unseal(kSchematicKind, bytes));
  program::ByteReader reader(contents, "schematic", kSealedHeadBytes);
  Schematic schematic;
  reader(schematic.producer, schematic.graph, schematic.programs);
  if (std::string problem = reader.finish_in_words(); !problem.empty())
    return damaged_schematic(std::move(problem));
  for (const Program& each : schematic.programs) {
    OPENQNN_TRY(check_ops(each));
    OPENQNN_TRY(check_schedule(each));
  }
  return schematic;
}

std::string file_name_of(const std::string& graph, std::string_view ending) {
  constexpr size_t kLongest = 200;  // file systems take 255 bytes
  std::string name = graph.substr(0, kLongest);
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  std::ranges::replace_if(
      name, [&](char c) { return !is_plain(c); }, '_');
  if (name.empty() || name[0] == '.') name.insert(0, "_");
  return concat(name, ending);
}

std::string object_file_name(const std::string& given) {
  constexpr std::string_view kEnding = ".bin";
  std::string name = given.substr(given.rfind('/') + 1);  // all of it where there is none
  if (name.empty() || name == "." || name == "..") name = "object";
  if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  return file_name_of(name, kEnding);
}

std::string schematic_file_name(const std::string& graph) { return file_name_of(graph, "_schematic.bin"); }

uint64_t fingerprint_of(const Program& program) {
  program::ByteWriter writer;
  writer(program.graph, program.schedule.tasks, program.schedule.blocks);
  for (const program::Op& op : program.ops) writer(op.name, op.type);
  return program::checksum_of(writer.bytes());
}

}  // namespace openqnn::profile
