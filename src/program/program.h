// SPDX-License-Identifier: BSD-3-Clause
// A Program: a prepared graph, on two levels. Ops are what exec computes; the Schedule is what sim times.
// Each task of the Schedule points to its op.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "ir/graph.h"
#include "ops/op.h"
#include "soc/target.h"

namespace openqnn::program {

// ---- Level 1: Ops ----

// Tensors begin at multiples of this in the arena and in the constants: a cache line, and the widest vector.
inline constexpr uint64_t kTensorAlignment = 64;

// Where a tensor's bytes are while the Program runs.
enum class Storage : uint8_t {
  kClient,    // the client's own buffer, used in place: its type is the computed type
  kArena,     // the executor's activation memory; inputs and outputs there are converted on the way in or out
  kConstant,  // the context binary's data section
};

struct Tensor {
  std::string name;  // the client's
  uint32_t id = 0;   // the client's handle on it, unique in the graph
  ir::TensorRole role = ir::TensorRole::kNative;
  ir::TensorDesc desc;                                  // as computed: half where the client says float
  ir::DataType client_type = ir::DataType::kUndefined;  // as the client reads and writes it
  Storage storage = Storage::kArena;
  uint64_t offset = 0;      // into the arena or the constants; 0 for kClient
  uint64_t bytes = 0;       // as stored, in desc's type and layout
  bool updateable = false;  // the client may replace its data or encoding after finalize
  ir::ClientMemory client_memory = ir::ClientMemory::kRaw;  // of an input or output: as it was declared
};

struct Op {
  std::string name;                    // of the node, or of the node that a fusion kept
  std::string type;                    // finds the OpDef
  std::vector<uint32_t> source_nodes;  // the client's nodes this op stands for, by index
  ir::Params params;
  std::vector<ir::TensorIndex> inputs;   // into Program::tensors, ir::kNoTensor when absent
  std::vector<ir::TensorIndex> outputs;  // the same; output 0 is always there
  ops::Epilogue epilogue;
  bool off_hmx = false;  // a convolution that the client keeps off the matrix unit
};

// ---- Level 2: Schedule ----

enum class TaskKind : uint8_t { kCompute, kLoad, kStore };

struct Task {
  TaskKind kind = TaskKind::kCompute;
  soc::Unit unit = soc::Unit::kHvx;  // a class; sim chooses the instance
  uint32_t op = 0;                   // the op it serves
  ir::TensorIndex tensor = 0;        // loaded, stored or computed
  ir::Box box;                       // the part of `tensor`
  uint64_t bytes = 0;                // moved by a load or store, as VTCM has them
  ops::Work work;                    // of a compute task
  std::vector<uint32_t> after;       // earlier tasks that must have ended
  uint32_t launches = 0;             // what the device is told to start: an op's first task starts it
  uint64_t saved_bytes = 0;          // of `bytes`, what compression keeps off the way to memory
  bool in_slc = false;               // a transfer that the system-level cache serves instead of DDR
  uint32_t core = 0;

  // What passes between the NPU and memory, and what of it reaches DDR.
  uint64_t transferred_bytes() const { return bytes - saved_bytes; }
  uint64_t ddr_bytes() const { return in_slc ? 0 : transferred_bytes(); }
};

// A piece of a tensor while it is in VTCM: from the task that fills it to the last that touches it. What is
// too large to be there at once is streamed: DMA passes it through the block's bytes while one compute task
// runs, and no other task finds it there.
struct VtcmBlock {
  ir::TensorIndex tensor = 0;
  ir::Box box;
  uint64_t offset = 0;
  uint64_t bytes = 0;           // of the whole box, or of the window it is streamed through
  std::vector<uint32_t> users;  // tasks, in order; the first one fills the block
  bool streamed = false;        // the users are a load and a compute task, or a compute task and a store
  uint32_t core = 0;            // whose VTCM it is in
};

struct Schedule {
  uint64_t vtcm_bytes = 0;  // granted, of each core
  uint32_t hvx_threads = 0;
  std::vector<Task> tasks;  // in issue order
  std::vector<VtcmBlock> blocks;
  uint32_t cores = 1;  // that its tasks are divided over
};

// ---- The whole ----

// Which ways to save memory bandwidth a graph was prepared with. What they do is in the tasks.
struct Bandwidth {
  bool compressed_activations = false;  // DLBC
  bool compressed_weights = false;      // DLBC
  bool slc = false;                     // the allocator of the system-level cache
  bool measured_activations = false;    // by how much they shrink was measured on samples, not assumed

  friend bool operator==(const Bandwidth&, const Bandwidth&) = default;
};

struct Program {
  std::string graph;
  std::string soc;  // chipset it was prepared for
  uint32_t soc_model = 0;
  uint32_t arch = 0;
  uint32_t optimization = 2;  // the O level it was prepared at, for information
  soc::HalfAccumulation half_accumulation = soc::HalfAccumulation::kSequential;
  bool fast_sigmoid = false;              // of half tensors
  std::vector<std::string> source_nodes;  // the client's node names, by index
  // What the model's file called the nodes that these were made from, by the same index; empty where nothing
  // tells.
  std::vector<std::vector<std::string>> framework_nodes;
  std::vector<Tensor> tensors;
  std::vector<Op> ops;
  uint64_t arena_bytes = 0;
  Schedule schedule;
  Bandwidth bandwidth;
};

// Programs that live and die together, and the bytes of their constants: what a context holds and a file
// stores.
struct ProgramSet {
  std::vector<std::shared_ptr<const Program>> programs;
  std::span<const std::byte> constants;  // all Programs' offsets count from here
  std::shared_ptr<const void> owner;     // keeps `constants` alive: a mapping, a copy, or a vector
  // Constants that came later, in place of some of those (update_section.h): offsets from newer_at() on.
  std::span<const std::byte> newer;
  std::shared_ptr<const void> newer_owner;

  uint64_t newer_at() const { return round_up(constants.size(), kTensorAlignment); }
  // Offsets of constants are below this.
  uint64_t constants_bytes() const { return newer.empty() ? constants.size() : newer_at() + newer.size(); }
  // The bytes of a constant of one of its Programs.
  std::span<const std::byte> bytes_of(const Tensor& tensor) const {
    return tensor.offset >= newer_at() && !newer.empty()
               ? newer.subspan(tensor.offset - newer_at(), tensor.bytes)
               : constants.subspan(tensor.offset, tensor.bytes);
  }
};

// What a Program needs of an external spill-fill buffer: the part of the arena in which tensors between two
// ops lie that the Schedule moves to DDR and back. (Ours: no source says what the vendor counts.)
uint64_t spill_fill_bytes(const Program& program);

// The arguments of an op as kernels and work functions see them. The pointers are into `program`.
ops::OpCall call_of(const Program& program, const Op& op);

}  // namespace openqnn::program
