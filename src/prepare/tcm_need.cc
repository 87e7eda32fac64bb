// SPDX-License-Identifier: BSD-3-Clause
#include "prepare/tcm_need.h"

#include "base/text.h"
#include "base/units.h"
#include "ops/common.h"
#include "ops/op.h"

namespace openqnn::prepare {
namespace {

constexpr uint64_t kDepth = 32;               // channels of a chunk
constexpr uint64_t kLines = 8;                // of a chunk
constexpr uint64_t kSlice = kLines * kDepth;  // elements of a chunk along one step of width

struct Rounded {
  uint64_t width = 0;
  uint64_t depth = 0;
  uint64_t element = 0;
};

Rounded rounded(const ir::TensorDesc& desc) {
  const uint64_t element = ir::byte_size(desc.type);
  const uint64_t width = desc.shape.rank() > 1 ? desc.shape.from_end(1) : 1;
  const uint64_t depth = desc.shape.rank() > 0 ? desc.shape.from_end(0) : 1;
  return {round_up(width, element == 1 ? 8 : 4), round_up(depth, kDepth), element};
}

bool is_elementwise(std::string_view type) {
  return type.starts_with("ElementWise") || type == "Relu" || type == "Relu6" || type == "ReluMinMax" ||
         type == "Sigmoid" || type == "Tanh" || type == "Gelu" || type == "HardSwish" || type == "Elu" ||
         type == "Prelu";
}

bool is_suppression(std::string_view type) {
  return type == "NonMaxSuppression" || type == "MultiClassNms" || type == "CombinedNms" ||
         type == "BoxWithNmsLimit";
}

bool takes_all_at_once(std::string_view type) { return type == "TopK" || is_suppression(type); }

// That the output counts with 32 channels is our reading.
uint64_t need_of_convolution(const ops::OpCall& call) {
  const Rounded in = rounded(call.in(0));
  const Rounded out = rounded(call.out());
  const ir::Shape& window = call.in(1).shape;
  if (window.rank() != 4) return 0;
  return in.element * in.width * in.depth * window[0] * kLines +
         uint64_t{window[0]} * window[1] * in.depth * kDepth + out.element * out.width * kSlice;
}

// Along the last axis, which is what the op takes.
uint64_t need_of_top(const ops::OpCall& call) {
  const ir::TensorDesc& in = call.in(0);
  if (in.shape.rank() == 0) return 0;
  return ops::saturating_multiply(in.shape.from_end(0), kSlice * ir::byte_size(in.type) * 2);
}

// "All data in half of TCM".
uint64_t need_of_suppression(const ops::OpCall& call) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < call.inputs.size(); ++i)
    if (call.has_input(i)) bytes += call.in(i).shape.elements() * ir::byte_size(call.in(i).type);
  return 2 * bytes;
}

std::string text_of(uint64_t need, const program::Op& op) {
  return concat("'", op.name, "' (", op.type, ") needs ", need, " bytes of TCM at a time");
}

}  // namespace

bool is_global_pool(std::string_view type, const ops::OpCall& call) {
  if (!call.has_input(0)) return false;
  const ir::Shape& in = call.in(0).shape;
  if (in.rank() != 4 || uint64_t{in[1]} * in[2] == 1) return false;
  if (type == "PoolAvg2d" || type == "PoolMax2d")
    return call.params->u32_at("filter_size", 0, 0) == in[1] &&
           call.params->u32_at("filter_size", 1, 0) == in[2];
  return (type == "ReduceMean" || type == "ReduceMax") && call.params->count("axes") == 2 &&
         call.params->u32_at("axes", 0, 0) == 1 && call.params->u32_at("axes", 1, 0) == 2;
}

uint64_t tcm_need(std::string_view type, const ops::OpCall& call) {
  if (!call.has_input(0)) return 0;
  if (type == "Conv2d") return need_of_convolution(call);
  if (type == "TopK") return need_of_top(call);
  if (is_suppression(type)) return need_of_suppression(call);
  const Rounded in = rounded(call.in(0));
  if (is_global_pool(type, call)) return in.width * kSlice * in.element;
  if (!is_elementwise(ops::type_alone(type, *call.params))) return 0;
  const Rounded out = rounded(call.out());
  const uint64_t tensors = call.has_input(1) ? 3 : 2;
  return out.width * kSlice * out.element * tensors;
}

Status check_tcm(const program::Program& program, const soc::Target& target, const Logger& log) {
  const uint64_t granted = program.schedule.vtcm_bytes;
  uint64_t most = 0;
  size_t count = 0;
  const program::Op* first = nullptr;
  for (const program::Op& op : program.ops) {
    const uint64_t need = tcm_need(op.type, program::call_of(program, op));
    if (need <= granted) continue;
    if (takes_all_at_once(op.type) && !target.assumed)
      return exhausted("tcm-need", concat(text_of(need, op), ", which is greater than the ", granted,
                                          " that are granted"))
          .at(concat("graph '", program.graph, "', node '", op.name, "'"))
          .fix_by(
              "make the axis that it goes along shorter (choose among parts, then among the chosen), use 8 "
              "bits, or "
              "grant more VTCM");
    ++count;
    if (need > most) {
      most = need;
      first = &op;
    }
  }
  if (first)
    log.warn(concat("graph '", program.graph, "': by the documents' formulas ", count,
                    count == 1 ? " op does" : " ops do", " not fit the ", granted,
                    " bytes of VTCM that are granted: ", text_of(most, *first),
                    "; a device may refuse the graph, and here the op is cut across its width"));
  return {};
}

}  // namespace openqnn::prepare
