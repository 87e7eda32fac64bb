// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/movement/buffer.h"

namespace openqnn::oracle {

BufferQueue::BufferQueue(const Problem& problem)
    : axis_(problem.integer("buffer_dim", 0)),
      size_(problem.integer("buffer_size", 0)),
      stride_(problem.integer("stride", 1)),
      mode_(problem.integer("mode", 0)) {}

BufferQueue::Frame BufferQueue::frame_of(const Tensor& tensor, size_t axis, size_t at) {
  Frame frame;
  for (size_t i = 0; i < tensor.values.size(); ++i)
    if (index_of(tensor.shape, i)[axis] == at) frame.push_back(tensor.values[i]);
  return frame;
}

std::optional<Tensor> BufferQueue::push(const Tensor& input, bool reset) {
  if (reset) frames_.clear();
  if (frames_.size() == size_)
    frames_.erase(frames_.begin(), frames_.begin() + static_cast<ptrdiff_t>(stride_));
  for (size_t i = 0; i < input.shape[axis_]; ++i) frames_.push_back(frame_of(input, axis_, i));
  if (mode_ == 0 && frames_.size() < size_) return std::nullopt;

  std::deque<Frame> shown = frames_;
  const Frame zeros(frames_.front().size(), 0.0);
  while (shown.size() < size_)
    if (mode_ == 1)
      shown.push_back(zeros);
    else
      shown.push_front(zeros);
  Tensor out{input.shape, {}};
  out.shape[axis_] = size_;
  std::vector<size_t> taken(size_, 0);  // of each frame: elements come in order
  for (size_t i = 0; i < count(out.shape); ++i) {
    const size_t at = index_of(out.shape, i)[axis_];
    out.values.push_back(shown[at][taken[at]++]);
  }
  return out;
}

namespace {

// The first execution; how the next ones go on is tests/ops/movement/buffer_test.cc.
const Register kBuffer{{
    .op = "Buffer",
    .problems = {"in=1 buffer_size=1 buffer_dim=0", "in=3x5 buffer_size=3 buffer_dim=0 stride=3",
                 "in=1x5 in=scalar buffer_size=4 buffer_dim=0 mode=1",
                 "in=2x3x7 in=1 buffer_size=9 buffer_dim=1 stride=3 mode=2",
                 "in=2x3x1x5 in=none buffer_size=3 buffer_dim=2 mode=2",
                 "in=1x4x4x3 in=scalar buffer_size=6 buffer_dim=3 stride=6 mode=1",
                 "in=2x1x3x2x3 in=1 buffer_size=5 buffer_dim=1 mode=1"},
    .compute =
        [](const Problem& problem, const std::vector<Tensor>& inputs) {
          const bool reset = inputs.size() > 1 && !inputs[1].values.empty() && inputs[1].values[0] != 0.0;
          return std::vector<Tensor>{BufferQueue(problem).push(inputs[0], reset).value()};
        },
    .output_encoding = OutputEncoding::kBoth,
}};

}  // namespace
}  // namespace openqnn::oracle
