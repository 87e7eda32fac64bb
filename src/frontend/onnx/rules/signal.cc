// SPDX-License-Identifier: BSD-3-Clause
// Windows and Fourier transforms of signals.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text.h"
#include "frontend/onnx/rule.h"

namespace openqnn::frontend::onnx {
namespace {

// ---- Windows: a sum of cosines, known before the model runs ----

constexpr int64_t kLongestWindow = int64_t{1} << 24;

struct Cosines {
  double a0;
  double a1;
  double a2;
};
constexpr Cosines kHann{0.5, 0.5, 0};
constexpr Cosines kHamming{25.0 / 46, 21.0 / 46, 0};
constexpr Cosines kBlackman{0.42, 0.5, 0.08};

template <const Cosines& cosines>
Status infer_window(Inference& node) {
  OPENQNN_ASSIGN(const auto size, node.need_integers(0, "the size of the window"));
  if (size.size() != 1 || size[0] < 0 || size[0] > kLongestWindow)
    return node.wrong("its size is no single number of samples");
  const auto type = static_cast<ElementType>(
      std::clamp<int64_t>(node.attributes().integer("output_datatype", 1), 0, INT32_MAX));
  if (bits_of(type) == 0) return node.not_offered("the type of its output is not known");
  const bool periodic = node.attributes().integer("periodic", 1) != 0;
  const auto period = static_cast<double>(std::max<int64_t>(periodic ? size[0] : size[0] - 1, 1));
  ConstantBuilder out(type, {size[0]});
  for (int64_t i = 0; i < size[0]; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / period;
    out.put(static_cast<uint64_t>(i),
            cosines.a0 - cosines.a1 * std::cos(angle) + cosines.a2 * std::cos(2 * angle));
  }
  return node.set(0, out.take());
}

// ---- STFT ----

enum : size_t { kSignal, kStep, kWindow, kLength };

struct Frames {
  int64_t step;
  int64_t length;
};

Frames frames_of(const NodeView& node) {
  Frames frames{node.constant(kStep)->integer(0), 0};
  if (node.has(kWindow)) frames.length = node.dims(kWindow)[0];
  if (node.has(kLength)) frames.length = node.constant(kLength)->integer(0);
  return frames;
}

bool is_one_sided(const Attributes& attributes) { return attributes.integer("onesided", 1) != 0; }

Status infer_stft(Inference& node) {
  OPENQNN_TRY(node.need_inputs(2));
  OPENQNN_ASSIGN(const auto step, node.need_integers(kStep, "the step between frames"));
  if (node.has(kLength)) {
    OPENQNN_ASSIGN(const auto length, node.need_integers(kLength, "the length of a frame"));
    if (length.size() != 1) return node.wrong("the length of a frame is no single number");
  }
  if (step.size() != 1 || (node.has(kWindow) && node.rank(kWindow) != 1))
    return node.wrong("its step is no single number, or its window has several dimensions");
  const Dims& signal = node.dims(kSignal);
  if ((signal.size() != 2 && signal.size() != 3) || (signal.size() == 3 && signal[2] != 1))
    return node.not_offered(
        concat("only real signals [batch, samples] are transformed, not ", text_of(signal)));
  const Frames frames = frames_of(node);
  if (frames.step < 1 || frames.length < 1 || frames.length > signal[1])
    return node.wrong(concat("frames of ", frames.length, " every ", frames.step, " do not fit ", signal[1]));
  const int64_t bins = is_one_sided(node.attributes()) ? frames.length / 2 + 1 : frames.length;
  return node.set(0, node.type(0), {signal[0], (signal[1] - frames.length) / frames.step + 1, bins, 2});
}

Status lower_stft(Lowering& node) {
  const Dims& signal = node.dims(kSignal);
  const Frames frames = frames_of(node);
  const TensorRef x = node.reshape(node.input(kSignal), {signal[0], signal[1], 1});
  Params params;
  params.u32("frame_step", static_cast<uint32_t>(frames.step));
  params.u32("frame_length", static_cast<uint32_t>(frames.length));
  params.boolean("onesided", is_one_sided(node.attributes()));
  return node.result(node.emit("Stft", {x, node.has(kWindow) ? node.input(kWindow) : kNoTensorRef}, params,
                               node.out_type(), node.out().dims));
}

}  // namespace

std::span<const Rule> signal_rules() {
  static const Rule kRules[] = {
      {"HannWindow", infer_window<kHann>},
      {"HammingWindow", infer_window<kHamming>},
      {"BlackmanWindow", infer_window<kBlackman>},
      {"STFT", infer_stft, nullptr, lower_stft},
  };
  return kRules;
}

}  // namespace openqnn::frontend::onnx
