// SPDX-License-Identifier: BSD-3-Clause
// Files of encodings: what a training tool found out about a model's tensors, in the two JSON forms that are
// in use (docs/converters.md), and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/trace.h"
#include "ir/graph.h"
#include "quant/plan.h"

namespace openqnn::quant {

// What a file says of one tensor, by the name that it has there.
struct StatedEncoding {
  enum class Kind : uint8_t {
    kFloat,       // stays float
    kPerTensor,   // one pair
    kPerChannel,  // one pair per output channel
    kPerBlock,    // one pair per block of inputs of an output channel, the blocks of a channel together
    kExpanded,    // the same, as integer multiples of a scale per channel (LPBQ)
  };
  std::string name;
  Where where;
  bool is_param = false;
  Kind kind = Kind::kFloat;
  uint32_t bits = 0;  // of a stored integer, or of the float type
  bool symmetric = false;
  std::vector<ir::ScaleOffset> encodings;  // of unsigned integers: real = scale * (stored + offset)
  uint32_t block_size = 0;                 // inputs in a block
};

struct EncodingsFile {
  std::string version;  // "0.6.1", "1.0.0"
  std::vector<StatedEncoding> stated;
};

// Refuses a file that is neither form, and any entry that makes no sense. `source` names the text in
// diagnostics.
Result<EncodingsFile> read_encodings(std::string_view text, std::string_view source);

struct MatchedEncodings {
  ir::TensorEncodings overrides;       // of the graph's tensors
  std::vector<std::string> unmatched;  // names of the file that mean no tensor of the graph
};
// Names are those of the model's file, of which `trace` knows what became of them, or those of the graph.
// Refuses an encoding that does not fit the tensor it is for.
Result<MatchedEncodings> match_encodings(const EncodingsFile& file, const ir::Graph& graph,
                                         const frontend::Trace& trace);

// The encodings of a quantized graph in the list form (1.0.0), by the graph's names. Biases that count
// products of their input and weights have none of their own and are left out.
std::string write_encodings(const ir::Graph& graph);

}  // namespace openqnn::quant
