// SPDX-License-Identifier: BSD-3-Clause
#include "profile/power_rows.h"

#include "base/text.h"

namespace openqnn::profile {
namespace {

std::string_view mode_name(sim::DcvsMode mode) {
  switch (mode) {
    case sim::DcvsMode::kUpDown:
      return "up and down";
    case sim::DcvsMode::kOnlyUp:
      return "only up";
    case sim::DcvsMode::kPowerSaver:
      return "power saver";
    case sim::DcvsMode::kPowerSaverAggressive:
      return "aggressive power saver";
    case sim::DcvsMode::kPerformance:
      return "performance";
    case sim::DcvsMode::kDutyCycle:
      return "duty cycle";
  }
  return "unknown";
}

}  // namespace

std::string_view activity_name(sim::Activity activity) {
  switch (activity) {
    case sim::Activity::kIdle:
      return "idle";
    case sim::Activity::kAsleep:
      return "asleep";
    case sim::Activity::kWakingUp:
      return "waking up";
    case sim::Activity::kExecuting:
      return "executing";
    case sim::Activity::kReturning:
      return "call and return";
  }
  return "unknown";
}

std::string corner_text(const sim::ClockVote& vote, const soc::PowerModel& model) {
  const auto name = [&](sim::Level level) { return model.corners[level].name; };
  return vote.min == vote.max ? name(vote.target) : concat(name(vote.min), "..", name(vote.max));
}

std::string vote_details(const sim::PowerVote& vote) {
  std::string out;
  if (vote.dcvs) append_item(out, *vote.dcvs ? "DCVS on" : "DCVS off");
  if (vote.dcvs.value_or(false) && vote.mode) out += concat(" (", mode_name(*vote.mode), ")");
  if (vote.sleep_disabled.value_or(false))
    append_item(out, "no sleep");
  else if (vote.sleep_latency_us)
    append_item(out, "sleep ", *vote.sleep_latency_us, " us");
  if (vote.rpc_control_latency_us.value_or(0) > 0)
    append_item(out, "RPC latency ", *vote.rpc_control_latency_us, " us");
  if (vote.rpc_polling_us) append_item(out, "polling ", *vote.rpc_polling_us, " us");
  if (vote.adaptive_polling_us.value_or(0) > 0)
    append_item(out, "adaptive from ", *vote.adaptive_polling_us, " us");
  if (vote.hmx_timeout_us) append_item(out, "HMX off after ", *vote.hmx_timeout_us, " us");
  if (vote.ddr_performance.value_or(false)) append_item(out, "DDR performance");
  return out;
}

std::string permille_text(uint32_t permille) { return concat(permille / 10, ".", permille % 10, " %"); }

uint64_t core_hz(const sim::PowerHistory& history, const sim::Clocks& clocks) {
  return history.clock_hz / 1000 * clocks.core_permille;
}

}  // namespace openqnn::profile
