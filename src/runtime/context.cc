// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/context.h"

#include <algorithm>
#include <cstring>

#include "QnnContext.h"
#include "QnnGraph.h"
#include "base/text.h"
#include "program/context_binary.h"
#include "program/merge.h"

namespace openqnn::runtime {
namespace {

struct Loaded {
  program::ProgramSet set;
  std::shared_ptr<LoadedBinary> binary;
};

Status fits_target(const program::Program& program, const soc::Target& target) {
  const std::string where = concat("graph '", program.graph, "'");
  if (program.arch > target.arch)
    return unsupported("binary-arch", concat("prepared for v", program.arch, " (", program.soc, "), but ",
                                             target.soc, " is v", target.arch))
        .at(where)
        .fix_by("prepare the model again for this part");
  if (program.schedule.vtcm_bytes > target.vtcm.value)
    return unsupported("binary-vtcm", concat("needs ", program.schedule.vtcm_bytes, " bytes of VTCM, but ",
                                             target.soc, " has ", target.vtcm.value))
        .at(where)
        .fix_by("prepare the model again with a smaller VTCM size");
  return {};
}

// The device to load for: the one given, or, where nobody named one, the part that the binary was prepared
// for.
Outcome<std::shared_ptr<DeviceState>> device_for(const program::ProgramSet& set,
                                                 std::shared_ptr<DeviceState> device) {
  if (!device) {
    device = std::make_shared<DeviceState>();
    const auto own =
        set.programs.empty() ? soc::default_target() : soc::target_by_chipset(set.programs[0]->soc);
    if (!own) return ApiError(QNN_CONTEXT_ERROR_BINARY_CONFIGURATION, own.error());
    device->target = *own;
  }
  for (const auto& program : set.programs)
    OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, fits_target(*program, device->target));
  return device;
}

Outcome<Loaded> load(std::span<const std::byte> bytes, const ContextOptions& options) {
  std::shared_ptr<const void> owner;
  const bool in_place = options.persistent_binary && program::data_is_aligned(bytes);
  if (!in_place) {
    OPENQNN_ASSIGN_AS(program::OwnedBytes copy, QNN_CONTEXT_ERROR_MEM_ALLOC, program::aligned_copy(bytes));
    bytes = copy.bytes;
    owner = std::move(copy.owner);
  }
  const auto check = in_place ? program::DataCheck::kDeferred : program::DataCheck::kNow;
  OPENQNN_ASSIGN_AS(program::ProgramSet set, QNN_CONTEXT_ERROR_CREATE_FROM_BINARY,
                    program::read_context_binary(bytes, owner, check));
  return Loaded{std::move(set), std::make_shared<LoadedBinary>(bytes, !in_place)};
}

}  // namespace

Context::Context(Logger log, std::shared_ptr<DeviceState> device)
    : log_(std::move(log)), device_(std::move(device)) {
  ++device_->contexts;
}

Context::~Context() { --device_->contexts; }

Outcome<std::unique_ptr<Context>> Context::from_binary(std::span<const std::byte> bytes,
                                                       const ContextOptions& options, const Logger& log,
                                                       std::shared_ptr<DeviceState> requested) {
  OPENQNN_ASSIGN(const Loaded loaded, load(bytes, options));
  OPENQNN_ASSIGN(const auto device, device_for(loaded.set, std::move(requested)));
  auto context = std::make_unique<Context>(log, device);
  for (size_t i = 0; i < loaded.set.programs.size(); ++i) {
    auto added = context->add_graph(std::make_unique<Graph>(loaded.set, i, loaded.binary, log, device));
    if (!added) {
      context->close();
      return std::move(added).error();
    }
  }
  return context;
}

Outcome<> Context::validate_binary(std::span<const std::byte> bytes, std::shared_ptr<DeviceState> requested) {
  // In place where possible: nothing is kept.
  OPENQNN_ASSIGN(const Loaded loaded, load(bytes, {.persistent_binary = true}));
  OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, loaded.binary->verify_once());
  OPENQNN_TRY(device_for(loaded.set, std::move(requested)));
  return {};
}

Outcome<void*> Context::add_graph(std::unique_ptr<Graph> graph) {
  const std::lock_guard lock(mutex_);
  if (closed_)
    return ApiError(QNN_GRAPH_ERROR_INVALID_CONTEXT, invalid("context-freed", "the context was freed"));
  const std::string name = graph->name();
  if (graphs_.contains(name))
    return ApiError(QNN_GRAPH_ERROR_INVALID_NAME,
                    invalid("graph-name-taken", concat("the context has a graph '", name, "' already"))
                        .fix_by("choose another name, or retrieve the existing graph"));
  void* handle = HandleTable::instance().insert(Graph::kKind, std::move(graph));
  if (!handle)
    return ApiError(QNN_GRAPH_ERROR_MEM_ALLOC, exhausted("handles", "no handle is left for a graph"));
  graphs_.emplace(name, handle);
  serialised_.clear();
  return handle;
}

Outcome<void*> Context::create_graph(const std::string& name, const prepare::Options& options) {
  return add_graph(std::make_unique<Graph>(name, log_, device_, options));
}

Outcome<void*> Context::retrieve_graph(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(name);
  if (found == graphs_.end()) {
    std::string known;
    for (const auto& [other, handle] : graphs_) known += (known.empty() ? "'" : ", '") + other + "'";
    return ApiError(QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST,
                    invalid("graph-unknown", concat("the context has no graph '", name, "'; it has ",
                                                    known.empty() ? "none" : known)));
  }
  return found->second;
}

Outcome<std::vector<std::byte>> Context::serialise() {
  std::vector<Ref<Graph>> graphs;
  std::vector<program::ProgramSet> sets;
  for (const auto& [name, handle] : graphs_) {
    Ref<Graph> graph = HandleTable::instance().acquire<Graph>(handle);
    if (!graph || !graph->finalized())
      return ApiError(QNN_CONTEXT_ERROR_NOT_FINALIZED,
                      invalid("context-not-finalized", "a context binary holds finalized graphs only")
                          .at(concat("graph '", name, "'"))
                          .fix_by("finalize every graph of the context first"));
    // Fresh checksums must not be put over damaged bytes.
    OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_GET_BINARY_FAILED, graph->verify_constants());
    sets.push_back(graph->programs());
    graphs.push_back(std::move(graph));
  }
  if (sets.empty())
    return ApiError(QNN_CONTEXT_ERROR_NOT_FINALIZED, invalid("context-empty", "the context has no graph"));
  return program::write_context_binary(sets.size() == 1 ? sets[0] : program::merge(sets));
}

Outcome<uint64_t> Context::binary_size() {
  const std::lock_guard lock(mutex_);
  if (serialised_.empty()) {
    OPENQNN_ASSIGN(serialised_, serialise());
  }
  return serialised_.size();
}

Outcome<uint64_t> Context::binary(std::span<std::byte> buffer) {
  const std::lock_guard lock(mutex_);
  if (serialised_.empty()) {
    OPENQNN_ASSIGN(serialised_, serialise());
  }
  if (buffer.size() < serialised_.size())
    return ApiError(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                    invalid("binary-buffer", concat("the buffer has ", buffer.size(), " bytes, the binary ",
                                                    serialised_.size()))
                        .fix_by("ask QnnContext_getBinarySize first"));
  const uint64_t written = serialised_.size();
  std::memcpy(buffer.data(), serialised_.data(), written);
  serialised_ = {};
  return written;
}

void Context::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (const auto& [name, handle] : graphs_) HandleTable::instance().remove<Graph>(handle);
  graphs_.clear();
}

}  // namespace openqnn::runtime
