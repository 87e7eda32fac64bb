// SPDX-License-Identifier: BSD-3-Clause
#include "ops/normalise/axes.h"

#include "base/text.h"
#include "ops/checks.h"
#include "ops/common.h"

namespace openqnn::ops {
namespace {

// Element `i` of `axes` as a dimension, or `rank` and more when it is none.
uint64_t axis_at(const ir::Params& params, size_t i, size_t rank) {
  const ir::Param* axes = params.find("axes");
  if (axes->type == ir::DataType::kUint32) return params.u32_at("axes", i, 0);
  const int64_t axis = params.i32_at("axes", i, 0);
  const int64_t from_start = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
  return from_start < 0 ? rank : static_cast<uint64_t>(from_start);
}

}  // namespace

Status check_axes(const ir::Params& params, const ir::Shape& shape) {
  const size_t count = params.count("axes");
  if (count > shape.rank())
    return invalid("op-param-value",
                   concat("axes names ", count, " dimensions where the input has ", shape.rank()));
  AxisSet seen;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t axis = axis_at(params, i, shape.rank());
    if (axis >= shape.rank())
      return invalid("op-param-value",
                     concat("element ", i, " of axes is not a dimension of ", shape.to_string()))
          .fix_by("count axes from 0");
    if (seen[axis])
      return invalid("op-param-value", concat("axes names dimension ", axis, " twice"))
          .fix_by("name it once");
    seen.set(axis);
  }
  return {};
}

Status check_last_axis(uint32_t axis, const ir::Shape& shape, std::string_view op) {
  OPENQNN_TRY(check_axis("axis", axis, shape));
  if (axis + 1 == shape.rank()) return {};
  return unsupported("op-param-value", concat("axis ", axis, " is not the last one of ", shape.to_string()))
      .note(concat("HTP offers ", op, " on the last axis only"))
      .fix_by("transpose around the op");
}

AxisSet axes_of(const ir::Params& params, size_t rank) {
  AxisSet axes;
  for (size_t i = 0; i < params.count("axes"); ++i) axes.set(axis_at(params, i, rank));
  return axes;
}

AxisSet one_axis(uint32_t axis) { return AxisSet(1ULL << axis); }

ir::Shape cell_along(const AxisSet& axes, const ir::Shape& shape) {
  ir::Shape cell = shape;
  for (size_t i = 0; i < shape.rank(); ++i)
    if (!axes[i]) cell[i] = 1;
  return cell;
}

ir::Shape Reduced::output() const {
  ir::Shape shape;
  for (size_t i = 0; i < input.rank(); ++i)
    if (!axes[i] || keep_dims) shape.push_back(axes[i] ? 1 : input[i]);
  return shape.rank() > 0 ? shape : ir::Shape{1};
}

ir::Shape Reduced::output_index(const ir::Shape& index) const {
  ir::Shape result;
  for (size_t i = 0; i < input.rank(); ++i)
    if (!axes[i] || keep_dims) result.push_back(axes[i] ? 0 : index[i]);
  return result.rank() > 0 ? result : ir::Shape{0};
}

ir::Box Reduced::input_box(const ir::Box& output) const {
  if (output.empty()) return empty_box(input);
  ir::Box box = ir::Box::whole(input);
  size_t from = 0;
  for (size_t i = 0; i < input.rank(); ++i) {
    if (!axes[i]) take_axis(box, i, output, from);
    if (!axes[i] || keep_dims) ++from;
  }
  return box;
}

}  // namespace openqnn::ops
