// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/power.h"

#include "HTP/QnnHtpPerfInfrastructure.h"
#include "QnnDevice.h"
#include "base/text.h"
#include "base/until_exit.h"
#include "runtime/device.h"
#include "soc/part_name.h"

namespace openqnn::runtime {

ApiError bad_vote(const char* code, std::string what, std::string fix) {
  return {QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_INPUT,
          invalid(code, std::move(what)).fix_by(std::move(fix))};
}

namespace {

constexpr uint32_t kFirstArchWithUnitVotes = 75;

ApiError unknown_id(uint32_t id) {
  return {QNN_HTP_PERF_INFRASTRUCTURE_ERROR_INVALID_HANDLE_PTR,
          invalid("power-id", concat("power config id ", id, " does not exist"))
              .fix_by("create one with createPowerConfigId; it ends with destroyPowerConfigId")};
}

bool is_ours(uint32_t id, uint32_t stands_for_default) { return id == 0 || id == stands_for_default; }

Outcome<> check_unit_vote(const char* unit, const std::optional<UnitVote>& vote, const PowerVotes& votes,
                          const PowerDomain& domain) {
  if (!vote) return {};
  if (domain.target.arch < kFirstArchWithUnitVotes)
    return ApiError(
        QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED,
        unsupported("power-unit-arch", concat(unit, " votes need v", kFirstArchWithUnitVotes,
                                              " or later; this is ", part_and_arch(domain.target))));
  if (!votes.core_active())
    return bad_vote("power-unit-alone", concat("a vote for ", unit, " needs a core vote on the same id"),
                    "cast a DCVS_V3 vote with core corners in the same call, or before");
  return {};
}

Outcome<> check_ddr(const PowerVotes& votes) {
  if (!votes.ddr_performance.value_or(false)) return {};
  constexpr uint32_t kCoarseMax = DCVS_VOLTAGE_VCORNER_MAX_VOLTAGE_CORNER;
  constexpr uint32_t kFineMax = DCVS_EXP_VCORNER_MAX;
  const bool at_max = votes.core && votes.core->bus &&
                      *votes.core->bus == (votes.core->scale == CornerScale::kFine
                                               ? Corners{kFineMax, kFineMax, kFineMax}
                                               : Corners{kCoarseMax, kCoarseMax, kCoarseMax});
  if (at_max) return {};
  return bad_vote("power-ddr", "DDR performance mode needs all three bus corners at their maximum",
                  "cast a DCVS_V3 vote with the bus at MAX_VOLTAGE_CORNER on the same id");
}

Outcome<> check_polling(const PowerVotes& votes, const PowerDomain& domain) {
  const bool rpc = votes.rpc_polling_us || votes.rpc_control_latency_us;
  if (rpc && domain.platform == Platform::kQnx)
    return ApiError(QNN_HTP_PERF_INFRASTRUCTURE_ERROR_UNSUPPORTED,
                    unsupported("power-rpc-qnx", "RPC latency and polling cannot be set on QNX"));
  if (votes.adaptive_polling_us.value_or(0) > 0 && votes.rpc_polling_us.value_or(0) == 0)
    return bad_vote("power-adaptive-alone", "adaptive polling works only while RPC polling is on",
                    "vote for an RPC polling time on the same id first");
  return {};
}

sim::ClockVote clock_vote(const Corners& corners, CornerScale scale, uint32_t performance_mode,
                          const soc::PowerModel& model) {
  const auto level = [&](uint32_t corner) {
    const size_t at =
        scale == CornerScale::kFine ? model.by_fine(corner) : model.by_coarse(corner).value_or(0);
    return static_cast<sim::Level>(at);
  };
  return {level(corners.min), level(corners.target), level(corners.max), performance_mode};
}

// The votes as the modelled device takes them.
sim::PowerVote modelled_vote(const PowerVotes& votes, const soc::PowerModel& model) {
  sim::PowerVote vote;
  if (votes.core) {
    const CoreVote& core = *votes.core;
    if (core.core) vote.core = clock_vote(*core.core, core.scale, core.core_performance_mode, model);
    if (core.bus) vote.bus = clock_vote(*core.bus, core.scale, core.bus_performance_mode, model);
    vote.dcvs = core.dcvs;
    if (core.power_mode) vote.mode = static_cast<sim::DcvsMode>(*core.power_mode);
    vote.sleep_latency_us = core.sleep_latency_us;
    vote.sleep_disabled = core.sleep_disabled;
  }
  const auto unit = [&](const std::optional<UnitVote>& of) -> std::optional<sim::ClockVote> {
    if (!of || of->follows_core) return std::nullopt;
    return clock_vote(of->corners, of->scale, of->performance_mode, model);
  };
  vote.hmx = unit(votes.hmx);
  vote.ceng = unit(votes.ceng);
  vote.rpc_control_latency_us = votes.rpc_control_latency_us;
  vote.rpc_polling_us = votes.rpc_polling_us;
  vote.adaptive_polling_us = votes.adaptive_polling_us;
  vote.hmx_timeout_us = votes.hmx_timeout_us;
  vote.ddr_performance = votes.ddr_performance;
  return vote;
}

}  // namespace

bool PowerVotes::core_active() const {
  if (!core || !core->core) return false;
  // A core that is voted off has no vote in force (ours).
  const uint32_t off = core->scale == CornerScale::kFine ? uint32_t{DCVS_EXP_VCORNER_DISABLE}
                                                         : uint32_t{DCVS_VOLTAGE_CORNER_DISABLE};
  return core->core->target != off;
}

Outcome<PowerBook*> PowerBook::instance() {
  if (PowerBook* book = UntilExit<PowerBook>::get()) return book;
  return ApiError(QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED,
                  invalid("power-exit", "the process ends, and with it all votes").fix_by("vote earlier"));
}

Outcome<uint32_t> PowerBook::open(uint32_t device_id, uint32_t core_id) {
  if (!is_ours(device_id, QNN_DEVICE_DEFAULT_DEVICE_ID) || !is_ours(core_id, QNN_DEVICE_DEFAULT_CORE_ID))
    return bad_vote("power-device", concat("there is no core ", core_id, " on a device ", device_id),
                    "device 0 with core 0 is modelled");
  const std::lock_guard lock(mutex_);
  do {
    ++last_id_;
  } while (last_id_ == 0 || votes_.contains(last_id_));
  votes_.emplace(last_id_, PowerVotes{});
  return last_id_;
}

Outcome<> PowerBook::close(uint32_t id) {
  const std::lock_guard lock(mutex_);
  if (votes_.erase(id) == 0) return unknown_id(id);
  remove_on_devices(id);
  return {};
}

Outcome<PowerVotes> PowerBook::change(uint32_t id, const PowerDomain& domain,
                                      const std::function<Outcome<>(PowerVotes&)>& change) {
  const std::lock_guard lock(mutex_);
  const auto found = votes_.find(id);
  if (found == votes_.end()) return unknown_id(id);
  PowerVotes votes = found->second;
  OPENQNN_TRY(change(votes));
  OPENQNN_TRY(check_unit_vote("HMX", votes.hmx, votes, domain));
  OPENQNN_TRY(check_unit_vote("CENG", votes.ceng, votes, domain));
  OPENQNN_TRY(check_ddr(votes));
  OPENQNN_TRY(check_polling(votes, domain));
  OPENQNN_ASSIGN_AS(const soc::PowerModel model, QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED,
                    soc::power_model());
  found->second = votes;
  cast_on_devices(id, modelled_vote(votes, model));
  return votes;
}

Outcome<PowerDomain> power_domain() {
  OPENQNN_ASSIGN_AS(const Persona persona, QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED,
                    persona_from_environment());
  PowerDomain domain{.platform = persona.platform};
  if (const auto device = current_device()) {
    domain.target = device->target;
    domain.log = device->log;
    return domain;
  }
  OPENQNN_ASSIGN_AS(domain.target, QNN_HTP_PERF_INFRASTRUCTURE_ERROR_FAILED,
                    persona.target ? Result<soc::Target>(*persona.target) : soc::default_target());
  return domain;
}

}  // namespace openqnn::runtime
