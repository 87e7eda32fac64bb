// SPDX-License-Identifier: BSD-3-Clause
// How far a preparation is, for whoever follows it: its stages one after the other, steps within one, and the
// place where a request to stop is heard.
#pragma once

#include <optional>
#include <string>

#include "prepare/prepare.h"

namespace openqnn::prepare {

class Course {
 public:
  Course(Follower* follower, std::string graph) : follower_(follower), graph_(std::move(graph)) {}

  // Ends the stage before.
  Status enter(Stage stage);
  void end();

  // So many of all steps of this stage are done.
  Status advance(uint64_t done, uint64_t total);
  // One of the schedules that are compared.
  void compare(const program::Schedule& schedule) const {
    if (follower_) follower_->schedule_compared(schedule);
  }
  // Whether to go on, within a step.
  Status go_on() const;

  bool is_within_step() const { return within_step_; }
  // While it lives, parts of a step do not count as steps.
  class WithinStep {
   public:
    explicit WithinStep(Course& course) : course_(course) { course_.within_step_ = true; }
    ~WithinStep() { course_.within_step_ = false; }
    WithinStep(const WithinStep&) = delete;
    WithinStep& operator=(const WithinStep&) = delete;

   private:
    Course& course_;
  };

 private:
  Follower* follower_;  // null: nobody follows
  std::string graph_;
  std::optional<Stage> stage_;
  bool within_step_ = false;
};

}  // namespace openqnn::prepare
