// SPDX-License-Identifier: BSD-3-Clause
// Pad.
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "ops/common.h"
#include "ops/movement/move.h"
#include "ops/movement/scalar.h"
#include "ops/op.h"

namespace openqnn::ops {
namespace {

enum class Scheme : uint32_t { kConstant = 0, kSymmetric = 1, kReflect = 2, kEdge = 3 };

struct Amount {
  uint32_t before;
  uint32_t after;
};

class PadMap {
 public:
  static Status check(const OpCall& call) {
    const ir::Shape& in = call.in(0).shape;
    const uint32_t scheme = call.params->u32("scheme", 0);
    OPENQNN_TRY(check_choice(call, "scheme", 3, "0 (constant), 1 (symmetric), 2 (reflect) or 3 (edge)"));
    OPENQNN_TRY(check_count_per_dim(call, "pad_amount", in));
    OPENQNN_TRY(check_fill(call, "pad_constant_value", call.in(0)));
    ir::Shape expected = in;
    for (size_t i = 0; i < in.rank(); ++i) {
      const Amount amount = amount_of(call, i);
      OPENQNN_TRY(check_mirror(static_cast<Scheme>(scheme), amount, i, in[i]));
      const uint64_t size = uint64_t{amount.before} + in[i] + amount.after;
      OPENQNN_TRY(check_size(concat("dimension ", i, " of the output"), size));
      expected[i] = static_cast<uint32_t>(size);
    }
    return expect_shape("output", call.out().shape, expected);
  }

  explicit PadMap(const OpCall& call)
      : in_(call.in(0).shape),
        scheme_(static_cast<Scheme>(call.params->u32("scheme", 0))),
        fill_(fill_value(call, "pad_constant_value", call.in(0), 0.0)),
        before_(in_) {
    for (size_t i = 0; i < in_.rank(); ++i) before_[i] = amount_of(call, i).before;
  }

  double fill() const { return fill_; }

  Source source(const ir::Shape& output) const {
    ir::Shape index = output;
    for (size_t i = 0; i < in_.rank(); ++i) {
      const std::optional<uint32_t> at = position(i, output[i]);
      if (!at) return {};
      index[i] = *at;
    }
    return {0, ir::offset_of(in_, index)};
  }

  ir::Box needed(size_t, const ir::Box& output) const {
    ir::Box box = ir::Box::whole(in_);
    for (size_t i = 0; i < in_.rank(); ++i) {
      const uint32_t inside_end = before_[i] + in_[i];
      if (output.begin[i] >= before_[i] && output.end[i] <= inside_end) {
        box.begin[i] = output.begin[i] - before_[i];
        box.end[i] = output.end[i] - before_[i];
      } else if (scheme_ == Scheme::kConstant) {
        if (output.end[i] <= before_[i] || output.begin[i] >= inside_end) return empty_box(in_);
        box.begin[i] = std::max(output.begin[i], before_[i]) - before_[i];
        box.end[i] = std::min(output.end[i], inside_end) - before_[i];
      }  // else the padding repeats elements from anywhere: all of the dimension
    }
    return box;
  }

 private:
  static Amount amount_of(const OpCall& call, size_t dim) {
    return {call.params->u32_at("pad_amount", 2 * dim, 0), call.params->u32_at("pad_amount", 2 * dim + 1, 0)};
  }

  // A mirror shows each element once at most.
  static Status check_mirror(Scheme scheme, Amount amount, size_t dim, uint32_t size) {
    if (scheme == Scheme::kConstant || scheme == Scheme::kEdge) return {};
    const uint32_t most = scheme == Scheme::kSymmetric ? size : size - 1;
    const uint32_t largest = std::max(amount.before, amount.after);
    if (largest <= most) return {};
    return invalid("op-param-value",
                   concat("pad_amount ", largest, " of dimension ", dim, " is more than the mirror shows"))
        .fix_by(concat("use ", most, " or less"));
  }

  // Where an output position lies on the input's axis; nothing in constant padding.
  std::optional<uint32_t> position(size_t dim, uint32_t output) const {
    const int64_t size = in_[dim];
    const int64_t at = int64_t{output} - before_[dim];
    if (at >= 0 && at < size) return static_cast<uint32_t>(at);
    switch (scheme_) {
      case Scheme::kSymmetric:  // the border shows itself
        return static_cast<uint32_t>(at < 0 ? -at - 1 : 2 * size - 1 - at);
      case Scheme::kReflect:  // around the border
        return static_cast<uint32_t>(at < 0 ? -at : 2 * size - 2 - at);
      case Scheme::kEdge:
        return static_cast<uint32_t>(at < 0 ? 0 : size - 1);
      default:
        return std::nullopt;
    }
  }

  ir::Shape in_;
  Scheme scheme_;
  double fill_;
  ir::Shape before_;
};

}  // namespace

OpDef pad() {
  OpDef def = moving_op<PadMap, kShift>("Pad");
  def.our_rows = {"sfx16 -> sfx16", "i32 -> i32"};  // as Concat
  return def;
}

}  // namespace openqnn::ops
