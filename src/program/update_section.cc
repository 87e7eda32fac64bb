// SPDX-License-Identifier: BSD-3-Clause
#include "program/update_section.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "base/text.h"
#include "program/bytes_io.h"
#include "program/constant_pool.h"
#include "program/container.h"
#include "program/describe.h"
#include "program/verify.h"

namespace openqnn::program {
namespace {

// ---- The outside ----

constexpr std::string_view kMagic = "OQNNSEC\n";

constexpr size_t kSectionHeaderBytes = 64;
constexpr size_t kBytesAt = 16;
constexpr size_t kMetadataBytesAt = 24;
constexpr size_t kReservedAt = 32;
constexpr size_t kChecksumAt = 56;

// Of everything but the field it stands in.
uint64_t checksum_of_section(std::span<const std::byte> bytes) {
  return checksum_of(bytes.subspan(kSectionHeaderBytes), checksum_of(bytes.first(kChecksumAt)));
}

DiagnosticBuilder damaged_section(std::string_view message) {
  return corrupt("section-damaged", concat("the binary section is damaged: ", message))
      .fix_by("copy it again, or get it again from the context that made it");
}

Status check_magic(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with(kMagic)) return {};
  if (text.starts_with(kContextBinaryMagic))
    return invalid("section-foreign", "this is a whole context binary, not a section of one")
        .fix_by("load it with QnnContext_createFromBinary, or pass what QnnContext_getBinarySection wrote");
  return invalid("section-foreign", "this is no binary section of openqnn; it reads only its own")
      .fix_by("pass what QnnContext_getBinarySection wrote");
}

Status check_header(std::span<const std::byte> bytes, SectionCheck check) {
  OPENQNN_TRY(check_magic(bytes));
  if (bytes.size() < kSectionHeaderBytes)
    return damaged_section(concat("it ends after ", bytes.size(), " bytes"));
  if (const auto major = load_at<uint32_t>(bytes, kMajorAt); major != kFormatMajor)
    return unsupported("context-version", concat("the binary section has format ", major,
                                                 "; this version reads format ", kFormatMajor))
        .fix_by("make the section again with this version");
  const auto size = load_at<uint64_t>(bytes, kBytesAt);
  if (size < kSectionHeaderBytes || size > bytes.size())
    return damaged_section(concat("it says that it has ", size, " bytes, and has ", bytes.size()));
  bytes = bytes.first(size);
  if (load_at<uint64_t>(bytes, kMetadataBytesAt) > size - kSectionHeaderBytes)
    return damaged_section("its Programs do not fit in it");
  if (!all_zero(bytes.subspan(kReservedAt, kChecksumAt - kReservedAt)))
    return damaged_section("reserved bytes of its header are not zero");
  if (check == SectionCheck::kChecksum && checksum_of_section(bytes) != load_at<uint64_t>(bytes, kChecksumAt))
    return damaged_section("it does not match its checksum");
  return {};
}

// ---- What updates reach ----

// Every updateable tensor, and the constants of ops that touch one: they are stored in forms that depend on
// the encodings of all operands. Indices may be anything: a section is asked before it is verified.
std::vector<bool> reached_by_updates(const Program& program) {
  const size_t count = program.tensors.size();
  std::vector<bool> reached(count, false);
  for (size_t i = 0; i < count; ++i) reached[i] = program.tensors[i].updateable;
  for (const Op& op : program.ops) {
    const auto is_updateable = [&](ir::TensorIndex i) { return i < count && program.tensors[i].updateable; };
    if (std::ranges::none_of(op.inputs, is_updateable) && std::ranges::none_of(op.outputs, is_updateable))
      continue;
    for (const ir::TensorIndex i : op.inputs)
      if (i < count && program.tensors[i].storage == Storage::kConstant) reached[i] = true;
  }
  return reached;
}

// Indices of a Program's constants, those that updates reach or the others.
std::vector<size_t> constants_of(const Program& program, bool reached) {
  const std::vector<bool> reaches = reached_by_updates(program);
  std::vector<size_t> indices;
  for (size_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].storage == Storage::kConstant && reaches[i] == reached) indices.push_back(i);
  return indices;
}

// What an update must leave as it is: what clients, the device and the fixed constants know of a Program.
std::vector<std::byte> unchangeable(const Program& program) {
  const std::vector<size_t> fixed = constants_of(program, /*reached=*/false);
  ByteWriter writer;
  writer(program.graph, program.soc_model, program.arch, program.half_accumulation, program.fast_sigmoid,
         program.schedule.vtcm_bytes);
  const auto is_io = [](const Tensor& tensor) { return ir::is_io(tensor.role); };
  // Without counts, the two lists that follow could be cut at another place.
  writer(static_cast<uint64_t>(std::ranges::count_if(program.tensors, is_io)), uint64_t{fixed.size()});
  for (const Tensor& tensor : program.tensors)
    if (is_io(tensor))
      writer(tensor.name, tensor.id, tensor.role, tensor.client_type, tensor.desc.shape,
             tensor.client_memory);
  for (const size_t i : fixed) {
    const Tensor& tensor = program.tensors[i];
    writer(tensor.name, tensor.desc, tensor.bytes);
  }
  return writer.bytes();
}

// ---- Applying ----

Status check_made_for(const ProgramSet& base, uint64_t fixed_constants, const GraphUpdate& update) {
  if (unchangeable(*base.programs[0]) != unchangeable(update.program))
    return invalid("section-other-graph",
                   "the section was made for another graph, or for this one prepared in another way")
        .fix_by("make it from the context that the binary was made from");
  if (fixed_constants != update.fixed_constants)
    return invalid("section-other-weights", "the section was made for a graph with other fixed weights")
        .fix_by("make it from the context that the binary was made from");
  return {};
}

// Offsets of a section's Program, from its own data to where both parts of the constants lie together.
Status relocate(Program& program, const ProgramSet& base, uint64_t data_bytes) {
  const std::vector<size_t> fixed = constants_of(program, /*reached=*/false);
  const std::vector<size_t> fixed_in_base = constants_of(*base.programs[0], /*reached=*/false);
  for (size_t i = 0; i < fixed.size(); ++i)
    program.tensors[fixed[i]].offset = base.programs[0]->tensors[fixed_in_base[i]].offset;
  for (const size_t i : constants_of(program, /*reached=*/true)) {
    Tensor& tensor = program.tensors[i];
    if (tensor.bytes == 0) tensor.offset = 0;  // it lies nowhere
    if (tensor.bytes == 0) continue;
    if (tensor.offset > data_bytes || tensor.bytes > data_bytes - tensor.offset)
      return corrupt("section-tensor",
                     concat("tensor '", tensor.name, "' does not lie in the section's data"));
    tensor.offset += base.newer_at();
  }
  return {};
}

}  // namespace

template <class Archive>
void describe(Archive& archive, Field<Archive, GraphUpdate>& update) {
  auto& [fixed_constants, program] = update;
  archive(fixed_constants, program);
}

bool has_updateable_tensors(const Program& program) {
  return std::ranges::any_of(program.tensors, [](const Tensor& tensor) { return tensor.updateable; });
}

uint64_t fixed_constants_checksum(const ProgramSet& set) {
  const Program& program = *set.programs[0];
  uint64_t checksum = 0;
  for (const size_t i : constants_of(program, /*reached=*/false))
    checksum = checksum_of(set.bytes_of(program.tensors[i]), checksum);
  return checksum;
}

std::vector<std::byte> write_update_section(std::span<const ProgramSet> sets,
                                            std::span<const uint64_t> fixed_constants) {
  std::vector<GraphUpdate> updates;
  ConstantPool pool;
  for (size_t i = 0; i < sets.size(); ++i) {
    GraphUpdate& update = updates.emplace_back(GraphUpdate{fixed_constants[i], *sets[i].programs[0]});
    for (const size_t tensor : constants_of(update.program, /*reached=*/false))
      update.program.tensors[tensor].offset = 0;
    for (const size_t tensor : constants_of(update.program, /*reached=*/true))
      update.program.tensors[tensor].offset =
          pool.place(sets[i].bytes_of(sets[i].programs[0]->tensors[tensor]));
  }
  ByteWriter metadata;
  metadata(updates);
  const std::vector<std::byte> data = pool.take();
  const uint64_t data_at = round_up(kSectionHeaderBytes + metadata.bytes().size(), kTensorAlignment);

  std::vector<std::byte> bytes(data_at + data.size());
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  store_at(bytes, kMajorAt, kFormatMajor);
  store_at(bytes, kMinorAt, kFormatMinor);
  store_at(bytes, kBytesAt, uint64_t{bytes.size()});
  store_at(bytes, kMetadataBytesAt, uint64_t{metadata.bytes().size()});
  std::ranges::copy(metadata.bytes(), bytes.begin() + kSectionHeaderBytes);
  std::ranges::copy(data, bytes.begin() + static_cast<ptrdiff_t>(data_at));
  seal_update_section(bytes);
  return bytes;
}

Result<UpdateSection> read_update_section(std::span<const std::byte> bytes, SectionCheck check) {
  OPENQNN_TRY(check_header(bytes, check));
  bytes =
      bytes.first(load_at<uint64_t>(bytes, kBytesAt));  // a buffer may be larger than what was written to it
  const auto metadata = bytes.subspan(kSectionHeaderBytes, load_at<uint64_t>(bytes, kMetadataBytesAt));
  UpdateSection section;
  ByteReader reader(metadata, "updates", kSectionHeaderBytes);
  reader(section.graphs);
  OPENQNN_TRY(reader.finish());
  std::unordered_set<std::string_view> names;
  for (const GraphUpdate& update : section.graphs)
    if (!names.insert(update.program.graph).second)
      return damaged_section(concat("graph '", update.program.graph, "' is there twice"));
  const uint64_t metadata_end = kSectionHeaderBytes + metadata.size();
  const uint64_t data_at = std::min<uint64_t>(round_up(metadata_end, kTensorAlignment), bytes.size());
  if (!all_zero(bytes.subspan(metadata_end, data_at - metadata_end)))
    return damaged_section("the padding before its data is not zero");
  section.data = bytes.subspan(data_at);
  return section;
}

Result<ProgramSet> apply_update(const ProgramSet& base, uint64_t fixed_constants, const GraphUpdate& update,
                                const OwnedBytes& data) {
  OPENQNN_TRY(check_made_for(base, fixed_constants, update));
  auto program = std::make_shared<Program>(update.program);
  OPENQNN_TRY(relocate(*program, base, data.bytes.size()));
  program->schedule.hvx_threads = base.programs[0]->schedule.hvx_threads;  // the client's choice at run time
  ProgramSet updated = base;
  updated.newer = data.bytes;
  updated.newer_owner = data.owner;
  OPENQNN_TRY(verify_ops(*program, updated.constants_bytes()));
  OPENQNN_TRY(verify_schedule(*program));
  updated.programs = {std::move(program)};
  return updated;
}

void seal_update_section(std::span<std::byte> bytes) {
  if (bytes.size() >= kSectionHeaderBytes) store_at(bytes, kChecksumAt, checksum_of_section(bytes));
}

}  // namespace openqnn::program
