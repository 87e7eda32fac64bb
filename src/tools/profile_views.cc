// SPDX-License-Identifier: BSD-3-Clause
#include "tools/profile_views.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "json/json.h"
#include "profile/text_table.h"
#include "soc/part_name.h"
#include "tools/console.h"

namespace openqnn::tools {
namespace {

using profile::memory_text;
using profile::micros_text;
using profile::percent_text;
using profile::TextTable;
using profile::qhas::HtpOp;
using profile::qhas::QnnOp;
using Align = TextTable::Align;

constexpr std::string_view kSimulated =
    "SIMULATED: these numbers come from a model of the NPU, not from a device.\n\n";

std::vector<const QnnOp*> longest_first(const ProfileModel& model) {
  std::vector<const QnnOp*> ops;
  for (const QnnOp& op : model.ops) ops.push_back(&op);
  std::stable_sort(ops.begin(), ops.end(),
                   [](const QnnOp* a, const QnnOp* b) { return a->cost.dominant > b->cost.dominant; });
  return ops;
}

std::string card(const ProfileModel& model) {
  return concat("Graph '", one_line(model.graph), "' on ",
                one_line(soc::part_and_arch(model.soc, model.arch)), ": ", model.total.value,
                " cycles; accelerator ", micros_text(model.accelerator), " us, QNN execute ",
                micros_text(model.client), " us (simulated)\n", one_line(model.timing), ", error band ",
                profile::error_band_text(model.error_band), "\n");
}

std::string units_table(const ProfileModel& model) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.row({"Unit", "Cycles used", "Utilization", "DRAM read", "DRAM write"});
  table.rule();
  for (const auto& unit : model.resources)
    table.row({unit.name(), concat(unit.used.value), percent_text(unit.used.value, model.total.value),
               memory_text(unit.traffic.dram_read), memory_text(unit.traffic.dram_write)});
  return table.text();
}

std::string types_table(const ProfileModel& model, size_t most) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.row({"Op type", "Ops", "HTP ops", "Busy cycles", "Of the path"});
  table.rule();
  for (size_t i = 0; i < std::min(most, model.op_types.size()); ++i) {
    const auto& type = model.op_types[i];
    table.row({one_line(type.type), concat(type.instances), concat(type.cost.htp_ops),
               concat(type.cost.cycles.value), percent_text(type.cost.dominant.value, model.total.value)});
  }
  if (model.op_types.size() > most)
    table.row({concat("(", model.op_types.size() - most, " more)"), "", "", "", ""});
  return table.text();
}

// ---- Why ----

struct Explanation {
  std::string cause;
  std::string remedy;
};

// The remedies are what follows from how the model makes its times (docs/timing.md); nothing here is
// measured.
Explanation explanation_of(const QnnOp& op) {
  const auto& cost = op.cost;
  if (cost.htp_ops == 0) return {"it costs nothing: no HTP op serves it", "nothing to do"};
  const std::string tiles = op.tiles == 1 ? "one tile" : concat(op.tiles, " tiles of at most ", op.tile);
  if (op.bound == sim::bound_name(sim::Bound::kDdr))
    return {concat("DMA moves ", memory_text(cost.traffic.dram_read), " in and ",
                   memory_text(cost.traffic.dram_write), " out in ", cost.dma.value,
                   " cycles; the computing takes ", cost.cycles.value, " unit cycles"),
            "fewer bytes: smaller types of weights or activations, or more VTCM so that tensors stay there"};
  if (op.bound == sim::bound_name(sim::Bound::kDma))
    return {concat("setting transfers up takes most of DMA's ", cost.dma.value, " cycles for ", tiles),
            "fewer and larger tiles: more VTCM, or a fusion with its neighbour"};
  if (op.bound == sim::bound_name(sim::Bound::kHmx))
    return {concat("the matrix unit computes for most of ", cost.cycles.value, " unit cycles in ", tiles),
            "fewer multiplications, or a smaller type"};
  if (op.bound == sim::bound_name(sim::Bound::kHvx))
    return {concat("the vector threads compute for most of ", cost.cycles.value, " unit cycles in ", tiles),
            "an op that the matrix unit takes (a convolution), a smaller type, or more HVX threads"};
  return {concat("starting it is most of the ", cost.cycles.value, " unit cycles that ", tiles,
                 op.tiles == 1 ? " takes" : " take"),
          "fewer and larger ops: fuse it, or give it more work at a time"};
}

}  // namespace

std::string assumed_text(const ProfileModel& model) {
  std::string text;
  for (const std::string& assumption : model.assumptions)
    text += concat("Assumed: ", one_line(assumption), "\n");
  return text;
}

std::string summary_text(const ProfileModel& model, size_t most) {
  std::string out =
      concat(kSimulated, card(model), "\n", units_table(model), "\n", types_table(model, most), "\n");
  out += concat("Idle ", percent_text((model.total - model.busy).value, model.total.value), "; VTCM peak ",
                memory_text(model.vtcm_peak), " of ", memory_text(model.vtcm_of_all_cores()), "; ",
                model.ops.size(), " QNN ops, ", model.htp_ops.size(), " HTP ops\n");
  for (const auto& one : model.unavailable)
    out += concat("Unavailable: ", one.what, ", because ", one.because, "\n");
  return out;
}

std::string explain_text(const ProfileModel& model, size_t most) {
  std::string out = concat(kSimulated, card(model), "\n");
  const auto ops = longest_first(model);
  for (size_t i = 0; i < std::min(most, ops.size()); ++i) {
    const QnnOp& op = *ops[i];
    const Explanation why = explanation_of(op);
    out += concat(i + 1, ". ", one_line(op.name), " (", one_line(op.type), ", ", op.units,
                  "): ", percent_text(op.cost.dominant.value, model.total.value),
                  " of the timeline, bound by ", op.bound, "\n");
    if (!op.framework.empty()) out += concat("   model's file: ", one_line(joined(op.framework)), "\n");
    out += concat("   why:   ", why.cause, "\n   helps: ", why.remedy, "\n");
  }
  if (ops.size() > most) out += concat("and ", ops.size() - most, " more ops; --top shows more\n");
  if (model.total > model.busy)
    out += concat("\nIn ", percent_text((model.total - model.busy).value, model.total.value),
                  " of the timeline no unit runs.\n");
  return out;
}

// ---- Memory ----

namespace {

struct TensorTraffic {
  uint32_t tensor = 0;
  uint64_t loaded = 0;
  uint64_t stored = 0;
  uint32_t loads = 0;
  uint32_t stores = 0;

  // Written to DDR and read back: it did not stay in VTCM.
  bool is_spilled() const { return loads > 0 && stores > 0; }
};

std::vector<TensorTraffic> most_moved_first(const ProfileModel& model) {
  std::map<uint32_t, TensorTraffic> by_tensor;
  for (const HtpOp& op : model.htp_ops) {
    if (op.traffic.dram_read == 0 && op.traffic.dram_write == 0) continue;
    TensorTraffic& moved = by_tensor[op.tensor];
    moved.tensor = op.tensor;
    moved.loaded += op.traffic.dram_read;
    moved.stored += op.traffic.dram_write;
    moved.loads += op.traffic.dram_read > 0 ? 1 : 0;
    moved.stores += op.traffic.dram_write > 0 ? 1 : 0;
  }
  std::vector<TensorTraffic> list;
  for (const auto& [index, moved] : by_tensor) list.push_back(moved);
  std::stable_sort(list.begin(), list.end(), [](const TensorTraffic& a, const TensorTraffic& b) {
    return a.loaded + a.stored > b.loaded + b.stored;
  });
  return list;
}

uint64_t peak_cycle(const ProfileModel& model) {
  for (const auto& use : model.vtcm)
    if (use.bytes == model.vtcm_peak) return use.at.value;
  return 0;
}

}  // namespace

std::string memory_text_of(const ProfileModel& model, size_t most) {
  const auto traffic = model.traffic();
  std::string out = concat(kSimulated, card(model), "\n");
  out += concat("VTCM    peak ", memory_text(model.vtcm_peak), " of ", memory_text(model.vtcm_of_all_cores()),
                " granted, first at cycle ", peak_cycle(model), "\n");
  out += concat("DDR     ", memory_text(traffic.dram_read), " in, ", memory_text(traffic.dram_write),
                " out an inference\n\n");
  TextTable table(
      {Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kLeft});
  table.row({"Tensor", "Type", "Loaded", "Loads", "Stored", "Stores", ""});
  table.rule();
  const auto list = most_moved_first(model);
  for (size_t i = 0; i < std::min(most, list.size()); ++i) {
    const TensorTraffic& moved = list[i];
    table.row({one_line(model.tensors[moved.tensor].name), model.tensors[moved.tensor].dtype,
               memory_text(moved.loaded), concat(moved.loads), memory_text(moved.stored),
               concat(moved.stores), moved.is_spilled() ? "spilled: stored and loaded again" : ""});
  }
  out += table.text();
  if (list.size() > most) out += concat("and ", list.size() - most, " more tensors; --top shows more\n");
  return out;
}

// ---- Power ----

namespace {

std::string votes_table(const profile::PowerRecord& power) {
  if (power.rows.empty()) return "";
  TextTable table(
      {Align::kRight, Align::kRight, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  table.row({"At us", "For us", "What", "Core", "HMX", "Bus", "What else is voted"});
  for (const profile::PowerRow& row : power.rows)
    table.row({micros_text(row.at), row.lasts ? micros_text(*row.lasts) : "", one_line(row.what),
               one_line(row.core), one_line(row.hmx), one_line(row.bus), one_line(row.details)});
  std::string out = concat("What the votes of the run did\n", table.text());
  if (power.rows_left_out > 0)
    out += concat("... and ", power.rows_left_out, " more; `openqnn power` shows all\n");
  return out + "\n";
}

}  // namespace

std::string power_text(const ProfileModel& model) {
  std::string out = concat(kSimulated, card(model), "\nClock  ", fixed(model.clock_hz / 1e6, 0), " MHz");
  out += model.power_vote.empty() ? "\n" : concat(": ", one_line(model.power_vote), "\n");
  if (model.power.power_up.value > 0)
    out += concat("Power-up  ", micros_text(model.power.power_up), " us of the call\n");
  out += concat("\n", votes_table(model.power));
  out += "Part of the timeline in which each unit runs\n";
  for (const auto& unit : model.resources)
    out += concat("  ", unit.name(), "  ", percent_text(unit.used.value, model.total.value), "\n");
  out += concat("  any unit  ", percent_text(model.busy.value, model.total.value), "\n\n");
  for (const auto& one : model.unavailable)
    out += concat("Unavailable: ", one.what, ", because ", one.because, "\n");
  return out;
}

// ---- For programs ----

namespace {

class JsonLines {
 public:
  json::Writer& begin(std::string_view record) {
    return out_.begin_object(json::Writer::Style::kInline).key("record").string(record);
  }
  void end() {
    out_.end_object();
    std::string line = out_.take();
    std::erase(line, '\n');  // texts have none: they are escaped
    text_ += line + "\n";
    out_ = json::Writer();
  }
  std::string take() { return std::move(text_); }

 private:
  json::Writer out_;
  std::string text_;
};

void add_traffic(json::Writer& out, const profile::qhas::Traffic& bytes) {
  out.key("dram_read").unsigned_integer(bytes.dram_read).key("dram_write").unsigned_integer(bytes.dram_write);
  out.key("vtcm_read").unsigned_integer(bytes.vtcm_read).key("vtcm_write").unsigned_integer(bytes.vtcm_write);
}

void add_cost(json::Writer& out, const profile::qhas::Cost& cost) {
  out.key("cycles").unsigned_integer(cost.cycles.value).key("dma_cycles").unsigned_integer(cost.dma.value);
  out.key("dominant_cycles")
      .unsigned_integer(cost.dominant.value)
      .key("htp_ops")
      .unsigned_integer(cost.htp_ops);
  add_traffic(out, cost.traffic);
}

void add_names(json::Writer& out, std::string_view key, const std::vector<std::string>& names) {
  out.key(key).begin_array(json::Writer::Style::kInline);
  for (const std::string& name : names) out.string(name);
  out.end_array();
}

void run_line(const ProfileModel& model, JsonLines& lines) {
  auto& out = lines.begin("run");
  out.key("clock")
      .string("simulated")
      .key("model")
      .string(model.timing)
      .key("error_band")
      .number(model.error_band);
  out.key("model_id").string(model.model_id).key("graph").string(model.graph).key("soc").string(model.soc);
  out.key("arch").unsigned_integer(model.arch).key("clock_hz").number(model.clock_hz);
  out.key("cycles").unsigned_integer(model.total.value).key("busy_cycles").unsigned_integer(model.busy.value);
  out.key("accelerator_us").number(in_micros(model.accelerator));
  out.key("client_us").number(in_micros(model.client));
  out.key("cores").unsigned_integer(model.cores).key("vtcm_granted").unsigned_integer(model.vtcm_bytes);
  out.key("vtcm_peak").unsigned_integer(model.vtcm_peak);
  add_names(out, "assumptions", model.assumptions);
  lines.end();
}

void op_line(const QnnOp& op, JsonLines& lines) {
  auto& out = lines.begin("qnn_op");
  out.key("name").string(op.name).key("type").string(op.type).key("units").string(op.units);
  out.key("bound").string(op.bound).key("tiles").unsigned_integer(op.tiles).key("tile").string(op.tile);
  out.key("dims").string(op.shape).key("dtype").string(op.dtype);
  add_names(out, "framework_nodes", op.framework);
  add_cost(out, op.cost);
  lines.end();
}

void htp_line(const ProfileModel& model, const HtpOp& op, JsonLines& lines) {
  auto& out = lines.begin("htp_op");
  out.key("id").unsigned_integer(op.id).key("htp_op").string(model.htp_op_types[op.type].name);
  out.key("qnn_op").string(model.ops[op.op].name).key("unit").string(model.resources[op.resource].name());
  out.key("tensor").string(model.tensors[op.tensor].name).key("dims").string(op.dims.to_string());
  out.key("start").unsigned_integer(op.start.value).key("cycles").unsigned_integer(op.cycles.value);
  out.key("dominant_cycles")
      .unsigned_integer(op.dominant.value)
      .key("bound")
      .string(sim::bound_name(op.bound));
  add_traffic(out, op.traffic);
  lines.end();
}

void unavailable_lines(const ProfileModel& model, JsonLines& lines) {
  for (const auto& one : model.unavailable) {
    lines.begin("unavailable").key("what").string(one.what).key("because").string(one.because);
    lines.end();
  }
}

void unit_and_type_lines(const ProfileModel& model, JsonLines& lines) {
  for (const auto& unit : model.resources) {
    auto& out = lines.begin("unit");
    out.key("name").string(unit.name()).key("cycles_used").unsigned_integer(unit.used.value);
    out.key("utilization").number(profile::qhas::percent(unit.used.value, model.total.value));
    add_traffic(out, unit.traffic);
    lines.end();
  }
  for (const auto& type : model.op_types) {
    auto& out = lines.begin("qnn_op_type");
    out.key("type").string(type.type).key("ops").unsigned_integer(type.instances);
    add_cost(out, type.cost);
    lines.end();
  }
  unavailable_lines(model, lines);
}

void memory_records(const ProfileModel& model, JsonLines& lines) {
  for (const TensorTraffic& moved : most_moved_first(model)) {
    auto& out = lines.begin("tensor");
    out.key("name").string(model.tensors[moved.tensor].name).key("loaded").unsigned_integer(moved.loaded);
    out.key("loads").unsigned_integer(moved.loads).key("stored").unsigned_integer(moved.stored);
    out.key("stores").unsigned_integer(moved.stores).key("spilled").boolean(moved.is_spilled());
    lines.end();
  }
  for (const auto& use : model.vtcm) {
    lines.begin("vtcm").key("cycle").unsigned_integer(use.at.value).key("bytes").unsigned_integer(use.bytes);
    lines.end();
  }
}

}  // namespace

std::string summary_lines(const ProfileModel& model) {
  JsonLines lines;
  run_line(model, lines);
  unit_and_type_lines(model, lines);
  return lines.take();
}

std::string explain_lines(const ProfileModel& model, size_t most) {
  JsonLines lines;
  run_line(model, lines);
  const auto ops = longest_first(model);
  for (size_t i = 0; i < std::min(most, ops.size()); ++i) {
    const Explanation why = explanation_of(*ops[i]);
    auto& out = lines.begin("explanation");
    out.key("op").string(ops[i]->name).key("type").string(ops[i]->type).key("bound").string(ops[i]->bound);
    add_names(out, "framework_nodes", ops[i]->framework);
    out.key("dominant_cycles").unsigned_integer(ops[i]->cost.dominant.value);
    out.key("why").string(why.cause).key("helps").string(why.remedy);
    lines.end();
  }
  return lines.take();
}

std::string memory_lines(const ProfileModel& model) {
  JsonLines lines;
  run_line(model, lines);
  memory_records(model, lines);
  return lines.take();
}

std::string power_lines(const ProfileModel& model) {
  JsonLines lines;
  run_line(model, lines);
  auto& out =
      lines.begin("power").key("clock_hz").number(model.clock_hz).key("vote").string(model.power_vote);
  if (!model.power.perf_profile.empty()) out.key("perf_profile").string(model.power.perf_profile);
  out.key("power_up_us").number(static_cast<double>(model.power.power_up.value) / 1e3);
  lines.end();
  for (const profile::PowerRow& row : model.power.rows) {
    auto& step = lines.begin("power_step");
    step.key("at_us").number(static_cast<double>(row.at.value) / 1e3);
    if (row.lasts) step.key("for_us").number(static_cast<double>(row.lasts->value) / 1e3);
    step.key("what").string(row.what).key("core").string(row.core).key("hmx").string(row.hmx);
    step.key("bus").string(row.bus).key("details").string(row.details);
    lines.end();
  }
  unavailable_lines(model, lines);
  return lines.take();
}

std::string all_lines(const ProfileModel& model) {
  JsonLines lines;
  run_line(model, lines);
  unit_and_type_lines(model, lines);
  for (const QnnOp& op : model.ops) op_line(op, lines);
  for (const HtpOp& op : model.htp_ops) htp_line(model, op, lines);
  memory_records(model, lines);
  return lines.take();
}

// ---- For spreadsheets ----

namespace {

// A program that opens it would run a text that begins like a formula.
std::string csv_field(std::string_view text) {
  const bool is_formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  std::string safe = concat(is_formula ? "'" : "", text);
  if (safe.find_first_of(",\"\n\r") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string ops_csv(const ProfileModel& model) {
  std::string out =
      "qnn_op,type,framework_nodes,units,bound,tiles,tile,dims,dtype,cycles,dma_cycles,dominant_cycles,htp_"
      "ops,dram_read,dram_write,"
      "vtcm_read,vtcm_write\n";
  for (const QnnOp& op : model.ops) {
    const auto& c = op.cost;
    out += concat(csv_field(op.name), ",", csv_field(op.type), ",", csv_field(joined(op.framework)), ",",
                  csv_field(op.units), ",", op.bound, ",", op.tiles, ",", csv_field(op.tile), ",",
                  csv_field(op.shape), ",", op.dtype, ",", c.cycles.value, ",", c.dma.value, ",",
                  c.dominant.value, ",", c.htp_ops, ",", c.traffic.dram_read, ",", c.traffic.dram_write, ",",
                  c.traffic.vtcm_read, ",", c.traffic.vtcm_write, "\n");
  }
  return out;
}

std::string htp_ops_csv(const ProfileModel& model) {
  std::string out =
      "id,htp_op,qnn_op,unit,tensor,dims,start,cycles,dominant_cycles,bound,dram_read,dram_write,vtcm_read,"
      "vtcm_write\n";
  for (const HtpOp& op : model.htp_ops)
    out +=
        concat(op.id, ",", csv_field(model.htp_op_types[op.type].name), ",", csv_field(model.ops[op.op].name),
               ",", model.resources[op.resource].name(), ",", csv_field(model.tensors[op.tensor].name), ",",
               csv_field(op.dims.to_string()), ",", op.start.value, ",", op.cycles.value, ",",
               op.dominant.value, ",", sim::bound_name(op.bound), ",", op.traffic.dram_read, ",",
               op.traffic.dram_write, ",", op.traffic.vtcm_read, ",", op.traffic.vtcm_write, "\n");
  return out;
}

}  // namespace openqnn::tools
