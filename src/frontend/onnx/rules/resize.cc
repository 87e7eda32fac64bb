// SPDX-License-Identifier: BSD-3-Clause
// Resize and Upsample. The backend's ops derive the scale from the extents and know some ways to place
// pixels; the first of them that takes every output from where ONNX does is emitted. For the others, nearest
// pixels are gathered, and interpolation is a product with a matrix of weights, dimension by dimension.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/matrix.h"
#include "frontend/onnx/rules/resampling.h"

namespace openqnn::frontend::onnx {
namespace {

// Places that differ by less are the same: scales are single precision.
constexpr double kSamePlace = 1e-5;
// Every output of a dimension is looked at; one with more of them is no model's.
constexpr int64_t kLargestExtent = int64_t{1} << 20;

// ---- What the node says ----

struct Resize {
  ResizeMode mode;
  std::vector<Resampling> axes;  // one per dimension
};

bool has_old_form(const NodeView& node) { return node.node().type == "Upsample" || node.opset() < 11; }

// The values of the inputs; empty where there are none.
struct Given {
  std::vector<double> scales;
  std::vector<int64_t> sizes;
  std::vector<double> region;
};

Given given_of(const NodeView& node) {
  Given given;
  auto reals = [&](size_t input) {
    return node.constant(input) != nullptr ? node.constant(input)->reals() : std::vector<double>{};
  };
  if (has_old_form(node)) {
    given.scales = node.has(1) ? reals(1) : node.attributes().reals("scales");
    return given;
  }
  given.region = reals(1);
  given.scales = reals(2);
  if (node.constant(3) != nullptr) given.sizes = node.constant(3)->integers();
  return given;
}

Result<ResizeMode> mode_of(const NodeView& node) {
  const Attributes& attributes = node.attributes();
  const bool old = has_old_form(node);
  ResizeMode mode;
  const std::string_view filter = attributes.text("mode", "nearest");
  if (filter == "linear" || filter == "bilinear")
    mode.filter = Filter::kLinear;
  else if (filter == "cubic" && !old)
    mode.filter = Filter::kCubic;
  else if (filter != "nearest")
    return node.wrong(concat("mode '", filter, "' is not one of nearest, linear and cubic"));
  if (old) {
    mode.place = "asymmetric";
    mode.nearest = "floor";
    return mode;
  }
  mode.place = attributes.text("coordinate_transformation_mode", mode.place);
  mode.nearest = attributes.text("nearest_mode", mode.nearest);
  mode.cubic = attributes.real("cubic_coeff_a", mode.cubic);
  mode.exclude_outside = mode.filter == Filter::kCubic && attributes.integer("exclude_outside", 0) != 0;
  if (!mode.is_known_place() || !mode.is_known_nearest())
    return node.wrong(
        concat("coordinates '", mode.place, "' or nearest mode '", mode.nearest, "' are not ONNX's"));
  return mode;
}

// With keep_aspect_ratio_policy all scales are the smallest or the greatest that the sizes ask for.
double common_scale(const Given& given, const Dims& dims, const std::vector<size_t>& axes, bool smallest) {
  double scale = smallest ? INFINITY : 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const double one = static_cast<double>(given.sizes[i]) / static_cast<double>(dims[axes[i]]);
    scale = smallest ? std::min(scale, one) : std::max(scale, one);
  }
  return scale;
}

Status set_extents(const NodeView& node, const Given& given, const std::vector<size_t>& axes,
                   Resize& resize) {
  const std::string_view policy = node.attributes().text("keep_aspect_ratio_policy", "stretch");
  const bool by_size = !given.sizes.empty();
  const bool stretches = !by_size || policy.empty() || policy == "stretch";  // a policy is for sizes alone
  const double common = stretches ? 0 : common_scale(given, node.dims(0), axes, policy == "not_larger");
  for (size_t i = 0; i < axes.size(); ++i) {
    Resampling& axis = resize.axes[axes[i]];
    const auto in = static_cast<double>(axis.in);
    if (by_size) {
      axis.out = stretches ? given.sizes[i] : static_cast<int64_t>(std::llround(std::min(common * in, 1e9)));
      axis.scale = stretches ? static_cast<double>(axis.out) / in : common;
    } else {
      axis.scale = given.scales[i];
      if (!(axis.scale > 0) || !std::isfinite(axis.scale) || axis.scale > 1e9)
        return node.wrong(concat("scale ", axis.scale, " is no positive number"));
      double length = 1;
      if (resize.mode.place == "tf_crop_and_resize") length = axis.end - axis.start;
      // Single-precision scales make 1.9999998 of 2.
      axis.out =
          static_cast<int64_t>(std::floor(std::clamp(in * length * axis.scale + kSamePlace, 0.0, 1e12)));
    }
    if (axis.out < 1 || axis.out > kLargestExtent)
      return node.wrong(concat("an extent of ", axis.in, " would become ", axis.out, ", and 1 to ",
                               kLargestExtent, " are taken"));
  }
  return {};
}

Result<Resize> resize_of(const NodeView& node) {
  // Those that sizes and scales are given for.
  std::vector<size_t> axes = plain_numbers<size_t>(node.rank(0));
  if (node.attributes().has("axes")) {
    OPENQNN_ASSIGN(axes, node.axes(node.attributes().integers("axes"), node.rank(0)));
  }
  const Given given = given_of(node);
  Resize resize;
  OPENQNN_ASSIGN(resize.mode, mode_of(node));
  for (const int64_t dim : node.dims(0)) {
    if (dim < 1) return node.wrong("an empty tensor cannot be resized");
    resize.axes.push_back({dim, dim});
  }
  if (given.scales.empty() == given.sizes.empty()) return node.wrong("it needs either scales or sizes");
  if (std::max(given.scales.size(), given.sizes.size()) != axes.size())
    return node.wrong(concat("scales or sizes are not ", axes.size(), " numbers"));
  if (resize.mode.place == "tf_crop_and_resize") {
    if (given.region.size() != 2 * axes.size())
      return node.wrong(concat("the region is not ", 2 * axes.size(), " numbers"));
    for (size_t i = 0; i < axes.size(); ++i) {
      resize.axes[axes[i]].start = given.region[i];
      resize.axes[axes[i]].end = given.region[axes.size() + i];
    }
  }
  OPENQNN_TRY(set_extents(node, given, axes, resize));
  return resize;
}

bool shrinks(const Resize& resize) {
  return std::any_of(resize.axes.begin(), resize.axes.end(),
                     [](const Resampling& axis) { return axis.scale < 1; });
}

Status infer_resize(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  const bool old = has_old_form(node);
  for (size_t i = 1; i < node.input_count(); ++i)
    if (node.has(i)) OPENQNN_TRY(node.need_integers(i, i == 1 && !old ? "the region" : "the new size"));
  OPENQNN_ASSIGN(const Resize resize, resize_of(node));
  if (node.attributes().integer("antialias", 0) != 0 && resize.mode.filter != Filter::kNearest &&
      shrinks(resize))
    return node.not_offered("an antialiased filter is not computed").fix_by("export with antialias = 0");
  Dims out;
  for (const Resampling& axis : resize.axes) out.push_back(axis.out);
  return node.set(0, node.type(0), std::move(out));
}

// ---- The backend's ops ----

// A way to place pixels that the backend has: ONNX's name and the parameters.
struct BackendPlace {
  std::string_view place;
  std::string_view nearest;  // how ResizeNearestNeighbor rounds there
  const char* flag;          // of the ops for images; null: neither
  uint32_t mode;             // of Resize
};
constexpr BackendPlace kBackendPlaces[] = {
    {"asymmetric", "floor", nullptr, 3},
    {"half_pixel", "round_prefer_ceil", "half_pixel_centers", 0},
    {"align_corners", "round_prefer_ceil", "align_corners", 2},
};

// Sources lie on a straight line over the outputs, so that its ends are the farthest.
bool has_outside(const ResizeMode& mode, const Resampling& axis) {
  return is_outside(mode, axis, 0) || is_outside(mode, axis, axis.out - 1);
}

// Whether the backend takes what ONNX takes.
bool agrees(const Resize& resize, const BackendPlace& place) {
  ResizeMode theirs = resize.mode;
  theirs.place = place.place;
  theirs.nearest = place.nearest;
  return std::all_of(resize.axes.begin(), resize.axes.end(), [&](const Resampling& ours) {
    if (!ours.changes()) return true;
    const Resampling plain{ours.in, ours.out, static_cast<double>(ours.out) / static_cast<double>(ours.in)};
    if (has_outside(resize.mode, ours)) return false;
    if (resize.mode.filter == Filter::kNearest) {
      for (int64_t o = 0; o < ours.out; ++o)
        if (nearest_index(resize.mode, ours, o) != nearest_index(theirs, plain, o)) return false;
      return true;
    }
    const auto is_same_place = [&](int64_t o) {
      return std::abs(source_of(resize.mode, ours, o) - source_of(theirs, plain, o)) <= kSamePlace;
    };
    return is_same_place(0) && is_same_place(ours.out - 1);
  });
}

const BackendPlace* backend_place(const Resize& resize) {
  for (const BackendPlace& place : kBackendPlaces)
    if (agrees(resize, place)) return &place;
  return nullptr;
}

// Rank 4 has ops of its own; everything else is the general one.
TensorRef emit_resize(Lowering& node, const Resize& resize, const BackendPlace& place, TensorRef x,
                      const Dims& out) {
  Params params;
  if (out.size() == 4 && resize.mode.filter != Filter::kCubic) {
    if (place.flag != nullptr) params.boolean(place.flag, true);
    const bool nearest = resize.mode.filter == Filter::kNearest;
    return node.emit(nearest ? "ResizeNearestNeighbor" : "ResizeBilinear", {x}, params, node.desc(x).type,
                     out);
  }
  params.u32("transformation_mode", place.mode);
  params.u32("interpolation_mode", static_cast<uint32_t>(resize.mode.filter));
  if (resize.mode.filter == Filter::kNearest) params.u32("nearest_mode", place.nearest == "floor" ? 2 : 1);
  if (resize.mode.filter == Filter::kCubic)
    params.f32("cubic_coeff", resize.mode.cubic).boolean("exclude_outside", resize.mode.exclude_outside);
  return node.emit("Resize", {x}, params, node.desc(x).type, out);
}

// ---- By hand ----

TensorRef gathered(Lowering& node, TensorRef x, uint32_t at, const ResizeMode& mode, const Resampling& axis) {
  Dims dims = node.lies_as(x);
  if (!node.make_room({axis.out})) return kNoTensorRef;
  dims[at] = axis.out;
  std::vector<int64_t> indices;
  for (int64_t o = 0; o < axis.out; ++o) indices.push_back(nearest_index(mode, axis, o));
  return node.emit("Gather", {x, node.integers({dims[at]}, indices)},
                   Params().i32("axis", static_cast<int32_t>(at)), node.desc(x).type, dims);
}

// With the dimension in the middle of three, its weights are a matrix on the left.
TensorRef weighted(Lowering& node, TensorRef x, uint32_t at, const ResizeMode& mode, const Resampling& axis) {
  Dims dims = node.lies_as(x);
  if (!node.make_room({axis.out, axis.in})) return kNoTensorRef;
  const int64_t before = extent_between(dims, 0, at);
  const int64_t after = extent_between(dims, at + 1, dims.size());
  const TensorRef weights = node.reals({1, axis.out, axis.in}, weight_matrix(mode, axis));
  const TensorRef y = product(node, weights, false, node.reshape(x, {before, axis.in, after}), false);
  dims[at] = axis.out;
  return node.reshape(y, dims);
}

// What lies outside a cropped region is 0 so far, and becomes what the node says.
TensorRef with_outside(Lowering& node, const Resize& resize, TensorRef y, const Order& order) {
  const double value = node.attributes().real("extrapolation_value", 0);
  Dims dims;
  bool any = false;
  for (const uint32_t d : order) {
    const bool here = has_outside(resize.mode, resize.axes[d]);
    dims.push_back(here ? resize.axes[d].out : 1);
    any = any || here;
  }
  if (!any || value == 0) return y;
  if (!node.make_room(dims)) return kNoTensorRef;
  std::vector<double> added;
  Dims index(dims.size(), 0);
  const uint64_t count = count_of(dims);
  for (uint64_t i = 0; i < count; ++i) {
    bool outside = false;
    for (size_t at = 0; at < dims.size(); ++at)
      outside = outside || is_outside(resize.mode, resize.axes[order[at]], index[at]);
    added.push_back(outside ? value : 0);
    for (size_t at = dims.size(); at-- > 0;) {
      if (++index[at] < dims[at]) break;
      index[at] = 0;
    }
  }
  return node.binary("ElementWiseAdd", y, node.reals(dims, added));
}

TensorRef by_dimension(Lowering& node, const Resize& resize, TensorRef x, const Order& order) {
  for (uint32_t at = 0; at < order.size(); ++at) {
    const Resampling& axis = resize.axes[order[at]];
    if (!axis.changes()) continue;
    const bool picks = resize.mode.filter == Filter::kNearest && !has_outside(resize.mode, axis);
    x = picks ? gathered(node, x, at, resize.mode, axis) : weighted(node, x, at, resize.mode, axis);
  }
  return with_outside(node, resize, x, order);
}

Status lower_resize(Lowering& node) {
  OPENQNN_ASSIGN(const Resize resize, resize_of(node));
  const size_t rank = node.rank(0);
  const BackendPlace* place = backend_place(resize);
  const bool spatial = rank >= 3 && rank <= 5 && !resize.axes[0].changes() && !resize.axes[1].changes();
  if (place != nullptr && spatial && is_real(node.in(0).type)) {
    const Order order = channels_last(rank);
    const Dims out = in_order(node.out().dims, order);
    return node.result(emit_resize(node, resize, *place, node.input(0, order), out), order);
  }
  const Order order = order_of(node, 0);
  return node.result(by_dimension(node, resize, node.input(0, order), order), order);
}

}  // namespace

std::span<const Rule> resize_rules() {
  static const Rule kRules[] = {
      {"Resize", infer_resize, nullptr, lower_resize},
      {"Upsample", infer_resize, nullptr, lower_resize},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
