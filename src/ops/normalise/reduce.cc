// SPDX-License-Identifier: BSD-3-Clause
// ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum and ReduceSumSquare.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ops/elements.h"
#include "ops/normalise/axes.h"
#include "ops/normalise/cells.h"
#include "ops/normalise/fast/reduce_kernel.h"

namespace openqnn::ops {
namespace {

// Vector instructions per 128 bytes read or written; ours: widen (8 and 16 bits fixed-point), combine.
constexpr uint64_t kReduceInstructionsFixed = 6;
constexpr uint64_t kReduceInstructions = 2;

// ---- Numbers ----

// Real numbers fold in double, in memory order of the input. Plain integers fold exactly, in 64 bits that
// stick at their ends, and stick at the ends of the type (ours).
int64_t sticking_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

int64_t sticking_multiply(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

// A NaN is the result, as in ONNX.
struct Max {
  static constexpr auto kFast = fast::Fold::kMax;
  static constexpr double kStart = -std::numeric_limits<double>::infinity();
  static double fold(double so_far, double x) { return std::isnan(x) ? x : x > so_far ? x : so_far; }
};

struct Min {
  static constexpr auto kFast = fast::Fold::kMin;
  static constexpr double kStart = std::numeric_limits<double>::infinity();
  static double fold(double so_far, double x) { return std::isnan(x) ? x : x < so_far ? x : so_far; }
};

struct Sum {
  static constexpr auto kFast = fast::Fold::kSum;
  static constexpr double kStart = 0.0;
  static double fold(double so_far, double x) { return so_far + x; }
  static int64_t fold_integer(int64_t so_far, int64_t x) { return sticking_add(so_far, x); }
};

struct Mean {  // of real numbers: the sum is divided when it is written
  static constexpr auto kFast = fast::Fold::kSum;
  static constexpr double kStart = 0.0;
  static double fold(double so_far, double x) { return so_far + x; }
};

struct Product {
  static constexpr auto kFast = fast::Fold::kProduct;
  static constexpr double kStart = 1.0;
  static double fold(double so_far, double x) { return so_far * x; }
  static int64_t fold_integer(int64_t so_far, int64_t x) { return sticking_multiply(so_far, x); }
};

struct SumSquare {
  static constexpr auto kFast = fast::Fold::kSumSquare;
  static constexpr double kStart = 0.0;
  static double fold(double so_far, double x) { return so_far + x * x; }
  static int64_t fold_integer(int64_t so_far, int64_t x) {
    return sticking_add(so_far, sticking_multiply(x, x));
  }
};

template <class Fold>
concept FoldsIntegers = requires {
  Fold::fold_integer(0, 0);
};

// ---- The op ----

Reduced reduced_of(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  return {.input = shape,
          .axes = shape.rank() == 0 ? AxisSet() : axes_of(*call.params, shape.rank()),
          .keep_dims = call.params->boolean("keep_dims", false)};
}

Status check_reduce(const OpCall& call) {
  OPENQNN_TRY(check_axes(*call.params, call.in(0).shape));
  return expect_shape("output", call.out().shape, reduced_of(call).output());
}

// Alone among them, ReduceSumSquare takes and gives rank 0; a scalar's axes are not looked at.
Status check_sum_square(const OpCall& call) {
  const ir::Shape& shape = call.in(0).shape;
  if (shape.rank() == 0) return expect_shape("output", call.out().shape, {});
  OPENQNN_TRY(check_axes(*call.params, shape));
  const Reduced reduced = reduced_of(call);
  const bool everything = reduced.axes.count() == shape.rank() && !reduced.keep_dims;
  if (everything && call.out().shape.rank() == 0) return {};
  return expect_shape("output", call.out().shape, reduced.output());
}

template <class Fold>
void fold_reals(const KernelArgs& args, const Reduced& reduced, const ir::Box& input, uint64_t out) {
  const ElementReader read(args.call.in(0), args.inputs[0]);
  const ElementWriter write(args.call.out(), args.outputs[0]);
  double result = Fold::kStart;
  for_each_offset(reduced.input, input, [&](uint64_t at) { result = Fold::fold(result, read(at)); });
  if constexpr (std::is_same_v<Fold, Mean>) result /= static_cast<double>(input.elements());
  write(out, result);
}

template <class Fold>
void fold_integers(const KernelArgs& args, const Reduced& reduced, const ir::Box& input, uint64_t out) {
  auto result = static_cast<int64_t>(Fold::kStart);
  for_each_offset(reduced.input, input, [&](uint64_t at) {
    result = Fold::fold_integer(result, load<int32_t>(args.inputs[0], at));
  });
  save(args.outputs[0], out, static_cast<int32_t>(std::clamp<int64_t>(result, INT32_MIN, INT32_MAX)));
}

template <class Fold>
void run_reduce(const KernelArgs& args, const ir::Box& region) {
  const Reduced reduced = reduced_of(args.call);
  const ir::Shape& shape = args.call.out().shape;
  ir::for_each_index(region, [&](const ir::Shape& index) {
    const ir::Box input = reduced.input_box(box_at(index));
    const uint64_t out = ir::offset_of(shape, index);
    if constexpr (FoldsIntegers<Fold>)
      if (args.call.in(0).type == ir::DataType::kInt32) return fold_integers<Fold>(args, reduced, input, out);
    fold_reals<Fold>(args, reduced, input, out);
  });
}

template <class Fold>
Kernel fast_reduction() {
  static constexpr fast::Reduction kHow{Fold::kFast, Fold::kStart, std::is_same_v<Fold, Mean>};
  return {
      .name = "vectors",
      .declines = [](const OpCall& call) { return fast::declines_reduction(call, reduced_of(call), kHow); },
      .run = [](const KernelArgs& args,
                const ir::Box& region) { fast::run_reduction(args, reduced_of(args.call), kHow, region); }};
}

template <class Fold>
OpDef reduce_op(std::string_view type, const std::vector<std::string_view>& our_rows = {}) {
  static constexpr bool kTakesScalars = std::is_same_v<Fold, SumSquare>;
  return {
      .type = type,
      .our_rows = our_rows,
      .takes_scalars = kTakesScalars,
      .check = kTakesScalars ? check_sum_square : check_reduce,
      .input_box = [](const OpCall& call, size_t,
                      const ir::Box& output) { return reduced_of(call).input_box(output); },
      .split_axes = [](const OpCall& call) { return activation_split_axes(call.out().shape); },
      .work =
          [](const OpCall& call, const ir::Box& output) {
            const bool fixed = ir::is_quantized(call.in(0).type);
            return input_work(call, reduced_of(call).input_box(output), output,
                              fixed ? kReduceInstructionsFixed : kReduceInstructions, 1);
          },
      .kernels = {fast_reduction<Fold>(), {"reference", nullptr, run_reduce<Fold>}},
  };
}

// No table lists ReduceProd and ReduceSumSquare; ours are the rows of ReduceSum.
std::vector<std::string_view> rows_of_sum() {
  return {"f16 -> f16", "f32 -> f32", "ufx8 -> ufx8", "ufx16 -> ufx16", "sfx8 -> sfx8", "i32 -> i32"};
}

}  // namespace

OpDef reduce_max() { return reduce_op<Max>("ReduceMax"); }
OpDef reduce_mean() { return reduce_op<Mean>("ReduceMean"); }
OpDef reduce_min() { return reduce_op<Min>("ReduceMin"); }
OpDef reduce_prod() { return reduce_op<Product>("ReduceProd", rows_of_sum()); }
OpDef reduce_sum() { return reduce_op<Sum>("ReduceSum"); }
OpDef reduce_sum_square() { return reduce_op<SumSquare>("ReduceSumSquare", rows_of_sum()); }

}  // namespace openqnn::ops
