// SPDX-License-Identifier: BSD-3-Clause
// RotaryEmbedding and GroupQueryAttention.
#include <algorithm>
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

// Rotates the features that start at `first`: each pair by its angle.
void turn(std::vector<double>& values, size_t first, size_t pairs, bool interleaved, const Tensor& cos,
          const Tensor& sin, size_t row) {
  for (size_t p = 0; p < pairs; ++p) {
    double& re = values[first + (interleaved ? 2 * p : p)];
    double& im = values[first + (interleaved ? 2 * p + 1 : p + pairs)];
    const double c = cos.values[row * pairs + p];
    const double s = sin.values[row * pairs + p];
    const double turned = re * c - im * s;
    im = re * s + im * c;
    re = turned;
  }
}

size_t nearest_row(double id, size_t rows) {
  return static_cast<size_t>(std::clamp(id, 0.0, static_cast<double>(rows - 1)));
}

std::vector<Tensor> rotary(const Problem& problem, const std::vector<Tensor>& in) {
  Tensor out = in[0];
  const std::vector<size_t>& x = in[0].shape;
  const size_t pairs = problem.integer("rotary_embedding_dim", x[3]) / 2;
  for (size_t b = 0; b < x[0]; ++b)
    for (size_t h = 0; h < x[1]; ++h)
      for (size_t s = 0; s < x[2]; ++s) {
        size_t row = in[1].shape.size() == 3 && in[1].shape[0] > 1 ? b * x[2] + s : s;
        if (problem.has_input(3)) row = nearest_row(in[3].values[b * x[2] + s], in[1].shape[0]);
        turn(out.values, ((b * x[1] + h) * x[2] + s) * x[3], pairs, problem.integer("interleaved", 0) != 0,
             in[1], in[2], row);
      }
  return {out};
}

std::string random_rotary(Random& random) {
  const size_t b = pick(random, 1, 3);
  const size_t s = pick(random, 1, 5);
  const size_t pairs = pick(random, 1, 6);
  const std::string angles = shape_text({b, s, pairs});
  return "in=" + shape_text({b, pick(random, 1, 3), s, 2 * pairs + pick(random, 0, 3)}) + " in=" + angles +
         " in=" + angles + " rotary_embedding_dim=" + std::to_string(2 * pairs) +
         " interleaved=" + std::to_string(pick(random, 0, 1));
}

const Register kRotary{{
    .op = "RotaryEmbedding",
    .problems = {"in=1x1x1x2 in=1x1x1 in=1x1x1", "in=2x3x5x8 in=2x5x4 in=2x5x4",
                 "in=2x2x3x7 in=2x3x2 in=2x3x2 interleaved=1 rotary_embedding_dim=4",
                 "in=2x1x3x6 in=9x3 in=9x3 in=2x3 interleaved=0", "in=1x2x4x32 in=4x16 in=4x16",
                 "in=3x1x2x4 in=1x2x2 in=1x2x2 rotary_embedding_dim=4"},
    .random_problem = random_rotary,
    .compute = rotary,
}};

// ---- GroupQueryAttention ----

// `room` is no parameter: it says how many positions the present caches have, where those are fewer than past
// and new ones together.
struct Attention {
  const std::vector<Tensor>& in;
  size_t batch, tokens, heads, key_heads, size, past_room, room;
  bool rotates, has_ids;
  double scale;
  Tensor keys, values;          // present: [batch, key head, position, feature]
  std::vector<double> queries;  // rotated

  Attention(const Problem& problem, const std::vector<Tensor>& inputs)
      : in(inputs),
        batch(in[0].shape[0]),
        tokens(in[0].shape[1]),
        heads(problem.integer("num_heads", 1)),
        key_heads(problem.integer("kv_num_heads", 1)),
        size(in[0].shape[2] / heads),
        past_room(problem.has_input(5) ? in[5].shape[2] : 0),
        room(problem.integer("room", past_room + tokens)),
        rotates(problem.integer("do_rotary", 0) == 1),
        has_ids(problem.has_input(9)),
        scale(problem.has("scale") ? problem.number("scale", 0.0) : 1.0 / std::sqrt(double(size))),
        keys{{batch, key_heads, room, size}, std::vector<double>(batch * key_heads * room * size)},
        values(keys),
        queries(in[0].values) {}

  // Cached positions that count: as many as there are keys beside the new ones, and as there is room for.
  size_t past(size_t b) const {
    const double all = std::min(in[1].values[b] + 1.0, in[2].values[0]);
    const auto most = static_cast<double>(std::min(past_room, room - tokens));
    return static_cast<size_t>(std::clamp(all - static_cast<double>(tokens), 0.0, most));
  }

  void gather(size_t b) {
    for (size_t k = 0; k < key_heads; ++k)
      for (size_t p = 0; p < past(b) + tokens; ++p)
        for (size_t i = 0; i < size; ++i) {
          const size_t to = ((b * key_heads + k) * room + p) * size + i;
          const bool cached = p < past(b);
          const size_t from = cached ? ((b * key_heads + k) * past_room + p) * size + i
                                     : ((b * tokens + p - past(b)) * key_heads + k) * size + i;
          keys.values[to] = in[cached ? 5 : 3].values[from];
          values.values[to] = in[cached ? 6 : 4].values[from];
        }
  }

  void rotate(size_t b) {
    for (size_t t = 0; t < tokens; ++t) {
      const double id = has_ids ? in[9].values[b * tokens + t] : static_cast<double>(past(b) + t);
      const size_t row = nearest_row(id, in[7].shape[0]);
      for (size_t k = 0; k < key_heads; ++k)
        turn(keys.values, ((b * key_heads + k) * room + past(b) + t) * size, in[7].shape[1], false, in[7],
             in[8], row);
      for (size_t h = 0; h < heads; ++h)
        turn(queries, ((b * tokens + t) * heads + h) * size, in[7].shape[1], false, in[7], in[8], row);
    }
  }

  // What one head makes of one token: the values, weighted by the softmax of the scores.
  std::vector<double> mixed(size_t b, size_t t, size_t h) const {
    const double* query = &queries[((b * tokens + t) * heads + h) * size];
    const size_t first = (b * key_heads + h / (heads / key_heads)) * room * size;
    std::vector<double> scores;
    double largest = -INFINITY;
    for (size_t p = 0; p <= past(b) + t; ++p) {
      double score = 0.0;
      for (size_t i = 0; i < size; ++i) score += query[i] * keys.values[first + p * size + i];
      scores.push_back(score * scale);
      largest = std::fmax(largest, scores.back());
    }
    std::vector<double> result(size);
    double sum = 0.0;
    for (size_t p = 0; p < scores.size(); ++p) {
      const double weight = std::exp(scores[p] - largest);
      sum += weight;
      for (size_t i = 0; i < size; ++i) result[i] += weight * values.values[first + p * size + i];
    }
    for (double& feature : result) feature /= sum;
    return result;
  }
};

std::vector<Tensor> attention(const Problem& problem, const std::vector<Tensor>& in) {
  Attention work(problem, in);
  Tensor out{in[0].shape, {}};
  for (size_t b = 0; b < work.batch; ++b) {
    work.gather(b);
    if (work.rotates) work.rotate(b);
    for (size_t t = 0; t < work.tokens; ++t)
      for (size_t h = 0; h < work.heads; ++h)
        for (const double feature : work.mixed(b, t, h)) out.values.push_back(feature);
  }
  return {out, work.keys, work.values};
}

// Lengths that make sense; small features, so that scores do not overflow.
bool fill_attention(const Problem& problem, size_t input, Tensor& values, Random& random) {
  const size_t past = problem.has_input(5) ? problem.inputs[5].shape[2] : 0;
  const size_t all = past + problem.inputs[0].shape[1];
  for (double& value : values.values) {
    if (input == 1)
      value = static_cast<double>(pick(random, 0, all + 1)) - 1.0;
    else if (input == 2)
      value = static_cast<double>(all);
    else if (input == 9)
      value = static_cast<double>(pick(random, 0, 12)) - 2.0;
    else
      value = uniform(random, -1.5, 1.5);
  }
  return true;
}

const Register kAttention{{
    .op = "GroupQueryAttention",
    .problems =
        {"in=1x1x2 in=1 in=scalar in=1x1x2 in=1x1x2 num_heads=1 kv_num_heads=1",
         "in=2x3x12 in=2 in=scalar in=2x3x6 in=2x3x6 num_heads=4 kv_num_heads=2 scale=0.5",
         "in=2x2x10 in=2 in=scalar in=2x2x5 in=2x2x5 in=2x1x4x5 in=2x1x4x5 num_heads=2 kv_num_heads=1",
         "in=1x3x24 in=1 in=scalar in=1x3x12 in=1x3x12 in=1x2x5x6 in=1x2x5x6 in=9x3 in=9x3 num_heads=4 "
         "kv_num_heads=2 do_rotary=1",
         "in=2x1x8 in=2 in=1 in=2x1x8 in=2x1x8 in=2x2x3x4 in=2x2x3x4 in=7x1 in=7x1 in=2x1 num_heads=2 "
         "kv_num_heads=2 do_rotary=1",
         // Present caches of the size of the past ones, and in between: lengths are clamped to what fits.
         "in=2x2x6 in=2 in=scalar in=2x2x3 in=2x2x3 in=2x1x5x3 in=2x1x5x3 num_heads=2 kv_num_heads=1 room=5",
         "in=2x3x8 in=2 in=scalar in=2x3x8 in=2x3x8 in=2x2x4x4 in=2x2x4x4 in=9x2 in=9x2 num_heads=2 "
         "kv_num_heads=2 do_rotary=1 room=5"},
    .compute = attention,
    .fill = fill_attention,
}};

}  // namespace
}  // namespace openqnn::oracle
