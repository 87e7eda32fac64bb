// SPDX-License-Identifier: BSD-3-Clause
// A Target is everything prepare and sim need to know about a part: its units, memories and clock rule.
#pragma once

#include <array>
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

// Classes of units; a Schedule names classes, sim decides which instance.
enum class Unit : uint8_t { kHmx, kHvx, kDma, kScalar };
inline constexpr size_t kUnitCount = 4;
std::string_view unit_name(Unit unit);

// Which numbers a unit works on: 8-bit and 16-bit integers, or half.
enum class Arithmetic : uint8_t { kBytes, kWords, kHalf };

// What is done to a vector of 128 bytes, where latencies of devices tell how long that takes.
enum class VectorKind : uint8_t {
  kElementwise,  // read or written by an op on single elements
  kActivation,   // written by a nonlinear function
  kTap,          // written by a depth-wise convolution, for each of its taps
  kQuotient,     // written by a division, beside kElementwise
  kSoftmax,      // written
  kNorm,         // written by a normalisation of rows
  kLayout,       // read or written by an op that only rearranges
  kConcat,       // read or written
  kPack,         // of an activation that is packed as weights
  kBatchNorm,    // of 16 bits, read or written by a quantized batch normalisation
};
inline constexpr size_t kVectorKinds = 10;
std::string_view vector_kind_name(VectorKind kind);  // as in data/timing: "elementwise", "depthwise_tap"

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
  std::optional<uint32_t> vtcm_mb;
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

// A share that nobody has measured, and the range in which it is plausible.
struct Ratio {
  double value = 1;
  double low = 1;
  double high = 1;
};

// What work costs: rates of a part, and prices that parts of an architecture share. From data/timing.
struct Timing {
  std::string source;  // where the numbers come from, for reports

  // Of a part.
  double clock_hz = 0;  // under the default (burst) vote
  double hmx_macs_per_cycle_8 = 0;
  double hmx_macs_per_cycle_16 = 0;  // half
  double dma_bytes_per_second = 0;
  double rpc_us = 0;      // round trip of one call, accelerator time excluded
  double client_us = 0;   // NetRun minus RPC
  double error_band = 0;  // relative, e.g. 0.5 = ±50 %

  // Of an architecture.
  double word_passes = 2;      // passes of 8-bit products for 16-bit activations
  double between_strides = 0;  // share of the skipped positions that is computed all the same
  double ragged_8 = 1;         // how many times as long ragged products of 8 bits take
  double ragged_16 = 1;        // the same for 16-bit activations
  std::array<double, kVectorKinds> vector_cycles = {};  // thread-cycles of a vector, by kind
  double byte_vectors = 1;                              // vector arithmetic on 8 bits against 16 bits
  double half_vectors = 1;                              // and in half
  double instruction_cycles = 1;  // thread-cycles of a vector instruction that is of no kind
  double op_cycles = 0;           // start of an op
  double matrix_cycles = 0;       // start of a matrix of a batched product
  uint32_t task_cycles = 0;       // start of a tile
  uint32_t dma_setup_cycles = 0;

  // Of memory: data/memory_model.json.
  Ratio dlbc_activations;  // what compression leaves of an activation's bytes
  double slc_speed = 1;    // how many times DDR's rate the system-level cache has
};

struct Target {
  std::string soc;  // chipset
  uint32_t soc_model = 0;
  uint32_t arch = 0;
  Bytes vtcm;
  uint32_t hvx_contexts = 0;
  uint32_t hmx_units = 0;
  uint32_t cores = 1;  // NPUs, each with all of that; they share DDR
  Bytes slc;           // of the system-level cache, what graphs may use; none on most parts
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
