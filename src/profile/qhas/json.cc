// SPDX-License-Identifier: BSD-3-Clause
// The model as [model]_qnn_htp_analysis_summary.json. Sections and fields that a public file shows have its
// names; what begins at "dominant_path", and fields the schema marks so, are ours.
#include "json/json.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "profile/qhas/model.h"
#include "soc/target.h"

namespace openqnn::profile::qhas {
namespace {

using json::Writer;

std::string hex(uint32_t id) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), id, 16).ptr;
  return concat("0x", std::string_view(digits.data(), static_cast<size_t>(end - digits.data())));
}

class QhasJson {
 public:
  explicit QhasJson(const Model& model) : model_(model) {
    for (const OpType& type : model.op_types) active_ += type.cost.cycles;
  }

  std::string write() {
    out_.begin_object();
    out_.key("version").begin_object(Writer::Style::kInline);
    out_.key("major").integer(0).key("minor").integer(1).key("patch").integer(0).end_object();
    out_.key("type_code").string("QHAS").key("model_id").string(model_.model_id);
    out_.key("data").begin_object();
    section("htp_overall_summary", [&] { overall(); });
    section("qnn_op_types", [&] { op_types(); });
    section("qnn_op_instances_nodes", [&] { ops(); });
    section("htp_op_types", [&] { htp_op_types(); });
    section("htp_op_instances", [&] { htp_ops(); });
    section("dominant_path", [&] { path(); });
    section("system_services", [&] { services(); });
    memory();
    power();
    out_.key("timing_model");
    card();
    out_.end_object().end_object();
    return out_.take();
  }

 private:
  template <class Rows>
  void section(std::string_view name, const Rows& rows) {
    out_.key(name).begin_object();
    out_.key("data").begin_array();
    rows();
    out_.end_array().end_object();
  }

  // ---- Pieces of rows

  Writer& begin_row() { return out_.begin_object(Writer::Style::kInline); }
  void number(std::string_view key, uint64_t value) { out_.key(key).unsigned_integer(value); }
  void number(std::string_view key, Cycles value) { number(key, value.value); }
  void percent_of(std::string_view key, Cycles part, Cycles whole) {
    out_.key(key).number(std::round(percent(part.value, whole.value) * 1e4) / 1e4);
  }
  void traffic(const Traffic& bytes) {
    number("dram_read", bytes.dram_read);
    number("dram_write", bytes.dram_write);
    number("vtcm_read", bytes.vtcm_read);
    number("vtcm_write", bytes.vtcm_write);
  }
  void cost(const Cost& cost) {
    number("cycles", cost.cycles);
    percent_of("percent_active_cycles", cost.cycles, active_);
    number("num_dominant_path_cycles_htp_0", cost.dominant);
    percent_of("percent_dominant_path_cycles_htp_0", cost.dominant, model_.total);
    number("num_htp_ops", cost.htp_ops);
    number("dma_cycles", cost.dma);
    traffic(cost.traffic);
  }
  void strings(std::string_view key, const std::vector<std::string>& texts) {
    out_.key(key).begin_array(Writer::Style::kInline);
    for (const std::string& text : texts) out_.string(text);
    out_.end_array();
  }
  void micros(std::string_view key, Nanos nanos) { out_.key(key).number(in_micros(nanos)); }

  // ---- Sections

  void overall() {
    const Traffic sum = model_.traffic();
    out_.begin_object();
    number("htp", 0);
    micros("time_us", model_.accelerator);
    out_.key("inf_per_s").number(model_.inferences_per_second());
    number("timeline_cycles", model_.total);
    percent_of("percent_idle", model_.total - model_.busy, model_.total);
    percent_of("percent_utilization", model_.busy, model_.total);
    number("total_dram_read", sum.dram_read);
    number("total_dram_write", sum.dram_write);
    number("total_dram", sum.dram_read + sum.dram_write);
    number("total_vtcm_read", sum.vtcm_read);
    number("total_vtcm_write", sum.vtcm_write);
    number("total_vtcm", sum.vtcm_read + sum.vtcm_write);
    number("unique_qnn_ops", model_.op_types.size());
    number("qnn_nodes", model_.ops.size());
    number("unique_htp_ops", model_.htp_op_types.size());
    number("htp_nodes", model_.htp_ops.size());
    section("htp_resources", [&] {
      for (const Resource& resource : model_.resources) row_of(resource);
    });
    out_.end_object();
  }

  void row_of(const Resource& resource) {
    begin_row().key("type").string(resource.type);
    number("tid", resource.tid);
    number("start_cycle", resource.start);
    number("end_cycle", resource.end);
    number("timeline_cycles", model_.total);
    number("cycles_used", resource.used);
    percent_of("utilization", resource.used, model_.total);
    traffic(resource.traffic);
    out_.end_object();
  }

  void op_types() {
    for (const OpType& type : model_.op_types) {
      begin_row().key("op").string(type.type);
      number("instances", type.instances);
      cost(type.cost);
      out_.end_object();
    }
  }

  void ops() {
    for (const QnnOp& op : model_.ops) {
      begin_row().key("qnn_op").string(op.name).key("op").string(op.type);
      cost(op.cost);
      strings("qnn_nodes", op.nodes);
      strings("framework_nodes", op.framework);
      out_.key("units").string(op.units).key("dtype").string(op.dtype).key("dims").string(op.shape);
      out_.key("tile").string(op.tile);
      number("tiles", op.tiles);
      out_.key("bound").string(op.bound).end_object();
    }
  }

  void htp_op_types() {
    for (const HtpOpType& type : model_.htp_op_types) {
      begin_row().key("op").string(type.name);
      number("instances", type.cost.htp_ops);
      cost(type.cost);
      out_.key("format_change").boolean(false).key("reference_op").boolean(type.reference_op).end_object();
    }
  }

  void htp_ops() {
    for (const HtpOp& op : model_.htp_ops) row_of(op);
  }

  void row_of(const HtpOp& op) {
    const Resource& resource = model_.resources[op.resource];
    const Tensor& tensor = model_.tensors[op.tensor];
    const HtpOpType& type = model_.htp_op_types[op.type];
    begin_row();
    number("htp", 0);
    number("tid", resource.tid);
    if (op.instances != 1) number("threads", op.instances);
    out_.key("op_id").string(hex(op.id)).key("htp_op").string(type.name);
    out_.key("qnn_op").string(model_.ops[op.op].name).key("tensor").string(tensor.name);
    out_.key("dtype").string(tensor.dtype);
    number("rank", op.dims.rank());
    out_.key("step_size").number(tensor.step_size).key("zero_offset").integer(tensor.zero_offset);
    out_.key("dims").begin_array(Writer::Style::kInline);
    for (const uint32_t dim : op.dims.dims()) out_.unsigned_integer(dim);
    out_.end_array().key("input_nodes").begin_array(Writer::Style::kInline);
    for (const uint32_t input : op.inputs) out_.string(hex(input));
    out_.end_array();
    number("start_cycle", op.start);
    number("cycles", op.cycles);
    number("num_dominant_path_cycles", op.dominant);
    percent_of("percent_dominant_path_cycles", op.dominant, model_.total);
    out_.key("fmt_change").boolean(false).key("ref_op").boolean(type.reference_op);
    out_.key("hmx").boolean(resource.type == soc::unit_name(soc::Unit::kHmx));
    out_.key("hvx").boolean(resource.type == soc::unit_name(soc::Unit::kHvx));
    out_.key("dma_wait").boolean(false).key("dma_set").boolean(false);
    out_.key("dma").boolean(resource.type == soc::unit_name(soc::Unit::kDma)).key("sync").boolean(false);
    traffic(op.traffic);
    out_.key("bound").string(sim::bound_name(op.bound)).end_object();
  }

  void path() {
    for (const PathStep& step : model_.dominant_path) {
      const HtpOp& op = model_.htp_ops[step.htp_op];
      begin_row();
      number("start_cycle", step.start);
      number("cycles", step.cycles);
      out_.key("op_id").string(hex(op.id)).key("htp_op").string(model_.htp_op_types[op.type].name);
      out_.key("qnn_op").string(model_.ops[op.op].name).end_object();
    }
  }

  void services() {
    for (const Service& service : model_.services) {
      begin_row().key("service").string(service.name).key("meaning").string(service.meaning);
      number("instances", service.cost.htp_ops);
      number("cycles", service.cost.cycles + service.cost.dma);
      number("num_dominant_path_cycles_htp_0", service.cost.dominant);
      traffic(service.cost.traffic);
      if (!service.unavailable.empty()) out_.key("unavailable").string(service.unavailable);
      out_.end_object();
    }
  }

  void memory() {
    out_.key("memory").begin_object();
    number("vtcm_granted", model_.vtcm_bytes);
    number("vtcm_peak", model_.vtcm_peak);
    out_.key("vtcm_alloc").begin_array();
    for (const VtcmUse& use : model_.vtcm) {
      begin_row();
      number("cycle", use.at);
      number("bytes", use.bytes);
      out_.end_object();
    }
    out_.end_array().end_object();
  }

  void power() {
    out_.key("power").begin_object();
    out_.key("clock_hz").number(model_.clock_hz).key("vote").string(model_.power_vote);
    const PowerRecord& power = model_.power;
    if (!power.perf_profile.empty()) out_.key("perf_profile").string(power.perf_profile);
    micros("power_up_us", power.power_up);
    out_.key("steps").begin_array();
    for (const PowerRow& row : power.rows) {
      begin_row();
      micros("at_us", row.at);
      if (row.lasts) micros("for_us", *row.lasts);
      out_.key("what").string(row.what).key("core").string(row.core).key("hmx").string(row.hmx);
      out_.key("bus").string(row.bus).key("details").string(row.details);
      number("core_permille", row.core_permille);
      out_.end_object();
    }
    out_.end_array();
    number("steps_left_out", power.rows_left_out);
    out_.end_object();
    out_.key("yields").begin_object();
    number("vtcm_acquire_cycles", model_.acquire);
    out_.key("instances").begin_array();
    for (const sim::Yield& yield : model_.yields) {
      begin_row();
      number("start_cycle", yield.start);
      number("save_cycles", yield.save);
      number("reacquire_cycles", yield.wait);
      number("restore_cycles", yield.restore);
      number("bytes", yield.bytes.value);
      out_.end_object();
    }
    out_.end_array().end_object();
    out_.key("unavailable").begin_array();
    for (const Unavailable& one : model_.unavailable)
      begin_row().key("what").string(one.what).key("because").string(one.because).end_object();
    out_.end_array();
  }

  void card() {
    out_.begin_object();
    out_.key("generator").string("openqnn").key("clock").string("simulated");
    out_.key("model").string(model_.timing).key("error_band").number(model_.error_band);
    out_.key("graph").string(model_.graph).key("soc").string(model_.soc);
    out_.key("prepared_for").string(model_.prepared_for);
    number("arch", model_.arch);
    number("optimization_level", model_.optimization);
    number("hvx_threads", model_.hvx_threads);
    number("cores", model_.cores);
    strings("transfers", model_.transfers);
    micros("accelerator_us", model_.accelerator);
    micros("rpc_us", model_.rpc);
    micros("client_us", model_.client);
    strings("assumptions", model_.assumptions);
    out_.end_object();
  }

  const Model& model_;
  Cycles active_;  // computing cycles of all ops
  Writer out_;
};

}  // namespace

std::string qhas_json(const Model& model) { return QhasJson(model).write(); }

}  // namespace openqnn::profile::qhas
