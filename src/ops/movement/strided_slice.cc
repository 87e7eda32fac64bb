// SPDX-License-Identifier: BSD-3-Clause
// StridedSlice.
#include <algorithm>
#include <array>
#include <bit>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

// First the new axes are inserted, then each dimension is cut, then the shrunk ones are dropped. Every
// dimension of the inserted-into shape has a row in `ranges` and a bit in each mask.
struct Cut {
  enum class Kind : uint8_t { kSlice, kShrink, kNewAxis };
  Kind kind = Kind::kSlice;
  uint32_t size = 1;  // of the input's dimension
  int64_t begin = 0;
  int64_t end = 0;
  int64_t stride = 1;

  // Never less than 1, even of an empty range: so the definition says.
  uint64_t count() const {
    const int64_t span = stride > 0 ? end - begin : begin - end;
    const int64_t step = stride > 0 ? stride : -stride;
    return static_cast<uint64_t>(std::max<int64_t>(1, (span + step - 1) / step));
  }
  uint32_t at(uint32_t output) const { return static_cast<uint32_t>(begin + int64_t{output} * stride); }
};

bool bit(const OpCall& call, std::string_view mask, size_t dim) {
  return (call.params->u32(mask, 0) >> dim) & 1U;
}

// What row `dim` of the parameters says about a dimension of `size` entries.
Cut read_cut(const OpCall& call, size_t dim, uint32_t size) {
  const auto range = [&](size_t column) {
    return int64_t{call.params->i32_at("ranges", dim * 3 + column, 0)};
  };
  Cut cut{.size = size, .begin = range(0), .end = range(1), .stride = range(2)};
  if (bit(call, "begin_mask", dim)) cut.begin = cut.stride > 0 ? 0 : int64_t{size} - 1;
  if (bit(call, "end_mask", dim)) cut.end = cut.stride > 0 ? int64_t{size} : -1;
  if (bit(call, "shrink_axes", dim)) {  // takes `begin` only
    cut.kind = Cut::Kind::kShrink;
    cut.end = cut.begin + 1;
    cut.stride = 1;
  }
  return cut;
}

Status check_cut(const Cut& cut, size_t dim) {
  const auto refuse = [&](auto&&... words) {
    return invalid("op-param-value", concat("ranges of dimension ", dim, ": ", words...));
  };
  if (cut.stride == 0) return refuse("stride is 0");
  if (cut.begin < 0 || cut.begin >= cut.size)
    return refuse("begin ", cut.begin, " is outside 0 to ", cut.size - 1);
  if (cut.end < -1 || cut.end > cut.size) return refuse("end ", cut.end, " is outside -1 to ", cut.size);
  if (cut.stride > 0 ? cut.end < cut.begin : cut.end > cut.begin)
    return refuse("stride ", cut.stride, " does not lead from ", cut.begin, " to ", cut.end);
  return {};
}

class StridedSliceMap {
 public:
  static Status check(const OpCall& call) {
    OPENQNN_TRY(check_masks(call));
    const StridedSliceMap map(call);
    ir::Shape expected;
    for (size_t dim = 0; dim < map.rank_; ++dim) {
      const Cut& cut = map.cuts_[dim];
      if (cut.kind != Cut::Kind::kNewAxis) OPENQNN_TRY(check_cut(cut, dim));
      if (cut.kind != Cut::Kind::kShrink) expected.push_back(static_cast<uint32_t>(cut.count()));
    }
    return expect_shape("output", call.out().shape, at_least_one_dim(expected));
  }

  explicit StridedSliceMap(const OpCall& call) : in_(call.in(0).shape), rank_(rows_of(call)) {
    size_t next = 0;
    for (size_t dim = 0; dim < rank_; ++dim) {
      if (bit(call, "new_axes_mask", dim))  // wins over shrink_axes; its range says nothing
        cuts_[dim] = {.kind = Cut::Kind::kNewAxis, .end = 1};
      else
        cuts_[dim] = read_cut(call, dim, in_[next++]);
    }
  }

  Source source(const ir::Shape& output) const {
    ir::Shape index;
    for_each_input_dim([&](const Cut& cut, size_t out) {
      index.push_back(cut.kind == Cut::Kind::kShrink ? static_cast<uint32_t>(cut.begin)
                                                     : cut.at(output[out]));
    });
    return {0, ir::offset_of(in_, index)};
  }

  ir::Box needed(size_t, const ir::Box& output) const {
    ir::Box box;
    for_each_input_dim([&](const Cut& cut, size_t out) {
      const bool shrinks = cut.kind == Cut::Kind::kShrink;
      const uint32_t first = cut.at(shrinks ? 0 : output.begin[out]);
      const uint32_t last = cut.at(shrinks ? 0 : output.end[out] - 1);
      box.begin.push_back(std::min(first, last));
      box.end.push_back(std::max(first, last) + 1);
    });
    return box;
  }

 private:
  static size_t rows_of(const OpCall& call) { return call.params->count("ranges") / 3; }

  static Status check_masks(const OpCall& call) {
    const size_t rows = rows_of(call);
    const ir::Shape& in = call.in(0).shape;
    if (rows > ir::kMaxRank)
      return invalid("op-param-shape",
                     concat("ranges has ", rows, " rows; ", ir::kMaxRank, " dimensions are the most"));
    for (const std::string_view mask : {"begin_mask", "end_mask", "shrink_axes", "new_axes_mask"})
      if (call.params->u32(mask, 0) >> rows != 0)
        return invalid("op-param-value", concat(mask, " ", call.params->u32(mask, 0), " has bits beyond the ",
                                                rows, " rows of ranges"));
    const auto inserted = static_cast<size_t>(std::popcount(call.params->u32("new_axes_mask", 0)));
    if (rows == in.rank() + inserted) return {};
    return invalid("op-param-shape", concat("ranges has ", rows, " rows for the ", in.rank(),
                                            " dimensions of the input and ", inserted, " new ones"));
  }

  // `body(cut, out)` for each dimension of the input; `out` is the output's dimension where it goes.
  template <class Body>
  void for_each_input_dim(Body&& body) const {
    size_t out = 0;
    for (size_t dim = 0; dim < rank_; ++dim) {
      const Cut& cut = cuts_[dim];
      if (cut.kind != Cut::Kind::kNewAxis) body(cut, out);
      if (cut.kind != Cut::Kind::kShrink) ++out;
    }
  }

  ir::Shape in_;
  size_t rank_;  // with the new axes
  std::array<Cut, ir::kMaxRank> cuts_;
};

}  // namespace

OpDef strided_slice() {
  OpDef def = moving_op<StridedSliceMap, kShift>("StridedSlice");
  def.our_rows = {"sfx16 -> sfx16", "bool8 -> bool8", "u32 -> u32"};  // as Transpose
  return def;
}

}  // namespace openqnn::ops
