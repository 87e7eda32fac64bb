// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums over a neighbourhood of a channel-last image: what resizing, warping and region ops share.
// A sample is a list of taps per dimension; its value is the sum over all combinations of them.
#pragma once

#include <cmath>
#include <cstdint>

#include "ops/elements.h"
#include "ops/kernel_memory.h"
#include "ops/op.h"
#include "ops/vision/fast/tap.h"

namespace openqnn::ops {

using Taps = KernelVector<Tap>;

// Taps without weight are left out, so that an infinity beside a position that falls on a pixel stays out of
// it (ours).
inline void add_tap(Taps& taps, uint32_t index, double weight) {
  if (weight != 0.0) taps.push_back({index, weight});
}

// The neighbours that add_linear_taps adds, at most.
inline constexpr uint64_t kLinearTaps = 2;

// The neighbours of a position, by their nearness; outside [0, size) there is nothing.
inline void add_linear_taps(Taps& taps, double at, uint32_t size, double weight = 1.0) {
  if (!(at > -1.0 && at < static_cast<double>(size))) return;
  const double low = std::floor(at);
  const double fraction = at - low;
  if (low >= 0.0) add_tap(taps, static_cast<uint32_t>(low), weight * (1.0 - fraction));
  if (low + 1.0 < static_cast<double>(size))
    add_tap(taps, static_cast<uint32_t>(low + 1.0), weight * fraction);
}

// The pixel at a position that is a whole number; outside there is nothing.
inline void add_nearest_tap(Taps& taps, double at, uint32_t size) {
  if (at >= 0.0 && at < static_cast<double>(size)) add_tap(taps, static_cast<uint32_t>(at), 1.0);
}

// Samples of a tensor [b, D1, …, Dn, c].
class ImageSampler {
 public:
  ImageSampler(const ir::TensorDesc& desc, const std::byte* data) : read_(desc, data), shape_(desc.shape) {}

  // `axes` has the taps of D1 … Dn; 0 when one of them has none.
  template <class Axes>
  double operator()(uint32_t batch, const Axes& axes, uint32_t channel) const {
    return sum(axes, 0, batch, channel);
  }

 private:
  template <class Axes>
  double sum(const Axes& axes, size_t axis, uint64_t pixel, uint32_t channel) const {
    if (axis == axes.size()) return read_(pixel * shape_[shape_.rank() - 1] + channel);
    double total = 0.0;
    for (const Tap& tap : axes[axis])
      total += tap.weight * sum(axes, axis + 1, pixel * shape_[1 + axis] + tap.index, channel);
    return total;
  }

  ElementReader read_;
  const ir::Shape& shape_;
};

// Calls body(index) for every pixel of a channel-last box; the last coordinate of `index` is 0.
template <class Body>
void for_each_pixel(const ir::Box& box, Body&& body) {
  if (box.empty()) return;
  ir::Box pixels = box;
  pixels.begin[box.rank() - 1] = 0;
  pixels.end[box.rank() - 1] = 1;
  ir::for_each_index(pixels, body);
}

// Calls value(channel) for the channels of `region` and writes them to the pixel at `index` of output 0.
template <class Value>
void write_pixel(const ElementWriter& write, const ir::Shape& shape, const ir::Shape& index,
                 const ir::Box& region, Value&& value) {
  const size_t last = shape.rank() - 1;
  const uint64_t start = ir::offset_of(shape, index);
  for (uint32_t c = region.begin[last]; c < region.end[last]; ++c) write(start + c, value(c));
}

}  // namespace openqnn::ops
