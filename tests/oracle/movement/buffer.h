// SPDX-License-Identifier: BSD-3-Clause
// Buffer, as a queue of frames that is asked again and again.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "oracle/oracle.h"

namespace openqnn::oracle {

class BufferQueue {
 public:
  explicit BufferQueue(const Problem& problem);

  // What one execution gives; nothing while a blocking buffer is not full.
  std::optional<Tensor> push(const Tensor& input, bool reset);

 private:
  using Frame = std::vector<double>;  // all elements at one index of the frames' dimension, in order

  static Frame frame_of(const Tensor& tensor, size_t axis, size_t at);

  size_t axis_, size_, stride_, mode_;
  std::deque<Frame> frames_;
};

}  // namespace openqnn::oracle
