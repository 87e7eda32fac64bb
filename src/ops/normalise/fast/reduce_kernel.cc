// SPDX-License-Identifier: BSD-3-Clause
#include "ops/normalise/fast/reduce_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/elementwise/fast/blocks.h"
#include "ops/normalise/fast/rows.h"

namespace openqnn::ops::fast {
namespace {

constexpr size_t kBlock = 512;  // numbers at a time, in a cache near by
constexpr size_t kShortRow = 16;

// How many of the last dimensions are all reduced, or all kept.
size_t first_of_last(const Reduced& reduced, bool are_reduced) {
  size_t axis = reduced.input.rank();
  while (axis > 0 && reduced.axes[axis - 1] == are_reduced) --axis;
  return axis;
}

uint64_t elements_from(const ir::Shape& shape, size_t axis) {
  uint64_t elements = 1;
  for (size_t i = axis; i < shape.rank(); ++i) elements *= shape[i];
  return elements;
}

uint64_t reduced_elements(const Reduced& reduced) {
  uint64_t elements = 1;
  for (size_t i = 0; i < reduced.input.rank(); ++i)
    if (reduced.axes[i]) elements *= reduced.input[i];
  return elements;
}

// Whether no sum on the way is rounded. Halves are multiples of 2^-24 below 2^16; a scale of 24 bits times an
// integer of 29 is a double.
bool sums_are_exact(const ir::TensorDesc& desc, uint64_t count) {
  constexpr double kBits = 0x1p29;
  if (desc.type == ir::DataType::kFloat16) return count <= uint64_t{1} << 13;
  const FixedFormat format = fixed_format(desc);
  return static_cast<double>(count) * std::max(std::fabs(format.low), std::fabs(format.high)) < kBits;
}

// The box of the axes in `kept` alone, at the beginning of all others.
ir::Box along(const ir::Box& box, const AxisSet& kept) {
  ir::Box result = box;
  for (size_t i = 0; i < box.rank(); ++i)
    if (!kept[i]) result.end[i] = result.begin[i] + 1;
  return result;
}

// What belongs to one region.
class RegionFold {
 public:
  RegionFold(const KernelArgs& args, const Reduced& reduced, const Reduction& how, const ir::Box& region)
      : reduced_(reduced),
        how_(how),
        input_(reduced.input_box(region)),
        out_(args.call.out().shape),
        read_(args.call.in(0), args.inputs[0]),
        write_(args.call.out(), args.outputs[0]),
        count_(static_cast<double>(reduced_elements(reduced))) {}

  // Results side by side: the axes from `first` on are kept.
  void by_columns(size_t first) const {
    size_t axis = input_.rank() - 1;
    while (axis > first && input_.extent(axis) == reduced_.input[axis]) --axis;
    AxisSet others;
    for (size_t i = 0; i < axis; ++i) others[i] = !reduced_.axes[i];
    uint64_t columns = 1;
    for (size_t i = axis; i < input_.rank(); ++i) columns *= input_.extent(i);
    ir::for_each_index(along(input_, others), [&](const ir::Shape& index) {
      for (uint64_t done = 0; done < columns; done += kBlock)
        fold_columns(index, done, std::min<uint64_t>(kBlock, columns - done));
    });
  }

  // Numbers of a result side by side: the axes from `first` on are reduced.
  void by_rows(size_t first) const {
    AxisSet others;
    AxisSet rows;
    for (size_t i = 0; i < first; ++i) (reduced_.axes[i] ? rows : others)[i] = true;
    const uint64_t length = elements_from(reduced_.input, first);
    ir::for_each_index(along(input_, others), [&](const ir::Shape& index) {
      double result = how_.start;
      for_each_fold(index, rows, [&](uint64_t at) { result = fold_row(at, length, result); });
      // Of zeros, the first is the result: vectors may have found another.
      if (result == 0.0 && how_.fold != Fold::kSum) result = first_zero(index, rows, length);
      finish(&result, 1);
      write_(ir::offset_of(out_, reduced_.output_index(index)), 1, &result);
    });
  }

 private:
  // Calls body(offset) for what is folded into the element at `index`, in memory order.
  template <class Body>
  void for_each_fold(const ir::Shape& index, const AxisSet& axes, const Body& body) const {
    ir::Box box = along(input_, axes);
    for (size_t i = 0; i < box.rank(); ++i)
      if (!axes[i]) {
        box.begin[i] = index[i];
        box.end[i] = index[i] + 1;
      }
    ir::for_each_index(box, [&](const ir::Shape& at) { body(ir::offset_of(reduced_.input, at)); });
  }

  void fold_columns(const ir::Shape& index, uint64_t first, size_t count) const {
    std::array<double, kBlock> values;
    std::array<double, kBlock> results;
    std::fill_n(results.begin(), count, how_.start);
    for_each_fold(index, reduced_.axes, [&](uint64_t at) {
      read_(at + first, count, values.data());
      host_rows().fold(how_.fold, values.data(), results.data(), count);
    });
    finish(results.data(), count);
    write_(ir::offset_of(out_, reduced_.output_index(index)) + first, count, results.data());
  }

  double fold_row(uint64_t at, uint64_t length, double so_far) const {
    std::array<double, kBlock> values;
    for (uint64_t done = 0; done < length; done += kBlock) {
      const size_t some = std::min<uint64_t>(kBlock, length - done);
      read_(at + done, some, values.data());
      so_far = host_rows().fold_row(how_.fold, values.data(), some, so_far);
    }
    return so_far;
  }

  double first_zero(const ir::Shape& index, const AxisSet& rows, uint64_t length) const {
    std::optional<double> found;
    for_each_fold(index, rows, [&](uint64_t at) {
      for (uint64_t i = 0; i < length && !found; ++i) {
        double value = 0.0;
        read_(at + i, 1, &value);
        if (value == 0.0) found = value;
      }
    });
    return found.value_or(0.0);
  }

  void finish(double* results, size_t count) const {
    if (how_.divides) host_rows().divide(results, count, count_);
  }

  const Reduced& reduced_;
  const Reduction& how_;
  ir::Box input_;
  const ir::Shape& out_;
  BlockReader read_;
  BlockWriter write_;
  double count_;
};

}  // namespace

std::optional<std::string> declines_reduction(const OpCall& call, const Reduced& reduced,
                                              const Reduction& how) {
  const ir::TensorDesc& in = call.in(0);
  if (in.shape.rank() == 0) return "it is one number";
  if (!BlockFormat(in).has_loop) return "there are no loops for this type";
  if (!reduced.axes[in.shape.rank() - 1]) return std::nullopt;
  if (elements_from(in.shape, first_of_last(reduced, true)) < kShortRow) return "the rows are short";
  if (how.fold == Fold::kMax || how.fold == Fold::kMin) return std::nullopt;
  if (how.fold != Fold::kSum) return "the result depends on the order of a row";
  if (!sums_are_exact(in, reduced_elements(reduced))) return "the sums might be rounded";
  return std::nullopt;
}

void run_reduction(const KernelArgs& args, const Reduced& reduced, const Reduction& how,
                   const ir::Box& region) {
  if (region.empty()) return;
  const RegionFold fold(args, reduced, how, region);
  if (reduced.axes[reduced.input.rank() - 1])
    fold.by_rows(first_of_last(reduced, true));
  else
    fold.by_columns(first_of_last(reduced, false));
}

}  // namespace openqnn::ops::fast
