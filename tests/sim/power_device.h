// SPDX-License-Identifier: BSD-3-Clause
// A device whose power state tests ask.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "sim/power_history.h"

namespace openqnn::sim {

inline const soc::PowerModel& power_facts() {
  static const soc::PowerModel model = [] {
    auto read = soc::power_model();
    EXPECT_TRUE(read.ok()) << read.error().to_string();
    return read.ok() ? *std::move(read) : soc::PowerModel();
  }();
  return model;
}

inline Level corner(std::string_view name) {
  const auto level = power_facts().by_name(name);
  EXPECT_TRUE(level) << name;
  return static_cast<Level>(level.value_or(0));
}

inline ClockVote at(std::string_view name) { return {corner(name), corner(name), corner(name)}; }

inline PowerVote profile_vote(std::string_view name) {
  const auto profile = soc::find_profile(name);
  EXPECT_TRUE(profile.ok()) << name;
  const auto vote = vote_of(*profile, power_facts());
  EXPECT_TRUE(vote.ok()) << name;
  return *vote;
}

constexpr Nanos us(uint64_t value) { return {value * 1000}; }

struct PoweredDevice : PowerDevice {
  PoweredDevice() : PowerDevice(power_facts(), &intervals) {}
  // An execute of so long, with a way there and back of 100 us.
  ExecuteCost run(uint64_t accelerator_us) { return execute({us(accelerator_us), us(100)}); }
  std::vector<PowerInterval> intervals;
};

}  // namespace openqnn::sim
