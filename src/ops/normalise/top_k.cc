// SPDX-License-Identifier: BSD-3-Clause
// TopK: the k largest or smallest elements of each row, in order, and where they stood.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

#include "base/text.h"
#include "ops/elements.h"
#include "ops/kernel_memory.h"
#include "ops/normalise/cells.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes read or written; ours: a bitonic sort of a row of values with indices.
constexpr uint64_t kTopKInstructions = 96;

uint32_t k_of(const OpCall& call) { return call.params->u32("k", 1); }

Status check_top_k(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  const uint32_t k = k_of(call);
  const size_t last = shape.rank() - 1;
  if (k == 0 || k > shape[last])
    return invalid("op-param-value", concat("k ", k, " is not between 1 and the ", shape[last],
                                            " elements of the last dimension"));
  if (!same_representation(call.in(0), call.out(0)))
    return invalid("op-encoding", "values have another encoding than the input").fix_by("give both the same");
  ir::Shape expected = shape;
  expected[last] = k;
  OPENQNN_TRY(expect_shape("output 0 (values)", call.out(0).shape, expected));
  return expect_shape("output 1 (indices)", call.out(1).shape, expected);
}

// NaN is larger than everything else (ours).
bool before(double a, double b) { return std::isnan(a) != std::isnan(b) ? std::isnan(b) : a < b; }

// Of equal elements the one with the higher index comes first: the definition says so (ONNX says the lower).
void order_row(std::span<const double> row, bool largest, uint32_t k, std::span<uint32_t> order) {
  std::iota(order.begin(), order.end(), 0U);
  std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](uint32_t a, uint32_t b) {
    if (before(row[a], row[b])) return !largest;
    if (before(row[b], row[a])) return largest;
    return a > b;
  });
}

void run_top_k(const KernelArgs& args, const ir::Box&) {
  const ir::TensorDesc& in = args.call.in(0);
  const uint32_t k = k_of(args.call);
  const uint32_t length = in.shape.from_end(0);
  const bool largest = args.call.params->boolean("largest", true);
  const ElementReader read(in, args.inputs[0]);
  const ElementWriter write_index(args.call.out(1), args.outputs[1]);
  const size_t size = ir::byte_size(in.type);
  KernelMemory memory(args);
  auto row = memory.vector<double>(length);
  auto order = memory.vector<uint32_t>(length);
  const uint64_t rows = in.shape.elements() / length;
  for (uint64_t r = 0; r < rows; ++r) {
    for (uint32_t i = 0; i < length; ++i) row[i] = read(r * length + i);
    order_row(row, largest, k, order);
    for (uint32_t i = 0; i < k; ++i) {
      std::memcpy(args.outputs[0] + (r * k + i) * size, args.inputs[0] + (r * length + order[i]) * size,
                  size);
      write_index(r * k + i, order[i]);
    }
  }
}

}  // namespace

OpDef top_k() {
  return {
      .type = "TopK",
      .check = check_top_k,
      .work =
          [](const OpCall& call, const ir::Box& output) {
            const ir::Box input = ir::Box::whole(call.in(0).shape);
            return output.empty() ? Work{} : input_work(call, input, output, kTopKInstructions, 1);
          },
      .kernels = {reference_kernel(run_top_k,
                                   [](const OpCall& call) {
                                     const uint64_t length = call.in(0).shape.from_end(0);
                                     return room_for<double>(length) + room_for<uint32_t>(length);
                                   })},
  };
}

}  // namespace openqnn::ops
