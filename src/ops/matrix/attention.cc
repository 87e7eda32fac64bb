// SPDX-License-Identifier: BSD-3-Clause
// GroupQueryAttention: causal attention of new tokens to cached and new keys, each key head shared by several
// query heads. Lengths are data; out of range they count as the nearest that fits the tensors (ours).
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "base/units.h"
#include "ops/checks.h"
#include "ops/common.h"
#include "ops/elementwise/functions.h"
#include "ops/kernel_memory.h"
#include "ops/matrix/dot.h"
#include "ops/matrix/rotary.h"
#include "ops/optional_elements.h"

namespace openqnn::ops {
namespace {

enum : size_t {
  kQuery,
  kKeyLengths,
  kTotalLength,
  kKey,
  kValue,
  kPastKey,
  kPastValue,
  kCosines,
  kSines,
  kPositionIds,
};
enum : size_t { kOut, kPresentKey, kPresentValue };

struct Sizes {
  uint64_t batch;
  uint64_t tokens;  // new ones
  uint64_t heads;
  uint64_t key_heads;
  uint64_t head;      // features of one
  uint64_t past;      // room in the cache that comes in
  uint64_t capacity;  // room for past and new keys
};
Sizes sizes_of(const OpCall& call) {
  const ir::Shape& query = call.in(kQuery).shape;
  const uint64_t heads = call.params->u32("num_heads", 0);
  const uint64_t past = call.has_input(kPastKey) ? call.in(kPastKey).shape[2] : 0;
  const uint64_t capacity = call.has_output(kPresentKey) ? call.out(kPresentKey).shape[2] : past + query[1];
  return {query[0], query[1], heads, call.params->u32("kv_num_heads", 0), query[2] / heads, past, capacity};
}

// ---- Checks ----

Status check_heads(const OpCall& call) {
  const uint32_t heads = call.params->u32("num_heads", 0);
  const uint32_t key_heads = call.params->u32("kv_num_heads", 0);
  if (heads == 0 || key_heads == 0 || heads % key_heads != 0)
    return invalid("op-param-value",
                   concat("num_heads ", heads, " is not a multiple of kv_num_heads ", key_heads))
        .fix_by("give both, above 0");
  const ir::Shape& query = call.in(kQuery).shape;
  if (query.rank() != 3 || query[2] % heads != 0)
    return invalid("op-shape", concat("query has shape ", query.to_string(), " where [b, s, ", heads,
                                      " * head size] is needed"));
  return {};
}

Status check_pairs(const OpCall& call) {
  if (!call.has_input(kKey) || !call.has_input(kValue))
    return unsupported("op-operands", "key and value are absent; queries packed with them are not offered")
        .fix_by("pass query, key and value apart");
  if (call.has_input(kPastKey) != call.has_input(kPastValue))
    return invalid("op-operands", "one of past_key and past_value is absent").fix_by("give both or none");
  if (call.has_output(kPresentKey) != call.has_output(kPresentValue))
    return invalid("op-operands", "one of present_key and present_value is absent")
        .fix_by("give both or none");
  return {};
}

Status check_caches(const OpCall& call, const Sizes& sizes) {
  const auto shape = [&](uint64_t length) {
    return ir::Shape{static_cast<uint32_t>(sizes.batch), static_cast<uint32_t>(sizes.key_heads),
                     static_cast<uint32_t>(length), static_cast<uint32_t>(sizes.head)};
  };
  if (call.has_input(kPastKey)) {
    OPENQNN_TRY(expect_shape("past_key", call.in(kPastKey).shape, shape(sizes.past)));
    OPENQNN_TRY(expect_shape("past_value", call.in(kPastValue).shape, shape(sizes.past)));
  }
  if (!call.has_output(kPresentKey)) return {};
  OPENQNN_TRY(expect_shape("present_key", call.out(kPresentKey).shape, shape(sizes.capacity)));
  OPENQNN_TRY(expect_shape("present_value", call.out(kPresentValue).shape, shape(sizes.capacity)));
  if (sizes.capacity >= std::max(sizes.past, sizes.tokens) && sizes.capacity <= sizes.past + sizes.tokens)
    return {};
  return invalid("op-shape", concat("present_key has room for ", sizes.capacity, " positions where ",
                                    std::max(sizes.past, sizes.tokens), " to ", sizes.past + sizes.tokens,
                                    " are needed"));
}

Status check_rotation(const OpCall& call, const Sizes& sizes) {
  OPENQNN_TRY(check_choice(call, "do_rotary", 1, "0 or 1"));
  if (call.has_input(kPositionIds))
    OPENQNN_TRY(expect_shape("position_ids", call.in(kPositionIds).shape,
                             {static_cast<uint32_t>(sizes.batch), static_cast<uint32_t>(sizes.tokens)}));
  if (call.params->u32("do_rotary", 0) == 0) return {};
  if (!call.has_input(kCosines) || !call.has_input(kSines))
    return invalid("op-operands", "do_rotary is 1, but cos_cache or sin_cache is absent");
  const ir::Shape& angles = call.in(kCosines).shape;
  if (angles.rank() != 2 || uint64_t{angles[1]} * 2 > sizes.head)
    return invalid("op-shape", concat("cos_cache has shape ", angles.to_string(),
                                      " where [positions, at most ", sizes.head / 2, "] is needed"));
  return expect_shape("sin_cache", call.in(kSines).shape, angles);
}

Status check_attention(const OpCall& call) {
  OPENQNN_TRY(check_heads(call));
  OPENQNN_TRY(check_pairs(call));
  for (const size_t cache : {kPastKey, kPastValue})
    if (call.has_input(cache))
      OPENQNN_TRY(check_rank(call.in(cache), "a cache", 4, "[b, heads, positions, head]"));
  if (call.has_output(kPresentKey))
    OPENQNN_TRY(check_rank(call.out(kPresentKey), "present_key", 4, "[b, heads, positions, head]"));
  const Sizes sizes = sizes_of(call);
  const ir::Shape& query = call.in(kQuery).shape;
  if (sizes.key_heads * sizes.head > UINT32_MAX) return invalid("op-shape", "the keys are too many");
  const ir::Shape keys = {query[0], query[1], static_cast<uint32_t>(sizes.key_heads * sizes.head)};
  OPENQNN_TRY(expect_shape("key", call.in(kKey).shape, keys));
  OPENQNN_TRY(expect_shape("value", call.in(kValue).shape, keys));
  OPENQNN_TRY(expect_shape("seqlens_k", call.in(kKeyLengths).shape, {query[0]}));
  if (call.in(kTotalLength).shape.elements() != 1)
    return invalid("op-shape",
                   concat("total_sequence_length has shape ", call.in(kTotalLength).shape.to_string(),
                          " where one number is needed"));
  OPENQNN_TRY(check_rotation(call, sizes));
  OPENQNN_TRY(check_caches(call, sizes));
  OPENQNN_TRY(check_finite(call, "scale"));
  return expect_shape("output", call.out().shape, query);
}

// ---- Kernel ----

using Features = KernelVector<double>;  // rows of head-size features

// One batch entry, one key head.
class Attention {
 public:
  Attention(const KernelArgs& args, const Sizes& sizes)
      : args_(args),
        sizes_(sizes),
        cosines_(args, kCosines),
        sines_(args, kSines),
        rotates_(args.call.params->u32("do_rotary", 0) == 1),
        memory_(args),
        keys_(memory_.room<double>(sizes.capacity * sizes.head)),
        values_(memory_.room<double>(sizes.capacity * sizes.head)),
        query_(memory_.vector<double>(sizes.head)),
        weights_(memory_.room<double>(sizes.capacity)) {
    const float given = args.call.params->f32("scale", 0.0F);
    scale_ = given == 0.0F ? 1.0 / std::sqrt(static_cast<double>(sizes.head)) : double{given};
  }

  void run(uint64_t batch, uint64_t key_head) {
    past_ = past_length(batch);
    gather(keys_, batch, key_head, kPastKey, kKey, rotates_);
    gather(values_, batch, key_head, kPastValue, kValue, false);
    write_present(kPresentKey, batch, key_head, keys_);
    write_present(kPresentValue, batch, key_head, values_);
    const uint64_t shared_by = sizes_.heads / sizes_.key_heads;
    for (uint64_t head = key_head * shared_by; head < (key_head + 1) * shared_by; ++head)
      for (uint64_t token = 0; token < sizes_.tokens; ++token) attend(batch, head, token);
  }

 private:
  // Cached positions that count: seqlens_k is the number of all keys less 1.
  uint64_t past_length(uint64_t batch) const {
    const int64_t keys = std::min(int64_t{load<int32_t>(args_.inputs[kKeyLengths], batch)} + 1,
                                  int64_t{load<int32_t>(args_.inputs[kTotalLength], 0)});
    const uint64_t room = std::min(sizes_.past, sizes_.capacity - sizes_.tokens);
    return static_cast<uint64_t>(
        std::clamp<int64_t>(keys - static_cast<int64_t>(sizes_.tokens), 0, static_cast<int64_t>(room)));
  }

  uint64_t position_of(uint64_t batch, uint64_t token) const {
    const auto rows = static_cast<int64_t>(args_.call.in(kCosines).shape[0]);
    const auto position =
        args_.call.has_input(kPositionIds)
            ? int64_t{load<int32_t>(args_.inputs[kPositionIds], batch * sizes_.tokens + token)}
            : static_cast<int64_t>(past_ + token);
    return static_cast<uint64_t>(std::clamp<int64_t>(position, 0, rows - 1));
  }

  // A feature of a new token's query or key.
  double feature(const ElementReader& read, uint64_t batch, uint64_t token, uint64_t first, uint64_t at,
                 bool rotated) const {
    const auto plain = [&](uint64_t i) { return read(first + i); };
    if (!rotated) return plain(at);
    const uint64_t pairs = args_.call.in(kCosines).shape[1];
    const uint64_t angle = position_of(batch, token) * pairs;
    return rotate(
        at, 2 * pairs, RotaryPairs::kHalves, plain, [&](uint64_t pair) { return cosines_(angle + pair); },
        [&](uint64_t pair) { return sines_(angle + pair); });
  }

  // Past and new rows of one head.
  void gather(Features& rows, uint64_t batch, uint64_t head, size_t past, size_t fresh, bool rotated) const {
    rows.resize((past_ + sizes_.tokens) * sizes_.head);
    const OptionalReader cached(args_, past);
    const uint64_t first_cached = (batch * sizes_.key_heads + head) * sizes_.past * sizes_.head;
    for (uint64_t i = 0; i < past_ * sizes_.head; ++i) rows[i] = cached(first_cached + i);
    const ElementReader read(args_.call.in(fresh), args_.inputs[fresh]);
    for (uint64_t token = 0; token < sizes_.tokens; ++token) {
      const uint64_t first = ((batch * sizes_.tokens + token) * sizes_.key_heads + head) * sizes_.head;
      for (uint64_t i = 0; i < sizes_.head; ++i)
        rows[(past_ + token) * sizes_.head + i] = feature(read, batch, token, first, i, rotated);
    }
  }

  // Positions after the last key are 0.
  void write_present(size_t output, uint64_t batch, uint64_t head, const Features& rows) const {
    const OptionalWriter write(args_, output);
    const uint64_t size = sizes_.capacity * sizes_.head;
    const uint64_t first = (batch * sizes_.key_heads + head) * size;
    for (uint64_t i = 0; i < size; ++i) write(first + i, i < rows.size() ? rows[i] : 0.0);
  }

  void attend(uint64_t batch, uint64_t head, uint64_t token) {
    const uint64_t first = ((batch * sizes_.tokens + token) * sizes_.heads + head) * sizes_.head;
    const ElementReader read(args_.call.in(kQuery), args_.inputs[kQuery]);
    for (uint64_t i = 0; i < sizes_.head; ++i) query_[i] = feature(read, batch, token, first, i, rotates_);

    weights_.resize(past_ + token + 1);  // causal: no later keys
    double largest = -std::numeric_limits<double>::infinity();
    for (uint64_t k = 0; k < weights_.size(); ++k) {
      double score = 0.0;
      for (uint64_t i = 0; i < sizes_.head; ++i) score += query_[i] * keys_[k * sizes_.head + i];
      weights_[k] = score * scale_;
      largest = std::max(largest, weights_[k]);
    }
    double sum = 0.0;
    for (double& weight : weights_) sum += weight = portable_exp(weight - largest);
    const ElementWriter write(args_.call.out(), args_.outputs[kOut]);
    for (uint64_t i = 0; i < sizes_.head; ++i) {
      double total = 0.0;
      for (uint64_t k = 0; k < weights_.size(); ++k) total += weights_[k] * values_[k * sizes_.head + i];
      write(first + i, total / sum);
    }
  }

  const KernelArgs& args_;
  Sizes sizes_;
  OptionalReader cosines_;
  OptionalReader sines_;
  bool rotates_;
  double scale_ = 1.0;
  uint64_t past_ = 0;
  KernelMemory memory_;
  Features keys_;
  Features values_;
  KernelVector<double> query_;
  KernelVector<double> weights_;  // of the keys that a token attends to
};

uint64_t attention_scratch(const OpCall& call) {
  const Sizes sizes = sizes_of(call);
  return saturating_add(saturating_multiply(2, room_for<double>(sizes.capacity * sizes.head)),
                        room_for<double>(sizes.head) + room_for<double>(sizes.capacity));
}

void run_attention(const KernelArgs& args, const ir::Box&) {
  const Sizes sizes = sizes_of(args.call);
  Attention attention(args, sizes);
  for (uint64_t batch = 0; batch < sizes.batch; ++batch)
    for (uint64_t head = 0; head < sizes.key_heads; ++head) attention.run(batch, head);
}

// Two products per head, and a softmax over the scores; ours.
Work attention_work(const OpCall& call, const ir::Box& output) {
  if (output.empty()) return {.unit = soc::Unit::kHmx};
  constexpr uint64_t kInstructionsPerVector = 30;
  const Sizes sizes = sizes_of(call);
  const bool half = call.in(kQuery).type == ir::DataType::kFloat16;
  const uint64_t passes = half ? 1 : ir::byte_size(call.in(kQuery).type);  // as of matrix_work
  const uint64_t heads = saturating_multiply(sizes.batch, sizes.heads);
  const uint64_t rows = issued_rows(call, sizes.tokens);
  const uint64_t scores = saturating_multiply(rows, round_up(sizes.capacity, kHmxBlock));
  const uint64_t products = saturating_multiply(2 * round_up(sizes.head, kHmxBlock), scores);
  const uint64_t vectors =
      ceil_div(saturating_multiply(heads, 2 * scores / rows * sizes.tokens), kVectorBytes);
  return {.unit = soc::Unit::kHmx,
          .arithmetic = arithmetic_of(call.in(kQuery)),
          .macs = saturating_multiply(saturating_multiply(heads, passes), products),
          .vector_ops = saturating_multiply(vectors, kInstructionsPerVector),
          .vtcm_bytes = all_bytes(call)};
}

}  // namespace

OpDef group_query_attention() {
  return {
      .type = "GroupQueryAttention",
      // The release notes name 8 bits, 16 bits and half; no table lists types.
      .our_rows = {"f16,i32,i32,f16,f16,f16,f16,f16,f16,i32 -> f16,f16,f16",
                   "f32,i32,i32,f32,f32,f32,f32,f32,f32,i32 -> f32,f32,f32",
                   "ufx8,i32,i32,ufx8,ufx8,ufx8,ufx8,ufx8,ufx8,i32 -> ufx8,ufx8,ufx8",
                   "ufx16,i32,i32,ufx16,ufx16,ufx16,ufx16,ufx16,ufx16,i32 -> ufx16,ufx16,ufx16"},
      .takes_scalars = true,
      .check = check_attention,
      .work = attention_work,
      .kernels = {reference_kernel(run_attention, attention_scratch)},
  };
}

}  // namespace openqnn::ops
