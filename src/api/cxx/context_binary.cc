// SPDX-License-Identifier: BSD-3-Clause
#include "openqnn/context_binary.h"

#include <utility>

#include "api/cxx/impl.h"

namespace openqnn {
namespace {

TensorInfo describe(const program::Tensor& tensor) {
  TensorInfo info;
  info.name = tensor.name;
  info.id = tensor.id;
  info.type = ir::name(tensor.client_type);
  const auto dims = tensor.desc.shape.dims();
  info.shape.assign(dims.begin(), dims.end());
  info.bytes = tensor.desc.shape.elements() * ir::byte_size(tensor.client_type);
  info.by_mem_handle = tensor.client_memory == ir::ClientMemory::kMemHandle;
  info.encoding_axis = tensor.desc.quantization.axis;
  for (const ir::ScaleOffset& encoding : tensor.desc.quantization.encodings)
    info.encodings.push_back({encoding.scale, encoding.offset});
  return info;
}

OpInfo describe(const program::Program& program, const program::Op& op) {
  OpInfo info;
  info.name = op.name;
  info.type = op.type;
  for (const uint32_t node : op.source_nodes) info.nodes.push_back(program.source_nodes[node]);
  // One that is absent has no name.
  const auto name = [&](ir::TensorIndex index) {
    return index == ir::kNoTensor ? std::string() : program.tensors[index].name;
  };
  for (const ir::TensorIndex index : op.inputs) {
    info.inputs.push_back(name(index));
    if (index != ir::kNoTensor && program.tensors[index].storage == program::Storage::kConstant)
      info.constant_bytes += program.tensors[index].bytes;
  }
  for (const ir::TensorIndex index : op.outputs) info.outputs.push_back(name(index));
  return info;
}

GraphInfo describe(const program::Program& program) {
  GraphInfo info;
  info.name = program.graph;
  info.soc = program.soc;
  info.soc_model = program.soc_model;
  info.arch = program.arch;
  info.optimization = program.optimization;
  info.activation_bytes = program.arena_bytes;
  info.vtcm_bytes = program.schedule.vtcm_bytes;
  info.hvx_threads = program.schedule.hvx_threads;
  info.tasks = program.schedule.tasks.size();
  for (const program::Tensor& tensor : program.tensors) {
    if (tensor.role == ir::TensorRole::kInput) info.inputs.push_back(describe(tensor));
    if (tensor.role == ir::TensorRole::kOutput) info.outputs.push_back(describe(tensor));
    if (tensor.storage == program::Storage::kConstant) info.constant_bytes += tensor.bytes;
  }
  for (const program::Op& op : program.ops) info.ops.push_back(describe(program, op));
  return info;
}

}  // namespace

Expected<ContextBinary> ContextBinary::open(const std::filesystem::path& path) {
  const std::string shown = path.string();
  auto file = MappedFile::open(path);
  if (!file) return to_error(file.error(), shown);
  const auto bytes = (*file)->bytes();

  auto set = program::read_context_binary(bytes, *file, program::DataCheck::kUnused);
  if (!set) return to_error(set.error(), shown);
  auto outline = program::outline(bytes);
  if (!outline) return to_error(outline.error(), shown);

  auto impl = std::make_shared<Impl>();
  impl->path = shown;
  impl->file = *std::move(file);
  impl->set = *std::move(set);
  impl->format = {outline->format_major, outline->format_minor};
  impl->producer = outline->producer;
  for (const program::SectionInfo& section : outline->sections)
    impl->sections.push_back({section.name, section.offset, section.bytes});
  for (const auto& program : impl->set.programs) impl->graphs.push_back(describe(*program));
  return ContextBinary(std::move(impl));
}

const std::string& ContextBinary::path() const { return impl_->path; }
uint64_t ContextBinary::file_bytes() const { return impl_->file->bytes().size(); }
FormatVersion ContextBinary::format() const { return impl_->format; }
const std::string& ContextBinary::producer() const { return impl_->producer; }
const std::vector<SectionInfo>& ContextBinary::sections() const { return impl_->sections; }
const std::vector<GraphInfo>& ContextBinary::graphs() const { return impl_->graphs; }

Expected<void> ContextBinary::validate() const {
  const Status status = program::verify_data(impl_->file->bytes());
  if (!status) return to_error(status.error(), impl_->path);
  return {};
}

}  // namespace openqnn
