// SPDX-License-Identifier: BSD-3-Clause
// Samples and regions of images.
#include <cmath>

#include "base/text.h"
#include "frontend/onnx/rule.h"
#include "frontend/onnx/rules/axes.h"
#include "frontend/onnx/rules/matrix.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- GridSample ----

Status infer_grid_sample(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const Dims& x = node.dims(0);
  const Dims& grid = node.dims(1);
  const size_t rank = x.size();
  if (rank < 4 || grid.size() != rank || grid[0] != x[0] || grid.back() != static_cast<int64_t>(rank) - 2)
    return node.wrong(concat("grid ", text_of(grid), " does not fit ", text_of(x)));
  Dims out{x[0], x[1]};
  out.insert(out.end(), grid.begin() + 1, grid.end() - 1);
  return node.set(0, node.type(0), std::move(out));
}

// The number that the backend has for one of several words.
Result<uint32_t> choice(const Lowering& node, std::string_view attribute, std::string_view fallback,
                        std::initializer_list<std::string_view> words) {
  const std::string_view given = node.attributes().text(attribute, fallback);
  uint32_t number = 0;
  for (const std::string_view word : words) {
    if (word == given) return number;
    ++number;
  }
  return node.not_offered(concat(attribute, " '", given, "' is not computed by the backend"));
}

Status lower_grid_sample(Lowering& node) {
  const std::string_view given = node.attributes().text("mode", "bilinear");
  const bool linear = given == "bilinear" || given == "linear";
  uint32_t mode = 0;
  if (!linear) {
    OPENQNN_ASSIGN(mode, choice(node, "mode", "bilinear", {"bilinear", "nearest"}));
  }
  OPENQNN_ASSIGN(const uint32_t padding,
                 choice(node, "padding_mode", "zeros", {"zeros", "border", "reflection"}));
  const Order order = channels_last(node.rank(0));
  Params params;
  params.boolean("align_corners", node.attributes().integer("align_corners", 0) != 0);
  params.u32("mode", mode).u32("padding_mode", padding);
  return node.result(node.emit("GridSample", {node.input(0, order), node.input(1)}, params, node.out_type(),
                               in_order(node.out().dims, order)),
                     order);
}

// ---- AffineGrid: the places of an even grid, moved by a matrix per image ----

Status infer_affine_grid(Inference& node) {
  OPENQNN_TRY(node.need_inputs(1));
  OPENQNN_ASSIGN(const auto size, node.need_integers(1, "the size of the grid"));
  const Dims& theta = node.dims(0);
  const auto spatial = static_cast<int64_t>(size.size()) - 2;
  if ((spatial != 2 && spatial != 3) || theta != Dims{size[0], spatial, spatial + 1})
    return node.wrong(concat("theta ", text_of(theta), " does not fit a grid of size ", text_of(size)));
  for (const int64_t extent : size)
    if (extent < 1) return node.wrong(concat("the grid has size ", text_of(size)));
  Dims out{size[0]};
  out.insert(out.end(), size.begin() + 2, size.end());
  out.push_back(spatial);
  return node.set(0, node.type(0), std::move(out));
}

// Rows (x, y, 1) or (x, y, z, 1): the last spatial dimension is x.
std::vector<double> even_grid(const Dims& extents, bool align_corners) {
  std::vector<double> rows;
  Dims index(extents.size(), 0);
  const uint64_t count = count_of(extents);
  for (uint64_t row = 0; row < count; ++row) {
    for (size_t d = extents.size(); d-- > 0;) {
      const auto at = static_cast<double>(index[d]);
      const auto extent = static_cast<double>(extents[d]);
      const double inner = extent > 1 ? 2 * at / (extent - 1) - 1 : 0;
      rows.push_back(align_corners ? inner : (2 * at + 1) / extent - 1);
    }
    rows.push_back(1);
    for (size_t d = extents.size(); d-- > 0;) {
      if (++index[d] < extents[d]) break;
      index[d] = 0;
    }
  }
  return rows;
}

Status lower_affine_grid(Lowering& node) {
  const Dims& out = node.out().dims;
  const Dims extents(out.begin() + 1, out.end() - 1);
  const bool align_corners = node.attributes().integer("align_corners", 0) != 0;
  const auto places = static_cast<int64_t>(count_of(extents));
  const Dims coordinates{1, places, out.back() + 1};
  if (!node.make_room(coordinates)) return {};
  const TensorRef grid = node.reals(coordinates, even_grid(extents, align_corners));
  return node.result(node.reshape(product(node, grid, false, node.input(0), true), out));
}

// ---- RoiAlign ----

Status infer_roi_align(Inference& node) {
  OPENQNN_TRY(node.need_inputs(3));
  const Dims& x = node.dims(0);
  const Dims& rois = node.dims(1);
  if (x.size() != 4 || rois.size() != 2 || rois[1] != 4 || node.dims(2) != Dims{rois[0]})
    return node.wrong(concat("regions ", text_of(rois), " with images ", text_of(node.dims(2)),
                             " do not fit ", text_of(x)));
  const int64_t height = node.attributes().integer("output_height", 1);
  const int64_t width = node.attributes().integer("output_width", 1);
  const int64_t samples = node.attributes().integer("sampling_ratio", 0);
  const double scale = node.attributes().real("spatial_scale", 1);
  if (height < 1 || width < 1 || samples < 0 || samples > INT32_MAX || !(scale > 0) || !std::isfinite(scale))
    return node.wrong("its output size, sampling ratio or scale is no positive number");
  if (node.attributes().text("mode", "avg") != "avg")
    return node.not_offered("the backend averages the samples of a region; their maximum is not computed");
  return node.set(0, node.type(0), {rois[0], x[1], height, width});
}

Status lower_roi_align(Lowering& node) {
  const Attributes& attributes = node.attributes();
  const auto ratio = static_cast<float>(1 / attributes.real("spatial_scale", 1));
  const auto samples = static_cast<int32_t>(attributes.integer("sampling_ratio", 0));
  // Before opset 16 regions were not moved by half a pixel, and there was no choice.
  const std::string_view place = attributes.text("coordinate_transformation_mode",
                                                 node.opset() < 16 ? "output_half_pixel" : "half_pixel");
  Params params;
  params.f32s("img_size_ratio", {ratio, ratio});
  params.i32("num_samples_y", samples == 0 ? -1 : samples).i32("num_samples_x", samples == 0 ? -1 : samples);
  params.boolean("aligned", place == "half_pixel");
  const Order order = channels_last(4);
  return node.result(node.emit("RoiAlign", {node.input(0, order), node.input(1), node.input(2)}, params,
                               node.out_type(), in_order(node.out().dims, order)),
                     order);
}

// ---- MaxRoiPool: each region says first which image it is of ----

Status infer_roi_pool(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  const Dims& x = node.dims(0);
  const Dims& rois = node.dims(1);
  const auto size = node.attributes().integers("pooled_shape");
  const double scale = node.attributes().real("spatial_scale", 1);
  if (x.size() != 4 || rois.size() != 2 || rois[1] != 5 || size.size() != 2 || size[0] < 1 || size[1] < 1 ||
      !(scale > 0) || !std::isfinite(scale))
    return node.wrong(concat("regions ", text_of(rois), " and its attributes do not fit ", text_of(x)));
  return node.set(0, node.type(0), {rois[0], x[1], size[0], size[1]});
}

TensorRef columns(Lowering& node, TensorRef matrix, int32_t rows, int32_t first, int32_t last) {
  return node.emit("StridedSlice", {matrix}, Params().i32s("ranges", {0, rows, 1, first, last, 1}, {2, 3}),
                   node.desc(matrix).type, {rows, last - first});
}

Status lower_roi_pool(Lowering& node) {
  const auto ratio = static_cast<float>(1 / node.attributes().real("spatial_scale", 1));
  const auto count = static_cast<int32_t>(node.dims(1)[0]);
  const TensorRef rois = node.input(1);
  const TensorRef batch =
      node.cast(node.reshape(columns(node, rois, count, 0, 1), {count}), ir::DataType::kInt32);
  const Order order = channels_last(4);
  return node.result(node.emit("RoiPooling", {node.input(0, order), columns(node, rois, count, 1, 5), batch},
                               Params().f32s("img_size_ratio", {ratio, ratio}), node.out_type(),
                               in_order(node.out().dims, order)),
                     order);
}

}  // namespace

std::span<const Rule> vision_rules() {
  static const Rule kRules[] = {
      {"GridSample", infer_grid_sample, nullptr, lower_grid_sample},
      {"AffineGrid", infer_affine_grid, nullptr, lower_affine_grid},
      {"RoiAlign", infer_roi_align, nullptr, lower_roi_align},
      {"MaxRoiPool", infer_roi_pool, nullptr, lower_roi_pool},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
