// SPDX-License-Identifier: BSD-3-Clause
#include "profile/diff/diff.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "profile/text_table.h"
#include "soc/part_name.h"

namespace openqnn::profile {
namespace {

using qhas::Model;
using qhas::QnnOp;

std::string arrow(std::string_view what, std::string_view a, std::string_view b) {
  return concat(what, " ", a, " → ", b);
}

// ---- The runs as a whole

std::string megahertz(double hertz) { return concat(std::llround(hertz / 1e6), " MHz"); }

std::string listed(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) append_item(list, text);
  return list;
}

std::string setting_of(const DiffSide& side, const std::string& name) {
  for (const auto& [key, value] : side.settings)
    if (key == name) return value;
  return "";
}

std::vector<SettingChange> setting_changes(const DiffSide& a, const DiffSide& b) {
  const Model& x = *a.model;
  const Model& y = *b.model;
  std::vector<SettingChange> list;
  const auto compare = [&](std::string_view what, const std::string& in_a, const std::string& in_b) {
    if (in_a != in_b)
      list.push_back({std::string(what), in_a.empty() ? "-" : in_a, in_b.empty() ? "-" : in_b});
  };
  compare("graph", x.graph, y.graph);
  compare("part", soc::part_and_arch(x.soc, x.arch), soc::part_and_arch(y.soc, y.arch));
  compare("prepared for", x.prepared_for, y.prepared_for);
  compare("optimization", concat("O", x.optimization), concat("O", y.optimization));
  const auto [x_vtcm, y_vtcm] = memory_texts(x.vtcm_bytes, y.vtcm_bytes);
  compare("VTCM granted", x_vtcm, y_vtcm);
  compare("HVX threads", concat(x.hvx_threads), concat(y.hvx_threads));
  compare("cores", concat(x.cores), concat(y.cores));
  compare("transfers", listed(x.transfers), listed(y.transfers));
  compare("clock", megahertz(x.clock_hz), megahertz(y.clock_hz));
  compare("timing model", x.timing, y.timing);
  std::vector<std::string> names;
  for (const DiffSide* side : {&a, &b})
    for (const auto& [name, value] : side->settings)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  for (const std::string& name : names) compare(name, setting_of(a, name), setting_of(b, name));
  return list;
}

// ---- One op

bool same_work(const QnnOp& a, const QnnOp& b) {
  return a.type == b.type && a.dtype == b.dtype && a.shape == b.shape && a.tiles == b.tiles &&
         a.tile == b.tile && a.units == b.units && a.nodes == b.nodes;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += concat(text.empty() ? "" : " + ", name);
  return text;
}

void explain_work(const QnnOp& a, const QnnOp& b, std::vector<std::string>& why) {
  if (a.type != b.type) why.push_back(arrow("op type", a.type, b.type));
  if (a.nodes != b.nodes)
    why.push_back(arrow("stands for nodes", joined_names(a.nodes), joined_names(b.nodes)));
  if (a.dtype != b.dtype) why.push_back(arrow("data type", a.dtype, b.dtype));
  if (a.shape != b.shape) why.push_back(arrow("output", a.shape, b.shape));
  if (a.units != b.units) why.push_back(arrow("units", a.units, b.units));
  if (a.tiles != b.tiles || a.tile != b.tile)
    why.push_back(concat("tiling ", a.tiles, a.tiles == 1 ? " tile of " : " tiles of at most ", a.tile, " → ",
                         b.tiles, b.tiles == 1 ? " tile of " : " tiles of at most ", b.tile));
}

void explain_traffic(const QnnOp& a, const QnnOp& b, std::vector<std::string>& why) {
  const auto bytes = [&](std::string_view what, uint64_t x, uint64_t y) {
    const auto [x_text, y_text] = memory_texts(x, y);
    if (x != y) why.push_back(arrow(what, x_text, y_text));
  };
  bytes("loads from DDR", a.cost.traffic.dram_read, b.cost.traffic.dram_read);
  bytes("stores to DDR", a.cost.traffic.dram_write, b.cost.traffic.dram_write);
}

// What of the runs as a whole makes the same tiles move other bytes.
void explain_transfers(const Model& a, const Model& b, std::vector<std::string>& why) {
  for (const std::string_view one :
       {qhas::kDlbcOfActivations, qhas::kDlbcMeasured, qhas::kDlbcOfWeights, qhas::kSystemCache}) {
    const bool in_a = std::ranges::find(a.transfers, one) != a.transfers.end();
    const bool in_b = std::ranges::find(b.transfers, one) != b.transfers.end();
    if (in_a != in_b) why.push_back(concat(one, in_b ? " is on in B alone" : " is on in A alone"));
  }
}

void explain_time(const QnnOp& a, const QnnOp& b, std::vector<std::string>& why) {
  const bool same_cycles = a.cost.cycles == b.cost.cycles && a.cost.dma == b.cost.dma;
  if (!same_cycles && same_work(a, b))
    why.push_back(concat("the same tiles take ", a.cost.cycles.value, " + ", a.cost.dma.value, " → ",
                         b.cost.cycles.value, " + ", b.cost.dma.value,
                         " cycles (computing + DMA): rates or clock differ"));
  else if (!same_cycles)
    why.push_back(concat("computing ", a.cost.cycles.value, " → ", b.cost.cycles.value, " cycles, DMA ",
                         a.cost.dma.value, " → ", b.cost.dma.value));
  if (a.bound != b.bound) why.push_back(arrow("bound by", a.bound, b.bound));
  if (same_cycles && a.cost.dominant != b.cost.dominant)
    why.emplace_back(a.cost.dominant < b.cost.dominant
                         ? "takes as long itself, but less of it is hidden behind more important ops"
                         : "takes as long itself, but more of it is hidden behind more important ops");
}

class Aligner {
 public:
  Aligner(const DiffSide& a, const DiffSide& b) : a_(*a.model), b_(*b.model) {
    index(a_, in_a_, node_in_a_);
    index(b_, in_b_, node_in_b_);
  }

  std::vector<OpChange> ops() {
    std::vector<OpChange> list;
    for (uint32_t i = 0; i < a_.ops.size(); ++i) {
      const auto other = in_b_.find(a_.ops[i].name);
      list.push_back(other == in_b_.end() ? alone(i, a_, OpChange::Kind::kOnlyA, node_in_b_)
                                          : both(i, other->second));
    }
    for (uint32_t i = 0; i < b_.ops.size(); ++i)
      if (!in_a_.contains(b_.ops[i].name)) list.push_back(alone(i, b_, OpChange::Kind::kOnlyB, node_in_a_));
    return list;
  }

 private:
  using Names = std::map<std::string_view, uint32_t>;

  static void index(const Model& model, Names& ops, Names& nodes) {
    for (uint32_t i = 0; i < model.ops.size(); ++i) {
      ops.emplace(model.ops[i].name, i);
      for (const std::string& node : model.ops[i].nodes) nodes.emplace(node, i);
    }
  }

  OpChange both(uint32_t i, uint32_t j) const {
    const QnnOp& a = a_.ops[i];
    const QnnOp& b = b_.ops[j];
    OpChange change{.name = a.name,
                    .type = b.type,
                    .a = i,
                    .b = j,
                    .dominant_a = a.cost.dominant,
                    .dominant_b = b.cost.dominant};
    explain_work(a, b, change.why);
    const size_t reasons = change.why.size();
    explain_traffic(a, b, change.why);
    if (change.why.size() > reasons) explain_transfers(a_, b_, change.why);
    if (a_.cores != b_.cores && a.cost.cycles != b.cost.cycles)
      change.why.push_back(concat("tiles are divided over ", a_.cores, " → ", b_.cores, " cores"));
    explain_time(a, b, change.why);
    change.kind = change.why.empty() ? OpChange::Kind::kSame : OpChange::Kind::kChanged;
    return change;
  }

  // An op that the other run has not under this name: its node may be part of another op there.
  OpChange alone(uint32_t i, const Model& model, OpChange::Kind kind, const Names& other_nodes) const {
    const QnnOp& op = model.ops[i];
    const bool is_a = kind == OpChange::Kind::kOnlyA;
    OpChange change{.kind = kind, .name = op.name, .type = op.type};
    (is_a ? change.a : change.b) = i;
    (is_a ? change.dominant_a : change.dominant_b) = op.cost.dominant;
    const Model& other = is_a ? b_ : a_;
    const auto found = other_nodes.find(op.name);
    const std::string_view there = is_a ? "B" : "A";
    change.why.push_back(found == other_nodes.end()
                             ? concat("there is no node of this name in ", there)
                             : concat("in ", there, " it is part of '", other.ops[found->second].name, "'"));
    return change;
  }

  const Model& a_;
  const Model& b_;
  Names in_a_, in_b_, node_in_a_, node_in_b_;
};

}  // namespace

std::string_view kind_name(OpChange::Kind kind) {
  static constexpr std::array<std::string_view, 4> kNames = {"same", "changed", "only in A", "only in B"};
  return kNames.at(static_cast<size_t>(kind));
}

Diff diff_of(const DiffSide& a, const DiffSide& b) {
  return {a, b, setting_changes(a, b), Aligner(a, b).ops()};
}

std::vector<const OpChange*> Diff::largest_first() const {
  std::vector<const OpChange*> list;
  for (const OpChange& op : ops)
    if (op.kind != OpChange::Kind::kSame) list.push_back(&op);
  std::stable_sort(list.begin(), list.end(), [](const OpChange* x, const OpChange* y) {
    return std::abs(x->delta()) > std::abs(y->delta());
  });
  return list;
}

}  // namespace openqnn::profile
