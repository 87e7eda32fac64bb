// SPDX-License-Identifier: BSD-3-Clause
// Histories as JSON.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "json/json.h"
#include "sim/power_history.h"

namespace openqnn::sim {
namespace {

using json::Value;
using json::Writer;
using Kind = PowerEvent::Kind;

constexpr std::string_view kMagic = "openqnn_power_history";
constexpr int64_t kVersion = 1;
constexpr uint32_t kSlowestMode = 255;

constexpr std::array<std::pair<std::string_view, Kind>, 6> kKinds = {{{"vote", Kind::kVote},
                                                                      {"remove", Kind::kRemove},
                                                                      {"timer", Kind::kTimer},
                                                                      {"stage", Kind::kStage},
                                                                      {"idle", Kind::kIdle},
                                                                      {"execute", Kind::kExecute}}};
constexpr std::array<std::pair<std::string_view, DcvsMode>, 6> kModes = {
    {{"adjust_up_down", DcvsMode::kUpDown},
     {"adjust_only_up", DcvsMode::kOnlyUp},
     {"power_saver", DcvsMode::kPowerSaver},
     {"power_saver_aggressive", DcvsMode::kPowerSaverAggressive},
     {"performance", DcvsMode::kPerformance},
     {"duty_cycle", DcvsMode::kDutyCycle}}};

template <class Table, class T>
std::string_view name_in(const Table& table, T value) {
  return std::ranges::find(table, value, [](const auto& row) { return row.second; })->first;
}

template <class Table>
auto row_of(const Table& table, std::string_view name) {
  return std::ranges::find(table, name, [](const auto& row) { return row.first; });
}

// The fields of a vote, once for reading and writing.
constexpr std::array<std::pair<std::string_view, std::optional<ClockVote> PowerVote::*>, 4> kClocks = {
    {{"core", &PowerVote::core},
     {"bus", &PowerVote::bus},
     {"hmx", &PowerVote::hmx},
     {"ceng", &PowerVote::ceng}}};
constexpr std::array<std::pair<std::string_view, std::optional<uint32_t> PowerVote::*>, 5> kNumbers = {
    {{"sleep_latency_us", &PowerVote::sleep_latency_us},
     {"rpc_control_latency_us", &PowerVote::rpc_control_latency_us},
     {"rpc_polling_us", &PowerVote::rpc_polling_us},
     {"adaptive_polling_us", &PowerVote::adaptive_polling_us},
     {"hmx_timeout_us", &PowerVote::hmx_timeout_us}}};
constexpr std::array<std::pair<std::string_view, std::optional<bool> PowerVote::*>, 3> kSwitches = {
    {{"dcvs", &PowerVote::dcvs},
     {"sleep_disabled", &PowerVote::sleep_disabled},
     {"ddr_performance", &PowerVote::ddr_performance}}};

// ---- Writing ----

void write_vote(Writer& out, const PowerVote& vote, const soc::PowerModel& model) {
  for (const auto& [name, field] : kClocks) {
    const auto& clock = vote.*field;
    if (!clock) continue;
    out.key(name).begin_array(Writer::Style::kInline);
    for (const Level level : {clock->min, clock->target, clock->max}) out.string(model.corners[level].name);
    if (clock->performance_mode != 0) out.unsigned_integer(clock->performance_mode);
    out.end_array();
  }
  for (const auto& [name, field] : kSwitches)
    if (vote.*field) out.key(name).boolean(*(vote.*field));
  if (vote.mode) out.key("mode").string(name_in(kModes, *vote.mode));
  for (const auto& [name, field] : kNumbers)
    if (vote.*field) out.key(name).unsigned_integer(*(vote.*field));
}

void write_event(Writer& out, const PowerEvent& event, const soc::PowerModel& model) {
  out.begin_object(Writer::Style::kInline).key("event").string(name_in(kKinds, event.kind));
  switch (event.kind) {
    case Kind::kVote:
      out.key("client").unsigned_integer(event.client);
      write_vote(out, event.vote, model);
      break;
    case Kind::kRemove:
      out.key("client").unsigned_integer(event.client);
      break;
    case Kind::kTimer:
      out.key("client").unsigned_integer(event.client).key("after_ns").unsigned_integer(event.duration.value);
      out.key("then").begin_object(Writer::Style::kInline);
      write_vote(out, event.vote, model);
      out.end_object();
      break;
    case Kind::kStage:
      out.key("name").string(event.label);
      break;
    case Kind::kIdle:
      out.key("ns").unsigned_integer(event.duration.value);
      break;
    case Kind::kExecute:
      if (!event.label.empty()) out.key("graph").string(event.label);
      out.key(event.at_burst ? "burst_accelerator_ns" : "accelerator_ns")
          .unsigned_integer(event.times.accelerator.value);
      out.key("call_ns").unsigned_integer(event.times.call.value);
      break;
  }
  out.end_object();
}

// ---- Reading ----

// One object of the file. What it does not know is refused, so that a slip of the pen is no silent default.
class Reader {
 public:
  Reader(std::string_view text, std::string_view source, const soc::PowerModel& model)
      : text_(text), source_(source), model_(model) {}

  Result<PowerHistory> history(const Value& root) {
    const Value* const version = root.find(kMagic);
    if (version == nullptr || version->as_int64() != kVersion)
      return wrong(root, concat("this is no power history: \"", kMagic, "\": ", kVersion, " is missing"),
                   "give a power_history.json that a run has written, or one made as docs/power.md tells");
    OPENQNN_TRY(only(root, {kMagic, "soc", "arch", "clock_hz", "left_out", "events"}));
    PowerHistory history;
    OPENQNN_ASSIGN(history.soc, words(root, "soc"));
    OPENQNN_ASSIGN(const uint64_t arch, number(root, "arch", 65535, 0));
    history.arch = static_cast<uint32_t>(arch);
    OPENQNN_ASSIGN(history.clock_hz, number(root, "clock_hz", 1'000'000'000'000, 0));
    OPENQNN_ASSIGN(history.left_out, number(root, "left_out", INT64_MAX, 0));
    const Value* const events = root.find("events");
    if (events == nullptr || events->kind() != Value::Kind::kArray)
      return wrong(root, "\"events\" must be a list", "give at least []");
    if (events->as_array().size() > kMostPowerEvents)
      return wrong(*events, concat("a history has at most ", kMostPowerEvents, " events"), "cut it");
    for (const Value& row : events->as_array()) {
      OPENQNN_ASSIGN(PowerEvent event, read_event(row));
      history.events.push_back(std::move(event));
    }
    return history;
  }

 private:
  Diagnostic wrong(const Value& at, std::string what, std::string fix) const {
    const json::Position position = json::LineIndex(text_).position(at.span().begin);
    return invalid("power-history", std::move(what))
        .at(Where{std::string(source_), position.line, position.column})
        .fix_by(std::move(fix));
  }

  Status only(const Value& object, std::initializer_list<std::string_view> known,
              bool is_vote = false) const {
    const auto has = [](const auto& table, std::string_view key) {
      return row_of(table, key) != table.end();
    };
    for (const json::Member& member : object.as_object()) {
      const std::string key = member.key.str();
      if (std::ranges::find(known, key) != known.end()) continue;
      if (is_vote && (key == "profile" || key == "mode" || has(kClocks, key) || has(kNumbers, key) ||
                      has(kSwitches, key)))
        continue;
      return wrong(member.value, concat("'", key, "' is not known here"), "docs/power.md lists the keys");
    }
    return {};
  }

  Result<std::string> words(const Value& object, std::string_view key) const {
    const Value* const value = object.find(key);
    if (value == nullptr) return std::string();
    if (value->kind() != Value::Kind::kString)
      return wrong(*value, concat("'", key, "' must be a text"), "put it in quotes");
    return std::string(value->as_string());
  }

  // `missing` where the key is not there; nothing as `missing`: it must be.
  Result<uint64_t> number(const Value& object, std::string_view key, uint64_t most,
                          std::optional<uint64_t> missing) const {
    const Value* const value = object.find(key);
    if (value == nullptr && missing) return *missing;
    const auto given = value != nullptr ? value->as_int64() : std::nullopt;
    if (!given || *given < 0 || static_cast<uint64_t>(*given) > most)
      return wrong(value != nullptr ? *value : object,
                   concat("'", key, "' must be a whole number from 0 to ", most), "correct the number");
    return static_cast<uint64_t>(*given);
  }

  Result<ClockVote> clock(const Value& value, std::string_view key) const {
    const std::string expected =
        concat("'", key, "' must be [minimum, target, maximum], corners in rising order");
    const auto& items = value.as_array();
    if (items.size() != 3 && items.size() != 4)
      return wrong(value, expected, "e.g. [\"SVS\", \"NOM\", \"TURBO\"]");
    std::array<Level, 3> levels{};
    for (size_t i = 0; i < levels.size(); ++i) {
      const auto level = model_.by_name(items[i].as_string());
      if (!level)
        return wrong(items[i], concat("there is no corner '", items[i].as_string(), "'"),
                     "use a name of data/power_model.json, such as TURBO");
      levels[i] = static_cast<Level>(*level);
    }
    if (levels[0] > levels[1] || levels[1] > levels[2]) return wrong(value, expected, "put them in order");
    ClockVote vote{levels[0], levels[1], levels[2]};
    if (items.size() == 3) return vote;
    const auto mode = items[3].as_int64();
    if (!mode || *mode < 0 || *mode > kSlowestMode)
      return wrong(items[3], "the performance mode must be a whole number from 0 to 255", "0 is the highest");
    vote.performance_mode = static_cast<uint32_t>(*mode);
    return vote;
  }

  Result<PowerVote> base_vote(const Value& object) const {
    OPENQNN_ASSIGN(const std::string name, words(object, "profile"));
    if (name.empty()) return PowerVote();
    if (profiles_.empty()) {
      OPENQNN_ASSIGN(profiles_, soc::power_profiles());
    }
    const auto profile = soc::find_profile(profiles_, name);
    if (!profile) return wrong(*object.find("profile"), profile.error().message, profile.error().fix);
    return vote_of(*profile, model_);
  }

  Result<PowerVote> vote(const Value& object) const {
    OPENQNN_ASSIGN(PowerVote vote, base_vote(object));
    for (const auto& [name, field] : kClocks)
      if (const Value* const value = object.find(name)) {
        OPENQNN_ASSIGN(vote.*field, clock(*value, name));
      }
    for (const auto& [name, field] : kSwitches)
      if (const Value* const value = object.find(name)) {
        if (value->kind() != Value::Kind::kBool)
          return wrong(*value, concat("'", name, "' must be true or false"), "write true or false");
        vote.*field = value->as_bool();
      }
    for (const auto& [name, field] : kNumbers)
      if (object.find(name) != nullptr) {
        OPENQNN_ASSIGN(const uint64_t value, number(object, name, UINT32_MAX, std::nullopt));
        vote.*field = static_cast<uint32_t>(value);
      }
    if (const Value* const value = object.find("mode")) {
      const auto mode = row_of(kModes, value->as_string());
      if (mode == kModes.end())
        return wrong(*value, concat("there is no DCVS mode '", value->as_string(), "'"),
                     "performance, adjust_up_down, adjust_only_up, power_saver, power_saver_aggressive or "
                     "duty_cycle");
      vote.mode = mode->second;
    }
    return vote;
  }

  Result<Nanos> nanos(const Value& object, std::string_view key, std::optional<uint64_t> missing = {}) const {
    OPENQNN_ASSIGN(const uint64_t value, number(object, key, INT64_MAX, missing));
    return Nanos{value};
  }

  Status read_execute(const Value& row, PowerEvent& event) const {
    OPENQNN_TRY(only(row, {"event", "graph", "accelerator_ns", "burst_accelerator_ns", "call_ns"}));
    OPENQNN_ASSIGN(event.label, words(row, "graph"));
    event.at_burst = row.find("burst_accelerator_ns") != nullptr;
    if (event.at_burst && row.find("accelerator_ns") != nullptr)
      return wrong(row, "'accelerator_ns' and 'burst_accelerator_ns' exclude each other", "leave one out");
    OPENQNN_ASSIGN(event.times.accelerator,
                   nanos(row, event.at_burst ? "burst_accelerator_ns" : "accelerator_ns"));
    OPENQNN_ASSIGN(event.times.call, nanos(row, "call_ns", 0));
    return {};
  }

  Status read_client(const Value& row, PowerEvent& event) const {
    OPENQNN_ASSIGN(const uint64_t client, number(row, "client", UINT32_MAX, std::nullopt));
    event.client = static_cast<uint32_t>(client);
    return {};
  }

  Status read_timer(const Value& row, PowerEvent& event) const {
    OPENQNN_TRY(only(row, {"event", "client", "after_ns", "then"}));
    OPENQNN_TRY(read_client(row, event));
    OPENQNN_ASSIGN(event.duration, nanos(row, "after_ns"));
    const Value* const then = row.find("then");
    if (then == nullptr || then->kind() != Value::Kind::kObject)
      return wrong(row, "a timer needs 'then', the vote that it ends with",
                   "e.g. {\"profile\": \"relaxed\"}");
    OPENQNN_TRY(only(*then, {}, true));
    OPENQNN_ASSIGN(event.vote, vote(*then));
    return {};
  }

  Status read_fields(const Value& row, PowerEvent& event) const {
    switch (event.kind) {
      case Kind::kVote: {
        OPENQNN_TRY(only(row, {"event", "client"}, true));
        OPENQNN_TRY(read_client(row, event));
        OPENQNN_ASSIGN(event.vote, vote(row));
        return {};
      }
      case Kind::kRemove:
        OPENQNN_TRY(only(row, {"event", "client"}));
        return read_client(row, event);
      case Kind::kTimer:
        return read_timer(row, event);
      case Kind::kStage: {
        OPENQNN_TRY(only(row, {"event", "name"}));
        OPENQNN_ASSIGN(event.label, words(row, "name"));
        return {};
      }
      case Kind::kIdle: {
        OPENQNN_TRY(only(row, {"event", "ns"}));
        OPENQNN_ASSIGN(event.duration, nanos(row, "ns"));
        return {};
      }
      case Kind::kExecute:
        return read_execute(row, event);
    }
    return {};
  }

  Result<PowerEvent> read_event(const Value& row) const {
    OPENQNN_ASSIGN(const std::string name, words(row, "event"));
    const auto kind = row_of(kKinds, name);
    if (kind == kKinds.end())
      return wrong(row, "an event needs an \"event\": vote, remove, timer, stage, idle or execute",
                   "name what happens");
    PowerEvent event;
    event.kind = kind->second;
    OPENQNN_TRY(read_fields(row, event));
    return event;
  }

  const std::string_view text_;
  const std::string_view source_;
  const soc::PowerModel& model_;
  mutable std::vector<soc::PowerProfile> profiles_;  // once an event names one
};

}  // namespace

std::string history_json(const PowerHistory& history, const soc::PowerModel& model) {
  Writer out;
  out.begin_object().key(kMagic).integer(kVersion);
  out.key("soc").string(history.soc).key("arch").unsigned_integer(history.arch);
  out.key("clock_hz").unsigned_integer(history.clock_hz);
  if (history.left_out != 0) out.key("left_out").unsigned_integer(history.left_out);
  out.key("events").begin_array();
  for (const PowerEvent& event : history.events) write_event(out, event, model);
  out.end_array().end_object();
  return out.take();
}

Result<PowerHistory> read_power_history(std::string_view text, std::string_view source,
                                        const soc::PowerModel& model) {
  OPENQNN_ASSIGN(const Value root, json::parse(text, source));
  return Reader(text, source, model).history(root);
}

}  // namespace openqnn::sim
