// SPDX-License-Identifier: BSD-3-Clause
// What ops keep from one run of a Program to the next, and which tensors a run does not compute because of
// it. An executor has one, so that runs of a Program whose ops keep something take turns.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "program/program.h"

namespace openqnn::exec {

class State {
 public:
  explicit State(const program::Program& program);

  bool empty() const { return kept_.empty(); }

  // Holds until it goes out of scope that no other run uses the state. Without ops that keep any, nobody has
  // to wait.
  std::unique_lock<std::mutex> take_turn();

  // Those of op `index`: zero before its first run, none when it keeps nothing. Memory that cannot be had is
  // std::bad_alloc. Only in one's turn.
  std::span<std::byte> of(size_t index);
  // As before the first run. Only in one's turn.
  void empty(size_t index);

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  struct Kept {
    uint64_t bytes = 0;
    std::unique_ptr<std::byte, Free> memory;  // from the first run on
  };

  std::mutex turn_;
  std::vector<Kept> kept_;  // beside the Program's ops; empty when none of them keeps anything
};

// The tensors that a run leaves alone: those that an op withholds, and what depends on them.
class Withheld {
 public:
  explicit Withheld(size_t tensors) : tensors_(tensors) {}

  void clear();
  bool none() const { return !any_; }
  bool has(ir::TensorIndex tensor) const { return any_ && tensors_[tensor]; }
  bool has_any_of(const std::vector<ir::TensorIndex>& operands) const;  // absent ones are never among them
  void add(ir::TensorIndex tensor);
  void add_all(const std::vector<ir::TensorIndex>& operands);

 private:
  std::vector<bool> tensors_;  // beside the Program's
  bool any_ = false;           // few runs have any
};

}  // namespace openqnn::exec
