// SPDX-License-Identifier: BSD-3-Clause
// Lstm and Gru.
#include <algorithm>
#include <cmath>

#include "oracle/oracle.h"

namespace openqnn::oracle {
namespace {

using Values = std::vector<double>;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// W [rows, v.size()] times v, added to `sum`.
void add_product(const Tensor& weights, const Values& v, Values& sum) {
  for (size_t row = 0; row < sum.size(); ++row)
    for (size_t i = 0; i < v.size(); ++i) sum[row] += weights.values[row * v.size() + i] * v[i];
}

Values slice(const Tensor& tensor, size_t first, size_t size) {
  if (tensor.values.empty()) return Values(size, 0.0);
  const auto begin = tensor.values.begin() + static_cast<long>(first);
  return {begin, begin + static_cast<long>(size)};
}

// ---- Lstm ----

struct Lstm {
  const Problem& problem;
  const std::vector<Tensor>& in;

  bool has(size_t input) const { return problem.has_input(input); }
  bool fixed() const { return problem.inputs[0].type != "f16"; }

  Values gate(size_t wx, size_t wh, size_t bias, size_t peephole, size_t norm, const char* scale_name,
              const Values& x, const Values& h, const Values& c) const {
    Values sum(c.size(), 0.0);
    add_product(in[wx], x, sum);
    add_product(in[wh], h, sum);
    if (peephole != 0 && has(peephole))
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += in[peephole].values[i] * c[i];
    if (has(norm)) {
      const double scale = problem.number(scale_name, 0.0);
      double mean = 0.0;
      for (double& value : sum) {
        if (scale > 0.0 && fixed())
          value = std::clamp(std::nearbyint(value / scale), -32768.0, 32767.0) * scale;
        mean += value / static_cast<double>(sum.size());
      }
      double variance = 1e-8;
      for (const double value : sum)
        variance += (value - mean) * (value - mean) / static_cast<double>(sum.size());
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] = (sum[i] - mean) / std::sqrt(variance) * in[norm].values[i];
    }
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += in[bias].values[i];
    return sum;
  }
};

double clip(double value, double limit) { return limit > 0.0 ? std::clamp(value, -limit, limit) : value; }

std::vector<Tensor> lstm(const Problem& problem, const std::vector<Tensor>& in) {
  const Lstm layer{problem, in};
  const size_t batch = in[0].shape[0];
  const size_t width = in[0].shape[1];
  const size_t units = in[4].shape[0];
  const size_t outputs = in[4].shape[1];
  std::vector<Tensor> out(8, Tensor{{batch, units}, {}});
  out[0].shape = out[2].shape = {batch, outputs};
  for (size_t b = 0; b < batch; ++b) {
    const Values x = slice(in[0], b * width, width);
    const Values h = slice(problem.has_input(10) ? in[10] : Tensor{}, b * outputs, outputs);
    Values c = slice(problem.has_input(11) ? in[11] : Tensor{}, b * units, units);
    Values f = layer.gate(1, 4, 7, 19, 13, "forget_gate_qscale", x, h, c);
    Values g = layer.gate(2, 5, 8, 0, 14, "cell_gate_qscale", x, h, c);
    Values i(units);
    if (layer.has(16)) i = layer.gate(16, 17, 21, 18, 12, "input_gate_qscale", x, h, c);
    for (size_t u = 0; u < units; ++u) {
      f[u] = sigmoid(f[u]);
      i[u] = layer.has(16) ? sigmoid(i[u]) : 1.0 - f[u];
      g[u] = std::tanh(g[u]);
      c[u] = clip(f[u] * c[u] + i[u] * g[u], problem.number("cell_clip_threshold", 0.0));
    }
    Values o = layer.gate(3, 6, 9, 20, 15, "output_gate_qscale", x, h, c);
    Values hidden(units);
    for (size_t u = 0; u < units; ++u) {
      o[u] = sigmoid(o[u]);
      hidden[u] = o[u] * std::tanh(c[u]);
    }
    Values y = hidden;
    if (layer.has(22)) {
      const double scale = problem.number("hidden_state_qscale", 0.0);
      const double zero = problem.number("hidden_state_offset", 0.0);
      const double high = problem.inputs[0].type == "ufx8" ? 255.0 : 65535.0;
      Values entering = hidden;
      if (scale > 0.0 && layer.fixed())
        for (double& value : entering)
          value = (std::clamp(std::nearbyint(value / scale) + zero, 0.0, high) - zero) * scale;
      y.assign(outputs, 0.0);
      if (layer.has(23)) y = in[23].values;
      add_product(in[22], entering, y);
      for (double& value : y) value = clip(value, problem.number("output_clip_threshold", 0.0));
    }
    const Values* rows[] = {&y, &c, &y, &i, &f, &g, &o, &hidden};
    for (size_t k = 0; k < 8; ++k)
      out[k].values.insert(out[k].values.end(), rows[k]->begin(), rows[k]->end());
  }
  out.resize(std::max<size_t>(problem.outputs.size(), 3));
  return out;
}

// "in=" of every input of an Lstm, "none" where the feature is not wanted.
struct Features {
  bool state = true;
  bool norm = false;
  bool input_gate = true;
  bool peepholes = false;
  bool projection = false;
};
std::string lstm_line(size_t batch, size_t width, size_t units, size_t outputs, const Features& use) {
  std::string line;
  const auto add = [&](bool wanted, const std::vector<size_t>& shape) {
    line += (line.empty() ? "in=" : " in=") + (wanted ? shape_text(shape) : std::string("none"));
  };
  add(true, {batch, width});
  for (int i = 0; i < 3; ++i) add(true, {units, width});
  for (int i = 0; i < 3; ++i) add(true, {units, outputs});
  for (int i = 0; i < 3; ++i) add(true, {units});
  add(use.state, {batch, outputs});
  add(use.state, {batch, units});
  add(use.norm && use.input_gate, {units});
  for (int i = 0; i < 3; ++i) add(use.norm, {units});
  add(use.input_gate, {units, width});
  add(use.input_gate, {units, outputs});
  add(use.peepholes && use.input_gate, {units});
  for (int i = 0; i < 2; ++i) add(use.peepholes, {units});
  add(use.input_gate, {units});
  add(use.projection, {outputs, units});
  add(use.projection, {outputs});
  return line;
}

// Scales inside the layer are for fixed-point types only.
bool skip_lstm(const Problem& problem) {
  return problem.inputs[0].type == "f16" &&
         (problem.has("hidden_state_qscale") || problem.has("forget_gate_qscale"));
}

bool fill_moderate(const Problem&, size_t, Tensor& values, Random& random) {
  for (double& value : values.values) value = uniform(random, -1.5, 1.5);
  return true;
}

const Register kLstm{{
    .op = "Lstm",
    .problems = {lstm_line(1, 1, 1, 1, {}), lstm_line(2, 5, 7, 7, {.state = false}),
                 lstm_line(2, 6, 4, 4, {.peepholes = true}) + " cell_clip_threshold=0.5 direction=1",
                 lstm_line(1, 9, 5, 3, {.input_gate = false, .projection = true}) +
                     " output_clip_threshold=0.75 time_major=1",
                 lstm_line(2, 3, 6, 6, {.norm = true, .input_gate = false, .peepholes = true}),
                 lstm_line(3, 4, 5, 2, {.norm = true, .projection = true}) +
                     " input_gate_qscale=0.001 forget_gate_qscale=0.002 cell_gate_qscale=0.0005 "
                     "output_gate_qscale=0.001 hidden_state_qscale=0.01 hidden_state_offset:i32=120",
                 lstm_line(2, 3, 3, 5, {.projection = true}) +
                     " hidden_state_qscale=0.008 hidden_state_offset:f32=128"},
    .compute = lstm,
    .words = {"", "- static static static static static static static static static"},
    .fill = fill_moderate,
    .skip = skip_lstm,
}};

// ---- Gru ----

std::vector<Tensor> gru(const Problem& problem, const std::vector<Tensor>& in) {
  const bool time_major = problem.integer("time_major", 1) != 0;
  const size_t steps = in[0].shape[time_major ? 0 : 1];
  const size_t batch = in[0].shape[time_major ? 1 : 0];
  const size_t width = in[0].shape[2];
  const size_t units = in[1].shape[0];
  Tensor y{in[0].shape, Values(steps * batch * units)};
  y.shape[2] = units;
  Tensor last{{1, batch, units}, {}};
  const auto bias = [&](size_t input, size_t unit) {
    return problem.has_input(input) ? in[input].values[unit] : 0.0;
  };
  for (size_t b = 0; b < batch; ++b) {
    Values h = slice(problem.has_input(13) ? in[13] : Tensor{}, b * units, units);
    for (size_t s = 0; s < steps; ++s) {
      const size_t t = problem.integer("direction", 0) == 1 ? steps - 1 - s : s;
      const size_t row = time_major ? t * batch + b : b * steps + t;
      const Values x = slice(in[0], row * width, width);
      Values z(units), r(units), nx(units), nh(units);
      add_product(in[1], x, z), add_product(in[4], h, z);
      add_product(in[2], x, r), add_product(in[5], h, r);
      add_product(in[3], x, nx);
      const bool linear = problem.integer("linear_before_reset", 0) != 0;
      Values seen = h;
      for (size_t u = 0; u < units; ++u) {
        z[u] = sigmoid(z[u] + bias(7, u) + bias(10, u));
        r[u] = sigmoid(r[u] + bias(8, u) + bias(11, u));
        if (!linear) seen[u] *= r[u];
      }
      add_product(in[6], seen, nh);
      for (size_t u = 0; u < units; ++u) {
        const double state = (nh[u] + bias(12, u)) * (linear ? r[u] : 1.0);
        h[u] = (1.0 - z[u]) * std::tanh(nx[u] + bias(9, u) + state) + z[u] * h[u];
        y.values[row * units + u] = h[u];
      }
    }
    last.values.insert(last.values.end(), h.begin(), h.end());
  }
  return {y, last};
}

std::string gru_line(const std::vector<size_t>& x, size_t batch, size_t units, bool biases, bool state) {
  std::string line = "in=" + shape_text(x);
  for (int i = 0; i < 3; ++i) line += " in=" + shape_text({units, x[2]});
  for (int i = 0; i < 3; ++i) line += " in=" + shape_text({units, units});
  for (int i = 0; i < 6; ++i) line += " in=" + (biases ? std::to_string(units) : std::string("none"));
  return line + " in=" + (state ? shape_text({1, batch, units}) : std::string("none"));
}

const Register kGru{{
    .op = "Gru",
    .problems = {gru_line({1, 1, 1}, 1, 1, true, true), gru_line({3, 2, 5}, 2, 7, true, false),
                 gru_line({2, 3, 4}, 2, 3, false, true) + " time_major=0 direction=1",
                 gru_line({4, 1, 3}, 1, 5, true, true) + " linear_before_reset=1",
                 // The first execution: there is no other state yet.
                 gru_line({2, 3, 4}, 3, 5, false, true) + " in=scalar",
                 gru_line({3, 1, 2}, 1, 3, true, false) + " in=1"},
    .compute = gru,
    .fill = fill_moderate,
}};

}  // namespace
}  // namespace openqnn::oracle
