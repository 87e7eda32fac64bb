// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/context.h"

#include <algorithm>
#include <cstring>

#include "QnnContext.h"
#include "QnnGraph.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "program/constant_pool.h"
#include "program/context_binary.h"
#include "program/part.h"

namespace openqnn::runtime {
namespace {

struct Loaded {
  program::ProgramSet set;
  std::shared_ptr<LoadedBinary> binary;
};

// Whether it was prepared with all the VTCM of its part: a graph that asked for less is content with it.
bool has_all_vtcm(const program::Program& program) {
  const auto own = part_of(program);
  return own && program.schedule.vtcm_bytes == own->vtcm.value;
}

// What "strict" asks for: the documents name the VTCM size of graphs that were prepared with the maximum; the
// architecture is ours.
Status uses_target(const program::Program& program, const soc::Target& target) {
  const bool lacks_vtcm = program.schedule.vtcm_bytes < target.vtcm.value && has_all_vtcm(program);
  if (program.arch == target.arch && !lacks_vtcm) return {};
  return unsupported("binary-suboptimal", concat("prepared for v", program.arch, " and ",
                                                 program.schedule.vtcm_bytes, " bytes of VTCM, but this is ",
                                                 part_and_arch(target), " and has ", target.vtcm.value))
      .at(concat("graph '", program.graph, "'"))
      .fix_by("prepare the model again for this part, or load it with permissive compatibility");
}

// The device to load for: the one given, or, where nobody named one, the part that the binary was prepared
// for.
Outcome<std::shared_ptr<DeviceState>> device_for(const program::ProgramSet& set,
                                                 std::shared_ptr<DeviceState> device, bool strict,
                                                 const Logger& log) {
  if (!device) {
    auto own = set.programs.empty() ? soc::default_target() : part_of(*set.programs[0]);
    if (!own) return ApiError(QNN_CONTEXT_ERROR_BINARY_CONFIGURATION, own.error());
    own->assumed = true;  // the client named no part
    device = std::make_shared<DeviceState>(*std::move(own), log);
  }
  for (const auto& program : set.programs)
    OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, check_runs_on(*program, device->target));
  for (const auto& program : set.programs)
    if (strict) OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_BINARY_SUBOPTIMAL, uses_target(*program, device->target));
  return device;
}

Outcome<Loaded> load(std::span<const std::byte> bytes, const ContextOptions& options, const Logger& log) {
  std::shared_ptr<const void> owner;
  const bool in_place = options.persistent_binary && program::data_is_aligned(bytes);
  if (options.persistent_binary && !in_place)
    log.info(concat("the persistent binary is copied: its buffer does not begin at a multiple of ",
                    program::kTensorAlignment, " bytes"));
  if (!in_place) {
    OPENQNN_ASSIGN_AS(program::OwnedBytes copy, QNN_CONTEXT_ERROR_MEM_ALLOC, program::aligned_copy(bytes));
    bytes = copy.bytes;
    owner = std::move(copy.owner);
  }
  const auto check = in_place ? program::DataCheck::kDeferred : program::DataCheck::kNow;
  auto set = program::read_context_binary(bytes, owner, check);
  if (!set) {
    const bool other_version = set.error().code == "context-version";
    return ApiError(other_version ? QNN_CONTEXT_ERROR_BINARY_VERSION : QNN_CONTEXT_ERROR_CREATE_FROM_BINARY,
                    std::move(set).error());
  }
  return Loaded{*std::move(set), std::make_shared<LoadedBinary>(bytes, !in_place)};
}

bool is_enabled(const ContextOptions& options, const std::string& graph) {
  return !options.enabled_graphs || std::ranges::count(*options.enabled_graphs, graph) != 0;
}

Status check_enabled(const ContextOptions& options, const program::ProgramSet& set) {
  if (!options.enabled_graphs) return {};
  std::string known;
  for (const auto& program : set.programs) append_item(known, "'", program->graph, "'");
  for (const std::string& name : *options.enabled_graphs)
    if (std::ranges::none_of(set.programs, [&](const auto& program) { return program->graph == name; }))
      return invalid("context-enable-graphs", concat("the binary has no graph '", name, "' to enable"))
          .fix_by(concat("it has ", known.empty() ? "none" : known));
  return {};
}

// Documented: weights are shared by at most so many graphs, and by none of different VTCM sizes.
constexpr size_t kMostSharingGraphs = 64;

Status can_share_weights(std::span<const program::ProgramSet> sets) {
  const program::Program& first = *sets.front().programs[0];
  for (const program::ProgramSet& set : sets) {
    const program::Program& program = *set.programs[0];
    if (program.schedule.vtcm_bytes == first.schedule.vtcm_bytes) continue;
    return unsupported("weight-sharing-vtcm",
                       concat("graphs that share weights need one VTCM size: '", first.graph, "' has ",
                              first.schedule.vtcm_bytes, " bytes, '", program.graph, "' ",
                              program.schedule.vtcm_bytes))
        .at("context option 'weight sharing'")
        .fix_by("give all graphs of the context the same VTCM size, or switch weight sharing off");
  }
  return {};
}

bool is_compressed(const program::Program& program) {
  return program.bandwidth.compressed_activations || program.bandwidth.compressed_weights;
}

// Documented: a binary holds so many graphs with DLBC, fewer where activations and weights have it, and none
// with shared weights.
Status can_be_compressed(std::span<const program::ProgramSet> sets, bool weight_sharing) {
  constexpr size_t kMostWithOne = 32;
  constexpr size_t kMostWithBoth = 16;
  program::Bandwidth any;
  for (const program::ProgramSet& set : sets) {
    const program::Bandwidth& own = set.programs[0]->bandwidth;
    any.compressed_activations |= own.compressed_activations;
    any.compressed_weights |= own.compressed_weights;
    if (weight_sharing && is_compressed(*set.programs[0]))
      return unsupported("dlbc-weight-sharing", "DLBC and weight sharing exclude each other")
          .at(concat("graph '", set.programs[0]->graph, "'"))
          .fix_by("prepare the graphs without dlbc and dlbc_weights, or switch weight sharing off");
  }
  if (!any.compressed_activations && !any.compressed_weights) return {};
  const size_t most = any.compressed_activations && any.compressed_weights ? kMostWithBoth : kMostWithOne;
  if (sets.size() <= most) return {};
  return unsupported("dlbc-graphs", concat(sets.size(), " graphs are in the context, but with DLBC of ",
                                           most == kMostWithBoth ? "activations and weights" : "one kind",
                                           " a binary holds at most ", most))
      .fix_by("divide the graphs over several contexts, or prepare them without DLBC");
}

Status check_group(const ContextOptions& options, const program::ProgramSet& set) {
  if (!options.group) return {};
  for (const auto& program : set.programs)
    if (is_compressed(*program))
      return unsupported("dlbc-spill-fill", "a graph with DLBC cannot share a spill-fill buffer")
          .at(concat("graph '", program->graph, "'"))
          .fix_by("prepare it without dlbc and dlbc_weights, or leave the context out of the group");
  return {};
}

// The device to load for, once all that the options ask for is seen to be possible.
Outcome<std::shared_ptr<DeviceState>> admitted(const program::ProgramSet& set, const ContextOptions& options,
                                               std::shared_ptr<DeviceState> requested, const Logger& log) {
  OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_INVALID_CONFIG, check_enabled(options, set));
  OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_UNSUPPORTED_FEATURE, check_group(options, set));
  return device_for(set, std::move(requested), options.strict, log);
}

// Before the first graph that calls reach through a handle. Not with the backend: a process that forks before
// it makes contexts keeps no pool whose threads stay behind.
void make_what_graphs_use() {
  ThreadPool::shared();
  static const HandleTable::EndAtExit end;
}

}  // namespace

Context::Context(Logger log, std::shared_ptr<DeviceState> device, std::shared_ptr<OpPackages> packages,
                 const ContextOptions& options)
    : log_(std::move(log)),
      parts_{.device = std::move(device),
             .queue = std::make_shared<AsyncQueue>(options.queue_depth),
             .packages = packages ? std::move(packages) : std::make_shared<OpPackages>(log_),
             .prepare_only = options.prepare_only,
             .sharing = options.sharing,
             .priority_is_frozen = options.group && options.group->concurrent},
      weight_sharing_(options.weight_sharing),
      skip_section_checks_(options.skip_section_checks),
      group_(options.group),
      profiles_dsp_heap_(options.profiles_dsp_heap),
      priority_(options.priority) {
  make_what_graphs_use();
  ++parts_.device->contexts;
  enlist(parts_.device);
}

Context::~Context() {
  parts_.queue->close();
  parts_.device->clock.begin_stage("deinit");
  --parts_.device->contexts;
}

Outcome<std::unique_ptr<Context>> Context::from_binary(std::span<const std::byte> bytes,
                                                       const ContextOptions& options, const Logger& log,
                                                       std::shared_ptr<DeviceState> requested,
                                                       std::shared_ptr<OpPackages> packages) {
  OPENQNN_ASSIGN(const Loaded loaded, load(bytes, options, log));
  OPENQNN_ASSIGN(const auto device, admitted(loaded.set, options, std::move(requested), log));
  auto context = std::make_unique<Context>(log, device, std::move(packages), options);
  for (size_t i = 0; i < loaded.set.programs.size(); ++i) {
    if (!is_enabled(options, loaded.set.programs[i]->graph)) {
      context->disabled_.insert(loaded.set.programs[i]->graph);
      continue;
    }
    auto added =
        context->add_graph(std::make_unique<Graph>(loaded.set, i, loaded.binary, log, context->parts_));
    if (!added) {
      context->close();
      return std::move(added).error();
    }
  }
  context->set_priority(options.priority);  // of its graphs, too
  device->clock.begin_stage("init");
  return context;
}

Outcome<> Context::validate_binary(std::span<const std::byte> bytes, std::shared_ptr<DeviceState> requested,
                                   const ContextOptions& options) {
  // In place where possible: nothing is kept.
  OPENQNN_ASSIGN(const Loaded loaded, load(bytes, {.persistent_binary = true}, Logger()));
  OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_CREATE_FROM_BINARY, loaded.binary->verify_once());
  OPENQNN_TRY(admitted(loaded.set, options, std::move(requested), Logger()));
  return {};
}

Outcome<void*> Context::add_graph(std::unique_ptr<Graph> graph) {
  const std::lock_guard lock(mutex_);
  if (closed_)
    return ApiError(QNN_GRAPH_ERROR_INVALID_CONTEXT, invalid("context-freed", "the context was freed"));
  const std::string name = graph->name();
  if (weight_sharing_ && graphs_.size() >= kMostSharingGraphs)
    return ApiError(QNN_GRAPH_ERROR_UNSUPPORTED_FEATURE,
                    unsupported("weight-sharing-graphs",
                                concat("weights are shared by at most ", kMostSharingGraphs, " graphs"))
                        .at(concat("graph '", name, "'"))
                        .fix_by("put further graphs into another context"));
  if (graphs_by_name_.contains(name))
    return ApiError(QNN_GRAPH_ERROR_INVALID_NAME,
                    invalid("graph-name-taken", concat("the context has a graph '", name, "' already"))
                        .fix_by("choose another name, or retrieve the existing graph"));
  void* handle = HandleTable::instance().insert(Graph::kKind, std::move(graph));
  if (!handle)
    return ApiError(QNN_GRAPH_ERROR_MEM_ALLOC, exhausted("handles", "no handle is left for a graph"));
  graphs_.emplace_back(name, handle);
  graphs_by_name_.emplace(name, handle);
  serialised_.clear();
  return handle;
}

Outcome<void*> Context::create_graph(const std::string& name, const GraphOptions& options) {
  return add_graph(std::make_unique<Graph>(name, log_, parts_, options));
}

uint32_t Context::priority() {
  const std::lock_guard lock(mutex_);
  return priority_;
}

void Context::set_priority(uint32_t priority) {
  const std::lock_guard lock(mutex_);
  priority_ = priority;
  for (const auto& [name, handle] : graphs_)
    if (const auto graph = HandleTable::instance().acquire<Graph>(handle)) graph->set_priority(priority);
}

GraphList Context::graphs() {
  const std::lock_guard lock(mutex_);
  return graphs_;
}

Outcome<void*> Context::retrieve_graph(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = graphs_by_name_.find(name);
  if (disabled_.contains(name))
    return ApiError(
        QNN_GRAPH_ERROR_DISABLED,
        invalid("graph-disabled", concat("graph '", name, "' was left out when the binary was loaded"))
            .fix_by("name it in the option ENABLE_GRAPHS, or leave the option out"));
  if (found == graphs_by_name_.end()) {
    std::string known;
    for (const auto& [other, handle] : graphs_) append_item(known, "'", other, "'");
    return ApiError(QNN_GRAPH_ERROR_GRAPH_DOES_NOT_EXIST,
                    invalid("graph-unknown", concat("the context has no graph '", name, "'; it has ",
                                                    known.empty() ? "none" : known)));
  }
  return found->second;
}

Outcome<> Context::serialise(Qnn_ErrorHandle_t code) {
  std::vector<std::shared_ptr<ExecutionPlan>> plans;
  std::vector<program::ProgramSet> sets;
  for (const auto& [name, handle] : graphs_) {
    const Ref<Graph> graph = HandleTable::instance().acquire<Graph>(handle);
    const auto plan = graph ? graph->plan() : nullptr;
    const std::string where = concat("graph '", name, "'");
    if (!plan || graph->has_pending_updates())
      return ApiError(
          QNN_CONTEXT_ERROR_NOT_FINALIZED,
          invalid("context-not-finalized", plan ? "tensors were updated since the graph was finalized"
                                                : "a context binary holds finalized graphs only")
              .at(where)
              .fix_by("finalize every graph of the context first"));
    if (plan->has_package_ops())
      return ApiError(code, unsupported("context-op-package",
                                        "the graph has ops of an op package, whose code a binary cannot hold")
                                .at(where)
                                .fix_by("compose graphs with package ops in the process that runs them"));
    // Fresh checksums must not be put over damaged bytes.
    OPENQNN_TRY_AS(QNN_CONTEXT_ERROR_GET_BINARY_FAILED, graph->verify_constants());
    sets.push_back(*plan->programs()[0]);
    plans.push_back(plan);
  }
  if (sets.empty())
    return ApiError(QNN_CONTEXT_ERROR_NOT_FINALIZED, invalid("context-empty", "the context has no graph"));
  if (plans == serialised_from_ && !serialised_.empty()) return {};
  if (weight_sharing_) OPENQNN_TRY_AS(code, can_share_weights(sets));
  OPENQNN_TRY_AS(code, can_be_compressed(sets, weight_sharing_));
  const auto sharing = weight_sharing_ ? program::WeightSharing::kEqual : program::WeightSharing::kAsItIs;
  serialised_ = program::write_context_binary(sets.size() == 1 ? sets[0] : program::merge(sets, sharing));
  serialised_from_ = std::move(plans);
  return {};
}

Outcome<uint64_t> Context::binary_size() {
  const std::lock_guard lock(mutex_);
  OPENQNN_TRY(serialise(QNN_CONTEXT_ERROR_GET_BINARY_SIZE_FAILED));
  return serialised_.size();
}

Outcome<uint64_t> Context::binary(std::span<std::byte> buffer) {
  const std::lock_guard lock(mutex_);
  OPENQNN_TRY(serialise(QNN_CONTEXT_ERROR_GET_BINARY_FAILED));
  if (buffer.size() < serialised_.size())
    return ApiError(QNN_CONTEXT_ERROR_INVALID_ARGUMENT,
                    invalid("binary-buffer", concat("the buffer has ", buffer.size(), " bytes, the binary ",
                                                    serialised_.size()))
                        .fix_by("ask QnnContext_getBinarySize first"));
  const uint64_t written = serialised_.size();
  std::memcpy(buffer.data(), serialised_.data(), written);
  serialised_ = std::vector<std::byte>();  // `= {}` would keep its memory
  serialised_from_.clear();
  return written;
}

void Context::close() {
  parts_.queue->close();  // not under the lock: clients hear of what is not run, and may call back
  const std::lock_guard lock(mutex_);
  closed_ = true;
  on_device_.reset();
  for (const auto& [name, handle] : graphs_) HandleTable::instance().remove<Graph>(handle);
  graphs_.clear();
  graphs_by_name_.clear();
}

}  // namespace openqnn::runtime
