// SPDX-License-Identifier: BSD-3-Clause
// Asynchronous executions of one context: they run one after the other, in the order they came, on a thread
// of the context's own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "QnnCommon.h"

namespace openqnn::runtime {

class AsyncQueue {
 public:
  static constexpr uint32_t kDefaultDepth = 10;  // what the tools ask for; ours where nobody asks
  static constexpr uint32_t kMostDepth = 300;    // documented

  struct Request {
    std::function<Qnn_ErrorHandle_t()> run;  // must not throw
    std::function<void(Qnn_ErrorHandle_t)>
        finish;  // called once, with what run answered or why it was not run
  };
  enum class Pushed { kYes, kFull, kClosed, kNoThread };

  // At most `depth` requests are unfinished, the running one included.
  explicit AsyncQueue(uint32_t depth);
  ~AsyncQueue();  // close()
  AsyncQueue(const AsyncQueue&) = delete;
  AsyncQueue& operator=(const AsyncQueue&) = delete;

  Pushed push(Request request);

  // Waits for the running request; those that wait are finished with QNN_GRAPH_ERROR_ABORTED, unrun. From
  // inside a request's `finish` it does not wait for that request.
  void close();

 private:
  struct State;
  class Library;
  const std::shared_ptr<State> state_;
};

}  // namespace openqnn::runtime
