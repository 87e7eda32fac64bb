// SPDX-License-Identifier: BSD-3-Clause
// A Target is everything prepare and sim need to know about a part: its units, memories and clock rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace openqnn::soc {

enum class TargetKind : uint8_t { kHtp, kLpai };

// Classes of units; a Schedule names classes, sim decides which instance.
enum class Unit : uint8_t { kHmx, kHvx, kDma, kScalar };
inline constexpr size_t kUnitCount = 4;
std::string_view unit_name(Unit unit);

// How the matrix unit adds up half products: a property of the architecture (v75 changed it).
enum class HalfAccumulation : uint8_t { kSequential, kEvenOdd };

// Who states a value of a part: keys of soc_sources(), or a work in words that is cited only once.
struct FieldSources {
  std::string field;  // as in data/socs.json, e.g. "vtcm_mb"
  std::vector<std::string> keys;
};

// One row of data/socs.json.
struct SocInfo {
  std::string chipset;         // "SM8650"
  std::string marketing_name;  // may be empty
  std::optional<uint32_t> soc_model;
  std::vector<uint32_t> kernel_ids;  // what Linux calls the part; often mistaken for the SoC model
  std::optional<uint32_t> arch;      // 75 for v75
  std::optional<uint64_t> vtcm_mb;
  std::optional<uint32_t> hvx_threads;
  std::optional<uint32_t> hmx_units;
  std::optional<uint32_t> npu_count;
  std::optional<bool> half_on_htp;
  std::optional<std::string> lpai_version;  // "v6"
  std::vector<std::string> conflicts;       // what some source states otherwise, in words
  std::vector<FieldSources> sources;
};

// A work that values of parts are taken from.
struct Source {
  std::string key;   // "litert_new"
  std::string text;  // what it is and where it can be found
};

// Rates of an architecture, from data/timing/vNN.json: what each unit does in one cycle, and what a call
// costs.
struct Timing {
  std::string source;                // where the numbers come from, for reports
  double hmx_macs_per_cycle_8 = 0;   // 8-bit operands
  double hmx_macs_per_cycle_16 = 0;  // half operands
  double hvx_bytes_per_cycle = 0;    // vector bytes processed per context and cycle
  double vtcm_bytes_per_cycle = 0;   // per HVX context
  double dma_bytes_per_second = 0;
  uint32_t dma_setup_cycles = 0;
  uint32_t op_overhead_cycles = 0;  // dispatch of one task
  double clock_hz = 0;              // under the default (burst) vote
  double rpc_us = 0;                // round trip of one call, accelerator time excluded
  double client_us = 0;             // NetRun minus RPC
  double error_band = 0;            // relative, e.g. 0.5 = ±50 %
};

struct Target {
  TargetKind kind = TargetKind::kHtp;
  std::string soc;  // chipset
  uint32_t soc_model = 0;
  uint32_t arch = 0;
  Bytes vtcm;
  uint32_t hvx_contexts = 0;
  uint32_t hmx_units = 0;
  HalfAccumulation half_accumulation = HalfAccumulation::kSequential;
  std::optional<bool> runs_half;  // float graphs, computed in half; nothing where no source says
  // Nobody named a part: sizes are this one's, but nothing is refused for what it lacks.
  bool assumed = false;
  std::vector<std::string> assumptions;  // values no source states, in words, for reports
  Timing timing;
};

// The first architecture with a matrix unit; older parts have a DSP, and QNN another backend for it.
inline constexpr uint32_t kFirstHtpArch = 68;

// All parts of data/socs.json, in the file's order, and the works that its values come from.
Result<std::vector<SocInfo>> all_socs();
Result<std::shared_ptr<const std::vector<SocInfo>>> shared_socs();  // the same without a copy
Result<std::vector<Source>> soc_sources();

// A Target by chipset ("SM8650", any case), by QNN's SoC model number, or by architecture alone (75 for v75).
// A value no source states is taken from a part with the same SoC model, else from QNN's documented defaults,
// and listed in `assumptions`.
Result<Target> target_by_chipset(std::string_view chipset);
Result<Target> target_by_model(uint32_t soc_model);
Result<Target> target_by_arch(uint32_t arch);
Result<Target> default_target();  // SM8350, as documented for "no SoC given"

}  // namespace openqnn::soc
