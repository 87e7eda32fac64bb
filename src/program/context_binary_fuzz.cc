// SPDX-License-Identifier: BSD-3-Clause
// Any bytes: reading them must end in an error or in a set whose Programs may be used without looking. A file
// is read as it is and with its checksums put right, because no random change gets past those; bytes that do
// not begin like a file are read as the contents of its one Program section, too, so that lists may grow and
// shrink.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "program/bytes_io.h"
#include "program/container.h"
#include "program/context_binary.h"

namespace openqnn::program {
namespace {

// A broken promise of the reader.
void require(bool holds) {
  if (!holds) std::abort();
}

// Small enough to compute in the blink of an eye.
bool is_small(const Program& program) {
  uint64_t bytes = program.arena_bytes;
  for (const Tensor& tensor : program.tensors) bytes += std::min(tensor.bytes, uint64_t{kMiB});
  return bytes < kMiB;
}

// What sim and reports do.
void walk(const Program& program) {
  for (const Task& task : program.schedule.tasks) {
    const Op& op = program.ops[task.op];
    if (task.kind != TaskKind::kCompute) continue;
    const ops::OpDef& def = *ops::find_op(op.type);
    const ops::OpCall call = call_of(program, op);
    def.work(call, task.box);
    for (size_t i = 0; i < op.inputs.size(); ++i)
      if (call.has_input(i))
        require(ir::contains(ir::Box::whole(call.in(i).shape), ops::input_box(def, call, i, task.box)));
  }
}

// What exec does, with memory of exactly the sizes that the Program states.
void compute(const Program& program, std::span<const std::byte> constants) {
  std::vector<std::byte> arena(program.arena_bytes);
  std::vector<std::vector<std::byte>> clients(program.tensors.size());
  std::vector<std::byte*> places(program.tensors.size());
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor& tensor = program.tensors[i];
    if (tensor.storage == Storage::kClient) clients[i].resize(tensor.bytes);
    places[i] = tensor.storage == Storage::kClient ? clients[i].data()
                : tensor.storage == Storage::kArena
                    ? arena.data() + tensor.offset
                    : const_cast<std::byte*>(constants.data()) + tensor.offset;
  }
  uint64_t budget = 1'000'000;
  for (const Op& op : program.ops) {
    const ops::OpDef& def = *ops::find_op(op.type);
    const ops::OpCall call = call_of(program, op);
    const ir::Box whole = ir::Box::whole(call.out().shape);
    const ops::Work work = def.work(call, whole);
    const uint64_t cost = std::max({work.macs, work.vector_ops * 128, work.vtcm_bytes});
    if (cost > budget) return;
    budget -= cost;
    std::vector<const std::byte*> inputs;
    for (const ir::TensorIndex input : op.inputs)
      inputs.push_back(input == ir::kNoTensor ? nullptr : places[input]);
    std::vector<std::byte*> outputs;
    for (const ir::TensorIndex output : op.outputs)
      outputs.push_back(output == ir::kNoTensor ? nullptr : places[output]);
    ops::choose_kernel(def, call).run({call, inputs, outputs}, whole);
  }
}

void read(std::span<const std::byte> bytes) {
  const Result<OwnedBytes> file = aligned_copy(bytes);
  require(file.ok());
  (void)outline(file->bytes);
  const Result<ProgramSet> deferred = read_context_binary(file->bytes, file->owner, DataCheck::kDeferred);
  const Result<ProgramSet> now = read_context_binary(file->bytes, file->owner, DataCheck::kNow);
  // kNow is kDeferred and verify_data.
  require(now.ok() == (deferred.ok() && verify_data(file->bytes).ok()));
  if (!deferred) return;
  for (const auto& program : deferred->programs) {
    walk(*program);
    if (is_small(*program)) compute(*program, deferred->constants);
  }
  // What was read can be written, and reads again.
  const Result<OwnedBytes> again = aligned_copy(write_context_binary(*deferred));
  require(again.ok() && read_context_binary(again->bytes, again->owner, DataCheck::kNow).ok());
}

std::vector<std::byte> file_around(std::span<const std::byte> program) {
  const std::vector<std::byte> constants(4 * kKiB, std::byte{1});
  ByteWriter header;
  header(uint32_t{1}, uint64_t{constants.size()});
  const Contents contents[] = {{SectionKind::kSet, 0, header.bytes()}, {SectionKind::kProgram, 0, program}};
  return build_container(contents, constants);
}

void read_in_all_ways(std::span<const uint8_t> input) {
  std::vector<std::byte> bytes(input.size());
  std::ranges::transform(input, bytes.begin(), [](uint8_t byte) { return std::byte{byte}; });
  read(bytes);
  if (!bytes.empty() && bytes[0] == std::byte{'O'}) {
    seal(bytes);
    read(bytes);
  } else {
    read(file_around(bytes));
  }
}

}  // namespace
}  // namespace openqnn::program

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  openqnn::program::read_in_all_ways({data, size});
  return 0;
}
