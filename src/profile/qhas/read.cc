// SPDX-License-Identifier: BSD-3-Clause
// The way back from qhas_json()'s text to a model.
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "base/text.h"
#include "json/json.h"
#include "profile/qhas/model.h"

namespace openqnn::profile::qhas {
namespace {

using json::Value;

constexpr uint64_t kLargestFile = 2ULL << 30;
constexpr double kMostNanos = 1e15;  // eleven days; beyond, a double in microseconds would not give them back

// Reads fields of objects. The first that is missing or of another kind is kept as the reason of the failure;
// what was read after it means nothing.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  const Value& at(const Value& object, std::string_view key) {
    const Value* const found = object.find(key);
    if (found == nullptr) blame(key, "is missing");
    return found == nullptr ? nothing_ : *found;
  }
  // The rows of a section: {"data": [...]}.
  const json::Array& rows(const Value& object, std::string_view section) {
    return list(at(object, section), "data");
  }
  const json::Array& list(const Value& object, std::string_view key) {
    const Value& found = at(object, key);
    if (found.kind() != Value::Kind::kArray) blame(key, "is not a list");
    return found.as_array();
  }
  std::string text(const Value& object, std::string_view key) {
    const Value& found = at(object, key);
    if (found.kind() != Value::Kind::kString) blame(key, "is not a text");
    return std::string(found.as_string());
  }
  std::vector<std::string> texts(const Value& object, std::string_view key) {
    std::vector<std::string> out;
    for (const Value& one : list(object, key)) out.emplace_back(one.as_string());
    return out;
  }
  uint64_t whole(const Value& object, std::string_view key) {
    const auto value = at(object, key).as_int64();
    if (!value || *value < 0) blame(key, "is not a whole number of 0 or more");
    return value && *value > 0 ? static_cast<uint64_t>(*value) : 0;
  }
  uint32_t small(const Value& object, std::string_view key) {
    const uint64_t value = whole(object, key);
    if (value > UINT32_MAX) blame(key, "is too large");
    return static_cast<uint32_t>(value);
  }
  Cycles cycles(const Value& object, std::string_view key) { return {whole(object, key)}; }
  double number(const Value& object, std::string_view key) {
    const auto value = at(object, key).as_double();
    if (!value) blame(key, "is not a number");
    return value.value_or(0);
  }
  Nanos micros(const Value& object, std::string_view key) {
    const double nanos = number(object, key) * 1e3;
    if (!(nanos >= 0 && nanos < kMostNanos)) {
      blame(key, "is no duration");
      return {};
    }
    return {static_cast<uint64_t>(std::llround(nanos))};
  }
  bool flag(const Value& object, std::string_view key) { return at(object, key).as_bool(); }

  void blame(std::string_view key, std::string_view what) {
    if (!failure_) failure_ = concat("'", key, "' ", what);
  }
  Status status() const {
    if (!failure_) return {};
    return corrupt("qhas-file", concat("this is no whole analysis summary: ", *failure_))
        .at(source_)
        .fix_by("make it again with `openqnn report`");
  }

 private:
  std::string source_;
  std::optional<std::string> failure_;
  Value nothing_;
};

class QhasReader {
 public:
  explicit QhasReader(std::string_view source) : in_(source) {}

  Result<Model> read(const Value& document) {
    const Value& data = in_.at(document, "data");
    model_.model_id = in_.text(document, "model_id");
    card(in_.at(data, "timing_model"));
    overall(data);
    for (const Value& row : in_.rows(data, "qnn_op_types"))
      model_.op_types.push_back({in_.text(row, "op"), in_.whole(row, "instances"), cost(row)});
    for (const Value& row : in_.rows(data, "qnn_op_instances_nodes")) op(row);
    for (const Value& row : in_.rows(data, "htp_op_types")) htp_type(row);
    for (const Value& row : in_.rows(data, "htp_op_instances")) htp_op(row);
    for (const Value& row : in_.rows(data, "dominant_path")) step(row);
    for (const Value& row : in_.rows(data, "system_services")) service(row);
    memory(in_.at(data, "memory"));
    const Value& power = in_.at(data, "power");
    model_.clock_hz = in_.number(power, "clock_hz");
    model_.power_vote = in_.text(power, "vote");
    if (power.find("steps") != nullptr) power_record(power);  // not in older files
    if (const Value* const found = data.find("yields"); found != nullptr) yields(*found);
    for (const Value& row : in_.list(data, "unavailable"))
      model_.unavailable.push_back({in_.text(row, "what"), in_.text(row, "because")});
    if (model_.busy > model_.total) in_.blame("dominant_path", "is longer than the timeline");
    OPENQNN_TRY(in_.status());
    return std::move(model_);
  }

 private:
  Traffic traffic(const Value& row) {
    return {in_.whole(row, "dram_read"), in_.whole(row, "dram_write"), in_.whole(row, "vtcm_read"),
            in_.whole(row, "vtcm_write")};
  }
  Cost cost(const Value& row) {
    return {in_.whole(row, "num_htp_ops"), in_.cycles(row, "cycles"), in_.cycles(row, "dma_cycles"),
            in_.cycles(row, "num_dominant_path_cycles_htp_0"), traffic(row)};
  }
  uint32_t id(std::string_view text, std::string_view key) {
    uint32_t value = 0;
    const bool prefixed = text.starts_with("0x");
    const char* const begin = text.data() + (prefixed ? 2 : 0);
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(begin, end, value, 16);
    if (!prefixed || parsed.ec != std::errc() || parsed.ptr != end) in_.blame(key, "is no id");
    return value;
  }
  // The place of what a row names.
  template <class Places, class Key>
  uint32_t place(const Places& places, const Key& wanted, std::string_view key) {
    const auto found = places.find(wanted);
    if (found == places.end()) in_.blame(key, "names what is not there");
    return found == places.end() ? 0 : found->second;
  }

  void card(const Value& card) {
    model_.timing = in_.text(card, "model");
    model_.error_band = in_.number(card, "error_band");
    model_.graph = in_.text(card, "graph");
    model_.soc = in_.text(card, "soc");
    model_.prepared_for = in_.text(card, "prepared_for");
    model_.arch = in_.small(card, "arch");
    model_.optimization = in_.small(card, "optimization_level");
    model_.hvx_threads = in_.small(card, "hvx_threads");
    if (card.find("cores") != nullptr) model_.cores = in_.small(card, "cores");  // not in older files
    if (card.find("transfers") != nullptr) model_.transfers = in_.texts(card, "transfers");
    model_.accelerator = in_.micros(card, "accelerator_us");
    model_.rpc = in_.micros(card, "rpc_us");
    model_.client = in_.micros(card, "client_us");
    model_.assumptions = in_.texts(card, "assumptions");
  }

  void overall(const Value& data) {
    const json::Array& cores = in_.rows(data, "htp_overall_summary");
    if (cores.size() != 1) return in_.blame("htp_overall_summary", "has not one row");
    model_.total = in_.cycles(cores[0], "timeline_cycles");
    std::map<std::string, uint32_t> seen;
    for (const Value& row : in_.rows(cores[0], "htp_resources")) {
      const std::string type = in_.text(row, "type");
      const uint32_t tid = in_.small(row, "tid");
      if (!resource_of_.emplace(tid, static_cast<uint32_t>(model_.resources.size())).second)
        in_.blame("tid", "is there twice");
      model_.resources.push_back({type, seen[type]++, tid, in_.cycles(row, "start_cycle"),
                                  in_.cycles(row, "end_cycle"), in_.cycles(row, "cycles_used"),
                                  traffic(row)});
    }
  }

  void op(const Value& row) {
    QnnOp op;
    op.name = in_.text(row, "qnn_op");
    op.type = in_.text(row, "op");
    op.cost = cost(row);
    op.nodes = in_.texts(row, "qnn_nodes");
    op.framework = in_.texts(row, "framework_nodes");
    op.units = in_.text(row, "units");
    op.dtype = in_.text(row, "dtype");
    op.shape = in_.text(row, "dims");
    op.tile = in_.text(row, "tile");
    op.tiles = in_.small(row, "tiles");
    op.bound = in_.text(row, "bound");
    op_of_.emplace(op.name, static_cast<uint32_t>(model_.ops.size()));
    model_.ops.push_back(std::move(op));
  }

  void htp_type(const Value& row) {
    HtpOpType type{in_.text(row, "op"), in_.flag(row, "reference_op"), cost(row)};
    type_of_.emplace(std::pair(type.name, type.reference_op),
                     static_cast<uint32_t>(model_.htp_op_types.size()));
    model_.htp_op_types.push_back(std::move(type));
  }

  uint32_t tensor(const Value& row) {
    Tensor tensor{in_.text(row, "tensor"), in_.text(row, "dtype"), in_.number(row, "step_size"),
                  in_.at(row, "zero_offset").as_int64().value_or(0)};
    const auto [at, is_new] =
        tensor_of_.try_emplace(tensor.name, static_cast<uint32_t>(model_.tensors.size()));
    if (is_new) model_.tensors.push_back(std::move(tensor));
    return at->second;
  }

  void htp_op(const Value& row) {
    HtpOp op;
    op.id = id(in_.text(row, "op_id"), "op_id");
    op.type = place(type_of_, std::pair(in_.text(row, "htp_op"), in_.flag(row, "ref_op")), "htp_op");
    op.resource = place(resource_of_, in_.small(row, "tid"), "tid");
    if (row.find("threads") != nullptr) op.instances = in_.small(row, "threads");
    if (op.instances == 0 || op.instances > model_.resources.size() - op.resource) {
      op.instances = 1;
      in_.blame("threads", "are not as many as there are");
    }
    op.op = place(op_of_, in_.text(row, "qnn_op"), "qnn_op");
    op.tensor = tensor(row);
    const json::Array& dims = in_.list(row, "dims");
    if (dims.size() > ir::kMaxRank) return in_.blame("dims", "are too many");
    for (const Value& dim : dims) {
      const int64_t value = dim.as_int64().value_or(-1);
      if (value < 0 || value > UINT32_MAX) in_.blame("dims", "are no dimensions");
      op.dims.push_back(static_cast<uint32_t>(value));
    }
    for (const Value& input : in_.list(row, "input_nodes"))
      op.inputs.push_back(id(input.as_string(), "input_nodes"));
    op.start = in_.cycles(row, "start_cycle");
    op.cycles = in_.cycles(row, "cycles");
    op.dominant = in_.cycles(row, "num_dominant_path_cycles");
    if (op.dominant > op.cycles) in_.blame("num_dominant_path_cycles", "is more than the op takes");
    op.traffic = traffic(row);
    op.bound = bound(in_.text(row, "bound"));
    if (!htp_of_.emplace(op.id, static_cast<uint32_t>(model_.htp_ops.size())).second)
      in_.blame("op_id", "is there twice");
    model_.htp_ops.push_back(std::move(op));
  }

  sim::Bound bound(std::string_view name) {
    for (size_t i = 0; i < sim::kBoundCount; ++i)
      if (sim::bound_name(static_cast<sim::Bound>(i)) == name) return static_cast<sim::Bound>(i);
    in_.blame("bound", "is none that is known");
    return sim::Bound::kOverhead;
  }

  void step(const Value& row) {
    PathStep step{in_.cycles(row, "start_cycle"), in_.cycles(row, "cycles"),
                  place(htp_of_, id(in_.text(row, "op_id"), "op_id"), "op_id")};
    if (!model_.dominant_path.empty()) {
      const PathStep& last = model_.dominant_path.back();
      if (step.start < last.start + last.cycles) in_.blame("dominant_path", "is not in the order of time");
    }
    model_.busy += step.cycles;
    model_.dominant_path.push_back(step);
  }

  void service(const Value& row) {
    Service service{in_.text(row, "service"), in_.text(row, "meaning"), "", {}};
    if (const Value* const why = row.find("unavailable"); why != nullptr)
      service.unavailable = why->as_string();
    service.cost.htp_ops = in_.whole(row, "instances");
    service.cost.dma = in_.cycles(row, "cycles");
    service.cost.dominant = in_.cycles(row, "num_dominant_path_cycles_htp_0");
    service.cost.traffic = traffic(row);
    model_.services.push_back(std::move(service));
  }

  void memory(const Value& memory) {
    model_.vtcm_bytes = in_.whole(memory, "vtcm_granted");
    model_.vtcm_peak = in_.whole(memory, "vtcm_peak");
    for (const Value& row : in_.list(memory, "vtcm_alloc"))
      model_.vtcm.push_back({in_.cycles(row, "cycle"), in_.whole(row, "bytes")});
  }

  void power_record(const Value& power) {
    if (power.find("perf_profile") != nullptr) model_.power.perf_profile = in_.text(power, "perf_profile");
    model_.power.power_up = in_.micros(power, "power_up_us");
    for (const Value& step : in_.list(power, "steps")) {
      PowerRow row{.at = in_.micros(step, "at_us"),
                   .what = in_.text(step, "what"),
                   .core = in_.text(step, "core"),
                   .hmx = in_.text(step, "hmx"),
                   .bus = in_.text(step, "bus"),
                   .details = in_.text(step, "details"),
                   .core_permille = in_.small(step, "core_permille")};
      if (step.find("for_us") != nullptr) row.lasts = in_.micros(step, "for_us");
      model_.power.rows.push_back(std::move(row));
    }
    model_.power.rows_left_out = in_.whole(power, "steps_left_out");
  }

  void yields(const Value& yields) {
    model_.acquire = in_.cycles(yields, "vtcm_acquire_cycles");
    for (const Value& row : in_.list(yields, "instances"))
      model_.yields.push_back({.start = in_.cycles(row, "start_cycle"),
                               .save = in_.cycles(row, "save_cycles"),
                               .wait = in_.cycles(row, "reacquire_cycles"),
                               .restore = in_.cycles(row, "restore_cycles"),
                               .bytes = {in_.whole(row, "bytes")}});
  }

  Reader in_;
  Model model_;
  std::map<uint32_t, uint32_t> resource_of_;  // by tid
  std::map<std::string, uint32_t> op_of_;
  std::map<std::pair<std::string, bool>, uint32_t> type_of_;
  std::map<std::string, uint32_t> tensor_of_;
  std::map<uint32_t, uint32_t> htp_of_;  // by id
};

}  // namespace

Result<Model> read_qhas(std::string_view text, std::string_view source) {
  OPENQNN_ASSIGN(const Value document, json::parse(text, source, {.max_bytes = kLargestFile}));
  const Value* const code = document.find("type_code");
  if (code == nullptr || code->as_string() != "QHAS")
    return invalid("qhas-other", "this JSON is no analysis summary")
        .at(std::string(source))
        .fix_by("give a *_qnn_htp_analysis_summary.json");
  const Value* const data = document.find("data");
  const Value* const card = data == nullptr ? nullptr : data->find("timing_model");
  const Value* const generator = card == nullptr ? nullptr : card->find("generator");
  if (generator == nullptr || generator->as_string() != "openqnn")
    return unsupported(
               "qhas-other",
               "this analysis summary was made by another program, and does not say how its times were made")
        .at(std::string(source))
        .fix_by("give one that `openqnn report` made");
  return QhasReader(source).read(document);
}

}  // namespace openqnn::profile::qhas
