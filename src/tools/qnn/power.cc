// SPDX-License-Identifier: BSD-3-Clause
#include "tools/qnn/power.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "openqnn/modelled_device.h"

namespace openqnn::tools {
namespace {

constexpr double kNanosPerSecond = 1e9;
constexpr double kLongestPause = 1e15;  // nanoseconds; keeps any --fps out of undefined conversions

template <class Function>
Function extra(const BackendLibrary& backend, const char* name) {
  return reinterpret_cast<Function>(backend.symbol(name));
}

}  // namespace

Result<std::unique_ptr<PowerVotes>> PowerVotes::open(const BackendLibrary& backend,
                                                     const Extension* extension, const std::string& profile) {
  std::unique_ptr<PowerVotes> votes(new PowerVotes(backend));
  if (extension != nullptr) {
    votes->extension_ = extension;
    votes->hold_us_ = extension->hold_us();
    return votes;
  }
  votes->core_.profile = profile;
  OPENQNN_ASSIGN(votes->up_, power_configs(votes->core_));
  OPENQNN_ASSIGN(votes->down_, lowered_power_configs(votes->core_));
  OPENQNN_ASSIGN(votes->hold_us_, hold_time_us(votes->core_));
  return votes;
}

Status PowerVotes::raise() {
  if (extension_ != nullptr) return extension_->vote(backend_);
  return backend_.check(own_.cast(backend_.api(), core_, up_),
                        concat("setPowerConfig for the profile '", core_.profile, "'"));
}

Status PowerVotes::begin_stage() {
  if (is_up_) return {};
  OPENQNN_TRY(raise());
  is_up_ = true;
  return {};
}

Status PowerVotes::end_stage() { return hold_us_ > 0 ? Status() : lower(); }

Status PowerVotes::lower() {
  if (!is_up_) return {};
  is_up_ = false;
  if (extension_ != nullptr) return extension_->lower_votes(backend_);
  return backend_.check(own_.cast(backend_.api(), core_, down_),
                        concat("setPowerConfig for what follows the profile '", core_.profile, "'"));
}

void PowerVotes::withdraw() {
  is_up_ = false;
  if (extension_ != nullptr) extension_->end_votes();
  own_.withdraw();
}

Status PowerVotes::declare_idle(uint64_t nanoseconds) {
  const auto declare = extra<QnnOpenqnn_DeclareIdleFn_t>(backend_, "QnnOpenqnn_declareIdle");
  if (declare == nullptr || nanoseconds == 0) return {};
  return backend_.check(declare(nanoseconds), "QnnOpenqnn_declareIdle");
}

Status PowerVotes::idle_until(double seconds) {
  const auto time = extra<QnnOpenqnn_GetDeviceTimeFn_t>(backend_, "QnnOpenqnn_getDeviceTime");
  if (time == nullptr) return {};
  uint64_t now = 0;
  OPENQNN_TRY(backend_.check(time(&now), "QnnOpenqnn_getDeviceTime"));
  if (!paced_from_) paced_from_ = now;
  const uint64_t due =
      *paced_from_ + static_cast<uint64_t>(std::min(seconds * kNanosPerSecond, kLongestPause));
  if (due <= now) return {};
  uint64_t left = due - now;
  const uint64_t hold = hold_us_ * 1000;
  if (is_up_ && hold > 0 && left >= hold) {  // the timer ends within the pause
    OPENQNN_TRY(declare_idle(hold));
    OPENQNN_TRY(lower());
    left -= hold;
  }
  return declare_idle(left);
}

Result<std::optional<std::string>> PowerVotes::history() const {
  const auto get = extra<QnnOpenqnn_GetPowerHistoryFn_t>(backend_, "QnnOpenqnn_getPowerHistory");
  if (get == nullptr) return std::optional<std::string>();
  uint64_t bytes = 0;
  OPENQNN_TRY(backend_.check(get(nullptr, &bytes), "QnnOpenqnn_getPowerHistory"));
  std::string text(bytes, ' ');
  OPENQNN_TRY(backend_.check(get(text.data(), &bytes), "QnnOpenqnn_getPowerHistory"));
  if (bytes != text.size()) return internal("power-history", "the power history changed while it was read");
  return std::optional<std::string>(std::move(text));
}

}  // namespace openqnn::tools
