// SPDX-License-Identifier: BSD-3-Clause
#include "ops/vision/fast/resize_kernel.h"

#include <cstring>
#include <span>
#include <tuple>

#include "ops/common.h"
#include "ops/elementwise/fast/blocks.h"
#include "ops/kernel_memory.h"
#include "ops/vision/fast/pool_loops.h"

namespace openqnn::ops::fast {
namespace {

enum : size_t { kBatch, kHeight, kWidth, kChannel };

std::optional<std::string> declines_shape(const OpCall& call) {
  if (call.in(0).shape.rank() == 4) return std::nullopt;
  return "it is no image of two dimensions";
}

// ---- Pixels ----

// Copies pixels of `bytes` bytes; 0: as many as `each` says. A constant makes the copy one or two moves.
template <size_t bytes>
void copy_pixels(std::byte* to, size_t step, const std::byte* from, std::span<const uint64_t> offsets,
                 size_t each) {
  for (const uint64_t offset : offsets) {
    std::memcpy(to, from + offset, bytes == 0 ? each : bytes);
    to += step;
  }
}

using CopyPixels = void (*)(std::byte* to, size_t step, const std::byte* from,
                            std::span<const uint64_t> offsets, size_t each);

CopyPixels copier_of(size_t bytes) {
  switch (bytes) {
    case 1:
      return copy_pixels<1>;
    case 2:
      return copy_pixels<2>;
    case 3:
      return copy_pixels<3>;
    case 4:
      return copy_pixels<4>;
    case 6:
      return copy_pixels<6>;
    case 8:
      return copy_pixels<8>;
    case 16:
      return copy_pixels<16>;
    case 32:
      return copy_pixels<32>;
    default:
      return copy_pixels<0>;
  }
}

// ---- Rows ----

class ResizedRows {
 public:
  ResizedRows(const KernelArgs& args, const ResizeRule& rule, const ir::Box& region)
      : call_(args.call),
        region_(region),
        height_(resize_axis(call_, rule, kHeight)),
        read_(call_.in(0), args.inputs[0]),
        write_(call_.out(), args.outputs[0]),
        channels_(region.extent(kChannel)),
        width_(region.extent(kWidth) * channels_),
        memory_(args),
        taps_(memory_.room<Tap>(region.extent(kWidth) * resize_axis(call_, rule, kWidth).most_taps())),
        ends_(memory_.room<size_t>(region.extent(kWidth))),
        line_taps_(memory_.room<Tap>(height_.most_taps())),
        kept_(memory_.vector<uint64_t>(height_.most_taps())),
        lines_(memory_.vector<double>(kept_.size() * width_)),
        out_(memory_.vector<double>(width_)) {
    const ResizeAxis columns = resize_axis(call_, rule, kWidth);
    std::tie(first_column_, end_column_) = columns.inputs(region.begin[kWidth], region.end[kWidth]);
    for (uint32_t o = region.begin[kWidth]; o < region.end[kWidth]; ++o) {
      columns.add_taps(taps_, o);
      ends_.push_back(taps_.size());
    }
    for (Tap& tap : taps_) tap.index -= first_column_;
    in_ = memory_.vector<double>((end_column_ - first_column_) * channels_);
    for (uint64_t& key : kept_) key = kNothing;
  }

  static uint64_t scratch(const OpCall& call, const ResizeRule& rule) {
    const ir::Shape& in = call.in(0).shape;
    const ir::Shape& out = call.out().shape;
    const uint64_t columns = resize_axis(call, rule, kWidth).most_taps();
    const uint64_t lines = resize_axis(call, rule, kHeight).most_taps();
    const uint64_t width = uint64_t{out[kWidth]} * out[kChannel];
    uint64_t bytes = room_for<Tap>(saturating_multiply(out[kWidth], columns));
    for (const uint64_t more :
         {room_for<size_t>(out[kWidth]), room_for<Tap>(lines), room_for<uint64_t>(lines),
          room_for<double>(saturating_multiply(width, lines + 1)), room_for<double>(1),
          room_for<double>(uint64_t{in[kWidth]} * in[kChannel])})
      bytes = saturating_add(bytes, more);
    return bytes;
  }

  void run() {
    ir::Shape at = region_.begin;
    for (; at[kBatch] < region_.end[kBatch]; ++at[kBatch])
      for (at[kHeight] = region_.begin[kHeight]; at[kHeight] < region_.end[kHeight]; ++at[kHeight])
        run_line(at);
  }

 private:
  static constexpr uint64_t kNothing = UINT64_MAX;

  void run_line(const ir::Shape& at) {
    line_taps_.clear();
    height_.add_taps(line_taps_, at[kHeight]);
    for (Tap& tap : line_taps_) tap.index = resized(at[kBatch], tap.index);
    const size_t end = line_taps_.size();
    host_pools().weigh(lines_.data(), line_taps_.data(), &end, 1, width_, out_.data());
    write(ir::offset_of(call_.out().shape, at));
  }

  // The place among lines_ of a row of the input, resized along the width. The taps of one output are fewer
  // than there are places, and follow each other: none takes the place of another.
  uint32_t resized(uint32_t batch, uint32_t row) {
    const size_t place = row % kept_.size();
    const uint64_t key = uint64_t{batch} * call_.in(0).shape[kHeight] + row;
    if (kept_[place] == key) return static_cast<uint32_t>(place);
    kept_[place] = key;
    read(key);
    host_pools().weigh(in_.data(), taps_.data(), ends_.data(), ends_.size(), channels_,
                       lines_.data() + place * width_);
    return static_cast<uint32_t>(place);
  }

  void read(uint64_t row) {
    const ir::Shape& shape = call_.in(0).shape;
    const uint64_t first = (row * shape[kWidth] + first_column_) * shape[kChannel] + region_.begin[kChannel];
    for_each_piece(end_column_ - first_column_, shape[kChannel], [&](uint64_t pixel, uint64_t count) {
      read_(first + pixel * shape[kChannel], count, in_.data() + pixel * channels_);
    });
  }

  void write(uint64_t first) {
    const uint64_t step = call_.out().shape[kChannel];
    for_each_piece(region_.extent(kWidth), step, [&](uint64_t pixel, uint64_t count) {
      write_(first + pixel * step, count, out_.data() + pixel * channels_);
    });
  }

  // Calls body(pixel, elements) for the pixels of a line that lie in one piece: all, or each.
  template <class Body>
  void for_each_piece(uint64_t pixels, uint64_t all_channels, const Body& body) const {
    if (channels_ == all_channels) return body(uint64_t{0}, pixels * channels_);
    for (uint64_t pixel = 0; pixel < pixels; ++pixel) body(pixel, channels_);
  }

  const OpCall& call_;
  const ir::Box& region_;
  ResizeAxis height_;
  BlockReader read_;
  BlockWriter write_;
  uint64_t channels_;
  uint64_t width_;  // elements of a line
  uint32_t first_column_ = 0;
  uint32_t end_column_ = 0;
  KernelMemory memory_;
  Taps taps_;  // of all columns of the region, beside ends_; counted from first_column_
  KernelVector<size_t> ends_;
  Taps line_taps_;
  KernelVector<uint64_t> kept_;  // which row of which image is at each place of lines_
  KernelVector<double> lines_;
  KernelVector<double> out_;
  KernelVector<double> in_ = memory_.room<double>(0);
};

}  // namespace

std::optional<std::string> declines_pixels(const OpCall& call, const ResizeRule& rule) {
  if (!moves_pixels(call, rule)) return "pixels are mixed or requantized";
  return declines_shape(call);
}

uint64_t pixels_scratch(const OpCall& call, const ResizeRule&) {
  return room_for<uint64_t>(call.out().shape[kWidth]);
}

void run_pixels(const KernelArgs& args, const ResizeRule& rule, const ir::Box& region) {
  if (region.empty()) return;
  const OpCall& call = args.call;
  const ir::Shape& in = call.in(0).shape;
  const ir::Shape& out = call.out().shape;
  const size_t size = ir::byte_size(call.out().type);
  const size_t pixel = in[kChannel] * size;
  const size_t bytes = region.extent(kChannel) * size;
  const ResizeAxis rows = resize_axis(call, rule, kHeight);
  const ResizeAxis columns = resize_axis(call, rule, kWidth);
  KernelMemory memory(args);
  auto offsets = memory.room<uint64_t>(region.extent(kWidth));
  for (uint32_t x = region.begin[kWidth]; x < region.end[kWidth]; ++x)
    offsets.push_back(columns.inputs(x, x + 1).first * pixel);
  const CopyPixels copy = copier_of(bytes);
  const bool in_one_piece = bytes == pixel;
  for (uint32_t batch = region.begin[kBatch]; batch < region.end[kBatch]; ++batch) {
    uint32_t last_row = UINT32_MAX;
    for (uint32_t y = region.begin[kHeight]; y < region.end[kHeight]; ++y) {
      const uint32_t row = rows.inputs(y, y + 1).first;
      const uint64_t first = region.begin[kChannel] * size;
      std::byte* to = args.outputs[0] +
                      ((uint64_t{batch} * out[kHeight] + y) * out[kWidth] + region.begin[kWidth]) * pixel +
                      first;
      if (row == last_row && in_one_piece)  // as the row before
        std::memcpy(to, to - out[kWidth] * pixel, offsets.size() * pixel);
      else
        copy(to, pixel, args.inputs[0] + (uint64_t{batch} * in[kHeight] + row) * in[kWidth] * pixel + first,
             offsets, bytes);
      last_row = row;
    }
  }
}

std::optional<std::string> declines_resized_rows(const OpCall& call, const ResizeRule& rule) {
  // A sum would change them: the sign of a zero is lost.
  if (moves_pixels(call, rule)) return "pixels are copied";
  return declines_shape(call);
}

uint64_t resized_rows_scratch(const OpCall& call, const ResizeRule& rule) {
  return ResizedRows::scratch(call, rule);
}

void run_resized_rows(const KernelArgs& args, const ResizeRule& rule, const ir::Box& region) {
  if (!region.empty()) ResizedRows(args, rule, region).run();
}

}  // namespace openqnn::ops::fast
