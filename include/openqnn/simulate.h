// SPDX-License-Identifier: BSD-3-Clause
// Runs a prepared graph on the modelled device. Every time here is simulated: it comes from a model of the
// NPU, whose name and error band stand beside it, never from a device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "openqnn/context_binary.h"
#include "openqnn/error.h"
#include "openqnn/export.h"

namespace openqnn {

// How much of the device is modelled.
enum class SimulationLevel : uint8_t {
  kEvent,     // tasks wait for one another and for their units, and cost something to start
  kRoofline,  // each unit works at its rate and waits for nothing: the least that it could take
};

struct SimulateOptions {
  std::string graph;  // may stay empty when the binary has one graph
  std::string soc;    // a chipset, e.g. "SM8650"; empty: the part the graph was prepared for
  // A power profile whose votes it runs under, e.g. "balanced"; empty: a warm call under burst, with polling.
  std::string perf_profile;
  SimulationLevel level = SimulationLevel::kEvent;
  // Votes in place of the profile's, in microseconds; without a profile they go beside burst's.
  std::optional<uint32_t> rpc_polling_us;
  std::optional<uint32_t> rpc_control_latency_us;
  std::optional<uint32_t> adaptive_polling_us;
};

// What one op costs.
struct OpRow {
  std::string name;
  std::string type;
  std::string units;  // "HMX", "HVX", "HMX+HVX", "-"
  uint32_t tiles = 0;
  uint64_t busy_cycles = 0;  // of its computing units; those run side by side, so sums may exceed the total
  uint64_t dma_cycles = 0;
  uint64_t share_cycles = 0;  // its part of the timeline; the shares and the idle cycles add up to the total
  uint64_t loaded_bytes = 0;  // DDR to VTCM
  uint64_t stored_bytes = 0;  // VTCM to DDR
  std::string bound;          // what would have to be faster: "HMX", "HVX", "DMA", "DDR", "overhead"
};

// Durations of one execute call as a client sees it; each contains the one before.
struct SimulatedTimes {
  uint64_t cycles = 0;
  double accelerator_us = 0;
  double rpc_us = 0;
  double client_us = 0;
};

// Which part of the accelerator's time each resource was the critical one. They add up to 1.
struct BoundShares {
  double hmx = 0;       // the matrix unit
  double hvx = 0;       // the vector contexts
  double dma = 0;       // set-up of transfers
  double ddr = 0;       // bytes between DDR and VTCM
  double overhead = 0;  // starts of tasks, and waiting
};

struct SimulatedMemory {
  uint64_t ddr_bytes = 0;        // moved between DDR and VTCM by one execution
  uint64_t vtcm_peak_bytes = 0;  // the most that is in use at one time
  uint64_t peak_memory_bytes =
      0;                      // while it is loaded and runs: the sum of what qnn-context-binary-utility tells
  uint64_t binary_bytes = 0;  // of the context binary
};

// How the graph was prepared.
struct Preparation {
  uint32_t optimization = 0;  // O
  uint64_t vtcm_bytes = 0;    // granted
  uint32_t hvx_threads = 0;
};

class OPENQNN_API Simulation {
 public:
  const std::string& graph() const;
  const std::string& soc() const;  // the part it was simulated on; empty when only its architecture is known
  uint32_t soc_model() const;      // QNN's number of it; 0 when it has none
  uint32_t arch() const;
  const std::string& prepared_for() const;  // the part it was prepared for
  const Preparation& preparation() const;
  double clock_hz() const;
  const SimulatedTimes& times() const;
  const BoundShares& bound() const;
  const SimulatedMemory& memory() const;
  const std::vector<OpRow>& rows() const;               // in the order of the graph's ops
  const std::string& model() const;                     // which model and numbers made the times
  const std::string& source() const;                    // where the numbers come from
  double error_band() const;                            // relative: 0.5 is ±50 %
  const std::vector<std::string>& assumptions() const;  // about the part, where no source states a value

  struct Impl;  // opaque

 private:
  friend struct Inside;  // the library's own code
  explicit Simulation(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

// Deterministic: the same file and options give the same result.
OPENQNN_API Expected<Simulation> simulate(const ContextBinary& binary, const SimulateOptions& options = {});

// What one of several clients gets, each of whom calls again as soon as he has his answer.
struct ClientFigures {
  uint32_t priority = 0;  // Qnn_Priority_t
  uint64_t executes = 0;  // answered while all of them called
  double latency_us = 0;  // of a call, on average
  double worst_us = 0;
  double waited_us = 0;   // of it for the device to be free, on average
  double yielded_us = 0;  // of it for saving, waiting and restoring, when a higher priority came
  uint64_t yields = 0;    // in all
  double per_s = 0;
};
struct SharedDevice {
  double per_s = 0;  // of all together
  std::vector<ClientFigures> clients;
};

// Clients of these priorities execute the graph of a simulation on one device. The highest priority goes
// first, equal ones take turns; while one is on the device, the calls of the others are on their way.
OPENQNN_API SharedDevice share_device(const Simulation& simulation, const std::vector<uint32_t>& priorities);

}  // namespace openqnn
