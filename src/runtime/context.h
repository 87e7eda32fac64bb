// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "QnnContext.h"
#include "runtime/dsp_heap.h"
#include "runtime/graph.h"
#include "runtime/memory.h"

namespace openqnn::runtime {

// An option that only some platforms and parts take.
struct FeatureLimit {
  const char* option;
  bool offline = false;     // in preparation on the host
  bool android = false;     // Android, or a host that models it
  uint32_t first_arch = 0;  // 0: any
  uint32_t last_arch = UINT32_MAX;
};

// A group of contexts that share buffers on the device.
struct ContextGroup {
  bool concurrent = false;  // executed side by side
  bool founded = false;     // by this context; others name it
  uint64_t spill_fill_bytes = 0;
  uint32_t priority = QNN_PRIORITY_DEFAULT;  // of a concurrent one
};

struct ContextOptions {
  bool persistent_binary = false;  // the client keeps the buffer alive: no copy
  uint32_t priority = QNN_PRIORITY_DEFAULT;
  uint32_t queue_depth = AsyncQueue::kDefaultDepth;
  bool strict = false;  // refuse a binary that does not use all that the part offers
  // The only graphs to load from a binary; nothing: all.
  std::optional<std::vector<std::string>> enabled_graphs;
  bool prepare_only = false;    // graphs go into a binary and are never executed
  bool weight_sharing = false;  // equal weights of graphs go into a binary once
  std::optional<ContextGroup> group;
  std::vector<FeatureLimit> limits;          // of the options given
  bool skip_section_checks = false;          // binary sections are applied without looking at their checksum
  std::shared_ptr<ResourceSharing> sharing;  // with the other contexts of a list; null: nothing is shared
  bool profiles_dsp_heap = false;            // the first created and the last freed context tell its use
};

// Names and handles.
using GraphList = std::vector<std::pair<std::string, void*>>;

// Graphs that share a device and go into one context binary. The graphs live in the handle table; a context
// knows their handles.
class Context : public Object {
 public:
  static constexpr Kind kKind = Kind::kContext;
  static constexpr const char* kName = "context";
  static constexpr Qnn_ErrorHandle_t kInvalidHandle = QNN_CONTEXT_ERROR_INVALID_HANDLE;

  Context(Logger log, std::shared_ptr<DeviceState> device, std::shared_ptr<OpPackages> packages = nullptr,
          const ContextOptions& options = {});
  ~Context() override;

  // A context with every graph of a binary. The bytes are copied once unless the options say they stay. Where
  // no device is requested, it is the part that the binary was prepared for.
  static Outcome<std::unique_ptr<Context>> from_binary(std::span<const std::byte> bytes,
                                                       const ContextOptions& options, const Logger& log,
                                                       std::shared_ptr<DeviceState> requested,
                                                       std::shared_ptr<OpPackages> packages = nullptr);
  // What from_binary would answer, without making anything.
  static Outcome<> validate_binary(std::span<const std::byte> bytes, std::shared_ptr<DeviceState> requested,
                                   const ContextOptions& options = {});

  const Logger& log() const { return log_; }
  const std::shared_ptr<DeviceState>& device() const { return parts_.device; }
  // What clients registered with this context; its graphs share it.
  const std::shared_ptr<ContextMemory>& memory() const { return parts_.memory; }
  // What it and its graphs share.
  const ContextParts& parts() const { return parts_; }
  const std::optional<ContextGroup>& group() const { return group_; }
  bool skips_section_checks() const { return skip_section_checks_; }
  bool profiles_dsp_heap() const { return profiles_dsp_heap_; }
  void set_profiles_dsp_heap(bool on) { profiles_dsp_heap_ = on; }
  // Names and handles of its graphs, in the order in which they came; a binary keeps it.
  GraphList graphs();

  Outcome<void*> create_graph(const std::string& name, const GraphOptions& options);
  Outcome<void*> retrieve_graph(const std::string& name);

  Outcome<uint64_t> binary_size();
  // Writes the binary into `buffer` and answers how many bytes it has.
  Outcome<uint64_t> binary(std::span<std::byte> buffer);

  // The priority of a new graph that says nothing of it; changing it changes all graphs that exist.
  uint32_t priority();
  void set_priority(uint32_t priority);

  // Ends asynchronous executions and frees the graphs' handles; called when the context's own handle is
  // freed.
  void close();

 private:
  Outcome<void*> add_graph(std::unique_ptr<Graph> graph);
  // Fills serialised_ unless it holds the graphs as they are now; `code` is answered for what cannot be
  // saved.
  Outcome<> serialise(Qnn_ErrorHandle_t code);

  const Logger log_;
  const ContextParts parts_;
  const bool weight_sharing_;
  const bool skip_section_checks_;
  const std::optional<ContextGroup> group_;
  std::atomic<bool> profiles_dsp_heap_;
  std::mutex mutex_;  // guards what follows
  bool closed_ = false;
  std::optional<DspHeap::Tenant> on_device_{std::in_place};
  GraphList graphs_;
  std::map<std::string, void*> graphs_by_name_;
  std::set<std::string> disabled_;  // graphs of the binary that the client did not enable
  uint32_t priority_;
  std::vector<std::byte> serialised_;  // between binary_size and binary
  std::vector<std::shared_ptr<ExecutionPlan>> serialised_from_;
};

}  // namespace openqnn::runtime
